"""A solid-state drive's reads by depth: dies that have the data, behind one link. [ms]

Requests that ask the same die wait for each other, so that latency rises before the link is full:
the bend between the latency alone and the ceiling tells how many dies there are.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.simulator.dies_loop import DieTimes, loop_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.storage.calibration.loop_fit import LoopFit, Measured
    from capmodels.storage.calibration.one_state import Used

# Three parameters are fitted.
_ROWS_LEAST = 3
_DIES_MAX = 256
_COARSE = (2, 4, 8, 16, 32, 64, 128, 256)
_FEW, _MANY, _STEPS = 600, 2000, 8
# Dies are believed when they take away half of what the simple law misses the rows by.
BETTER = 0.5
_EXACT = 1e-6
# Of many rows so many are followed, evenly chosen: a calibration is answered at once.
_ROWS_MOST = 8


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


def _at(rows: Sequence[Measured], dies: int, ratio: float, of: tuple[LoopFit, int]) -> DiesFit:
    """The best fit of so many dies, each so many times as long as the link.

    All times grow with the link, whose logarithm is then the mean of what is left; the host's are
    as long as they are to one that has the ceiling of the simple law.
    """
    fit, count = of
    times = DieTimes(1.0, ratio, ratio)
    links_per_ms = fit.most_per_ms / min(1.0, dies / ratio)
    left = []
    for row in rows:
        host = fit.host.at(row.depth_count) * links_per_ms
        looped = loop_ms(row.depth_count, dies, times, count=count, host_ms=host)
        left.append(math.log(row.latency_ms / looped))
    link = math.fsum(left) / len(left)
    error = _root([one - link for one in left])
    return DiesFit(dies, math.exp(link) * (1 + ratio), math.exp(link), error)


def _with(rows: Sequence[Measured], dies: int, fit: LoopFit, count: int) -> DiesFit:
    """The best fit of so many dies: the link is the ceiling, or dies are and the link is short."""
    ratio = max(fit.alone_ms * fit.most_per_ms - 1, 0.1)
    spans = [(0.7 * ratio, 1.3 * ratio)]
    if dies <= 1.5 * (ratio + 1):
        spans.append((1.3 * ratio, 10 * ratio))
    of = (fit, count)
    return min((_between(rows, dies, span, of) for span in spans), key=lambda one: one.error)


def _between(
    rows: Sequence[Measured], dies: int, ratios: tuple[float, float], of: tuple[LoopFit, int]
) -> DiesFit:
    """The best fit of so many dies with a ratio between two, by golden section."""
    low, high = (math.log(ratio) for ratio in ratios)
    golden = (math.sqrt(5) - 1) / 2

    @cache
    def at(place: float) -> DiesFit:
        return _at(rows, dies, math.exp(place), of)

    left, right = high - golden * (high - low), low + golden * (high - low)
    for _ in range(_STEPS):
        if at(left).error <= at(right).error:
            left, right, high = low + (1 - golden) * (right - low), left, right
        else:
            left, right, low = right, left + golden * (high - left), left
    return min((at(left), at(right)), key=lambda one: one.error)


def _thinned(rows: Sequence[Measured]) -> Sequence[Measured]:
    if len(rows) <= _ROWS_MOST:
        return rows
    step = (len(rows) - 1) / (_ROWS_MOST - 1)
    return [rows[round(nth * step)] for nth in range(_ROWS_MOST)]


@lru_cache(maxsize=64)
def fit_dies(rows: tuple[Used, ...], fit: LoopFit, least_count: int) -> DiesFit | None:
    """The dies that fit reads best, no fewer than a count, by squared errors of logarithms.

    None where the simple law does as well on the same rows, or there are too few of them. Kept: a
    change of the drive's sheet or of its writes asks for the same reads again.
    """
    few = _thinned(rows)
    simple = error_of(fit, few)
    if len(rows) < _ROWS_LEAST or least_count > _DIES_MAX or simple < _EXACT:
        return None
    least = max(least_count, 2)
    coarse = sorted({max(dies, least) for dies in _COARSE})
    best = min((_with(few, dies, fit, _FEW) for dies in coarse), key=lambda one: one.error)
    low, high = max(best.dies_count // 2 + 1, least), min(2 * best.dies_count, _DIES_MAX + 1)
    near = range(low, high, max((high - low) // 8, 1))
    best = min((_with(few, dies, fit, _MANY) for dies in near), key=lambda one: one.error)
    return best if best.error <= BETTER * simple else None
