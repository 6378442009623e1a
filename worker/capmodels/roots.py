"""Where a rising function crosses zero, in as few steps as can be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# As Oliveira and Takahashi recommend; a few guesses may fail before halving is enforced.
_KAPPA = 0.2
_SPARE_STEPS = 8


def last_below(rises: Callable[[float], float], high: float, *, bits: int = 52) -> float:
    """Return the largest argument from 0 to ``high`` at which a rising function is not above 0.

    Within ``high`` over 2 to the power of ``bits``, and never on the wrong side. It is halving
    with a guess where the straight line between the ends crosses (ITP, Oliveira and Takahashi,
    ACM Transactions on Mathematical Software 47(1), 2020), which needs a quarter of the
    steps, and in the worst case eight more than halving does.
    """
    above = rises(high)
    if above <= 0:
        return high
    below, low, whole = rises(0.0), 0.0, high
    step = math.ldexp(high, -bits)
    for left in range(bits + _SPARE_STEPS, 0, -1):
        if high - low <= step:
            break
        line = (above * low - below * high) / (above - below)
        # No less than the step wanted, or the end beyond the crossing would never come near.
        nudge = max(_KAPPA * (high - low) ** 2 / whole, step / 2)
        drawn = _toward_middle(low, high, line, nudge)
        middle = _held_near(low, high, drawn, math.ldexp(step, left - 1))
        found = rises(middle)
        if found > 0:
            high, above = middle, found
        else:
            low, below = middle, found
    return low


def _toward_middle(low: float, high: float, line: float, nudge: float) -> float:
    """The crossing of the line, drawn toward the middle so that both ends come near."""
    half = (low + high) / 2
    if nudge >= abs(half - line):
        return half
    return line + math.copysign(nudge, half - line)


def _held_near(low: float, high: float, drawn: float, reach: float) -> float:
    """The guess, held so near to the middle that halving would not have been faster."""
    half = (low + high) / 2
    allowed = max(reach - (high - low) / 2, 0.0)
    return min(max(drawn, half - allowed), half + allowed)
