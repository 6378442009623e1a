"""From a sector to its cylinder, surface and angle: zones, skews, slips.

After Huang 2006, chapter 6, tables 6.3 to 6.5, and section 6.3.2.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from capmodels.citations import HUANG_2006
from capmodels.errors import ModelError
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    one_point,
    refusal,
)
from capmodels.storage.drive.service import revolution_ms, track_rate_mb_per_s
from capmodels.units import Count, CountFromOne, DurationMs, Fraction, Real, Whole, of_unit

Sector = Annotated[Whole, Field(ge=0)]
CapacityGb = Annotated[Real, of_unit("GB", ge=0)]
Rpm = Annotated[Real, of_unit("rpm", gt=0)]
RateMb = Annotated[Real, of_unit("MB/s", ge=0)]

# Last cylinder and sectors per track of each zone.
DESKSTAR_75GXP = (
    (1375, 702), (2831, 684), (4239, 666), (6975, 648), (9759, 612), (11551, 594), (13631, 567),
    (16239, 540), (18319, 504), (19567, 486), (21199, 459), (23519, 432), (25215, 396),
    (26319, 378), (27724, 351),
)  # fmt: skip
ULTRASTAR_36LZX = (
    (378, 504), (2069, 476), (3416, 462), (6788, 420), (7493, 406), (8863, 392), (10167, 378),
    (11195, 364), (11999, 352), (13714, 336), (15109, 308),
)  # fmt: skip


def sectors_count(zones: tuple[tuple[int, int], ...], surfaces: int) -> int:
    """Sectors of a disk with zones of (last cylinder, sectors per track).

    >>> sectors_count(ULTRASTAR_36LZX, 12)
    72165216
    """
    first, total = 0, 0
    for last, per_track in zones:
        total += (last - first + 1) * per_track * surfaces
        first = last + 1
    return total


def skew_sectors(skew_ms: float, turn_ms: float, sectors_per_track: int) -> float:
    """Skew in sectors: the part of a turn times the track's sectors.

    >>> round(skew_sectors(1.2, 8.3333, 702))
    101
    """
    return skew_ms / turn_ms * sectors_per_track


def surface_skew(head_skew: int, cylinder_skew: int, surfaces: int, per_track: int) -> int:
    """Offset between neighbors on one surface, in sectors: a scratch repeats near it.

    >>> surface_skew(102, 144, 10, 702)
    360
    """
    return (head_skew * (surfaces - 1) + cylinder_skew) % per_track


def surface_of(track: int, surfaces: int) -> int:
    """Surface of a track, tracks numbered cylinder by cylinder.

    >>> surface_of(31438, 4), surface_of(30194, 3)
    (2, 2)
    """
    return track % surfaces


_SOURCE = "Huang 2006, tables 6.3 and 6.5"


class Zone(Params):
    """Neighboring cylinders with the same number of sectors per track."""

    last_cylinder: Sector
    per_track_count: CountFromOne


class GeometryParams(Params):
    """A disk's zones and skews, and a sector to find."""

    zones: Annotated[tuple[Zone, ...], Field(max_length=1_000)] = Field(
        default=tuple(
            Zone(last_cylinder=last, per_track_count=count) for last, count in DESKSTAR_75GXP
        ),
        min_length=1,
    )
    surfaces_count: Annotated[CountFromOne, Field(le=64)] = default(10, source=_SOURCE)
    speed_rpm: Rpm = default(7200.0, source=_SOURCE)
    head_skew_ms: DurationMs = default(1.2, source="Huang 2006, section 6.3.2")
    cylinder_skew_ms: DurationMs = default(1.7, source="Huang 2006, section 6.3.2")
    sector: Sector = assumed(0, "Number of the sector to find.")

    @field_validator("zones")
    @classmethod
    def _in_order(cls, value: tuple[Zone, ...], _info: ValidationInfo) -> tuple[Zone, ...]:
        for index in range(1, len(value)):
            if value[index].last_cylinder <= value[index - 1].last_cylinder:
                raise refusal("zones_not_in_order", "Enter zones from the outer edge inwards.")
        return value


class GeometryResult(Result):
    """The disk's size, and where the sector is."""

    sectors_count: Count
    capacity_gb: CapacityGb
    outer_mb_per_s: RateMb
    inner_mb_per_s: RateMb
    zone: Count
    cylinder: Count
    surface: Count
    track: Count
    offset: Count
    angle_fraction: Fraction
    head_skew_sectors_count: Count
    cylinder_skew_sectors_count: Count
    surface_skew_sectors_count: Count


def _pairs(params: GeometryParams) -> tuple[tuple[int, int], ...]:
    return tuple((zone.last_cylinder, zone.per_track_count) for zone in params.zones)


def locate(params: GeometryParams) -> tuple[int, int, int, int]:
    """Zone, track number, offset in the track and sectors of that track.

    Raises
    ------
    ModelError
        When the disk has no such sector.
    """
    left, first = params.sector, 0
    for index, (last, per_track) in enumerate(_pairs(params)):
        tracks = (last - first + 1) * params.surfaces_count
        if left < tracks * per_track:
            track = first * params.surfaces_count + left // per_track
            return index, track, left % per_track, per_track
        left -= tracks * per_track
        first = last + 1
    message = f"The disk has no sector {params.sector:,}."
    raise ModelError(message)


def angle_fraction(params: GeometryParams, track: int, offset: int, per_track: int) -> float:
    """Part of a turn at which a sector starts: skews of every track before it, and its offset."""
    turn = revolution_ms(params.speed_rpm)
    cylinder, surface = divmod(track, params.surfaces_count)
    per_cylinder = params.head_skew_ms * (params.surfaces_count - 1) + params.cylinder_skew_ms
    skew = (cylinder * per_cylinder + surface * params.head_skew_ms) / turn
    return (skew + offset / per_track) % 1.0


def _run(params: GeometryParams, _context: Context) -> GeometryResult:
    zone, track, offset, per_track = locate(params)
    turn = revolution_ms(params.speed_rpm)
    head = -int(-skew_sectors(params.head_skew_ms, turn, per_track) // 1)
    cylinder = -int(-skew_sectors(params.cylinder_skew_ms, turn, per_track) // 1)
    total = sectors_count(_pairs(params), params.surfaces_count)
    return GeometryResult(
        sectors_count=total,
        capacity_gb=total * 512 / 1e9,
        outer_mb_per_s=track_rate_mb_per_s(params.zones[0].per_track_count, turn),
        inner_mb_per_s=track_rate_mb_per_s(params.zones[-1].per_track_count, turn),
        zone=zone,
        cylinder=track // params.surfaces_count,
        surface=surface_of(track, params.surfaces_count),
        track=track,
        offset=offset,
        angle_fraction=angle_fraction(params, track, offset, per_track),
        head_skew_sectors_count=head,
        cylinder_skew_sectors_count=cylinder,
        surface_skew_sectors_count=surface_skew(head, cylinder, params.surfaces_count, per_track),
    )


_printed = partial(Check, source=_SOURCE)
_skew = partial(Check, source="Huang 2006, section 6.3.2", tolerance=1.0)

_CHECKS = (
    _printed(
        "S29a",
        "Deskstar 75GXP: what the sectors of its zone table hold",
        75.0,
        lambda: _run(GeometryParams(), Context()).capacity_gb,
        printed="75 GB",
        kind="arithmetic",
        tests="storage.disk_geometry.sectors_count",
        tolerance=2.0,
        unit="GB",
        wider="The drive is named for 75 GB; its zones hold 76.9 before spares.",
    ),
    _printed(
        "S29b",
        "Ultrastar 36LZX: what the sectors of its zone table hold",
        36.7,
        lambda: sectors_count(ULTRASTAR_36LZX, 12) * 512 / 1e9,
        printed="36.7 GB",
        kind="arithmetic",
        tests="storage.disk_geometry.sectors_count",
        tolerance=0.3,
        unit="GB",
        wider="Its zones hold 36.95 before spares.",
    ),
    _skew(
        "S30a",
        "Head skew of 1.2 ms on 702 sectors",
        102.0,
        lambda: float(_run(GeometryParams(), Context()).head_skew_sectors_count),
        params=dict,
        kind="arithmetic",
        tests="storage.disk_geometry.GeometryParams.head_skew_ms",
        tolerance=0.5,
    ),
    _skew(
        "S30b",
        "Cylinder skew of 1.7 ms on 702 sectors",
        144.0,
        lambda: float(_run(GeometryParams(), Context()).cylinder_skew_sectors_count),
        params=dict,
        kind="arithmetic",
        tests="storage.disk_geometry.GeometryParams.cylinder_skew_ms",
        tolerance=0.5,
    ),
)

SPEC = ModelSpec(
    id="storage.disk_geometry",
    version="1.0.0",
    title="Disk geometry",
    summary="Where a sector lies on a zoned disk: cylinder, surface, track, angle; the disk's "
    "size, its rates and the skew along which a scratch repeats.",
    params=GeometryParams,
    result=GeometryResult,
    run=_run,
    points=one_point,
    citations=(Citation(text=HUANG_2006, section="6.3"),),
    formulas=(
        Formula(
            "skew",
            "skew sectors = skew time / turn * sectors per track",
            "Huang 2006, section 6.3.2",
        ),
        Formula(
            "surface_skew",
            "surface skew = (head skew (surfaces - 1) + cylinder skew) mod sectors per track",
            "Huang 2006, section 6.3.2",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Spare and slipped sectors of a drive shift its sectors; without its list they are "
        "not counted.",
    ),
)
