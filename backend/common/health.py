"""What /readyz asks. Each app registers its own check when it is ready."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from urllib.parse import urlsplit

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


class EvaluateCheck:
    """The processes for instant answers, where this one hands them on."""

    def __init__(self, url: str) -> None:
        """Keep where they are."""
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80

    def __call__(self) -> str | None:
        """Ask for a sign of life."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=2)
        try:
            connection.request("GET", "/healthz")
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as exc:
            return f"The processes for instant answers do not answer: {type(exc).__name__}."
        finally:
            connection.close()
        return None if status == 200 else f"The processes for instant answers say {status}."
