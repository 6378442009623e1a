"""What /readyz and pages ask. Each app registers its own check when it is ready."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypedDict
from urllib.parse import urlsplit

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

# Returns what is wrong, in a sentence, or None.
Check = Callable[[], str | None]

CHECKS: dict[str, Check] = {}

_ASKED_EVERY_S, _ANSWERS_WITHIN_S = 1.0, 1.5


class Away(TypedDict):
    """A part of the service that does not answer, and what pages say of it."""

    part: str
    message: str


class Part(NamedTuple):
    """What pages name when it is away: how to ask it, and what holds while it says nothing."""

    ask: Callable[[], list[Away]]
    silent: Away


PARTS: list[Part] = []


def watch_part(name: str, check: Check, message: str) -> None:
    """Have pages say this while a check finds a fault."""
    away = Away(part=name, message=message)
    PARTS.append(Part(lambda: [away] if check() else [], away))


class Watch:
    """What is away, asked once a second at most for all who want to know."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without knowing."""
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: list[Away] = []
        self._seen_s = float("-inf")
        self._asked: tuple[Away, float] | None = None

    def away(self) -> list[Away]:
        """Return what is away; what was asked 1.5 s ago and has not answered is, too."""
        if self._clock() - self._seen_s >= _ASKED_EVERY_S and self._lock.acquire(blocking=False):
            try:
                self._seen = list(self._ask())
                self._seen_s = self._clock()
            finally:
                self._asked = None
                self._lock.release()
        asked, seen = self._asked, self._seen
        if asked is None or asked[0] in seen or self._clock() - asked[1] < _ANSWERS_WITHIN_S:
            return seen
        return [*seen, asked[0]]

    def _ask(self) -> Iterator[Away]:
        for part in PARTS:
            self._asked = (part.silent, self._clock())
            yield from part.ask()


WATCH = Watch()


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
            # What is broken stays so: the next one to ask connects anew.
            connection.close()
            return f"The database does not answer: {type(exc).__name__}."
        return None if self._migrated else "Migrations are missing: run `manage.py prepare`."


class EvaluateCheck:
    """The processes for instant answers, where this one hands them on."""

    def __init__(self, url: str, *, web_url: str) -> None:
        """Keep where they are, and the name by which they may be asked: the one of the pages."""
        self._headers = {"Host": urlsplit(web_url).netloc}
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80

    def __call__(self) -> str | None:
        """Ask for a sign of life."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_ANSWERS_WITHIN_S)
        try:
            connection.request("GET", "/healthz", headers=self._headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as exc:
            return f"The processes for instant answers do not answer: {type(exc).__name__}."
        finally:
            connection.close()
        return None if status == 200 else f"The processes for instant answers say {status}."
