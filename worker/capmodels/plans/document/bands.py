"""Prices by band: the first so much at one price, the next at another."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.plans.ops import is_number, largest, maximum, smallest
from capmodels.plans.series import each, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.series import Series

Band = tuple[float | None, float]


def banded(amounts: Series, bands: Sequence[Band]) -> Series:
    """Cost of every month's amount at (upper end, price) bands."""
    if len(bands) == 1:
        return scaled(amounts, bands[0][1])
    if isinstance(amounts, list) and bands:
        return _list_cost(amounts, bands)
    return each(lambda amount: band_cost(amount, bands), amounts)


def _list_cost(amounts: list[float], bands: Sequence[Band]) -> list[float]:
    """Cost of many numbers: in each band the cost is one straight line."""
    ends, lines = [], [(bands[0][1], 0.0)]
    for (end, _), (_, price) in pairwise(bands):
        if end is None:
            break
        slope, fixed = lines[-1]
        ends.append(end)
        lines.append((price, fixed - (price - slope) * end))
    costs = []
    for amount in amounts:
        slope, fixed = lines[bisect_left(ends, amount)]
        costs.append(slope * amount + fixed)
    return costs


def band_cost(amount: float, bands: Sequence[Band]) -> float:
    """Cost of an amount at (upper end, price) bands, the last without an end.

    Each band prices the part of the amount that lies in it: a straight line of the first
    price, and at each end the change of price times what lies above. Ends below all draws
    are part of the line, ends above all of them are not reached.

    >>> band_cost(60.0, [(10.0, 90.0), (50.0, 85.0), (None, 70.0)])
    5000.0
    """
    if not bands:
        return amount * 0.0
    low = high = amount
    if not is_number(amount):
        low, high = smallest(amount), largest(amount)
    before = bands[0][1]
    slope, fixed, bends = before, 0.0, 0.0
    for (end, _), (_, price) in pairwise(bands):
        if end is None or end >= high:
            break
        change = price - before
        if end <= low:
            slope, fixed = slope + change, fixed - change * end
        else:
            bends = bends + change * maximum(amount - end, 0.0)
        before = price
    return slope * amount + fixed + bends
