"""A solid-state drive's reads by depth: dies that have the data, behind one link. [ms]

Requests that ask the same die wait for each other, so that latency rises before the link is full:
the bend between the latency alone and the ceiling tells how many dies there are.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.simulator.dies_loop import DieTimes, loop_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.calibration.loop_fit import LoopFit, Measured

# Three parameters are fitted.
_ROWS_LEAST = 3
_DIES_MAX = 256
_COARSE = (2, 4, 8, 16, 32, 64, 128, 256)
_COUNT, _STEPS = 4000, 60
# Of the time of a read alone: what dies may be the ceiling at, and a link that is short.
_NEAR, _LOW = 1.5, 0.1
# Dies are believed when they take away half of what the simple law misses the rows by.
_BETTER = 0.5
_EXACT = 1e-6


class DiesFit(NamedTuple):
    """Dies, a read alone and its time on the link; error of the rows it was fitted on."""

    dies_count: int
    alone_ms: float
    link_ms: float
    error: float

    @property
    def most_per_ms(self) -> float:
        """The most reads: of the link, or of all dies."""
        return min(1 / self.link_ms, self.dies_count / (self.alone_ms - self.link_ms))


def error_of(fit: LoopFit, rows: Sequence[Measured]) -> float:
    """Root-mean-square error of logarithms of the simple law."""
    return _root([math.log(fit.at(row.depth_count) / row.latency_ms) for row in rows])


def _root(errors: list[float]) -> float:
    return math.sqrt(math.fsum(error * error for error in errors) / len(errors))


def _errors(rows: Sequence[Measured], dies: int, alone: float, link: float) -> list[float]:
    held = alone - link
    times = DieTimes(link, held, held)
    return [
        math.log(loop_ms(row.depth_count, dies, times, count=_COUNT) / row.latency_ms)
        for row in rows
    ]


def _with(rows: Sequence[Measured], dies: int, fit: LoopFit) -> DiesFit:
    """The best alone and link of so many dies, from those of the simple law."""
    import numpy as np
    from scipy.optimize import minimize

    def cost(point: NDArray[np.float64]) -> float:
        alone, link = (math.exp(one) for one in point.tolist())
        return _root(_errors(rows, dies, alone, link)) if link < alone else 10.0

    fits = []
    for link in _links(dies, fit):
        start = np.log(np.array([fit.alone_ms, link]))
        found = minimize(cost, start, method="Nelder-Mead", options={"maxfev": _STEPS})
        alone, link_ms = np.exp(found.x).tolist()
        fits.append(DiesFit(dies, alone, link_ms, float(found.fun)))
    return min(fits, key=lambda one: one.error)


def _links(dies: int, fit: LoopFit) -> list[float]:
    """Where the search for the link begins: at the ceiling, and low where dies may be that."""
    ceiling = min(1 / fit.most_per_ms, 0.99 * fit.alone_ms)
    by_dies = dies / fit.most_per_ms <= _NEAR * fit.alone_ms
    return [ceiling, _LOW * fit.alone_ms] if by_dies else [ceiling]


def fit_dies(rows: Sequence[Measured], fit: LoopFit, least_count: int) -> DiesFit | None:
    """The dies that fit reads best, no fewer than a count, by squared errors of logarithms.

    None where the simple law does as well on the same rows, or there are too few of them.
    """
    simple = error_of(fit, rows)
    if len(rows) < _ROWS_LEAST or least_count > _DIES_MAX or simple < _EXACT:
        return None
    least = max(least_count, 2)
    coarse = sorted({max(dies, least) for dies in _COARSE})
    best = min((_with(rows, dies, fit) for dies in coarse), key=lambda one: one.error)
    low, high = max(best.dies_count // 2 + 1, least), min(2 * best.dies_count, _DIES_MAX + 1)
    step = max((high - low) // 8, 1)
    near = [_with(rows, dies, fit) for dies in range(low, high, step)]
    best = min([best, *near], key=lambda one: one.error)
    return best if best.error <= _BETTER * simple else None
