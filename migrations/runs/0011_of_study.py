"""A study's runs in the order of their list."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0010_outlook")]

    operations = [
        migrations.AddIndex(
            "run",
            models.Index(fields=["study", "workspace", "-created_at", "-job"], name="run_of_study"),
        ),
        migrations.RemoveIndex("run", "run_by_study"),
    ]
