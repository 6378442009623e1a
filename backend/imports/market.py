"""Instance types of the catalogue that a fleet can move to, with the prices of a region.

Of each provider in one region: the one that is asked for, else the study's own, else the fleet's,
else the provider's first. A code of another provider stands for the region in its city.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import F

from capmodels.imports.fleet_types import InstanceType, Market, Region
from capmodels.providers import PROVIDERS
from catalogue.models import Entry
from catalogue.regions import PRICE, field_of
from studies.proposals.place import region_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from studies.models import Study

_NUMBERS = ("vcpu_count", "ram_gib", "gpus_count", "perf_per_vcpu_ratio")


def market_of(asked: str, study: Study | None, fleet: Sequence[str]) -> Market:
    """Return the types of every provider that have a price in its region, and no GPUs."""
    own = [str(one.spec.get("region") or "") for one in study.designs.all()] if study else []
    wanted = [(asked, "as chosen"), *((code, "the study's own") for code in own),
              *((code, "the fleet's") for code in fleet)]  # fmt: skip
    places = [(text.strip(), why) for text, why in wanted if text.strip()]
    rows = Entry.objects.filter(kind="instance").order_by(F("workspace").asc(nulls_first=True))
    entries = {entry.slug: entry for entry in rows}
    types: list[InstanceType] = []
    regions: list[Region] = []
    for name, provider in PROVIDERS.items():
        mine = [one for one in entries.values() if one.provider == name]
        code, held, why = _placed(name, provider.region, places, mine)
        priced = [
            found for one in mine if (found := _type(one, provider.title, code, held)) is not None
        ]
        types += [one for one in priced if one.usd_per_h]
        missing = sum(not one.usd_per_h for one in priced)
        regions.append(Region(provider=provider.title, code=code, why=why, unpriced_count=missing))
    return Market(types=types, regions=regions)


def _placed(
    name: str, home: str, places: Iterable[tuple[str, str]], entries: Iterable[Entry]
) -> tuple[str, Entry | None, str]:
    """The first place that a provider has: its code, the entry of its prices, and why it is it."""
    at_home, first = {entry.region for entry in entries} | {home}, ""
    for text, why in places:
        first = first or text
        held = region_of(name, text)
        missing = "" if text == first else f", as it is not known to have {first}"
        if held is not None:
            same = text.lower() in {held.region, _said(held.values, "city").lower()}
            return held.region, held, (why if same else f"{why}, {text}, in that city") + missing
        if text.lower() in at_home:
            return text.lower(), None, why + missing
    missing = f", as it is not known to have {first}" if first else ""
    return home, region_of(name, home), f"the provider's first region{missing}"


def _type(entry: Entry, provider: str, code: str, held: Entry | None) -> InstanceType | None:
    """A type with its price there, 0 where none is held; None of one that says no size."""
    vcpus, ram, gpus, ratio = (_number(entry.values, name) for name in _NUMBERS)
    if not vcpus or not ram or gpus:
        return None
    price = _number(entry.values, PRICE) if entry.region == code else None
    if price is None and held is not None:
        price = _number(held.values, field_of(entry.slug))
    return InstanceType(
        provider=provider, name=entry.title, vcpus_count=vcpus, ram_gib=ram,
        usd_per_h=price or 0.0, core_ratio=ratio, entry=entry.slug,
    )  # fmt: skip


def _said(values: Mapping[str, Any], name: str) -> str:
    return str(values.get(name, {}).get("value") or "")


def _number(values: Mapping[str, Any], name: str) -> float | None:
    value = values.get(name, {}).get("value")
    return float(value) if isinstance(value, int | float) else None
