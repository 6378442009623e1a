from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0007_chunks")]

    operations = [
        migrations.AddIndex(
            "job",
            models.Index(
                fields=["workspace", "ended_at"], include=["started_at"], name="jobs_ended"
            ),
        ),
    ]
