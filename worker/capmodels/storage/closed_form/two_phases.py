"""Small writes of parity arrays in two phases: old data and parities read, then both written.

Each of the k = 1 + parities disks of a write reads; once the last has read, all write. A disk that
nobody else asked meanwhile has the sector coming back: the one that read last writes exactly a
turn later, the others after a wait that is uniform over a turn (its length is what passed since).
Where somebody else did, the write seeks like any other. Requests come at random, so of the time
T in which the slowest reads, a share exp(-rate T) of disks is left alone.

Second phases do not come at random: they find what came while they read. With requests (reads and
first phases) at a rate e, second phases at b, services R, S (the mean of second phases) and S_w (a
write that seeks), the wait of a request follows from the work that is there when it comes,

    W = (e E[R^2] / 2 + b E[S^2] / 2 + b W_2 S_w) / (1 - e R)

where a second phase joins behind requests; its own wait W_2 is the work that came to the disk in T,
(e R + b S_w) T, less what a disk that was done before the last has served since. Slowest of k:
Nelson and Tantawi, as ``fork_join_ms``. Derived here; held to the simulator by its tests.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.drive.service import (
    MS_PER_S,
    Moments,
    fork_join_ms,
    mixed_moments,
    waiting_variance_ms2,
)

if TYPE_CHECKING:
    from capmodels.storage.closed_form.mixed_service import Service

# Up to this load writes are foretold; above it queues of a request's disks hang together.
MOST_LOAD = 0.6
_FULL = 0.999
_ROUNDS = 200


class Asked(NamedTuple):
    """Requests to an array, the share of reads, its disks, and those that a write changes."""

    rate_per_s: float
    read_fraction: float
    disks_count: int
    written_count: int

    @property
    def reads_per_ms(self) -> float:
        """Reads that come to one disk."""
        return self.rate_per_s / MS_PER_S * self.read_fraction / self.disks_count

    @property
    def writes_per_ms(self) -> float:
        """Writes that come to one disk, each once."""
        writes = self.rate_per_s / MS_PER_S * (1 - self.read_fraction)
        return writes * self.written_count / self.disks_count


class TwoPhases(NamedTuple):
    """Second phases of an array that keeps up, and waits at its disks. [ms]"""

    second: Moments
    load_fraction: float
    wait_ms: float
    write_ms: float | None  # response of a write; None above the load up to which it holds


class _State(NamedTuple):
    alone: float = 1.0  # share of disks that nobody else asks within a write's first phase
    wait_ms: float = 0.0
    late_ms: float = 0.0  # wait of the second phase on the disk that read last
    early_ms: float = 0.0  # on the others
    slowest_ms: float = 0.0  # first phase, of the slowest disk


def two_phases(asked: Asked, service: Service, turn_ms: float) -> TwoPhases | None:
    """Find the share of disks left alone and the waits that agree; None when overloaded."""
    state = _State()
    for _ in range(_ROUNDS):
        found = _next(asked, service, turn_ms, state)
        if found is None:
            return None
        state = _State(*(0.5 * (old + new) for old, new in zip(state, found, strict=True)))
    second = _second(asked.written_count, service, turn_ms, state.alone)
    load = _load(asked, service, second)
    write = _write_ms(asked, service, turn_ms, (state, load)) if load <= MOST_LOAD else None
    return TwoPhases(second, load, state.wait_ms, write)


def _second(written: int, service: Service, turn_ms: float, alone: float) -> Moments:
    """Time of a second phase: a turn, the rest of one, or a write that seeks."""
    passing = service.fixed_ms
    uniform = passing + turn_ms / 2
    last = Moments(turn_ms, turn_ms**2)
    other = Moments(uniform, uniform**2 + turn_ms**2 / 12)
    return mixed_moments(
        (
            (alone / written, last),
            (alone * (written - 1) / written, other),
            (1 - alone, service.write),
        )
    )


def _load(asked: Asked, service: Service, second: Moments) -> float:
    requests = asked.reads_per_ms + asked.writes_per_ms
    return requests * service.read.mean_ms + asked.writes_per_ms * second.mean_ms


def _next(asked: Asked, service: Service, turn_ms: float, state: _State) -> _State | None:
    """One step towards waits and shares that agree."""
    read, seeks, many = service.read, service.write.mean_ms, asked.written_count
    requests, writes = asked.reads_per_ms + asked.writes_per_ms, asked.writes_per_ms
    second = _second(many, service, turn_ms, state.alone)
    load = _load(asked, service, second)
    if load >= _FULL:
        return None
    waiting = (state.late_ms + (many - 1) * state.early_ms) / many
    residual = (requests * read.mean_square_ms2 + writes * second.mean_square_ms2) / 2
    wait = (residual + writes * waiting * seeks) / (1 - requests * read.mean_ms)
    spread = math.sqrt(max(read.variance_ms2, 0.0) + waiting_variance_ms2(wait, load))
    slowest = fork_join_ms(
        response_mean_ms=wait + read.mean_ms,
        response_sd_ms=spread,
        load_fraction=load,
        parts_count=many,
    )
    late = slowest * (requests * read.mean_ms + writes * seeks)
    before = many / (many - 1) * (slowest - wait - read.mean_ms)
    rate = requests + writes
    early = late + math.expm1(-rate * (slowest - before)) * before
    return _State(math.exp(-rate * slowest), wait, late, max(early, 0.0), slowest)


def _write_ms(asked: Asked, service: Service, turn_ms: float, at: tuple[_State, float]) -> float:
    """Response of a write: the slowest first phase, then the slowest second one. [ms]

    Another write asks several disks of this one at once, so that all are left alone more often
    than each by itself would have it.
    """
    (state, load), many, disks = at, asked.written_count, asked.disks_count
    hit = 1 - math.comb(disks - many, many) / math.comb(disks, many)
    requests = asked.rate_per_s / MS_PER_S
    reads = requests * asked.read_fraction * many / disks
    writes = 2 * requests * (1 - asked.read_fraction) * hit
    quiet = math.exp(-state.slowest_ms * (reads + writes))
    passing = service.fixed_ms
    undisturbed = turn_ms + (many - 1) * passing**2 / (2 * turn_ms)
    asked_too = 1 - state.alone
    if asked_too <= 0 or quiet >= 1:
        return state.slowest_ms + undisturbed
    waiting = (state.late_ms + (many - 1) * state.early_ms) / many / asked_too
    apart = ((state.late_ms - state.early_ms) / asked_too) ** 2 * (many - 1) / many**2
    variance = load * waiting**2 + (1 - load) * service.read.variance_ms2 + apart
    spread = math.sqrt(max(variance + service.write.variance_ms2, 0.0))
    mean = waiting + service.write.mean_ms
    disturbed = many * asked_too / (1 - quiet)
    fewer = min(max(int(disturbed), 1), many - 1)
    share = min(disturbed - fewer, 1.0)

    def slowest_of(parts: int) -> float:
        return fork_join_ms(
            response_mean_ms=mean, response_sd_ms=spread, load_fraction=load, parts_count=parts
        )

    among = (1 - share) * slowest_of(fewer) + share * slowest_of(fewer + 1)
    return state.slowest_ms + quiet * undisturbed + (1 - quiet) * among
