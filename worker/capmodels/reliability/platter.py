"""A disk's platters as defects see them: tracks, surfaces, offsets, and where replicas may go.

Geometry of Huang 2006, chapter 6: tracks are numbered cylinder by cylinder.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from capmodels.spec import Params, default, refusal
from capmodels.units import CountFromOne, Real, Whole, of_unit

_SOURCE = "Huang 2006, table 6.3: IBM Deskstar 75GXP"
_SKEWS = "Huang 2006, section 6.3.2"
# Last cylinder and sectors per track of each zone.
DESKSTAR_75GXP = (
    (1375, 702), (2831, 684), (4239, 666), (6975, 648), (9759, 612), (11551, 594), (13631, 567),
    (16239, 540), (18319, 504), (19567, 486), (21199, 459), (23519, 432), (25215, 396),
    (26319, 378), (27724, 351),
)  # fmt: skip

Cylinder = Annotated[Whole, Field(ge=0, le=10_000_000)]
PerTrack = Annotated[CountFromOne, Field(ge=16, le=100_000)]
Rpm = Annotated[Real, of_unit("rpm", gt=0)]
SkewSectors = Annotated[Whole, of_unit("count", ge=0)]
Strategy = Literal["same_track", "other_surface", "neighbor_track", "few_cylinders", "far_zone"]
STRATEGIES: tuple[Strategy, ...] = (
    "same_track",
    "other_surface",
    "neighbor_track",
    "few_cylinders",
    "far_zone",
)


class ZoneOfTracks(Params):
    """Neighboring cylinders with the same number of sectors per track."""

    last_cylinder: Cylinder
    per_track_count: PerTrack


class Geometry(Params):
    """Zones, surfaces and skews of a disk; slipped and spare sectors are not known."""

    zones: tuple[ZoneOfTracks, ...] = Field(
        default=tuple(
            ZoneOfTracks(last_cylinder=last, per_track_count=count)
            for last, count in DESKSTAR_75GXP
        ),
        min_length=1,
        max_length=64,
    )
    surfaces_count: Annotated[CountFromOne, Field(le=64)] = default(10, source=_SOURCE)
    head_skew_count: SkewSectors = default(
        102, "Sectors of the outer zone by which a surface is turned.", source=_SKEWS
    )
    cylinder_skew_count: SkewSectors = default(
        144, "Sectors of the outer zone by which a cylinder is turned.", source=_SKEWS
    )


class Place(NamedTuple):
    """Where a sector lies; ``per_track`` sectors are on its track."""

    track: int
    offset: int
    per_track: int
    zone: int


class Platter:
    """Looks up sectors of a geometry both ways."""

    def __init__(self, geometry: Geometry) -> None:
        """Lay out the zones.

        Raises
        ------
        ValidationError
            When zones do not follow each other inwards.
        """
        self.surfaces = geometry.surfaces_count
        self.head_skew, self.cylinder_skew = geometry.head_skew_count, geometry.cylinder_skew_count
        self.first_cylinders: list[int] = []
        self.first_sectors: list[int] = []
        self.per_track: list[int] = []
        cylinder = sector = 0
        for zone in geometry.zones:
            if zone.last_cylinder < cylinder:
                raise refusal("zones_not_in_order", "Enter zones from the outer edge inwards.")
            self.first_cylinders.append(cylinder)
            self.first_sectors.append(sector)
            self.per_track.append(zone.per_track_count)
            sector += (zone.last_cylinder + 1 - cylinder) * self.surfaces * zone.per_track_count
            cylinder = zone.last_cylinder + 1
        self.cylinders, self.sectors = cylinder, sector

    def locate(self, sector: int) -> Place:
        """Track, offset in it, sectors of the track and zone of a sector."""
        zone = bisect_right(self.first_sectors, sector) - 1
        inside, per_track = sector - self.first_sectors[zone], self.per_track[zone]
        track = self.first_cylinders[zone] * self.surfaces + inside // per_track
        return Place(track, inside % per_track, per_track, zone)

    def track_length(self, track: int) -> int:
        """Sectors of a track."""
        return self.per_track[self._zone(track)]

    def sector_at(self, track: int, offset: int) -> int:
        """Sector at an offset of a track, the offset taken round the track."""
        zone = self._zone(track)
        per_track = self.per_track[zone]
        before = track - self.first_cylinders[zone] * self.surfaces
        return self.first_sectors[zone] + before * per_track + offset % per_track

    def tracks_of_zone(self, zone: int) -> tuple[int, int]:
        """First track of a zone, and the track after its last."""
        ends = [*self.first_cylinders[1:], self.cylinders]
        return self.first_cylinders[zone] * self.surfaces, ends[zone] * self.surfaces

    def surface_skew(self, track: int) -> int:
        """Offset between neighbors on one surface, in sectors of that track.

        >>> Platter(Geometry()).surface_skew(0)
        360
        """
        per_track = self.track_length(track)
        skew = self.head_skew * (self.surfaces - 1) + self.cylinder_skew
        return round(skew * per_track / self.per_track[0]) % per_track

    def _zone(self, track: int) -> int:
        return bisect_right(self.first_cylinders, track // self.surfaces) - 1

    def replica_start(
        self, sector: int, strategy: Strategy, *, block: int, cylinders_away: int
    ) -> int | None:
        """First sector of the replica of a block that starts at a sector; None where there is none.

        The other surface is at least two away, the neighboring track half a turn away from where a
        scratch would meet it, the far zone a third of the disk away.
        """
        if strategy == "same_track":
            return sector + block if sector + 2 * block <= self.sectors else None
        here = self.locate(sector)
        cylinder, surface = divmod(here.track, self.surfaces)
        if strategy == "other_surface":
            if self.surfaces < 3:
                return None
            other = (surface + max(self.surfaces // 2, 2)) % self.surfaces
            return self.sector_at(cylinder * self.surfaces + other, here.offset)
        step = {"neighbor_track": 1, "few_cylinders": cylinders_away}.get(strategy)
        if step is None:
            step = self.cylinders // 3
        there = cylinder + step
        if there >= self.cylinders:
            there = cylinder - step
        if there < 0:
            return None
        track = there * self.surfaces + surface
        if strategy == "neighbor_track":
            turned = here.offset - self.surface_skew(track) + here.per_track // 2
            return self.sector_at(track, turned)
        return self.sector_at(track, here.offset)


def exposure(
    platter: Platter, bad: set[int], strategy: Strategy, *, block: int, cylinders_away: int
) -> tuple[int, int]:
    """Blocks with a bad sector, and those of them whose replica has one too.

    A block whose replica has no place is counted as lost with it.
    """
    originals = {sector // block for sector in bad}
    both = 0
    for number in originals:
        start = platter.replica_start(
            number * block, strategy, block=block, cylinders_away=cylinders_away
        )
        if start is None or any(start + i in bad for i in range(block)):
            both += 1
    return len(originals), both
