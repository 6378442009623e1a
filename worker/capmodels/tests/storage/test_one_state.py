"""Rows by depth that are not of one state of a drive: found, said, and left out of the fit."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.tests.asking import ask

MODEL = "storage.calibrate_drive"
_ROOM, _AT_ONCE_MS, _LINK_MS, _STALL_MS = 110, 0.033, 0.02, 12.0
_READ = {"way": "read", "depth_count": 1, "latency_ms": 0.128}


def _stalling(depth: int, *, free_count: int = 0) -> dict[str, Any]:
    """Writes to a buffer with room for so many, which then stands still while flash takes them.

    Before it first stands still it has taken as many as blocks were free.
    """
    ready, link, left, times = [0.0] * depth, 0.0, max(free_count, _ROOM), []
    for _ in range(40_000):
        came = min(ready)
        link = max(link, came) + _LINK_MS
        if left == 0:
            link, left = link + _STALL_MS, _ROOM
        left -= 1
        done = link + _AT_ONCE_MS - _LINK_MS
        times.append(done - came)
        ready[ready.index(came)] = done
    mean = sum(times) / len(times)
    times.sort()
    points = [(p, times[int(p / 100 * len(times))]) for p in (50, 95, 99)]
    return {
        "way": "write", "depth_count": depth, "latency_ms": mean,
        "percentiles": [{"percent_ratio": p, "latency_ms": ms} for p, ms in points],
    }  # fmt: skip


def _answers_ms(drive: Any, depth: int) -> float:
    """Mean write of a simulated drive with so many outstanding. [ms]"""
    array = {"drive": drive.model_dump(mode="json"), "layout": {"kind": "single", "disks_count": 1}}
    arrivals = {"kind": "closed", "users_count": depth, "think_ms": 0}
    work = {"kind": "synthetic", "arrivals": arrivals, "size_bytes": 4096,
            "requests_count": 20_000, "read_fraction": 0.0}  # fmt: skip
    mean = ask("storage.array", array=array, workload=work).responses[0].mean_ms
    assert isinstance(mean, float)
    return mean


@pytest.mark.slow
@pytest.mark.parametrize(("told", "asked"), [((2, 8, 32), (1, 4, 16)), ((1, 4, 16), (2, 8, 32))])
def test_a_buffer_that_stalls_is_foretold_from_either_half(
    told: tuple[int, ...], asked: tuple[int, ...]
) -> None:
    found = ask(MODEL, rows=[_READ, *map(_stalling, told)])
    assert found.write_service_ms == pytest.approx(_AT_ONCE_MS, rel=0.3)
    for depth in asked:
        measured = _stalling(depth)["latency_ms"]
        assert _answers_ms(found.drive, depth) == pytest.approx(measured, rel=0.1)


def test_a_run_that_began_with_free_blocks_is_left_out_and_said() -> None:
    rows = [_stalling(depth) for depth in (2, 8, 32)]
    found = ask(MODEL, rows=[_READ, _stalling(1, free_count=20_000), *rows])
    quick = next(row for row in found.depths if (row.way, row.depth_count) == ("write", 1))
    assert quick.modelled_ms is None
    assert "another state" in quick.unused_reason
    steady = ask(MODEL, rows=[_READ, *rows])
    assert found.max_write_per_s == steady.max_write_per_s
    assert found.write_service_ms == pytest.approx(_AT_ONCE_MS)
    assert any("two states" in note and "steady state" in note for note in found.notes)
    assert not any("two states" in note or "steady state" in note for note in steady.notes)


def test_the_mean_of_a_run_with_free_blocks_bounds_the_latency_where_there_is_no_median() -> None:
    bare = [{**_stalling(depth), "percentiles": []} for depth in (4, 16, 64)]
    quick = {**_stalling(1, free_count=20_000), "percentiles": []}
    found = ask(MODEL, rows=[_READ, quick, *bare])
    assert found.write_service_ms == pytest.approx(quick["latency_ms"])
    assert found.max_write_per_s == pytest.approx(64_000 / bare[-1]["latency_ms"], rel=0.05)


def test_a_single_request_slower_than_two_is_the_hosts() -> None:
    rows = [
        {"way": "write", "depth_count": depth, "latency_ms": latency}
        for depth, latency in ((1, 0.039), (2, 0.031), (4, 0.058), (8, 0.135))
    ]
    found = ask(MODEL, rows=[_READ, *rows])
    assert "host slept" in next(row.unused_reason for row in found.depths if row.way == "write")
    assert found.write_service_ms == pytest.approx(0.031)
    assert any("A write at depth 1" in note for note in found.notes)
    level = ask(MODEL, rows=[_READ, {**rows[0], "latency_ms": 0.033}, *rows[1:]])
    assert all(row.unused_reason is None for row in level.depths)


def test_of_a_drive_whose_writes_were_not_measured_it_is_said_what_they_take() -> None:
    many = {"way": "read", "depth_count": 32, "latency_ms": 0.512}
    found = ask(MODEL, rows=[_READ, many])
    whole = found.drive.write_mb_per_s * found.channels_count
    assert found.channels_count > 1
    assert any(f"{whole:,.4g} MB/s in all" in note for note in found.notes)
