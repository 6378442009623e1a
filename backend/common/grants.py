"""What the app role may do. Given again after every migration, by the owner."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import sql

_GRANTS = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
)
# Their table is the way to them: else what it refuses could be done there.
_PARTS = """
SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r'
AND relnamespace = 'public'::regnamespace
"""
_NOTHING = "REVOKE ALL ON {table} FROM {role}"
_APPEND_ONLY = "REVOKE UPDATE, DELETE ON {table} FROM {role}"


def grant_after_migrate(*, using: str, **_signal: Any) -> None:
    """Grant, when the migration ran as the owner."""
    if using != DEFAULT_DB_ALIAS:
        grant_app_role(using, settings.APP_ROLE)


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
        for statement in _GRANTS:
            cursor.execute(sql.SQL(statement).format(role=name))
        cursor.execute(_PARTS)
        for (part,) in cursor.fetchall():
            cursor.execute(sql.SQL(_NOTHING).format(table=sql.Identifier(part), role=name))
        for table in append_only:
            cursor.execute(sql.SQL(_APPEND_ONLY).format(table=sql.Identifier(table), role=name))
