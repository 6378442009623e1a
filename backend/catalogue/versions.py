"""What entries were: kept when they change, so that prices of a date can be had again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.utils.timezone import now

from catalogue.fields import is_price
from catalogue.models import Entry, EntryVersion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from catalogue.fixture_entries import ValueDict

# From the stored row: what is in memory may be changed already.
_KEEP = """
INSERT INTO catalogue_entryversion
    (id, workspace_id, slug, kind, title, "values", revision, since, until)
SELECT gen_random_uuid(), workspace_id, slug, kind, title, "values", revision, updated_at, %s
FROM catalogue_entry WHERE id = ANY(%s)
"""


def versions_keep(
    ids: Sequence[UUID], *, using: str = DEFAULT_DB_ALIAS, until: datetime | None = None
) -> None:
    """Keep what entries are now, before they are changed or deleted."""
    if ids:
        with connections[using].cursor() as cursor:
            cursor.execute(_KEEP, [until or now(), list(ids)])


def versions_of(entry: Entry) -> QuerySet[EntryVersion]:
    """Return what an entry was before, newest first."""
    found = EntryVersion.objects.filter(slug=entry.slug, workspace=entry.workspace_id)
    return found.order_by("-until", "-revision")


def versions_own() -> QuerySet[EntryVersion]:
    """Return what all of the workspace's own entries were before, newest first."""
    return EntryVersion.objects.exclude(workspace=None).order_by("-until", "-revision")


def is_dated(field: str) -> bool:
    """Say whether a field is a price, or a discount on one: what a date is chosen for.

    >>> is_dated("usd_per_h"), is_dated("discount_fraction"), is_dated("idle_w")
    (True, True, False)
    """
    return is_price(field) or field.endswith("discount_fraction")


def entries_as_of(slugs: Collection[str], day: str) -> dict[str, Entry]:
    """Return entries with the prices that they had on a day; a workspace's own before built-in.

    Each price is that of the latest state whose price is not newer than the day. One that is
    newer in every state is left out: what it was is not known. The entries are not to be saved.
    """
    states: dict[str, list[Entry | EntryVersion]] = {}
    before = EntryVersion.objects.filter(slug__in=slugs).order_by("until", "revision")
    found: list[Entry | EntryVersion] = [*before, *Entry.objects.filter(slug__in=slugs)]
    for row in found:
        states.setdefault(row.slug, []).append(row)
    return {slug: _as_of(_own_first(rows), day) for slug, rows in states.items()}


def _own_first(rows: list[Entry | EntryVersion]) -> list[Entry | EntryVersion]:
    return [row for row in rows if row.workspace_id is not None] or rows


def _as_of(rows: list[Entry | EntryVersion], day: str) -> Entry:
    last = rows[-1]
    values: dict[str, ValueDict] = {}
    for row in rows:
        values |= dict(_known(row, day))
    return Entry(
        id=last.id,
        workspace_id=last.workspace_id,
        slug=last.slug,
        kind=last.kind,
        title=last.title,
        values=values,
        revision=last.revision,
    )


def _known(row: Entry | EntryVersion, day: str) -> Iterator[tuple[str, Any]]:
    since = row.since if isinstance(row, EntryVersion) else row.updated_at
    for name, value in row.values.items():
        if not is_dated(name) or (value["as_of"] or since.date().isoformat()) <= day:
            yield name, value
