"""Which track holds a sector, and at which angle: known exactly, slipped sectors included."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.errors import ModelError
from capmodels.storage import array_slots as k

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

FIRST, PER_TRACK, CYLINDER, SURFACE, PHYSICAL = range(5)
_ANGLE_ERROR = 1e-9  # of a turn: keeps a skew of nothing from becoming a whole turn


class TrackZone(NamedTuple):
    """Cylinders with equal tracks. Skews, offset, empty front, spares, slips in sectors."""

    first_cylinder: int
    last_cylinder: int
    per_track: int
    head_skew: float
    cylinder_skew: float
    offset: float = 0.0
    empty: int = 0
    spares: int = 0
    slips: tuple[int, ...] = ()


@dataclass(frozen=True)
class TrackMap:
    """Pieces of tracks in order of their first sector; a slipped sector ends a piece.

    ``tracks`` (n, 5) holds first sector, sectors per turn, cylinder, surface and the number of
    the physical track, ``angles`` (n,) the part of a turn at which the first sector starts (all
    0 when skews are not known),
    ``bucket_sectors`` the width of a bucket of ``buckets``, which hold the piece of their first
    sector. ``zones`` (n, 4) holds first sector, sectors per track, first cylinder and sectors per
    cylinder when no sector is spared or slipped; it finds a cylinder faster.
    """

    tracks: NDArray[np.int64]
    angles: NDArray[np.float64]
    sectors_count: int
    bucket_sectors: int
    buckets: NDArray[np.int64]
    zones: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), dtype=np.int64))

    def put_into(self, m: k.Machine, plan: NDArray[np.int64]) -> None:
        """Copy the map into a machine and say so in its plan.

        Raises
        ------
        ModelError
            When there are more tracks than a machine holds.
        """
        n = len(self.tracks)
        if n > k.TRACKS_MAX or len(self.buckets) > k.TRACKS_MAX:
            message = f"A map of {n:,} tracks is too large; {k.TRACKS_MAX:,} are allowed."
            raise ModelError(message)
        m["tracks"][:n] = self.tracks[:, :3]
        m["angles"][:n] = self.angles
        m["buckets"][: len(self.buckets)] = self.buckets
        m["par"][: int(plan[k.DISKS]), k.SECTORS] = self.sectors_count
        plan[k.TRACKS] = n
        plan[k.BUCKET] = self.bucket_sectors
        if 0 < len(self.zones) <= k.ZONES_MAX:
            self._put_zones(m, plan)
        else:
            m["switches"][: n - 1] = self._switches_of(m, np.arange(n - 1))

    def _switches_of(self, m: k.Machine, pieces: NDArray[np.int64]) -> NDArray[np.float64]:
        drive = m["par"][0]
        seeks, settle = m["seek_table"], drive[k.SETTLE]
        return self.switches_ms(pieces, drive[k.TURN], seeks, settle_ms=settle)

    def switches_ms(
        self,
        pieces: NDArray[np.int64],
        turn_ms: float,
        seeks_ms: NDArray[np.float64],
        *,
        settle_ms: float,
    ) -> NDArray[np.float64]:
        """Time from the end of each of some pieces to the start of the one after it. [ms]

        The next piece starts a skew later; when the arm is not there yet (``seeks_ms`` by
        distance in cylinders), a whole turn later again. Where skews are not known they are taken
        to be what a write needs, the move and its settling, as reads and writes share one layout;
        a change of surface then counts as a move by one cylinder.
        """
        one, two = self.tracks[pieces], self.tracks[pieces + 1]
        moved = np.abs(two[:, CYLINDER] - one[:, CYLINDER])
        if not self.angles.any():
            return seeks_ms[np.maximum(moved, 1)] + settle_ms
        needed = np.where(moved > 0, seeks_ms[moved], 0.0)
        arc = (two[:, FIRST] - one[:, FIRST]) / one[:, PER_TRACK]
        turned = self.angles[pieces + 1] - self.angles[pieces]
        gap = (turned - arc + _ANGLE_ERROR) % 1.0 * turn_ms
        missed = np.ceil((needed - gap) / turn_ms)
        return gap + np.maximum(missed, 0.0) * turn_ms

    def _put_zones(self, m: k.Machine, plan: NDArray[np.int64]) -> None:
        shift = max(int(self.sectors_count).bit_length() - k.ZONE_BUCKETS.bit_length() + 1, 0)
        starts = np.arange(k.ZONE_BUCKETS, dtype=np.int64) << shift
        m["zone_of"][:] = np.searchsorted(self.zones[:, 0], starts, side="right") - 1
        m["zones"][: len(self.zones)] = self.zones
        firsts = np.searchsorted(self.tracks[:, FIRST], self.zones[:, 0])
        surfaces = self.zones[:, 3] // self.zones[:, 1]
        last = len(self.tracks) - 2
        m["zone_switches"][: len(self.zones), 0] = self._switches_of(m, np.minimum(firsts, last))
        ends = np.minimum(firsts + surfaces - 1, last)
        m["zone_switches"][: len(self.zones), 1] = self._switches_of(m, ends)
        plan[k.ZONES], plan[k.ZONE_SHIFT] = len(self.zones), shift


def track_map(
    tracks: NDArray[np.int64], angles: NDArray[np.float64], sectors_count: int
) -> TrackMap:
    """Return a map of pieces of tracks in order of their first sector."""
    width = max(sectors_count // len(tracks), 1)
    starts = np.arange(0, sectors_count + width, width)
    buckets = np.searchsorted(tracks[:, FIRST], starts, side="right") - 1
    return TrackMap(tracks, angles, sectors_count, width, np.maximum(buckets, 0))


def _pieces(zone: TrackZone, track: int, count: int, filled: int) -> Iterator[tuple[int, int, int]]:
    """Stretches of a track between slips: offset in the track, first sector of the zone, length.

    ``filled`` sectors of the zone lie on the tracks before, of ``count`` in all.
    """
    low, high = track * zone.per_track, (track + 1) * zone.per_track
    here = max(low, zone.empty)
    cuts = [slip + zone.empty for slip in zone.slips if here <= slip + zone.empty < high]
    for cut in (*cuts, high):
        length = min(cut - here, count - filled)
        if length > 0:
            yield here - low, filled, length
            filled += length
        here = cut + 1


def map_of_zones(
    zones: Sequence[TrackZone], *, surfaces_count: int, serpentine: bool = False
) -> TrackMap:
    """Map the sectors of a disk, cylinder by cylinder (DiskSim's layout ``g1``).

    Slipped sectors use up spares at the zone's end. On a serpentine disk every second cylinder
    of a zone is run through from its last surface to its first.
    """
    rows: list[tuple[int, int, int, int, int]] = []
    angles: list[float] = []
    start = 0
    for zone in zones:
        tracks = (zone.last_cylinder - zone.first_cylinder + 1) * surfaces_count
        count = tracks * zone.per_track - zone.spares - zone.empty
        angle, filled = zone.offset, 0
        for track in range(tracks):
            cylinder, surface = divmod(track, surfaces_count)
            if track:
                angle += zone.head_skew if surface else zone.cylinder_skew
            if serpentine and cylinder % 2:
                surface = surfaces_count - 1 - surface
            physical = zone.first_cylinder * surfaces_count + track
            for offset, first, length in _pieces(zone, track, count, filled):
                place = (start + first, zone.per_track, zone.first_cylinder + cylinder)
                rows.append((*place, surface, physical))
                angles.append((angle + offset) / zone.per_track % 1.0)
                filled = first + length
        start += filled
    found = track_map(np.array(rows, dtype=np.int64), np.array(angles), start)
    if any(zone.spares or zone.empty or zone.slips for zone in zones):
        return found
    return replace(found, zones=_whole_zones(zones, surfaces_count))


def _whole_zones(zones: Sequence[TrackZone], surfaces_count: int) -> NDArray[np.int64]:
    rows = []
    start = 0
    for zone in zones:
        per_cylinder = zone.per_track * surfaces_count
        rows.append((start, zone.per_track, zone.first_cylinder, per_cylinder))
        start += (zone.last_cylinder - zone.first_cylinder + 1) * per_cylinder
    return np.array(rows, dtype=np.int64)


def equal_skews(
    zones: Sequence[tuple[int, int]], *, head_skew: float, cylinder_skew: float
) -> list[TrackZone]:
    """Zones of (last cylinder, sectors per track) with the same skews everywhere."""
    found = []
    first = 0
    for last, per_track in zones:
        found.append(TrackZone(first, last, per_track, head_skew, cylinder_skew))
        first = last + 1
    return found
