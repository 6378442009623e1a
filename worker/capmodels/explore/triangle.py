"""The triangular distribution in plain numbers: its shares, and means of its parts."""

from __future__ import annotations

import math
from itertools import pairwise

Triple = tuple[float, float, float]


def triangular_share(triple: Triple, value: float) -> float:
    """Distribution function of the triangular distribution at one value."""
    low, mode, high = triple
    if value <= low or high <= low:
        return 0.0
    if value >= high:
        return 1.0
    if value < mode:
        return (value - low) ** 2 / ((high - low) * (mode - low))
    return 1.0 - (high - value) ** 2 / ((high - low) * (high - mode))


def means_of_parts(triple: Triple, count: int) -> list[float]:
    """Mean of each of so many equal parts of a triangular distribution.

    The mean of the inverse distribution function between two shares u of it: with width w it is
    ``low + sqrt(u w (mode - low))`` below the mode, above ``high - sqrt((1 - u) w (high - mode))``;
    the integral of each is in u, and 1 - u, to the power 3/2.
    """
    low, mode, high = triple
    width, bend = high - low, (mode - low) / (high - low)

    def integral(share: float) -> float:
        below = min(share, bend)
        total = low * below + math.sqrt(width * (mode - low)) * below**1.5 / 1.5
        if share > bend:
            root = math.sqrt(width * (high - mode))
            left = (1.0 - bend) ** 1.5 - (1.0 - share) ** 1.5
            total += high * (share - bend) - root * left / 1.5
        return total

    ends = [integral(place / count) for place in range(count + 1)]
    return [count * (after - before) for before, after in pairwise(ends)]
