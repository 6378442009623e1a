"""How far figures moved when a run was computed again, and which runs should be."""

from django.db import migrations, models

from common.rls import definer_function

CROSSING = "CREATE POLICY owner_crossing ON runs_run TO CURRENT_USER USING (true) WITH CHECK (true)"
# Of each study the latest run that did not fail; in the batch queue it is on its way.
STALE = """
    SELECT workspace_id, id FROM (
        SELECT DISTINCT ON (r.study_id) r.workspace_id, r.id, r.model_version, j.state
        FROM runs_run r JOIN jobs_job j ON j.id = r.id
        WHERE r.study_id IS NOT NULL AND r.model_id = p_model AND r.reused_from_id IS NULL
          AND j.state NOT IN ('failed', 'cancelled')
        ORDER BY r.study_id, r.created_at DESC
    ) AS latest
    WHERE model_version <> p_version AND state = 'succeeded'
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0002_row_level_security"), ("jobs", "0002_row_level_security")]

    operations = [
        migrations.AddField("run", "moved_count", models.PositiveIntegerField(null=True)),
        migrations.AddField("run", "moved_fraction", models.FloatField(null=True)),
        migrations.RunSQL(CROSSING, "DROP POLICY owner_crossing ON runs_run"),
        definer_function(
            "runs_stale",
            "p_model text, p_version text",
            "TABLE (workspace_id uuid, run_id uuid)",
            STALE,
        ),
    ]
