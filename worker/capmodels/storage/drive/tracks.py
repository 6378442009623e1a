"""Where the data of a drive lie on its tracks, and how long heads and platters need to reach it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.drive.seek import ThreePoint, table_ms, three_point
from capmodels.storage.drive.service import BYTES_PER_SECTOR, revolution_ms, transfer_ms
from capmodels.worked import plain

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.geometry import DiskGeometry, cylinders_of, zone_sectors

Terms = tuple[tuple[float, float], ...]  # factor and power of the distance

_WHOLE = 1e-3  # of a sector, by which gigabytes of whole sectors may be off


def drive_sectors(drive: HardDisk) -> int:
    """Sectors that a drive offers: as its data sheet says, but no more than its tracks hold."""
    sheet = int(drive.capacity_gb * 1e9 / BYTES_PER_SECTOR + _WHOLE)
    return sheet if drive.geometry is None else min(sheet, sum(zone_sectors(drive.geometry)))


class UsedZone(NamedTuple):
    """A zone, or the part of it that a drive offers: its share of the data, of the stroke."""

    share: float
    start: float
    end: float
    per_track: int


def used_zones(drive: HardDisk, geometry: DiskGeometry) -> list[UsedZone]:
    """Zones as far as a drive offers their sectors; what is left beyond is spare."""
    cylinders, offered = cylinders_of(geometry), drive_sectors(drive)
    found = []
    left, first = offered, 0
    for zone, sectors in zip(geometry.zones, zone_sectors(geometry), strict=True):
        part = min(sectors, left)
        if part > 0:
            end = first + zone.cylinders_count * part / sectors
            place = first / cylinders, end / cylinders
            found.append(UsedZone(part / offered, *place, zone.sectors_per_track_count))
        left -= part
        first += zone.cylinders_count
    return found


def seek_over_ms(drive: HardDisk, cylinders: int) -> float:
    """Seek over so many cylinders of a drive with known tracks. [ms]"""
    seek = drive.seek
    if cylinders == 0 or drive.geometry is None or seek.kind == "logical":
        return drive.same_cylinder_ms
    if seek.kind == "three_point":
        curve = three_point(min_ms=seek.min_ms, avg_ms=seek.avg_ms, max_ms=seek.max_ms)
        share = (cylinders - 1) / max(cylinders_of(drive.geometry) - 1, 1)
        return curve.c_ms + curve.a_ms * math.sqrt(share) + curve.b_ms * share
    if seek.kind == "table":
        return table_ms(seek.distances_count, seek.seeks_ms, cylinders)
    near = cylinders < seek.join_count
    root_ms = seek.near_ms + seek.near_root_ms * math.sqrt(cylinders)
    return root_ms if near else seek.far_ms + seek.far_slope_ms * cylinders


def switches_ms(drive: HardDisk) -> tuple[float, float]:
    """Time from a track's end to the next of its cylinder, and of the next cylinder. [ms]

    As ``ZoneMap.switches_ms``.
    """
    geometry = drive.geometry
    if geometry is None:
        return 0.0, 0.0
    moves = seek_over_ms(drive, 0), seek_over_ms(drive, 1)
    if geometry.cylinder_skew_ms == 0:
        switch = max(moves[1] + drive.write_settle_ms, 0.0)
        return switch, switch
    turn = revolution_ms(drive.speed_rpm)
    gaps = geometry.head_skew_ms, geometry.cylinder_skew_ms
    head, cylinder = (
        gap + max(math.ceil((move - gap) / turn), 0) * turn
        for gap, move in zip(gaps, moves, strict=True)
    )
    return head, cylinder


def _even_transfers_ms(drive: HardDisk, size_bytes: float) -> tuple[float, float]:
    inner = drive.inner_mb_per_s or drive.outer_mb_per_s
    return transfer_ms(size_bytes, drive.outer_mb_per_s), transfer_ms(size_bytes, inner)


def mean_transfer_ms(drive: HardDisk, size_bytes: float) -> float:
    """Mean time to pass a request at a random place, changes of track included. [ms]"""
    if drive.geometry is None:
        return sum(_even_transfers_ms(drive, size_bytes)) / 2
    used = used_zones(drive, drive.geometry)
    return sum(zone.share / zone.per_track for zone in used) * _passing_ms(
        drive, drive.geometry, size_bytes
    )


def transfer_variance_ms2(drive: HardDisk, size_bytes: float) -> float:
    """Variance of the time to pass a request from the outermost to the innermost track. [ms^2]"""
    if drive.geometry is None:
        outer_ms, inner_ms = _even_transfers_ms(drive, size_bytes)
        return (inner_ms - outer_ms) ** 2 / 12
    used = used_zones(drive, drive.geometry)
    mean = sum(zone.share / zone.per_track for zone in used)
    square = sum(zone.share / zone.per_track**2 for zone in used)
    passing = _passing_ms(drive, drive.geometry, size_bytes)
    return max(square - mean * mean, 0.0) * passing * passing


def _passing_ms(drive: HardDisk, geometry: DiskGeometry, size_bytes: float) -> float:
    """Time to pass a request times the sectors of its track. [ms]

    A request of k sectors runs past the end of a track of n in (k - 1) / n of all cases.
    """
    head, cylinder = switches_ms(drive)
    surfaces = geometry.surfaces_count
    switch = (head * (surfaces - 1) + cylinder) / surfaces
    sectors = size_bytes / BYTES_PER_SECTOR
    return sectors * revolution_ms(drive.speed_rpm) + (sectors - 1) * switch


def seek_moments(curve: ThreePoint, drive: HardDisk, geometry: DiskGeometry) -> tuple[float, float]:
    """Mean and mean square of the seek between uniformly random sectors. [ms, ms^2]

    Sectors are uniform, cylinders are not: outer ones hold more. With a second antiderivative G of
    the seek over a distance, two stretches of cylinders from s to e, the second one farther in,
    have the integral G(e2 - s1) - G(s2 - s1) - G(e2 - e1) + G(s2 - e1), a stretch with itself
    2 G(e - s). Seeks over no distance, one in as many as there are cylinders, are not set apart.
    """
    # Of tracks the terms are not told yet (docs/status.md): what is kept remembers nothing.
    used = tuple(UsedZone._make(map(plain, zone)) for zone in used_zones(drive, geometry))
    a, b, c = map(plain, curve)
    return _moments_over((a, b, c), used)


@lru_cache(maxsize=64)
def _moments_over(curve: ThreePoint, used: tuple[UsedZone, ...]) -> tuple[float, float]:
    return _mean_of(_mean_terms(curve), used), _mean_of(_square_terms(curve), used)


def _mean_terms(curve: ThreePoint) -> Terms:
    a, b, c = curve
    return (c / 2, 2.0), (4 * a / 15, 2.5), (b / 6, 3.0)


def _square_terms(curve: ThreePoint) -> Terms:
    a, b, c = curve
    cubic, quartic = ((a * a + 2 * b * c) / 6, 3.0), (b * b / 12, 4.0)
    return (c * c / 2, 2.0), (8 * a * c / 15, 2.5), cubic, (8 * a * b / 35, 3.5), quartic


def _mean_of(terms: Terms, used: tuple[UsedZone, ...]) -> float:
    def twice(distance: float) -> float:
        return sum(factor * distance**power for factor, power in terms)

    found = 0.0
    dense = [zone.share / (zone.end - zone.start) for zone in used]
    for i, outer in enumerate(used):
        found += dense[i] ** 2 * 2 * twice(outer.end - outer.start)
        for j in range(i + 1, len(used)):
            inner = used[j]
            wide = twice(inner.end - outer.start) + twice(inner.start - outer.end)
            near = twice(inner.start - outer.start) + twice(inner.end - outer.end)
            found += 2 * dense[i] * dense[j] * (wide - near)
    return found


def rates_mb_per_s(drive: HardDisk) -> tuple[float, float]:
    """Rate of the outermost and of the innermost tracks. [MB/s]"""
    geometry = drive.geometry
    if geometry is None:
        return drive.outer_mb_per_s, drive.inner_mb_per_s or drive.outer_mb_per_s
    turn = revolution_ms(drive.speed_rpm)
    counts = [zone.sectors_per_track_count for zone in geometry.zones]
    outer, inner = (n * BYTES_PER_SECTOR / turn / 1000 for n in (counts[0], counts[-1]))
    return outer, inner
