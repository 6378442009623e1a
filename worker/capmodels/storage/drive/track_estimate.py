"""Tracks of a disk: what the known ones come to, and an estimate of unknown ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.numbers import counted, quantity
from capmodels.spec import Result
from capmodels.storage.drive.geometry import (
    SECTORS_PER_TRACK_MAX,
    DiskGeometry,
    GeometryZone,
    cylinders_of,
    zone_sectors,
)
from capmodels.storage.drive.service import BYTES_PER_SECTOR, revolution_ms, track_rate_mb_per_s
from capmodels.units import Count, DataGb, DurationMs, Real, of_unit

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import HardDisk

_ZONES = 8
# Tracks of a surface above which an estimate takes more surfaces.
_MOST_TRACKS = 500_000
RateMb = Annotated[Real, of_unit("MB/s", ge=0)]


class DriveTracks(Result):
    """What a disk's tracks come to."""

    cylinders_count: Count
    held_gb: DataGb = Field(description="Without spare and slipped sectors.")
    turn_ms: DurationMs
    zone_rates_mb_per_s: tuple[RateMb, ...] = Field(description="From the outside in.")
    zones_said: tuple[str, ...] = Field(description="Their rates, worded.")
    says: str
    caption: str


def tracks_of(drive: HardDisk) -> DriveTracks | None:
    """Return what the tracks of a disk come to; None where they are not known."""
    geometry = drive.geometry
    if geometry is None:
        return None
    turn, estimate = revolution_ms(drive.speed_rpm), estimated_tracks(drive)
    rates = [track_rate_mb_per_s(zone.sectors_per_track_count, turn) for zone in geometry.zones]
    said = tuple(quantity(rate, "MB/s") for rate in rates)
    cylinders, held_gb = (
        cylinders_of(geometry),
        sum(zone_sectors(geometry)) * BYTES_PER_SECTOR / 1e9,
    )
    surfaces = counted(geometry.surfaces_count, "surface")
    parts = f"{counted(len(rates), 'zone')}, {surfaces}"
    is_estimate = estimate is not None and estimate.zones == geometry.zones
    return DriveTracks(
        cylinders_count=cylinders,
        held_gb=held_gb,
        turn_ms=turn,
        zone_rates_mb_per_s=tuple(rates),
        zones_said=said,
        says=f"Zones of the platter: {parts}, {said[0]} outside, {said[-1]} inside.",
        caption=f"{parts}, {cylinders:,} cylinders, {quantity(held_gb, 'GB')}"
        f"{', estimated from capacity and rates' if is_estimate else ''}",
    )


def estimated_tracks(drive: HardDisk) -> DiskGeometry | None:
    """Tracks that hold a disk's capacity at its rates; None where there can be none such.

    Eight zones of as many cylinders, their rates in even steps from the outer to the inner one.
    Where the seek curve counts the cylinders, tracks are as long as the capacity asks.
    """
    if drive.seek.kind == "logical":
        return None
    outer = drive.outer_mb_per_s
    inner = outer if drive.inner_mb_per_s is None else drive.inner_mb_per_s
    sectors_per_rate = revolution_ms(drive.speed_rpm) * 1000 / BYTES_PER_SECTOR
    tracks = drive.capacity_gb * 1e9 / BYTES_PER_SECTOR / ((outer + inner) / 2 * sectors_per_rate)
    counted = getattr(drive.seek, "cylinders_count", None)
    if counted is None:
        surfaces = max(2, math.ceil(tracks / _MOST_TRACKS))
        cylinders = math.ceil(tracks / surfaces)
    else:
        surfaces, cylinders = max(1, round(tracks / counted)), counted
    if not 1 <= surfaces <= 64 or cylinders < _ZONES:
        return None
    stretch = tracks / (surfaces * cylinders)
    ends = [round(cylinders * at / _ZONES) for at in range(_ZONES + 1)]
    sectors = [
        max(round((outer + (inner - outer) * (at + 0.5) / _ZONES) * sectors_per_rate * stretch), 1)
        for at in range(_ZONES)
    ]
    if max(sectors) > SECTORS_PER_TRACK_MAX:
        return None
    return DiskGeometry(
        surfaces_count=surfaces,
        zones=tuple(
            GeometryZone(
                cylinders_count=ends[at + 1] - ends[at], sectors_per_track_count=sectors[at]
            )
            for at in range(_ZONES)
        ),
    )
