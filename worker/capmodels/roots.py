"""Where a rising function crosses zero, in as few steps as can be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# What Oliveira and Takahashi recommend, with one step more than halving in the worst case.
_KAPPA = 0.2
_SPARE_STEPS = 1


def last_below(rises: Callable[[float], float], high: float, *, bits: int = 52) -> float:
    """Return the largest argument from 0 to ``high`` at which a rising function is not above 0.

    Within ``high`` over 2 to the power of ``bits``, and never on the wrong side. It is halving
    with a guess where the straight line between the ends crosses (ITP, Oliveira and Takahashi,
    ACM Transactions on Mathematical Software 47(1), 2020), which needs a fifth of the steps
    and never more than one more than halving does.
    """
    above = rises(high)
    if above <= 0:
        return high
    below, low = rises(0.0), 0.0
    step = math.ldexp(high, -bits)
    for left in range(bits + _SPARE_STEPS, 0, -1):
        if high - low <= step:
            break
        middle = _between(low, high, below, above, math.ldexp(step, left - 1))
        found = rises(middle)
        if found > 0:
            high, above = middle, found
        else:
            low, below = middle, found
    return low


def _between(low: float, high: float, below: float, above: float, reach: float) -> float:
    """The next argument: the line's crossing, drawn toward the middle and held near to it."""
    half, width = (low + high) / 2, high - low
    line = (above * low - below * high) / (above - below)
    toward = math.copysign(1.0, half - line)
    nudge = _KAPPA / width * width**2 if width else 0.0
    drawn = half if nudge > abs(half - line) else line + toward * nudge
    allowed = max(reach - width / 2, 0.0)
    return drawn if abs(drawn - half) <= allowed else half - toward * allowed
