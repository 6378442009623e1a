"""Rule 17: prices whose dates are more than 90 days apart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

DAYS_MOST = 90
DAYS_PER_YEAR = 365.25


@dataclass(frozen=True, slots=True)
class _Dated:
    """A price with its date, the component whose index it follows, and where its ratio is."""

    pointer: str
    name: str
    day: str
    component: str
    price: float
    index_ratio: float | None = None


def _dated(study: StudySpec) -> Iterator[_Dated]:
    """Every price that has a date."""
    for design in clouds(study):
        for place, item in enumerate(design.instances):
            if item.price_as_of is not None:
                at = f"/designs/{design.letter}/instances/{place}/usd_per_h"
                name = f"{item.name} in {design.letter}"
                yield _Dated(at, name, item.price_as_of, "instances", item.usd_per_h)
    for owned in clusters(study):
        for place, group in enumerate(owned.node_groups):
            at = f"/designs/{owned.letter}/node_groups/{place}/price"
            parts = group.price.parts if group.price.kind == "parts" else ()
            for index, part in enumerate(parts):
                if part.price_as_of is not None:
                    yield _Dated(
                        f"{at}/parts/{index}/unit_price_usd",
                        part.name,
                        part.price_as_of,
                        part.component,
                        part.unit_price_usd,
                        part.index_ratio,
                    )


def find(study: StudySpec) -> Iterator[Found]:
    """Prices older than the newest by more than is alike."""
    dated = list(_dated(study))
    newest = max((item.day for item in dated), default="")
    for item in dated:
        days = (date.fromisoformat(newest) - date.fromisoformat(item.day)).days
        if days > DAYS_MOST:
            change = getattr(study.assumptions.price_changes, f"{item.component}_fraction_per_year")
            ratio = (1.0 + change) ** (days / DAYS_PER_YEAR)
            yield Found(
                item.pointer,
                f"The price of {item.name} is of {_said(item.day)}, {days:,} days before the "
                f"newest ({_said(newest)}). Fix: {_how(change)}; better, a price of that day.",
                _carried(item, newest, ratio),
            )


def _said(day: str) -> str:
    found = date.fromisoformat(day)
    return f"{found.day} {found:%b %Y}"


def _how(change: float) -> str:
    if change == 0.0:
        return "taken for that day as it is, since the study assumes that prices of its kind stay"
    return (
        "carried to that day by the change of its kind that the study assumes, "
        f"{percent(change)} a year"
    )


def _carried(item: _Dated, newest: str, ratio: float) -> tuple[Change, ...]:
    """What makes a price one of the newest day."""
    at = item.pointer.rsplit("/", 1)[0]
    day = Change(f"{at}/price_as_of", newest)
    if item.index_ratio is None:
        return (day, Change(item.pointer, item.price * ratio))
    return (day, Change(f"{at}/index_ratio", item.index_ratio * ratio))


RULE = Rule(17, "Prices of one time", find)
