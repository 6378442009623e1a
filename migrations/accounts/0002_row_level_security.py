"""Shuts the workspaces from each other, with the few functions that cross them."""

from django.db import migrations

from common.rls import definer_function, workspace_rls

ACCOUNT = "TABLE (user_id uuid, email text, password text, workspace_id uuid, workspace_name text)"
ACCOUNT_QUERY = """
    SELECT u.id, u.email::text, u.password::text, w.id, w.name::text
    FROM accounts_user u
    JOIN accounts_member m ON m.user_id = u.id
    JOIN accounts_workspace w ON w.id = m.workspace_id
    WHERE u.is_active AND {condition}
"""
TOKEN = (
    "TABLE (user_id uuid, email text, workspace_id uuid, workspace_name text, "
    "scopes text[], token_id uuid)"
)
# A token is good only as long as its maker is a member. The time of its use is kept to
# the minute: a write for every request would be dear and tell nothing more.
TOKEN_QUERY = """
    UPDATE accounts_apitoken SET last_used_at = p_now
    WHERE token_hash = p_hash AND (last_used_at IS NULL OR last_used_at < p_now - interval '1 min')
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > p_now);
    SELECT u.id, u.email::text, w.id, w.name::text,
           ARRAY(SELECT jsonb_array_elements_text(t.scopes)), t.id
    FROM accounts_apitoken t
    JOIN accounts_workspace w ON w.id = t.workspace_id
    JOIN accounts_user u ON u.id = t.created_by_id
    JOIN accounts_member m ON m.user_id = u.id AND m.workspace_id = t.workspace_id
    WHERE t.token_hash = p_hash AND t.revoked_at IS NULL AND u.is_active
      AND (t.expires_at IS NULL OR t.expires_at > p_now);
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        workspace_rls("accounts_workspace", column="id", crossing=True),
        workspace_rls("accounts_member", crossing=True),
        # The members that are looked up here are themselves those of the workspace only.
        workspace_rls(
            "accounts_user", mine="id IN (SELECT user_id FROM accounts_member)", crossing=True
        ),
        workspace_rls("accounts_apitoken", crossing=True),
        workspace_rls("accounts_auditentry"),
        definer_function(
            "accounts_by_email",
            "p_email text",
            ACCOUNT,
            ACCOUNT_QUERY.format(condition="u.email = p_email"),
        ),
        definer_function(
            "accounts_by_id",
            "p_user_id uuid",
            ACCOUNT,
            ACCOUNT_QUERY.format(condition="u.id = p_user_id"),
        ),
        definer_function(
            "accounts_token_use", "p_hash text, p_now timestamptz", TOKEN, TOKEN_QUERY
        ),
    ]
