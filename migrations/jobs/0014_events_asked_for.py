"""Events are asked for: no job's transaction notifies, so that commits wait for no other."""

from importlib import import_module

from django.db import migrations

from common.rls import definer_function

EVENTS: str = import_module("migrations.jobs.0002_row_level_security").EVENTS
_FUNCTION = EVENTS[EVENTS.index("CREATE FUNCTION") : EVENTS.index("CREATE TRIGGER")]
TOLD = _FUNCTION.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
NUMBERED = """
CREATE OR REPLACE FUNCTION jobs_event() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    NEW.event_seq := nextval('jobs_event_seq');
    RETURN NEW;
END $body$;
"""

# What changed in some workspaces, of jobs that go on or have just ended; the latest thousand.
CHANGED = """
SELECT workspace_id, event_seq, id, kind, state, progress_fraction, progress_message
FROM jobs_job
WHERE workspace_id = ANY (p_workspaces) AND event_seq > p_seq
    AND (ended_at IS NULL OR ended_at >= p_ended_since)
ORDER BY event_seq DESC LIMIT 1000
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0013_chunks_of_sweeps")]

    operations = [
        definer_function(
            "jobs_changed",
            "p_workspaces uuid[], p_seq bigint, p_ended_since timestamptz",
            "TABLE (workspace uuid, seq bigint, id uuid, kind varchar, state varchar, "
            "progress_fraction double precision, message varchar)",
            CHANGED,
        ),
        migrations.RunSQL(NUMBERED, TOLD),
    ]
