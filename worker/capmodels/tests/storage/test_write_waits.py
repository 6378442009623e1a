"""Writes of a solid-state drive that are answered later for each other one without an answer."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.storage.drive.drives import SolidState
from capmodels.storage.drive.entries import drive_of
from capmodels.storage.drive.entry_out import entry_of
from capmodels.tests.asking import ask
from capmodels.tests.storage.host_loops import simulated_ms

MODEL = "storage.calibrate_drive"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
_READ = {"way": "read", "depth_count": 1, "latency_ms": 0.1}


def _batched_ms(depth: int, drive: tuple[float, float, float], host_ms: float) -> float:
    """Mean write of a drive (alone, wait, ceiling), followed round by round, written apart.

    Of a closed loop every write is answered so much later as others have no answer when it comes,
    and no sooner than its turn at the ceiling allows.
    """
    alone, wait, each = drive
    ready, answers, turn, taken = [0.0] * depth, [0.0] * depth, 0.0, []
    for _ in range(4000):
        one = ready.index(min(ready))
        came = ready[one]
        others = sum(end > came for at, end in enumerate(answers) if at != one)
        turn = max(turn, came) + each
        answers[one] = max(came + alone + others * wait, turn)
        ready[one] = answers[one] + host_ms
        taken.append(answers[one] - came)
    return sum(taken[400:]) / len(taken[400:])


def _rows(drive: tuple[float, float, float], host_ms: float) -> list[dict[str, Any]]:
    rows = []
    for depth in DEPTHS:
        latency = _batched_ms(depth, drive, host_ms)
        rate = depth * 1000 / (latency + host_ms)
        rows.append(
            {"way": "write", "depth_count": depth, "latency_ms": latency, "rate_per_s": rate}
        )
    return rows


@pytest.mark.parametrize("host_ms", [0.0, 0.009])
@pytest.mark.parametrize("drive", [(0.055, 0.011, 0.0198, 5), (0.1, 0.015, 0.03, 6)])
def test_a_simulated_write_waits_as_followed_round_by_round(
    drive: tuple[float, float, float, int], host_ms: float
) -> None:
    alone, wait, each, channels = drive
    simulated = SolidState(
        capacity_gb=480, read_latency_ms=0.1, write_latency_ms=alone, read_mb_per_s=1e9,
        write_mb_per_s=1e9, channels_count=channels, write_hold_ms=channels * each,
        write_wait_ms=wait, active_w=3, idle_w=1,
    )  # fmt: skip
    for depth in DEPTHS:
        plain = _batched_ms(depth, (alone, wait, each), host_ms)
        ours = simulated_ms(simulated, "write", depth, host_ms)
        assert ours == pytest.approx(plain, rel=0.005)


@pytest.mark.decisive
@pytest.mark.parametrize("host_ms", [0.0, 0.009])
@pytest.mark.parametrize(
    "drive", [(0.055, 0.011, 0.0198), (0.06, 0.009, 0.0165), (0.1, 0.015, 0.03)]
)
def test_waits_are_found_from_half_of_the_depths_and_foretell_the_others(
    drive: tuple[float, float, float], host_ms: float
) -> None:
    rows = _rows(drive, host_ms)
    found = ask(MODEL, rows=[_READ, *rows[::2]])
    assert found.drive.write_wait_ms == pytest.approx(drive[1], rel=0.1)
    assert found.write_service_ms == pytest.approx(drive[0], rel=0.02)
    for row in rows[1::2]:
        ours = simulated_ms(found.drive, "write", row["depth_count"], host_ms)
        assert ours == pytest.approx(row["latency_ms"], rel=0.08)
    for fit in found.depths:
        if fit.way == "write":
            ours = simulated_ms(found.drive, "write", fit.depth_count, host_ms)
            assert ours == pytest.approx(fit.modelled_ms, rel=0.005)


@pytest.mark.parametrize("off", [0.0, 0.015])
def test_a_drive_without_waits_is_given_none(off: float) -> None:
    rows = _rows((0.05, 0.0, 0.02), 0.009)
    uneven = [
        {**row, "latency_ms": row["latency_ms"] * (1 + off * (-1) ** nth)}
        for nth, row in enumerate(rows)
    ]
    assert ask(MODEL, rows=[_READ, *uneven]).drive.write_wait_ms == 0.0


def test_three_rows_and_a_busy_host_tell_of_no_waits() -> None:
    rows = _rows((0.043, 0.011, 0.0198), 0.009)
    assert ask(MODEL, rows=[_READ, *rows[::2]]).drive.write_wait_ms > 0
    assert ask(MODEL, rows=[_READ, *rows[1::2]]).drive.write_wait_ms == 0.0
    hosts = [
        {**row, "rate_per_s": row["depth_count"] * 1000 / (row["latency_ms"] + row["depth_count"])}
        for row in rows[::2]
    ]
    assert ask(MODEL, rows=[_READ, *hosts]).drive.write_wait_ms == 0.0


def test_an_entry_of_the_catalogue_keeps_the_waits() -> None:
    drive = ask(MODEL, rows=[_READ, *_rows((0.043, 0.011, 0.0198), 0.009)]).drive
    assert isinstance(drive, SolidState)
    entry = entry_of(drive)
    assert "/write_wait_ms" not in entry.lost
    again = drive_of(drive.name, entry.values).drive
    assert isinstance(again, SolidState)
    assert again.write_wait_ms == drive.write_wait_ms > 0
    assert "write_wait_ms" not in entry_of(drive.model_copy(update={"write_wait_ms": 0.0})).values


def test_a_write_waits_for_writes_without_an_answer_only() -> None:
    drive = SolidState(
        capacity_gb=480, read_latency_ms=0.1, write_latency_ms=0.05, read_mb_per_s=1e9,
        write_mb_per_s=1e9, channels_count=4, write_hold_ms=0.1, write_wait_ms=0.02,
        active_w=3, idle_w=1,
    )  # fmt: skip
    assert simulated_ms(drive, "write", 1, 1.0) == pytest.approx(0.05, rel=1e-3)
    assert simulated_ms(drive, "write", 3, 0.0) == pytest.approx(0.09, rel=0.01)
