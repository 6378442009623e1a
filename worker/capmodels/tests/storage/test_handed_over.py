"""A fitted drive and its host, as they are handed to an array, answer what the fit says of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from capmodels.storage.drive.drives import SolidState
from capmodels.tests.asking import ask
from capmodels.tests.storage.host_loops import DEPTHS, Host, asked_ms, followed_rows
from capmodels.tests.storage.plain_dies import Network, followed_ms

MODEL = "storage.calibrate_drive"
SSD = SolidState(
    capacity_gb=480, read_latency_ms=0.05, write_latency_ms=0.05, read_mb_per_s=1e9,
    write_mb_per_s=1e9, channels_count=1, active_w=3, idle_w=1,
)  # fmt: skip


def _on_dies(host_ms: float) -> list[dict[str, Any]]:
    nets = (Network(depth, 6, 0.088, 0.019, host_ms) for depth in DEPTHS)
    return [
        {"way": "read", "depth_count": net[0], "latency_ms": latency,
         "rate_per_s": net[0] * 1000 / (latency + host_ms)}
        for net in nets for latency in [followed_ms(net, drawn=False)]
    ]  # fmt: skip


_READS, _WRITES = (0.043, 0.0, 0.012), (0.033, 0.0115, 0.014)
_AWAKE = Host(late_ms=0.0, longer_ms=0.0)
CASES: dict[str, tuple[tuple[tuple[float, float, float], ...], Host]] = {
    "wakes": ((_READS, _WRITES), Host()),
    "bounds the rate": ((_READS, (0.02, 0.0, 0.005)), _AWAKE),
    "hardly there": (((0.1, 0.0, 0.02), (0.06, 0.009, 0.0165)), Host(0.002, 0.0, 0.0)),
    "between": (((0.05, 0.0, 0.03), (0.055, 0.0115, 0.0198)), Host(0.0095, 0.0, 0.0)),
    "asks dies": ((_READS, _WRITES), Host(0.01, 0.0, 0.0)),
}


@cache
def _rows(case: str) -> list[dict[str, Any]]:
    (reads, writes), host = CASES[case]
    read = _on_dies(0.012) if case == "asks dies" else followed_rows("read", reads, host)
    return [*read, *followed_rows("write", writes, host)]


@pytest.mark.many(4)
@pytest.mark.decisive
@pytest.mark.slow
@pytest.mark.parametrize("told", ["all depths", "1, 4, 16, 64", "2, 8, 32"])
@pytest.mark.parametrize("host", list(CASES))
def test_what_is_said_at_a_depth_is_what_is_handed_over_simulated(host: str, told: str) -> None:
    kept = {"all depths": DEPTHS, "1, 4, 16, 64": DEPTHS[::2], "2, 8, 32": DEPTHS[1::2]}[told]
    found = ask(MODEL, rows=[row for row in _rows(host) if row["depth_count"] in kept])
    assert found.waits_for_dies == (host == "asks dies")
    woken = [row.way for row in found.depths if row.wake_ms > 0]
    assert woken == (["read", "write"] if host == "wakes" and 1 in kept else [])
    for row in found.depths:
        drawn = found.waits_for_dies and row.way == "read"
        ours = asked_ms(found.drive, row.way, row.arrivals, 200_000 if drawn else 20_000)
        assert ours == pytest.approx(row.modelled_ms, rel=0.005)


def test_the_host_that_is_handed_over_asks_as_often_as_was_measured() -> None:
    for row in ask(MODEL, rows=_rows("wakes")).depths:
        asked = row.arrivals
        around_ms = row.measured_ms + asked.wake_ms + asked.think_ms
        assert asked.users_count / around_ms * 1000 == pytest.approx(row.measured_per_s, rel=0.01)


def test_rows_that_tell_nothing_hand_no_loop_over() -> None:
    alone, *deeper = followed_rows("read", (0.03, 0.0, 0.01), Host(late_ms=0.02, longer_ms=0.009))
    first, *others = ask(MODEL, rows=[alone, *deeper]).depths
    assert first.arrivals is None
    assert all(row.arrivals.think_ms == pytest.approx(row.host_ms) for row in others)


def _run(arrivals: dict[str, Any], **array: Any) -> Any:
    of = {"drive": SSD.model_dump(), "layout": {"kind": "single", "disks_count": 1}, **array}
    work = {"kind": "synthetic", "arrivals": {"kind": "closed", **arrivals}, "size_bytes": 4096,
            "requests_count": 5000, "read_fraction": 0.5}  # fmt: skip
    return ask("storage.array", array=of, workload=work, curve_points_count=0)


def test_a_host_that_wakes_sees_answers_later_and_asks_later() -> None:
    terms = {"users_count": 1, "think_ms": 0.02, "think_times_vary": False}
    run = _run({**terms, "wake_ms": 0.01})
    for one in run.responses:
        assert one.mean_ms == pytest.approx(0.05 + 0.01, rel=1e-6)
        assert one.max_ms == pytest.approx(0.05 + 0.01, rel=1e-6)
    assert run.throughput_per_s == pytest.approx(1000 / (0.05 + 0.01 + 0.01 + 0.02), rel=1e-3)
    awake = _run(terms)
    assert awake.throughput_per_s == pytest.approx(1000 / (0.05 + 0.02), rel=1e-3)


def test_a_host_with_more_than_one_under_way_does_not_sleep() -> None:
    terms = {"users_count": 2, "think_ms": 0.0, "think_times_vary": False}
    woken = _run({**terms, "wake_ms": 0.01})
    assert woken.responses[0].mean_ms == _run(terms).responses[0].mean_ms


@pytest.mark.parametrize(
    "array",
    [
        {"layout": {"kind": "raid5", "disks_count": 4, "locked_updates": False}},
        {"controller": {"read_ms": 0.003, "write_ms": 0.004, "depth_count": 1}},
    ],
    ids=["second phases", "a controller"],
)
def test_waking_comes_after_all_that_an_array_does(array: dict[str, Any]) -> None:
    terms = {"users_count": 1, "think_ms": 0.02, "think_times_vary": False}
    woken, awake = _run({**terms, "wake_ms": 0.01}, **array), _run(terms, **array)
    for one, other in zip(woken.responses, awake.responses, strict=True):
        assert one.mean_ms - other.mean_ms == pytest.approx(0.01, rel=1e-6)


def test_depths_that_no_row_tells_are_said_to_be_extrapolated() -> None:
    reads = followed_rows("read", _READS, _AWAKE)
    writes = [
        row for row in followed_rows("write", _WRITES, _AWAKE) if row["depth_count"] in {2, 8}
    ]
    said = "Outside of these depths the drive is extrapolated and less sure"
    notes = ask(MODEL, rows=[*reads, *writes]).notes
    assert (
        f"Told by reads from depth 1 to 64 and writes from depth 2 to 8. {said}, also in what a "
        "write takes alone."
    ) in notes
    assert f"Told by reads from depth 1 to 64. {said}." in ask(MODEL, rows=reads).notes
    assert f"Told by reads and writes from depth 1 to 64. {said}." in ask(MODEL).notes
    one = ask(MODEL, rows=[reads[2]])
    assert f"Told by reads at depth 4. {said}, also in what a read takes alone." in one.notes
