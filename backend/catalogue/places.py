"""Where on Earth somebody means, by city, country or a region's code, and which regions are near.

Coordinates and names are in ``geography/``, whose README says where they are from. A name that
is no place is none: nothing is guessed from a part of a word.
"""

from __future__ import annotations

import csv
import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from capmodels.errors import Fault
from catalogue.models import Entry
from catalogue.regions import KIND
from common.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = Path(__file__).parent / "geography"
_EARTH_KM = 6371.0
# Regions as near to each other as this are in one place; a provider's first one is taken then.
_ONE_PLACE_KM = 60.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that somebody means: a city of a country, a country alone, or a region's code.

    ``at_deg`` is its latitude and longitude, of a country those of its largest city.
    """

    name: str
    country: str
    at_deg: tuple[float, float] | None
    region: str = ""

    @property
    def title(self) -> str:
        """City and country, as they are shown."""
        return f"{self.name}, {self.country}" if self.name != self.country else self.country


@dataclass(frozen=True, slots=True)
class Near:
    """A region of a provider near a place; ``entry`` is none for one that no table is held of."""

    code: str
    city: str
    distance_km: float
    entry: Entry | None


def plain(said: str) -> str:
    """A name in small letters without accents and signs, as names are compared.

    >>> plain(" São Paulo (Brazil)")
    'sao paulo brazil'
    """
    folded = said.casefold().replace("\u00df", "ss").replace("\u00f8", "o").replace("\u0142", "l")
    letters = unicodedata.normalize("NFKD", folded)
    kept = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", " ", kept).strip()


def spot_named(said: str) -> Spot | None:
    """Return the place that a code, a city, a country or both of these name; None without one."""
    code = said.strip().lower()
    regions = list(Entry.objects.filter(kind=KIND).order_by("position"))
    exact = next((one for one in regions if one.region == code), None)
    if exact is not None:
        return _of_region(exact)
    words = plain(said)
    if not words:
        return None
    if words in _countries():
        country = _countries()[words]
        largest = next((city for city in _cities() if city.country == country), None)
        return Spot(country, country, largest.at_deg if largest else None)
    city, _, rest = said.rpartition(",")
    country = _countries().get(plain(rest), "")
    wanted = plain(city) if city and country else words
    held = (one for one in regions if not country or text_of(one, "country") == country)
    region = next((one for one in held if wanted in _names(one)), None)
    if region is not None:
        return _of_region(region, by_name=True)
    return next(
        (one for one in _cities_named(wanted) if country in {"", one.country}),
        None,
    )


def spot_of(said: str, at: str = "/region") -> Spot | None:
    """Return the place that is meant; nothing where nothing is said.

    Raises
    ------
    Invalid
        When it is no place that is known; ``at`` is where it was said.
    """
    if not said.strip():
        return None
    spot = spot_named(said)
    if spot is None:
        sentence = (
            f"No place called {said.strip()} is known. Enter a city, a country or a region's "
            "code, such as Frankfurt, Germany or eu-central-1."
        )
        raise Invalid(faults=[Fault(at, "unknown", sentence)])
    return spot


def _of_region(entry: Entry, *, by_name: bool = False) -> Spot:
    city = text_of(entry, "city") or entry.title
    country = text_of(entry, "country")
    at = _regions().get((entry.provider, entry.region))
    if at is None:
        at = next((one.at_deg for one in _cities_named(plain(city))), None)
    return Spot(city, country, at, "" if by_name else entry.region)


def _names(entry: Entry) -> Iterator[str]:
    """What a region is called, besides its code: its city, and the words of its title."""
    city = text_of(entry, "city")
    whole = entry.title.replace("(N. ", "(Northern ")
    _, _, own = whole.partition(" ")
    parts = (part for title in (entry.title, whole, own) for part in re.split("[(),]", title))
    for name in (city, *city.split(","), entry.title, whole, own, *parts):
        if found := plain(name):
            yield found


def near(provider: str, home: str, spot: Spot) -> Near | None:
    """Return the region of a provider that is meant by a place: its own, else the nearest one.

    Parameters
    ----------
    home
        The provider's first region, which is taken before others in the same place.

    Returns
    -------
    Near
        None where nobody knows how far any of its regions is.
    """
    held = Entry.objects.filter(kind=KIND, provider=provider).order_by("position")
    entries = {one.region: one for one in held}
    if spot.region in {home, *entries}:
        return _near(spot.region, entries.get(spot.region), 0.0)
    own = entries.get(home)
    if spot.name == spot.country and own is not None and text_of(own, "country") == spot.country:
        return _near(home, own, 0.0)
    apart = _restricted()
    here = [
        one for code, one in entries.items() if (provider, code) not in apart and _is_in(one, spot)
    ]
    # A name is surer than coordinates, which some providers blur: Azure's of Paris is 280 km off.
    if here:
        first = next((one for one in here if one.region == home), here[0])
        return _near(first.region, first, 0.0)
    if spot.at_deg is None:
        return None
    # A region of the same country comes before a nearer one across its border.
    in_country = {code for code, one in entries.items() if text_of(one, "country") == spot.country}
    found = [
        (code not in in_country, int(away / _ONE_PLACE_KM), code != home, place, away, code)
        for place, code in enumerate(dict.fromkeys((home, *entries)))
        if (provider, code) not in apart and (at := _regions().get((provider, code))) is not None
        for away in [distance_km(spot.at_deg, at)]
    ]
    if not found:
        return None
    *_, away, code = min(found)
    return _near(code, entries.get(code), away)


def _is_in(entry: Entry, spot: Spot) -> bool:
    """Whether a region is in the city that is meant, or in the state that one of them names alone.

    Some providers say Ashburn, Virginia, others Virginia. Cities of the same name elsewhere are
    others.
    """
    own, meant = (
        {part for name in city.split(",") if (part := plain(name))}
        for city in (text_of(entry, "city"), spot.name)
    )
    is_named = bool(own and meant) and (own <= meant or meant <= own)
    return is_named and text_of(entry, "country") in {"", spot.country}


def _near(code: str, entry: Entry | None, away_km: float) -> Near:
    return Near(code, text_of(entry, "city") if entry else "", away_km, entry)


def distance_km(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Distance of two places on a sphere. [km]

    R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (1984), 159.

    >>> round(distance_km((48.14, 11.58), (50.11, 8.68)))  # Munich to Frankfurt
    304
    """
    (lat, lon), (there, across) = (map(math.radians, one) for one in (first, second))
    half = math.sin((there - lat) / 2) ** 2
    half += math.cos(lat) * math.cos(there) * math.sin((across - lon) / 2) ** 2
    return 2 * _EARTH_KM * math.asin(math.sqrt(half))


def text_of(entry: Entry, field: str) -> str:
    """A text of an entry; nothing where it is not known."""
    return str(entry.values.get(field, {}).get("value") or "")


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


@cache
def _countries() -> dict[str, str]:
    """English names of countries by all that they are called, and by their codes."""
    found = {}
    for row in _rows("countries"):
        for said in (row["country"], row["code"], row["name"], *row["also"].split("|")):
            found[plain(said)] = row["name"]
    found.pop("", None)
    return found


@cache
def currency_of(country: str) -> str:
    """The currency of a country by its English name; nothing where it is not known."""
    return next((row["currency"] for row in _rows("countries") if row["name"] == country), "")


@cache
def code_of(country: str) -> str:
    """The three letters of a country by its English name; nothing where it is not known."""
    return next((row["code"] for row in _rows("countries") if row["name"] == country), "")


@cache
def _cities() -> tuple[Spot, ...]:
    """Cities, the largest first."""
    return tuple(
        Spot(
            row["name"],
            _countries()[plain(row["country"])],
            (float(row["latitude_deg"]), float(row["longitude_deg"])),
        )
        for row in _rows("cities")
    )


def _cities_named(words: str) -> list[Spot]:
    """Cities of a name, those that are called so first, and the largest of each."""
    return [*_spellings()[0].get(words, ()), *_spellings()[1].get(words, ())]


@cache
def _spellings() -> tuple[dict[str, list[Spot]], dict[str, list[Spot]]]:
    names: dict[str, list[Spot]] = {}
    others: dict[str, list[Spot]] = {}
    for row, city in zip(_rows("cities"), _cities(), strict=True):
        names.setdefault(plain(city.name), []).append(city)
        for also in filter(None, row["also"].split("|")):
            others.setdefault(also, []).append(city)
    return names, others


@cache
def _regions() -> dict[tuple[str, str], tuple[float, float]]:
    """Latitude and longitude of regions by provider and code."""
    return {
        (row["provider"], row["region"]): (float(row["latitude_deg"]), float(row["longitude_deg"]))
        for row in _rows("regions")
    }


@cache
def _restricted() -> frozenset[tuple[str, str]]:
    """Regions that are not for everybody, by provider and code: meant only by their code."""
    return frozenset((row["provider"], row["region"]) for row in _rows("restricted"))


@dataclass(frozen=True, slots=True)
class Held:
    """A city that regions are held of, with their codes; a country alone stands in both."""

    city: str
    country: str
    regions: list[str]


def place_meant(said: str) -> Held | None:
    """Return the place that is meant, as ``spot_of``; its regions where its code was said."""
    spot = spot_of(said, "/named")
    if spot is None:
        return None
    return Held(spot.name, spot.country, [spot.region] if spot.region else [])


def places_held() -> list[Held]:
    """Cities that regions are held of, in the order of their names."""
    found: dict[tuple[str, str], list[str]] = {}
    for entry in Entry.objects.filter(kind=KIND).order_by("position"):
        city, country = (text_of(entry, name) for name in ("city", "country"))
        if city and country and (entry.provider, entry.region) not in _restricted():
            found.setdefault((city, country), []).append(entry.region)
    return [Held(city, country, codes) for (city, country), codes in sorted(found.items())]
