"""A solid-state drive's latency by depth: as alone, then by its ceiling."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHANNELS_MAX = 256
_ROUNDING = 1e-9


class Measured(Protocol):
    """A mean latency, measured with so many requests outstanding."""

    @property
    def depth_count(self) -> int:
        """Requests outstanding at all times."""

    @property
    def latency_ms(self) -> float:
        """Mean latency. [ms]"""


class LoopFit(NamedTuple):
    """Latency by depth: as alone, until the drive takes no more requests a second."""

    alone_ms: float
    most_per_ms: float

    def at(self, depth_count: int) -> float:
        """Latency with so many requests outstanding. [ms]"""
        return max(self.alone_ms, depth_count / self.most_per_ms)


def _mean_of_logs(values: list[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def fit_loop(rows: Sequence[Measured]) -> LoopFit:
    """The latency alone and the ceiling that fit all depths best, by squared errors of logarithms.

    Depths up to a knee tell the one, those beyond it the other; the knee is the one that fits best.
    Where no depth lies beyond, the ceiling is at least what the deepest row has.
    """
    found = []
    for knee in range(1, len(rows) + 1):
        flat, rising = rows[:knee], rows[knee:]
        alone = _mean_of_logs([row.latency_ms for row in flat])
        most = max(row.depth_count / row.latency_ms for row in flat)
        if rising:
            most = _mean_of_logs([row.depth_count / row.latency_ms for row in rising])
        fit = LoopFit(alone, most)
        error = math.fsum(math.log(fit.at(r.depth_count) / r.latency_ms) ** 2 for r in rows)
        found.append((error, knee, fit))
    return min(found)[2]


def on_ceiling(alone_ms: float, rows: Sequence[Measured]) -> LoopFit:
    """A known latency alone, and the ceiling that all rows are taken to lie on."""
    return LoopFit(alone_ms, _mean_of_logs([row.depth_count / row.latency_ms for row in rows]))


def channels_of(fits: list[LoopFit]) -> int:
    """Channels that serve the ceilings of both directions, each for as long as alone at least."""
    least = max(fit.alone_ms * fit.most_per_ms for fit in fits)
    return min(max(math.ceil(least - _ROUNDING), 1), _CHANNELS_MAX)
