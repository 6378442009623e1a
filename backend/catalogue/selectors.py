"""Reads the catalogue, inside an entered workspace; snapshots anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, F, QuerySet

from catalogue.models import Entry, Snapshot
from catalogue.search import matching
from common.errors import Invalid, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence


def entry_list(*, kind: str | None = None, words: str = "") -> QuerySet[Entry]:
    """Return the entries of a kind that ``words`` name: see ``catalogue.search``.

    A workspace's own entries come first, then the built-in ones as in their files.

    Raises
    ------
    Invalid
        When there is no entry of the kind at all.
    """
    entries = Entry.objects.order_by("position", "id")
    if kind:
        entries = entries.filter(kind=kind)
        if not entries.exists():
            known = ", ".join(kind_counts())
            sentence = f"Choose one of {known}." if known else "The catalogue has no entries."
            raise Invalid.at("/kind", sentence, "not_a_choice")
    return entries.filter(matching(words))


def entry_get(slug: str) -> Entry:
    """Return the entry of this name; a workspace's own goes before a built-in one.

    Raises
    ------
    NotFound
        When neither has it.
    """
    named = Entry.objects.filter(slug=slug).order_by(F("workspace").asc(nulls_last=True))
    entry = named.first()
    if entry is None:
        raise NotFound
    return entry


def kind_counts() -> dict[str, int]:
    """Return how many entries there are of each kind, by kind."""
    counted = Entry.objects.values_list("kind").annotate(Count("id")).order_by("kind")
    return dict(counted)


def snapshot_list() -> QuerySet[Snapshot]:
    """Return the snapshots, newest first."""
    return Snapshot.objects.order_by("-loaded_at", "-id")


def snapshot_latest() -> Snapshot | None:
    """Return the snapshot that is loaded now; None before the first load."""
    return snapshot_list().first()


def entries_named(slugs: Sequence[str]) -> dict[str, Entry]:
    """Return the entries of these names, by name; a workspace's own before a built-in one.

    Raises
    ------
    NotFound
        When the catalogue does not have one of them.
    """
    rows = Entry.objects.filter(slug__in=slugs).order_by(F("workspace").desc(nulls_first=True))
    found = {entry.slug: entry for entry in rows}
    if set(slugs) - set(found):
        raise NotFound
    return found
