"""Copies in free space at work: every layout, scheduler and loop, time, energy and sleep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.errors import ModelError
from capmodels.storage.drive.drives import (
    MTRON_3035,
    TRAVELSTAR_7K60,
    WD_80GB,
    DriveBuffer,
    ThreePointSeek,
)
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.storage.drive.seek import fs2_seek_ms
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.copies import copied
from capmodels.storage.simulator.extras import FreeSpaceCopies, Timeouts
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.loop_kernel import end_run, open_loop
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Dispatch,
    Replay,
)
from capmodels.storage.simulator.queue_kernel import end_queues, sorted_queues
from capmodels.storage.simulator.replay import Requests, in_memory, replay, run_trace
from capmodels.tests.storage.fs2_seeks import mean_seek_ms

if TYPE_CHECKING:
    from capmodels.storage.simulator.run import Outcome

pytestmark = pytest.mark.slow

SINGLE = Layout(kind="single", disks_count=1)
PLAIN = ArrayDesign(drive=WD_80GB, layout=SINGLE, timeouts=None)
TRACKS = DiskGeometry(
    surfaces_count=4,
    zones=(
        GeometryZone(cylinders_count=28_000, sectors_per_track_count=750),
        GeometryZone(cylinders_count=28_000, sectors_per_track_count=610),
    ),
    head_skew_ms=1.0,
    cylinder_skew_ms=2.0,
)
TRACKED = WD_80GB.model_copy(
    update={"geometry": TRACKS, "seek": ThreePointSeek(min_ms=2.0, avg_ms=9.9, max_ms=21.0)}
)
FOLLOWED = TRACKED.model_copy(
    update={"geometry": TRACKS.model_copy(update={"follows_angle": True})}
)
COLUMNS = ("live", "reads", "hits", "blocks", "writes", "invalidated", "reclaimed", "left")


def _copying(design: ArrayDesign = PLAIN, **more: Any) -> ArrayDesign:
    return design.model_copy(update={"copies": FreeSpaceCopies(**more)})


def _figures(out: Outcome) -> dict[str, int]:
    assert out.copies is not None
    return dict(zip(COLUMNS, out.copies.sum(axis=0).tolist(), strict=True))


def _rounds(rounds: int = 12) -> Requests:
    """Two hot stretches of an array, each read in one go, in the same order again and again."""
    rng = np.random.Generator(np.random.PCG64(3))
    places = rng.integers(0, 1_000_000, 600) // 8 * 8 + np.repeat([0, 90_000_000], 300)
    places = np.tile(places, rounds)
    count = len(places)
    return Requests(
        np.arange(count, dtype=np.float64) * 0.101,
        np.zeros(count, dtype=np.int32),
        places,
        np.full(count, 8, dtype=np.int32),
        np.ones(count, dtype=np.bool_),
    )


def _mean(out: Outcome) -> float:
    total = out.response.sum(axis=0)
    return float(total[k.SUM] / total[k.DONE])


def test_repeated_reads_cost_less_and_the_first_run_a_little_more() -> None:
    once, before = (run_trace(PLAIN, in_memory(_rounds(n)), Replay(), seed=1) for n in (1, 12))
    first, after = (run_trace(_copying(), in_memory(_rounds(n)), Replay(), seed=1) for n in (1, 12))
    # The thesis's first runs: no benefit, and up to 7% more energy. An epoch ends in each round.
    overhead = first.energy_mj.sum() / once.energy_mj.sum()
    assert 1.0 < overhead < 1.01
    assert _figures(first)["hits"] == 0
    # Half of the reads are of the stretch that is not hot. From the second round on they
    # come from copies in the order of their access: no seek and no turn for one after another.
    found = _figures(after)
    assert found["hits"] / found["reads"] == pytest.approx(0.5 * 11 / 12, abs=0.02)
    busy = [out.time_ms[0, : k.IDLE].sum() for out in (before, after)]
    seeks, turns = ([out.waits_ms[0, column] for out in (before, after)] for column in (1, 2))
    assert seeks[1] < 0.7 * seeks[0]
    assert turns[1] == pytest.approx(turns[0] * (1 - 0.5 * 11 / 12), rel=0.05)
    assert busy[1] < 0.6 * busy[0]
    energies = [
        result_of(PLAIN, out, closed=False).devices[0].access_energy_j for out in (before, after)
    ]
    assert energies[0] is not None
    assert energies[1] is not None
    # The thesis: energy per access falls by 40% to 71%.
    assert energies[1] < 0.65 * energies[0]
    assert _mean(after) < 0.6 * _mean(before)


def test_copies_are_written_in_few_long_writes_that_nobody_waits_for() -> None:
    out = run_trace(_copying(), in_memory(_rounds()), Replay(), seed=1)
    found = _figures(out)
    assert found["live"] == found["blocks"]
    assert found["blocks"] / 16 <= found["writes"] <= found["blocks"] / 16 + 12
    assert out.count[0, k.WRITE_OPS] == found["writes"]
    assert out.count[0, k.WRITE_SECTORS] == found["blocks"] * 8
    assert out.response[1, k.DONE] == 0
    assert out.taken == found["reads"] == out.count[0, k.READ_OPS]
    assert out.time_ms[0].sum() == pytest.approx(out.end_ms, rel=1e-6)


def test_check_19_three_files_in_turn() -> None:
    files = np.array([10_000_000, 90_000_000, 10_200_000])
    ops = np.zeros((600, 3), np.int64)
    ops[:, 0], ops[:, 1] = np.tile(files, 200), 8
    # A hundred rounds, the end of the epoch, and a hundred rounds more.
    at = np.where(np.arange(600) < 300, 0.0, 60_100.0) + np.arange(600) * 100.0
    # The free space of the first region starts at sector 10,100,000.
    design = _copying(region_bytes=2_104_166 * 4096)
    before = replay(PLAIN, at[:300], ops[:300], seed=1).waits_ms[0, 1]
    both = replay(design, at, ops, seed=1)
    assert _figures(both)["blocks"] == 1
    # Besides: from sector 0 to the first file, to the place of the copy, and back from there.
    near = fs2_seek_ms(100_000)
    after = both.waits_ms[0, 1] - before - 2 * near
    assert (before - fs2_seek_ms(10_000_000)) / 299 == pytest.approx(8.127, abs=0.001)
    assert after / 299 == pytest.approx(1.526, abs=0.001)
    assert after / 299 == pytest.approx(
        mean_seek_ms([10_000_000, 10_100_000, 10_200_000] * 100, 8), abs=0.001
    )


def _raid(kind: Any, disks: int, **more: Any) -> ArrayDesign:
    layout = Layout(kind=kind, disks_count=disks, chunk_bytes=4096, **more)
    return PLAIN.model_copy(update={"layout": layout, "dispatch": Dispatch(kind="shortest_queue")})


EVERY = {
    "raid0": _raid("raid0", 2),
    "raid1": _raid("raid1", 2),
    "raid10": _raid("raid10", 4),
    "raid5": _raid("raid5", 3),
    "raid6": _raid("raid6", 4),
    "mirrored": _raid("mirrored_set", 3),
    "degraded": _raid("raid5", 3, failed_disk_count=1),
    "look": PLAIN.model_copy(update={"scheduler": "look"}),
    "sorted raid5": _raid("raid5", 3).model_copy(update={"scheduler": "sstf"}),
    "buffer": PLAIN.model_copy(
        update={"drive": WD_80GB.model_copy(update={"buffer": DriveBuffer()})}
    ),
    "tracks": PLAIN.model_copy(update={"drive": TRACKED}),
    "angle": PLAIN.model_copy(update={"drive": FOLLOWED}),
    "cache": PLAIN.model_copy(update={"cache": CacheTier(mode="write_through", capacity_gb=0.001)}),
}


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("name", EVERY)
def test_every_array_of_hard_disks_gains(name: str, closed: bool) -> None:
    design = EVERY[name]
    terms = Replay(timing="closed", think_ms=100.0, users_count=2) if closed else Replay()
    work = in_memory(_rounds(8))
    before, after = (run_trace(d, work, terms, seed=1) for d in (design, _copying(design)))
    found = _figures(after)
    assert found["hits"] > 0.3 * found["reads"]
    assert after.response[0, k.DONE] == before.response[0, k.DONE]
    assert after.response[1, k.DONE] == 0
    assert _mean(after) < 0.85 * _mean(before)
    disks = slice(0, len(after.copies if after.copies is not None else ()))
    assert after.waits_ms[disks, 1].sum() < 0.8 * before.waits_ms[disks, 1].sum()
    there = after.time_ms.sum(axis=1) > 0
    assert after.time_ms.sum(axis=1)[there] == pytest.approx(after.end_ms, rel=1e-6)
    assert there.sum() == len(there) - design.layout.failed_disk_count


def _busy_requests() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.Generator(np.random.PCG64(4))
    count = 30_000
    ops = np.zeros((count, 3), dtype=np.int64)
    hot = rng.random(count) < 0.6
    ops[:, 0] = np.where(hot, 0, 90_000_000) + rng.integers(0, 3000, count) * 8
    ops[:, 1] = 16
    ops[:, 2] = rng.random(count) < 0.05
    return np.cumsum(rng.standard_exponential(count) * 14.0), ops


def test_by_events_the_same_is_decided_as_without_events() -> None:
    at, ops = _busy_requests()
    design = _copying(epoch_s=20.0)
    fast, slow = build(design), build(design)
    rngs = [np.random.Generator(np.random.PCG64(5)) for _ in range(2)]
    open_loop(fast.machine, fast.held, at, ops, 0.0, rngs[0])
    end_run(fast.machine, fast.held, at[-1], 0.0, rngs[0])
    slow.record["plan"][k.SCHEDULER] = k.FCFS_BY_EVENT
    slow.record["free_slots"][:] = np.arange(k.PENDING_MAX)
    sorted_queues(slow.machine, slow.held, at, ops, 0.0, rngs[1])
    end_queues(slow.machine, slow.held, 0.0, rngs[1])
    one, two = copied(fast.record), copied(slow.record)
    # What waits when an epoch ends counts for it on the way without events, for the next one here.
    assert two[0] == pytest.approx(one[0], rel=0.002)
    assert one[0, 2] > 1500
    assert one[0, 5] > 100
    columns = slice(k.DONE, k.SUM_SQUARES)
    assert slow.record["response"][:, columns] == pytest.approx(
        fast.record["response"][:, columns], rel=1e-4
    )


def _now_and_then(bursts: int) -> tuple[np.ndarray, np.ndarray]:
    """Five reads of the hot region and one far away, every 150 s: disks sleep in between."""
    number, inside = np.divmod(np.arange(bursts * 6), 6)
    ops = np.zeros((number.size, 3), dtype=np.int64)
    ops[:, 0] = np.where(inside == 5, 100_000_000 + number * 800, inside * 8000)
    ops[:, 1] = 8
    return number * 150_000.0 + inside * 50.0, ops


def test_a_sleeping_disk_is_not_woken_and_copies_when_it_next_wakes() -> None:
    at, ops = _now_and_then(30)
    design = ArrayDesign(
        drive=TRAVELSTAR_7K60,
        layout=SINGLE,
        timeouts=Timeouts(),
        dispatch=Dispatch(keep_primary_awake=False),
    )
    plain, copying = (replay(d, at, ops, seed=1) for d in (design, _copying(design)))
    assert plain.count[0, k.SPIN_UPS] == copying.count[0, k.SPIN_UPS] == 29
    found = _figures(copying)
    # What a burst read far away is copied when the next one wakes the disk: not that of the last.
    assert found["blocks"] == found["live"] == found["writes"] == 29


def test_late_writes_to_a_sleeping_copy_make_its_copies_invalid() -> None:
    at, ops = _now_and_then(10)
    ops[54:, 2] = 1
    ops[54:, 0] = ops[5:41:6, 0][:6]
    design = ArrayDesign(
        drive=TRAVELSTAR_7K60,
        layout=Layout(kind="raid1", disks_count=2),
        timeouts=Timeouts(),
        dispatch=Dispatch(kind="round_robin", lazy_writes=True),
    )
    out = replay(_copying(design), at, ops, seed=1)
    assert out.copies is not None
    # In turn, the second disk has read what is far, and copied it. The last burst writes to six
    # of its eight blocks while that disk sleeps: it gets these writes when it next wakes.
    assert out.count[1, k.WRITE_OPS] == out.copies[1, COLUMNS.index("writes")]
    assert out.copies[:, COLUMNS.index("invalidated")].tolist() == [0, 6]
    assert out.copies[:, COLUMNS.index("live")].tolist() == [0, 2]


def test_files_that_grow_take_the_place_of_copies() -> None:
    # 40% of 78 GB are free; down to 10% that is 23 GB, which are gone after half of the run.
    work = in_memory(_rounds(12))
    out = run_trace(_copying(files_gb_per_h=23.4 / (360 / 3600)), work, Replay(), seed=1)
    found = _figures(out)
    assert found["blocks"] > 100
    assert found["reclaimed"] == found["blocks"]
    assert found["live"] == 0
    assert found["left"] > 1000


def test_the_answer_tells_of_each_disk() -> None:
    design = _copying(EVERY["raid10"])
    answer = result_of(
        design, run_trace(design, in_memory(_rounds(8)), Replay(), seed=1), closed=False
    )
    use = answer.copies
    assert use is not None
    assert len(use.disks) == 4
    assert sum(disk.hits_count for disk in use.disks) == use.hits_count
    assert use.table_mb == use.copies_count * 16 / 1e6
    assert not use.table_full
    used = [device for device in answer.devices if device.reads_count]
    assert len(used) >= 2
    for device in used:
        parts = (device.seek_mean_ms, device.rotation_mean_ms, device.transfer_mean_ms)
        seek, rest = parts[0] or 0.0, (parts[1] or 0.0) + (parts[2] or 0.0)
        # E_A = T_s P_s + (T_r + T_t) P_i, with the thesis's 14 W and 8 W.
        assert device.access_energy_j == pytest.approx((seek * 14 + rest * 8) / 1000, rel=1e-6)


def test_a_full_table_leaves_blocks_out_and_says_so() -> None:
    design = _copying()
    run = build(design)
    run.record["copying"][c.USED] = c.REPLICAS_MAX - 101
    ops = np.zeros((150, 3), dtype=np.int64)
    ops[:, 0], ops[:, 1] = np.arange(150) * 80_000, 8
    rng = np.random.Generator(np.random.PCG64(1))
    open_loop(run.machine, run.held, np.arange(150, dtype=np.float64) * 50.0, ops, 0.0, rng)
    assert run.record["copying"][c.TABLE_FULL] == 1
    assert run.record["layers"][0, c.SEEN] == 100
    assert run.record["layers"][0, c.NO_ROOM] == 50


@pytest.mark.parametrize(
    "document",
    [
        {"drive": MTRON_3035.model_dump(), "layout": SINGLE.model_dump(), "copies": {}},
        {"copies": {"region_bytes": 4096}},
    ],
    ids=["no arm", "too many regions"],
)
def test_what_copies_cannot_be_on_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises((ModelError, ValueError), match=r"Copies in free space|regions"):
        ArrayDesign.model_validate(document)
