"""Keeps what owners were asked to approve."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_row_level_security"),
        ("sharing", "0008_break_even_and_prices"),
        ("studies", "0006_packs_and_dates"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApprovalRequest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("sentence", models.CharField(max_length=500)),
                ("asked_by", models.CharField(max_length=254)),
                (
                    "created_at",
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
            options={"abstract": False},
        ),
        workspace_rls("sharing_approvalrequest"),
    ]
