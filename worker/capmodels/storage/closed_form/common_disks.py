"""Which disks two small writes of a parity array have in common."""

from __future__ import annotations

import math
from functools import lru_cache


@lru_cache(maxsize=64)
def second_fraction(written: int, disks: int, *, declustered: bool) -> float:
    """Chance that a write to one disk of another write comes to a second disk of it as well.

    Stripes turn by one disk at a time, left-symmetric, so that a write's parities lie side by side:
    with m pairs of its disks so far apart in the mean it is sum(m^2) / (k^2 (k - 1)) over all
    distances. Declustered, or with one parity, any pair is as frequent: (k - 1) / (disks - 1).

    >>> [round(second_fraction(k, 16, declustered=False), 3) for k in (2, 3, 4)]
    [0.067, 0.204, 0.313]
    """
    if disks <= 1:
        return 0.0
    if declustered or disks <= written:
        return (written - 1) / (disks - 1)
    parities, data = written - 1, disks - written + 1
    pairs = [0.0] * disks
    for parity in range(parities):
        for other in range(disks):
            chance = 1.0 if other < parities else 1 / data
            pairs[(other - parity) % disks] += chance
            pairs[(parity - other) % disks] += chance if other >= parities else 0.0
    return sum(count**2 for count in pairs[1:]) / (written**2 * (written - 1))


def meeting_fraction(written: int, disks: int, *, declustered: bool) -> float:
    """Chance that two writes have a disk in common.

    Of p parities side by side, those of the other write begin 2 p - 1 places too near; else its
    data may lie on a parity of the one, and the other way round, or both on one disk.

    >>> round(meeting_fraction(2, 8, declustered=False), 4)
    0.4643
    """
    if declustered:
        return 1 - math.comb(disks - written, written) / math.comb(disks, written)
    left = max(disks - 2 * (written - 1), 0)
    apart = (left + 1) * left * max(left - 1, 0)
    return 1 - apart / (disks * (disks - written + 1) ** 2)
