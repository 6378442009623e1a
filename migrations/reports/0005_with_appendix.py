from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reports", "0004_with_runs")]

    operations = [
        # Reports of before have all parts.
        migrations.AddField("report", "with_appendix", models.BooleanField(db_default=True)),
    ]
