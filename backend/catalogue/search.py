"""What somebody types to find an entry, as a filter: names, figures with a unit, places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Q, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from catalogue.keys import figures_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

# Of more, a page is found sooner in the order that is asked for than by looking all of them up.
FOUND_MOST = 4_000
# Fewer letters are no trigram of a word, but with the blank before it they are.
_SHORT = 2


def matching(words: str) -> Q:
    """Return what an entry must meet: every figure, and every word in its names or place.

    One or two letters have to begin a word. To be called inside an entered workspace.
    """
    figures, rest = figures_in(words)
    short = (f" {part}" if len(part) <= _SHORT else part for part in rest.lower().split())
    parts = [*figures, *short]
    if not parts:
        return Q()
    ids = _found(parts)
    if ids is not None:
        return Q(id__in=RawSQL("SELECT unnest(%s::uuid[])", [ids]))
    found = Q()
    for part in parts:
        # the planner takes a comparison for one row in three, LIKE for one in two hundred
        found &= Q(GreaterThan(StrIndex("search_text", Value(part)), 0))
    return found


def _found(parts: Sequence[str]) -> list[UUID] | None:
    """Return the visible entries that hold all parts, or None where they are too many."""
    patterns = [f"%{_escaped(part)}%" for part in parts]
    with connection.cursor() as cursor:
        cursor.execute("SELECT catalogue_found(%s, %s)", [patterns, FOUND_MOST])
        found: list[UUID] | None = cursor.fetchone()[0]
    return found


def _escaped(part: str) -> str:
    return part.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
