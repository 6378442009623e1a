"""Solid-state drives whose reads wait for the die that has their data, behind one link."""

from __future__ import annotations

import time
from typing import Any

import pytest

from capmodels.storage.drive.drives import SolidState
from capmodels.storage.drive.times import read_answer_ms, read_busy_ms, write_busy_ms
from capmodels.storage.simulator.dies_loop import DieTimes, loop_ms
from capmodels.tests.asking import ask, faults
from capmodels.tests.storage.plain_dies import Network, followed_ms, product_form_ms

MODEL = "storage.calibrate_drive"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
DRIVE: dict[str, Any] = {
    "kind": "ssd", "capacity_gb": 480.0, "active_w": 3.0, "idle_w": 1.0,
    "read_latency_ms": 0.088, "write_latency_ms": 0.03,
    "read_mb_per_s": 90.0, "write_mb_per_s": 80.0,
    "channels_count": 6, "write_hold_ms": 0.11,
    "dies": {"link_read_ms": 0.011, "link_write_ms": 0.012},
}  # fmt: skip
# Of a read of 4 KiB: its own time, and its data at the rate of all channels.
LINK_MS = 0.011 + 4096 / 540e3


def simulated(arrivals: dict[str, Any], *, drive: Any = DRIVE, **work: Any) -> Any:
    array = {"drive": drive, "layout": {"kind": "single", "disks_count": 1}}
    asked = {"kind": "synthetic", "requests_count": 60_000, "size_bytes": 4096}
    return ask("storage.array", array=array, workload={**asked, "arrivals": arrivals, **work})


def loop(depth: int) -> dict[str, Any]:
    return {"kind": "closed", "users_count": depth, "think_ms": 0}


@pytest.mark.decisive
@pytest.mark.parametrize("net", [Network(4, 6, 0.09, 0.02), Network(8, 12, 0.1, 0.02)])
def test_the_network_written_apart_has_the_product_form_where_times_are_drawn(net: Network) -> None:
    assert followed_ms(net, drawn=True, rounds=300_000) == pytest.approx(
        product_form_ms(net), rel=0.01
    )
    # Constant times wait for less, which the simulator has to show below.
    assert followed_ms(net, drawn=False) < 0.95 * product_form_ms(net)


@pytest.mark.decisive
@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16, 64])
def test_a_simulated_drive_is_the_network_of_its_dies_and_link(depth: int) -> None:
    plain = followed_ms(Network(depth, 6, 0.088, LINK_MS), drawn=False)
    assert simulated(loop(depth)).responses[0].mean_ms == pytest.approx(plain, rel=0.01)
    times = DieTimes(LINK_MS, 0.088, 0.088)
    assert loop_ms(depth, 6, times) == pytest.approx(plain, rel=0.01)


@pytest.mark.parametrize("depth", [1, 7, 64, 300])
def test_a_loop_of_reads_alone_is_that_of_all_but_no_writes(depth: int) -> None:
    times = DieTimes(0.02, 0.08, 0.2, 0.02, 0.1, 0.1)
    most = 1.0 - 2.0**-53  # above every chance, so that each request is drawn and reads
    mixed = loop_ms(depth, 19, times, read_fraction=most)
    assert loop_ms(depth, 19, times) == mixed


def test_without_dies_a_read_takes_any_free_channel() -> None:
    drive = {**DRIVE, "dies": None, "read_hold_ms": 6 * LINK_MS}
    quick = simulated(loop(4), drive=drive).responses[0].mean_ms
    assert quick == pytest.approx(0.088 + 4096 / 540e3, rel=1e-6)
    assert simulated(loop(4)).responses[0].mean_ms > 1.2 * quick


def test_a_large_read_asks_many_dies_and_the_link_once() -> None:
    link = 0.011 + 131_072 / 540e3
    # Eight pages on six dies: two of them read two.
    found = simulated(loop(1), size_bytes=131_072, requests_count=1000).responses[0].mean_ms
    assert found == pytest.approx(link + 2 * 0.088)
    drive = SolidState.model_validate(DRIVE)
    assert read_answer_ms(drive, 131_072) == pytest.approx(found)
    # The link is what bounds it, and six channels over a read's part are as many reads.
    assert 6 / read_busy_ms(drive, 131_072) == pytest.approx(1 / link)
    assert 6 / write_busy_ms(drive, 4096) == pytest.approx(1 / (0.012 + 4096 / 480e3))


def test_pages_in_a_row_lie_on_dies_in_turn_and_no_stride_meets_one_die() -> None:
    step = 6 * 16_384
    addresses = {"kind": "zipf", "blocks_count": 4_000_000, "exponent": 0.0}
    found = simulated(loop(16), size_bytes=step, addresses=addresses, requests_count=4000)
    # Each request asks all dies once: the link passes one while they read another.
    assert found.responses[0].mean_ms == pytest.approx(16 * (0.011 + step / 540e3), rel=0.01)


def test_states_of_a_drive_with_dies_add_up_and_its_power_is_that_of_its_dies() -> None:
    found = simulated({"kind": "exponential", "mean_ms": 0.05}, read_fraction=0.5)
    share = 20 * (0.5 * 0.088 + 0.5 * 0.11) / 6
    assert found.power_w == pytest.approx(1.0 + 2.0 * share, rel=0.01)


@pytest.mark.parametrize(("share", "rate"), [(1.0, 30e3), (0.7, 30e3), (0.3, 10e3), (0.0, 10e3)])
def test_the_closed_form_of_a_drive_with_dies(share: float, rate: float) -> None:
    terms = {"layout": "raid0", "disks_count": 1, "size_bytes": 4096, "read_fraction": share}
    found = ask("storage.array_instant", drive=DRIVE, arrival_rate_per_s=rate, **terms)
    run = simulated({"kind": "exponential", "mean_ms": 1000 / rate}, read_fraction=share)
    assert found.response_mean_ms == pytest.approx(run.responses[0].mean_ms, rel=0.03)
    if share:
        assert found.read_response_ms == pytest.approx(run.responses[1].mean_ms, rel=0.03)
    assert found.always_on_w == pytest.approx(run.power_w, rel=0.01)
    for point in found.by_depth[:6]:
        closed = simulated(loop(point.depth_count), read_fraction=share)
        assert point.response_ms == pytest.approx(closed.responses[0].mean_ms, rel=0.01)
    # Both bound the rate: the link here, dies of twice the time.
    link = share * LINK_MS + (1 - share) * (0.012 + 4096 / 480e3)
    assert found.max_rate_per_s == pytest.approx(1000 / link)
    slow = {**DRIVE, "read_latency_ms": 0.4, "write_hold_ms": 0.4}
    assert ask("storage.array_instant", drive=slow, **terms).max_rate_per_s == pytest.approx(15e3)


def test_the_closed_form_says_no_response_of_reads_of_several_dies() -> None:
    terms = {"layout": "raid0", "disks_count": 1, "arrival_rate_per_s": 100.0}
    found = ask("storage.array_instant", drive=DRIVE, size_bytes=65_536, **terms)
    assert (found.carries_load, found.read_response_ms, found.response_mean_ms) == (
        True, None, None,
    )  # fmt: skip


def _rows(net: Network, depths: tuple[int, ...]) -> list[dict[str, Any]]:
    return [
        {
            "way": "read", "depth_count": depth,
            "latency_ms": followed_ms(net._replace(depth=depth), drawn=False),
        }
        for depth in depths
    ]  # fmt: skip


@pytest.mark.many(2)
@pytest.mark.decisive
@pytest.mark.parametrize("told", [0, 1])
@pytest.mark.parametrize(
    ("dies", "die_ms", "link_ms"), [(6, 0.088, 0.019), (16, 0.11, 0.0187), (4, 0.2, 0.02)]
)
def test_a_drive_with_dies_is_found_again_on_depths_that_are_not_told(
    dies: int, die_ms: float, link_ms: float, told: int
) -> None:
    net = Network(1, dies, die_ms, link_ms)
    found = ask(MODEL, rows=_rows(net, DEPTHS[told::2]))
    assert found.waits_for_dies
    assert found.channels_count == pytest.approx(dies, rel=0.15)
    for depth in DEPTHS[1 - told :: 2]:
        run = simulated(loop(depth), drive=found.drive.model_dump(mode="json"))
        plain = followed_ms(net._replace(depth=depth), drawn=False)
        assert run.responses[0].mean_ms == pytest.approx(plain, rel=0.05)


def test_a_drive_that_bends_at_its_ceiling_alone_has_no_dies() -> None:
    # A little off, as measured rows are: dies do no better.
    rows = [
        {"way": "read", "depth_count": depth, "latency_ms": max(0.1, depth / 50) * off}
        for depth, off in zip(DEPTHS, (0.98, 1.0, 1.03, 1.0, 0.99, 1.0, 1.02), strict=True)
    ]
    found = ask(MODEL, rows=rows)
    assert not found.waits_for_dies
    assert found.drive.dies is None


def test_the_error_said_is_that_of_the_drive_returned() -> None:
    rows = _rows(Network(1, 6, 0.088, 0.019), DEPTHS)
    rows += [
        {"way": "write", "depth_count": depth, "latency_ms": max(0.04, depth / 51)}
        for depth in DEPTHS
    ]
    found = ask(MODEL, rows=rows)
    assert found.waits_for_dies
    for row in found.depths:
        run = simulated(
            loop(row.depth_count),
            drive=found.drive.model_dump(mode="json"),
            read_fraction=float(row.way == "read"),
        )
        assert run.responses[0].mean_ms == pytest.approx(row.modelled_ms, rel=0.01)
        assert row.error_fraction == pytest.approx(0.0, abs=0.02)


def test_many_deep_rows_are_fitted_in_bounded_work() -> None:
    rows = [
        {"way": "read", "depth_count": depth, "latency_ms": max(0.1, depth / 50) * off}
        for depth, off in zip(range(1, 100_000, 500), [1.0, 1.1] * 100, strict=True)
    ]
    before = time.process_time()
    assert len(ask(MODEL, rows=rows).depths) == 200
    assert time.process_time() - before < 8.0


def test_dies_need_two_channels() -> None:
    document = {"drive": {**DRIVE, "channels_count": 1}}
    assert faults("storage.array_instant", document) == {"/drive/dies": "order"}
