"""A study whose earlier state came back is told of until it has the verdict of its run again."""

from django.db import migrations

from common.rls import definer_function

ARGUMENTS = "p_since timestamptz, p_until timestamptz"
RETURNS = "TABLE (workspace_id uuid, study_id uuid)"
SETTLED = """
    SELECT s.workspace_id, s.id FROM studies_study s
    WHERE s.faults_count = 0 AND s.verdict_hash <> ''
      AND s.updated_at > p_since AND s.updated_at <= p_until
      AND s.example_loaded_at IS DISTINCT FROM s.updated_at
      AND NOT EXISTS (
          SELECT FROM runs_run r WHERE r.study_id = s.id AND r.inputs_hash = s.verdict_hash
          AND r.headline IN ('', s.verdict->>'headline'))
    ORDER BY s.updated_at LIMIT 50
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0012_sweep")]

    operations = [
        migrations.RunSQL("DROP FUNCTION runs_settled", migrations.RunSQL.noop),
        definer_function("runs_settled", ARGUMENTS, RETURNS, SETTLED),
    ]
