"""Keeps what entries were before they changed."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_row_level_security"),
        ("catalogue", "0004_search"),
    ]

    operations = [
        migrations.CreateModel(
            name="EntryVersion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("slug", models.CharField(max_length=80)),
                ("kind", models.CharField(max_length=40)),
                ("title", models.CharField(max_length=200)),
                ("values", models.JSONField(default=dict)),
                ("revision", models.PositiveIntegerField()),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                (
                    "workspace",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={
                "ordering": ("until", "revision"),
                "indexes": [models.Index(fields=["slug", "until"], name="entry_version_by_slug")],
            },
        ),
        workspace_rls("catalogue_entryversion", shared=True),
    ]
