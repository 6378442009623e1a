from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0005_settled")]

    operations = [
        migrations.AddIndex("run", models.Index(fields=["created_at"], name="run_by_age")),
    ]
