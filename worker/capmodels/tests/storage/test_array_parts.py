"""Sorted queues, drives' own buffers, copies in free space, and the nearest head."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.kernel import kernel
from capmodels.rng import streams
from capmodels.storage.array import RAID5, SERVER, mobile
from capmodels.storage.drive.drives import ULTRASTAR_15K73, DriveBuffer
from capmodels.storage.simulator import run as array_run
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.arrivals import ClosedArrivals, ExponentialArrivals
from capmodels.storage.simulator.build import array_sectors, build
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.layout_kernel import nearest
from capmodels.storage.simulator.loop_kernel import open_loop
from capmodels.storage.simulator.params import (
    ArrayDesign,
    Dispatch,
    SequentialAddresses,
    SyntheticWorkload,
)
from capmodels.storage.simulator.queue_kernel import end_queues, sorted_queues
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import run_synthetic

pytestmark = pytest.mark.slow

MIRRORS = ArrayDesign(
    drive=ULTRASTAR_15K73,
    layout=Layout(kind="raid1", disks_count=2),
    dispatch=Dispatch(kind="shortest_queue"),
    timeouts=None,
)
UNLOCKED = RAID5.model_copy(
    update={"layout": Layout(kind="raid5", disks_count=4, locked_updates=False)}
)
_RECORD = k.machine_dtype()


def _work(mean_ms: float, count: int = 40_000, **more: Any) -> SyntheticWorkload:
    arrivals = ExponentialArrivals(mean_ms=mean_ms)
    return SyntheticWorkload(arrivals=arrivals, requests_count=count, **more)


def _mean(out: Any) -> float:
    total = out.response.sum(axis=0)
    return float(total[k.SUM] / total[k.DONE])


@pytest.mark.parametrize(
    ("design", "mean_ms"),
    [(MIRRORS, 5.0), (RAID5, 15.0), (UNLOCKED, 18.0)],
    ids=["mirrors", "raid5", "unlocked"],
)
def test_first_come_by_events_answers_as_the_way_without_events(
    design: ArrayDesign, mean_ms: float
) -> None:
    gaps, places, rng = streams(5, 3)
    count = 60_000
    at = np.cumsum(gaps.standard_exponential(count) * mean_ms)
    ops = np.zeros((count, 3), dtype=np.int64)
    ops[:, 0] = places.integers(0, 140_000_000, count)
    ops[:, 1] = 16
    ops[:, 2] = places.random(count) < 0.3
    fast, slow = build(design), build(design)
    open_loop(fast.machine, fast.held, at, ops, 0.0, rng)
    slow.record["plan"][k.SCHEDULER] = k.FCFS_BY_EVENT
    slow.record["free_slots"][:] = np.arange(k.PENDING_MAX)
    sorted_queues(slow.machine, slow.held, at, ops, 0.0, rng)
    end_queues(slow.machine, slow.held, 0.0, rng)
    one, two = fast.record["response"], slow.record["response"]
    assert two[:, k.DONE] == pytest.approx(one[:, k.DONE], rel=0.001)
    for row in (0, 1):
        means = [r[row, k.SUM] / r[row, k.DONE] for r in (one, two)]
        assert means[1] == pytest.approx(means[0], rel=0.03)
    operations = slice(k.READ_OPS, k.WRITE_OPS + 1)
    found = [run.record["count"][:4, operations].sum() for run in (fast, slow)]
    assert found[1] == pytest.approx(found[0], rel=0.001)


@pytest.mark.parametrize("design", [MIRRORS, RAID5, UNLOCKED], ids=["mirrors", "raid5", "unlocked"])
def test_sorting_pays_on_every_layout_and_conserves_time(design: ArrayDesign) -> None:
    work = _work(4.2 if design is MIRRORS else 10.5, read_fraction=0.8)
    means = {}
    for scheduler in ("fcfs", "sstf", "look"):
        out = run_synthetic(design.model_copy(update={"scheduler": scheduler}), work, seed=2)
        means[scheduler] = _mean(out)
        assert out.time_ms.sum(axis=1) == pytest.approx(
            np.full(len(out.time_ms), out.end_ms), rel=1e-6
        )
        assert out.taken == 40_000
    assert means["sstf"] < 0.95 * means["fcfs"]
    assert means["look"] < 0.97 * means["fcfs"]


def test_a_closed_loop_of_sorted_queues_obeys_its_response_law() -> None:
    arrivals = ClosedArrivals(users_count=12, think_ms=10.0)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=40_000)
    rates = []
    for scheduler in ("fcfs", "sstf"):
        design = MIRRORS.model_copy(update={"scheduler": scheduler})
        out = run_synthetic(design, work, seed=2)
        assert out.taken / out.end_ms * (_mean(out) + 10.0) == pytest.approx(12.0, rel=0.01)
        rates.append(out.taken / out.end_ms)
    assert rates[1] > 1.1 * rates[0]


def test_concatenated_disks_are_filled_one_after_another() -> None:
    layout = Layout(kind="concatenated", disks_count=3)
    design = ArrayDesign(drive=ULTRASTAR_15K73, layout=layout, timeouts=None)
    size = array_sectors(design) // 3
    at = np.arange(4, dtype=np.float64) * 1000.0
    ops = np.array([[0, 8, 0], [size - 4, 8, 0], [2 * size, 8, 0], [3 * size - 8, 8, 0]])
    out = replay(design, at, ops, seed=1)
    assert out.count[:, k.READ_OPS].tolist() == [2, 1, 2]
    assert out.count[:, k.READ_SECTORS].tolist() == [12, 4, 16]


def _buffered(**more: Any) -> ArrayDesign:
    drive = ULTRASTAR_15K73.model_copy(update={"buffer": DriveBuffer(**more)})
    return SERVER.model_copy(update={"drive": drive})


def test_a_drives_buffer_serves_what_it_read_ahead() -> None:
    runs = _work(20.0, addresses=SequentialAddresses(continue_fraction=0.9))
    out = run_synthetic(_buffered(), runs, seed=1)
    # Of a run every 17th request goes to the platter: 128 KiB are 16 requests read ahead.
    misses = 0.1 / (1 - 0.9**17)
    assert out.tally[k.BUFFER_HITS] / out.taken == pytest.approx(1 - misses, abs=0.005)
    assert _mean(out) < 0.4 * _mean(run_synthetic(SERVER, runs, seed=1)) + 1.0
    assert out.time_ms[0].sum() == pytest.approx(out.end_ms, rel=1e-6)


def test_data_that_the_drive_reads_faster_than_it_passes_them_on_come_later() -> None:
    """A sector in 0.1 ms over the bus; of the platter's pace, so much of it is hidden."""
    even = {"outer_mb_per_s": 51.2, "inner_mb_per_s": 51.2}
    fast, slow = (
        _buffered(ahead_bytes=0, segments_count=1, segment_bytes=512, bus_mb_per_s=rate)
        for rate in (100.0, 5.12)
    )
    work = _work(2000.0, size_bytes=8192)
    means = [
        _mean(run_synthetic(one.model_copy(update={"drive": one.drive.model_copy(update=even)}),
                            work, seed=1))
        for one in (fast, slow)
    ]  # fmt: skip
    # 16 sectors; one request in 200 waits for the one before.
    assert means[1] - means[0] == pytest.approx(16 * (0.1 - 0.01), rel=0.01)


def test_random_requests_gain_nothing_from_a_buffer() -> None:
    plain, buffered = (run_synthetic(d, _work(20.0), seed=1) for d in (SERVER, _buffered()))
    assert _mean(buffered) == pytest.approx(_mean(plain), rel=1e-3)


def test_a_write_is_answered_when_the_drive_has_it_and_still_takes_the_arm() -> None:
    work = _work(50.0, read_fraction=0.0)
    plain = run_synthetic(SERVER, work, seed=1)
    behind = run_synthetic(_buffered(writes_behind=True, bus_mb_per_s=200.0), work, seed=1)
    # Overhead and 8 KiB at 200 MB/s, and now and then a wait for the write before.
    least = ULTRASTAR_15K73.overhead_ms + 8192 / 200e3
    assert least < _mean(behind) < least + 0.6
    assert behind.time_ms[0, :2].sum() == pytest.approx(plain.time_ms[0, :2].sum(), rel=0.02)


@kernel
def _distances(
    machine: np.ndarray, copies: int, count: int, rng: np.random.Generator
) -> tuple[float, float]:
    m = machine.view(_RECORD)[0]
    near = far = 0.0
    for _ in range(count):
        longest = 0.0
        sector = int(rng.random() * m.par[0, k.SECTORS])
        place = sector / m.par[0, k.SECTORS]
        for d in range(copies):
            m.now[d, k.HEAD] = rng.random()
            longest = max(longest, abs(place - m.now[d, k.HEAD]))
        d = nearest(m, 0, copies, sector)
        near += abs(place - m.now[d, k.HEAD])
        far += longest
    return near / count, far / count


@pytest.mark.parametrize(("copies", "expected"), [(1, 1 / 3), (2, 5 / 24), (3, 0.15)])
def test_check_28_nearest_of_random_heads(copies: int, expected: float) -> None:
    run = build(ArrayDesign(layout=Layout(kind="mirrored_set", disks_count=copies)))
    rng = np.random.Generator(np.random.PCG64(4))
    near, far = _distances(run.machine, copies, 400_000, rng)
    assert near == pytest.approx(expected, rel=0.01)
    if copies == 2:
        assert far == pytest.approx(11 / 24, rel=0.01)


def test_a_first_simulation_waits_for_no_kernel_of_other_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("open_loop", "closed_loop", "sorted_queues", "end_run"):
        monkeypatch.delattr(array_run, name)
    assert run_synthetic(mobile(3), _work(30.0, 600), seed=1).taken == 600
