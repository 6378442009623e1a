"""Calibrating a drive: overheads from measured service times, and how well the model then fits.

The demerit figure is the root-mean-square horizontal distance between the distributions of
measured and modelled service times (Ruemmler and Wilkes 1994), as a share of the measured mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from capmodels.rng import streams
from capmodels.storage.simulator import spindle_slots as d
from capmodels.storage.simulator.on_board import OnBoardCache, setting_of, start_here
from capmodels.storage.simulator.spindle_kernel import Spindle, replay

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.simulator.track_map import TrackMap

_ROUNDS = 4
LEAST_OF_A_CLASS = 20
MISSES = (d.MISS_AFTER_READ, d.MISS_AFTER_WRITE, d.MISS_NEAR)
# What a class takes when too few of its requests were seen: as another, in this order.
_LIKE = (
    (d.HIT_IN_STREAM, d.HIT_AFTER_READ),
    (d.HIT_AFTER_READ, d.HIT_IN_STREAM),
    (d.HIT_AFTER_WRITE, d.HIT_AFTER_READ),
    (d.MISS_NEAR, d.MISS_AFTER_READ),
    (d.WRITE_SEQUENTIAL, d.WRITE_AFTER_WRITE),
    (d.WRITE_NEAR_WRITE, d.WRITE_AFTER_WRITE),
    (d.WRITE_NEAR_READ, d.WRITE_AFTER_READ),
)
_CLOSE_MS = 0.02
_FOLLOWED_ROUNDS = 10
_STEP = 0.7  # of a miss's mean error that a round takes away
_SAME_ANGLE = 0.12  # of a turn by which a miss at its angle may be off
_CACHED = (d.HIT_IN_STREAM, d.HIT_AFTER_READ, d.HIT_AFTER_WRITE)
_WRITES = range(d.WRITE_SEQUENTIAL, d.CLASS_COUNT)


@dataclass(frozen=True)
class Mechanics:
    """A drive's platter and arm; ``seeks_ms`` by distance in cylinders from 0 on.

    Where ``angles_known`` is not set, skews are known too coarsely for an angle on another
    cylinder: it is then drawn anew after each seek.
    """

    tracks: TrackMap
    seeks_ms: NDArray[np.float64]
    turn_ms: float
    head_switch_ms: float
    write_settle_ms: float
    cache: OnBoardCache
    angles_known: bool = True


@dataclass(frozen=True)
class Measured:
    """A closed loop: requests (sector, sectors, write), service and think time of each. [ms]"""

    ops: NDArray[np.int64]
    service_ms: NDArray[np.float64]
    thinks_ms: NDArray[np.float64]


def demerit_fraction(measured_ms: NDArray[np.float64], modelled_ms: NDArray[np.float64]) -> float:
    """Root-mean-square distance between two distributions, over the measured mean.

    The modelled times may be several times as many as the measured ones.

    >>> demerit_fraction(np.array([1.0, 3.0]), np.array([2.0, 4.0]))
    0.5
    """
    ours = np.sort(modelled_ms).reshape(len(measured_ms), -1).mean(axis=1)
    gaps = np.sort(measured_ms) - ours
    return float(math.sqrt((gaps * gaps).mean()) / measured_ms.mean())


def _spindle(drive: Mechanics, costs: NDArray[np.float64]) -> Spindle:
    here = np.zeros(d.HERE_COUNT, dtype=np.int64)
    start_here(here)
    segments = np.full((drive.cache.segments_count, 3), -1, dtype=np.int64)
    return Spindle(
        tracks=drive.tracks.tracks,
        angles=drive.tracks.angles,
        seeks=drive.seeks_ms,
        setting=setting_of(
            drive.cache,
            turn_ms=drive.turn_ms,
            head_switch_ms=drive.head_switch_ms,
            write_settle_ms=drive.write_settle_ms,
        ),
        costs=costs,
        segments=segments,
        arcs=np.zeros((len(segments), 2)),
        ages=np.zeros(len(segments)),
        clock=np.zeros(d.CLOCK_COUNT),
        here=here,
    )


def modelled(
    drive: Mechanics,
    measured: Measured,
    costs: NDArray[np.float64],
    *,
    runs_count: int = 1,
    seed: int = 1,
    held: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Service times and classes of the measured requests, shape (runs, requests). [ms]

    Runs differ in what is not known and drawn. ``held``: each request starts when it did, whatever
    the model says of the one before; for fitting.
    """
    times, kinds = [], []
    hold = measured.service_ms if held else np.empty(0)
    for rng in streams(seed, runs_count):
        unknown = rng.random((len(measured.ops), 2))
        unknown[:, 0] *= 0.0 if drive.angles_known else drive.turn_ms
        one, kind = replay(_spindle(drive, costs), measured.ops, measured.thinks_ms, unknown, hold)
        times.append(one)
        kinds.append(kind)
    return np.array(times), np.array(kinds)


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Intercept and slope by least squares, a twentieth at both ends of the residuals left out."""
    kept = np.ones(len(x), dtype=np.bool_)
    offset, slope = float(y.mean()), 0.0
    for _ in range(3):
        low, high = np.percentile(y - offset - slope * x, [5, 95])
        rest = y - offset - slope * x
        kept = (rest >= low) & (rest <= high)
        if np.ptp(x[kept]) == 0:
            return float(y[kept].mean()), 0.0
        slope, offset = (float(value) for value in np.polyfit(x[kept], y[kept], 1))
    return offset, slope


def _middle_line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Intercept and slope by least squares of the four fifths that lie nearest to the line."""
    offset, slope = float(np.median(y)), 0.0
    for _ in range(4):
        rest = np.abs(y - offset - slope * x)
        kept = rest <= max(float(np.percentile(rest, 80)), _CLOSE_MS)
        middle, away = float(y[kept].mean()), x[kept] - x[kept].mean()
        spread = float(away @ away)
        if spread == 0:
            return middle, 0.0
        slope = float(away @ y[kept]) / spread
        offset = middle - slope * float(x[kept].mean())
    return offset, slope


def fit_costs(
    drive: Mechanics, measured: Measured, *, runs_count: int = 1, start_ms: float = 0.5
) -> NDArray[np.float64]:
    """Overhead and time per sector of each class of requests, shape (classes, 2). [ms]

    Nothing else is fitted: geometry, seeks and the cache's settings are given. Where angles are
    known a read from the platter tells its overhead by how often it comes a turn earlier or later
    than modelled, and requests are compared one by one, as if the drive always read ahead.
    """
    costs = np.zeros((d.CLASS_COUNT, 2))
    costs[:, 0] = start_ms
    followed = drive.angles_known
    if followed:
        drive = replace(drive, cache=drive.cache._replace(ahead_lost_fraction=0.0))
        runs_count = 1
    cost_of = _followed_cost if followed else _cost_of
    for _ in range(_FOLLOWED_ROUNDS if followed else _ROUNDS):
        times, kinds = modelled(drive, measured, costs, runs_count=runs_count, held=not followed)
        seen = np.zeros(d.CLASS_COUNT, dtype=np.bool_)
        for kind in range(d.CLASS_COUNT):
            mine = kinds == kind
            if mine.sum() < LEAST_OF_A_CLASS * runs_count:
                continue
            gaps = np.broadcast_to(measured.service_ms, mine.shape)[mine] - times[mine]
            sizes = np.broadcast_to(measured.ops[:, 1], mine.shape)[mine].astype(np.float64)
            costs[kind] += cost_of(drive, kind, sizes, gaps)
            seen[kind] = True
        for kind, like in borrowed(seen):
            costs[kind] = costs[like]
    return costs


def borrowed(seen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Classes that take what another one does, as too few of their own were seen."""
    known, found = seen.copy(), []
    for kind, like in _LIKE:
        if known[like] and not known[kind]:
            known[kind] = True
            found.append((kind, like))
    return found


def _cost_of(
    drive: Mechanics, kind: int, sizes: NDArray[np.float64], gaps: NDArray[np.float64]
) -> tuple[float, float]:
    """What to add to a class. A drive that writes behind passes misses on at the bus's pace."""
    behind = drive.cache.writes_behind
    if kind in _CACHED or (behind and kind in _WRITES) or not behind:
        return _line(sizes, gaps)
    low, high = np.percentile(gaps, [5, 95])
    return float(gaps[(gaps >= low) & (gaps <= high)].mean()), 0.0


def _followed_cost(
    drive: Mechanics, kind: int, sizes: NDArray[np.float64], gaps: NDArray[np.float64]
) -> tuple[float, float]:
    """As ``_cost_of``, where the angle is followed and most requests are at their place.

    A read from the platter ends when its sector has passed, so that more overhead before it shows
    only where it makes the head miss the sector and wait for a turn: in the mean, not the middle.
    """
    behind = drive.cache.writes_behind
    if kind not in MISSES and (behind or kind not in _WRITES):
        return _middle_line(sizes, gaps)
    turns = np.clip(np.round(gaps / drive.turn_ms), -1, 1)
    rest = gaps - turns * drive.turn_ms
    there = np.abs(rest) < _SAME_ANGLE * drive.turn_ms
    if there.sum() < LEAST_OF_A_CLASS:
        return float(gaps.mean()), 0.0
    slope = 0.0 if behind else _middle_line(sizes[there], rest[there])[1]
    left = gaps[there] - slope * (sizes[there] - sizes[there].mean())
    return _STEP * float(left.mean()) - slope * float(sizes[there].mean()), slope


def half(measured: Measured, *, second: bool) -> slice:
    """The first or the second half of the requests."""
    middle = len(measured.ops) // 2
    return slice(middle, None) if second else slice(0, middle)


def part_of(measured: Measured, part: slice) -> Measured:
    return Measured(measured.ops[part], measured.service_ms[part], measured.thinks_ms[part])


def first_half(measured: Measured) -> Measured:
    """What overheads may be fitted on, and rules chosen by."""
    return part_of(measured, half(measured, second=False))
