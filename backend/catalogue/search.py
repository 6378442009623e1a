"""What somebody types to find an entry, as a filter: names, figures with a unit, places."""

from __future__ import annotations

import re

from django.db.models import Q

_GIB = ("ram_gib", "memory_gb", "capacity_gb")
# Fields that hold a figure, by the unit as it is typed.
_FIELDS = {
    "core": ("cores_per_node_count", "cores_count"),
    "vcpu": ("vcpu_count",),
    "gb": _GIB,
    "gib": _GIB,
    "tb": ("capacity_tb",),
    "gpu": ("gpus_per_node_count", "gpus_count"),
    "w": ("peak_w", "power_w", "tdp_w"),
}
_FIGURE = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(cores?|vcpus?|gpus?|gib|gb|tb|w)\b", re.IGNORECASE)
# Where a city's machines stand, in the words of providers and of countries' tables.
_PLACES = {
    "frankfurt": ("germany", "eu-central-1", "europe-west3"),
    "dublin": ("ireland", "eu-west-1"),
    "london": ("united kingdom", "eu-west-2", "europe-west2"),
    "paris": ("france", "eu-west-3", "europe-west9"),
    "stockholm": ("sweden", "eu-north-1"),
    "amsterdam": ("netherlands", "europe-west4"),
    "zurich": ("switzerland", "eu-central-2", "europe-west6"),
    "madrid": ("spain", "eu-south-2", "europe-southwest1"),
    "milan": ("italy", "eu-south-1", "europe-west8"),
    "warsaw": ("poland", "europe-central2"),
    "oslo": ("norway",),
    "tokyo": ("japan", "ap-northeast-1", "asia-northeast1"),
    "seoul": ("south korea", "ap-northeast-2", "asia-northeast3"),
    "ashburn": ("virginia", "us-east-1", "us-east4"),
}


def matching(words: str) -> Q:
    """Return what an entry must meet: every figure, and every word in its names or place."""
    found = Q()
    for figure in _FIGURE.finditer(words):
        found &= _figure(figure)
    for word in _FIGURE.sub(" ", words).split():
        found &= _word(word)
    return found


def _figure(match: re.Match[str]) -> Q:
    """A figure in a field of its unit, or as it stands in a name."""
    number = float(match[1].replace(",", ""))
    unit = match[2].lower()
    unit = unit if unit in _FIELDS else unit.removesuffix("s")
    apart, close = f"{match[1]} {match[2]}", f"{match[1]}{match[2]}"
    found = Q(title__icontains=apart) | Q(title__icontains=close) | Q(slug__icontains=close)
    for field in _FIELDS[unit]:
        found |= Q(**{f"values__{field}__value": number})
    return found


def _word(word: str) -> Q:
    found = Q()
    for one in (word, *_PLACES.get(word.lower(), ())):
        found |= Q(title__icontains=one) | Q(slug__icontains=one) | Q(kind__icontains=one)
        found |= Q(values__region__value__icontains=one)
    return found
