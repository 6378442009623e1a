"""One solid-state drive with dies in a closed loop, and nothing else. [ms]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of ``times``: a read's link, time to its answer and of its die; the same of a write.
READ_LINK, READ_ANSWER, READ_HOLD, WRITE_LINK = range(4)
_WARM = 0.1


@njit(cache=True)
def _first(times: NDArray[np.float64]) -> int:
    best = 0
    for place in range(1, times.size):
        if times[place] < times[best]:
            best = place
    return best


@njit(cache=True)
def mean_ms(
    depth: int, dies: int, times: NDArray[np.float64], chances: NDArray[np.float64], reads: float
) -> float:
    """Mean response of one request after another, each with two chances, shape (n, 2). [ms]

    A read takes the die of its second chance, a write the first one that is free.
    """
    ready, free = np.zeros(depth), np.zeros(dies)
    link, total, count = 0.0, 0.0, chances.shape[0]
    warm = int(count * _WARM)
    for i in range(count):
        user = _first(ready)
        came = ready[user]
        way = READ_LINK if chances[i, 0] < reads else WRITE_LINK
        link = max(came, link) + times[way]
        die = int(chances[i, 1] * dies) if way == READ_LINK else _first(free)
        start = max(link, free[die])
        free[die] = start + times[way + READ_HOLD]
        ready[user] = start + times[way + READ_ANSWER]
        total += ready[user] - came if i >= warm else 0.0
    return total / (count - warm)
