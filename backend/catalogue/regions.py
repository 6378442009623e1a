"""Prices of a provider's regions: which one holds for an entry, and which are of another region.

An entry has the price of its own region. Those of others stand in entries of kind ``region``,
one for each region of a provider, in fields named after the entries: ``azure_d2as_v6_usd_per_h``
is the price of ``azure-d2as-v6`` there. What no entry says is not held: nothing takes its place.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F

from capmodels.imports.prices import PLANS
from catalogue.models import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KIND = "region"
PRICE = "usd_per_h"
# Names of places have more letters than this; shorter ones are codes.
_SHORT = 2


@dataclass(frozen=True, slots=True)
class RegionPrice:
    """The price of an entry in a region; none where it is not held."""

    slug: str
    home_region: str
    entry: str = ""
    field: str = ""
    price: dict[str, Any] | None = None
    # What an hour costs there under each plan that the catalogue holds: how it is paid, its price.
    plans: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class RegionPrices:
    """What the catalogue holds for a region: its code where it is known, and prices."""

    provider: str
    region: str
    title: str
    prices: list[RegionPrice]


def field_of(slug: str, price: str = PRICE) -> str:
    """Return the field of a region's entry that holds a price of another entry.

    >>> field_of("azure-d2as-v6")
    'azure_d2as_v6_usd_per_h'
    """
    return f"{slug.replace('-', '_')}_{price}"


def region_named(provider: str, said: str) -> Entry | None:
    """Return the region that a code or a city names; None where none or several are meant."""
    own_first = F("workspace").asc(nulls_last=True)
    known = Entry.objects.filter(kind=KIND, provider=provider).order_by(own_first, "position")
    exact = known.filter(region=said.strip().lower()).first()
    if exact is not None or not said.strip():
        return exact
    # Whole words only: "de" is no part of Hyderabad.
    word = rf"(^|[^[:alnum:]]){re.escape(said.strip())}([^[:alnum:]]|$)"
    found = list(known.filter(title__iregex=word)[:2]) if len(said.strip()) > _SHORT else []
    return found[0] if len(found) == 1 else None


def prices_in(provider: str, said: str, slugs: Sequence[str]) -> RegionPrices:
    """Return the prices of some entries in a region, named by its code or its city."""
    region = region_named(provider, said)
    code = region.region if region else said.strip()
    rows = Entry.objects.filter(slug__in=slugs).order_by(F("workspace").desc(nulls_first=True))
    entries = {entry.slug: entry for entry in rows}
    prices = [_price(entries[slug], code, region) for slug in slugs if slug in entries]
    return RegionPrices(provider, code, region.title if region else "", prices)


def _price(entry: Entry, code: str, region: Entry | None) -> RegionPrice:
    prices = {name: (holder, at, said) for name, holder, at, said in _held(entry, code, region)}
    plans = tuple(
        {**asdict(PLANS[name]), "entry": holder, "field": at, "price": said}
        for name, (holder, at, said) in prices.items()
        if name != PRICE
    )
    holder, at, said = prices.get(PRICE, ("", "", None))
    return RegionPrice(entry.slug, entry.region, holder, at, said, plans)


def _held(
    entry: Entry, code: str, region: Entry | None
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield each price of an entry in a region, with the entry and the field that hold it."""
    at_home = entry.region == code
    holder = entry if at_home else region
    if holder is None:
        return
    for name in (PRICE, *PLANS):
        at = name if at_home else field_of(entry.slug, name)
        if at in holder.values:
            yield name, holder.slug, at, holder.values[at]
