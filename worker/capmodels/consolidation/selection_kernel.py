"""Which machine leaves an overloaded host: the selection policies of Beloglazov and Buyya 2012."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import Machines, State

MMT, MU, RS, MC = range(4)
# A row of which less than this part is left beside the others is made up by them.
_DEPENDENT = 1e-10


@kernel
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


@kernel
def most_correlated(history: NDArray[np.float64], known: NDArray[np.int64]) -> int:
    """Row whose squared multiple correlation with the other rows is largest.

    From one factoring of all rows about their means: that correlation is
    1 - 1 / (S_ii (S^-1)_ii) with S the rows' sums of products, and S = R' R. -1 where the
    regression has no answer: fewer values than unknowns, constant rows, or rows that others
    make up exactly.
    """
    rows, columns = history.shape[0], int(np.min(known))
    if rows < 2 or columns <= rows:
        return -1
    left = history[:, :columns].copy()
    squares = np.empty(rows)
    for row in range(rows):
        whole = _product(left[row], left[row])
        mean = np.mean(left[row])
        for column in range(columns):
            left[row, column] -= mean
        squares[row] = _product(left[row], left[row])
        if squares[row] <= _DEPENDENT**2 * whole:
            return -1
    upper = _factor(left, squares)
    if len(upper) == 0:
        return -1
    inverse, most = _inverse_squares(upper), 0
    for row in range(rows):
        if squares[row] * inverse[row] > squares[most] * inverse[most]:
            most = row
    return most


@kernel(error_model="numpy")
def _factor(left: NDArray[np.float64], squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The triangle R of the rows, by Gram and Schmidt; empty where they depend on each other.

    ``left`` is used up.
    """
    rows, columns = left.shape
    upper = np.zeros((rows, rows))
    for row in range(rows):
        length = math.sqrt(_product(left[row], left[row]))
        if length <= _DEPENDENT * math.sqrt(squares[row]):
            return upper[:0]
        upper[row, row] = length
        for later in range(row + 1, rows):
            share = _product(left[row], left[later]) / length
            upper[row, later] = share
            for place in range(columns):
                left[later, place] -= share / length * left[row, place]
    return upper


@kernel
def _product(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    total = 0.0
    for place in range(len(one)):
        total += one[place] * other[place]
    return total


@kernel(error_model="numpy")
def _inverse_squares(upper: NDArray[np.float64]) -> NDArray[np.float64]:
    """The diagonal of the inverse of R' R: the squared length of each row of the inverse of R."""
    rows = len(upper)
    found = np.zeros(rows)
    solved = np.empty(rows)
    for column in range(rows):
        for row in range(column, -1, -1):
            right = 1.0 if row == column else 0.0
            for later in range(row + 1, column + 1):
                right -= upper[row, later] * solved[later]
            solved[row] = right / upper[row, row]
            found[row] += solved[row] ** 2
    return found
