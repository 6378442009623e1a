"""Many runs over ranges or lists of a model's inputs, as one job."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studies.documents
from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_provisioning"),
        ("jobs", "0013_chunks_of_sweeps"),
        ("runs", "0011_of_study"),
        ("studies", "0006_packs_and_dates"),
    ]

    operations = [
        migrations.CreateModel(
            name="Sweep",
            fields=[
                (
                    "job",
                    models.OneToOneField(
                        db_column="id",
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sweep",
                        serialize=False,
                        to="jobs.job",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("title", models.CharField(max_length=200)),
                ("model_id", models.CharField(max_length=100)),
                ("model_version", models.CharField(max_length=40)),
                ("params", models.JSONField(decoder=studies.documents.JSONReader)),
                ("rows_count", models.PositiveIntegerField()),
                ("faults_count", models.PositiveIntegerField(null=True)),
                ("headline", models.TextField(blank=True)),
                ("columns", models.JSONField(decoder=studies.documents.JSONReader, null=True)),
                (
                    "study",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
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
            options={
                "indexes": [models.Index(fields=["workspace", "-created_at"], name="sweep_by_time")]
            },
        ),
        workspace_rls("runs_sweep"),
    ]
