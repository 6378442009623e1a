import uuid

import django.db.models.deletion
from django.db import migrations, models

from common.rls import workspace_rls

# A job's pieces are of no use once it has ended, whoever ended it.
DROP = """
CREATE FUNCTION jobs_drop_chunks() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM jobs_chunk WHERE job_id = NEW.id;
    RETURN NULL;
END $body$;
CREATE TRIGGER jobs_ended AFTER UPDATE ON jobs_job FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
    EXECUTE FUNCTION jobs_drop_chunks();
"""
NO_DROP = """
DROP TRIGGER jobs_ended ON jobs_job;
DROP FUNCTION jobs_drop_chunks;
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0006_time_limit_words"), ("accounts", "0002_row_level_security")]

    operations = [
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("call", models.PositiveSmallIntegerField()),
                ("position", models.PositiveIntegerField()),
                ("function", models.CharField(max_length=200)),
                ("payload", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("result", models.BinaryField(null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="jobs.job"
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "call", "position"), name="jobs_chunk_of_call"
                    )
                ],
            },
        ),
        workspace_rls("jobs_chunk", crossing=True),
        migrations.RunSQL(DROP, NO_DROP),
    ]
