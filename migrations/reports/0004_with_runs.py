from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reports", "0003_files")]

    operations = [
        migrations.AddField("report", "with_runs", models.BooleanField(db_default=False)),
    ]
