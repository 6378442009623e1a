"""What an entry is searched, filtered and sorted by, taken from its fields. No database here."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

from catalogue.fields import is_price

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The first of these fields that an entry has is its key.
_NUMBERS = {
    "cores_count": ("cores_per_node_count", "cores_count", "vcpu_count"),
    "ram_gib": ("ram_gib", "memory_gb", "capacity_gib", "capacity_gb"),
    "capacity_tb": ("capacity_tb", "disk_tb"),
    "year": ("year",),
}
_PRICES = ("usd_per_h", "unit_price_usd", "usd_per_gb_month", "usd_per_gb")
_MADE_BY = ("provider", "vendor", "publisher")
_TEXT_MOST = 700
SORTED = ("title", "price_usd", *_NUMBERS)
KEYS = ("search_text", "provider", "region", "price_usd", "price_on", *_NUMBERS)

# Fields that hold a figure, by the unit as it is typed.
FIGURES = {
    "core": ("cores_per_node_count", "cores_count"),
    "vcpu": ("vcpu_count",),
    "gb": ("ram_gib", "memory_gb", "capacity_gb"),
    "gib": ("ram_gib", "memory_gb", "capacity_gb"),
    "tb": ("capacity_tb",),
    "gpu": ("gpus_per_node_count", "gpus_count"),
    "w": ("peak_w", "power_w", "tdp_w"),
}
_GIB_PER_TIB = 1024
_FIGURE = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)\s*(cores?|vcpus?|gpus?|tib|gib|gb|tb|w)\b", re.IGNORECASE
)


def figures_in(text: str) -> tuple[list[str], str]:
    """Return the figures of a text as they are looked for, and the text without them.

    >>> figures_in("2 TB drive, 192 cores")
    ([' 2tb ', ' 192core '], '  drive,  ')
    >>> figures_in("1.5 TiB")[0]
    [' 1536gib ']
    """
    found = [_token(float(one[1].replace(",", "")), one[2]) for one in _FIGURE.finditer(text)]
    return found, _FIGURE.sub(" ", text)


def _token(number: float, unit: str) -> str:
    unit = unit.lower()
    if unit == "tib":
        return f" {number * _GIB_PER_TIB:g}gib "
    unit = unit if unit in FIGURES else unit.removesuffix("s")
    return f" {number:g}{unit} "


def keys_of(
    kind: str, slug: str, title: str, values: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the columns of an entry that hold its keys; what it does not say is None."""
    text = f" {title} {slug} {kind} ".lower()
    made_by = next((_text(values, name) for name in _MADE_BY if _text(values, name)), "")
    region = _text(values, "region")
    country = _text(values, "country")
    city = _text(values, "city")
    places = [city] if city else _cities(f"{title} {region} {country}".lower())
    words = [made_by, region, country, _text(values, "cpu"), *places]
    tokens = dict.fromkeys((*figures_in(title)[0], *_figures(values)))
    found = " ".join((text, *words, *tokens)).lower()
    return {
        "search_text": re.sub(r"\s{2,}", "  ", found)[:_TEXT_MOST],
        "provider": made_by[:60],
        "region": region[:60],
        **_price(values),
        **{key: _number(values, names) for key, names in _NUMBERS.items()},
    }


def _text(values: Mapping[str, Mapping[str, Any]], name: str) -> str:
    value = values.get(name, {}).get("value")
    return value if isinstance(value, str) else ""


def _number(values: Mapping[str, Mapping[str, Any]], names: tuple[str, ...]) -> float | None:
    found = (values[name]["value"] for name in names if name in values)
    return next((float(one) for one in found if isinstance(one, int | float)), None)


def _price(values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The price that an entry is chosen by, and its day."""
    others = filter(is_price, values)
    for name in (*_PRICES, *others):
        number = _number(values, (name,))
        if number is not None:
            day = values[name].get("as_of")
            return {"price_usd": number, "price_on": date.fromisoformat(day) if day else None}
    return {"price_usd": None, "price_on": None}


def _figures(values: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for unit, names in FIGURES.items():
        for name in names:
            number = _number(values, (name,))
            if number is not None:
                yield _token(number, unit)


# Where a city's machines stand, in the words of providers and of countries' tables.
_CITIES = {
    "frankfurt": ("germany", "eu-central-1", "europe-west3", "germanywestcentral"),
    "dublin": ("ireland", "eu-west-1", "northeurope"),
    "london": ("united kingdom", "eu-west-2", "europe-west2", "uksouth"),
    "paris": ("france", "eu-west-3", "europe-west9", "francecentral"),
    "stockholm": ("sweden", "eu-north-1", "swedencentral"),
    "amsterdam": ("netherlands", "europe-west4", "westeurope"),
    "zurich": ("switzerland", "eu-central-2", "europe-west6", "switzerlandnorth"),
    "madrid": ("spain", "eu-south-2", "europe-southwest1", "spaincentral"),
    "milan": ("italy", "eu-south-1", "europe-west8", "italynorth"),
    "warsaw": ("poland", "europe-central2", "polandcentral"),
    "oslo": ("norway", "norwayeast"),
    "tokyo": ("japan", "ap-northeast-1", "asia-northeast1", "japaneast"),
    "seoul": ("south korea", "ap-northeast-2", "asia-northeast3", "koreacentral"),
    "sydney": ("australia", "ap-southeast-2", "australia-southeast1", "australiaeast"),
    "singapore": ("singapore", "ap-southeast-1", "asia-southeast1", "southeastasia"),
    "mumbai": ("india", "ap-south-1", "asia-south1", "westindia"),
    "sao paulo": ("brazil", "sa-east-1", "southamerica-east1", "brazilsouth"),
    "toronto": ("canada", "ca-central-1", "northamerica-northeast2", "canadacentral"),
    "ashburn virginia": ("virginia", "us-east-1", "us-east4", "eastus", "eastus2"),
}


_NAMES = {
    city: re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])")
    for city, names in _CITIES.items()
}


def _cities(text: str) -> list[str]:
    """Cities whose machines are meant by a region or a country that a text names."""
    return [city for city, names in _NAMES.items() if names.search(text)]
