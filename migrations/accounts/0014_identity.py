"""Identity in a schema of its own: what signing in needs, and the app role may not read.

The tables move as they are, with their rows, keys and policies. Who may do what with them is in
``common.grants``, as it is for all others.
"""

from django.db import migrations, models

from accounts.sessions import SESSION_PASSWORD, SessionStore, mark_of
from common.rls import definer_function

TABLES = {
    "User": "accounts_user",
    "Session": "accounts_session",
    "SignInCode": "accounts_signincode",
    "OpenIdSubject": "accounts_openidsubject",
    "Authenticator": "accounts_authenticator",
    "RecoveryCode": "accounts_recoverycode",
    "MailedLink": "accounts_mailedlink",
    "Mail": "accounts_mail",
    "SignInFailure": "accounts_signinfailure",
}
CREATE = "CREATE SCHEMA IF NOT EXISTS identity; REVOKE ALL ON SCHEMA identity FROM PUBLIC"
# Who may read a password may see every user; others those of the workspace that they entered.
# Asked once for a statement, not for each row.
SEES_ALL = """
CREATE POLICY identity_crossing ON identity.accounts_user
USING ((SELECT has_column_privilege('identity.accounts_user', 'password', 'SELECT')))
"""
# Workers of the release before, in mid-run, ask for a member's address and mail events. Through
# these they may what the app role may there; they go with the next release.
FOR_THE_RELEASE_BEFORE = """
CREATE VIEW public.accounts_user WITH (security_invoker = true) AS
SELECT id, email FROM identity.accounts_user;
CREATE VIEW public.accounts_mail WITH (security_invoker = true) AS
SELECT id, kind, "to", about, created_at, due_at, attempts, ended_at FROM identity.accounts_mail;
"""
GONE = "DROP VIEW public.accounts_user; DROP VIEW public.accounts_mail"
MARK = "left(encode(sha256(convert_to(u.password, 'UTF8')), 'hex'), 40)"
ACCOUNT = (
    "TABLE (user_id uuid, email text, password_mark text, workspace_id uuid, workspace_name text, "
    "role text)"
)
# Of a person's workspaces the one that is asked for, else the first that they joined.
ACCOUNT_QUERY = """
    SELECT u.id, u.email::text, {mark}, w.id, w.name::text, m.role::text
    FROM accounts_user u
    JOIN accounts_member m ON m.user_id = u.id
    JOIN accounts_workspace w ON w.id = m.workspace_id
    WHERE u.is_active AND {condition}
    ORDER BY {first}m.created_at, m.id LIMIT 1
"""
FOUND = (
    "TABLE (session_data text, user_id uuid, email text, password_mark text, workspace_id uuid, "
    "workspace_name text, role text)"
)
# A session that began with another password than the present one is nobody's.
FOUND_QUERY = """
    SELECT s.session_data, a.*
    FROM accounts_session s
    LEFT JOIN LATERAL accounts_by_id(s.user_id, s.workspace_id_chosen) a
        ON a.password_mark = s.password_mark
    WHERE s.session_key = p_key AND s.expire_date > p_now
"""
DROPPED = """
DROP FUNCTION public.accounts_by_session; DROP FUNCTION public.accounts_by_email;
DROP FUNCTION public.accounts_by_id;
"""
# They name the tables that moved; what is there comes before the views for the release before.
SCHEMAS = "identity, public"
LOOK_THERE = "".join(
    f"ALTER FUNCTION public.{name} SET search_path = {SCHEMAS}, pg_temp;"
    for name in (
        "accounts_token_use",
        "accounts_workspace_delete",
        "accounts_person_delete",
        "accounts_deletions_due",
    )
)


def moved(model, table):
    """Return the step that takes a table to the other schema."""
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(
                f"ALTER TABLE public.{table} SET SCHEMA identity",
                f"ALTER TABLE identity.{table} SET SCHEMA public",
            )
        ],
        state_operations=[migrations.AlterModelTable(model, f'identity"."{table}')],
    )


def sessions_mark(apps, schema_editor):
    """Let sessions that are open stay open: theirs is the present password, as they can show."""
    from django.utils.crypto import constant_time_compare, salted_hmac

    alias = schema_editor.connection.alias
    users = apps.get_model("accounts", "User").objects.using(alias)
    passwords = dict(users.values_list("id", "password"))
    store = SessionStore()
    rows = apps.get_model("accounts", "Session").objects.using(alias)
    for row in rows.filter(user_id__isnull=False):
        held, password = store.decode(row.session_data), passwords.get(row.user_id, "")
        known = salted_hmac("accounts.session", password, algorithm="sha256").hexdigest()
        if constant_time_compare(held.pop("password_hmac", ""), known):
            held[SESSION_PASSWORD] = row.password_mark = mark_of(password)
            row.session_data = store.encode(held)
            row.save(update_fields=["session_data", "password_mark"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_break_even")]

    operations = [
        migrations.RunSQL(CREATE, migrations.RunSQL.noop),
        migrations.AddField(
            "session",
            "password_mark",
            models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.RunPython(sessions_mark, migrations.RunPython.noop),
        *(moved(model, table) for model, table in TABLES.items()),
        migrations.RunSQL(FOR_THE_RELEASE_BEFORE, GONE),
        migrations.RunSQL(SEES_ALL, "DROP POLICY identity_crossing ON identity.accounts_user"),
        migrations.RunSQL(DROPPED, migrations.RunSQL.noop),
        definer_function(
            "identity.accounts_by_email",
            "p_email text",
            ACCOUNT,
            ACCOUNT_QUERY.format(mark=MARK, condition="u.email = p_email", first=""),
            schemas=SCHEMAS,
        ),
        definer_function(
            "identity.accounts_by_id",
            "p_user_id uuid, p_workspace_id uuid",
            ACCOUNT,
            ACCOUNT_QUERY.format(
                mark=MARK,
                condition="u.id = p_user_id",
                first="(w.id = p_workspace_id) IS TRUE DESC, ",
            ),
            schemas=SCHEMAS,
        ),
        definer_function(
            "accounts_by_session",
            "p_key text, p_now timestamptz",
            FOUND,
            FOUND_QUERY,
            schemas=SCHEMAS,
        ),
        migrations.RunSQL(LOOK_THERE, migrations.RunSQL.noop),
    ]
