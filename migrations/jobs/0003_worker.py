from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0002_row_level_security"),
    ]

    operations = [
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("queue", models.CharField(max_length=50)),
                ("seen_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("name", "queue"), name="jobs_worker_of_queue")
                ],
            },
        ),
        # The table stays for the schedulers and workers of the release before, which run on
        # while this one is installed; the next release drops it.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="Canary")],
        ),
    ]
