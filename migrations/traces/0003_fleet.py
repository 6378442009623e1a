"""Lets a trace be the statistics of a fleet of drives."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("traces", "0002_row_level_security")]

    operations = [
        migrations.AlterField(
            model_name="trace",
            name="kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("block", "Block"),
                    ("utilization", "Utilization"),
                    ("latency", "Latency"),
                    ("fleet", "Fleet"),
                ],
                max_length=12,
            ),
        ),
    ]
