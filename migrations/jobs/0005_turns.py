"""Queues serve workspaces in turn; a job may give its turn away without counting as lost."""

from django.db import migrations, models

from common.rls import definer_function

# Of the workspaces that wait in the queue of a job: the one with the fewest jobs running there,
# among these the one that was served longest ago; of it the job that waits longest. The row stays
# locked for whoever asks; who asks at the same time gets the next one. Workspaces are found by
# going from one to the next in the index, however many jobs one of them has waiting.
TURN = """
#variable_conflict use_column
DECLARE
    v_queue text := (SELECT j.queue FROM jobs_job j WHERE j.id = p_id);
    v_workspace uuid;
BEGIN
    FOR v_workspace IN
        WITH RECURSIVE waiting(one) AS (
            (SELECT j.workspace_id FROM jobs_job j WHERE j.state = 'queued' AND j.queue = v_queue
             ORDER BY j.workspace_id LIMIT 1)
            UNION ALL
            SELECT (SELECT j.workspace_id FROM jobs_job j
                    WHERE j.state = 'queued' AND j.queue = v_queue AND j.workspace_id > w.one
                    ORDER BY j.workspace_id LIMIT 1)
            FROM waiting w WHERE w.one IS NOT NULL
        )
        SELECT w.one FROM waiting w WHERE w.one IS NOT NULL ORDER BY
            (SELECT count(*) FROM jobs_job j
             WHERE j.state = 'running' AND j.queue = v_queue AND j.workspace_id = w.one),
            (SELECT j.started_at FROM jobs_job j
             WHERE j.workspace_id = w.one AND j.queue = v_queue AND j.started_at IS NOT NULL
             ORDER BY j.started_at DESC LIMIT 1) NULLS FIRST
    LOOP
        RETURN QUERY SELECT j.workspace_id, j.id FROM jobs_job j
            WHERE j.state = 'queued' AND j.queue = v_queue AND j.workspace_id = v_workspace
              AND (j.waits_until IS NULL OR j.waits_until <= p_now)
            ORDER BY j.submitted_at LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
            RETURN;
        END IF;
    END LOOP;
END
"""

# Whether somebody waits in the queue of a running job who has none running there.
OTHERS_WAIT = """
    SELECT EXISTS (
        SELECT 1 FROM jobs_job mine
        JOIN jobs_job other ON other.queue = mine.queue AND other.state = 'queued'
            AND other.workspace_id <> mine.workspace_id
            AND (other.waits_until IS NULL OR other.waits_until <= p_now)
        WHERE mine.id = p_id AND NOT EXISTS (
            SELECT 1 FROM jobs_job theirs WHERE theirs.workspace_id = other.workspace_id
            AND theirs.queue = mine.queue AND theirs.state = 'running'));
"""

# As it was, but for attempts that gave the job back.
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
                'message', format('The worker stopped in the middle of it, %s times.',
                    j.attempt - j.yields_count))
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
                attempt - yields_count >= p_attempts_max AS spent
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
REPLACE_REAP = f"""
CREATE OR REPLACE FUNCTION jobs_reap(p_now timestamptz, p_attempts_max integer, p_busy text[])
RETURNS TABLE (workspace_id uuid, id uuid, queue text, again boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body${REAP}$body$;
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0004_load")]

    operations = [
        # With defaults of the database's: the release before inserts without them.
        migrations.AddField(
            "job", "yields_count", models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.AddField("job", "waits_until", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "job",
            models.Index(
                fields=("queue", "workspace", "submitted_at"),
                condition=models.Q(state="queued"),
                name="jobs_waiting",
            ),
        ),
        migrations.AddIndex(
            "job",
            models.Index(fields=("workspace", "queue", "started_at"), name="jobs_served"),
        ),
        migrations.RunSQL(REPLACE_REAP, migrations.RunSQL.noop),
        definer_function(
            "jobs_turn",
            "p_id uuid, p_now timestamptz",
            "TABLE (workspace_id uuid, id uuid)",
            TURN,
            language="plpgsql",
        ),
        definer_function(
            "jobs_others_wait", "p_id uuid, p_now timestamptz", "boolean", OTHERS_WAIT
        ),
    ]
