import uuid

import django.db.models.deletion
from django.db import migrations, models

from common.rls import workspace_rls

# Added to when a job ends, whoever ends it, and not taken back when its row goes.
ADD = """
CREATE FUNCTION jobs_add_computed() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO jobs_computed (id, workspace_id, month, seconds)
    VALUES (
        gen_random_uuid(), NEW.workspace_id, date_trunc('month', NEW.ended_at AT TIME ZONE 'UTC'),
        EXTRACT(EPOCH FROM NEW.ended_at - NEW.started_at)
    )
    ON CONFLICT (workspace_id, month)
    DO UPDATE SET seconds = jobs_computed.seconds + EXCLUDED.seconds;
    RETURN NULL;
END $body$;
CREATE TRIGGER jobs_computed AFTER UPDATE ON jobs_job FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.started_at IS NOT NULL)
    EXECUTE FUNCTION jobs_add_computed();
INSERT INTO jobs_computed (id, workspace_id, month, seconds)
    SELECT gen_random_uuid(), workspace_id, date_trunc('month', ended_at AT TIME ZONE 'UTC'),
        sum(EXTRACT(EPOCH FROM ended_at - started_at))
    FROM jobs_job WHERE ended_at IS NOT NULL AND started_at IS NOT NULL
    GROUP BY 2, 3;
"""
NO_ADD = """
DROP TRIGGER jobs_computed ON jobs_job;
DROP FUNCTION jobs_add_computed;
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0009_unusual"), ("accounts", "0002_row_level_security")]

    operations = [
        migrations.CreateModel(
            name="Computed",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("month", models.DateField()),
                ("seconds", models.FloatField()),
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
                        fields=("workspace", "month"), name="jobs_computed_of_month"
                    )
                ],
            },
        ),
        workspace_rls("jobs_computed", crossing=True),
        migrations.RunSQL(ADD, NO_ADD),
        migrations.RemoveIndex("job", "jobs_ended"),
    ]
