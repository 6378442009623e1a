"""Reads the catalogue, inside an entered workspace; snapshots anywhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Count, F, Func, QuerySet, TextField

from catalogue.models import Entry, Snapshot
from catalogue.search import matching
from common.errors import Invalid, NotFound, existing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from uuid import UUID


_FACETS = ("provider", "region", "price_on")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries are asked for; bounds hold both ends."""

    kind: str | None = None
    words: str = ""
    provider: str = ""
    region: str = ""
    own: bool | None = None
    least: Mapping[str, float] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)


def entry_list(wanted: Wanted, *, known: str = "") -> QuerySet[Entry]:
    """Return the entries that are wanted: see ``catalogue.search`` for their words.

    A workspace's own entries come first, then the built-in ones as in their files. With
    ``known``, only those that have this key.

    Raises
    ------
    Invalid
        When there is no entry of the kind at all.
    """
    entries = Entry.objects.order_by("position", "id")
    if wanted.kind:
        require_kind(wanted.kind)
        entries = entries.filter(kind=wanted.kind)
    exact = {"provider": wanted.provider, "region": wanted.region}
    entries = entries.filter(**{name: text for name, text in exact.items() if text})
    if wanted.own is not None:
        entries = entries.filter(workspace__isnull=not wanted.own)
    bounds = {f"{name}__gte": value for name, value in wanted.least.items()}
    bounds |= {f"{name}__lte": value for name, value in wanted.most.items()}
    if known:
        bounds[f"{known}__isnull"] = False
    return entries.filter(matching(wanted.words), **bounds)


def entries_own() -> QuerySet[Entry]:
    """Return the entries that are the workspace's own."""
    return Entry.objects.exclude(workspace=None).order_by("created_at", "id")


def entries_of(ids: Sequence[UUID]) -> list[Entry]:
    """Return whole entries in the order of their ids."""
    found = Entry.objects.in_bulk(ids)
    return [found[one] for one in ids if one in found]


def require_kind(kind: str) -> None:
    """Raise Invalid for a kind that no entry of the catalogue has."""
    if not Entry.objects.filter(kind=kind).exists():
        known = ", ".join(kind_counts())
        sentence = f"Choose one of {known}." if known else "The catalogue has no entries."
        raise Invalid.at("/kind", sentence, "not_a_choice")


def require_known(kind: str) -> None:
    """Raise Invalid for a kind that the catalogue has none of; before its first load, for none."""
    if Entry.objects.filter(workspace=None).exists():
        require_kind(kind)


def facets(kind: str) -> dict[str, dict[str, int]]:
    """Return how many entries of a kind have each provider, region, and day of their price."""
    rows = Entry.objects.filter(kind=kind).values_list("provider", "region", "price_on")
    counts: dict[str, Counter[str]] = {name: Counter() for name in _FACETS}
    for *texts, number in rows.annotate(Count("id")).order_by():
        for name, text in zip(_FACETS, texts, strict=True):
            counts[name][str(text or "")] += number
    return {
        name: {text: held[text] for text in sorted(held) if text} for name, held in counts.items()
    }


def fields_of(kind: str) -> set[str]:
    """Return the names of all fields that entries of a kind have."""
    names = Func(F("values"), function="jsonb_object_keys", output_field=TextField())
    rows = Entry.objects.filter(kind=kind).annotate(name=names)
    return set(rows.order_by().values_list("name", flat=True).distinct())


def entry_get(slug: str) -> Entry:
    """Return the entry of this name; a workspace's own goes before a built-in one.

    Raises
    ------
    NotFound
        When neither has it.
    """
    named = Entry.objects.filter(slug=slug).order_by(F("workspace").asc(nulls_last=True))
    return existing(named.first(), slug)


def kind_counts(words: str = "") -> dict[str, int]:
    """Return how many entries there are of each kind, by kind: all, or those with some words."""
    fits = Count("id", filter=matching(words)) if words else Count("id")
    counted = Entry.objects.values("kind").annotate(fits=fits).order_by("kind")
    return {row["kind"]: row["fits"] for row in counted}


def snapshot_list() -> QuerySet[Snapshot]:
    """Return the snapshots, newest first."""
    return Snapshot.objects.order_by("-loaded_at", "-id")


def snapshot_latest() -> Snapshot | None:
    """Return the snapshot that is loaded now; None before the first load."""
    return snapshot_list().first()


def entries_present(slugs: Collection[str]) -> dict[str, Entry]:
    """Return the entries of these names that there are; a workspace's own before a built-in one."""
    rows = Entry.objects.filter(slug__in=slugs).order_by(F("workspace").desc(nulls_first=True))
    return {entry.slug: entry for entry in rows}


def entries_named(slugs: Sequence[str]) -> dict[str, Entry]:
    """Return the entries of these names, by name; a workspace's own before a built-in one.

    Raises
    ------
    NotFound
        When the catalogue does not have one of them.
    """
    found = entries_present(slugs)
    for missing in set(slugs) - set(found):
        raise NotFound(missing)
    return found
