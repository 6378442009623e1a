"""What an array's result tells beyond times and power, against closed forms."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.storage.array import ALWAYS_ON, RAID5, SERVER, mobile
from capmodels.storage.drive.drives import ULTRASTAR_15K73, SolidState
from capmodels.storage.drive.service import response_ms, revolution_ms
from capmodels.storage.drive.times import fixed_ms, service_moments
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ClosedArrivals, ExponentialArrivals
from capmodels.storage.simulator.build import array_sectors
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Dispatch,
    Replay,
    SyntheticWorkload,
)
from capmodels.storage.simulator.per_year import capital_usd, mttdl_of
from capmodels.storage.simulator.replay import Requests, in_memory, run_trace
from capmodels.storage.simulator.run import run_synthetic
from capmodels.storage.simulator.series import independent_count, percentile_intervals

pytestmark = pytest.mark.slow

SPEC = registry.get_model("storage.array")
INSTANT = registry.get_model("storage.array_instant")
FLASH = SolidState(
    capacity_gb=480.0,
    read_latency_ms=0.0,
    write_latency_ms=0.0,
    read_mb_per_s=500.0,
    write_mb_per_s=100.0,
    active_w=3.0,
    write_w=4.0,
    idle_w=1.0,
)
_MOMENTS = service_moments(ULTRASTAR_15K73, 8192)


def _work(mean_ms: float, count: int = 100_000, **more: Any) -> SyntheticWorkload:
    arrivals = ExponentialArrivals(mean_ms=mean_ms)
    return SyntheticWorkload(arrivals=arrivals, requests_count=count, **more)


def _result(design: ArrayDesign, work: SyntheticWorkload) -> Any:
    closed = work.arrivals.kind == "closed"
    return result_of(design, run_synthetic(design, work, seed=1), closed=closed)


def _reads(count: int, gap_s: float) -> Requests:
    rng = np.random.Generator(np.random.PCG64(5))
    return Requests(
        np.cumsum(rng.standard_exponential(count) * gap_s),
        np.zeros(count, dtype=np.int32),
        rng.integers(0, array_sectors(SERVER) - 16, count),
        np.full(count, 16, dtype=np.int32),
        np.ones(count, dtype=np.bool_),
    )


def test_a_replay_stops_when_the_mean_is_known_well_enough() -> None:
    trace = in_memory(_reads(400_000, 0.01))
    out = run_trace(SERVER, trace, Replay(), seed=1, stop_ci_fraction=0.02)
    result: Any = result_of(SERVER, out, closed=False)
    assert result.stopped_early
    assert result.requests_count < 400_000
    mean = result.responses[0].mean_ms
    assert result.mean_interval_high_ms - mean <= 0.02 * mean
    assert _MOMENTS is not None
    assert mean == pytest.approx(response_ms(100.0, _MOMENTS), rel=0.03)
    assert not run_trace(SERVER, in_memory(_reads(3000, 0.01)), Replay(), seed=1).stopped


def test_the_model_hands_its_stop_to_a_replay() -> None:
    n = 20_000
    trace = {
        "kind": "trace",
        "starts_ms": [10.0 * i for i in range(n)],
        "sectors": [16 * (i * 7919 % 1_000_003) for i in range(n)],
        "sectors_count": [16] * n,
        "writes": [False] * n,
    }
    document = {"array": SERVER.model_dump(), "workload": trace, "stop_interval_fraction": 0.05}
    assert spec.evaluate(SPEC, document, spec.Context(seed=1)).stopped_early
    document["stop_interval_fraction"] = 0.0
    assert not spec.evaluate(SPEC, document, spec.Context(seed=1)).stopped_early


def _rebuilding(capacity_gb: float, rate: float | None) -> ArrayDesign:
    layout = Layout(kind="raid5", disks_count=4, failed_disk_count=1, rebuild_mb_per_s=rate)
    drive = FLASH.model_copy(update={"capacity_gb": capacity_gb})
    return ArrayDesign(drive=drive, layout=layout, timeouts=None)


def test_a_rebuild_is_no_faster_than_the_spare_writes() -> None:
    result = _result(_rebuilding(480.0, 1000.0), _work(100.0, 1000))
    spare = result.devices[3]
    assert result.rebuild_mb_per_s == pytest.approx(FLASH.write_mb_per_s, rel=0.01)
    assert result.rebuild_s == pytest.approx(4800.0, rel=0.01)
    assert spare.name == "disk 3 (spare)"
    # It does nothing but write.
    assert spare.power_w == pytest.approx(4.0, rel=0.01)
    assert spare.written_tb == pytest.approx(result.duration_s * 100e6 / 1e12, rel=0.01)
    # The survivors read a fifth of the time.
    assert result.devices[0].utilization_fraction == pytest.approx(0.2, abs=0.02)


def test_a_rebuild_that_is_asked_to_be_slow_is_and_the_spare_joins_when_it_is_done() -> None:
    result = _result(_rebuilding(1.0, 50.0), _work(10.0, 10_000, size_bytes=4096))
    assert result.rebuild_mb_per_s == pytest.approx(50.0, rel=0.01)
    assert result.devices[3].written_tb == pytest.approx(0.001, rel=1e-3)
    # 20 of 100 s with the disk lost; afterwards it takes its quarter of the reads.
    assert result.devices[3].reads_count == pytest.approx(2000, rel=0.1)
    assert result.reconstructed_reads_count == pytest.approx(500, rel=0.15)


@pytest.mark.parametrize("kind", ["raid1", "raid10"])
def test_a_copy_is_rebuilt_at_the_pace_of_the_platter(kind: Any) -> None:
    disks = 2 if kind == "raid1" else 4
    layout = Layout(kind=kind, disks_count=disks, failed_disk_count=1, rebuild_mb_per_s=1000.0)
    result = _result(SERVER.model_copy(update={"layout": layout}), _work(10_000.0, 50))
    # Pieces of 1 MiB follow each other on both disks: overhead and transfer, no seek.
    piece_ms = fixed_ms(ULTRASTAR_15K73, 1 << 20)
    assert result.rebuild_mb_per_s == pytest.approx((1 << 20) / 1e3 / piece_ms, rel=0.01)
    assert result.devices[-1].reads_count == 0


def test_a_lost_disk_draws_nothing() -> None:
    result = _result(_rebuilding(480.0, None), _work(20.0, 5000))
    lost = result.devices[3]
    assert lost.name == "disk 3 (lost)"
    assert lost.power_w == 0
    assert all(state.time_fraction == 0 for state in lost.states)
    assert result.power_over_time[-1].idle_w < 3 * FLASH.idle_w + 1e-9


@pytest.mark.decisive
def test_littles_law_holds_at_every_disk() -> None:
    assert _MOMENTS is not None
    open_one = _result(SERVER, _work(10.0, 400_000)).devices[0]
    assert open_one.mean_queue_count == pytest.approx(0.1 * response_ms(100, _MOMENTS), rel=0.02)
    users = SyntheticWorkload(arrivals=ClosedArrivals(users_count=8), requests_count=20_000)
    assert _result(SERVER, users).devices[0].mean_queue_count == pytest.approx(8.0, rel=1e-3)
    for design in (ALWAYS_ON, SERVER.model_copy(update={"scheduler": "sstf"})):
        result = _result(design, _work(8.0))
        queued = sum(device.mean_queue_count for device in result.devices)
        assert queued == pytest.approx(result.mean_in_system_count, rel=0.02)


def test_an_operation_is_seek_rotation_and_transfer() -> None:
    assert _MOMENTS is not None
    for design in (SERVER, SERVER.model_copy(update={"scheduler": "look"})):
        disk = _result(design, _work(50.0, 50_000)).devices[0]
        turn = revolution_ms(ULTRASTAR_15K73.speed_rpm)
        parts = (disk.seek_mean_ms, disk.rotation_mean_ms, disk.transfer_mean_ms)
        assert disk.rotation_mean_ms == pytest.approx(turn / 2, rel=0.01)
        assert sum(parts) == pytest.approx(_MOMENTS.mean_ms, rel=0.02)
    # Data and parity disk wait half a turn, then one whole turn between read and write.
    raid5 = _result(RAID5, _work(50.0, 20_000, read_fraction=0.0, size_bytes=4096)).devices[0]
    assert raid5.rotation_mean_ms == pytest.approx(1.5 * revolution_ms(7200), rel=0.02)


def test_heads_are_loaded_at_every_wake() -> None:
    disks = _result(mobile(1), _work(1000.0, 5000)).devices
    assert sum(disk.load_unloads_count for disk in disks) == sum(
        disk.spin_ups_count + disk.low_power_wakes_count for disk in disks
    )
    assert sum(disk.load_unloads_count for disk in disks) > 0


def test_responses_that_come_in_fours_count_as_a_quarter() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    alone = rng.standard_exponential((2000, 100))
    for values, share in ((alone, 1.0), (alone[:, :25].repeat(4, axis=1), 0.25)):
        batches = np.column_stack([np.full(2000, 100.0), values.sum(axis=1)])
        count = independent_count(batches, float(values.var()))
        assert count / values.size == pytest.approx(share, rel=0.07)


def test_intervals_of_percentiles_hold_those_of_the_exponential() -> None:
    rng = np.random.Generator(np.random.PCG64(2))
    held = 0
    for _run in range(100):
        values = rng.standard_exponential(40_000) * 5.0
        bins = (values.view(np.int64) >> 43) - ((1023 + k.BIN_LOW_EXPONENT) << k.BIN_BITS)
        histogram = np.zeros((2, k.BINS_COUNT), dtype=np.int64)
        np.add.at(histogram[0], bins, 1)
        total = np.array([len(values), values.sum(), (values**2).sum(), values.max()])
        batches = np.column_stack([np.full(20, 2000.0), values.reshape(20, -1).sum(axis=1)])
        out: Any = SimpleNamespace(
            batches=batches, response=np.array([total, np.zeros(4)]), histogram=histogram
        )
        for found in percentile_intervals(out):
            true = -5.0 * math.log1p(-found.percentile_fraction)
            held += found.low_ms <= true <= found.high_ms
    assert 0.93 <= held / 300 <= 0.995


def test_a_year_costs_energy_and_capital_and_has_its_mttdl() -> None:
    document = {"array": SERVER.model_dump(), "workload": _work(100.0, 5000).model_dump()}
    result = spec.evaluate(SPEC, document, spec.Context(seed=1))
    assert result.per_year.energy_usd_per_year == pytest.approx(result.power_w * 0.876, rel=1e-9)
    assert result.per_year.capital_usd_per_year == pytest.approx(195.0 / 5)
    # Section 6.7 of the storage reference, 1.7% a year, 24 h, whole disks alone.
    for design, years in ((RAID5, 1.04e5), (mobile(3), 8.8e9)):
        sound = design.drive.model_copy(update={"unrecoverable_per_bit": 0.0})
        whole = design.model_copy(update={"drive": sound})
        assert mttdl_of(whole, 24.0) == pytest.approx(years, rel=0.01)
    assert capital_usd(mobile(3)) == 630.0
    assert capital_usd(RAID5) is None


def _writes(*, last_read: bool) -> Requests:
    """500 small writes, far apart, after a minute at rest; then perhaps a read, and a minute."""
    n = 500
    times = [60.0 + 0.01 * i for i in range(n)] + [180.0, 300.0]
    places = [10_000 * i + 8_000_000 for i in range(n)] + [0 if last_read else 8_000_000, 8_000_000]
    return Requests(
        np.array(times),
        np.zeros(n + 2, dtype=np.int32),
        np.array(places),
        np.full(n + 2, 8, dtype=np.int32),
        np.array([False] * n + [True, False]),
    )


def test_dirty_blocks_wait_in_the_cache_until_disks_wake() -> None:
    layout = Layout(kind="raid5", disks_count=4)
    cache = CacheTier(mode="write_back", capacity_gb=1.0)
    design = ArrayDesign(layout=layout, cache=cache)
    waiting, woken = (
        result_of(
            design,
            run_trace(design, in_memory(_writes(last_read=read)), Replay(), seed=1),
            closed=False,
        )
        for read in (False, True)
    )
    assert waiting.cache is not None
    assert woken.cache is not None
    assert (waiting.cache.destages_count, waiting.cache.dirty_blocks_count) == (0, 500)
    assert waiting.cache.dirty_tb == pytest.approx(500 * 4096 / 1e12)
    assert waiting.cache.written_tb == pytest.approx(501 * 4096 / 1e12)
    assert sum(device.written_tb for device in waiting.devices[:4]) == 0
    assert (woken.cache.woken_destages_count, woken.cache.dirty_blocks_count) == (500, 1)
    # Every block goes to a data disk and its parity disk.
    written = sum(device.written_tb for device in woken.devices[:4])
    assert written == pytest.approx(2 * 500 * 4096 / 1e12)


@pytest.mark.parametrize(
    ("layout", "channels", "read_fraction"),
    [
        ("raid0", 1, 1.0),
        ("raid0", 4, 1.0),
        ("raid10", 2, 0.5),
        ("raid5", 1, 0.6),
        ("raid6", 1, 0.6),
    ],
)
def test_solid_state_arrays_do_what_their_closed_form_says(
    layout: str, channels: int, read_fraction: float
) -> None:
    latencies = {"read_latency_ms": 0.1, "write_latency_ms": 0.3, "channels_count": channels}
    drive = FLASH.model_copy(update={**latencies, "write_w": None})
    terms = {"layout": layout, "disks_count": 8, "read_fraction": read_fraction}
    load = {"arrival_rate_per_s": 1.0, "size_bytes": 4096}
    document = {"drive": drive.model_dump(), **terms, **load}
    load["arrival_rate_per_s"] = 0.6 * spec.evaluate(INSTANT, document).max_rate_per_s
    instant = spec.evaluate(INSTANT, {**document, **load})
    assert instant.utilization_ratio == pytest.approx(0.6)
    shape: Any = layout
    design = ArrayDesign(
        drive=drive,
        layout=Layout(kind=shape, disks_count=8),
        dispatch=Dispatch(kind="random"),
        timeouts=None,
    )
    gap_ms = 1000 / load["arrival_rate_per_s"]
    run = _result(design, _work(gap_ms, read_fraction=read_fraction, size_bytes=4096))
    assert run.power_w == pytest.approx(instant.always_on_w, rel=0.01)
    busy = sum(device.utilization_fraction for device in run.devices)
    assert busy == pytest.approx(8 * 0.6, rel=0.01)
    if read_fraction == 1.0:
        assert run.responses[0].mean_ms == pytest.approx(instant.response_mean_ms, rel=0.03)


def test_raid6_and_raid10_of_disks_are_as_busy_as_their_closed_form_says() -> None:
    for kind in ("raid6", "raid10"):
        shape: Any = kind
        terms = {"disks_count": 8, "read_fraction": 0.5, "size_bytes": 4096}
        document = {"drive": ULTRASTAR_15K73.model_dump(), "layout": kind, **terms}
        instant = spec.evaluate(INSTANT, {**document, "arrival_rate_per_s": 100.0})
        held = Layout(kind=shape, disks_count=8, locked_updates=True)
        design = SERVER.model_copy(update={"layout": held})
        run = _result(design, _work(10.0, 50_000, read_fraction=0.5, size_bytes=4096))
        busy = sum(device.utilization_fraction for device in run.devices)
        assert busy == pytest.approx(instant.busy_count, rel=0.02)
