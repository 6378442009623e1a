"""The rate of a rebuild beside requests, in closed form: one piece after another, as simulated.

A piece of what is lost is read from all survivors at once, and the next one begins when the slowest
has read it, and not before the rate as entered allows. On each survivor it waits for what is there,
V, and takes S: a seek where a request came since the piece before, else, where all survivors read
every piece, none and no turn. Requests that come meanwhile, U ms of work each ms, wait behind it:

    V' = E[work left of U (V + S), after the time g until the slowest is done]
       = U (V + S) - (1 - U) g + E[exp(-z U (V + S))] / z,   z = 1 / g + r (1 - E[exp(-z B)])

with g as an exponential time, B a request's service and r their rate (from the martingale of Kella
and Whitt 1992); the chance that a piece waits is that work is left. The
slowest of the survivors is `slowest.slowest_moments`. Derived, with no constant fitted; how near it
comes to the simulator is in ``test_rebuild_rate.py``.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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
MOST_LOAD = 0.95
# Share of the drives' time that requests ask, above which simulated rebuilds take longer than said.
BELIEVED_LOAD = 0.6
_LEAST = 1e-9


class Survivors(NamedTuple):
    """Disks that read each piece, of how many left, and what requests ask of each of them."""

    reading_count: int
    left_count: int
    requests_per_ms: float
    request: Moments


class _State(NamedTuple):
    """Work before a piece, the chance that there is any, and the time from piece to piece. [ms]"""

    before_ms: float
    waits_fraction: float
    step_ms: float


@lru_cache(maxsize=256)
def rebuild_rate_mb_per_s(drive: Drive, survivors: Survivors, entered_mb_per_s: float) -> float:
    """Rate at which a lost disk is rebuilt beside the requests, at most as entered. [MB/s]

    Requests are taken to leave it a twentieth of the time, so that it ends. A disk whose seek has
    no three points keeps the rate as entered. Of flash pieces are alike, and written in no less
    than a write takes; beside several channels, over which requests are taken, none waits.
    """
    gap = transfer_ms(REBUILD_PIECE_BYTES, entered_mb_per_s)
    pieces = _pieces(drive, survivors)
    if pieces is None:
        return entered_mb_per_s
    piece = pieces[0]
    load = survivors.requests_per_ms * survivors.request.mean_ms
    if load > MOST_LOAD:
        kept = survivors.requests_per_ms * MOST_LOAD / load
        survivors, load = survivors._replace(requests_per_ms=kept), MOST_LOAD
    if drive.kind == "ssd":
        passed = link_ms(drive, REBUILD_PIECE_BYTES, write=True)
        gap = max(gap, passed + write_busy_ms(drive, REBUILD_PIECE_BYTES))
        if drive.channels_count > 1:
            own = read_busy_ms(drive, REBUILD_PIECE_BYTES) / drive.channels_count
            return transfer_ms(REBUILD_PIECE_BYTES, max(gap, piece.mean_ms, own / (1 - load)))
    state = _State(0.0, load, max(gap, piece.mean_ms))
    for _ in range(_ROUNDS):
        found = _next(survivors, state, pieces, gap)
        if max(abs(new - old) for new, old in zip(found, state, strict=True)) < _SETTLED * gap:
            break
        state = found
    return transfer_ms(REBUILD_PIECE_BYTES, state.step_ms)


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
    survivors: Survivors, state: _State, pieces: tuple[Moments, Moments], gap_ms: float
) -> _State:
    rate, request = survivors.requests_per_ms, survivors.request
    load = rate * request.mean_ms
    before, waits, step = state
    sought = -math.expm1(-rate * step)
    piece = mixed_moments([(sought, pieces[0]), (1 - sought, pieces[1])])
    slowest, variance = slowest_moments(piece, before, waits, survivors.reading_count)
    step = _later(gap_ms, slowest, math.sqrt(max(variance, 0.0)))
    if load == 0:
        return _State(0.0, 0.0, step)
    busy = before + piece.mean_ms
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
    return _State((before + after) / 2, (waits + min(1 - idle / gap, 1.0)) / 2, step)


def _later(least: float, mean: float, deviation: float) -> float:
    """Mean of the later of a fixed time and a normal variable."""
    if deviation == 0:
        return max(least, mean)
    away = (least - mean) / deviation
    below = math.erfc(-away / math.sqrt(2)) / 2
    density = math.exp(-away * away / 2) / math.sqrt(2 * math.pi)
    return least * below + mean * (1 - below) + deviation * density
