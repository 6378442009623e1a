"""How fast a drive turns and how its tracks are skewed, found from when its reads ended.

Between two reads from the platter as much time has gone by as lies between their sectors' angles,
whole turns apart. The agreement of many pairs, the length of the mean of unit vectors at the
angles by which they are off, is 1 when turn and skews are right and near 0 when they are not. A
drive lays its skews by time, so that they are the same angle on every zone; parameter files hold
them in whole sectors, and a part of a sector on each of a few hundred cylinders is soon a turn.
Where a zone starts, and how much later each of its stretches with spare sectors of its own does,
is found zone by zone.
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

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

AGREES = 0.75  # three reads of four at their angle, the fourth anywhere
_LEAST = 20  # pairs without which nothing is found
_LEAST_OF_A_ZONE = 8
_TURN_ERROR = 0.02  # largest error of a turn that is looked for
_TURN_STEPS, _SURFACE_STEPS = 101, 200
_NEAR_ERROR = 0.001  # of a turn that pairs of one cylinder have told
_SEARCHED = 600  # reads among which the skews are looked for
_FINE = 4  # steps within what a spectrum resolves
_ROUNDS = 10
_STRETCH_STEPS = 64  # for a cylinder's skew, where zones have stretches of a few cylinders
_PACES_MS = np.linspace(0.0, 0.3, 31)

# Columns of a zone's skews [turns] and of a read's place in its zone.
SURFACE_SKEW, CYLINDER_SKEW, STRETCH_SKEW, START = range(4)


class Platter(NamedTuple):
    """Turn, skews of each zone, shape (zones, 4), and agreement of successive reads.

    The skews are parts of a turn between first sectors: from a track to the next of its cylinder;
    from the first track of a cylinder to the first of the next; what comes to these from stretch
    to stretch; and where the zone starts.
    """

    turn_ms: float
    skews_turns: Floats
    agreement_fraction: float = 0.0


class Ends(NamedTuple):
    """Requests that the platter answered: when their first sector passed, and where it lies.

    ``done_ms`` is when they were answered, ``each_ms`` what a sector takes on the platter.
    """

    passed_ms: Floats
    inside_turns: Floats
    places: Rows
    zone: Rows
    write: NDArray[np.bool_]
    done_ms: Floats
    each_ms: Floats
    sectors: Rows

    def part(self, rows: slice | Rows | NDArray[np.bool_]) -> Ends:
        """Some of them."""
        columns: list[Any] = [column[rows] for column in self]
        return Ends(*columns)

    def at_pace(self, pace_ms: float) -> Ends:
        """When sectors of reads leave the drive in so long, but no sooner than they are read."""
        leaving = np.where(self.write, self.each_ms, np.maximum(pace_ms, self.each_ms))
        return self._replace(passed_ms=self.done_ms - leaving * self.sectors)

    def off_turns(self, platter: Platter) -> Floats:
        """By how much each is off, but for a common angle. [turns]"""
        turned = (self.places * platter.skews_turns[self.zone]).sum(axis=1)
        found: Floats = self.passed_ms / platter.turn_ms - self.inside_turns - turned
        return found


class Spun(NamedTuple):
    """A trace on a disk's zones: its requests that took more than half a turn."""

    zones: Sequence[TrackZone]
    surfaces_count: int
    turn_ms: float
    ends: Ends

    @property
    def reads(self) -> Ends:
        """The reads among them."""
        return self.ends.part(~self.ends.write)


def spun(
    zones: Sequence[TrackZone], measured: Measured, *, surfaces_count: int, turn_ms: float
) -> Spun:
    """A trace on a disk, with places counted in its zones as they are described."""
    bare = [
        zone._replace(head_skew=0.0, cylinder_skew=0.0, offset=0.0, stretch_skew=0.0)
        for zone in zones
    ]
    tracks = map_of_zones(bare, surfaces_count=surfaces_count)
    ops = measured.ops
    piece = np.searchsorted(tracks.tracks[:, FIRST], ops[:, 0], side="right") - 1
    rows = tracks.tracks[piece]
    inside = tracks.angles[piece] + (ops[:, 0] - rows[:, FIRST]) / rows[:, PER_TRACK]
    done = np.cumsum(measured.service_ms + measured.thinks_ms) - measured.thinks_ms
    firsts = np.array([zone.first_cylinder for zone in zones])
    zone = np.searchsorted(firsts, rows[:, CYLINDER], side="right") - 1
    shared = np.array([one.spares.tracks_count for one in zones])[zone]
    order = rows[:, PHYSICAL] - firsts[zone] * surfaces_count
    cylinder, surface = np.divmod(order, surfaces_count)
    stretch = np.where(shared > 0, order // np.maximum(shared, 1), 0)
    places = np.stack([surface, cylinder, stretch, np.ones_like(order)], axis=1)
    each = turn_ms / rows[:, PER_TRACK]
    found = Ends(done, inside, places, zone, ops[:, 2] == 1, done, each, ops[:, 1])
    # One that runs past its piece of track ends a skew later.
    after = np.append(tracks.tracks[1:, FIRST], tracks.sectors_count)[piece]
    slow = (measured.service_ms > turn_ms / 2) & (ops[:, 0] + ops[:, 1] <= after)
    return Spun(zones, surfaces_count, turn_ms, found.part(slow).at_pace(0.0))


def agreement(off_turns: Floats) -> float:
    """Agreement of angles, from 0 to 1.

    >>> round(agreement(np.array([0.1, 1.1, -0.9])), 6)
    1.0
    """
    return float(np.abs(np.exp(2j * np.pi * off_turns).mean())) if len(off_turns) else 0.0


def _successive(reads: Ends, platter: Platter) -> float:
    """Agreement of successive reads from the platter; none of too few."""
    off = reads.off_turns(platter)
    return agreement(np.diff(off)) if len(off) >= _LEAST else 0.0


def described_platter(disk: Spun) -> Platter:
    """Turn and skews as a drive's zones are described; the agreement is not known."""
    skews = [
        (
            zone.head_skew,
            (disk.surfaces_count - 1) * zone.head_skew + zone.cylinder_skew,
            zone.stretch_skew,
            zone.offset,
        )
        for zone in disk.zones
    ]
    per_track = np.array([[zone.per_track] for zone in disk.zones])
    return Platter(disk.turn_ms, np.array(skews) / per_track)


def agreed(disk: Spun, platter: Platter) -> tuple[Platter, float]:
    """A platter with how well reads agree with it, and the pace at which they do best. [ms]"""
    reads = disk.reads
    found = {pace: _successive(reads.at_pace(pace), platter) for pace in _PACES_MS.tolist()}
    best = max(found, key=lambda pace: found[pace])
    return platter._replace(agreement_fraction=found[best]), best


def write_end_ms(disk: Spun, platter: Platter, pace_ms: float) -> float:
    """By how much later a write is answered than a read, once its last sector has passed. [ms]

    From pairs of a read and a write that both came to the platter, one after the other.
    """
    ends = disk.ends.at_pace(pace_ms)
    sign = np.diff(ends.write.astype(np.int64))
    off = np.diff(ends.off_turns(platter))[sign != 0] * sign[sign != 0]
    if len(off) < _LEAST:
        return 0.0
    return float(np.angle(np.exp(2j * np.pi * off).mean()) / (2 * np.pi) * platter.turn_ms)


def _near(reads: Ends) -> Ends:
    """What lies between successive reads of one cylinder, the later minus the earlier."""
    same = (np.diff(reads.zone) == 0) & (np.diff(reads.places[:, 1]) == 0)
    one = np.flatnonzero(same)
    before, after = reads.part(one), reads.part(one + 1)
    return before._replace(
        passed_ms=after.passed_ms - before.passed_ms,
        inside_turns=after.inside_turns - before.inside_turns,
        places=after.places - before.places,
    )


def _turn_and_surface(near: Ends, turn_ms: float) -> tuple[float, float, float]:
    """Turn and skew of surfaces by pairs of one cylinder, and how well these agree."""
    rates = np.linspace(1 - _TURN_ERROR, 1 + _TURN_ERROR, _TURN_STEPS)
    skews = np.arange(_SURFACE_STEPS) / _SURFACE_STEPS
    turned = np.exp(2j * np.pi * (np.multiply.outer(rates, near.passed_ms / turn_ms)))
    skewed = np.exp(-2j * np.pi * (near.inside_turns + np.multiply.outer(skews, near.places[:, 0])))
    found = np.abs(turned @ skewed.T) / max(len(near.zone), 1)
    rate, skew = np.unravel_index(int(found.argmax()), found.shape)
    return turn_ms / float(rates[rate]), float(skews[skew]), float(found.max())


def _pace_ms(disk: Spun) -> float:
    """The pace at which reads of one cylinder agree best, whatever the turn and the skews. [ms]"""
    reads = disk.reads
    found = {
        pace: _turn_and_surface(_near(reads.at_pace(pace)), disk.turn_ms)[2]
        for pace in _PACES_MS.tolist()
    }
    return max(found, key=lambda pace: found[pace])


class _Search(NamedTuple):
    """Reads whose skews are looked for, by zone, and what is tried.

    With ``period`` cylinders to a stretch the skew of a cylinder is told within stretches, and
    that of a stretch from one to the next; else the former over all of a zone.
    """

    reads: Ends
    zones: list[tuple[int, Rows]]
    skews_turns: Floats
    period: int
    size: int

    def powers(self, signal: NDArray[np.complex128], rows: Rows) -> tuple[Floats, Rows]:
        """How strongly reads of a zone agree by each skew, and the best skew of its stretches."""
        cylinder = self.reads.places[rows, 1]
        if not self.period:
            real = np.bincount(cylinder, signal[rows].real, self.size)
            wave = real + 1j * np.bincount(cylinder, signal[rows].imag, self.size)
            return np.abs(np.fft.fft(wave)) ** 2 / len(rows), np.zeros(self.size, dtype=np.int64)
        waves = np.zeros((self.period, self.size), dtype=np.complex128)
        np.add.at(waves, (cylinder % self.period, self.reads.places[rows, 2]), signal[rows])
        turned = np.multiply.outer(self.skews_turns, np.arange(self.period))
        found = np.abs(np.exp(-2j * np.pi * turned) @ np.fft.fft(waves, axis=1)) ** 2
        return found.max(axis=1) / len(rows), found.argmax(axis=1)


def _search(disk: Spun, reads: Ends) -> _Search:
    """Reads by zone, of those zones that have some."""
    zones = [(at, np.flatnonzero(reads.zone == at)) for at in range(len(disk.zones))]
    zones = [(at, rows) for at, rows in zones if len(rows) >= _LEAST_OF_A_ZONE]
    shared = max(zone.spares.tracks_count for zone in disk.zones)
    period = shared // disk.surfaces_count if shared > disk.surfaces_count else 0
    longest = int(reads.places[:, 2 if period else 1].max(initial=1)) + 1
    size = 1 << int(np.ceil(np.log2(_FINE * longest)))
    steps = _STRETCH_STEPS if period else size
    return _Search(reads, zones, np.arange(steps) / steps, period, size)


def _coarse(disk: Spun, search: _Search, turn_ms: float, surface: float) -> Platter:
    """Turn, skew of cylinders and of stretches under which most reads of each zone agree."""
    reads = search.reads
    span = max(float(np.ptp(reads.passed_ms)) / turn_ms, 1.0)
    still = reads.inside_turns + surface * reads.places[:, 0]
    best, found = -1.0, Platter(turn_ms, np.zeros((len(disk.zones), 4)))
    for more in np.arange(-_NEAR_ERROR, _NEAR_ERROR, 1 / (_FINE * span)).tolist():
        signal = np.exp(2j * np.pi * (reads.passed_ms / turn_ms * (1 + more) - still))
        told = [search.powers(signal, rows) for _at, rows in search.zones]
        total = np.sum([powers for powers, _stretches in told], axis=0)
        at = int(total.argmax())
        if total[at] > best:
            best = float(total[at])
            skews = np.zeros((len(disk.zones), 4))
            skews[:, SURFACE_SKEW] = surface
            skews[:, CYLINDER_SKEW] = search.skews_turns[at]
            for (zone, _rows), (_powers, stretches) in zip(search.zones, told, strict=True):
                rest = stretches[at] / search.size - search.period * search.skews_turns[at]
                skews[zone, STRETCH_SKEW] = rest if search.period else 0.0
            found = Platter(turn_ms / (1 + more), skews)
    return found


def _sums(platter: Platter, search: _Search) -> NDArray[np.complex128]:
    """Sum of unit vectors at the angles by which reads of each zone are off."""
    signal = np.exp(2j * np.pi * search.reads.off_turns(platter))
    return np.array([signal[rows].sum() for _at, rows in search.zones])


def _refined(platter: Platter, search: _Search) -> Platter:
    """A platter at which the reads of zones agree best, from one that is near it."""
    span = max(float(np.ptp(search.reads.passed_ms)) / platter.turn_ms, 1.0)
    one = 1 / len(search.skews_turns)
    steps = [(None, 1 / span), (SURFACE_SKEW, 1 / _SURFACE_STEPS), (CYLINDER_SKEW, one)]
    steps += [(STRETCH_SKEW, 1 / search.size)] * bool(search.period)
    best = np.abs(_sums(platter, search))
    for halved in range(_ROUNDS):
        for column, step in steps:
            for way in (-step / 2**halved, step / 2**halved):
                tried = _moved(platter, column, way, search.period)
                found = np.abs(_sums(tried, search))
                if column == STRETCH_SKEW:
                    better = [
                        at for (at, _), up in zip(search.zones, found > best, strict=True) if up
                    ]
                    platter.skews_turns[better, column] += way
                    best = np.maximum(best, found)
                elif found.sum() > best.sum():
                    platter, best = tried, found
    return platter


def _moved(platter: Platter, column: int | None, way: float, period: int) -> Platter:
    """A platter with a skew of all zones changed, or its turn; stretches follow cylinders."""
    if column is None:
        return platter._replace(turn_ms=platter.turn_ms / (1 + way))
    skews = platter.skews_turns.copy()
    skews[:, column] += way
    if column == CYLINDER_SKEW:
        skews[:, STRETCH_SKEW] -= way * period
    return platter._replace(skews_turns=skews)


def find_platter(disk: Spun) -> Platter:
    """Turn and skews under which a trace's reads agree best.

    The zones' own skews are not looked at, their lengths and slipped sectors are. The turn is
    looked for within 2% of the given one.
    """
    reads = disk.reads.at_pace(_pace_ms(disk))
    turn, surface, _agreed = _turn_and_surface(_near(reads), disk.turn_ms)
    search = _search(disk, reads.part(slice(_SEARCHED)))
    if not search.zones:
        return Platter(turn, np.zeros((len(disk.zones), 4)))
    found = _refined(_coarse(disk, search, turn, surface), search)
    search = _search(disk, reads)
    found = _refined(found, search)
    signal = np.exp(2j * np.pi * reads.off_turns(found))
    sums = np.zeros(len(disk.zones), dtype=np.complex128)
    np.add.at(sums, reads.zone, signal)
    # A zone without reads is taken to start with most others.
    starts = np.angle(np.where(sums == 0, sums.sum(), sums)) / (2 * np.pi)
    found.skews_turns[:, START] = starts - starts[0]
    skews = found.skews_turns % 1.0
    return found._replace(skews_turns=skews, agreement_fraction=_successive(reads, found))
