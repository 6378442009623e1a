"""Which studies the newest prices or the plan of today would move."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studies.documents
from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_mail"),
        ("jobs", "0009_unusual"),
        ("runs", "0009_odds"),
    ]

    operations = [
        migrations.CreateModel(
            name="Outlook",
            fields=[
                (
                    "job",
                    models.OneToOneField(
                        db_column="id",
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="outlook",
                        serialize=False,
                        to="jobs.job",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("snapshot", models.CharField(blank=True, max_length=100)),
                ("studies_count", models.PositiveIntegerField(default=0)),
                ("moved_count", models.PositiveIntegerField(null=True)),
                ("rows", models.JSONField(decoder=studies.documents.JSONReader, null=True)),
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
            options={
                "indexes": [
                    models.Index(fields=["workspace", "-created_at"], name="outlook_by_time")
                ],
            },
        ),
        workspace_rls("runs_outlook"),
    ]
