"""A declustered array's rebuild beside requests, in closed form, against the simulator."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.spec import evaluate
from capmodels.storage.array import SPEC as SIMULATED
from capmodels.storage.closed_form.rebuild import Survivors
from capmodels.storage.closed_form.spread_rebuild import Spread, spread_rebuild_mb_per_s
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.service import Moments
from capmodels.storage.drive.times import service_moments

# Small, so that a rebuild ends within the run and is at all places of the disks.
SLOW: dict[str, Any] = {
    "kind": "hdd",
    "capacity_gb": 6.0,
    "active_w": 8.0,
    "idle_w": 5.0,
    "outer_mb_per_s": 240.0,
    "inner_mb_per_s": 110.0,
    "speed_rpm": 5400.0,
    "seek": {"kind": "three_point", "min_ms": 1.2, "avg_ms": 9.5, "max_ms": 20.0},
}
FAST = {**SLOW, "speed_rpm": 10000.0, "outer_mb_per_s": 280.0, "inner_mb_per_s": 150.0} | {
    "seek": {"kind": "three_point", "min_ms": 0.6, "avg_ms": 4.8, "max_ms": 10.5}
}
BLOCK = 32768
# Layout, drives, drives of a stripe, distributed spares.
LAYOUTS = [
    ("draid1", 17, 5, 1),
    ("draid2", 36, 11, 2),
    ("draid2", 54, 18, 3),
    ("draid3", 90, 12, 4),
]


def asked(drive: HardDisk, kind: str, disks: int, width: int, load: float) -> Survivors:
    """Disks asked for reads alone, with those of the lost one that they stand in for."""
    read = service_moments(drive, BLOCK)
    assert read is not None
    reading = width - int(kind[-1])
    return Survivors(reading, disks - 1, load / read.mean_ms, read)


def simulated(
    drive: dict[str, Any], layout: dict[str, Any], rate_per_s: float, seconds: float
) -> float:
    """MB/s at which a lost disk comes back beside reads that come for so long."""
    work = {
        "kind": "synthetic",
        "read_fraction": 1.0,
        "size_bytes": BLOCK,
        "arrivals": {"kind": "exponential", "mean_ms": 1000 / rate_per_s},
        "requests_count": int(rate_per_s * seconds),
    }
    found = evaluate(SIMULATED, {"array": {"layout": layout, "drive": drive}, "workload": work})
    assert found.rebuild_mb_per_s is not None
    return found.rebuild_mb_per_s


@pytest.mark.many(8)
@pytest.mark.parametrize("drive", [SLOW, FAST], ids=["5400", "10000"])
@pytest.mark.parametrize(
    ("load", "entered"), [(0.1, 40.0), (0.3, 60.0), (0.45, 100.0), (0.6, 30.0)]
)
@pytest.mark.parametrize(("kind", "disks", "width", "spares"), LAYOUTS)
def test_a_declustered_rebuild_is_as_fast_as_simulated(
    drive: dict[str, Any],
    load: float,
    entered: float,
    kind: str,
    disks: int,
    width: int,
    spares: int,
) -> None:
    said, found = both(drive, (kind, disks, width, spares), load, entered)
    assert said == pytest.approx(found, rel=0.15 if load < 0.5 else 0.2)


def both(
    drive: dict[str, Any], shape: tuple[str, int, int, int], load: float, entered: float
) -> tuple[float, float]:
    """MB/s at which a lost disk comes back, in closed form and simulated."""
    kind, disks, width, spares = shape
    disk = HardDisk.model_validate(drive)
    left = asked(disk, kind, disks, width, load)
    ours = spread_rebuild_mb_per_s(disk, left, Spread(width, spares), entered)
    assert ours is not None
    moved = (left.reading_count + 1) / left.left_count
    own = left.requests_per_ms / (1 + left.reading_count / left.left_count)
    layout = {
        "kind": kind,
        "disks_count": disks,
        "stripe_disks_count": width,
        "distributed_spares_count": spares,
        "chunk_bytes": 65536,
        "failed_disk_count": 1,
        "rebuild_mb_per_s": entered,
    }
    # Half as long again as it should take.
    seconds = 1500 * drive["capacity_gb"] / (ours / moved)
    return ours / moved, simulated(drive, layout, own * disks * 1000, seconds)


def test_a_rate_that_leaves_disks_idle_is_kept() -> None:
    disk = HardDisk.model_validate(SLOW)
    left = asked(disk, "draid2", 36, 11, 0.1)
    assert spread_rebuild_mb_per_s(disk, left, Spread(11, 2), 10.0) == pytest.approx(10, rel=0.01)


def test_more_asked_never_rebuilds_faster() -> None:
    disk = HardDisk.model_validate(FAST)
    rates: list[Any] = [
        spread_rebuild_mb_per_s(
            disk, Survivors(9, 35, load / 9.0, Moments(9.0, 100.0)), Spread(11, 2), 80.0
        )
        for load in (0.0, 0.2, 0.4, 0.6, 0.8, 0.94)
    ]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] > 0


def test_beyond_the_time_of_the_drives_no_rate_is_said() -> None:
    disk = HardDisk.model_validate(FAST)
    left = asked(disk, "draid2", 36, 11, 1.0)
    assert spread_rebuild_mb_per_s(disk, left, Spread(11, 2), 80.0) is None


# Disks with so many slices that all are asked alike.
@pytest.mark.many(1)
@pytest.mark.parametrize(
    ("load", "near", "kind", "disks", "width", "spares"),
    [
        (0.8, 0.15, "draid1", 17, 5, 1),
        (0.9, 0.2, "draid1", 17, 5, 1),
        (0.8, 0.15, "draid2", 30, 20, 2),
    ],
)
def test_busy_disks_that_are_asked_alike_rebuild_nearly_as_fast_as_said(
    load: float, near: float, kind: str, disks: int, width: int, spares: int
) -> None:
    drive = FAST | {"capacity_gb": 60.0}
    said, found = both(drive, (kind, disks, width, spares), load, 40.0)
    assert (1 - near) * said < found < 1.05 * said


def test_nearer_to_all_of_the_time_a_rebuild_is_slower_than_said() -> None:
    drive = FAST | {"capacity_gb": 40.0}
    said, found = both(drive, ("draid1", 17, 5, 1), 0.95, 40.0)
    assert found < said
