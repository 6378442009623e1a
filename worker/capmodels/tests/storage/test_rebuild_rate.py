"""A rebuild beside requests, in closed form, against rebuilds simulated to their end."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.spec import evaluate
from capmodels.storage.array import SPEC as SIMULATED
from capmodels.storage.closed_form.rebuild import Survivors, rebuild_rate_mb_per_s
from capmodels.storage.closed_form.spread_rebuild import Spread, spread_rebuild_mb_per_s
from capmodels.storage.drive.drives import HardDisk, SolidState
from capmodels.storage.drive.service import Moments, steady_moments
from capmodels.storage.drive.times import fixed_ms, read_busy_ms, service_moments
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


@pytest.mark.many(8)
@pytest.mark.parametrize("drive", [SMALL, QUICK], ids=["7200", "15000"])
@pytest.mark.parametrize("load", [0.1, 0.25, 0.4, 0.7, 0.85, 0.9])
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
    if load > 0.5:
        # Of the disk that is asked most, which reads for all that was lost.
        each /= 2
    mean = each * (1 + reading / (disks - 1))
    left = Survivors(reading, disks - 1, mean, read, 2 * each / mean)
    ours = rebuild_rate_mb_per_s(disk, left, 50.0)
    found = simulated(drive, kind, disks, each * disks * 1000)
    assert ours == pytest.approx(found, rel=0.13 if load < 0.5 else 0.2)


def test_the_disk_after_the_lost_one_reads_for_all_of_it() -> None:
    layout = {"kind": "raid7", "disks_count": 9, "failed_disk_count": 1}
    work = {
        "kind": "synthetic",
        "read_fraction": 1.0,
        "size_bytes": BLOCK,
        "arrivals": {"kind": "exponential", "mean_ms": 4.0},
        "requests_count": 200_000,
    }
    found = evaluate(SIMULATED, {"array": {"layout": layout, "drive": SMALL}, "workload": work})
    reads = [device.reads_count for device in found.devices[:8]]
    assert max(reads) == reads[0]
    # Each disk reads what it is asked for itself, and the first as much again.
    assert reads[0] == pytest.approx(2 * 200_000 / 9, rel=0.02)
    assert sum(reads) == pytest.approx((8 + 6) * 200_000 / 9, rel=0.01)


def test_beyond_the_time_of_the_busiest_disk_no_rate_is_said() -> None:
    disk = HardDisk.model_validate(SMALL)
    request = Moments(12.0, 170.0)
    even = Survivors(6, 7, 0.9 / 12.0, request)
    assert rebuild_rate_mb_per_s(disk, even, 50.0) is not None
    assert rebuild_rate_mb_per_s(disk, even._replace(busiest_ratio=1.09), 50.0) is None
    assert rebuild_rate_mb_per_s(disk, even._replace(requests_per_ms=1.01 / 12.0), 50.0) is None


def test_nothing_asked_leaves_the_rate_as_entered_or_that_of_the_tracks() -> None:
    disk = HardDisk.model_validate(SMALL)
    alone = Survivors(4, 4, 0.0, Moments(10.0, 120.0))
    assert rebuild_rate_mb_per_s(disk, alone, 20.0) == pytest.approx(20.0)
    tracks = REBUILD_PIECE_BYTES / fixed_ms(disk, REBUILD_PIECE_BYTES) / 1000
    assert rebuild_rate_mb_per_s(disk, alone, 9999.0) == pytest.approx(tracks, rel=2e-3)


def test_more_asked_and_more_survivors_never_rebuild_faster() -> None:
    disk = HardDisk.model_validate(SMALL)
    request = Moments(12.0, 170.0)
    by_load: list[Any] = [
        rebuild_rate_mb_per_s(disk, Survivors(6, 7, load / 12.0, request), 50.0)
        for load in (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.94)
    ]
    assert by_load == sorted(by_load, reverse=True)
    assert by_load[-1] > 0
    by_width: list[Any] = [
        rebuild_rate_mb_per_s(disk, Survivors(count, count + 1, 0.3 / 12.0, request), 50.0)
        for count in (1, 3, 8, 20, 60)
    ]
    assert by_width == sorted(by_width, reverse=True)


FLASH: dict[str, Any] = {
    "kind": "ssd",
    "capacity_gb": 30.0,
    "active_w": 7.0,
    "idle_w": 2.0,
    "read_latency_ms": 0.08,
    "write_latency_ms": 0.04,
}
ONE = {**FLASH, "read_mb_per_s": 520.0, "write_mb_per_s": 450.0}
SEVERAL = {**FLASH, "read_mb_per_s": 2500.0, "write_mb_per_s": 1100.0, "channels_count": 6}
HELD = {**FLASH, "read_mb_per_s": 350.0, "write_mb_per_s": 160.0, "channels_count": 10} | {
    "read_hold_ms": 0.09,
    "write_hold_ms": 0.15,
}
DIES = {**FLASH, "read_mb_per_s": 180.0, "write_mb_per_s": 120.0, "channels_count": 8} | {
    "write_hold_ms": 0.1,
    "dies": {"link_read_ms": 0.01, "link_write_ms": 0.012},
}


@pytest.mark.parametrize("load", [0.1, 0.5])
@pytest.mark.parametrize("entered", [60.0, 400.0])
def test_a_spare_with_dies_takes_what_its_link_and_channels_pass(
    load: float, entered: float
) -> None:
    flash = SolidState.model_validate(DIES)
    each = read_busy_ms(flash, BLOCK) / flash.channels_count
    left = Survivors(5, 5, load / each, steady_moments(each))
    ours = rebuild_rate_mb_per_s(flash, left, entered)
    per_s = load / each / 2 * 6 * 1000
    # As ``simulated``, of flash.
    layout = {"kind": "raid5", "disks_count": 6, "failed_disk_count": 1}
    work = {
        "kind": "synthetic",
        "read_fraction": 1.0,
        "size_bytes": BLOCK,
        "arrivals": {"kind": "exponential", "mean_ms": 1000 / per_s},
        "requests_count": 200_000,
    }
    array = {"layout": {**layout, "rebuild_mb_per_s": entered}, "drive": DIES}
    found = evaluate(SIMULATED, {"array": array, "workload": work})
    assert ours == pytest.approx(found.rebuild_mb_per_s, rel=0.05)


@pytest.mark.many(12)
@pytest.mark.parametrize("drive", [ONE, SEVERAL, HELD], ids=["one", "several", "held"])
@pytest.mark.parametrize("entered", [100.0, 300.0, 1200.0])
@pytest.mark.parametrize("load", [0.1, 0.35, 0.6])
@pytest.mark.parametrize(
    ("layout", "spread"),
    [
        ({"kind": "raid5", "disks_count": 7}, None),
        ({"kind": "raid6", "disks_count": 10}, None),
        ({"kind": "draid2", "disks_count": 21}, Spread(9, 2)),
        ({"kind": "draid1", "disks_count": 14}, Spread(4, 1)),
    ],
    ids=["raid5", "raid6", "draid2", "draid1"],
)
def test_a_rebuild_of_flash_is_as_fast_as_simulated(
    drive: dict[str, Any],
    entered: float,
    load: float,
    layout: dict[str, Any],
    spread: Spread | None,
) -> None:
    flash, disks = SolidState.model_validate(drive), layout["disks_count"]
    each = read_busy_ms(flash, BLOCK) / flash.channels_count
    width = disks if spread is None else spread.width_count
    reading = width - int(layout["kind"][-1].replace("5", "1").replace("6", "2"))
    left = Survivors(reading, disks - 1, load / each, steady_moments(each))
    lost = {"failed_disk_count": 1, "rebuild_mb_per_s": entered}
    if spread is None:
        ours = rebuild_rate_mb_per_s(flash, left, entered)
    else:
        each_left = spread_rebuild_mb_per_s(flash, left, spread, entered)
        ours = each_left * (disks - 1) / (reading + 1)
        lost |= {
            "stripe_disks_count": spread.width_count,
            "distributed_spares_count": spread.spares_count,
        }
    per_s = load / each / (1 + reading / (disks - 1)) * disks * 1000
    work = {
        "kind": "synthetic",
        "read_fraction": 1.0,
        "size_bytes": BLOCK,
        "arrivals": {"kind": "exponential", "mean_ms": 1000 / per_s},
        "requests_count": int(min(per_s * 1500 * drive["capacity_gb"] / ours, 200_000)),
    }
    asked = {"array": {"layout": {**layout, **lost}, "drive": drive}, "workload": work}
    assert ours == pytest.approx(evaluate(SIMULATED, asked).rebuild_mb_per_s, rel=0.15)
