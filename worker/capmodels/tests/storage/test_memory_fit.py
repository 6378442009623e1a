"""What a disk's own memory does, found from traces of drives that are made apart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from capmodels.formats.ingest import ingest
from capmodels.formats.trace_columns import joined, unpack_requests
from capmodels.formats.trace_types import BlockRequests
from capmodels.storage.calibration.array_answers import alone_in, ops_of
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.queue_kernel import one_by_one
from capmodels.storage.simulator.replay import replay
from capmodels.tests.storage.test_calibrate_trace import DISK, fit

CAPACITY_GB = 500.0
SECTORS_OF_A_TRACK = 1465.0  # of 90 MB/s at 7,200 rpm


@dataclass(frozen=True)
class Made:
    """A disk that reads ahead while nothing is asked, and may answer writes from its memory."""

    rpm: float = 7200.0
    seek_ms: tuple[float, float] = (1.0, 14.0)  # to the next place, over the whole stroke
    overhead_ms: float = 0.25
    mb_per_s: float = 90.0
    bus_mb_per_s: float = 280.0
    ahead_bytes: float = 0.0
    writes_behind: bool = False
    held_count: int = 1  # writes that wait for the platter in its memory, the nearest goes first

    def trace(
        self, seed: int, count: int = 4000, *, gap_ms: float = 45.0, together: int = 1
    ) -> BlockRequests:
        """Requests at random times, so many together, half of them to where the last one ended."""
        rng = np.random.default_rng(seed)
        gaps = rng.exponential(gap_ms, count)
        at = np.cumsum(np.where(np.arange(count) % together, 1.0, together * gaps))
        sizes = rng.choice([8, 32, 64, 128], count)
        write = rng.random(count) < 0.5
        places = rng.integers(0, int(CAPACITY_GB * 1e9 / 512) - 1024, count)
        follows = rng.random(count) < 0.5
        took = np.zeros(count)
        platter, ends = Platter(self), 0.0
        for nth in range(count):
            if nth and follows[nth]:
                places[nth], write[nth] = places[nth - 1] + sizes[nth - 1], write[nth - 1]
            place, size = float(places[nth]), float(sizes[nth]) * 512
            platter.work_until(at[nth])
            bus = self.overhead_ms + size / self.bus_mb_per_s / 1e3
            begin = max(at[nth], platter.free_ms)
            if write[nth] and self.writes_behind and self.held_count > 1:
                begin = platter.hold(at[nth], place, size)
                answered = begin + bus
            # Bytes that came behind the last read since it ended.
            elif not write[nth] and place == ends and size <= platter.ahead_bytes(begin):
                platter.move(begin + bus, place + size / 512)
                answered = begin + bus
                platter.reads_since_ms = answered
            else:
                end = platter.serve(begin, place, size)
                answered = begin + bus if write[nth] and self.writes_behind else end
                platter.reads_since_ms = None if write[nth] else end
            took[nth] = answered - at[nth]
            ends = place + size / 512
        return BlockRequests(
            at / 1000,
            np.zeros(count, dtype=np.int32),
            places.astype(np.int64),
            sizes.astype(np.int32),
            ~write,
            (took / 1000).astype(np.float32),
        )


@dataclass
class Platter:
    """Where the arm is and until when it works; writes that wait for it."""

    made: Made
    free_ms: float = 0.0
    arm: float = 0.0
    reads_since_ms: float | None = None
    held: list[tuple[float, float, float]] = field(default_factory=list)

    def reached_ms(self, begin_ms: float, place: float) -> float:
        """When the head is over a place: seek, and wait for the platter to turn."""
        begin_ms += self.made.overhead_ms
        if place == self.arm:
            return begin_ms
        least, most = self.made.seek_ms
        seek = (most - least) * np.sqrt(abs(place - self.arm) * 512 / CAPACITY_GB / 1e9)
        there = begin_ms + least + seek
        turn = 60_000 / self.made.rpm
        return there + (place / SECTORS_OF_A_TRACK - there / turn) % 1.0 * turn

    def move(self, at_ms: float, place: float) -> None:
        self.free_ms, self.arm = at_ms, place

    def serve(self, begin_ms: float, place: float, size: float) -> float:
        """Seek, turn and transfer; until when."""
        reached = self.reached_ms(begin_ms, place)
        self.move(reached + size / self.made.mb_per_s / 1e3, place + size / 512)
        return self.free_ms

    def ahead_bytes(self, now_ms: float) -> float:
        since = self.reads_since_ms
        if since is None:
            return 0.0
        return min((now_ms - since) * self.made.mb_per_s * 1e3, self.made.ahead_bytes)

    def work_until(self, now_ms: float) -> None:
        """Put held writes on the platter that begin before."""
        while self.held and self.begin_ms() < now_ms:
            self.work_off()

    def begin_ms(self) -> float:
        return max(self.free_ms, min(came for came, _, _ in self.held))

    def work_off(self) -> None:
        begin = self.begin_ms()
        there = [one for one in self.held if one[0] <= begin]
        first = min(there, key=lambda one: self.reached_ms(begin, one[1]))
        self.held.remove(first)
        self.serve(begin, *first[1:])
        self.reads_since_ms = None

    def hold(self, now_ms: float, place: float, size: float) -> float:
        """Take a write into memory; when there was room for it."""
        room = now_ms
        while len(self.held) >= self.made.held_count:
            self.work_off()
            room = self.free_ms
        self.held.append((room, place, size))
        return room


SHEET = {
    **DISK,
    "capacity_gb": CAPACITY_GB,
    "speed_rpm": 7200.0,
    # Means of sqrt(stroke) over all pairs of places are 8/15.
    "seek": {"kind": "three_point", "min_ms": 1.0, "avg_ms": 1.0 + 13.0 * 8 / 15, "max_ms": 14.0},
    "outer_mb_per_s": 90.0,
    "overhead_ms": 0.1,
}  # fmt: skip


@pytest.mark.many(1)
@pytest.mark.parametrize(
    "made",
    [
        Made(writes_behind=True),
        Made(writes_behind=True, ahead_bytes=1_048_576.0, overhead_ms=0.4),
        Made(writes_behind=True, ahead_bytes=131_072.0, seek_ms=(2.0, 15.0)),
    ],
    ids=["behind", "ahead too", "slower seeks"],
)
def test_what_the_memory_answers_is_in_the_drive_that_is_returned(made: Made) -> None:
    trace = made.trace(11)
    found = fit(trace, SHEET)
    assert found.drive.buffer is not None
    assert found.drive.buffer.writes_behind
    assert found.drive.buffer.bus_mb_per_s == pytest.approx(made.bus_mb_per_s, rel=0.2)
    assert found.drive.overhead_ms == pytest.approx(made.overhead_ms, abs=0.1)
    assert {one.path for one in found.classes if one.way == "write"} == {"buffer"}
    assert found.drive.buffer.held_writes_count == 1
    # What the platter takes of writes that it does not answer is not seen.
    assert found.drive.write_settle_ms == 0.0
    assert found.demerit_fraction < 0.1
    assert found.sheet_demerit_fraction > 0.5
    # Requests that wait for others included.
    assert abs(found.replay.error_fraction) < 0.1
    # The error that is said is that of the drive, given as it is.
    again = fit(trace, found.drive.model_dump(mode="json"))
    assert again.sheet_demerit_fraction == pytest.approx(found.demerit_fraction, rel=1e-9)


@pytest.mark.parametrize("seed", [11, 12])
def test_a_disk_that_reads_ahead_is_met(seed: int) -> None:
    found = fit(Made(ahead_bytes=1_048_576.0, overhead_ms=0.02).trace(seed), SHEET)
    assert found.demerit_fraction < 0.05
    assert found.classes[0].path == "platter"
    assert abs(found.replay.error_fraction) < 0.1


@pytest.mark.parametrize("seed", [11, 12])
def test_a_disk_whose_requests_all_reach_the_platter_is_given_no_memory(seed: int) -> None:
    found = fit(replace(Made(), overhead_ms=1.0).trace(seed), SHEET)
    assert found.drive.buffer is None
    assert found.drive.overhead_ms == pytest.approx(1.0, abs=0.3)


def test_a_memory_of_the_sheet_counts_in_the_error_that_is_said() -> None:
    trace = Made(writes_behind=True, overhead_ms=0.1).trace(13)
    with_it = {**SHEET, "buffer": {"writes_behind": True, "bus_mb_per_s": 280.0}}
    assert fit(trace, with_it).sheet_demerit_fraction < 0.2
    assert fit(trace, SHEET).sheet_demerit_fraction > 0.5


@pytest.mark.many(1)
@pytest.mark.parametrize(
    ("made", "gap_ms", "together"),
    [
        (Made(writes_behind=True, held_count=32), 20.0, 1),
        (Made(writes_behind=True, held_count=128, seek_ms=(2.0, 15.0)), 30.0, 1),
        (Made(writes_behind=True, held_count=200, ahead_bytes=1_048_576.0), 20.0, 40),
    ],
    ids=["one by one", "slower seeks", "40 together"],
)
def test_writes_that_wait_in_memory_are_in_the_drive_that_is_returned(
    made: Made, gap_ms: float, together: int
) -> None:
    trace = made.trace(12, gap_ms=gap_ms, together=together)
    found = fit(trace, SHEET)
    assert found.drive.buffer.writes_behind
    assert found.drive.buffer.held_writes_count > 1
    [_sheet, fitted] = found.tables[0].rows[-1].cells
    assert fitted.startswith("nothing ahead, 280")
    assert fitted.endswith("writes answered early, 256 held and sorted")
    # What is told of each class is what this drive does: it reads nothing ahead.
    assert {(one.way, one.path) for one in found.classes} == {
        ("read", "platter"),
        ("write", "buffer"),
    }
    assert {one.overhead_ms for one in found.classes} == {found.drive.overhead_ms}
    # Put on the platter as they come they were 27 to 41% off, the replay 8 to 28%.
    assert found.demerit_fraction < 0.2
    assert abs(found.replay.error_fraction) < 0.06
    again = fit(trace, found.drive.model_dump(mode="json"))
    assert again.sheet_demerit_fraction == pytest.approx(found.demerit_fraction, rel=1e-9)


@pytest.mark.many(1)
@pytest.mark.parametrize(
    ("held_count", "gap_ms", "together", "seed"), [(2, 12.0, 1, 2), (4, 20.0, 20, 1)]
)
def test_a_memory_of_few_writes_is_told_from_one_of_many(
    held_count: int, gap_ms: float, together: int, seed: int
) -> None:
    made = Made(writes_behind=True, held_count=held_count)
    found = fit(made.trace(seed, gap_ms=gap_ms, together=together), SHEET)
    assert found.drive.buffer.held_writes_count == 4
    # With 8 held, or none, they were 28 and 37% off.
    assert found.demerit_fraction < 0.2
    assert abs(found.replay.error_fraction) < 0.06


@pytest.mark.parametrize("seed", [11, pytest.param(12, marks=pytest.mark.deep)])
def test_writes_that_come_together_and_wait_for_each_other_are_not_held(seed: int) -> None:
    made = Made(writes_behind=True, ahead_bytes=1_048_576.0)
    found = fit(made.trace(seed, gap_ms=20.0, together=12), SHEET)
    assert found.drive.buffer.held_writes_count == 1
    assert found.demerit_fraction < 0.1
    assert abs(found.replay.error_fraction) < 0.06


def test_seeks_that_the_sheet_has_too_long_are_found_beside_the_memory() -> None:
    seek = {"kind": "three_point", "min_ms": 2.5, "avg_ms": 10.5, "max_ms": 17.0}
    made = Made(writes_behind=True, held_count=64, ahead_bytes=1_048_576.0)
    found = fit(made.trace(15, gap_ms=22.0, together=8), {**SHEET, "seek": seek})
    assert found.drive.buffer.held_writes_count > 1
    # The trace has 7.93 ms over all pairs of places.
    assert found.drive.seek.avg_ms < 9.2
    assert found.demerit_fraction < 0.15
    assert abs(found.replay.error_fraction) < 0.08


@pytest.mark.parametrize("silent", [slice(0, 1200), slice(900, None)], ids=["first", "second"])
def test_a_half_whose_requests_are_said_to_take_no_time_is_no_fault(silent: slice) -> None:
    trace = Made(writes_behind=True, held_count=32).trace(16, 2000, gap_ms=20.0)
    took = np.array(trace.response_s)
    took[silent] = 0.0
    found = fit(replace(trace, response_s=took), SHEET)
    assert found.drive.buffer.writes_behind
    assert found.demerit_fraction < 0.3


def test_writes_held_by_the_sheet_count_in_the_error_that_is_said() -> None:
    trace = Made(writes_behind=True, held_count=32, overhead_ms=0.1).trace(14, gap_ms=20.0)
    memory = {"writes_behind": True, "bus_mb_per_s": 280.0}
    held = fit(trace, {**SHEET, "buffer": {**memory, "held_writes_count": 32}})
    assert held.sheet_demerit_fraction < 0.3
    assert fit(trace, {**SHEET, "buffer": memory}).sheet_demerit_fraction > 0.4


def test_requests_wait_in_turn_for_a_memory_that_is_full() -> None:
    means: list[float] = []
    for held_count in (1, 2, 4):
        memory = {"writes_behind": True, "held_writes_count": held_count, "ahead_bytes": 0}
        drive = {**SHEET, "overhead_ms": 0.25, "buffer": {**memory, "bus_mb_per_s": 280.0}}
        design = alone_in(HardDisk.model_validate(drive), scheduler="fcfs")
        trace = Made(writes_behind=True, held_count=held_count).trace(2, gap_ms=12.0)
        assert trace.response_s is not None
        out = replay(design, trace.time_s * 1000, ops_of(trace, slice(0, 4000)), seed=1)
        modelled_ms = out.response[:, k.SUM].sum() / out.response[:, k.DONE].sum()
        # Where reads overtook a write that waits for room, 2 held were ten times slower than one.
        assert modelled_ms == pytest.approx(trace.response_s.mean() * 1000, rel=0.12)
        means.append(modelled_ms)
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("held_count", [1, 32])
def test_a_drive_that_is_right_is_kept_also_where_each_request_waits_for_the_last(
    held_count: int,
) -> None:
    memory = {"writes_behind": True, "held_writes_count": held_count, "ahead_bytes": 0}
    drive = {**SHEET, "overhead_ms": 0.4, "buffer": memory}
    design = alone_in(HardDisk.model_validate(drive), scheduler="look")
    rng = np.random.default_rng(17)
    count = 2000
    places, write = rng.integers(0, 900_000_000, count), rng.random(count) < 0.4
    ops = np.stack([places, np.full(count, 16), write], axis=1).astype(np.int64)
    run = build(design)
    took = one_by_one(run.machine, run.held, np.zeros(count), ops, rng)
    trace = BlockRequests(
        np.cumsum(np.append(0.0, took[:-1])) / 1000,
        np.zeros(count, dtype=np.int32),
        places,
        np.full(count, 16, dtype=np.int32),
        ~write,
        (took / 1000).astype(np.float32),
    )
    found = fit(trace, drive)
    assert found.demerit_fraction < 0.1
    assert found.demerit_fraction <= found.sheet_demerit_fraction * 1.1
    assert found.replay is None


@pytest.mark.parametrize(
    "seed", [0, 2, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 3, 4))]
)
def test_the_error_said_is_kept_by_the_drive_whatever_the_disk_and_its_sheet(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = Made(
        rpm=float(rng.choice([5400, 7200, 15_000])),
        seek_ms=(float(rng.uniform(0.1, 3)), float(rng.uniform(5, 25))),
        overhead_ms=float(rng.uniform(0, 1)),
        mb_per_s=float(rng.uniform(5, 280)),
        bus_mb_per_s=float(rng.uniform(20, 1200)),
        ahead_bytes=float(rng.choice([0, 131_072, 2_097_152])),
        writes_behind=bool(rng.random() < 0.7),
        held_count=int(rng.choice([1, 5, 500])),
    )
    trace = made.trace(seed, 1500, gap_ms=float(rng.choice([30, 100])), together=1 + seed % 3)
    memory = {
        "writes_behind": bool(rng.random() < 0.5),
        "held_writes_count": int(rng.choice([1, 2, 4096])),
        "ahead_bytes": int(rng.choice([0, 512, 1_048_576])),
        "segments_count": int(rng.choice([1, 64])),
    }
    sheet = {**SHEET, "speed_rpm": float(rng.choice([made.rpm, 7200]))}
    found = fit(trace, {**sheet, "buffer": memory if seed % 2 else None})
    again = fit(trace, found.drive.model_dump(mode="json"))
    # Without a memory angles are drawn for each request, and the same ones again.
    assert again.sheet_demerit_fraction == pytest.approx(found.demerit_fraction, rel=1e-9)
    assert found.demerit_fraction <= found.sheet_demerit_fraction * 1.1


def test_a_log_of_fio_with_offsets_calibrates_as_exact_times_do() -> None:
    trace = Made(writes_behind=True, overhead_ms=0.4).trace(17)
    assert trace.response_s is not None
    took_ms = trace.response_s.astype(np.float64) * 1000
    done_ms = trace.time_s * 1000 + took_ms
    lines = [
        f"{int(done_ms[at])}, {took_ms[at] * 1e6:.0f}, {int(not trace.is_read[at])}, "
        f"{trace.size_blocks[at] * 512}, {trace.block_lba[at] * 512}, 0\n"
        for at in np.argsort(done_ms)
    ]
    packed: list[bytes] = []
    ingest(["".join(lines).encode()], packed.append, "job_lat.1.log")
    exact, logged = fit(trace, SHEET), fit(joined(map(unpack_requests, packed)), SHEET)
    assert logged.drive.buffer.writes_behind
    assert logged.drive.overhead_ms == pytest.approx(exact.drive.overhead_ms, abs=0.1)
    assert logged.demerit_fraction < 0.12
    assert abs(logged.replay.error_fraction) < 0.1
