"""A rebuild beside requests, in closed form, against rebuilds simulated to their end."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.spec import evaluate
from capmodels.storage.array import SPEC as SIMULATED
from capmodels.storage.closed_form.rebuild import Survivors, rebuild_rate_mb_per_s
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.service import Moments
from capmodels.storage.drive.times import fixed_ms, service_moments
from capmodels.storage.simulator.layout import REBUILD_PIECE_BYTES

# Small, so that a rebuild ends within the run and is at all places of the disks.
SMALL: dict[str, Any] = {
    "kind": "hdd",
    "capacity_gb": 4.0,
    "active_w": 8.0,
    "idle_w": 5.0,
    "outer_mb_per_s": 270.0,
    "inner_mb_per_s": 130.0,
    "speed_rpm": 7200.0,
    "seek": {"kind": "three_point", "min_ms": 1.0, "avg_ms": 8.0, "max_ms": 18.0},
}
QUICK = {**SMALL, "speed_rpm": 15000.0, "outer_mb_per_s": 200.0, "inner_mb_per_s": 120.0} | {
    "seek": {"kind": "three_point", "min_ms": 0.4, "avg_ms": 3.5, "max_ms": 8.0}
}
BLOCK = 65536


def simulated(drive: dict[str, Any], kind: str, disks: int, rate_per_s: float) -> float:
    """MB/s of a rebuild from its beginning to its end beside reads."""
    layout = {"kind": kind, "disks_count": disks, "failed_disk_count": 1, "rebuild_mb_per_s": 50.0}
    found = evaluate(
        SIMULATED,
        {
            "array": {"layout": layout, "drive": drive},
            "workload": {
                "kind": "synthetic",
                "read_fraction": 1.0,
                "size_bytes": BLOCK,
                "arrivals": {"kind": "exponential", "mean_ms": 1000 / rate_per_s},
                "requests_count": int(rate_per_s * 300),
            },
        },
    )
    assert found.rebuild_mb_per_s is not None
    return found.rebuild_mb_per_s


@pytest.mark.parametrize("drive", [SMALL, QUICK], ids=["7200", "15000"])
@pytest.mark.parametrize("load", [0.1, 0.25, 0.4])
@pytest.mark.parametrize(
    ("kind", "disks", "parities"), [("raid5", 5, 1), ("raid6", 14, 2), ("raid7", 16, 3)]
)
def test_a_rebuild_to_its_end_is_as_fast_as_simulated(
    drive: dict[str, Any], load: float, kind: str, disks: int, parities: int
) -> None:
    disk = HardDisk.model_validate(drive)
    read = service_moments(disk, BLOCK)
    assert read is not None
    each = load / read.mean_ms
    reading = disks - parities
    left = Survivors(reading, disks - 1, each * (1 + reading / (disks - 1)), read)
    ours = rebuild_rate_mb_per_s(disk, left, 50.0)
    assert ours == pytest.approx(simulated(drive, kind, disks, each * disks * 1000), rel=0.13)


def test_nothing_asked_leaves_the_rate_as_entered_or_that_of_the_tracks() -> None:
    disk = HardDisk.model_validate(SMALL)
    alone = Survivors(4, 4, 0.0, Moments(10.0, 120.0))
    assert rebuild_rate_mb_per_s(disk, alone, 20.0) == pytest.approx(20.0)
    tracks = REBUILD_PIECE_BYTES / fixed_ms(disk, REBUILD_PIECE_BYTES) / 1000
    assert rebuild_rate_mb_per_s(disk, alone, 9999.0) == pytest.approx(tracks, rel=2e-3)


def test_more_asked_and_more_survivors_never_rebuild_faster() -> None:
    disk = HardDisk.model_validate(SMALL)
    request = Moments(12.0, 170.0)
    by_load = [
        rebuild_rate_mb_per_s(disk, Survivors(6, 7, load / 12.0, request), 50.0)
        for load in (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.94, 2.0, 50.0)
    ]
    assert by_load == sorted(by_load, reverse=True)
    assert by_load[-1] > 0
    by_width = [
        rebuild_rate_mb_per_s(disk, Survivors(count, count + 1, 0.3 / 12.0, request), 50.0)
        for count in (1, 3, 8, 20, 60)
    ]
    assert by_width == sorted(by_width, reverse=True)
