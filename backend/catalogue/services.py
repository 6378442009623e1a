"""Loads the built-in catalogue, keeps a workspace's own entries, fills documents from both."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, TypedDict

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, transaction
from django.utils.text import slugify
from django.utils.timezone import now

from accounts.services import audit_record
from capmodels.errors import Fault
from catalogue import fixture_entries, selectors
from catalogue.documents import EntryChangeInput, EntryInput, values_of
from catalogue.fields import is_price
from catalogue.fixture_rows import ROOT
from catalogue.keys import KEYS
from catalogue.kinds import require_open
from catalogue.models import Entry, Snapshot
from catalogue.versions import versions_keep
from common.errors import Forbidden, Invalid, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from catalogue.fixture_entries import Seed, ValueDict
    from common.principal import Principal

_LOADING_LOCK = 7_241_001
_STORED = ("kind", "title", "values", "position", "revision", "updated_at", *KEYS)


class OwnerMissing(Exception):
    """The catalogue's files changed, and nobody here may write the built-in entries."""

    def __init__(self) -> None:
        """Say what to do about it."""
        super().__init__("The catalogue has changed. Set DATABASE_OWNER_URL and run this again.")


class Provenance(TypedDict):
    """Where a number of a document comes from, as the document's row keeps it."""

    quality: str
    source: str
    url: str | None
    as_of: str | None
    low: float | None
    high: float | None
    note: str
    entry: str


class Resolved(TypedDict):
    """Values for places of a document, their provenance, and the places left unknown."""

    values: dict[str, Any]
    provenance: dict[str, Provenance]
    unknown: list[str]


def catalogue_load(
    *, root: Path = ROOT, organisation: Path | None = None, using: str | None = None
) -> Snapshot:
    """Make the built-in entries those of the files; does nothing while they are unchanged.

    ``organisation`` is a folder of further files, whose entries every workspace has.

    Runs as the owner of the tables; where only the app role is known, it can but find
    that nothing changed. Entries keep their id.

    Raises
    ------
    FixtureError
        When the files break a rule of their format.
    OwnerMissing
        When the files changed and the owner is not known.
    """
    alias = using or ("owner" if "owner" in settings.DATABASES else DEFAULT_DB_ALIAS)
    digest = fixture_entries.digest(root, organisation)
    with transaction.atomic(using=alias):
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOADING_LOCK])
        latest = Snapshot.objects.using(alias).order_by("-loaded_at", "-id").first()
        if latest is not None and latest.digest == digest:
            return latest
        if alias == DEFAULT_DB_ALIAS:
            raise OwnerMissing
        seeds = fixture_entries.read_entries(root, organisation)
        _entries_replace(seeds, alias)
        return _snapshot_store(seeds, digest, alias)


def _entries_replace(seeds: list[Seed], alias: str) -> None:
    stored = {entry.slug: entry for entry in Entry.built_in.using(alias).all()}
    new, changed = [], []
    for position, seed in enumerate(seeds, start=1):
        entry = stored.pop(seed.slug, None)
        if entry is None:
            new.append(Entry(slug=seed.slug, revision=0))
            entry = new[-1]
        elif _said(entry) != (seed.kind, seed.title, seed.values, position):
            changed.append(entry)
        else:
            continue
        entry.kind, entry.title, entry.position = seed.kind, seed.title, position
        entry.values = dict(seed.values)
        entry.take_keys()
        entry.revision += 1
        entry.updated_at = now()
    versions_keep([entry.id for entry in (*changed, *stored.values())], using=alias)
    Entry.built_in.using(alias).filter(slug__in=list(stored)).delete()
    Entry.built_in.using(alias).bulk_create(new, batch_size=200)
    Entry.built_in.using(alias).bulk_update(changed, _STORED, batch_size=200)


def _said(entry: Entry) -> tuple[str, str, dict[str, Any], int]:
    return entry.kind, entry.title, entry.values, entry.position


def _snapshot_store(seeds: list[Seed], digest: str, alias: str) -> Snapshot:
    """Store what was loaded; files that were loaded once before become the latest again."""
    as_of = max(_price_dates(seeds), default=date.min)
    snapshot, _ = Snapshot.objects.using(alias).update_or_create(
        digest=digest,
        defaults={
            "id": f"{as_of.isoformat()}-{digest[:8]}",
            "as_of": as_of,
            "entries_count": len(seeds),
            "kinds": dict(Counter(seed.kind for seed in seeds)),
            "loaded_at": now(),
        },
    )
    return snapshot


def _price_dates(seeds: Iterable[Seed]) -> Iterable[date]:
    """Yield the dates of the prices that somebody published."""
    for seed in seeds:
        for name, value in seed.values.items():
            if is_price(name) and value["quality"] == "published" and value["as_of"]:
                yield date.fromisoformat(value["as_of"])


def entry_create(*, principal: Principal, given: EntryInput, audit: bool = True) -> Entry:
    """Return a new entry of the workspace.

    Raises
    ------
    Invalid
        When a value breaks a rule, or the slug is taken.
    """
    values = values_of(given.values)
    slug = given.slug or slugify(given.title)[:80].strip("-")
    if not slug:
        raise Invalid.at("/slug", "Enter a short name of letters and digits.", "missing")
    taken = f"There is an entry called {slug!r} already. Take another name."
    if Entry.objects.filter(slug=slug).exists():
        raise Invalid.at("/slug", taken, "taken")
    entry = Entry(
        workspace_id=principal.workspace_id,
        slug=slug,
        kind=given.kind,
        title=given.title,
        values=values,
    )
    try:
        with transaction.atomic():
            entry.save(force_insert=True)
    except IntegrityError as exc:
        raise Invalid.at("/slug", taken, "taken") from exc
    if audit:
        audit_record(principal, "catalogue.create", target=slug)
    return entry


def entry_own(slug: str) -> Entry:
    """Return the workspace's own entry, locked for a change.

    Raises
    ------
    NotFound
        When there is none of this name.
    Forbidden
        When it is built in.
    """
    own = Entry.objects.exclude(workspace=None).select_for_update()
    entry = own.filter(slug=slug).first()
    if entry is not None:
        require_open(entry.kind)
        return entry
    if Entry.built_in.filter(slug=slug).exists():
        message = "A built-in entry cannot be changed. Make one of your own from it."
        raise Forbidden(message)
    raise NotFound


def change_of(entry: Entry, sent: Any) -> EntryChangeInput:
    """Return a change of an entry: its values with those that are sent in place of theirs.

    A value comes whole, with where it is from; null removes one.

    Raises
    ------
    Invalid
        Where the title or all values are null.
    ValidationError
        Of pydantic, where it has not the form of one.
    """
    told = sent if isinstance(sent, dict) else {}
    if faults := [
        Fault(f"/{name}", "null", "This may be left out, but not null.")
        for name in ("title", "values")
        if name in told and told[name] is None
    ]:
        raise Invalid(faults=faults)
    if isinstance(told.get("values"), dict):
        values = {**entry.values, **sent["values"]}
        sent = {**sent, "values": {name: one for name, one in values.items() if one is not None}}
    return EntryChangeInput.model_validate(sent)


def entry_update(
    *, principal: Principal, entry: Entry, given: EntryChangeInput, audit: bool = True
) -> Entry:
    """Change the workspace's own entry and return it.

    Raises
    ------
    Invalid
        When a value breaks a rule.
    """
    title = entry.title if given.title is None else given.title
    values = entry.values if given.values is None else values_of(given.values)
    if (title, values) == (entry.title, entry.values):
        return entry
    versions_keep([entry.id])
    entry.title, entry.values = title, values
    entry.revision += 1
    entry.updated_at = now()
    entry.save(update_fields=["title", "values", "revision", "updated_at"])
    if audit:
        audit_record(principal, "catalogue.update", target=entry.slug)
    return entry


def entry_delete(*, principal: Principal, entry: Entry, audit: bool = True) -> None:
    """Remove the workspace's own entry; documents filled from it keep their numbers."""
    versions_keep([entry.id])
    entry.delete()
    if audit:
        audit_record(principal, "catalogue.delete", target=entry.slug)


def resolve(slug: str, fields: Mapping[str, str] | Iterable[str]) -> Resolved:
    """Return an entry's values for a document, with their provenance.

    Parameters
    ----------
    fields
        The document's pointer of each field, ``{"/power/idle_w": "idle_w"}``; or names
        alone, which then stand at the top, ``["idle_w"]`` for ``/idle_w``.

    Returns
    -------
    Resolved
        Unknown stays unknown: a field that the entry has no value of is in ``unknown``.

    Raises
    ------
    NotFound
        When there is no such entry.
    """
    entry = selectors.entry_get(slug)
    places = fields if hasattr(fields, "items") else {f"/{name}": name for name in fields}
    known = {
        pointer: entry.values[name] for pointer, name in places.items() if name in entry.values
    }
    return {
        "values": {pointer: value["value"] for pointer, value in known.items()},
        "provenance": {pointer: origin_of(entry, value) for pointer, value in known.items()},
        "unknown": [pointer for pointer in places if pointer not in known],
    }


def origin_of(entry: Entry, value: ValueDict) -> Provenance:
    """Return what a document keeps of where a value of an entry comes from."""
    return {
        "quality": value["quality"],
        "source": value["source"],
        "url": value["url"],
        "as_of": value["as_of"],
        "low": value["low"],
        "high": value["high"],
        "note": value["note"],
        "entry": entry.slug,
    }
