"""Which machine leaves an overloaded host: the selection policies of Beloglazov and Buyya 2012."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import Machines, State

MMT, MU, RS, MC = range(4)


@njit(cache=True)
def select(
    policy: int,
    candidates: NDArray[np.int64],
    state: State,
    machines: Machines,
    draw: float,
) -> int:
    """Return the position among ``candidates`` of the machine to move.

    MMT takes the quickest to copy, MU the least busy, RS any (``draw`` in 0..1 decides),
    MC the one whose past follows the others' most closely. The first of equals is taken.
    """
    if policy == RS:
        return min(int(draw * len(candidates)), len(candidates) - 1)
    if policy == MU:
        busy = state.request_mips[candidates] / machines.mips[candidates]
        return int(np.argmin(busy))
    if policy == MC:
        found = most_correlated(state.history[candidates], state.history_count[candidates])
        if found >= 0:
            return found
    return int(np.argmin(machines.ram_mb[candidates]))


@njit(cache=True)
def most_correlated(history: NDArray[np.float64], known: NDArray[np.int64]) -> int:
    """Row whose squared multiple correlation with the other rows is largest.

    -1 where the regression has no answer: fewer values than unknowns, or constant rows.
    """
    rows, columns = history.shape[0], int(np.min(known))
    if rows < 2 or columns <= rows:
        return -1
    data = history[:, :columns]
    best, best_share = -1, -1.0
    for row in range(rows):
        share = _explained(data, row)
        if share < 0:
            return -1
        if share > best_share:
            best, best_share = row, share
    return best


@njit(cache=True)
def _explained(data: NDArray[np.float64], row: int) -> float:
    rows, columns = data.shape
    design = np.ones((columns, rows))
    place = 1
    for other in range(rows):
        if other != row:
            design[:, place] = data[other]
            place += 1
    target = data[row].copy()
    about_mean = np.sum((target - np.mean(target)) ** 2)
    if about_mean == 0:
        return -1.0
    fitted, _, rank, _ = np.linalg.lstsq(design, target)
    if rank < rows:
        return -1.0
    residual = np.sum((target - design @ fitted) ** 2)
    return float(1 - residual / about_mean)
