"""Where a proposal stands: a provider's region and its prices, electricity there, the currency.

What the catalogue holds for the region is taken. What it does not hold is said, and the price
of the provider's first region stands in for it, higher or lower by the middle of what the prices
held of that region differ from those of the first one by, with a range as wide as they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault
from capmodels.imports.prices import PLANS
from capmodels.numbers import Currency, money, stated_day
from capmodels.plans.answer.cautions import PRICE_LEVEL
from capmodels.providers import PROVIDERS
from catalogue.models import Entry
from catalogue.places import Near, Spot, code_of, near, spot_named, spot_of, text_of
from catalogue.regions import KIND, PRICE, field_of
from catalogue.services import origin_of
from common.errors import Invalid
from studies.regions import REGIONAL, is_borrowed

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
        value = entry.values.get(field, {}).get("value")
        is_regional = entry.kind in REGIONAL and entry.kind != KIND
        return is_regional and is_borrowed(field, value, entry.region, self.region)

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

    @property
    def middle_ratio(self) -> float:
        """Price that is not held here over the first region's: the middle of what others are."""
        return float(f"{(self.low_ratio + self.high_ratio) / 2.0:.3g}")

    def stand_in(self, origin: JSONDict, value: float) -> JSONDict:
        """Return the origin of a price of the first region that stands in for this one's.

        Its ``times`` is what the price is multiplied by. The range is as wide as the prices of
        this region differ, or as the price's own where that is wider.
        """
        times = self.middle_ratio
        low, high = float(origin.get("low", value)), float(origin.get("high", value))
        half = max(value * (self.high_ratio - self.low_ratio), times * (high - low)) / 2.0
        note = f"price of {self.home} at {_off(times)}, {_LACKING}{self.region}"
        return origin | {
            "low": value * times - half,
            "high": value * times + half,
            "note": f"{origin['note']}; {note}" if origin.get("note") else note,
            "times": times,
        }


def level_of(origin: Mapping[str, Any]) -> str | None:
    """Return what prices that stand in for a region's are all off by, one unknown: its level."""
    _, lacking, region = str(origin.get("note", "")).rpartition(_LACKING)
    return f"{PRICE_LEVEL}{region}" if lacking else None


def place_of(name: str, provider: Provider, said: str, also: Sequence[str] = ()) -> Place:
    """Return a provider's region by city, country or code; the nearest where it has none there.

    Prices of the provider's own entries are looked for there, and those of some others ``also``.

    Raises
    ------
    Invalid
        When it names no place.
    """
    home = provider.region
    spot = spot_of(said)
    found = near(name, home, spot) if spot else None
    if found is None or found.code == home:
        return Place(home, home, {}, {}, note=_away(provider.title, spot, found).strip())
    code, entry = found.code, found.entry
    own = (*provider.instances, *provider.older_instances, *provider.gpu_instances)
    rented = tuple(dict.fromkeys((*own, *also)))
    regions = dict(Entry.objects.filter(slug__in=rented).values_list("slug", "region"))
    held = {(slug, PRICE): (slug, PRICE) for slug, where in regions.items() if where == code}
    for slug, price in product(rented, (PRICE, *PLANS)):
        if entry and _price(entry, field_of(slug, price)) is not None:
            held[slug, price] = (entry.slug, field_of(slug, price))
    low, high, basis = _level(name, [home, *regions.values()], entry)
    where = f"{code} ({found.city})" if found.city else code
    entries = {entry.slug: entry} if entry else {}
    place = Place(code, home, held, entries, low, high)
    note = _away(provider.title, spot, found) + _note(provider.title, where, place, basis)
    return replace(place, note=note)


# A region nearer than this to a city is in it.
_IN_CITY_KM = 40.0


def _away(title: str, spot: Spot | None, found: Near | None) -> str:
    """Which region stands for a place that the provider has none in, and how far it is."""
    if spot is None or found is None or found.distance_km < _IN_CITY_KM:
        return ""
    is_country = spot.name == spot.country
    if is_country and found.entry and text_of(found.entry, "country") == spot.country:
        return ""
    where = f"{found.code} ({found.city})" if found.city else found.code
    km = f"{found.distance_km:,.0f}"
    of = "its largest city" if is_country else spot.name
    return f"{title} in {spot.title}: {where} is the nearest region, {km} km from {of}. "


def region_of(provider: str, said: str) -> Entry | None:
    """Return a provider's region in the place that is meant; None where it has none there."""
    spot = spot_named(said)
    found = near(provider, PROVIDERS[provider].region, spot) if spot else None
    return found.entry if found and found.distance_km < _IN_CITY_KM else None


def _off(ratio: float) -> str:
    """How far prices are off, as a share; 0% has no sign."""
    return f"{ratio - 1:+.0%}".replace("+0%", "0%").replace("-", "\u2212")


def _note(provider: str, where: str, place: Place, basis: str) -> str:
    held = bool(place.held)
    lacking = "storage and transfer" if held else "instances, storage and transfer"
    first = f"{provider}: instances are priced in {where}. " if held else f"{provider}: "
    what = lacking.capitalize() if held else lacking
    instead = f"{first}{what} are not held for {where}; prices of {place.home} stand in"
    if place.low_ratio == place.high_ratio == 1.0:
        return f"{instead} as they are: {basis} do not differ."
    return (
        f"{instead} at {_off(place.middle_ratio)}, the middle of {_off(place.low_ratio)} to "
        f"{_off(place.high_ratio)}, as {basis} differ."
    )


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

    Electricity, its carbon and pay are of the country of the first region, the currency at the
    catalogue's rate; what was entered stays.

    Raises
    ------
    Invalid
        When a region is no place that is known, or the currency has no rate.
    """
    found, origins, notes = dict(assumptions), dict[str, Any](), list[str]()
    spot = next(filter(None, map(spot_of, said)), None)
    country = spot.country if spot else HOME
    if currency and currency != "USD":
        found["currency"] = _currency(currency)
        notes.append(_rate_note(found["currency"]))
    for name, take in (
        ("electricity", _powered), ("carbon", _emitting), ("staff_usd_per_fte_year", _paid)
    ):  # fmt: skip
        if name not in found:
            found, where, told = take(found, country)
            origins, notes = origins | where, [*notes, *told]
    return found, origins, notes


def _rate_note(currency: JSONDict) -> str:
    """Of which day the rate is that prices are shown at, and whether they are newer."""
    code, day = currency["code"], stated_day(currency["as_of"])
    dates = Entry.objects.filter(kind="instance").values_list("values__usd_per_h__as_of", flat=True)
    newest = max(filter(None, dates), default="")
    note = f"Currency: {currency['per_usd']:g} {code} per US dollar, the rate of {day}"
    if newest <= currency["as_of"]:
        return f"{note}."
    return (
        f"{note}; prices are as new as {stated_day(newest)}. Enter the rate of their day in the "
        "assumptions, Currency."
    )


def _emitting(assumptions: JSONDict, country: str) -> tuple[JSONDict, JSONDict, list[str]]:
    """The carbon of a country's grid over its life cycle, where the catalogue holds it."""
    grids = Entry.objects.filter(kind="carbon", values__basis__value="life_cycle_average")
    grid = grids.filter(title__startswith=f"{country}, ").order_by("-title").first()
    if not country or grid is None:
        return assumptions, {}, []
    carbon = {name: grid.values[name]["value"] for name in _GRID}
    origins: JSONDict = {f"/carbon/{at}": origin_of(grid, grid.values[at]) for at in _GRID}
    return {**assumptions, "carbon": carbon}, origins, []


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
    amount = money(price["value"], Currency.stated(assumptions.get("currency")))
    note = f"Electricity: {amount} per kWh ({tariff.title})."
    return {**assumptions, "electricity": electricity}, origins, [note]


def _paid(assumptions: JSONDict, country: str) -> tuple[JSONDict, JSONDict, list[str]]:
    """What a person who runs machines costs in a country, where the catalogue holds it."""
    if country == HOME:
        return assumptions, {}, []
    held = Entry.objects.filter(kind="staff", values__country__value=code_of(country))
    pay = held.order_by("position").first()
    if pay is None:
        what = f"the catalogue holds none of {country}"
        return assumptions, {}, [f"Pay: {what}; that of the United States stands in."]
    field = "staff_usd_per_fte_year"
    value = pay.values[field]
    origins = {f"/{field}": origin_of(pay, value)}
    amount = money(value["value"], Currency.stated(assumptions.get("currency")))
    note = f"Pay: {amount} a person and year ({pay.title})."
    return {**assumptions, field: value["value"]}, origins, [note]


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
