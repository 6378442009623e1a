"""The array simulator against queueing theory, the papers, and its own conservation laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.rng import streams
from capmodels.storage.array import ALWAYS_ON, RAID5, SERVER, mobile
from capmodels.storage.drive import drives, service
from capmodels.storage.simulator import run as array_run
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ClosedArrivals, ExponentialArrivals, ParetoArrivals
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.loop_kernel import open_loop
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Dispatch,
    SequentialAddresses,
    SyntheticWorkload,
)
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import mean_interval_ms, replicate, run_synthetic

pytestmark = pytest.mark.slow

SPEC = registry.get_model("storage.array")


def _work(mean_ms: float, count: int = 200_000, **more: Any) -> SyntheticWorkload:
    arrivals = ExponentialArrivals(mean_ms=mean_ms)
    return SyntheticWorkload(arrivals=arrivals, requests_count=count, **more)


def _result(design: ArrayDesign, work: SyntheticWorkload, seed: int = 1) -> Any:
    closed = work.arrivals.kind == "closed"
    return result_of(design, run_synthetic(design, work, seed=seed), closed=closed)


def _mean(result: Any) -> float:
    return float(result.responses[0].mean_ms)


def _forced(kind: int, mean_ms: float, count: int, seed: int) -> float:
    """Mean response of one disk whose service is constant (1) or exponential (2)."""
    run = build(SERVER)
    run.record["par"][0, k.SERVICE_KIND] = kind
    run.record["par"][0, k.FIXED] = mean_ms
    arrivals, rng = streams(seed, 2)
    at = np.cumsum(arrivals.standard_exponential(count) * 8.0)
    ops = np.zeros((count, 3), dtype=np.int64)
    ops[:, 1] = 16
    open_loop(run.machine, run.held, at, ops, 0.0, rng)
    response = run.record["response"][0]
    return float(response[k.SUM] / response[k.DONE])


@pytest.mark.parametrize(
    ("mean_ms", "expected", "tolerance"),
    [(8.0, 19.07, 0.03), (10.0, 12.17, 0.015), (100.0, 6.53, 0.01), (1000.0, 6.32, 0.01)],
)
def test_checks_1_and_2_one_disk_is_an_m_g_1_queue(
    mean_ms: float, expected: float, tolerance: float
) -> None:
    result = _result(SERVER, _work(mean_ms, 1_000_000))
    assert _mean(result) == pytest.approx(expected, rel=tolerance)


def test_check_3_exponential_and_constant_service() -> None:
    assert _forced(2, 6.3, 1_000_000, 3) == pytest.approx(29.65, rel=0.03)
    assert _forced(1, 6.3, 1_000_000, 3) == pytest.approx(17.97, rel=0.03)


@pytest.mark.decisive
@pytest.mark.parametrize(
    "design",
    [
        SERVER,
        mobile(1),
        mobile(3),
        RAID5,
        RAID5.model_copy(update={"cache": CacheTier(capacity_gb=1.0)}),
        ArrayDesign(layout=Layout(kind="raid10", disks_count=4)),
        ArrayDesign(layout=Layout(kind="raid6", disks_count=5)),
        ArrayDesign(layout=Layout(kind="raid0", disks_count=3), scheduler="sstf"),
        ArrayDesign(layout=Layout(kind="raid5", disks_count=4, locked_updates=False)),
    ],
    ids=lambda design: f"{design.layout.kind}-{design.scheduler}-{design.cache is not None}",
)
def test_check_4_time_and_energy_are_conserved(design: ArrayDesign) -> None:
    out = run_synthetic(design, _work(60.0, 20_000, read_fraction=0.7), seed=5)
    par = build(design).record["par"]
    assert out.time_ms.sum(axis=1) == pytest.approx(np.full(len(out.time_ms), out.end_ms), rel=1e-6)
    slots = [k.P_ACTIVE, k.P_ACTIVE, k.P_IDLE, k.P_LPI, k.P_STANDBY]
    for d, (times, energies) in enumerate(zip(out.time_ms, out.energy_mj, strict=True)):
        states = float((times[:5] * par[d, slots]).sum()) + float(energies[k.TRANSITION])
        assert float(energies.sum()) == pytest.approx(states, rel=1e-6)


def test_check_4_little() -> None:
    # Requests in the system, integrated from the disks' own queues between arrivals.
    run = build(ALWAYS_ON)
    m = run.record
    arrivals, places, rng = streams(11, 3)
    count = 10_000
    at = np.cumsum(arrivals.standard_exponential(count) * 9.0)
    ops = np.zeros((count, 3), dtype=np.int64)
    ops[:, 0] = places.integers(0, 117_000_000, count)
    ops[:, 1] = 16
    area = 0.0
    for i in range(count):
        open_loop(run.machine, run.held, at[i : i + 1], ops[i : i + 1], 0.0, rng)
        until = at[i + 1] if i + 1 < count else np.inf
        for d in range(3):
            first, last = m["ends"][d]
            for place in range(first, last):
                end = m["ring"][d, place % k.RING]
                area += max(min(end, until) - at[i], 0.0)
    response = m["response"][0]
    duration = float(at[-1])
    rate_per_ms = count / duration
    assert area / duration == pytest.approx(
        rate_per_ms * response[k.SUM] / response[k.DONE], rel=1e-6
    )
    assert area / duration > 1.0


def test_check_9_always_on_power() -> None:
    result = _result(ALWAYS_ON, _work(8.0))
    assert result.power_w == pytest.approx(6.915, rel=0.005)
    saving = 1 - result.power_w / _result(SERVER, _work(8.0)).power_w
    assert saving == pytest.approx(0.534, abs=0.003)


def test_check_10_one_disk_awake() -> None:
    slow = _result(mobile(3), _work(1000.0))
    assert slow.power_w == pytest.approx(2.508, rel=0.01)
    work = SyntheticWorkload(arrivals=ParetoArrivals(mean_ms=50.0), requests_count=1_000_000)
    assert _result(mobile(3), work).power_w == pytest.approx(2.65, rel=0.01)


def test_check_11_every_row_saves_half_to_80_percent() -> None:
    works = [_work(mean) for mean in (8.0, 10.0, 100.0, 1000.0)]
    works += [
        SyntheticWorkload(arrivals=ParetoArrivals(mean_ms=mean, exponent=shape))
        for mean in (10.0, 50.0)
        for shape in (1.5, 1.8)
    ]
    for work in works:
        server = _result(SERVER, work).power_w
        for design in (mobile(1), mobile(3), ALWAYS_ON):
            assert 0.498 <= 1 - _result(design, work).power_w / server <= 0.795


def test_check_12_golden_row() -> None:
    result = _result(mobile(3), _work(100.0, 1_000_000))
    response = result.responses[0]
    assert result.power_w == pytest.approx(2.706, rel=0.01)
    assert response.mean_ms == pytest.approx(15.99, rel=0.01)
    assert response.p95_ms == pytest.approx(26.4, rel=0.01)
    assert response.p99_ms == pytest.approx(35.7, rel=0.01)
    assert sum(d.spin_ups_count for d in result.devices) == pytest.approx(600, rel=0.12)
    assert result.devices[1].years_to_rating_years == pytest.approx(1.6, abs=0.2)


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("threshold", "mean", "loads"),
    [(1, 18.0, (0.766, 0.615, 0.447)), (3, 31.0, (0.975, 0.669, 0.184))],
)
def test_check_13_threshold_fills_one_disk_after_another(
    threshold: int, mean: float, loads: tuple[float, ...]
) -> None:
    result = _result(mobile(threshold), _work(8.0, 1_000_000))
    assert _mean(result) == pytest.approx(mean, rel=0.01)
    found = [device.utilization_fraction for device in result.devices]
    assert found == pytest.approx(list(loads), rel=0.01)


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("mean_ms", "power", "response", "tolerance"),
    [(10.0, 36.05, 16.7, 0.02), (5.0, 40.26, 27.1, 0.04)],
)
def test_check_23_reads_on_raid5(
    mean_ms: float, power: float, response: float, tolerance: float
) -> None:
    result = _result(RAID5, _work(mean_ms, size_bytes=16_384))
    assert result.power_w == pytest.approx(power, rel=0.01)
    assert _mean(result) == pytest.approx(response, rel=tolerance)


def test_check_24_no_more_can_be_saved_without_sleep() -> None:
    bound = 1 - (4 * 7.96 + 0.5) / (4 * 11.16)
    assert bound == pytest.approx(0.276, abs=0.001)
    assert pytest.approx(0.156, abs=0.001) == 1 - (4 * 9.29 + 0.5) / (4 * 11.16)
    work = _work(10.0, 100_000, read_fraction=0.3, size_bytes=16_384)
    cached = RAID5.model_copy(update={"cache": CacheTier(hit_fraction=0.9)})
    ratio = (
        _result(cached, work).energy_per_1000_requests_j
        / _result(RAID5, work).energy_per_1000_requests_j
    )
    assert 0 < 1 - ratio < bound


def test_check_25_what_the_mirrored_write_buffer_does() -> None:
    design = RAID5.model_copy(update={"cache": CacheTier(capacity_gb=0.1)})
    a, b = 0, 8
    at = np.arange(6, dtype=np.float64) * 1000
    ops = np.array([[a, 8, 0], [a, 8, 0], [b, 8, 1], [b, 8, 0], [a, 8, 1], [a, 8, 0]])
    out = replay(design, at, ops, seed=1)
    disks, cache = out.count[:4], out.count[4]
    assert disks[:, k.READ_OPS].sum() == 1
    assert cache[k.READ_OPS] == 3
    assert out.tally[k.CACHE_FILLS] == 1
    assert cache[k.WRITE_OPS] - out.tally[k.CACHE_FILLS] == 2
    assert disks[:, k.WRITE_OPS].sum() == out.tally[k.PLAIN_COPIES] == 2
    assert out.tally[k.PARITY_OPS] == 0


@pytest.mark.parametrize(("kind", "disks"), [("single", 1), ("raid0", 3), ("raid10", 4)])
def test_a_cache_of_any_size_works_over_any_layout(kind: Any, disks: int) -> None:
    cache = CacheTier(capacity_gb=7680.0)
    layout = Layout(kind=kind, disks_count=disks)
    design = RAID5.model_copy(update={"layout": layout, "cache": cache})
    result = _result(design, _work(100.0, 2000, read_fraction=0.5))
    assert not result.saturated
    assert result.cache is not None
    assert result.cache.plain_copies_count == result.cache.writes_count > 0
    years = [device.years_to_rating_years for device in result.devices]
    assert years[-1] is not None  # the cache is written; the disks never sleep
    assert years[:-1] == [None] * disks


@pytest.mark.decisive
def test_check_27_mirrored_writes_fork_and_join() -> None:
    design = ArrayDesign(
        drive=drives.ULTRASTAR_15K73, layout=Layout(kind="raid1", disks_count=2), timeouts=None
    )
    run = build(design)
    run.record["par"][:2, k.SERVICE_KIND] = 2
    run.record["par"][:2, k.FIXED] = 1.0
    arrivals, rng = streams(4, 2)
    count = 1_000_000
    at = np.cumsum(arrivals.standard_exponential(count) * 2.0)
    ops = np.ones((count, 3), dtype=np.int64)
    open_loop(run.machine, run.held, at, ops, 0.0, rng)
    response = run.record["response"][1]
    expected = service.mirrored_write_ms(response_mean_ms=2.0, load_fraction=0.5)
    assert response[k.SUM] / count == pytest.approx(expected, rel=0.02)


def test_sorting_the_queue_serves_more_and_first_come_agrees_with_the_fast_path() -> None:
    one = {"drive": drives.ULTRASTAR_15K73, "layout": Layout(kind="single", disks_count=1)}
    work = _work(7.0, 100_000)
    fast = _mean(_result(ArrayDesign(**one), work))
    sstf = _mean(_result(ArrayDesign(scheduler="sstf", **one), work))
    look = _mean(_result(ArrayDesign(scheduler="look", **one), work))
    assert sstf < look * 1.2 < fast
    assert look < fast


@pytest.mark.parametrize("read_fraction", [1.0, 0.7])
@pytest.mark.parametrize("kind", ["primary_first", "nearest_head", "round_robin", "response_time"])
def test_the_short_way_gives_the_same_numbers(
    kind: Any, read_fraction: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = ArrayDesign(dispatch=Dispatch(kind=kind))
    work = _work(30.0, 5000, read_fraction=read_fraction)
    short = run_synthetic(design, work, seed=3)
    monkeypatch.setattr(array_run, "takes_short_way", lambda _design: False)
    long = run_synthetic(design, work, seed=3)
    assert short.end_ms == long.end_ms
    assert (short.histogram == long.histogram).all()
    assert (short.energy_mj == long.energy_mj).all()
    assert (short.count == long.count).all()


def test_both_paths_give_the_same_responses_in_first_come_order() -> None:
    from capmodels.storage.simulator.queue_kernel import end_queues, sorted_queues

    runs = [build(SERVER), build(SERVER)]
    at = np.cumsum(streams(9, 1)[0].standard_exponential(20_000) * 9.0)
    ops = np.zeros((at.size, 3), dtype=np.int64)
    ops[:, 0] = streams(8, 1)[0].integers(0, 140_000_000, at.size)
    ops[:, 1] = 16
    open_loop(runs[0].machine, runs[0].held, at, ops, 0.0, streams(7, 1)[0])
    rng = streams(7, 1)[0]
    runs[1].record["plan"][k.SCHEDULER] = k.FCFS_BY_EVENT
    runs[1].record["free_slots"][:] = np.arange(k.PENDING_MAX)
    sorted_queues(runs[1].machine, runs[1].held, at, ops, 0.0, rng)
    end_queues(runs[1].machine, runs[1].held, 0.0, rng)
    one, two = (run.record["response"][0] for run in runs)
    assert two[k.SUM] == pytest.approx(one[k.SUM], rel=1e-9)
    assert two[k.LARGEST] == pytest.approx(one[k.LARGEST], rel=1e-9)


def test_a_closed_loop_obeys_its_response_law() -> None:
    arrivals = ClosedArrivals(users_count=4, think_ms=20.0)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=100_000)
    result = _result(ALWAYS_ON, work)
    # Users = throughput x (response + think).
    users = result.throughput_per_s / 1000 * (_mean(result) + 20.0)
    assert users == pytest.approx(4.0, rel=0.01)
    assert not result.saturated


# 68 channels of 0.08 ms: 850,000 reads a second of 4 KiB, and 6,800 MB/s; a write is answered in
# 0.02 ms and keeps its channel for 0.523 ms: 130,000 a second.
_FLASH = drives.SolidState(
    capacity_gb=1920,
    read_latency_ms=0.08 - 4.096 / 6800,
    write_latency_ms=0.02 - 4.096 / 2700,
    read_mb_per_s=100,
    write_mb_per_s=2700 / 68,
    channels_count=68,
    read_hold_ms=0.08,
    write_hold_ms=68_000 / 130_000,
    active_w=10,
    idle_w=4.5,
)


@pytest.mark.parametrize(
    ("depth", "read_fraction", "size", "per_s"),
    [
        (1, 1.0, 4096, 12_500),
        (256, 1.0, 4096, 850_000),
        (1, 0.0, 4096, 50_000),
        (64, 0.0, 4096, 130_000),
        # Half and half: a pair takes 0.08 + 0.523 ms of a channel, by the utilization law.
        (256, 0.5, 4096, 2 * 68_000 / (0.08 + 68_000 / 130_000)),
        # 64 KiB alone passes at the rate of the drive; many together are bounded by it.
        (1, 1.0, 65_536, 1000 / (0.08 + (65.536 - 4.096) / 6800)),
        (256, 1.0, 65_536, 6800e6 / 65_536),
        (256, 0.0, 65_536, 2700e6 / 65_536),
    ],
)
def test_flash_serves_so_many_at_a_depth(
    depth: int, read_fraction: float, size: int, per_s: float
) -> None:
    design = ArrayDesign(drive=_FLASH, layout=Layout(kind="single", disks_count=1), timeouts=None)
    arrivals = ClosedArrivals(users_count=depth, think_ms=0.0)
    work = SyntheticWorkload(
        arrivals=arrivals, requests_count=60_000, size_bytes=size, read_fraction=read_fraction
    )
    result = _result(design, work)
    assert result.throughput_per_s == pytest.approx(per_s, rel=0.01)
    assert depth / _mean(result) * 1000 == pytest.approx(per_s, rel=0.01)


@pytest.mark.parametrize("channels", [1, 4])
def test_a_write_to_flash_is_answered_before_it_is_done(channels: int) -> None:
    update = {"channels_count": channels, "write_hold_ms": 2.0, "read_mb_per_s": 4.096 / 0.05}
    drive = _FLASH.model_copy(update=update | {"write_mb_per_s": 100.0})
    design = ArrayDesign(drive=drive, layout=Layout(kind="single", disks_count=1), timeouts=None)
    work = _work(100.0, 2_000, size_bytes=4096, read_fraction=0.0)
    result = _result(design, work)
    answer = drive.write_latency_ms + 4.096 / 100 / channels
    # Pollaczek and Khinchine, the channel being the server: 2 ms of 100 ms.
    wait = 0.02 * 2.0 / 2 / (1 - 0.02) if channels == 1 else 0.0
    assert _mean(result) == pytest.approx(answer + wait, rel=0.1)
    assert result.responses[0].p50_ms == pytest.approx(answer, rel=0.01)
    busy = result.power_w - drive.idle_w
    # Energy is that of the channel's time: 2 ms of 100 ms, over the channels.
    assert busy == pytest.approx(0.02 / channels * (drive.active_w - drive.idle_w), rel=0.05)


def test_sequential_requests_are_faster_than_random_ones() -> None:
    random_mean = _mean(_result(SERVER, _work(20.0, 50_000)))
    runs = _work(20.0, 50_000, addresses=SequentialAddresses(continue_fraction=0.95))
    assert _mean(_result(SERVER, runs)) < 0.3 * random_mean


def test_nearest_head_shortens_the_seek() -> None:
    near = ArrayDesign(dispatch=Dispatch(kind="nearest_head"), timeouts=None)
    drawn = ArrayDesign(dispatch=Dispatch(kind="random"), timeouts=None)
    assert _mean(_result(near, _work(100.0))) < _mean(_result(drawn, _work(100.0))) - 1.0


def test_writes_to_every_copy_keep_the_disks_awake_unless_they_are_lazy() -> None:
    work = _work(50.0, 100_000, read_fraction=0.95)
    eager = _result(mobile(3), work).power_w
    lazy = ArrayDesign(dispatch=Dispatch(lazy_writes=True))
    assert eager == pytest.approx(6.24, rel=0.02)
    # Read-only draws 3.74 W: late writes cost little.
    assert _result(lazy, work).power_w == pytest.approx(3.74, rel=0.08)


def test_degraded_raid5_reads_from_the_survivors() -> None:
    lost = RAID5.model_copy(
        update={"layout": Layout(kind="raid5", disks_count=4, failed_disk_count=1)}
    )
    result = _result(lost, _work(20.0, 40_000, size_bytes=4096))
    reads = [device.reads_count for device in result.devices]
    # A quarter of the reads is reconstructed from three disks each.
    assert result.reconstructed_reads_count == pytest.approx(10_000, rel=0.05)
    assert sum(reads) == pytest.approx(30_000 + 3 * 10_000, rel=0.05)
    assert reads[3] == 0


def test_rebuild_slows_the_requests_and_keeps_its_rate() -> None:
    layout = Layout(kind="raid5", disks_count=4, failed_disk_count=1, rebuild_mb_per_s=10.0)
    rebuilding = RAID5.model_copy(update={"layout": layout})
    plain = RAID5.model_copy(
        update={"layout": Layout(kind="raid5", disks_count=4, failed_disk_count=1)}
    )
    work = _work(20.0, 20_000)
    result = _result(rebuilding, work)
    assert result.rebuild_mb_per_s == pytest.approx(10.0, rel=0.05)
    assert _mean(result) > _mean(_result(plain, work))


def test_overload_is_flagged_and_percentiles_withheld() -> None:
    result = _result(SERVER, _work(5.0, 100_000))
    assert result.saturated
    assert result.responses[0].p50_ms is None
    assert "saturated" in result.warnings


def test_same_seed_same_answer_in_any_order_of_replicates() -> None:
    work = _work(50.0, 5_000)
    forward = [replicate(mobile(3), work, seed=7, index=i) for i in range(3)]
    backward = [replicate(mobile(3), work, seed=7, index=i) for i in reversed(range(3))]
    for one, two in zip(forward, reversed(backward), strict=True):
        assert (one.histogram == two.histogram).all()
        assert one.end_ms == two.end_ms
    assert forward[0].end_ms != forward[1].end_ms
    document = {"replicates_count": 3, "workload": work.model_dump(mode="json")}
    first = spec.evaluate(SPEC, document, spec.Context(seed=7))
    assert first == spec.evaluate(SPEC, document, spec.Context(seed=7))
    assert first.requests_count == 15_000


def test_the_interval_holds_the_true_mean() -> None:
    held = 0
    for seed in range(20):
        out = run_synthetic(SERVER, _work(20.0, 30_000), seed=seed)
        mean, half = mean_interval_ms(out.batches)
        assert half is not None
        # Pollaczek-Khinchine for 50 requests/s.
        held += abs(mean - service.response_ms(50.0, service.Moments(6.300, 43.405))) <= half
    assert held >= 16


def test_a_trace_is_replayed_as_recorded() -> None:
    document = {
        "array": {"layout": {"kind": "single", "disks_count": 1}},
        "workload": {
            "kind": "trace",
            "starts_ms": [0.0, 100.0, 200.0],
            "sectors": [0, 1000, 5000],
            "sectors_count": [8, 8, 16],
            "writes": [False, True, False],
        },
    }
    result = spec.evaluate(SPEC, document)
    assert result.devices[0].reads_count == 2
    assert result.devices[0].writes_count == 1
    assert result.throughput_mb_per_s * result.duration_s * 1e6 == pytest.approx(32 * 512)


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({"array": {"layout": {"kind": "raid10", "disks_count": 5}}}, "/array/layout/disks_count"),
        ({"array": {"layout": {"kind": "raid0", "failed_disk_count": 1}}}, None),
        (
            {"array": {"scheduler": "sstf", "drive": drives.MTRON_3035.model_dump()}},
            "/array/scheduler",
        ),
        ({"array": {"copies": {"region_bytes": 4096}}}, "/array/copies"),
        (
            {
                "workload": {
                    "kind": "synthetic",
                    "addresses": {
                        "kind": "regions",
                        "regions": [{"start_fraction": 0, "end_fraction": 1, "weight_ratio": 0}],
                    },
                }
            },
            None,
        ),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str | None) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.evaluate(SPEC, document)
    assert pointer in {None, refused.value.faults[0].pointer}
