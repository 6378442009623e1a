"""Removes from the object storage what no row knows: left by transactions that were undone."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from django.core.files.storage import storages
from django.db import connection
from django.utils import timezone

from files.database import parts_of

if TYPE_CHECKING:
    from uuid import UUID

logger = logging.getLogger(__name__)

# What is younger may be on its way; a whole round begins once a day.
AGE = ROUND = timedelta(days=1)
_PAGES_AT_ONCE = 5


@dataclass(slots=True)
class Sweep:
    """Walks the bucket, some thousand names a turn."""

    after: str = ""
    due_at: datetime | None = None

    def turn(self, now: datetime | None = None) -> int:
        """Look at the next names; return how many files and uploads were removed."""
        now = now or timezone.now()
        if self.due_at and now < self.due_at:
            return 0
        storage = cast("Any", storages["objects"])
        removed = 0 if self.after else _uploads_drop(storage, now - AGE)
        for _ in range(_PAGES_AT_ONCE):
            page = storage.names_after(self.after)
            if not page:
                self.after, self.due_at = "", now + ROUND
                break
            self.after = page[-1][0]
            removed += _files_drop(storage, page, now - AGE)
        return removed


def _files_drop(storage: Any, page: list[tuple[str, datetime]], before: datetime) -> int:
    old = [name for name, written_at in page if written_at < before]
    strays = _unknown(old)
    for name in strays:
        logger.warning("removed an object that no row knows: %s", name)
        storage.delete(name)
    return len(strays)


def _uploads_drop(storage: Any, before: datetime) -> int:
    old = {name: token for name, token, begun_at in storage.uploads_open() if begun_at < before}
    strays = _unknown(list(old))
    for name in strays:
        logger.warning("gave up an upload in parts that no row knows: %s", name)
        storage.parts_drop(name, old[name])
    return len(strays)


def _unknown(names: list[str]) -> list[str]:
    """Those of our names that no row has; what has another form in the bucket is not ours."""
    ours = {found: name for name in names if (found := _id_of(name))}
    if not ours:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM files_known(%s)", [list(ours)])
        known = {row[0] for row in cursor.fetchall()}
    return [name for found, name in ours.items() if found not in known]


def _id_of(name: str) -> UUID | None:
    try:
        return parts_of(name)[2]
    except ValueError:
        return None
