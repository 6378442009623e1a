"""What narrows the list of runs to a few of very many."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0006_retention")]

    operations = [
        migrations.AddIndex(
            "run",
            models.Index(
                fields=["workspace", "model_id", "-created_at", "-job"], name="run_by_model"
            ),
        ),
        migrations.AddIndex(
            "run",
            models.Index(
                condition=models.Q(moved_count__gt=0),
                fields=["workspace", "-created_at", "-job"],
                name="run_that_moved",
            ),
        ),
    ]
