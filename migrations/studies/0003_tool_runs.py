"""The runs of tools that a study refers to."""

from django.db import migrations, models

import studies.documents


class Migration(migrations.Migration):
    dependencies = [("studies", "0002_row_level_security")]

    operations = [
        migrations.AddField(
            "study",
            "tool_runs",
            models.JSONField(decoder=studies.documents.JSONReader, default=list),
        ),
    ]
