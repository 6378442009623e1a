"""Price lists and the catalogue: what a list would change, written as the workspace's own entries.

A type that the catalogue holds in another region gets its price in the entry of that region, as
``catalogue.regions`` reads it. Nothing built in is touched: own entries take its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.text import slugify
from django.utils.timezone import now

from capmodels.imports.preview import Column, table
from capmodels.imports.prices import PRICES
from capmodels.providers import PROVIDERS
from catalogue.arrived import arrived
from catalogue.fields import unit_of
from catalogue.models import Entry
from catalogue.regions import KIND as REGION
from catalogue.regions import PRICE, field_of
from catalogue.versions import versions_keep, versions_own
from common.errors import Conflict
from common.tenancy import current_workspace_id
from studies.models import Design

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capmodels.spec import JSONDict

_SHOWN = 200
_BATCH = 500
_SAME = 1e-9
_TEXTS = ("provider", "region", "cpu")
_FIGURES = ("vcpu_count", "ram_gib", *PRICES)


@dataclass(slots=True)
class Plan:
    """What a list changes: entries as they will be, and each price with the one before it."""

    entries: dict[str, Entry] = field(default_factory=dict)
    before: dict[str, JSONDict | None] = field(default_factory=dict)
    prices: dict[tuple[str, str], float] = field(default_factory=dict)
    changed: list[JSONDict] = field(default_factory=list)
    new_count: int = 0
    same_count: int = 0


def slug_of(provider: str, name: str) -> str:
    """Return the slug of a machine type, as the catalogue's files have it.

    >>> slug_of("aws", "m7a.8xlarge"), slug_of("azure", "Standard_D2as_v6")
    ('aws-m7a-8xlarge', 'azure-d2as-v6')
    """
    plain = _plain(provider, name).replace(".", "-").replace("_", "-")
    return slugify(f"{provider}-{plain}")[:80].strip("-")


def plan_of(rows: Sequence[Mapping[str, Any]], head: Mapping[str, str]) -> Plan:
    """Hold a list against the catalogue; nothing is written.

    ``head`` has its provider, its source and the day that it is of.
    """
    home = PROVIDERS[head["provider"]].region if head["provider"] in PROVIDERS else ""
    ordered = sorted(rows, key=lambda row: row["region"] != home)
    slugs = {slug_of(head["provider"], row["type"]) for row in rows}
    regions = {_region_slug(head["provider"], row["region"]) for row in rows}
    known = _entries_of(slugs | regions)
    plan = Plan()
    for row in ordered:
        _take(plan, known, row, head)
    return plan


def _region_slug(provider: str, region: str) -> str:
    return slugify(f"{provider}-{region}")[:80]


def _entries_of(slugs: Iterable[str]) -> dict[str, Entry]:
    """Entries by slug, a workspace's own before a built-in one."""
    found: dict[str, Entry] = {}
    for entry in Entry.objects.filter(slug__in=list(slugs)):
        if entry.slug not in found or entry.is_own:
            found[entry.slug] = entry
    return found


def _take(
    plan: Plan, known: dict[str, Entry], row: Mapping[str, Any], head: Mapping[str, str]
) -> None:
    slug, region = slug_of(head["provider"], row["type"]), row["region"]
    if PRICE in row:
        plan.prices[slug, region] = row[PRICE]
    said = [name for name in PRICES if name in row]
    if slug not in known:
        known[slug] = _new_entry(plan, slug, "instance", _title(head, row["type"]))
        known[slug].values = _values(row, head)
        known[slug].region = region
        plan.new_count += len(said)
        return
    for name in said:
        _take_price(plan, known, row, head, name)


def _take_price(
    plan: Plan,
    known: dict[str, Entry],
    row: Mapping[str, Any],
    head: Mapping[str, str],
    price: str,
) -> None:
    """Take one price of a type that is known, in the entry of its own region or of another."""
    slug, region = slug_of(head["provider"], row["type"]), row["region"]
    name, held = price, known[slug]
    if held.region != region:
        at = _region_slug(head["provider"], region)
        name = field_of(slug, price)
        if at not in known:
            known[at] = _new_entry(
                plan, at, REGION, f"{PROVIDERS[head['provider']].title} {region}"
            )
            texts = {"provider": head["provider"], "region": region}
            known[at].values = {key: _said(key, text, head) for key, text in texts.items()}
        held = known[at]
    old = held.values.get(name, {}).get("value")
    if old is not None and abs(old - row[price]) <= _SAME:
        plan.same_count += 1
        return
    known[held.slug] = _changed(plan, held, name, _said(name, row[price], head))
    if old is None:
        plan.new_count += 1
    else:
        plan.changed.append(
            {"type": row["type"], "region": region, "price": PRICES[price], "old": old,
             "new": row[price], "change": row[price] / old - 1 if old else None}
        )  # fmt: skip


def _new_entry(plan: Plan, slug: str, kind: str, title: str) -> Entry:
    entry = Entry(workspace_id=current_workspace_id(), slug=slug, kind=kind, title=title)
    plan.entries[slug], plan.before[slug] = entry, None
    return entry


def _changed(plan: Plan, held: Entry, name: str, said: JSONDict) -> Entry:
    """An own entry with another value: the one there, or a copy of what is built in."""
    if held.slug not in plan.entries:
        own = held
        if held.is_own:
            plan.before[held.slug] = {"title": held.title, "values": dict(held.values)}
        else:
            own = _new_entry(plan, held.slug, held.kind, held.title)
            own.values, own.region = dict(held.values), held.region
        plan.entries[held.slug] = own
    plan.entries[held.slug].values[name] = said
    return plan.entries[held.slug]


def _title(head: Mapping[str, str], name: str) -> str:
    said = _plain(head["provider"], name)
    return f"{PROVIDERS[head['provider']].title} {said}"[:200]


def _plain(provider: str, name: str) -> str:
    """A machine type without what its provider's own lists write before each."""
    known = PROVIDERS.get(provider)
    return name.removeprefix(known.type_prefix) if known else name


def _values(row: Mapping[str, Any], head: Mapping[str, str]) -> JSONDict:
    said = {**row, "provider": head["provider"]}
    names = (*_TEXTS, *_FIGURES)
    return {name: _said(name, said[name], head) for name in names if said.get(name)}


def _said(name: str, value: Any, head: Mapping[str, str]) -> JSONDict:
    return {
        "value": value, "unit": unit_of(name), "quality": "published", "source": head["source"],
        "url": None, "as_of": head["as_of"], "low": None, "high": None, "note": "",
    }  # fmt: skip


_OLD_AND_NEW = (
    Column("Type", "type"),
    Column("Region", "region"),
    Column("Price", "price"),
    Column("Now", "old", "quantity", "USD/h"),
    Column("In the list", "new", "quantity", "USD/h"),
    Column("Change", "change", "fraction"),
)
_MOVED = (
    Column("Study", "study"),
    Column("Design", "design"),
    Column("Type", "type"),
    Column("Entered", "old", "quantity", "USD/h"),
    Column("In the list", "new", "quantity", "USD/h"),
)


def counts_table(plan: Plan, of: str) -> JSONDict:
    """How much of a list is new, changed, and as it is already."""
    columns = (Column(of, "what"), Column("Count", "count", "count"))
    rows = [
        {"what": "New", "count": plan.new_count},
        {"what": "Changed", "count": len(plan.changed)},
        {"what": "As they are", "count": plan.same_count},
    ]
    return table("What changes", columns, rows)


def plan_tables(plan: Plan) -> list[JSONDict]:
    """Return what would change, and which studies have other prices."""
    changed = sorted(plan.changed, key=lambda row: -abs(row["change"] or 0.0))[:_SHOWN]
    largest = f"The largest {_SHOWN} changes." if len(plan.changed) > _SHOWN else ""
    kept = "Their numbers stay as they are until somebody takes the newer prices."
    return [
        counts_table(plan, "Prices"),
        table("Prices that change", _OLD_AND_NEW, changed, largest),
        table("Studies with other prices", _MOVED, _studies_moved(plan)[:_SHOWN], kept),
    ]


def _studies_moved(plan: Plan) -> list[JSONDict]:
    rows = []
    designs = Design.objects.filter(kind="cloud").select_related("study")
    for design in designs.order_by("study__title", "position"):
        for item in design.spec.get("instances", ()):
            new = plan.prices.get((item.get("entry") or "", design.spec.get("region") or ""))
            old = item.get(PRICE)
            if new is not None and isinstance(old, int | float) and abs(new - old) > _SAME:
                rows.append(
                    {"study": design.study.title, "design": f"{design.letter} {design.title}",
                     "type": item.get("name"), "old": old, "new": new}
                )  # fmt: skip
    return rows


def plan_write(plan: Plan, source: str = "Price list") -> JSONDict:
    """Write what a list changes, said to be of a source; return what it takes to undo it."""
    new = [entry for slug, entry in plan.entries.items() if plan.before[slug] is None]
    old = [entry for slug, entry in plan.entries.items() if plan.before[slug] is not None]
    for entry in plan.entries.values():
        entry.take_keys()
    for entry in old:
        entry.revision += 1
        entry.updated_at = now()
    versions_keep([entry.id for entry in old])
    Entry.objects.bulk_create(new, batch_size=_BATCH)
    _store(old)
    arrived(source, len(plan.entries))
    revisions = {slug: entry.revision for slug, entry in plan.entries.items()}
    return {"before": plan.before, "revisions": revisions}


def _store(entries: Sequence[Entry]) -> None:
    kept = ("title", "values", "revision", "updated_at", "search_text", "provider", "region")
    keys = ("price_usd", "price_on", "cores_count", "ram_gib")
    Entry.objects.bulk_update(entries, [*kept, *keys], batch_size=_BATCH)


def plan_undo(undo: Mapping[str, Any]) -> None:
    """Have the entries again that were there before.

    Raises
    ------
    Conflict
        When one of them is not as the import left it: one that was changed, and changed back by
        undoing that, is.
    """
    own = Entry.objects.exclude(workspace=None).select_for_update()
    found = {entry.slug: entry for entry in own.filter(slug__in=list(undo["before"]))}
    since = {slug for slug, entry in found.items() if entry.revision != undo["revisions"][slug]}
    left = {
        one.slug: (one.title, one.values)
        for one in versions_own().filter(slug__in=since)
        if one.revision == undo["revisions"][one.slug]
    }
    if any(left.get(slug) != (found[slug].title, found[slug].values) for slug in since):
        message = "Entries were changed after the import, so undoing it would lose those changes."
        raise Conflict(message)
    gone = [entry.pk for slug, entry in found.items() if undo["before"][slug] is None]
    versions_keep([entry.pk for entry in found.values()])
    Entry.objects.filter(pk__in=gone).delete()
    kept = [entry for slug, entry in found.items() if undo["before"][slug] is not None]
    for entry in kept:
        entry.title = undo["before"][entry.slug]["title"]
        entry.values = undo["before"][entry.slug]["values"]
        entry.revision += 1
        entry.updated_at = now()
        entry.take_keys()
    _store(kept)
