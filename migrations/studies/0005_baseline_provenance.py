"""Keeps where the lines of a baseline are from."""

from django.db import migrations, models

import studies.documents


class Migration(migrations.Migration):
    dependencies = [("studies", "0004_steps_and_tags")]

    operations = [
        migrations.AddField(
            "study",
            "baseline_provenance",
            models.JSONField(decoder=studies.documents.JSONReader, default=dict),
        ),
    ]
