"""The rate of a rebuild beside requests, in closed form: one piece after another, as simulated.

A piece of what is lost is read from all survivors at once, and the next one begins when the slowest
has read it, and not before the rate as entered allows. On each survivor it waits for what is there,
V, and takes S: a seek where a request came since the piece before, else, where all survivors read
every piece, none and no turn. Requests that come meanwhile, U ms of work each ms, wait behind it:

    V' = E[work left of U (V + S), after the time g until the slowest is done]
       = U (V + S) - (1 - U) g + E[exp(-z U (V + S))] / z,   z = 1 / g + r (1 - E[exp(-z B)])

with g as an exponential time, B a request's service and r their rate (from the martingale of Kella
and Whitt 1992); the chance that a piece waits is that work is left. The
slowest of the survivors is `slowest.slowest_moments`. With several parities one disk is asked more
than the others (it reads for all that was lost), and the slowest is the later of it and of the
slowest of the rest, as normal variables (Clark 1961).

Derived, with no constant fitted. Up to 0.96 of the time of the disk that is asked most it comes
within 20% of rebuilds simulated to their end (``test_rebuild_rate.py``); near all of it a rebuild
hardly gets on, and no rate is said.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import percent
from capmodels.storage.closed_form.second_waits import no_arrival
from capmodels.storage.closed_form.slowest import slowest_moments
from capmodels.storage.drive.service import (
    Moments,
    mixed_moments,
    revolution_ms,
    steady_moments,
    transfer_ms,
)
from capmodels.storage.drive.times import (
    fixed_ms,
    link_ms,
    read_answer_ms,
    read_busy_ms,
    service_moments,
    write_busy_ms,
)
from capmodels.storage.simulator.layout import REBUILD_PIECE_BYTES

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import Drive, HardDisk

_ROUNDS, _SETTLED = 100, 1e-4
_ROOT_ROUNDS = 8
# Share of the busiest disk's time that requests may ask.
MOST_LOAD = 0.98
_LEAST = 1e-9


def unknown_words(load: float, what: str = "drive") -> str:
    """Why no time of a rebuild is said, and what is unknown with it."""
    return (
        f"With drives lost, requests alone take {percent(load)} of the busiest {what}'s time: how "
        "long rebuilds take, and so how safe data are, is unknown."
    )


def bound_words(load: float) -> str:
    """What a time that is too short is, and what follows from it."""
    return (
        f"With a drive lost, requests take {percent(load)} of the drives' time: a rebuild takes at "
        "least as long as said, and data are at most as safe."
    )


class Survivors(NamedTuple):
    """Disks that read each piece, of how many left, and what requests ask of them on average."""

    reading_count: int
    left_count: int
    requests_per_ms: float
    request: Moments
    busiest_ratio: float = 1.0  # what the disk that is asked most is asked, over the mean

    @property
    def busiest_load(self) -> float:
        """Share of its time that requests ask of the disk that is asked most."""
        return self.requests_per_ms * self.request.mean_ms * self.busiest_ratio


class _Alike(NamedTuple):
    """Disks that read a piece and are asked alike."""

    disks_count: int
    requests_per_ms: float


class _Queue(NamedTuple):
    """Work before a piece on one disk, and the chance that there is any. [ms]"""

    before_ms: float
    waits_fraction: float


@lru_cache(maxsize=256)
def rebuild_rate_mb_per_s(
    drive: Drive, survivors: Survivors, entered_mb_per_s: float
) -> float | None:
    """Rate at which a lost disk is rebuilt beside the requests, at most as entered. [MB/s]

    None where requests leave a disk next to no time. A disk whose seek has no three points
    keeps the rate as entered. Of flash pieces are alike, and written in no less than a write takes;
    beside several channels, over which requests are taken, none waits.
    """
    load = survivors.busiest_load
    if load > MOST_LOAD:
        return None
    gap = transfer_ms(REBUILD_PIECE_BYTES, entered_mb_per_s)
    pieces = _pieces(drive, survivors)
    if pieces is None:
        return entered_mb_per_s
    piece = pieces[0]
    if drive.kind == "ssd":
        passed = link_ms(drive, REBUILD_PIECE_BYTES, write=True)
        gap = max(gap, passed + write_busy_ms(drive, REBUILD_PIECE_BYTES))
        if drive.channels_count > 1:
            own = read_busy_ms(drive, REBUILD_PIECE_BYTES) / drive.channels_count
            return transfer_ms(REBUILD_PIECE_BYTES, max(gap, piece.mean_ms, own / (1 - load)))
    kinds, step = _kinds(survivors), max(gap, piece.mean_ms)
    queues = [_Queue(0.0, kind.requests_per_ms * survivors.request.mean_ms) for kind in kinds]
    for _ in range(_ROUNDS):
        before = [step, *itertools.chain(*queues)]
        step, queues = _next(survivors, (kinds, queues), pieces, (gap, step))
        after = [step, *itertools.chain(*queues)]
        if max(abs(new - old) for new, old in zip(after, before, strict=True)) < _SETTLED * gap:
            break
    return transfer_ms(REBUILD_PIECE_BYTES, step)


def _kinds(survivors: Survivors) -> list[_Alike]:
    """The disk that is asked most, and the others; all in one where they are asked alike."""
    mean, ratio, left = survivors.requests_per_ms, survivors.busiest_ratio, survivors.left_count
    if ratio == 1:
        return [_Alike(survivors.reading_count, mean)]
    others = mean * (left - ratio) / (left - 1)
    return [_Alike(1, mean * ratio), _Alike(survivors.reading_count - 1, others)]


def _pieces(drive: Drive, survivors: Survivors) -> tuple[Moments, Moments] | None:
    """A piece after a request, and one that follows a piece."""
    if drive.kind == "ssd":
        alike = steady_moments(read_answer_ms(drive, REBUILD_PIECE_BYTES))
        return alike, alike
    sought = service_moments(drive, REBUILD_PIECE_BYTES)
    return None if sought is None else (sought, _on(drive, survivors))


def _on(drive: HardDisk, survivors: Survivors) -> Moments:
    """A piece that follows the one before: a turn is lost where a disk was left out of that."""
    once = fixed_ms(drive, REBUILD_PIECE_BYTES)
    if survivors.reading_count == survivors.left_count:
        return Moments(once, once * once)
    turn = revolution_ms(drive.speed_rpm)
    mean = once + turn / 2
    return Moments(mean, mean * mean + turn**2 / 12)


def _next(
    survivors: Survivors,
    asked: tuple[list[_Alike], list[_Queue]],
    pieces: tuple[Moments, Moments],
    gaps: tuple[float, float],
) -> tuple[float, list[_Queue]]:
    """Time from piece to piece, and the queues before it, after so much of it before."""
    gap, before = gaps
    kinds, queues = asked
    found, busy = list[Moments](), list[Moments]()
    for kind, queue in zip(kinds, queues, strict=True):
        sought = -math.expm1(-kind.requests_per_ms * before)
        piece = mixed_moments([(sought, pieces[0]), (1 - sought, pieces[1])])
        mean, variance = slowest_moments(piece, *queue, kind.disks_count)
        found.append(Moments(mean, mean**2 + max(variance, 0.0)))
        busy.append(piece)
    slowest = found[-1]
    if len(found) > 1:
        # Survivors are left out in turn, the one that is asked most among them.
        share = survivors.reading_count / survivors.left_count
        slowest = mixed_moments([(share, _later(*found)), (1 - share, slowest)])
    step = _later(Moments(gap, gap * gap), slowest).mean_ms
    return step, [
        _left(survivors, rate, queue, piece, step)
        for (_, rate), queue, piece in zip(kinds, queues, busy, strict=True)
    ]


def _left(survivors: Survivors, rate: float, queue: _Queue, piece: Moments, step: float) -> _Queue:
    """Queue before the next piece of a disk that is asked at a rate."""
    if rate == 0:
        return _Queue(0.0, 0.0)
    request, (before, waits) = survivors.request, queue
    load, busy = rate * request.mean_ms, before + piece.mean_ms
    gap = max(step - busy, _LEAST)
    left = load * busy
    spread = rate * request.mean_square_ms2 * busy + load**2 * (
        piece.variance_ms2 + before**2 * (2 / max(waits, _LEAST) - 1)
    )
    coming = 0.0
    for _ in range(_ROOT_ROUNDS):
        no_request = no_arrival(1 / gap + coming, request.mean_ms, request.variance_ms2)
        coming = rate * (1 - no_request)
    root = 1 / gap + coming
    idle = no_arrival(root, left, spread) / root
    after = max(left - (1 - load) * gap + idle, 0.0)
    # Half of the way: whole steps swing about the end.
    return _Queue((before + after) / 2, (waits + min(1 - idle / gap, 1.0)) / 2)


def _later(one: Moments, other: Moments) -> Moments:
    """The later of two normal variables (Clark 1961)."""
    apart = math.sqrt(max(one.variance_ms2, 0.0) + max(other.variance_ms2, 0.0))
    if apart == 0:
        return max(one, other)
    away = (one.mean_ms - other.mean_ms) / apart
    below = math.erfc(-away / math.sqrt(2)) / 2
    more = apart * math.exp(-away * away / 2) / math.sqrt(2 * math.pi)
    mean = one.mean_ms * below + other.mean_ms * (1 - below) + more
    square = one.mean_square_ms2 * below + other.mean_square_ms2 * (1 - below)
    return Moments(mean, square + (one.mean_ms + other.mean_ms) * more)
