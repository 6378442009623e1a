"""Archives of a workspace, shut off from the others."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from common.rls import workspace_rls


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0008_mail"),
        ("files", "0003_archives"),
        ("jobs", "0010_computed"),
    ]

    operations = [
        migrations.CreateModel(
            name="Archive",
            fields=[
                (
                    "job",
                    models.OneToOneField(
                        db_column="id",
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archive",
                        serialize=False,
                        to="jobs.job",
                    ),
                ),
                (
                    "way",
                    models.CharField(
                        choices=[("export", "Export"), ("import", "Import")], max_length=6
                    ),
                ),
                ("file_name", models.CharField(max_length=200)),
                ("made_by", models.CharField(max_length=254)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("bytes_count", models.BigIntegerField(null=True)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("counts", models.JSONField(null=True)),
                ("notes", models.JSONField(default=list)),
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
                        fields=["workspace", "-created_at", "-job"], name="archive_by_time"
                    )
                ],
            },
        ),
        workspace_rls("archives_archive"),
    ]
