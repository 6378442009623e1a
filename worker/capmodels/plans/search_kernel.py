"""Search of many designs by a lower bound of each: costed exactly only where it may matter.

Branch and bound over candidates with several measures, all the less the better: what a candidate
costs at least, needs of energy at least and so on is known of all, exactly of few.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found; places are those of the candidates.

    ``exact`` are the measures of each that was costed; ``front`` the places that no other beats in
    all measures; ``open_count`` how many could still be on it when the search ended: 0 where it
    is certain. ``loose_count`` are those whose measures were below their bounds, which is a fault
    of the bounds.
    """

    exact: dict[int, tuple[float, ...]]
    front: tuple[int, ...]
    open_count: int
    loose_count: int


def front_of(values: Floats) -> Flags:
    """Which rows no other beats: none is as good in all columns and better in one.

    Parameters
    ----------
    values
        Measures of each candidate, shape (candidates, measures), the less the better.

    Returns
    -------
    ndarray of bool
        Shape (candidates,). Rows with the same measures are all on the front, or none is.

    Notes
    -----
    Kung, Luccio, Preparata 1975 (doi:10.1145/321906.321910): in the order of the first measure a
    row can be beaten by earlier ones alone.

    Examples
    --------
    >>> front_of(np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 3.0], [1.0, 3.0]])).tolist()
    [True, True, False, True]
    """
    found = np.zeros(len(values), dtype=bool)
    order = np.lexsort(values.T[::-1])
    held = np.empty((0, values.shape[1]))
    for place in order:
        row = values[place]
        if not np.isfinite(row).all():
            continue
        as_good = (held <= row).all(axis=1)
        if not (as_good & (held < row).any(axis=1)).any():
            found[place] = True
            held = np.vstack([held, row])
    return found


def search(
    bounds: Floats, exact: Callable[[int], Sequence[float] | None], *, most: int
) -> Searched:
    """Return the candidates that none beats, costing as few of them as their bounds allow.

    Parameters
    ----------
    bounds
        Least that each measure of each candidate can be, shape (candidates, measures), finite.
    exact
        Gives the measures of the candidate at a place, none of them below its bound; None where it
        does not carry the work.
    most
        Candidates that are costed at most.

    Returns
    -------
    Searched

    Notes
    -----
    Land, Doig 1960 (doi:10.2307/1910129). A candidate is left out once the exact measures of
    another are at or below all of its bounds. The next to be costed has the least bound of the
    first measure in every other turn, of the others in turn between, so that each end of the
    front is known early.
    """
    left = np.ones(len(bounds), dtype=bool)
    columns = range(bounds.shape[1])
    orders = [np.argsort(bounds[:, column], kind="stable") for column in columns]
    turns = cycle([0, *(turn for other in columns[1:] for turn in (other, 0))])
    found: dict[int, tuple[float, ...]] = {}
    calls = loose = 0
    while calls < most and left.any():
        order = orders[next(turns)]
        place = int(order[left[order].argmax()])
        left[place] = False
        calls += 1
        measured = exact(place)
        if measured is None:
            continue
        row = np.asarray(measured, dtype=float)
        loose += bool((row < bounds[place] * (1.0 - _ROUNDING) - _ROUNDING).any())
        found[place] = tuple(row.tolist())
        left &= (bounds < row).any(axis=1)
    rows = np.array([*found.values()]).reshape(len(found), bounds.shape[1])
    front = tuple(place for place, on in zip(found, front_of(rows), strict=True) if on)
    # Once a bound was none, nothing that was left out is certain.
    open_count = len(bounds) - calls if loose else int(left.sum())
    return Searched(found, front, open_count, loose)


# Sums of the same parts in another order.
_ROUNDING = 1e-9
