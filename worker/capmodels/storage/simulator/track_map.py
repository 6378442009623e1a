"""Which track holds a sector, and at which angle: known exactly, slipped sectors included."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.errors import ModelError
from capmodels.storage.drive.geometry import cylinders_of, zone_plan, zone_sectors
from capmodels.storage.drive.limits import TRACKS_MAX, ZONES_MAX
from capmodels.storage.drive.zone_holes import Hole, Spares, ZonePlan, data_count, special_holes
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.zone_map import ZoneMap, gaps_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.storage.drive.geometry import DiskGeometry

    Rows = tuple[NDArray[np.int64], NDArray[np.float64]]

FIRST, PER_TRACK, CYLINDER, SURFACE, PHYSICAL = range(5)


class TrackZone(NamedTuple):
    """Cylinders with equal tracks. Skews, offset, empty front in sectors; see ``zone_holes``.

    ``stretch_skew`` is by how much more a stretch with spare sectors of its own starts later.
    """

    first_cylinder: int
    last_cylinder: int
    per_track: int
    head_skew: float
    cylinder_skew: float
    offset: float = 0.0
    empty: int = 0
    spares: Spares = Spares()
    slips: tuple[Hole, ...] = ()
    stretch_skew: float = 0.0


@dataclass(frozen=True)
class TrackMap:
    """Pieces of tracks in order of their first sector; a slipped sector ends a piece.

    ``tracks`` (n, 5) holds first sector, sectors per turn, cylinder, surface and the number of
    the physical track, ``angles`` (n,) the part of a turn at which the first sector starts (all
    0 when skews are not known),
    ``bucket_sectors`` the width of a bucket of ``buckets``, which hold the piece of their first
    sector. ``zones`` (n, 4) and ``zone_angles`` (n, 3) are those of a ``ZoneMap`` when no sector
    is spared or slipped: a machine then takes these.
    """

    tracks: NDArray[np.int64]
    angles: NDArray[np.float64]
    sectors_count: int
    bucket_sectors: int
    buckets: NDArray[np.int64]
    zones: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), dtype=np.int64))
    zone_angles: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))

    def put_into(self, m: k.Machine, plan: NDArray[np.int64]) -> None:
        """Copy the map into a machine and say so in its plan.

        Raises
        ------
        ModelError
            When there are more tracks than a machine holds.
        """
        n = len(self.tracks)
        if 0 < len(self.zones) <= ZONES_MAX:
            ZoneMap(self.zones, self.zone_angles, self.sectors_count, n).put_into(m, plan)
            return
        if n > TRACKS_MAX or len(self.buckets) > TRACKS_MAX:
            message = f"A map of {n:,} tracks is too large; {TRACKS_MAX:,} are allowed."
            raise ModelError(message)
        m["tracks"][:n] = self.tracks
        m["angles"][:n] = self.angles
        m["buckets"][: len(self.buckets)] = self.buckets
        m["par"][: int(plan[k.DISKS]), k.SECTORS] = self.sectors_count
        plan[k.TRACKS] = n
        plan[k.BUCKET] = self.bucket_sectors
        drive, seeks = m["par"][0], m["seek_table"]
        m["switches"][: n - 1] = self.switches_ms(
            np.arange(n - 1), drive[k.TURN], seeks, settle_ms=drive[k.SETTLE]
        )

    def switches_ms(
        self,
        pieces: NDArray[np.int64],
        turn_ms: float,
        seeks_ms: NDArray[np.float64],
        *,
        settle_ms: float,
    ) -> NDArray[np.float64]:
        """Time from the end of each of some pieces to the start of the one after it. [ms]

        See ``zone_map.gaps_ms``. Where no skew is known a change of surface counts as a move by
        one cylinder.
        """
        one, two = self.tracks[pieces], self.tracks[pieces + 1]
        moved = np.abs(two[:, CYLINDER] - one[:, CYLINDER])
        if not self.angles.any():
            return np.maximum(seeks_ms[np.maximum(moved, 1)] + settle_ms, 0.0)
        arc = (two[:, FIRST] - one[:, FIRST]) / one[:, PER_TRACK]
        turned = self.angles[pieces + 1] - self.angles[pieces] - arc
        return gaps_ms(turned, seeks_ms[moved], turn_ms)


def track_map(
    tracks: NDArray[np.int64], angles: NDArray[np.float64], sectors_count: int
) -> TrackMap:
    """Return a map of pieces of tracks in order of their first sector."""
    width = max(sectors_count // len(tracks), 1)
    starts = np.arange(0, sectors_count + width, width)
    buckets = np.searchsorted(tracks[:, FIRST], starts, side="right") - 1
    return TrackMap(tracks, angles, sectors_count, width, np.maximum(buckets, 0))


def plan_of(zone: TrackZone, surfaces_count: int) -> ZonePlan:
    """A zone as its holes are found."""
    tracks = (zone.last_cylinder - zone.first_cylinder + 1) * surfaces_count
    return ZonePlan(tracks, zone.per_track, zone.empty, zone.spares, zone.slips)


def _holes(plan: ZonePlan) -> NDArray[np.int64]:
    """Stretches of a zone without data, shape (n, 2), by where they start."""
    special = dict(special_holes(plan))
    spares = min(plan.spares.sectors_count, plan.stretch)
    starts = np.arange(plan.whole_count) * plan.stretch
    starts = starts[~np.isin(np.arange(plan.whole_count), list(special))]
    lows = starts if plan.spares.first else starts + plan.stretch - spares
    found = np.concatenate(
        [
            np.stack([lows, lows + spares], axis=1),
            np.array([hole for holes in special.values() for hole in holes]).reshape(-1, 2),
        ]
    ).astype(np.int64)
    found = found[found[:, 1] > found[:, 0]]
    return found[np.argsort(found[:, 0], kind="stable")]


def _tracks_of(zone: TrackZone, surfaces: int, *, serpentine: bool) -> Rows:
    """Physical tracks of a zone as rows of a map, their first sector 0; and their angles."""
    order = np.arange((zone.last_cylinder - zone.first_cylinder + 1) * surfaces)
    cylinder, surface = np.divmod(order, surfaces)
    turned = zone.offset + (order - cylinder) * zone.head_skew + cylinder * zone.cylinder_skew
    if zone.spares.tracks_count:
        turned = turned + order // zone.spares.tracks_count * zone.stretch_skew
    if serpentine:
        surface = np.where(cylinder % 2 == 1, surfaces - 1 - surface, surface)
    rows = np.zeros((len(order), 5), dtype=np.int64)
    rows[:, PER_TRACK] = zone.per_track
    rows[:, CYLINDER], rows[:, SURFACE] = zone.first_cylinder + cylinder, surface
    rows[:, PHYSICAL] = zone.first_cylinder * surfaces + order
    return rows, turned


def _pieces_of(zone: TrackZone, surfaces: int, *, serpentine: bool) -> Rows:
    """Pieces of a zone's tracks, first sectors counted from the zone's; and their angles."""
    rows, turned = _tracks_of(zone, surfaces, serpentine=serpentine)
    plan = plan_of(zone, surfaces)
    holes = _holes(plan)
    edges = np.concatenate([np.arange(len(rows)) * zone.per_track, holes.ravel()])
    starts = np.unique(edges[edges < plan.size])
    last = np.searchsorted(holes[:, 0], starts, side="right") - 1
    ends = np.append(np.maximum.accumulate(holes[:, 1]), 0) if len(holes) else np.zeros(1)
    held = ends[last] <= starts
    lengths = np.diff(starts, append=plan.size)[held]
    track, offset = np.divmod(starts[held], zone.per_track)
    pieces = rows[track]
    pieces[:, FIRST] = np.cumsum(lengths) - lengths
    return pieces, (turned[track] + offset) / zone.per_track % 1.0


def map_of_zones(
    zones: Sequence[TrackZone], *, surfaces_count: int, serpentine: bool = False
) -> TrackMap:
    """Map the sectors of a disk, cylinder by cylinder (DiskSim's layout ``g1``).

    On a serpentine disk every second cylinder of a zone is run through from its last surface to
    its first.
    """
    parts = []
    start = 0
    for zone in zones:
        rows, turned = _pieces_of(zone, surfaces_count, serpentine=serpentine)
        rows[:, FIRST] += start
        start += data_count(plan_of(zone, surfaces_count))
        parts.append((rows, turned))
    tracks_of = np.concatenate([rows for rows, _turned in parts])
    found = track_map(tracks_of, np.concatenate([turned for _rows, turned in parts]), start)
    if any(zone.spares.sectors_count or zone.empty or zone.slips for zone in zones):
        return found
    rows_of, angles_of = _whole_zones(zones, surfaces_count)
    return replace(found, zones=rows_of, zone_angles=angles_of)


def _whole_zones(
    zones: Sequence[TrackZone], surfaces_count: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    rows, angles = [], []
    start = 0
    for zone in zones:
        per_cylinder = zone.per_track * surfaces_count
        rows.append((start, zone.per_track, zone.first_cylinder, per_cylinder))
        start += (zone.last_cylinder - zone.first_cylinder + 1) * per_cylinder
        step = (surfaces_count - 1) * zone.head_skew + zone.cylinder_skew
        angles.append((zone.offset, zone.head_skew, step))
    found = np.array(rows, dtype=np.int64)
    return found, np.array(angles, dtype=np.float64) / found[:, 1:2] % 1.0


def zones_of(geometry: DiskGeometry, turn_ms: float) -> list[TrackZone]:
    """Zones of a described disk, skews in parts of a sector."""
    found = []
    first = 0
    for zone in geometry.zones:
        per_track = zone.sectors_per_track_count
        plan = zone_plan(zone, geometry.surfaces_count)
        head, cylinder = zone.head_skew_count, zone.cylinder_skew_count
        per_ms = per_track / turn_ms
        found.append(
            TrackZone(
                first,
                first + zone.cylinders_count - 1,
                per_track,
                geometry.head_skew_ms * per_ms if head is None else head,
                geometry.cylinder_skew_ms * per_ms if cylinder is None else cylinder,
                offset=zone.offset_count,
                empty=plan.empty_count,
                spares=plan.spares,
                slips=plan.slips,
                stretch_skew=zone.stretch_skew_count,
            )
        )
        first += zone.cylinders_count
    return found


def _spare_at_its_end(zone: TrackZone) -> bool:
    spares = zone.spares
    alone = spares.tracks_count == 0 and not spares.first
    return not zone.slips and not zone.empty and (alone or spares.sectors_count == 0)


@lru_cache(maxsize=8)
def tracks_of(geometry: DiskGeometry, turn_ms: float) -> TrackMap:
    """The map of a described disk, track by track."""
    found = map_of_zones(zones_of(geometry, turn_ms), surfaces_count=geometry.surfaces_count)
    return replace(found, zones=np.zeros((0, 4), dtype=np.int64))


@lru_cache(maxsize=8)
def map_of(geometry: DiskGeometry, turn_ms: float) -> TrackMap | ZoneMap:
    """The map of a described disk: by zone, or track by track where sectors within have no data."""
    zones, surfaces = zones_of(geometry, turn_ms), geometry.surfaces_count
    if not all(_spare_at_its_end(zone) for zone in zones):
        return map_of_zones(zones, surfaces_count=surfaces)
    rows, angles = _whole_zones(zones, surfaces)
    sectors = zone_sectors(geometry)
    rows[:, FIRST] = np.cumsum([0, *sectors[:-1]])
    return ZoneMap(rows, angles, sum(sectors), cylinders_of(geometry) * surfaces)
