"""Lets a trace be a log of requests to language models."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("traces", "0004_files")]

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
                    ("inference", "Inference"),
                ],
                max_length=12,
            ),
        ),
    ]
