"""A solid-state drive's latency by depth: as alone, then by its ceiling.

What the host takes from an answer to the next request is no latency, but the drive rests meanwhile:
of a closed loop that so many requests go around, latency and host share depth over ceiling.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHANNELS_MAX = 256
# Of a host's time, from which on it is what limits the requests.
_HOST_BUSY = 0.8
_ROUNDING = 1e-9


class Measured(Protocol):
    """A mean latency, measured with so many requests outstanding."""

    @property
    def depth_count(self) -> int:
        """Requests outstanding at all times."""

    @property
    def latency_ms(self) -> float:
        """Mean latency. [ms]"""

    @property
    def host_ms(self) -> float | None:
        """The host's time from an answer to the next request; None: not known. [ms]"""


class HostTimes(NamedTuple):
    """A host's time from an answer to the next request by depth, where it was measured. [ms]"""

    points: tuple[tuple[int, float], ...] = ()
    # Of a host that sleeps at depth 1: before it sees the answer, and again before it asks.
    wake_ms: float = 0.0

    def at(self, depth_count: int) -> float:
        """What passes between an answer and the next request, as the drive sees it. [ms]"""
        return self.own_at(depth_count) + (2 * self.wake_ms if depth_count == 1 else 0.0)

    def own_at(self, depth_count: int) -> float:
        """Of a host awake: straight in the depth's logarithm, level beyond; 0: unknown. [ms]"""
        if not self.points:
            return 0.0
        held = min(max(depth_count, self.points[0][0]), self.points[-1][0])
        for (before, early), (after, late) in pairwise(self.points):
            if held <= after:
                return early + (late - early) * math.log(held / before) / math.log(after / before)
        return self.points[-1][1]


def host_times(rows: Sequence[Measured], wake_ms: float = 0.0) -> HostTimes:
    """The host's times in rows of rising depth, which are without its waking."""
    known = ((row.depth_count, row.host_ms) for row in rows)
    return HostTimes(tuple((depth, own) for depth, own in known if own is not None), wake_ms)


class LoopFit(NamedTuple):
    """Latency by depth: as alone, until the drive takes no more requests a second."""

    alone_ms: float
    most_per_ms: float
    host: HostTimes = HostTimes()
    # For each other one without an answer.
    wait_ms: float = 0.0

    def at(self, depth_count: int) -> float:
        """Latency with so many requests outstanding. [ms]"""
        around = depth_count / self.most_per_ms
        waiting = (depth_count - 1) * self.wait_ms
        return max(self.alone_ms + waiting, around - self.host.at(depth_count))


def host_busy_fraction(rows: Sequence[Measured]) -> float:
    """Share of its time that a host which asks alone spends on the deepest row; 0: unknown."""
    busy = [
        row.host_ms * row.depth_count / (row.latency_ms + row.host_ms)
        for row in rows
        if row.host_ms is not None
    ]
    return busy[-1] if busy else 0.0


def host_bounds(rows: Sequence[Measured]) -> bool:
    """Whether the host that asks, and not the drive, is what limits the requests."""
    return host_busy_fraction(rows) >= _HOST_BUSY


def mean_of_logs(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def fit_loop(rows: Sequence[Measured], wake_ms: float = 0.0) -> LoopFit:
    """The latency alone and the ceiling that fit all depths best, by squared errors of logarithms.

    Depths up to a knee tell the one, those beyond it the other; the knee is the one that fits best.
    Where no depth lies beyond, the ceiling is at least what the deepest row has.
    """
    found, host = [], host_times(rows, wake_ms)
    for knee in range(1, len(rows) + 1):
        flat, rising = rows[:knee], rows[knee:]
        alone = mean_of_logs([row.latency_ms for row in flat])
        most = mean_of_logs(rates_per_ms(rising, host)) if rising else max(rates_per_ms(flat, host))
        fit = LoopFit(alone, most, host)
        error = math.fsum(math.log(fit.at(r.depth_count) / r.latency_ms) ** 2 for r in rows)
        found.append((error, knee, fit))
    return min(found)[2]


def on_ceiling(alone_ms: float, rows: Sequence[Measured], wake_ms: float = 0.0) -> LoopFit:
    """A known latency alone, and the ceiling that all rows are taken to lie on."""
    host = host_times(rows, wake_ms)
    return LoopFit(alone_ms, mean_of_logs(rates_per_ms(rows, host)), host)


def rates_per_ms(rows: Sequence[Measured], host: HostTimes) -> list[float]:
    """Requests a millisecond that go around the loop in each row."""
    return [row.depth_count / (row.latency_ms + host.at(row.depth_count)) for row in rows]


def channels_of(fits: list[LoopFit]) -> int:
    """Channels that serve the ceilings of both directions, each until it has answered at least."""
    least = max((fit.alone_ms - fit.wait_ms) / (1 / fit.most_per_ms - fit.wait_ms) for fit in fits)
    return min(max(math.ceil(least - _ROUNDING), 1), _CHANNELS_MAX)
