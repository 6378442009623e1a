"""A host that sleeps when it asks one at a time: its waking is kept apart from the drive."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import pytest

from capmodels.tests.asking import ask
from capmodels.tests.storage.host_loops import simulated_ms

MODEL = "storage.calibrate_drive"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
_QUICK, _SLOPING = (0.03, 0.0, 0.01), (0.033, 0.0115, 0.014)


class _Host(NamedTuple):
    """One thread: its time for each request, and what waking adds to the answer and to that."""

    own_ms: float = 0.017
    late_ms: float = 0.009
    longer_ms: float = 0.009
    sleeps_ms: float = 0.028


def _followed(depth: int, drive: tuple[float, float, float], host: _Host) -> tuple[float, float]:
    """Mean latency and the thread's mean time for each, event by event, written apart. [ms]

    The drive (alone, wait for each other write, ceiling) answers; the thread takes one answer at a
    time, asks again, and sleeps where the next answer is farther than its processor stays awake.
    """
    alone, wait, each = drive
    out = [(alone, 0.0)] * depth
    free = turn = latency = busy = 0.0
    for nth in range(6000):
        answered, came = heapq.heappop(out)
        sleeps = answered - free > host.sleeps_ms
        seen = max(answered, free) + (host.late_ms if sleeps else 0.0)
        own = host.own_ms + (host.longer_ms if sleeps else 0.0)
        if nth >= 1000:
            latency, busy = latency + (seen - came) / 5000, busy + own / 5000
        free = seen + own
        turn = max(turn, free) + each
        others = sum(end > free for end, _came in out)
        heapq.heappush(out, (max(free + alone + others * wait, turn), free))
    return latency, busy


def _rows(way: str, drive: tuple[float, float, float], host: _Host) -> list[dict[str, Any]]:
    found = ((depth, *_followed(depth, drive, host)) for depth in DEPTHS)
    return [
        {"way": way, "depth_count": depth, "latency_ms": latency,
         "rate_per_s": depth * 1000 / (latency + host_ms)}
        for depth, latency, host_ms in found
    ]  # fmt: skip


@pytest.mark.decisive
@pytest.mark.parametrize("share", [0.8, 1.0, 1.25])
@pytest.mark.parametrize("wake_ms", [0.005, 0.009])
@pytest.mark.parametrize("writes", [_QUICK, _SLOPING])
def test_a_drive_behind_a_host_that_sleeps_is_foretold_between_told_depths(
    writes: tuple[float, float, float], wake_ms: float, share: float
) -> None:
    host = _Host(late_ms=wake_ms * share, longer_ms=wake_ms)
    ways = {"read": _rows("read", (0.043, 0.0, 0.012), host), "write": _rows("write", writes, host)}
    found = ask(MODEL, rows=[*ways["read"][::2], *ways["write"][::2]])
    assert found.drive.write_wait_ms == pytest.approx(writes[1], rel=0.25)
    for way, rows in ways.items():
        for row in rows[1::2]:
            ours = simulated_ms(found.drive, way, row["depth_count"], host.own_ms)
            assert ours == pytest.approx(row["latency_ms"], rel=0.1)


def test_what_waking_adds_is_said_and_the_drive_returned_is_without_it() -> None:
    rows = _rows("read", _QUICK, _Host())
    found = ask(MODEL, rows=rows)
    alone, deeper = found.depths[0], found.depths[1:]
    assert alone.wake_ms == pytest.approx(0.009)
    assert alone.modelled_ms == pytest.approx(rows[0]["latency_ms"]) == pytest.approx(0.039)
    assert found.read_service_ms == pytest.approx(0.03)
    ours = simulated_ms(found.drive, "read", 1, 0.026)
    assert ours + alone.wake_ms == pytest.approx(alone.modelled_ms, rel=0.001)
    assert [row.wake_ms for row in deeper] == [0.0] * len(deeper)
    assert any("its waking is taken to add 9.0 µs to the latency" in one for one in found.notes)


def test_single_reads_are_held_against_the_drive_and_the_waking() -> None:
    rows = _rows("read", _QUICK, _Host())
    points = [{"percent_ratio": p, "latency_ms": rows[0]["latency_ms"]} for p in (1, 50, 99)]
    found = ask(MODEL, rows=[{**rows[0], "percentiles": points}, *rows[1:]])
    assert found.demerit_fraction == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "rows",
    [
        _rows("read", (0.03, 0.0, 0.03), _Host()),
        _rows("read", _QUICK, _Host(late_ms=0.0, longer_ms=0.0)),
        [{**row, "rate_per_s": None} for row in _rows("read", _QUICK, _Host())],
        _rows("read", _QUICK, _Host())[:2],
        _rows("read", _QUICK, _Host())[1:],
    ],
    ids=["the drive limits", "never asleep", "no rates", "one deeper row", "no row of depth one"],
)
def test_nothing_is_taken_for_waking_where_no_row_tells_it(rows: list[dict[str, Any]]) -> None:
    found = ask(MODEL, rows=rows)
    assert [row.wake_ms for row in found.depths] == [0.0] * len(rows)
    assert not any("its waking" in note for note in found.notes)


def test_a_row_slower_than_waking_explains_is_left_out_as_before() -> None:
    alone, *deeper = _rows("read", _QUICK, _Host(late_ms=0.02, longer_ms=0.009))
    first, *others = ask(MODEL, rows=[alone, *deeper]).depths
    assert first.modelled_ms is None
    assert "the host slept" in first.unused_reason
    assert [row.wake_ms for row in (first, *others)] == [0.0] * len(DEPTHS)
