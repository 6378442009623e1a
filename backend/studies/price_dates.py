"""Of when the prices of a study are: each kind has a date of its own."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from catalogue.fields import is_price

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.spec import JSONDict
    from studies.models import Study

# What a price is of, by a part of its pointer; the first that stands in it names it.
KINDS = {
    "instances": "instances",
    "block_tiers": "block storage",
    "object_tiers": "object storage",
    "egress_tiers": "transfer",
    "transfer": "transfer",
    "storage": "storage",
    "drives": "drives",
    "gpus": "GPUs",
    "node_groups": "servers",
    "equipment": "equipment",
    "space": "space",
    "electricity": "electricity",
}


def price_dates(study: Study) -> str:
    """Return which prices are of when: ``instances of Jul 2026, block storage of Mar 2023``.

    Prices from elsewhere than the catalogue, and those without a date, are not told.
    """
    found = _months_of(study)
    return ", ".join(f"{kind} of {_months(months)}" for kind, months in found.items())


def price_span(study: Study) -> str:
    """Return the months of all prices, and whose are the oldest.

    As ``Mar 2023 to Jul 2026, oldest: block storage``; empty without prices.
    """
    found = _months_of(study)
    months = set[str]().union(*found.values())
    if len(months) < 2:
        return _months(months) if months else ""
    oldest = next(kind for kind, of in found.items() if min(months) in of)
    return f"{_months(months)}, oldest: {oldest}"


def _months_of(study: Study) -> dict[str, set[str]]:
    """Return the months of each kind of prices."""
    found: dict[str, set[str]] = {}
    for provenance in _provenances(study):
        for kind, as_of in _dated(provenance):
            found.setdefault(kind, set()).add(as_of[:7])
    return {kind: found[kind] for kind in dict.fromkeys(KINDS.values()) if kind in found}


def _provenances(study: Study) -> Iterator[JSONDict]:
    yield study.assumptions_provenance
    for design in study.designs.all():
        yield design.provenance


def _dated(provenance: JSONDict) -> Iterator[tuple[str, str]]:
    for pointer, origin in provenance.items():
        parts = pointer.split("/")
        if not isinstance(origin, dict) or not origin.get("entry") or not origin.get("as_of"):
            continue
        kind = next((name for part, name in KINDS.items() if part in parts), None)
        if kind is not None and is_price(parts[-1]):
            yield kind, str(origin["as_of"])


def _months(months: Iterable[str]) -> str:
    first, *others = sorted(months)
    return f"{_month(first)} to {_month(others[-1])}" if others else _month(first)


def _month(text: str) -> str:
    """Write a month.

    >>> _month("2026-07")
    'Jul 2026'
    """
    try:
        return f"{date.fromisoformat(f'{text}-01'):%b %Y}"
    except ValueError:
        return text
