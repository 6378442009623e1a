"""Shuts the jobs of the workspaces from each other; events, reaper and counts."""

from django.db import migrations

from common.rls import definer_function, workspace_rls

# Every change that a browser should see gets the next number and is told to the event
# process, with the commit. Renewing a lease changes none of these columns.
EVENTS = """
CREATE SEQUENCE jobs_event_seq;
CREATE FUNCTION jobs_event() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    NEW.event_seq := nextval('jobs_event_seq');
    PERFORM pg_notify('ampacity_job', json_build_object(
        'workspace', NEW.workspace_id, 'seq', NEW.event_seq, 'id', NEW.id, 'kind', NEW.kind,
        'state', NEW.state, 'progress_fraction', NEW.progress_fraction,
        'message', NEW.progress_message)::text);
    RETURN NEW;
END $body$;
CREATE TRIGGER jobs_event_insert BEFORE INSERT ON jobs_job
    FOR EACH ROW EXECUTE FUNCTION jobs_event();
CREATE TRIGGER jobs_event_update BEFORE UPDATE ON jobs_job
    FOR EACH ROW WHEN (
        (OLD.state, OLD.attempt, OLD.progress_fraction, OLD.progress_message)
        IS DISTINCT FROM (NEW.state, NEW.attempt, NEW.progress_fraction, NEW.progress_message))
    EXECUTE FUNCTION jobs_event();
"""
NO_EVENTS = """
DROP TRIGGER jobs_event_update ON jobs_job;
DROP TRIGGER jobs_event_insert ON jobs_job;
DROP FUNCTION jobs_event;
DROP SEQUENCE jobs_event_seq;
"""

# A job back in the queue keeps its attempt: its late worker finds it not running, and is
# fenced. SKIP LOCKED: a second scheduler passes by what the first one is at.
REAP = """
#variable_conflict use_column
BEGIN
    RETURN QUERY UPDATE jobs_job j SET
        state = verdict.state,
        ended_at = CASE WHEN verdict.state <> 'queued' THEN p_now END,
        lease_expires_at = NULL,
        resend_at = p_now + interval '5 seconds',
        error = CASE verdict.code
            WHEN 'time_limit' THEN json_build_object('code', verdict.code, 'faults', '[]'::json,
                'message', format('This took longer than the %s s that it may.', j.limit_s))
            WHEN 'worker_lost' THEN json_build_object('code', verdict.code, 'faults', '[]'::json,
                'message', format('The worker stopped in the middle of it, %s times.', j.attempt))
        END::jsonb
    FROM (
        SELECT id,
            CASE WHEN cancel_requested_at IS NOT NULL THEN 'cancelled'
                 WHEN late OR spent THEN 'failed' ELSE 'queued' END AS state,
            CASE WHEN cancel_requested_at IS NOT NULL THEN NULL
                 WHEN late THEN 'time_limit' WHEN spent THEN 'worker_lost' END AS code
        FROM (
            SELECT id, cancel_requested_at,
                p_now >= started_at + make_interval(secs => limit_s) AS late,
                attempt >= p_attempts_max AS spent
            FROM jobs_job WHERE state = 'running' AND lease_expires_at < p_now
            ORDER BY lease_expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED
        ) AS lost
    ) AS verdict
    WHERE j.id = verdict.id
    RETURNING j.workspace_id, j.id, j.queue::text, j.state = 'queued';

    RETURN QUERY UPDATE jobs_job j SET
        sends_count = sends_count + 1,
        resend_at = p_now
            + LEAST(interval '5 seconds' * (2 ^ LEAST(j.sends_count, 10)), interval '10 minutes')
    WHERE j.id IN (
        SELECT id FROM jobs_job
        WHERE state = 'queued' AND resend_at < p_now
          AND (queue <> ALL (p_busy) OR resend_at < p_now - interval '10 minutes')
        ORDER BY resend_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
    RETURNING j.workspace_id, j.id, j.queue::text, true;
END
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial"), ("accounts", "0002_row_level_security")]

    operations = [
        workspace_rls("jobs_job", crossing=True),
        migrations.RunSQL(EVENTS, NO_EVENTS),
        definer_function(
            "jobs_reap",
            "p_now timestamptz, p_attempts_max integer, p_busy text[]",
            "TABLE (workspace_id uuid, id uuid, queue text, again boolean)",
            REAP,
            language="plpgsql",
        ),
        definer_function(
            "jobs_counts",
            "",
            "TABLE (queue text, state text, count bigint)",
            """SELECT queue::text, state::text, count(*) FROM jobs_job
               WHERE state IN ('queued', 'running') GROUP BY 1, 2;""",
        ),
    ]
