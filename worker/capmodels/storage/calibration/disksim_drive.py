"""From the parameter files of DiskSim to a drive that can be simulated and calibrated.

They say nothing of power or price: those are taken from drives of their kind, and named.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from capmodels.formats.chunks import FileRefused
from capmodels.formats.disksim_model import disk_settings, extracted_disk, seek_pairs
from capmodels.storage.drive.drives import DriveBuffer, HardDisk, TableSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.storage.drive.seek import TwoRegime, two_regime_ms
from capmodels.storage.drive.service import BYTES_PER_SECTOR, revolution_ms, track_rate_mb_per_s

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.formats.disksim_model import DiskSettings, ExtractedDisk, ModelZone

# Of 3.5-inch server drives of around 2000, as their data sheets have it.
_ACTIVE_W, _IDLE_W = 12.0, 9.0
_GRID_COUNT = 200
_NO_RATE_MS = 1e-3
_NAME_ENDS = re.compile(r"(_validate)?([._]model)?$")


class ReadDrive(NamedTuple):
    """A drive, and the fields that its files did not give."""

    drive: HardDisk
    taken: tuple[str, ...]


def drive_of_disksim(model: str, *, seeks: str | None, settings: str | None) -> ReadDrive:
    """The drive of a ``.model`` file, with its ``.seek`` and its ``.diskspecs`` file if given.

    Raises
    ------
    FileRefused
        When something that is needed is not in them.
    """
    disk = extracted_disk(model)
    if not disk.zones:
        message = "This DiskSim file has no zones."
        raise FileRefused(message)
    cache = None if settings is None else disk_settings(settings)
    geometry = _geometry(disk)
    turn = revolution_ms(disk.speed_rpm)
    rates = [track_rate_mb_per_s(zone.per_track_count, turn) for zone in disk.zones]
    sectors = _sectors(disk)
    more: dict[str, Any] = {}
    taken = ["active_w", "idle_w"]
    if cache is None:
        taken += ["buffer", "overhead_ms"]
    else:
        more = {"buffer": _buffer(cache), "overhead_ms": cache.read_miss_ms}
    drive = HardDisk(
        name=_NAME_ENDS.sub("", disk.name).replace("_", " ") or "disk",
        capacity_gb=sectors * BYTES_PER_SECTOR / 1e9,
        speed_rpm=disk.speed_rpm,
        seek=_seek(disk, seeks, sum(zone.cylinders_count for zone in geometry.zones)),
        write_settle_ms=disk.write_settle_ms,
        same_cylinder_ms=disk.head_switch_ms,
        outer_mb_per_s=rates[0],
        inner_mb_per_s=rates[-1],
        active_w=_ACTIVE_W,
        idle_w=_IDLE_W,
        geometry=geometry,
        **more,
    )
    return ReadDrive(drive, tuple(taken))


def _ends(disk: ExtractedDisk) -> list[tuple[ModelZone, int]]:
    """Zones, each with the cylinder after it: cylinders between zones are spare ones."""
    starts = [*(zone.first_cylinder for zone in disk.zones), disk.cylinders_count]
    starts[0] = 0
    return [
        (zone, after - before)
        for zone, (before, after) in zip(disk.zones, pairwise(starts), strict=True)
    ]


def _geometry(disk: ExtractedDisk) -> DiskGeometry:
    """Tracks with the mean of the zones' skews, sectors that are empty in front put to the end."""
    zones, weights, skews = [], [], []
    turn = revolution_ms(disk.speed_rpm)
    for zone, cylinders in _ends(disk):
        own = zone.last_cylinder - zone.first_cylinder + 1
        spare = (cylinders - own) * disk.surfaces_count * zone.per_track_count
        zones.append(
            GeometryZone(
                cylinders_count=cylinders,
                sectors_per_track_count=zone.per_track_count,
                spare_sectors_count=zone.spares_count + zone.empty_count + spare,
                slipped_sectors=tuple(sorted(set(zone.slips))),
            )
        )
        weights.append(cylinders)
        per_sector = turn / zone.per_track_count
        skews.append((zone.head_skew_count * per_sector, zone.cylinder_skew_count * per_sector))
    head, cylinder = np.average(skews, axis=0, weights=weights)
    return DiskGeometry(
        surfaces_count=disk.surfaces_count,
        zones=tuple(zones),
        head_skew_ms=float(head),
        cylinder_skew_ms=float(cylinder),
    )


def _sectors(disk: ExtractedDisk) -> int:
    return sum(
        (zone.last_cylinder - zone.first_cylinder + 1) * disk.surfaces_count * zone.per_track_count
        - zone.spares_count
        - zone.empty_count
        for zone in disk.zones
    )


def _seek(disk: ExtractedDisk, seeks: str | None, cylinders: int) -> TableSeek:
    """The measured pairs, or points of the two-regime curve after the seeks that are given."""
    if seeks is not None:
        distances, times = seek_pairs(seeks)
    elif disk.two_regime:
        distances, times = _points(disk, cylinders)
    else:
        name = disk.seek_file or "the seek curve"
        message = f"This DiskSim file has its seeks in another one: give {name} as well."
        raise FileRefused(message)
    return TableSeek(cylinders_count=cylinders, distances_count=distances, seeks_ms=times)


def _points(disk: ExtractedDisk, cylinders: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    curve, first = TwoRegime(*disk.two_regime[:5]), disk.first_seeks_ms
    join = int(curve.v1_cylinders)
    grid = np.geomspace(1, cylinders - 1, _GRID_COUNT).astype(np.int64)
    near: Sequence[int] = [n for n in (*range(1, len(first) + 2), join - 1, join) if n < cylinders]
    distances = np.unique(np.concatenate([grid, near]))
    times = [
        first[n - 1] if n <= len(first) else two_regime_ms(curve, n) for n in distances.tolist()
    ]
    return tuple(distances.tolist()), tuple(times)


def _buffer(cache: DiskSettings) -> DriveBuffer:
    bus = BYTES_PER_SECTOR / max(cache.bus_ms_per_sector, _NO_RATE_MS) / 1000
    return DriveBuffer(
        segments_count=max(cache.segments_count, 1),
        segment_bytes=max(cache.segment_sectors, 1) * BYTES_PER_SECTOR,
        ahead_bytes=cache.ahead_sectors * BYTES_PER_SECTOR,
        bus_mb_per_s=bus,
        writes_behind=cache.writes_behind,
    )
