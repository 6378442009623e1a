"""Built-in entries are read by all; the owner alone writes them, and the snapshots."""

from django.db import migrations

from common.rls import workspace_rls

SNAPSHOTS = """
ALTER TABLE catalogue_snapshot ENABLE ROW LEVEL SECURITY;
ALTER TABLE catalogue_snapshot FORCE ROW LEVEL SECURITY;
CREATE POLICY shared_rows ON catalogue_snapshot FOR SELECT USING (true);
CREATE POLICY owner_crossing ON catalogue_snapshot TO CURRENT_USER USING (true) WITH CHECK (true);
"""
OPEN = """
DROP POLICY owner_crossing ON catalogue_snapshot;
DROP POLICY shared_rows ON catalogue_snapshot;
ALTER TABLE catalogue_snapshot NO FORCE ROW LEVEL SECURITY;
ALTER TABLE catalogue_snapshot DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0001_initial"), ("accounts", "0002_row_level_security")]

    operations = [
        workspace_rls("catalogue_entry", shared=True),
        migrations.RunSQL(SNAPSHOTS, OPEN),
    ]
