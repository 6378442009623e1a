"""What a disk's own memory does, found from traces of drives that are made apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from capmodels.formats.trace_types import BlockRequests
from capmodels.tests.storage.test_calibrate_trace import DISK, fit

CAPACITY_GB = 500.0


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

    def trace(self, seed: int, count: int = 4000, *, gap_ms: float = 45.0) -> BlockRequests:
        """Requests at random times, half of them to where the last one ended."""
        rng = np.random.default_rng(seed)
        at = np.cumsum(rng.exponential(gap_ms, count))
        sizes = rng.choice([8, 32, 64, 128], count)
        write = rng.random(count) < 0.5
        places = rng.integers(0, int(CAPACITY_GB * 1e9 / 512) - 1024, count)
        follows = rng.random(count) < 0.5
        follows[0] = False
        took = np.zeros(count)
        free = arm = filled = ends = since = 0.0
        for nth in range(count):
            if follows[nth]:
                places[nth], write[nth] = places[nth - 1] + sizes[nth - 1], write[nth - 1]
            place, size = float(places[nth]), float(sizes[nth]) * 512
            begin = max(at[nth], free)
            bus = self.overhead_ms + size / self.bus_mb_per_s / 1e3
            seek = 0.0
            if place != arm:
                stroke = abs(place - arm) * 512 / CAPACITY_GB / 1e9
                seek = self.seek_ms[0] + (self.seek_ms[1] - self.seek_ms[0]) * np.sqrt(stroke)
                seek += rng.random() * 60_000 / self.rpm
            whole = self.overhead_ms + seek + size / self.mb_per_s / 1e3
            # Bytes that came behind the last read since it ended.
            come = min((begin - since) * self.mb_per_s * 1e3, self.ahead_bytes) if filled else 0.0
            if not write[nth] and filled and place == ends and size <= come:
                end = answered = begin + bus
            else:
                end = begin + whole
                answered = begin + bus if write[nth] and self.writes_behind else end
            took[nth] = answered - at[nth]
            free, arm, ends = end, place + size / 512, place + size / 512
            filled, since = (0.0 if write[nth] else 1.0), end
        return BlockRequests(
            at / 1000,
            np.zeros(count, dtype=np.int32),
            places.astype(np.int64),
            sizes.astype(np.int32),
            ~write,
            (took / 1000).astype(np.float32),
        )


SHEET = {
    **DISK,
    "capacity_gb": CAPACITY_GB,
    "speed_rpm": 7200.0,
    # Means of sqrt(stroke) over all pairs of places are 8/15.
    "seek": {"kind": "three_point", "min_ms": 1.0, "avg_ms": 1.0 + 13.0 * 8 / 15, "max_ms": 14.0},
    "outer_mb_per_s": 90.0,
    "overhead_ms": 0.1,
}  # fmt: skip


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize(
    "made",
    [
        Made(writes_behind=True),
        Made(writes_behind=True, ahead_bytes=1_048_576.0, overhead_ms=0.4),
        Made(writes_behind=True, ahead_bytes=131_072.0, seek_ms=(2.0, 15.0)),
    ],
    ids=["behind", "ahead too", "slower seeks"],
)
def test_what_the_memory_answers_is_in_the_drive_that_is_returned(made: Made, seed: int) -> None:
    trace = made.trace(seed)
    found = fit(trace, SHEET)
    assert found.drive.buffer is not None
    assert found.drive.buffer.writes_behind
    assert found.drive.buffer.bus_mb_per_s == pytest.approx(made.bus_mb_per_s, rel=0.2)
    assert found.drive.overhead_ms == pytest.approx(made.overhead_ms, abs=0.1)
    assert {one.path for one in found.classes if one.way == "write"} == {"buffer"}
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


def test_writes_that_are_sorted_in_memory_are_left_to_the_sheet() -> None:
    trace = Made(writes_behind=True).trace(14, 1000)
    given = {**SHEET, "buffer": {"writes_behind": True, "held_writes_count": 8}}
    assert fit(trace, given).drive.buffer.held_writes_count == 8
