"""How long second phases of small writes wait, on the disk that read last and on the others. [ms]

With requests (reads and first phases) at a rate e, second phases at b, services R and S_w (a write
that seeks) the work that comes to a disk in a time t is (e R + b S_w) t.

The disk that read last has served none of what came in T, the time of the slowest. More second
phases than b T are among it: it read last, mostly, because its queue was longer, by (T - W - R) of
which the wait's share in the variance counts, and of what stood there b / load for each ms were
first phases of other writes, whose second ones come before this write's with the chance 1 - load.

The others began with what came until they had read, less as much of second phases as the last one
has more (half of 1 - load / 2 of it; the rest comes while they wait), and went on for the time g
until the last had read. Work V of a queue that begins with v, after an exponential time of mean g:

    E[V] = v - (1 - e R - b S_w) g + E[exp(-z v)] / z,   z = 1 / g + (e + b) (1 - E[exp(-z S)])

(from the martingale of Kella and Whitt 1992), services and times as gamma variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import TINY, at_least, maximum
from capmodels.storage.closed_form.slowest import wait_variance_ms2

if TYPE_CHECKING:
    from capmodels.storage.closed_form.small_writes import Asked, Served

# Where nothing is asked of a disk, or all take the same time, figures stay finite by these.
_LEAST_MS, _LEAST_VARIATION = 1e-12, 1e-8
# The root z comes nearer by a factor below the load, times the chance to end within z.
_ROUNDS = 5


class FirstPhase(NamedTuple):
    """First phases of a write: load of a disk, wait of each, mean and variance of the slowest."""

    load_fraction: float
    wait_ms: float
    slowest_ms: float
    slowest_variance_ms2: float


def no_arrival(rate_per_ms: float, mean_ms: float, variance_ms2: float) -> float:
    """Chance that none comes in a time that is a gamma variable: its Laplace transform.

    >>> no_arrival(2.0, 0.0, 0.0), round(no_arrival(1.0, 2.0, 0.0), 6)
    (1.0, 0.135335)
    """
    mean = at_least(mean_ms, _LEAST_MS)
    variance = maximum(variance_ms2, _LEAST_VARIATION * mean**2)
    return (1 + rate_per_ms * variance / mean) ** (-(mean**2) / variance)


def second_waits_ms(asked: Asked, served: Served, first: FirstPhase) -> tuple[float, float]:
    """Mean wait of a second phase on the disk that read last, and on one of the others. [ms]"""
    read, seeks, load = served.read, served.write.mean_ms, first.load_fraction
    others = asked.written_count - 1
    variance = wait_variance_ms2(first.wait_ms, load)
    excess = first.slowest_ms - first.wait_ms - read.mean_ms
    longer = excess * variance / (variance + read.variance_ms2)
    due = longer * asked.writes_per_ms / at_least(load, TINY) * seeks
    work = asked.per_ms * read.mean_ms + asked.writes_per_ms * seeks
    late = first.slowest_ms * work + due * (1 - load)
    gap = at_least(excess * (others + 1) / others, _LEAST_MS)
    own = first.slowest_ms - gap
    begins = own * work - due * (2 - load) / 4 / others
    root, coming = _root(asked, served, work, gap)
    idle = no_arrival(coming, own, variance + read.variance_ms2)
    return late, at_least(begins - (1 - work) * gap + idle / root, 0.0)


def _root(asked: Asked, served: Served, work: float, gap: float) -> tuple[float, float]:
    """The root z, and the rate of those that would not end within it. [1/ms]"""
    rate, variance = asked.per_ms + asked.writes_per_ms, served.read.variance_ms2
    mean = work / at_least(rate, TINY)
    coming = 0.0 * rate
    for _ in range(_ROUNDS):
        coming = rate * (1 - no_arrival(1 / gap + coming, mean, variance))
    return 1 / gap + coming, coming
