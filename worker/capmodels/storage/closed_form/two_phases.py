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

where a second phase joins behind requests; its own wait W_2 is in ``second_waits``.

T is the slowest of k services, each with its wait, see ``slowest``. What other writes bring to
several disks of a write at once (``common_disks``), both phases of it, shortens by its share what
the slowest takes longer. Derived here; held to the simulator by its tests.

Reads, load and second phases take values or arrays of draws, the response of a write values alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.amounts import TINY, at_least, largest, minimum
from capmodels.numbers import percent
from capmodels.storage.closed_form.common_disks import meeting_fraction
from capmodels.storage.closed_form.second_waits import FirstPhase, no_arrival, second_waits_ms
from capmodels.storage.closed_form.slowest import harmonic, shared_fraction, slowest_moments
from capmodels.storage.drive.service import Moments, mixed_moments
from capmodels.worked import kept, records

if TYPE_CHECKING:
    from capmodels.storage.closed_form.small_writes import Asked, Served

# Up to this load writes are foretold; above it queues of a request's disks hang together.
MOST_LOAD = 0.7
ABOVE_LOAD = (
    f"Above a load of {percent(MOST_LOAD)} the closed form has no response of writes that read "
    "first: simulate."
)
_FULL = 0.999
_ROUNDS = 400
_SETTLED = 1e-13
_MOST_RATIO = 0.98  # of a step by the one before, that is followed to its limit
_KEPT = 32  # answers, of up to some 700 kB with 10,000 draws
_LONG = 1e6  # of services, that a wait of disks with too much to do is taken as


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


class _Question:
    """Rates and services of which two are equal where all their values are, arrays also."""

    def __init__(self, asked: Asked, served: Served) -> None:
        self.asked, self.served = asked, served
        self._key = (*map(_bytes_of, asked), served)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self._key == other._key


def _bytes_of(value: Any) -> Any:
    """Return a number, or an array's shape and bytes."""
    return (value.shape, value.tobytes()) if hasattr(value, "tobytes") else value


@records
def two_phases(asked: Asked, served: Served) -> TwoPhases:
    """Find the share of disks left alone and the waits that agree; values, or draws together.

    Kept while the rates are the same: a slider, a bar or a break-even seldom moves the load.
    """
    return _kept(_Question(asked, served))


@kept(_KEPT)
def _kept(question: _Question) -> TwoPhases:
    return _settled(question.asked, question.served)


def _settled(asked: Asked, served: Served) -> TwoPhases:
    """Take steps until shares and waits agree."""
    state = TwoPhases(served.write, 0.0, 0.0, 1.0, 0.0, 0.0, served.read.mean_ms, 0.0)
    steps = [state]
    for _ in range(_ROUNDS):
        before, state = state, _next(asked, served, state)
        moved = (
            _apart(old, new)
            for old, new in zip(before[1:7], state[1:7], strict=True)  # second follows alone
        )
        if max(moved) < _SETTLED:
            break
        steps.append(state)
        if len(steps) == 3:
            state = _ahead(*steps)
            steps = [state]
    return state


def _ahead(first: TwoPhases, second: TwoPhases, third: TwoPhases) -> TwoPhases:
    """Where three steps lead to if they go on in the same ratio (Aitken 1926)."""

    def limit(one: float, two: float, three: float) -> float:
        last, earlier = three - two, two - one
        ratio = minimum(at_least(last * earlier / (earlier * earlier + TINY), 0.0), _MOST_RATIO)
        return three + last * ratio / (1 - ratio)

    late = at_least(limit(first.late_ms, second.late_ms, third.late_ms), 0.0)
    early = at_least(limit(first.early_ms, second.early_ms, third.early_ms), 0.0)
    alone = limit(first.alone_fraction, second.alone_fraction, third.alone_fraction)
    alone = minimum(at_least(alone, 0.0), 1.0)
    return third._replace(late_ms=late, early_ms=early, alone_fraction=alone)


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
    slowest, variance = slowest_moments(read, wait, kept, many)
    apart = slowest - read.mean_ms - wait
    slowest = slowest - apart * asked.common_fraction * shared_fraction(many)
    late, early = second_waits_ms(asked, served, FirstPhase(kept, wait, slowest, variance))
    alone = no_arrival(requests + writes, slowest, variance)
    return TwoPhases(second, load, wait, alone, late, early, slowest, variance)


def write_ms(asked: Asked, served: Served, found: TwoPhases) -> float | None:
    """Response of a write: the slowest first phase, then the slowest second one. [ms]

    None above the load up to which it holds. Another write asks several disks of this one at once,
    so that all are left alone more often than each by itself would have it.
    """
    if found.load_fraction > MOST_LOAD:
        return None
    (many, disks), turn_ms = asked.disks, served.turn_ms
    hit = meeting_fraction(many, disks, declustered=asked.declustered)
    writes = asked.writes_per_ms * disks / many
    rate = asked.reads_per_ms * many + 2 * writes * hit
    quiet = no_arrival(rate, found.slowest_ms, found.slowest_variance_ms2)
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
    idle = (1 - load) ** 2
    variance = (1 - idle) * waiting**2 + idle * served.read.variance_ms2 + apart
    spread = math.sqrt(max(variance + served.write.variance_ms2, 0.0))
    fewer = min(max(int(parts), 1), many - 1)
    share = min(max(parts - fewer, 0.0), 1.0)

    def slowest_of(count: int) -> float:
        shared = asked.common_fraction * shared_fraction(count)
        return waiting + served.write.mean_ms + spread * (harmonic(count) - 1) * (1 - shared)

    return (1 - share) * slowest_of(fewer) + share * slowest_of(fewer + 1)
