"""Shuts approvals and links of the workspaces from each other; a link is found by its secret."""

from django.db import migrations

from common.rls import definer_function, workspace_rls

FOUND = """
    SELECT s.id, w.id, w.name::text
    FROM sharing_share s JOIN accounts_workspace w ON w.id = s.workspace_id
    WHERE s.token_hash = p_hash AND s.revoked_at IS NULL AND s.expires_at > p_now
"""


class Migration(migrations.Migration):
    dependencies = [("sharing", "0001_initial"), ("accounts", "0005_roles")]

    operations = [
        workspace_rls("sharing_approval"),
        workspace_rls("sharing_share", crossing=True),
        definer_function(
            "sharing_by_hash",
            "p_hash text, p_now timestamptz",
            "TABLE (share_id uuid, workspace_id uuid, workspace_name text)",
            FOUND,
        ),
    ]
