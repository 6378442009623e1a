"""A host's own time between an answer and the next request: found from rates, and kept out."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.storage.calibration.loop_fit import HostTimes
from capmodels.tests.asking import ask, faults
from capmodels.tests.storage.host_loops import simulated_ms
from capmodels.tests.storage.plain_dies import Network, followed_ms

MODEL = "storage.calibrate_drive"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)


def _row(way: str, depth: int, latency_ms: float, host_ms: float) -> dict[str, Any]:
    rate = depth * 1000 / (latency_ms + host_ms)
    return {"way": way, "depth_count": depth, "latency_ms": latency_ms, "rate_per_s": rate}


def _bent(way: str, drive: tuple[float, float], host_ms: float) -> list[dict[str, Any]]:
    """Latencies of a drive (alone, each at its ceiling), asked by a host."""
    alone, each = drive
    laws = {depth: max(alone, depth * each - host_ms) for depth in DEPTHS}
    return [_row(way, depth, latency, host_ms) for depth, latency in laws.items()]


@pytest.mark.decisive
@pytest.mark.parametrize("told", [0, 1])
@pytest.mark.parametrize("host_ms", [0.0, 0.009, 0.03])
@pytest.mark.parametrize("drive", [(0.1, 0.019), (0.04, 0.02), (0.25, 0.011)])
def test_a_made_up_drive_is_foretold_from_half_of_its_depths(
    drive: tuple[float, float], host_ms: float, told: int
) -> None:
    reads, writes = _bent("read", drive, host_ms), _bent("write", (0.05, 0.021), host_ms)
    found = ask(MODEL, rows=[*reads[told::2], *writes[told::2]])
    assert found.max_read_per_s == pytest.approx(1000 / drive[1], rel=0.01)
    for way, rows in (("read", reads), ("write", writes)):
        for row in rows[1 - told :: 2]:
            ours = simulated_ms(found.drive, way, row["depth_count"], host_ms)
            assert ours == pytest.approx(row["latency_ms"], rel=0.02)


def test_without_rates_the_ceiling_has_the_host_in_it() -> None:
    rows = _bent("read", (0.1, 0.019), 0.009)
    bare = [{**row, "rate_per_s": None} for row in rows]
    assert ask(MODEL, rows=rows).max_read_per_s == pytest.approx(1000 / 0.019)
    assert ask(MODEL, rows=bare).max_read_per_s > 1010 / 0.019


@pytest.mark.many(1)
@pytest.mark.slow
@pytest.mark.parametrize("told", [0, 1])
@pytest.mark.parametrize("dies", [6, 14])
def test_dies_are_found_beside_a_host(dies: int, told: int) -> None:
    host_ms = 0.012
    rows = [
        _row("read", depth, followed_ms(Network(depth, dies, 0.09, 0.019, host_ms), drawn=False),
             host_ms)
        for depth in DEPTHS
    ]  # fmt: skip
    found = ask(MODEL, rows=rows[told::2])
    assert found.waits_for_dies
    assert found.channels_count == pytest.approx(dies, rel=0.25)
    for row in rows[1 - told :: 2]:
        ours = simulated_ms(found.drive, "read", row["depth_count"], host_ms)
        assert ours == pytest.approx(row["latency_ms"], rel=0.05)


def test_a_host_that_is_busy_itself_is_said() -> None:
    rows = [_row("read", 1, 0.045, 0.019), *(_row("read", d, d / 57 - 0.0155, 0.0155)
            for d in (4, 16, 64))]  # fmt: skip
    notes = " ".join(ask(MODEL, rows=rows).notes)
    assert "At depth 64 the host spent 88% of its time between a read's answer" in notes
    assert "57,000 a second" in notes
    assert "the host spent" not in " ".join(ask(MODEL).notes)


def test_the_host_s_time_between_told_depths_is_between_theirs() -> None:
    host = HostTimes(((2, 0.01), (8, 0.02)))
    assert [host.at(depth) for depth in (1, 2, 8, 64)] == [0.01, 0.01, 0.02, 0.02]
    assert host.at(4) == pytest.approx(0.015)
    assert HostTimes().at(4) == 0.0
    assert HostTimes(((4, 0.01),)).at(1) == 0.01


def test_a_rate_that_leaves_the_host_no_time_is_taken_as_none() -> None:
    row = {"way": "read", "depth_count": 4, "latency_ms": 0.1, "rate_per_s": 41_000.0}
    (fit,) = ask(MODEL, rows=[row]).depths
    assert fit.host_ms == 0.0
    assert fit.measured_per_s == 41_000.0
    assert faults(MODEL, {"rows": [{**row, "rate_per_s": 0.0}]})
