"""Comments on studies, designs and numbers."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_mail"),
        ("sharing", "0005_events_by_month"),
        ("studies", "0004_steps_and_tags"),
    ]

    operations = [
        migrations.CreateModel(
            name="Comment",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("letter", models.CharField(blank=True, max_length=1)),
                ("place", models.CharField(blank=True, max_length=200)),
                ("place_title", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField()),
                ("author", models.CharField(max_length=254)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("resolved_at", models.DateTimeField(null=True)),
                ("resolved_by", models.CharField(blank=True, max_length=254)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comments",
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
            options={
                "indexes": [
                    models.Index(fields=["study", "created_at", "id"], name="comment_by_time")
                ],
            },
        ),
        workspace_rls("sharing_comment"),
    ]
