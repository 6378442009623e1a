"""Webhooks, and what they were told."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_roles"),
        ("sharing", "0002_row_level_security"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                ("events", models.JSONField()),
                ("secret", models.CharField(max_length=64)),
                ("created_by", models.CharField(max_length=254)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
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
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("event", models.CharField(max_length=40)),
                ("study_id", models.UUIDField(null=True)),
                ("payload", models.JSONField()),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.CharField(blank=True, max_length=500)),
                ("ended_at", models.DateTimeField(null=True)),
                ("delivered", models.BooleanField(default=False)),
                (
                    "workspace",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="sharing.webhook",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_at", None)),
                        fields=["webhook", "study_id", "created_at"],
                        name="delivery_open",
                    )
                ],
            },
        ),
        workspace_rls("sharing_webhook"),
        workspace_rls("sharing_delivery"),
    ]
