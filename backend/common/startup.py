"""What every process checks before it serves."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections

from common.routing import IDENTITY

_ROLE = """
SELECT rolname, rolsuper, rolbypassrls,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
                 AND pg_has_role(current_user, c.relowner, 'USAGE'))
FROM pg_roles WHERE rolname = current_user
"""


def require_app_role(variable: str = "DATABASE_URL", alias: str = DEFAULT_DB_ALIAS) -> None:
    """Refuse a role for which row-level security would not hold.

    A superuser, a role with BYPASSRLS and an owner of the tables (or a member of the
    owner) could all read every workspace without any error.

    Raises
    ------
    ImproperlyConfigured
        When ``variable`` names such a role.
    """
    connection = connections[alias]
    with connection.cursor() as cursor:
        cursor.execute(_ROLE)
        name, superuser, bypasses, owns = cursor.fetchone()
    faults = {
        "is a superuser": superuser,
        "has BYPASSRLS": bypasses,
        "owns the tables": owns and not superuser,
    }
    found = [fault for fault, holds in faults.items() if holds]
    # A connection opened here must not be shared with processes forked later.
    connection.close()
    if found:
        message = (
            f"{variable} names the role {name!r}, which {' and '.join(found)}: workspaces would "
            "not be kept apart. Use the role made for it, and DATABASE_OWNER_URL for migrations."
        )
        raise ImproperlyConfigured(message)


def require_identity() -> None:
    """Refuse to begin without a way to what signing in knows, by a role for nothing else.

    Raises
    ------
    ImproperlyConfigured
        When ``DATABASE_IDENTITY_URL`` is not set, or names a role that reads more.
    """
    if IDENTITY not in connections:
        message = "DATABASE_IDENTITY_URL is not set: nobody could sign in. See .env.example."
        raise ImproperlyConfigured(message)
    require_app_role("DATABASE_IDENTITY_URL", IDENTITY)
