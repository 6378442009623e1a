"""One disk as the simulator takes it, and as the plain way does."""

from __future__ import annotations

from capmodels.storage.drive.drives import HardDisk, ThreePointSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.tests.storage.plain_array import Platter

ZONES = ((3000, 960), (3000, 720))
PLATTER = Platter(
    zones=ZONES,
    surfaces=4,
    turn_ms=6.0,
    head_skew_ms=0.9,
    cylinder_skew_ms=1.3,
    fixed_ms=0.15,
    seek_min_ms=0.7,
    seek_avg_ms=3.6,
    seek_max_ms=7.5,
    write_settle_ms=0.5,
)
DISK = HardDisk(
    capacity_gb=PLATTER.sectors * 512 / 1e9,
    speed_rpm=10_000.0,
    seek=ThreePointSeek(min_ms=0.7, avg_ms=3.6, max_ms=7.5),
    overhead_ms=0.15,
    write_settle_ms=0.5,
    outer_mb_per_s=50.0,
    active_w=10.0,
    idle_w=8.0,
    geometry=DiskGeometry(
        surfaces_count=4,
        zones=tuple(
            GeometryZone(cylinders_count=cylinders, sectors_per_track_count=sectors)
            for cylinders, sectors in ZONES
        ),
        head_skew_ms=0.9,
        cylinder_skew_ms=1.3,
        follows_angle=True,
    ),
)
