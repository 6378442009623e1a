"""What a study's design really cost, by month."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studies.documents
from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_leaving"), ("sharing", "0006_comments")]

    operations = [
        migrations.CreateModel(
            name="StudyActuals",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "document",
                    models.JSONField(decoder=studies.documents.JSONReader, default=dict),
                ),
                ("entered_by", models.CharField(max_length=254)),
                (
                    "updated_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="actuals",
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
            options={"abstract": False},
        ),
        workspace_rls("sharing_studyactuals"),
    ]
