"""A drive fitted to a trace: made times, an uploaded trace, and what cannot be fitted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ModelError, ParamsError
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import BlockRequests
from capmodels.spec import Context
from capmodels.storage.calibration.replay_fit import BOUNDS, replayed_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.simulator.params import Scheduler

MODEL = registry.get_model("storage.calibrate_trace")
TRACE_ID = "00000000-0000-4000-8000-000000000001"
DISK = {
    "kind": "hdd", "name": "made disk", "capacity_gb": 100.0, "speed_rpm": 6000.0,
    "seek": {"kind": "three_point", "min_ms": 1.0, "avg_ms": 8.0, "max_ms": 16.0},
    "overhead_ms": 0.3, "outer_mb_per_s": 50.0, "active_w": 10.0, "idle_w": 8.0,
}  # fmt: skip
FLASH = {
    "kind": "ssd", "name": "made flash", "capacity_gb": 100.0, "read_latency_ms": 0.5,
    "write_latency_ms": 0.5, "read_mb_per_s": 200.0, "write_mb_per_s": 100.0, "active_w": 4.0,
    "idle_w": 1.0,
}  # fmt: skip


def trace_of(
    service_ms: NDArray[np.float64], sectors: NDArray[np.int64], read: NDArray[np.bool_]
) -> BlockRequests:
    count = len(service_ms)
    return BlockRequests(
        time_s=np.arange(count, dtype=np.float64) * 0.1,
        device=np.zeros(count, dtype=np.int32),
        block_lba=sectors.astype(np.int64),
        size_blocks=np.full(count, 8, dtype=np.int32),
        is_read=read,
        response_s=(service_ms / 1000).astype(np.float32),
    )


def fit(trace: BlockRequests, drive: dict[str, Any]) -> Any:
    loader, refs = held({TRACE_ID: trace})
    ref = refs[TRACE_ID].model_dump()
    document = {"drive": drive, "demand": {"kind": "trace", "trace": ref}}
    with using(loader):
        return spec.evaluate(MODEL, document, Context(seed=1))


@pytest.mark.decisive
def test_an_overhead_is_found_whatever_the_seeks() -> None:
    # Neighbouring places only: the seek is the shortest one, the turn uniform, 2.5 ms besides.
    rng = np.random.default_rng(3)
    count = 2000
    sectors = 8 + np.arange(count, dtype=np.int64) * 16
    service = 1.0 + rng.random(count) * 10.0 + 4096 / 50e3 + 2.5
    found = fit(trace_of(service, sectors, np.ones(count, dtype=np.bool_)), DISK)
    assert found.drive.overhead_ms == pytest.approx(2.5, abs=0.2)
    assert found.alone_fraction == pytest.approx(1.0, abs=1e-3)
    assert found.demerit_fraction < 0.02
    # By the sheet every request ends 2.2 ms too soon, of 8.6 ms on the mean.
    assert found.sheet_demerit_fraction == pytest.approx(2.2 / 8.6, rel=0.1)


def test_what_only_the_second_half_asks_is_told_as_not_fitted() -> None:
    rng = np.random.default_rng(9)
    count = 600
    read = np.arange(count) >= 303
    service = np.where(read, 3.0 + rng.random(count) * 10.0, 0.4)
    found = fit(trace_of(service, rng.integers(0, 190_000_000, count), read), DISK)
    # The first request has none before it; of the other 599 the first 299 are writes alone.
    assert found.notes[-1].startswith("Only 0 of the first half's requests")
    assert "are reads, 297 of the second's" in found.notes[-1]
    mixed = fit(trace_of(service, rng.integers(0, 190_000_000, count), read[::-1] ^ read), DISK)
    assert not any("not fitted" in note for note in mixed.notes)


def test_a_drive_that_buffers_its_writes_is_told_from_one_that_does_not() -> None:
    rng = np.random.default_rng(4)
    count = 2000
    read = np.arange(count) % 2 == 0
    service = np.where(read, 3.0 + rng.random(count) * 10.0, 0.4)
    sectors = rng.integers(0, 190_000_000, count)
    found = fit(trace_of(service, sectors, read), DISK)
    paths = {row.way: row.path for row in found.classes}
    assert paths == {"read": "platter", "write": "buffer"}


def test_flash_has_its_latency_of_each_direction() -> None:
    count = 400
    read = np.arange(count) % 2 == 0
    service = np.where(read, 0.1 + 4096 / 200e3, 0.03 + 4096 / 100e3)
    sectors = np.random.default_rng(5).integers(0, 190_000_000, count)
    found = fit(trace_of(service, sectors, read), FLASH)
    assert found.drive.read_latency_ms == pytest.approx(0.1, rel=1e-3)
    assert found.drive.write_latency_ms == pytest.approx(0.03, rel=1e-2)
    assert found.demerit_fraction == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("more", [{}, {"channels_count": 16, "read_hold_ms": 0.05}])
@pytest.mark.parametrize("rate", [100.0, 200.0, 500.0])
def test_flash_has_the_rate_that_sizes_tell(more: dict[str, Any], rate: float) -> None:
    rng = np.random.default_rng(6)
    count = 1000
    blocks = rng.choice([8, 32, 128], count)
    at_once = more.get("channels_count", 1)
    service = (0.1 + blocks * 512 / rate / at_once / 1000) * rng.uniform(0.95, 1.05, count)
    trace = trace_of(service, rng.integers(0, 190_000_000, count), np.ones(count, dtype=np.bool_))
    found = fit(replace(trace, size_blocks=blocks.astype(np.int32)), {**FLASH, **more})
    assert found.drive.read_latency_ms == pytest.approx(0.1, rel=0.03)
    assert found.drive.read_mb_per_s == pytest.approx(rate, rel=0.03)
    assert (found.drive.write_latency_ms, found.drive.write_mb_per_s) == (0.5, 100.0)
    assert found.demerit_fraction < 0.05
    assert found.fitted_demerit_fraction < 0.05
    # Flash has no arm, whose seeks a buffer could spare.
    assert not any("seek" in note for note in found.notes)


def test_who_asks_as_soon_as_the_last_is_answered_waits_for_nothing() -> None:
    rng = np.random.default_rng(7)
    count = 2000
    service = 3.0 + rng.random(count) * 10.0
    trace = trace_of(service, rng.integers(0, 190_000_000, count), np.ones(count, dtype=np.bool_))
    # Since 1601 a clock in doubles has steps of 2 us.
    at = 12_817_229_957.0 + np.cumsum(np.append(0.0, service[:-1])) / 1000
    found = fit(replace(trace, time_s=at - at[0]), DISK)
    assert found.alone_count == count - 1
    assert found.replay is None


def test_a_sheet_that_does_better_on_the_first_half_is_kept() -> None:
    rng = np.random.default_rng(8)
    count = 2000
    # Requests away from the last one are few and slow, as their host stalls now and then.
    far = np.arange(count) % 20 == 0
    sectors = np.where(far, rng.integers(0, 100_000_000, count), 0)
    for i in np.flatnonzero(~far):
        sectors[i] = sectors[i - 1] + 8
    stalls = rng.choice([0.0, 60.0], count, p=[0.9, 0.1])
    service = np.where(far, 1.0 + rng.random(count) * 17.0 + stalls, 0.4)
    found = fit(trace_of(service, sectors, np.ones(count, dtype=np.bool_)), DISK)
    assert found.demerit_fraction <= found.sheet_demerit_fraction
    # The error of the fitted half is that of the drive returned as well.
    again = fit(
        trace_of(service, sectors, np.ones(count, dtype=np.bool_)), found.drive.model_dump()
    )
    assert again.fitted_demerit_fraction == pytest.approx(found.fitted_demerit_fraction)


@pytest.mark.parametrize("drive", [DISK, FLASH, {**DISK, "overhead_ms": 1e12}])
def test_times_that_no_drive_takes_are_no_fault_of_the_program(drive: dict[str, Any]) -> None:
    rng = np.random.default_rng(9)
    read = rng.random(400) < 0.5
    service = np.where(read, 5.0, 90_000.0)
    trace = trace_of(service, rng.integers(0, 190_000_000, 400), read)
    trace = replace(trace, time_s=trace.time_s * 1e4)
    found = fit(trace, drive)
    # The drive can be given again.
    again = fit(trace, found.drive.model_dump(mode="json"))
    assert again.sheet_demerit_fraction == pytest.approx(found.demerit_fraction)


def test_requests_that_waited_are_left_out() -> None:
    count = 400
    service = np.full(count, 150.0)
    found = trace_of(service, np.arange(count) * 1000, np.ones(count, dtype=np.bool_))
    with pytest.raises(ModelError, match="found the drive idle"):
        fit(found, DISK)


def test_what_is_not_of_this_drive_is_refused_at_its_place() -> None:
    rows = np.ones(100, dtype=np.bool_)
    far = trace_of(np.ones(100), np.arange(100) * 10_000_000, rows)
    with pytest.raises(ParamsError, match="holds") as refused:
        fit(far, DISK)
    assert refused.value.faults[0].pointer == "/drive"
    near = trace_of(np.ones(100), np.arange(100) * 1000, rows)
    silent = near.__class__(*(getattr(near, name) for name in near.__slots__[:5]))
    with pytest.raises(ParamsError, match="does not say how long"):
        fit(silent, DISK)


def taken_in(order: Scheduler, at_ms: NDArray[np.float64], places: NDArray[np.float64]) -> Any:
    """Responses of a plain disk of 10 ms a turn that takes its queue in an order. [ms]

    A seek over a share x of the stroke takes 0.8 + 10 sqrt(x) + 5 x ms; at once where it stands.
    """
    dice = np.random.default_rng(1)
    now, head, coming = 0.0, 0.0, 0
    waiting = np.empty(0, dtype=np.int64)
    done = np.empty(len(at_ms))
    for _ in at_ms:
        now = now if len(waiting) else max(now, at_ms[coming])
        more = int(np.searchsorted(at_ms, now, side="right"))
        waiting, coming = np.append(waiting, np.arange(coming, more)), max(more, coming)
        asked = waiting[:32] if order == "sptf" else waiting
        ahead = places[asked] - head
        far = np.abs(ahead)
        turns = dice.random(len(asked)) * 10.0
        reach = 0.8 + 10.0 * np.sqrt(far) + 5.0 * far + turns
        costs = {
            "fcfs": np.arange(len(asked)),
            "clook": np.where(ahead >= 0, ahead, 2.0 + ahead),
            "sptf": reach,
        }
        best = int(costs[order].argmin())
        number = int(asked[best])
        now, head = now + reach[best] + 4096 / 50e3 + 0.3, places[number]
        waiting = np.delete(waiting, best)
        done[number] = now - at_ms[number]
    return done


# By their means LOOK is hardly told from the shortest seek first.
@pytest.mark.parametrize("order", ["fcfs", "clook", "sptf"])
def test_the_order_of_a_queue_is_found_of_all_that_the_simulator_knows(order: Scheduler) -> None:
    rng = np.random.default_rng(11)
    count = 4000
    # Busy enough that the orders differ, with pauses in which requests find the disk idle.
    gaps = rng.exponential(9.0, count) + np.where(np.arange(count) % 40 == 0, 400.0, 0.0)
    at_ms = np.cumsum(gaps)
    sectors = rng.integers(0, 190_000_000, count)
    places = sectors * 512 / 100e9
    drive = {**DISK, "seek": {"kind": "three_point", "min_ms": 0.8, "avg_ms": 7.8, "max_ms": 15.8}}
    responses = taken_in(order, at_ms, places)
    trace = trace_of(responses, sectors, np.ones(count, dtype=np.bool_))
    found = fit(replace(trace, time_s=at_ms / 1000), drive)
    assert found.replay is not None
    assert found.replay.scheduler == order
    assert abs(found.replay.error_fraction) < 0.06
    # With the orders that were tried before, none of these is met.
    if order == "clook":
        recorded = replace(trace, time_s=at_ms / 1000)
        _, measured, ours = replayed_in(found.drive, recorded, slice(0, count // 2), 1, BOUNDS)
        assert abs(ours / measured - 1) > 0.2
