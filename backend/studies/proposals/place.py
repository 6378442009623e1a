"""Where a proposal stands: a provider's region and its prices, electricity there, the currency.

What the catalogue holds for the region is taken. What it does not hold is said, and the price
of the provider's first region stands in for it, with a range as wide as the prices that are
held of that region differ from those of the first one.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault
from capmodels.imports.prices import PLANS
from capmodels.plans.answer.cautions import PRICE_LEVEL
from catalogue.fields import is_price, unit_of
from catalogue.models import Entry
from catalogue.regions import KIND, PRICE, field_of, region_named
from catalogue.services import origin_of
from common.errors import Invalid
from studies.regions import REGIONAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capmodels.providers import Provider
    from capmodels.spec import JSONDict


_LACKING = "none is held for "


@dataclass(frozen=True, slots=True)
class Place:
    """A provider's region: what it is, the prices held of it, and how far others may be off.

    ``held`` leads from an entry's slug and field to where its price of the region stands;
    ``entries`` are the entries that it leads to.
    """

    region: str
    home: str
    held: Mapping[tuple[str, str], tuple[str, str]]
    entries: Mapping[str, Entry]
    low_ratio: float = 1.0
    high_ratio: float = 1.0
    note: str = ""

    @property
    def is_home(self) -> bool:
        """Whether it is the region that all entries are priced in."""
        return self.region == self.home

    def rentable(self, first: Sequence[str], then: Sequence[str]) -> Sequence[str]:
        """Instances that are priced here: of these, else of older ones, else the first ones."""
        here = ([slug for slug in some if (slug, PRICE) in self.held] for some in (first, then))
        return first if self.is_home else next(filter(None, here), first)

    def lacks(self, entry: Entry, field: str) -> bool:
        """Whether a price is of another region than this."""
        priced = entry.kind in REGIONAL and entry.kind != KIND and is_price(unit_of(field))
        return priced and entry.region not in {"", self.region}

    def lacking(
        self, provider: str, slugs: Iterable[str], entries: Mapping[str, Entry]
    ) -> list[str]:
        """Return a sentence of each instance that is not priced here though others are."""
        missing = [slug for slug in slugs if self.held and (slug, PRICE) not in self.held]
        return [
            f"{provider}: the price of {entries[slug].title} is of {self.home}; {_LACKING}"
            f"{self.region}."
            for slug in missing
        ]

    def stand_in(self, origin: JSONDict, value: float) -> JSONDict:
        """Return the origin of a price of the first region that stands in for this one's."""
        low, high = float(origin.get("low", value)), float(origin.get("high", value))
        note = f"price of {self.home}, {_LACKING}{self.region}"
        return origin | {
            "low": min(low, value * self.low_ratio),
            "high": max(high, value * self.high_ratio),
            "note": f"{origin['note']}; {note}" if origin.get("note") else note,
        }


def level_of(origin: Mapping[str, Any]) -> str | None:
    """Return what prices that stand in for a region's are all off by, one unknown: its level."""
    _, lacking, region = str(origin.get("note", "")).rpartition(_LACKING)
    return f"{PRICE_LEVEL}{region}" if lacking else None


def place_of(name: str, provider: Provider, said: str, also: Sequence[str] = ()) -> Place:
    """Return a provider's region by its code, its city, or the code of another's in that city.

    Prices of the provider's own entries are looked for there, and those of some others ``also``.
    """
    home, entry = provider.region, region_of(name, said)
    code = home if not said.strip() else entry.region if entry else said.strip()
    if code == home:
        return Place(home, home, {}, {})
    own = (*provider.instances, *provider.older_instances, *provider.gpu_instances)
    rented = tuple(dict.fromkeys((*own, *also)))
    regions = dict(Entry.objects.filter(slug__in=rented).values_list("slug", "region"))
    held = {(slug, PRICE): (slug, PRICE) for slug, where in regions.items() if where == code}
    for slug, price in product(rented, (PRICE, *PLANS)):
        if entry and _price(entry, field_of(slug, price)) is not None:
            held[slug, price] = (entry.slug, field_of(slug, price))
    low, high, basis = _level(name, [home, *regions.values()], entry)
    where = f"{code} ({_text(entry, 'city')})" if entry else code
    note = _note(provider.title, where, bool(held), home, f"{_off(low)} to {_off(high)}")
    known = "" if entry else f" The catalogue holds no region {code} of {provider.title}."
    entries = {entry.slug: entry} if entry else {}
    return Place(code, home, held, entries, low, high, f"{note}, as {basis} differ.{known}")


def _off(ratio: float) -> str:
    """How far prices are off, as a share; 0% has no sign."""
    return f"{ratio - 1:+.0%}".replace("+0%", "0%").replace("-", "\u2212")


def _note(provider: str, where: str, held: bool, home: str, spread: str) -> str:
    lacking = "storage and transfer" if held else "instances, storage and transfer"
    first = f"{provider}: instances are priced in {where}. " if held else f"{provider}: "
    what = lacking.capitalize() if held else lacking
    return (
        f"{first}{what} are not held for {where}; prices of {home} stand in, with a range "
        f"of {spread}"
    )


def region_of(provider: str, said: str) -> Entry | None:
    """A provider's region by its code, its city, or the code of another's in that city."""
    plain = _plain(said)
    found = region_named(provider, plain)
    if found is not None or not plain:
        return found
    others = Entry.objects.filter(kind=KIND, region=plain).order_by("position")
    city = next(filter(None, (_text(entry, "city") for entry in others)), "")
    return region_named(provider, city) if city else None


def _plain(said: str) -> str:
    """A name as it is typed, without accents.

    >>> _plain(" São Paulo ")
    'Sao Paulo'
    """
    letters = unicodedata.normalize("NFKD", said.strip())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _level(name: str, homes: Iterable[str], entry: Entry | None) -> tuple[float, float, str]:
    """Lowest and highest ratio of prices to those of the first region, and of what they are.

    The first region is the first of some that the catalogue holds a list of prices of.
    """
    known = Entry.objects.filter(kind=KIND, provider=name)
    held = {one.region: one for one in known}
    first = next(held[home] for home in homes if home in held)
    ratios = list(_ratios(first, [entry] if entry else known)) or list(_ratios(first, known))
    basis = "the provider's prices held of that region" if entry else "those of its regions"
    return min([1.0, *ratios]), max([1.0, *ratios]), basis


def _ratios(first: Entry, there: Iterable[Entry]) -> Iterable[float]:
    for entry in there:
        for field in entry.values:
            price, before = _price(entry, field), _price(first, field)
            if field.endswith(PRICE) and price and before:
                yield price / before


def _text(entry: Entry, field: str) -> str:
    return str(entry.values.get(field, {}).get("value") or "")


def _price(entry: Entry, field: str) -> float | None:
    value = entry.values.get(field, {}).get("value")
    return float(value) if isinstance(value, int | float) else None


# Whose prices the plan's own electricity and the catalogue's first regions are.
HOME = "United States"
_GRID = ("gco2e_per_kwh", "year", "zone", "basis")


def here_of(
    assumptions: JSONDict, said: Sequence[str], currency: str
) -> tuple[JSONDict, JSONDict, list[str]]:
    """Return the assumptions where the study stands, their origins, and what is said of them.

    Electricity and its carbon are of the country of the first region, the currency at the
    catalogue's rate; what was entered stays.
    """
    found, origins, notes = dict(assumptions), dict[str, Any](), list[str]()
    region = next(filter(None, map(_plain, said)), "")
    country = country_of(region)
    if region and "electricity" not in found:
        found, origins, notes = _powered(found, country or region)
    if "carbon" not in found:
        found, emitted = _emitting(found, country if region else HOME)
        origins = origins | emitted
    if currency and currency != "USD":
        found["currency"] = _currency(currency)
    return found, origins, notes


def country_of(region: str) -> str:
    """The country of a region by its code, city or name; nothing where none is held."""
    known = Entry.objects.filter(kind=KIND).order_by("position")
    entry = (
        known.filter(region=region.lower()).first()
        or known.filter(values__city__value=region).first()
    )
    # Else as prices are found: by a part of the one region's title that has it.
    names = () if entry else known.values_list("provider", flat=True).distinct().order_by()
    found = (region_named(name, region) for name in names)
    countries = [_text(one, "country") for one in (entry, *found) if one]
    return next(filter(None, countries), "")


def _emitting(assumptions: JSONDict, country: str) -> tuple[JSONDict, JSONDict]:
    """The carbon of a country's grid over its life cycle, where the catalogue holds it."""
    grids = Entry.objects.filter(kind="carbon", values__basis__value="life_cycle_average")
    grid = grids.filter(title__startswith=f"{country}, ").order_by("-title").first()
    if not country or grid is None:
        return assumptions, {}
    carbon = {name: grid.values[name]["value"] for name in _GRID}
    origins: JSONDict = {f"/carbon/{at}": origin_of(grid, grid.values[at]) for at in _GRID}
    return {**assumptions, "carbon": carbon}, origins


def _powered(assumptions: JSONDict, country: str) -> tuple[JSONDict, JSONDict, list[str]]:
    if country == HOME:
        return assumptions, {}, []
    flat = Entry.objects.filter(kind="electricity", values__customer__value="business")
    tariff = flat.filter(region=country).order_by("-slug").first()
    if tariff is None:
        what = f"the catalogue holds no price for {country}"
        return assumptions, {}, [f"Electricity: {what}; that of the United States stands in."]
    price = tariff.values["usd_per_kwh"]
    at = "/electricity/usd_per_kwh"
    kept = ("quality", "source", "url", "as_of", "low", "high", "note")
    origin = {key: price[key] for key in kept if price.get(key) not in {None, ""}}
    electricity = {"kind": "flat", "usd_per_kwh": price["value"]}
    origins = {at: {**origin, "entry": tariff.slug}}
    note = f"Electricity: ${price['value']:g} per kWh ({tariff.title})."
    return {**assumptions, "electricity": electricity}, origins, [note]


def _currency(code: str) -> JSONDict:
    entries = Entry.objects.filter(kind="currency")
    for entry in entries:
        if entry.values["code"]["value"] == code.strip().upper():
            rate = entry.values["per_usd"]
            return {
                "code": entry.values["code"]["value"],
                "per_usd": rate["value"],
                "as_of": rate["as_of"],
            }
    held = ", ".join(sorted(entry.values["code"]["value"] for entry in entries))
    sentence = f"The catalogue holds no rate of {code} to the US dollar. Choose of {held}."
    raise Invalid(faults=[Fault("/currency", "unknown", sentence)])
