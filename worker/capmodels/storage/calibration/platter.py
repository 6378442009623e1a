"""How fast a drive turns and how its tracks are skewed, found from when its reads ended.

Between two reads from the platter as much time has gone by as lies between their sectors' angles,
whole turns apart. The agreement of many pairs, the length of the mean of unit vectors at the
angles by which they are off, is 1 when turn and skews are right and near 0 when they are not. A
drive lays its skews by time, so that they are the same angle on every zone; parameter files hold
them in whole sectors, and a part of a sector on each of a few hundred cylinders is soon a turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from capmodels.storage.simulator.track_map import CYLINDER, FIRST, PER_TRACK, PHYSICAL, map_of_zones

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.storage.calibration.mechanics import Measured
    from capmodels.storage.simulator.track_map import TrackZone

AGREES = 0.9  # agreement from which on a found platter is to be believed
_BACK = 4  # reads that a read is paired with: few, until the turn is known
_LEAST = 20  # pairs without which nothing is found
_TURN_ERROR = 0.004  # largest error of a turn that is looked for
# Cylinders up to which pairs are taken, and the skew's error that is then looked for [turns].
_REACHES = ((25, 0.5), (100, 0.02), (400, 0.005), (100_000, 0.001))
_SURFACE_ERROR = 0.01  # of a skew found before the turn was known [turns]
_STEPS_LEAST = 25
_STRIDES = (1, 8, 64, 256)


class Platter(NamedTuple):
    """Turn, skew from a track to the next one of its cylinder and from cylinder to cylinder.

    ``surface_turns`` and ``cylinder_turns`` are parts of a turn between first sectors, the latter
    from the first track of one cylinder to the first of the next. ``agreement_fraction`` is that
    of successive reads from the platter.
    """

    turn_ms: float
    surface_turns: float
    cylinder_turns: float
    agreement_fraction: float


class _Reads(NamedTuple):
    """Reads from the platter: when their first sector passed, and where it lies."""

    passed_ms: NDArray[np.float64]
    inside_turns: NDArray[np.float64]
    track: NDArray[np.int64]
    cylinder: NDArray[np.int64]
    zone: NDArray[np.int64]


class _Pairs(NamedTuple):
    """What lies between two reads, the later minus the earlier."""

    passed_ms: NDArray[np.float64]
    inside_turns: NDArray[np.float64]
    tracks: NDArray[np.int64]
    cylinders: NDArray[np.int64]


def _reads(
    zones: Sequence[TrackZone],
    measured: Measured,
    *,
    surfaces_count: int,
    turn_ms: float,
    pace_ms: float,
) -> _Reads:
    bare = [zone._replace(head_skew=0.0, cylinder_skew=0.0) for zone in zones]
    tracks = map_of_zones(bare, surfaces_count=surfaces_count)
    ops = measured.ops
    piece = np.searchsorted(tracks.tracks[:, FIRST], ops[:, 0], side="right") - 1
    rows = tracks.tracks[piece]
    inside = tracks.angles[piece] + (ops[:, 0] - rows[:, FIRST]) / rows[:, PER_TRACK]
    started = np.cumsum(measured.service_ms + measured.thinks_ms)
    # A sector leaves the drive no sooner than it comes off the platter.
    leaving = np.maximum(pace_ms, turn_ms / rows[:, PER_TRACK])
    passed = started - measured.thinks_ms - leaving * ops[:, 1]
    firsts = np.array([zone.first_cylinder for zone in zones])
    zone = np.searchsorted(firsts, rows[:, CYLINDER], side="right") - 1
    slow = (measured.service_ms > turn_ms / 2) & (ops[:, 2] == 0)
    # A read that runs past its piece of track ends a skew later.
    after = np.append(tracks.tracks[1:, FIRST], tracks.sectors_count)[piece]
    slow &= ops[:, 0] + ops[:, 1] <= after
    return _Reads(
        passed[slow],
        inside[slow],
        rows[slow, PHYSICAL] % surfaces_count,
        (rows[:, CYLINDER] - firsts[zone])[slow],
        zone[slow],
    )


def _pairs(reads: _Reads, one: NDArray[np.int64], two: NDArray[np.int64]) -> _Pairs:
    return _Pairs(
        reads.passed_ms[two] - reads.passed_ms[one],
        reads.inside_turns[two] - reads.inside_turns[one],
        reads.track[two] - reads.track[one],
        reads.cylinder[two] - reads.cylinder[one],
    )


def _near_pairs(reads: _Reads, cylinders: tuple[int, int]) -> _Pairs:
    """Pairs of one zone that lie within a range of cylinders apart, few reads between."""
    ones, twos = [], []
    for back in range(1, _BACK + 1):
        two = np.arange(back, len(reads.passed_ms))
        one = two - back
        apart = np.abs(reads.cylinder[two] - reads.cylinder[one])
        near = (apart >= cylinders[0]) & (apart <= cylinders[1])
        near &= reads.zone[two] == reads.zone[one]
        ones.append(one[near])
        twos.append(two[near])
    return _pairs(reads, np.concatenate(ones), np.concatenate(twos))


def _off(pairs: _Pairs, platter: Platter) -> NDArray[np.float64]:
    """By how much pairs are off. [turns]"""
    turned = pairs.inside_turns + pairs.tracks * platter.surface_turns
    turned = turned + pairs.cylinders * platter.cylinder_turns
    return pairs.passed_ms / platter.turn_ms - turned


def agreement(off_turns: NDArray[np.float64]) -> float:
    """Agreement of angles, from 0 to 1.

    >>> round(agreement(np.array([0.1, 1.1, -0.9])), 6)
    1.0
    """
    return float(np.abs(np.exp(2j * np.pi * off_turns).mean())) if len(off_turns) else 0.0


def _best(off_turns: NDArray[np.float64], per_unit: NDArray[Any], within: float) -> float:
    """The value, within a range around 0, by which angles per unit agree best once taken off."""
    longest = max(float(np.abs(per_unit).max(initial=0.0)), 1.0)
    steps = max(int(np.ceil(within * longest * 50)), _STEPS_LEAST)
    values = np.arange(-steps, steps + 1) * (within / steps)
    found = [agreement(off_turns - value * per_unit) for value in values]
    return float(values[int(np.argmax(found))])


def find_platter(
    zones: Sequence[TrackZone],
    measured: Measured,
    *,
    surfaces_count: int,
    turn_ms: float,
    pace_ms: float,
) -> Platter:
    """Turn and skews under which a trace's reads agree best; a sector leaves in ``pace_ms``.

    The zones' skews are not looked at, their lengths, offsets and slipped sectors are. The turn is
    looked for within 0.4% of the given one.
    """
    reads = _reads(zones, measured, surfaces_count=surfaces_count, turn_ms=turn_ms, pace_ms=pace_ms)
    found = Platter(turn_ms, 0.0, 0.0, 0.0)
    pairs = _near_pairs(reads, (0, 0))
    found = found._replace(surface_turns=_best(_off(pairs, found), pairs.tracks, 0.5) % 1.0)
    for reach, within in _REACHES:
        pairs = _near_pairs(reads, (1, reach))
        more = _best(_off(pairs, found), pairs.cylinders, within)
        found = found._replace(cylinder_turns=(found.cylinder_turns + more) % 1.0)
    found = _with_turn(reads, found)
    pairs = _near_pairs(reads, (0, 0))
    more = _best(_off(pairs, found), pairs.tracks, _SURFACE_ERROR)
    found = found._replace(surface_turns=found.surface_turns + more)
    return found._replace(agreement_fraction=_last_agreement(reads, found))


def agreement_of(
    zones: Sequence[TrackZone],
    measured: Measured,
    platter: Platter,
    *,
    surfaces_count: int,
    pace_ms: float,
) -> float:
    """How well a trace's reads agree with a given turn and given skews, those of no zone."""
    turn = platter.turn_ms
    reads = _reads(zones, measured, surfaces_count=surfaces_count, turn_ms=turn, pace_ms=pace_ms)
    return _last_agreement(reads, platter)


def _last_agreement(reads: _Reads, platter: Platter) -> float:
    """Agreement of successive reads from the platter; none of too few."""
    count = len(reads.passed_ms)
    if count < _LEAST:
        return 0.0
    last = _pairs(reads, np.arange(count - 1), np.arange(1, count))
    return agreement(_off(last, platter))


def _with_turn(reads: _Reads, found: Platter) -> Platter:
    """The turn from pairs further and further apart, each time more closely."""
    count = len(reads.passed_ms)
    error = _TURN_ERROR
    for stride in _STRIDES:
        two = np.arange(stride, count)
        if len(two) < _LEAST:
            break
        pairs = _pairs(reads, two - stride, two)
        turns = np.round(pairs.passed_ms / found.turn_ms)
        wrong = _best(_off(pairs, found), turns, error)
        found = found._replace(turn_ms=found.turn_ms * (1.0 + wrong))
        error /= stride * 4
    return found
