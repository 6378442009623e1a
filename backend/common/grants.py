"""What the app role may do. Given again after every migration, by the owner."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from psycopg import sql

from common.routing import IDENTITY

_GRANTS = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
)
# Their table is the way to them: else what it refuses could be done there.
# What is a person's: signing in reads it, the app may see who a member is, and add one.
_IDENTITY_APP = (
    "GRANT USAGE ON SCHEMA identity TO {role}",
    "REVOKE ALL ON ALL TABLES IN SCHEMA identity FROM {role}",
    "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA identity FROM {role}",
    "GRANT SELECT (id, email), INSERT ON identity.accounts_user TO {role}",
    "GRANT INSERT ON identity.accounts_mail TO {role}",
)
_IDENTITY = (
    "GRANT USAGE ON SCHEMA public, identity TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA identity TO {role}",
    "GRANT USAGE ON ALL SEQUENCES IN SCHEMA identity TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA identity TO {role}",
    "GRANT SELECT ON django_migrations TO {role}",
    # The policy of users asks who is a member: without a workspace entered nobody is.
    "GRANT SELECT (user_id, workspace_id) ON accounts_member TO {role}",
)
_HAS_IDENTITY = "SELECT to_regnamespace('identity') IS NOT NULL"
_PARTS = """
SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r'
AND relnamespace = 'public'::regnamespace
"""
_NOTHING = "REVOKE ALL ON {table} FROM {role}"
_APPEND_ONLY = "REVOKE UPDATE, DELETE ON {table} FROM {role}"


def grant_after_migrate(*, using: str, **_signal: Any) -> None:
    """Grant, when the migration ran as the owner."""
    if using not in {DEFAULT_DB_ALIAS, IDENTITY}:
        grant_roles(using)


def grant_roles(using: str) -> None:
    """Let the roles of the settings do what they are for, and no more."""
    with transaction.atomic(using=using):
        grant_app_role(using, settings.APP_ROLE)
        if settings.IDENTITY_ROLE:
            grant_identity_role(using, settings.IDENTITY_ROLE)


def grant_identity_role(using: str, role: str) -> None:
    """Let ``role`` work with what signing in knows of people, and with nothing of workspaces.

    Raises
    ------
    ImproperlyConfigured
        When the database has no such role, as one that an earlier release made.
    """
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
        if cursor.rowcount == 0:
            message = (
                f"The database has no role {role}, which DATABASE_IDENTITY_URL names. Make it as "
                f"the superuser: CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '...'."
            )
            raise ImproperlyConfigured(message)
        for statement in _IDENTITY:
            cursor.execute(sql.SQL(statement).format(role=sql.Identifier(role)))


def grant_app_role(using: str, role: str) -> None:
    """Let ``role`` work with all tables and functions, and own none.

    A model with ``append_only = True`` keeps its rows: the role may add and read only.
    """
    tables = connections[using].introspection.table_names()
    append_only = [
        model._meta.db_table
        for model in apps.get_models()
        # a table of a later release is not there while an earlier one is put up
        if getattr(model, "append_only", False) and model._meta.db_table in tables
    ]
    name = sql.Identifier(role)
    with connections[using].cursor() as cursor:
        cursor.execute(_HAS_IDENTITY)
        apart = _IDENTITY_APP if cursor.fetchone()[0] else ()
        for statement in (*_GRANTS, *apart):
            cursor.execute(sql.SQL(statement).format(role=name))
        cursor.execute(_PARTS)
        for (part,) in cursor.fetchall():
            cursor.execute(sql.SQL(_NOTHING).format(table=sql.Identifier(part), role=name))
        for table in append_only:
            cursor.execute(sql.SQL(_APPEND_ONLY).format(table=sql.Identifier(table), role=name))
