"""Prices by band: the first so much at one price, the next at another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.ops import largest, maximum, smallest

if TYPE_CHECKING:
    from collections.abc import Sequence

Band = tuple[float | None, float]


def band_cost(amount: float, bands: Sequence[Band]) -> float:
    """Cost of an amount at (upper end, price) bands, the last without an end.

    Each band prices the part of the amount that lies in it: a straight line of the first
    price, and at each end the change of price times what lies above. Ends below all draws
    are part of the line, ends above all of them are not reached.

    >>> band_cost(60.0, [(10.0, 90.0), (50.0, 85.0), (None, 70.0)])
    5000.0
    """
    if not bands:
        return 0.0
    low, high = smallest(amount), largest(amount)
    before = bands[0][1]
    slope, fixed, bends = before, 0.0, 0.0
    for (end, _), (_, price) in zip(bands, bands[1:], strict=False):
        if end is None or end >= high:
            break
        change = price - before
        if end <= low:
            slope, fixed = slope + change, fixed - change * end
        else:
            bends = bends + change * maximum(amount - end, 0.0)
        before = price
    return slope * amount + fixed + bends
