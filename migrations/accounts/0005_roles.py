"""Several workspaces for a person, roles, invitations, and sessions that say where they are."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from common.rls import definer_function, workspace_rls

ACCOUNT = (
    "TABLE (user_id uuid, email text, password text, workspace_id uuid, workspace_name text, "
    "role text)"
)
# Of a person's workspaces the one that is asked for, else the first that they joined.
ACCOUNT_QUERY = """
    SELECT u.id, u.email::text, u.password::text, w.id, w.name::text, m.role::text
    FROM accounts_user u
    JOIN accounts_member m ON m.user_id = u.id
    JOIN accounts_workspace w ON w.id = m.workspace_id
    WHERE u.is_active AND {condition}
    ORDER BY {first}m.created_at, m.id LIMIT 1
"""
FOUND = (
    "TABLE (session_data text, user_id uuid, email text, password text, workspace_id uuid, "
    "workspace_name text, role text)"
)
FOUND_QUERY = """
    SELECT s.session_data, a.*
    FROM accounts_session s
    LEFT JOIN LATERAL accounts_by_id(s.user_id, s.workspace_id_chosen) a ON true
    WHERE s.session_key = p_key AND s.expire_date > p_now
"""
TOKEN = (
    "TABLE (user_id uuid, email text, workspace_id uuid, workspace_name text, role text, "
    "scopes text[], token_id uuid)"
)
# A token is good only as long as its maker is a member, and for what the maker may. The time
# of its use is kept to the minute: a write for every request would be dear and tell nothing.
TOKEN_QUERY = """
    UPDATE accounts_apitoken SET last_used_at = p_now
    WHERE token_hash = p_hash AND (last_used_at IS NULL OR last_used_at < p_now - interval '1 min')
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > p_now);
    SELECT u.id, u.email::text, w.id, w.name::text, m.role::text,
           ARRAY(SELECT jsonb_array_elements_text(t.scopes)), t.id
    FROM accounts_apitoken t
    JOIN accounts_workspace w ON w.id = t.workspace_id
    JOIN accounts_user u ON u.id = t.created_by_id
    JOIN accounts_member m ON m.user_id = u.id AND m.workspace_id = t.workspace_id
    WHERE t.token_hash = p_hash AND t.revoked_at IS NULL AND u.is_active
      AND (t.expires_at IS NULL OR t.expires_at > p_now);
"""
MEMBERSHIPS = """
    SELECT w.id, w.name::text, m.role::text, w.created_at
    FROM accounts_member m JOIN accounts_workspace w ON w.id = m.workspace_id
    WHERE m.user_id = p_user_id
    ORDER BY m.created_at, m.id
"""
INVITED = (
    "TABLE (id uuid, workspace_id uuid, workspace_name text, role text, email text, "
    "invited_by text, expires_at timestamptz)"
)
INVITATION = """
    SELECT i.id, w.id, w.name::text, i.role::text, i.email::text, i.invited_by::text, i.expires_at
    FROM accounts_invitation i JOIN accounts_workspace w ON w.id = i.workspace_id
    WHERE i.token_hash = p_hash AND i.accepted_at IS NULL AND i.revoked_at IS NULL
      AND i.expires_at > p_now
"""
ROLES = [("owner", "Owner"), ("editor", "Editor"), ("viewer", "Viewer")]
# Only the owner of the tables passes by the policy of the members.
MEMBERS = "UPDATE accounts_member SET role = 'editor' WHERE role = 'member'"


def dropped(*functions):
    """Return the step that removes functions, to be made anew."""
    return migrations.RunSQL(
        "".join(f"DROP FUNCTION {name};" for name in functions), migrations.RunSQL.noop
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_session_keys_hashed")]

    operations = [
        migrations.RemoveConstraint("member", "member_of_one_workspace"),
        migrations.AlterField(
            "member", "role", models.CharField(choices=ROLES, default="editor", max_length=10)
        ),
        migrations.RunSQL(MEMBERS, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("email", models.CharField(blank=True, max_length=254)),
                ("role", models.CharField(choices=ROLES, max_length=10)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("invited_by", models.CharField(max_length=254)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "workspace",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        workspace_rls("accounts_invitation", crossing=True),
        migrations.AlterField("session", "user_id", models.UUIDField(db_index=True, null=True)),
        migrations.AddField("session", "workspace_id_chosen", models.UUIDField(null=True)),
        migrations.AddField("session", "public_id", models.UUIDField(null=True)),
        migrations.AddField("session", "began_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "session",
            "agent",
            models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        dropped("accounts_by_email", "accounts_by_session", "accounts_by_id", "accounts_token_use"),
        definer_function(
            "accounts_by_email",
            "p_email text",
            ACCOUNT,
            ACCOUNT_QUERY.format(condition="u.email = p_email", first=""),
        ),
        definer_function(
            "accounts_by_id",
            "p_user_id uuid, p_workspace_id uuid",
            ACCOUNT,
            ACCOUNT_QUERY.format(
                condition="u.id = p_user_id",
                first="(w.id = p_workspace_id) IS TRUE DESC, ",
            ),
        ),
        definer_function(
            "accounts_by_session", "p_key text, p_now timestamptz", FOUND, FOUND_QUERY
        ),
        definer_function(
            "accounts_token_use", "p_hash text, p_now timestamptz", TOKEN, TOKEN_QUERY
        ),
        definer_function(
            "accounts_memberships",
            "p_user_id uuid",
            "TABLE (id uuid, name text, role text, created_at timestamptz)",
            MEMBERSHIPS,
        ),
        definer_function(
            "accounts_invitation_by_hash", "p_hash text, p_now timestamptz", INVITED, INVITATION
        ),
    ]
