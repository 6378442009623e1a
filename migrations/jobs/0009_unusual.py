from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0008_ended")]

    operations = [
        migrations.AddIndex(
            "job",
            models.Index(
                condition=~models.Q(state="succeeded"),
                fields=["workspace", "state"],
                name="jobs_unusual",
            ),
        ),
    ]
