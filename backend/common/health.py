"""What /readyz asks. Each app registers its own check when it is ready."""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

# Returns what is wrong, in a sentence, or None.
Check = Callable[[], str | None]

CHECKS: dict[str, Check] = {}


def faults() -> dict[str, str]:
    """Return what keeps this process from answering, by the name of the check."""
    found = {name: check() for name, check in CHECKS.items()}
    return {name: fault for name, fault in found.items() if fault}


class DatabaseCheck:
    """The database answers, and its schema is the one that this code was written for."""

    def __init__(self) -> None:
        """Start without knowing the schema."""
        self._migrated = False

    def __call__(self) -> str | None:
        """Ask the database; the schema only until it was right once."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if not self._migrated:
                executor = MigrationExecutor(connection)
                self._migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        except DatabaseError as exc:
            return f"The database does not answer: {type(exc).__name__}."
        return None if self._migrated else "Migrations are missing: run `manage.py prepare`."
