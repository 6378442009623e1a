"""Prices by band: the first so much at one price, the next at another."""

from __future__ import annotations


from capmodels.plans.ops import largest, maximum, minimum, smallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Band = tuple[float | None, float]


def band_cost(amount: float, bands: Sequence[Band]) -> float:
    """Cost of an amount at (upper end, price) bands, the last without an end.

    Each band prices the part of the amount that lies in it. Where all draws lie in one
    band the sum is a line, which is what is then computed; the value is the same.

    >>> band_cost(60.0, [(10.0, 90.0), (50.0, 85.0), (None, 70.0)])
    5000.0
    """
    low, high = smallest(amount), largest(amount)
    cost, start = 0.0, 0.0
    for end, price in bands:
        if end is None or high <= end:
            inside = amount - start if low >= start else maximum(amount - start, 0.0)
            return cost + inside * price
        if low >= end:
            cost = cost + (end - start) * price
        else:
            cost = cost + maximum(minimum(amount, end) - start, 0.0) * price
        start = end
    return cost
