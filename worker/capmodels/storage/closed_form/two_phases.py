"""Small writes of parity arrays in two phases: old data and parities read, then both written.

Each of the k = 1 + parities disks of a write reads; once the last has read, all write. A disk that
nobody else asked meanwhile has the sector coming back: the one that read last writes exactly a
turn later, the others after a wait that is uniform over a turn (its length is what passed since).
Where somebody else did, the write seeks like any other. Requests come at random, so of the time
T in which the slowest reads, a share E[exp(-rate T)] of disks is left alone, T as a gamma variable.

Second phases do not come at random: they find what came while they read. With requests (reads and
first phases) at a rate e, second phases at b, services R, S (the mean of second phases) and S_w (a
write that seeks), the wait of a request follows from the work that is there when it comes,

    W = (e E[R^2] / 2 + b E[S^2] / 2 + b W_2 S_w) / (1 - e R)

where a second phase joins behind requests; its own wait W_2 is the work that came to the disk in T,
(e R + b S_w) T, less what a disk that was done before the last has served since.

T is the slowest of k services, of which a share that is the load waits besides, exponentially. The
slowest of k such waits W / load exceeds their mean by W / load sum((1 - (1 - load)^i) / i) - W;
that of k services by their deviation times that of normal variables; the two add as squares. What
disks of a write have in common shortens both phases as Nelson and Tantawi have it, by the share of
arrivals at one disk that another one has too. Derived here; held to the simulator by its tests.

Reads, load and second phases take values or arrays of draws, the response of a write values alone.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple

from capmodels.amounts import TINY, at_least, expm1, largest, minimum
from capmodels.storage.drive.service import (
    Moments,
    fork_join_ms,
    mixed_moments,
)

# Up to this load writes are foretold; above it queues of a request's disks hang together.
MOST_LOAD = 0.7
ABOVE_LOAD = (
    f"Above a load of {MOST_LOAD:.0%} the closed form has no response of writes that read first: "
    "simulate."
)
_FULL = 0.999
_ROUNDS = 400
_SETTLED = 1e-13
_LONG = 1e6  # of services, that a wait of disks with too much to do is taken as


class Asked(NamedTuple):
    """Requests that come to one disk, and how many disks each write changes, of how many."""

    reads_per_ms: float
    writes_per_ms: float
    written_count: int
    disks_count: int

    @property
    def per_ms(self) -> float:
        """Reads and first phases together."""
        return self.reads_per_ms + self.writes_per_ms

    @property
    def common_fraction(self) -> float:
        """Share of what comes to one disk that another disk of the same request gets too."""
        if self.disks_count < 2:
            return 0.0
        with_it = (self.written_count - 1) / (self.disks_count - 1)
        return self.writes_per_ms / at_least(self.per_ms, TINY) * with_it


class Served(NamedTuple):
    """Service of a disk's reads and of its writes that seek, their fixed part, and its turn."""

    read: Moments
    write: Moments
    fixed_ms: float
    turn_ms: float


class TwoPhases(NamedTuple):
    """Second phases of an array, and waits at its disks. [ms]"""

    second: Moments
    load_fraction: float
    wait_ms: float
    alone_fraction: float  # of disks that nobody else asks within a write's first phase
    late_ms: float  # wait of the second phase on the disk that read last
    early_ms: float  # on the others
    slowest_ms: float  # first phase, of the slowest disk
    slowest_variance_ms2: float

    @property
    def overloaded(self) -> bool:
        """Whether the disks have more to do than there is time for."""
        return self.load_fraction >= _FULL


def two_phases(asked: Asked, served: Served) -> TwoPhases:
    """Find the share of disks left alone and the waits that agree; values, or draws together."""
    state = TwoPhases(served.write, 0.0, 0.0, 1.0, 0.0, 0.0, served.read.mean_ms, 0.0)
    for _ in range(_ROUNDS):
        before, state = state, _next(asked, served, state)
        moved = (
            _apart(old, new)
            for old, new in zip(before[1:7], state[1:7], strict=True)  # second follows alone
        )
        if max(moved) < _SETTLED:
            break
    return state


def _apart(old: float, new: float) -> float:
    """Largest change, relative to the new value."""
    change: Any = abs(new - old) / at_least(abs(new), 1.0)
    return float(largest(change))


def _second(written: int, served: Served, alone: float) -> Moments:
    """Time of a second phase: a turn, the rest of one, or a write that seeks."""
    turn_ms = served.turn_ms
    uniform = served.fixed_ms + turn_ms / 2
    last = Moments(turn_ms, turn_ms**2)
    other = Moments(uniform, uniform**2 + turn_ms**2 / 12)
    return mixed_moments(
        (
            (alone / written, last),
            (alone * (written - 1) / written, other),
            (1 - alone, served.write),
        )
    )


def _next(asked: Asked, served: Served, state: TwoPhases) -> TwoPhases:
    """One step towards waits and shares that agree."""
    read, seeks, many = served.read, served.write.mean_ms, asked.written_count
    requests, writes = asked.per_ms, asked.writes_per_ms
    second = _second(many, served, state.alone_fraction)
    load = requests * read.mean_ms + writes * second.mean_ms
    kept = minimum(load, _FULL)
    waiting = (state.late_ms + (many - 1) * state.early_ms) / many
    residual = (requests * read.mean_square_ms2 + writes * second.mean_square_ms2) / 2
    free = at_least(1 - requests * read.mean_ms, 1 - _FULL)
    # An overloaded disk waits without end: a bound keeps its numbers finite.
    wait = minimum((residual + writes * waiting * seeks) / free, _LONG * read.mean_ms)
    slowest = _slowest_ms(read, wait, kept * asked.common_fraction, kept, many)
    late = slowest * (requests * read.mean_ms + writes * seeks)
    before = many / (many - 1) * (slowest - wait - read.mean_ms)
    rate = requests + writes
    early = late + expm1(-rate * (slowest - before)) * before
    variance = read.variance_ms2 + wait**2 * (2 / at_least(kept, TINY) - 1)
    alone = _left_alone(rate, slowest, variance)
    return TwoPhases(second, load, wait, alone, late, at_least(early, 0.0), slowest, variance)


def _left_alone(rate_per_ms: float, mean_ms: float, variance_ms2: float) -> float:
    """Chance that none comes in a time that is a gamma variable: its Laplace transform."""
    return (1 + rate_per_ms * variance_ms2 / mean_ms) ** (-(mean_ms**2) / variance_ms2)


def _slowest_ms(
    service: Moments, wait_ms: float, common_fraction: float, load: float, parts: int
) -> float:
    """Mean of the slowest of so many services, each of which waits with a chance. [ms]"""
    waits = at_least(load, TINY)
    excess = wait_ms * (sum((1 - (1 - waits) ** i) / i for i in range(1, parts + 1)) / waits - 1)
    excess = excess * (1 - _shared(common_fraction, parts))
    least = at_least(service.variance_ms2, 0.0) * _most_of(parts) ** 2
    return service.mean_ms + wait_ms + (least + excess**2) ** 0.5


@lru_cache(maxsize=64)
def _most_of(parts: int) -> float:
    """Mean of the largest of so many standard normal variables (Blom 1958)."""
    return NormalDist().inv_cdf((parts - 0.375) / (parts + 0.25)) if parts > 1 else 0.0


def _shared(common_fraction: float, parts: int) -> float:
    """How much of the excess of the slowest goes where so much comes to all of them."""

    def excess(load: float) -> float:
        return fork_join_ms(
            response_mean_ms=0.0, response_sd_ms=1.0, load_fraction=load, parts_count=parts
        )

    return 1 - excess(common_fraction) / excess(0.0)


def write_ms(asked: Asked, served: Served, found: TwoPhases) -> float | None:
    """Response of a write: the slowest first phase, then the slowest second one. [ms]

    None above the load up to which it holds. Another write asks several disks of this one at once,
    so that all are left alone more often than each by itself would have it.
    """
    if found.load_fraction > MOST_LOAD:
        return None
    many, disks, turn_ms = asked.written_count, asked.disks_count, served.turn_ms
    hit = 1 - math.comb(disks - many, many) / math.comb(disks, many)
    writes = asked.writes_per_ms * disks / many
    rate = asked.reads_per_ms * many + 2 * writes * hit
    quiet = _left_alone(rate, found.slowest_ms, found.slowest_variance_ms2)
    undisturbed = turn_ms + (many - 1) * served.fixed_ms**2 / (2 * turn_ms)
    asked_too = 1 - found.alone_fraction
    if asked_too <= 0 or quiet >= 1:
        return found.slowest_ms + undisturbed
    among = _disturbed_ms(asked, served, found, many * asked_too / (1 - quiet))
    return found.slowest_ms + quiet * undisturbed + (1 - quiet) * among


def _disturbed_ms(asked: Asked, served: Served, found: TwoPhases, parts: float) -> float:
    """Slowest second phase where some disks were asked meanwhile, so many of them. [ms]"""
    many, load, asked_too = asked.written_count, found.load_fraction, 1 - found.alone_fraction
    waiting = (found.late_ms + (many - 1) * found.early_ms) / many / asked_too
    apart = ((found.late_ms - found.early_ms) / asked_too) ** 2 * (many - 1) / many**2
    variance = load * waiting**2 + (1 - load) * served.read.variance_ms2 + apart
    spread = math.sqrt(max(variance + served.write.variance_ms2, 0.0))
    fewer = min(max(int(parts), 1), many - 1)
    share = min(max(parts - fewer, 0.0), 1.0)

    def slowest_of(count: int) -> float:
        return fork_join_ms(
            response_mean_ms=waiting + served.write.mean_ms,
            response_sd_ms=spread,
            load_fraction=load * asked.common_fraction,
            parts_count=count,
        )

    return (1 - share) * slowest_of(fewer) + share * slowest_of(fewer + 1)
