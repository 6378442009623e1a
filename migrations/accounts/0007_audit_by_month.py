"""Cuts the audit by months."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

import common.partitions
from common.partitions import cut_up

# Who approved what stays as long as what was approved.
CUT = cut_up(
    "accounts_auditentry",
    key="",
    used="t.action = 'study.approve'",
    indexes=("audit_by_time ON accounts_auditentry (workspace_id, created_at DESC, id DESC)",),
)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_limits")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=CUT,
            state_operations=[
                migrations.DeleteModel("AuditEntry"),
                migrations.CreateModel(
                    name="AuditEntry",
                    fields=[
                        ("id", models.UUIDField(default=uuid.uuid4, editable=False)),
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "id",
                                "month",
                                blank=True,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        (
                            "month",
                            models.DateField(default=common.partitions.this_month, editable=False),
                        ),
                        ("actor_email", models.CharField(max_length=254)),
                        ("action", models.CharField(max_length=50)),
                        ("target", models.CharField(blank=True, max_length=200)),
                        ("detail", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "token",
                            models.ForeignKey(
                                db_constraint=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="accounts.apitoken",
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
                            models.Index(
                                fields=["workspace", "-created_at", "-id"], name="audit_by_time"
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
