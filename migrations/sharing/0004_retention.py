"""Which runs and reports are old enough to go. What is not to go stands here and nowhere else."""

from django.db import migrations

from common.rls import definer_function

CROSSING = "CREATE POLICY owner_crossing ON {0} TO CURRENT_USER USING (true) WITH CHECK (true);"
NO_CROSSING = "DROP POLICY owner_crossing ON {0};"
TABLES = ("sharing_approval", "studies_study", "reports_report")

# Approved, shown by a link, a study's latest of its model, or named by a study as a tool's run.
EXPIRED = """
    (SELECT r.workspace_id, r.id, 'run' FROM runs_run r JOIN jobs_job j ON j.id = r.id
     WHERE r.created_at < p_before AND j.state IN ('succeeded', 'failed', 'cancelled')
       AND NOT EXISTS (SELECT FROM sharing_approval a WHERE a.run_id = r.id)
       AND NOT EXISTS (SELECT FROM sharing_share s WHERE s.run_id = r.id AND s.revoked_at IS NULL)
       AND NOT EXISTS (
           SELECT FROM studies_study s WHERE s.workspace_id = r.workspace_id
           AND s.tool_runs @> jsonb_build_array(jsonb_build_object('run', r.id::text)))
       AND (r.study_id IS NULL OR j.state <> 'succeeded' OR EXISTS (
           SELECT FROM runs_run n JOIN jobs_job nj ON nj.id = n.id
           WHERE n.study_id = r.study_id AND n.model_id = r.model_id
             AND n.created_at > r.created_at AND nj.state = 'succeeded'))
     ORDER BY r.created_at LIMIT p_most)
    UNION ALL
    (SELECT r.workspace_id, r.id, 'report' FROM reports_report r JOIN jobs_job j ON j.id = r.id
     WHERE r.created_at < p_before AND j.state IN ('succeeded', 'failed', 'cancelled')
       AND (r.study_id IS NULL OR j.state <> 'succeeded' OR EXISTS (
           SELECT FROM reports_report n JOIN jobs_job nj ON nj.id = n.id
           WHERE n.study_id = r.study_id AND n.format = r.format
             AND n.created_at > r.created_at AND nj.state = 'succeeded'))
     ORDER BY r.created_at LIMIT p_most)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("sharing", "0003_webhooks"),
        ("runs", "0006_retention"),
        ("reports", "0003_files"),
        ("studies", "0003_tool_runs"),
    ]

    operations = [
        *(migrations.RunSQL(CROSSING.format(t), NO_CROSSING.format(t)) for t in TABLES),
        definer_function(
            "runs_expired",
            "p_before timestamptz, p_most integer",
            "TABLE (workspace_id uuid, id uuid, what text)",
            EXPIRED,
        ),
    ]
