"""Which studies have a change that settled and no run of it yet, of all workspaces."""

from django.db import migrations

from common.rls import definer_function

CROSSING = "CREATE POLICY settled_crossing ON studies_study FOR SELECT TO CURRENT_USER USING (true)"
INDEX = "CREATE INDEX study_settling ON studies_study (updated_at) WHERE faults_count = 0"
# An example that nobody touched is no change.
SETTLED = """
    SELECT s.workspace_id, s.id FROM studies_study s
    WHERE s.faults_count = 0 AND s.verdict_hash <> ''
      AND s.updated_at > p_since AND s.updated_at <= p_until
      AND s.example_loaded_at IS DISTINCT FROM s.updated_at
      AND NOT EXISTS (
          SELECT FROM runs_run r WHERE r.study_id = s.id AND r.inputs_hash = s.verdict_hash)
    ORDER BY s.updated_at LIMIT 50
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0004_files"), ("studies", "0004_steps_and_tags")]

    operations = [
        migrations.RunSQL(CROSSING, "DROP POLICY settled_crossing ON studies_study"),
        migrations.RunSQL(INDEX, "DROP INDEX study_settling"),
        definer_function(
            "runs_settled",
            "p_since timestamptz, p_until timestamptz",
            "TABLE (workspace_id uuid, study_id uuid)",
            SETTLED,
        ),
    ]
