"""Keeps the steps of a study's edits, and its tags."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studies.documents
from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_row_level_security"),
        ("studies", "0003_tool_runs"),
    ]

    operations = [
        migrations.AddField("study", "tags", models.JSONField(default=list)),
        migrations.AddField(
            "study", "step", models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.AddField(
            "study", "step_first", models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.AddField(
            "study", "step_last", models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.CreateModel(
            name="StudyStep",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("state", models.JSONField(decoder=studies.documents.JSONReader)),
                (
                    "made_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="studies.study",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={"ordering": ("number",)},
        ),
        migrations.AddConstraint(
            "studystep",
            models.UniqueConstraint(fields=("study", "number"), name="study_step_once"),
        ),
        workspace_rls("studies_studystep"),
    ]
