"""Arrays of every kind over a few hundred requests: quick even where kernels are interpreted.

Reads and writes of disks are held to an array written apart, to the last bits; the time and the
energy of all to sums over their states. What each run answered is kept in ``short_runs.json``:
regression only, written again by ``python -m capmodels.tests.storage.test_short_runs``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.dies_loop import DieTimes, loop_ms
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload, YearTerms
from capmodels.storage.simulator.per_year import repair_h_of, spares_w
from capmodels.storage.simulator.run import run_synthetic
from capmodels.tests.asking import ask
from capmodels.tests.storage.plain_runs import both_ways, on_every_layout

if TYPE_CHECKING:
    from capmodels.storage.simulator.layout import Layout

KEPT = Path(__file__).with_name("short_runs.json")
COUNT = 300

HDD: dict[str, Any] = {
    "kind": "hdd", "capacity_gb": 100.0, "speed_rpm": 7200.0, "outer_mb_per_s": 100.0,
    "seek": {"kind": "three_point", "min_ms": 1.0, "avg_ms": 9.0, "max_ms": 17.0},
    "write_settle_ms": 0.5, "same_cylinder_ms": 0.2, "active_w": 5.0, "idle_w": 3.0, "seek_w": 6.0,
}  # fmt: skip
SLEEPY = {
    **HDD,
    "low_power_idle": {"power_w": 1.5, "down_j": 1, "down_s": 0.3, "up_j": 4, "up_s": 0.9},
    "standby": {"power_w": 0.5, "down_j": 2, "down_s": 0.5, "up_j": 12, "up_s": 3.0},
}
SSD: dict[str, Any] = {
    "kind": "ssd", "capacity_gb": 48.0, "read_latency_ms": 0.1, "write_latency_ms": 0.02,
    "read_mb_per_s": 70.0, "write_mb_per_s": 60.0, "channels_count": 8, "read_hold_ms": 0.1,
    "write_hold_ms": 0.4, "active_w": 2.0, "write_w": 2.5, "idle_w": 1.0,
}  # fmt: skip
DIES = {"page_bytes": 16384, "link_read_ms": 0.01, "link_write_ms": 0.02}
ZONES: dict[str, Any] = {
    "surfaces_count": 4, "head_skew_ms": 0.7, "cylinder_skew_ms": 1.1, "follows_angle": True,
    "zones": [
        {"cylinders_count": 12_000, "sectors_per_track_count": 2400},
        {"cylinders_count": 8_000, "sectors_per_track_count": 1800},
    ],
}  # fmt: skip
TRACKED = {
    **{name: value for name, value in HDD.items() if name not in {"outer_mb_per_s"}},
    "capacity_gb": (12_000 * 4 * 2400 + 8_000 * 4 * 1800) * 512 / 1e9,
    "outer_mb_per_s": 2400 * 512 * 120 / 1e6,
    "inner_mb_per_s": 1800 * 512 * 120 / 1e6,
    "geometry": ZONES,
}


def _raid(kind: str, disks: int, drive: dict[str, Any] = HDD, **layout: Any) -> dict[str, Any]:
    return {"drive": drive, "layout": {"kind": kind, "disks_count": disks, **layout}}


def _work(mean_ms: float, **more: Any) -> dict[str, Any]:
    arrivals = {"kind": "exponential", "mean_ms": mean_ms}
    return {"arrivals": arrivals, "read_fraction": 0.7, "requests_count": COUNT, **more}


def _users(count: int, **more: Any) -> dict[str, Any]:
    arrivals = {"kind": "closed", "users_count": count, "think_ms": 2.0}
    return _work(1.0, **{"arrivals": arrivals, **more})


_BURSTS = {
    "kind": "mmpp", "quiet_mean_ms": 2000.0, "busy_mean_ms": 20.0, "quiet_stay_ms": 20_000.0,
    "busy_stay_ms": 800.0,
}  # fmt: skip
_REGIONS = {
    "kind": "regions",
    "regions": [
        {"start_fraction": 0.0, "end_fraction": 0.1, "weight_ratio": 3.0, "stay_fraction": 0.5},
        {"start_fraction": 0.6, "end_fraction": 0.9, "weight_ratio": 1.0},
    ],
}
_SIZES = [{"size_bytes": 4096, "weight_ratio": 3}, {"size_bytes": 65_536, "weight_ratio": 1}]
_ZIPF = {"kind": "zipf", "exponent": 1.1, "blocks_count": 5000}

_REQUESTS = (
    *("hit_in_stream", "hit_after_read", "hit_after_write", "read_stream"),
    *("miss_after_read", "miss_after_write", "miss_near"),
    *("write_sequential", "write_near_write", "write_near_read"),
    *("write_after_write", "write_after_read"),
)
_COSTS = [
    {"request": name, "overhead_ms": 0.1 + 0.02 * nth, "per_sector_ms": 0.001 * nth}
    for nth, name in enumerate(_REQUESTS)
]


def _ruled(buffer: dict[str, Any], **rules: Any) -> dict[str, Any]:
    """A disk whose cache keeps to measured rules."""
    return {**TRACKED, "buffer": buffer, "measured": {"costs": _COSTS, **rules}}


_SLIPPED = {
    **ZONES,
    "zones": [
        {**ZONES["zones"][0], "spare_sectors_count": 40, "slipped_sectors": [100, 5000, 5001]},
        {**ZONES["zones"][1], "spare_sectors_count": 10},
    ],
}
_SLC = {"size_gb": 0.004, "least_gb": 0.0001, "past_mb_per_s": 10.0}
_TABLE = {
    "kind": "table", "cylinders_count": 5000, "distances_count": [1, 40, 900, 4999],
    "seeks_ms": [1.0, 2.5, 7.0, 15.0],
}  # fmt: skip
_REGIMES = {
    "kind": "two_regime", "cylinders_count": 1962, "join_count": 383, "near_ms": 3.24,
    "near_root_ms": 0.4, "far_ms": 8.0, "far_slope_ms": 0.008,
}  # fmt: skip

_NEAR = {"kind": "sequential", "continue_fraction": 0.7}

# An array and its requests of every kind: what is on, how requests come, what they ask for.
RUNS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "one disk": (_raid("single", 1), _work(20.0)),
    "sorted": ({**_raid("single", 1), "scheduler": "sstf"}, _users(8)),
    "look": ({**_raid("raid0", 2), "scheduler": "look"}, _users(8, addresses=_REGIONS)),
    "circular": ({**_raid("raid1", 2), "scheduler": "clook"}, _users(6)),
    "by position": (
        {**_raid("single", 1, TRACKED), "scheduler": "sptf", "queue_count": 4, "ageing_ratio": 0.1},
        _users(9),
    ),
    "pareto": (
        _raid("raid0", 3, chunk_bytes=8192),
        _work(1.0, arrivals={"kind": "pareto", "mean_ms": 12.0}, size_bytes=32_768),
    ),
    "nearest of three": (
        {**_raid("mirrored_set", 3), "dispatch": {"kind": "nearest_head"}},
        _work(9.0),
    ),
    "by response": (
        {
            **_raid("mirrored_set", 3, SLEEPY),
            "dispatch": {"kind": "response_time", "response_max_ms": 30.0, "wake_binding": True},
            "timeouts": {"low_power_idle_s": 2.0, "standby_s": 8.0},
        },
        _work(1.0, arrivals=_BURSTS),
    ),
    "late writes": (
        {
            **_raid("mirrored_set", 3, SLEEPY),
            "dispatch": {"kind": "primary_first", "lazy_writes": True},
            "timeouts": {"standby_s": 3.0},
        },
        _work(1.0, arrivals=_BURSTS),
    ),
    "any copy": ({**_raid("raid10", 6), "dispatch": {"kind": "random"}}, _work(6.0)),
    "concatenated": (_raid("concatenated", 3), _work(15.0, addresses=_ZIPF)),
    "raid5": (_raid("raid5", 5), _work(14.0, sizes=_SIZES)),
    "raid5 locked": (_raid("raid5", 4, locked_updates=True), _work(25.0)),
    "raid5 sorted": ({**_raid("raid5", 4), "scheduler": "sstf"}, _users(6)),
    "raid6 lost": (_raid("raid6", 6, failed_disk_count=1), _work(25.0)),
    "raid6 rebuilt": (
        _raid("raid6", 8, {**HDD, "capacity_gb": 0.5}, failed_disk_count=1, rebuild_mb_per_s=20.0),
        _work(60.0),
    ),
    "pair rebuilt": (
        _raid("raid1", 2, {**HDD, "capacity_gb": 0.4}, failed_disk_count=1, rebuild_mb_per_s=9.0),
        _work(40.0),
    ),
    "triple": (_raid("raid7", 7), _work(25.0)),
    "declustered": (
        _raid("draid2", 12, stripe_disks_count=6, distributed_spares_count=1), _work(12.0),
    ),
    "declustered rebuilt": (
        _raid("draid1", 10, {**HDD, "capacity_gb": 0.5}, stripe_disks_count=4,
              distributed_spares_count=1, failed_disk_count=1, rebuild_mb_per_s=30.0),
        _work(30.0),
    ),
    "table of seeks": (_raid("single", 1, {**HDD, "seek": _TABLE}), _work(20.0)),
    "two regimes": (_raid("raid0", 2, {**HDD, "seek": _REGIMES}), _work(12.0)),
    "logical seeks": (_raid("single", 1, {**HDD, "seek": {"kind": "logical"}}), _work(18.0)),
    "sectors slipped": (
        _raid("single", 1, {**TRACKED, "capacity_gb": 80.0, "geometry": _SLIPPED}), _work(20.0),
    ),
    "zones by their pace": (
        _raid("single", 1, {**TRACKED, "geometry": {**ZONES, "follows_angle": False}}),
        _work(20.0, size_bytes=1 << 20),
    ),
    "whole tracks": (
        _raid("single", 1, {**HDD, "buffer": {"whole_tracks": True, "segments_count": 4}}),
        _work(15.0, addresses=_NEAR),
    ),
    "rules of a cache": (
        _raid("single", 1, _ruled({"whole_tracks": True}, keeps_passing_sectors=True,
                                  written_ends="oldest")),
        _work(15.0, addresses=_NEAR, size_bytes=262_144),
    ),
    "other rules": (
        _raid("single", 1, _ruled({}, ahead_to_track_end=True, hits_read_ahead=True,
                                  drops_delivered=True, stream_hold_ms=8.0,
                                  ahead_lost_fraction=0.2, written_ends="nothing")),
        _work(15.0, addresses=_NEAR),
    ),
    "read ahead": (
        _raid("single", 1, {**HDD, "buffer": {}}),
        _work(15.0, addresses={"kind": "sequential", "continue_fraction": 0.8}),
    ),
    "writes behind": (
        {
            **_raid("single", 1, {**TRACKED, "buffer": {"writes_behind": True,
                                                       "held_writes_count": 4}}),
            "scheduler": "sptf",
        },
        _users(4, read_fraction=0.4),
    ),
    "mirrored buffer": (
        {
            **_raid("mirrored_set", 3, SLEEPY),
            "cache": {"mode": "hp08_mirror", "device": SSD, "capacity_gb": 0.01},
            "timeouts": {"standby_s": 5.0},
        },
        _work(1.0, arrivals=_BURSTS),
    ),
    "written back": (
        {
            **_raid("raid5", 3),
            "cache": {"mode": "write_back", "device": SSD, "capacity_gb": 0.0005,
                      "dirty_max_fraction": 0.3},
        },
        _work(12.0, addresses=_ZIPF),
    ),
    "written through": (
        {
            **_raid("raid0", 2),
            "cache": {"mode": "write_through", "device": SSD, "capacity_gb": 0.002},
        },
        _work(12.0, addresses=_ZIPF),
    ),
    "copies on free space": (
        {**_raid("single", 1), "copies": {"epoch_s": 1.0, "region_bytes": 1 << 30}},
        _work(20.0, addresses=_REGIONS, read_fraction=1.0),
    ),
    "flash": (_raid("raid5", 4, SSD), _users(32)),
    "flash in phases": (
        _raid("raid5", 4, {**SSD, "channels_count": 1, "read_hold_ms": 0.0, "write_hold_ms": 0.0}),
        _users(8),
    ),
    "flash of one channel": (
        _raid("raid5", 4, {**SSD, "channels_count": 1, "read_hold_ms": 0.0, "write_hold_ms": 0.0},
              locked_updates=True),
        _work(0.6),
    ),
    "flash that is full": (
        _raid("single", 1, {**SSD, "fill_fraction": 0.9, "spare_fraction": 0.07,
                            "block_bytes": 1 << 20}),
        _users(8, read_fraction=0.3),
    ),
    "dies": (
        {
            **_raid("single", 1, {**SSD, "dies": DIES}),
            "controller": {"read_ms": 0.01, "write_ms": 0.02, "depth_count": 12},
        },
        _users(24, sizes=_SIZES),
    ),
    "slc": (
        _raid("single", 1, {**SSD, "slc": _SLC, "fill_fraction": 0.8, "spare_fraction": 0.07,
                            "write_wait_ms": 0.02}),
        _users(4, read_fraction=0.2),
    ),
}  # fmt: skip


def _outcome(name: str) -> Any:
    array, work = RUNS[name]
    design = ArrayDesign.model_validate(array)
    return run_synthetic(design, SyntheticWorkload.model_validate(work), seed=5)


def answered(name: str) -> dict[str, Any]:
    """What a run answered: ends, responses, waits, states and energy of each drive."""
    out = _outcome(name)
    there = out.time_ms.sum(axis=1) > 0
    whole = ("end_ms", "rebuilt_ms", "area_ms", "bytes_moved", "dirty_blocks")
    counted = {column: getattr(out, column) for column in whole}
    sums = {
        "response": out.response[:, [k.SUM, k.DONE, k.LARGEST]],
        "waits_ms": out.waits_ms[there],
        "time_ms": out.time_ms[there],
        "energy_mj": out.energy_mj[there],
        "count": out.count[there],
    }
    return {
        **{column: float(value) for column, value in counted.items()},
        **{column: np.asarray(value, dtype=float).tolist() for column, value in sums.items()},
    }


@pytest.mark.decisive
@on_every_layout
def test_a_short_run_is_that_of_the_array_written_apart(
    layout: Layout, dispatch: Any, gap_ms: float
) -> None:
    out, theirs = both_ways(layout, dispatch, gap_ms, COUNT)
    for write, seen in enumerate(theirs):
        assert out.response[write, k.DONE] == len(seen)
        assert out.response[write, k.SUM] == pytest.approx(seen.sum(), rel=1e-11)
        assert out.response[write, k.LARGEST] == pytest.approx(seen.max(), rel=1e-11)


def test_one_die_at_its_ceiling_answers_a_depth_of_holds_later() -> None:
    # A closed loop whose die, or all of whose dies, are never idle (Little's law).
    times = DieTimes(0.01, 0.09, 0.09, 0.01, 0.2, 0.2)
    assert loop_ms(5, 1, times) == pytest.approx(5 * 0.09, rel=1e-9)
    assert loop_ms(8, 4, times, read_fraction=0.0) == pytest.approx(8 / 4 * 0.2, rel=1e-9)
    assert loop_ms(5, 1, times, host_ms=0.02) == pytest.approx(5 * 0.09 - 0.02, rel=1e-9)


def test_an_answer_counts_what_is_left_in_a_cache_in_bytes() -> None:
    array, work = RUNS["written back"]
    found = ask("storage.array", array=array, workload={"kind": "synthetic", **work}).cache
    assert found is not None
    assert found.dirty_tb * 1e12 / 4096 == pytest.approx(round(found.dirty_tb * 1e12 / 4096))
    assert 0 < found.dirty_tb * 1e12 <= 0.0005e9


def test_an_answer_counts_copies_in_bytes_and_spares_by_whether_they_sleep() -> None:
    array, work = RUNS["copies on free space"]
    copies = ask("storage.array", array=array, workload={"kind": "synthetic", **work}).copies
    assert copies is not None
    assert copies.copies_count > 0
    assert copies.copied_tb == pytest.approx(sum(disk.copied_tb for disk in copies.disks))
    assert copies.copied_tb * 1e12 / 4096 == pytest.approx(round(copies.copied_tb * 1e12 / 4096))
    assert copies.copied_tb * 1e12 >= copies.copies_count * 4096
    design = ArrayDesign.model_validate(_raid("raid5", 3, SLEEPY, spares_sleep=True))
    awake = ArrayDesign.model_validate(_raid("raid5", 3, SLEEPY))
    terms = YearTerms(spares_count=2)
    assert (spares_w(design, terms), spares_w(awake, terms)) == (1.0, 6.0)
    asleep, idle = (repair_h_of(one, terms, 7200.0) for one in (design, awake))
    assert (asleep, idle) == pytest.approx((2.0 + 3.0 / 3600, 2.0))


@pytest.mark.parametrize("name", RUNS)
def test_the_states_of_each_drive_fill_the_run(name: str) -> None:
    out = _outcome(name)
    there = out.time_ms.sum(axis=1) > 0
    assert there.any()
    assert out.time_ms.sum(axis=1)[there] == pytest.approx(out.end_ms, rel=1e-9)


@pytest.mark.decisive
@pytest.mark.parametrize("name", RUNS)
def test_a_short_run_answers_as_it_did(name: str) -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    assert kept["oracle"] == "regression only"
    found = answered(name)
    assert found.keys() == kept["runs"][name].keys()
    for column, value in kept["runs"][name].items():
        assert np.asarray(found[column]) == pytest.approx(np.asarray(value), rel=1e-9, abs=1e-9)


def main() -> None:
    """Keep what every run answers now."""
    runs = ",\n".join(f"{json.dumps(name)}: {json.dumps(answered(name))}" for name in RUNS)
    KEPT.write_text(f'{{"oracle": "regression only", "runs": {{\n{runs}\n}}}}\n', "utf-8")


if __name__ == "__main__":
    main()
