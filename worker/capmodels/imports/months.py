"""A bill's months as a series: what it cost in each, for a forecast."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault, ParamsError

if TYPE_CHECKING:
    from collections.abc import Mapping


def costs_of(bill: Mapping[str, Any]) -> dict[str, float]:
    """Return what a bill's months cost, in their order and in the bill's currency."""
    rows = sorted((row for row in bill["months"] if row["month"]), key=lambda row: row["month"])
    return {row["month"]: float(row[bill["suggested_cost"]]) for row in rows}


def months_of(bill: Mapping[str, Any]) -> tuple[list[str], list[float]]:
    """Return a bill's months in their order and the cost of each, in the bill's currency.

    Raises
    ------
    ParamsError
        When one between them is missing.
    """
    costs = costs_of(bill)
    months = list(costs)
    for before, after in pairwise(months):
        if _number(after) != _number(before) + 1:
            message = f"The bill has no charges between {before} and {after}."
            raise ParamsError([Fault("/months", "gap", message)])
    return months, list(costs.values())


def _number(month: str) -> int:
    year, _, count = month.partition("-")
    return 12 * int(year) + int(count)
