"""A host that sleeps when it asks one at a time: its waking is kept apart from the drive."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.tests.asking import ask
from capmodels.tests.storage.host_loops import DEPTHS, Host, followed_rows, simulated_ms

MODEL = "storage.calibrate_drive"
_QUICK, _SLOPING = (0.03, 0.0, 0.01), (0.033, 0.0115, 0.014)


@pytest.mark.many(4)
@pytest.mark.decisive
@pytest.mark.parametrize("share", [0.8, 1.0, 1.25])
@pytest.mark.parametrize("wake_ms", [0.005, 0.009])
@pytest.mark.parametrize("writes", [_QUICK, _SLOPING])
def test_a_drive_behind_a_host_that_sleeps_is_foretold_between_told_depths(
    writes: tuple[float, float, float], wake_ms: float, share: float
) -> None:
    host = Host(late_ms=wake_ms * share, longer_ms=wake_ms)
    ways = {
        "read": followed_rows("read", (0.043, 0.0, 0.012), host),
        "write": followed_rows("write", writes, host),
    }
    found = ask(MODEL, rows=[*ways["read"][::2], *ways["write"][::2]])
    assert found.drive.write_wait_ms == pytest.approx(writes[1], rel=0.25)
    for way, rows in ways.items():
        for row in rows[1::2]:
            ours = simulated_ms(found.drive, way, row["depth_count"], host.own_ms)
            assert ours == pytest.approx(row["latency_ms"], rel=0.1)


def test_what_waking_adds_is_said_and_the_drive_returned_is_without_it() -> None:
    rows = followed_rows("read", _QUICK, Host())
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
    rows = followed_rows("read", _QUICK, Host())
    points = [{"percent_ratio": p, "latency_ms": rows[0]["latency_ms"]} for p in (1, 50, 99)]
    found = ask(MODEL, rows=[{**rows[0], "percentiles": points}, *rows[1:]])
    assert found.demerit_fraction == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "rows",
    [
        followed_rows("read", (0.03, 0.0, 0.03), Host()),
        followed_rows("read", _QUICK, Host(late_ms=0.0, longer_ms=0.0)),
        [{**row, "rate_per_s": None} for row in followed_rows("read", _QUICK, Host())],
        followed_rows("read", _QUICK, Host())[:2],
        followed_rows("read", _QUICK, Host())[1:],
    ],
    ids=["the drive limits", "never asleep", "no rates", "one deeper row", "no row of depth one"],
)
def test_nothing_is_taken_for_waking_where_no_row_tells_it(rows: list[dict[str, Any]]) -> None:
    found = ask(MODEL, rows=rows)
    assert [row.wake_ms for row in found.depths] == [0.0] * len(rows)
    assert not any("its waking" in note for note in found.notes)


def test_a_row_slower_than_waking_explains_is_left_out_as_before() -> None:
    alone, *deeper = followed_rows("read", _QUICK, Host(late_ms=0.02, longer_ms=0.009))
    first, *others = ask(MODEL, rows=[alone, *deeper]).depths
    assert first.modelled_ms is None
    assert "the host slept" in first.unused_reason
    assert [row.wake_ms for row in (first, *others)] == [0.0] * len(DEPTHS)
