"""Disks that sort their queues, with a rebuild and a cache, against the way without events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.rng import streams
from capmodels.storage.calibration.array_answers import alone_in
from capmodels.storage.drive.drives import (
    MTRON_3035,
    TRAVELSTAR_7K60,
    ULTRASTAR_15K73,
    DriveBuffer,
)
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.arrivals import ClosedArrivals, ExponentialArrivals
from capmodels.storage.simulator.build import array_sectors, build
from capmodels.storage.simulator.extras import Timeouts
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.loop_kernel import end_run, open_loop
from capmodels.storage.simulator.params import ArrayDesign, CacheTier, Dispatch, SyntheticWorkload
from capmodels.storage.simulator.queue_kernel import end_queues, one_by_one, sorted_queues
from capmodels.storage.simulator.run import Runner, run_synthetic

pytestmark = pytest.mark.slow

COUNT = 12_000


def _design(kind: Any, disks: int, lost: int, mode: Any, **more: Any) -> ArrayDesign:
    cache = None
    if mode is not None:
        cache = CacheTier(mode=mode, capacity_gb=0.02, dirty_max_fraction=0.3)
    layout = Layout(kind=kind, disks_count=disks, failed_disk_count=lost, **more)
    drive = ULTRASTAR_15K73.model_copy(update={"capacity_gb": 0.5})
    return ArrayDesign(
        drive=drive,
        layout=layout,
        dispatch=Dispatch(kind="shortest_queue"),
        cache=cache,
        timeouts=None,
    )


def _machine(design: ArrayDesign) -> Any:
    """A machine whose disks take a time that depends on the place alone, no two alike."""
    run = Runner(design, streams(1, 1)[0], users=0, total=COUNT).start(None)
    par = run.record["par"]
    disks = design.layout.disks_count
    par[:disks, k.SERVICE_KIND] = 1
    par[:disks, k.FIXED] = 3.0 + 0.37 * np.arange(disks)
    return run


def _requests(design: ArrayDesign, mean_ms: float) -> Any:
    gaps, places = streams(5, 2)
    at = np.cumsum(gaps.standard_exponential(COUNT) * mean_ms)
    ops = np.zeros((COUNT, 3), dtype=np.int64)
    ops[:, 0] = places.integers(0, array_sectors(design) // 16, COUNT) * 8
    ops[:, 1] = 8
    ops[:, 2] = places.random(COUNT) < 0.3
    return at, ops


CASES = [
    (kind, disks, lost, mode)
    for kind, disks, lost in (
        ("mirrored_set", 3, 1),
        ("raid10", 4, 2),
        ("raid5", 4, 1),
        ("raid6", 6, 2),
        ("raid5", 4, 0),
    )
    for mode in (None, "write_back", "write_through", "hp08_mirror")
]


@pytest.mark.parametrize(("kind", "disks", "lost", "mode"), CASES)
@pytest.mark.decisive
def test_first_come_by_events_is_first_come(kind: Any, disks: int, lost: int, mode: Any) -> None:
    rate = 20.0 if lost else None
    design = _design(kind, disks, lost, mode, locked_updates=False, rebuild_mb_per_s=rate)
    at, ops = _requests(design, 12.0)
    fast, slow = _machine(design), _machine(design)
    rng = streams(7, 1)[0]
    open_loop(fast.machine, fast.held, at, ops, 0.0, rng)
    slow.record["plan"][k.SCHEDULER] = k.FCFS_BY_EVENT
    slow.record["free_slots"][:] = np.arange(k.PENDING_MAX)
    sorted_queues(slow.machine, slow.held, at, ops, 0.0, rng)
    end_queues(slow.machine, slow.held, 0.0, rng)
    ends = [end_run(run.machine, run.held, float(at[-1]), 0.0, rng) for run in (fast, slow)]
    one, two = fast.record, slow.record
    assert ends[1] == pytest.approx(ends[0], rel=1e-9)
    assert two["tally"][: k.PENDING].tolist() == one["tally"][: k.PENDING].tolist()
    assert two["response"] == pytest.approx(one["response"], rel=1e-9)
    assert (two["count"][:, k.READ_OPS] == one["count"][:, k.READ_OPS]).all()
    assert (two["count"][:, k.WRITE_SECTORS] == one["count"][:, k.WRITE_SECTORS]).all()
    assert two["time_ms"] == pytest.approx(one["time_ms"], rel=1e-9)
    assert two["energy_mj"] == pytest.approx(one["energy_mj"], rel=1e-9)
    assert two["share"][k.REBUILT_AT] == pytest.approx(one["share"][k.REBUILT_AT], rel=1e-9)
    assert (one["tally"][k.REBUILT_SECTORS] > 0) == (lost > 0)


def _alone(**memory: Any) -> ArrayDesign:
    drive = ULTRASTAR_15K73.model_copy(update={"buffer": DriveBuffer(**memory)} if memory else {})
    return alone_in(drive, scheduler="look")


def test_requests_one_by_one_take_what_they_take_at_the_times_that_come_of_it() -> None:
    design = _alone()
    _, ops = _requests(design, 1.0)
    pauses = np.where(np.arange(COUNT) % 3, 7.0, 0.0)
    by_pauses, by_times = _machine(design), _machine(design)
    found = one_by_one(by_pauses.machine, by_pauses.held, pauses, ops, streams(7, 1)[0])
    assert found == pytest.approx(np.full(COUNT, 3.0))
    at = np.cumsum(np.append(0.0, found[:-1] + pauses[1:]))
    sorted_queues(by_times.machine, by_times.held, at, ops, 0.0, streams(7, 1)[0])
    end_queues(by_times.machine, by_times.held, 0.0, streams(7, 1)[0])
    sums = [run.record["response"][:, k.SUM].sum() for run in (by_pauses, by_times)]
    assert sums[0] == pytest.approx(sums[1])


def test_a_held_write_begins_in_the_least_pause_and_before_no_request_without_one() -> None:
    design = _alone(writes_behind=True, held_writes_count=8, ahead_bytes=0)
    _, ops = _requests(design, 1.0)
    # A write that goes to the platter, one that waits for it; a read, and the one in question.
    ops[:, 2] = np.arange(COUNT) % 4 < 2

    def last_reads_ms(pause_ms: float) -> float:
        run = build(design)
        pauses = np.tile([1000.0, 0.1, 0.1, pause_ms], COUNT // 4)
        found = one_by_one(run.machine, run.held, pauses, ops, streams(7, 1)[0])
        return float(found.reshape(-1, 4).mean(axis=0)[3])

    at_once, later = last_reads_ms(0.0), last_reads_ms(0.01)
    # A seek, half a turn and 4 KiB of a disk of 15,000 turns a minute, and as much of the write.
    assert at_once == pytest.approx(5.7, rel=0.1)
    assert later > 1.6 * at_once


def test_dirty_blocks_go_to_sorted_disks_that_have_woken() -> None:
    design = _design("raid5", 4, 0, "write_back", locked_updates=False)
    design = design.model_copy(update={"drive": TRAVELSTAR_7K60, "timeouts": Timeouts()})
    gaps, places = streams(3, 2)
    at = np.cumsum(gaps.standard_exponential(2000) * 5000.0)
    ops = np.zeros((2000, 3), dtype=np.int64)
    ops[:, 0] = places.integers(0, 100_000, 2000) * 8
    ops[:, 1] = 8
    ops[:, 2] = places.random(2000) < 0.95
    fast, slow = _machine(design), _machine(design)
    rng = streams(7, 1)[0]
    open_loop(fast.machine, fast.held, at, ops, 0.0, rng)
    slow.record["plan"][k.SCHEDULER] = k.FCFS_BY_EVENT
    slow.record["free_slots"][:] = np.arange(k.PENDING_MAX)
    sorted_queues(slow.machine, slow.held, at, ops, 0.0, rng)
    end_queues(slow.machine, slow.held, 0.0, rng)
    woken = [int(run.record["tally"][k.WOKEN_DESTAGES]) for run in (fast, slow)]
    assert woken[0] > 500
    assert woken[1] == woken[0]
    sums = [run.record["response"][:, k.SUM] for run in (fast, slow)]
    # Two phases of different runs of blocks that begin at the same moment may change places.
    assert sums[1] == pytest.approx(sums[0], rel=1e-4)


@pytest.mark.parametrize("scheduler", ["sstf", "look"])
@pytest.mark.parametrize(("kind", "disks", "lost"), [("raid6", 6, 2), ("mirrored_set", 3, 1)])
def test_a_rebuild_under_sorted_queues_and_a_cache_conserves_time_and_energy(
    kind: Any, disks: int, lost: int, scheduler: Any
) -> None:
    design = _design(kind, disks, lost, "write_back", rebuild_mb_per_s=20.0)
    design = design.model_copy(update={"scheduler": scheduler})
    arrivals = ExponentialArrivals(mean_ms=8.0)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=6000, read_fraction=0.7)
    out = run_synthetic(design, work, seed=2)
    assert out.taken == 6000
    assert not out.overflow
    assert out.time_ms.sum(axis=1) == pytest.approx(np.full(disks + 1, out.end_ms), rel=1e-6)
    power = np.array([15.6, 15.6, 12.0, 0.0, 0.0, 0.0])
    assert out.energy_mj[:disks].sum() == pytest.approx((out.time_ms[:disks] * power).sum())
    flash = MTRON_3035
    busy, idle = out.time_ms[disks, k.ACTIVE], out.time_ms[disks, k.IDLE]
    assert out.energy_mj[disks].sum() == pytest.approx(busy * flash.active_w + idle * flash.idle_w)
    # 500 MB at 20 MB/s or less; the whole disk once, from as many as hold data.
    assert out.rebuilt_ms > 24_900
    assert int(out.tally[k.REBUILT_SECTORS]) == int(0.5e9 / 512)


def test_sorting_pays_under_a_rebuild_and_above_a_cache() -> None:
    for mode, lost, mean_ms in ((None, 1, 6.5), ("write_back", 0, 3.0)):
        arrivals = ExponentialArrivals(mean_ms=mean_ms)
        work = SyntheticWorkload(arrivals=arrivals, requests_count=30_000, read_fraction=0.9)
        rate = 5.0 if lost else None
        base = _design("raid5", 4, lost, mode, rebuild_mb_per_s=rate)
        base = base.model_copy(update={"drive": ULTRASTAR_15K73})
        means = {}
        for scheduler in ("fcfs", "sstf"):
            out = run_synthetic(base.model_copy(update={"scheduler": scheduler}), work, seed=2)
            total = out.response.sum(axis=0)
            means[scheduler] = total[k.SUM] / total[k.DONE]
        assert means["sstf"] < 0.97 * means["fcfs"]


@pytest.mark.parametrize("mode", ["write_back", "write_through", "hp08_mirror"])
def test_users_above_a_cache_and_sorted_disks_obey_their_response_law(mode: Any) -> None:
    design = _design("raid5", 4, 1, mode, rebuild_mb_per_s=20.0)
    arrivals = ClosedArrivals(users_count=8, think_ms=10.0)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=30_000, read_fraction=0.7)
    out = run_synthetic(design.model_copy(update={"scheduler": "look"}), work, seed=3)
    total = out.response.sum(axis=0)
    mean = float(total[k.SUM] / total[k.DONE])
    # Users = throughput x (response + think).
    assert out.taken / out.end_ms * (mean + 10.0) == pytest.approx(8.0, rel=0.02)
