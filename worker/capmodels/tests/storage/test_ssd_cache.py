"""The cache advisor against brute force, textbook queues and the reference's rows."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.formats.trace_store import held, using
from capmodels.formats.trace_types import BlockRequests
from capmodels.storage.drive.drives import SleepState
from capmodels.storage.reuse.distances import reuse_of
from capmodels.storage.reuse.sleep import gap_energy_j
from capmodels.tests.asking import faults

MODEL = registry.get_model("storage.ssd_cache")
TRACE_ID = "00000000-0000-0000-0000-000000000001"


def accesses(blocks: Any, *, reads: Any = None, gap_s: float = 1.0) -> BlockRequests:
    """Requests of one 4 KiB block each."""
    numbers = np.asarray(blocks, dtype=np.int64)
    return BlockRequests(
        time_s=np.arange(numbers.size, dtype=np.float64) * gap_s,
        device=np.zeros(numbers.size, dtype=np.int32),
        block_lba=numbers * 8,
        size_blocks=np.full(numbers.size, 8, dtype=np.int32),
        is_read=np.ones(numbers.size, dtype=np.bool_) if reads is None else np.asarray(reads),
    )


def brute_force_hits(blocks: list[int], reads: list[bool], places: int) -> int:
    held_blocks: OrderedDict[int, None] = OrderedDict()
    hits = 0
    for block, read in zip(blocks, reads, strict=True):
        if block in held_blocks:
            hits += read
            held_blocks.move_to_end(block)
            continue
        held_blocks[block] = None
        if len(held_blocks) > places:
            held_blocks.popitem(last=False)
    return hits


def zipf(rng: np.random.Generator, blocks: int, exponent: float, count: int) -> Any:
    share = np.arange(1, blocks + 1) ** -exponent
    return rng.choice(blocks, size=count, p=share / share.sum())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_stack_distances_hit_as_a_cache_that_is_kept_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    blocks = zipf(rng, 60, 0.7, 500)
    reads = rng.random(500) < 0.6
    reuse = reuse_of(accesses(blocks, reads=reads), block_bytes=4096, accesses_max_count=1000)
    for places in (1, 2, 3, 7, 20, 59, 60, 100):
        ours = reuse.read_hit_fraction(places * reuse.block_gb) * reuse.reads_count
        assert ours == pytest.approx(brute_force_hits(list(blocks), list(reads), places))


def test_a_request_touches_every_block_that_it_covers() -> None:
    # Sectors 6 to 17 lie in blocks 0, 1 and 2; on another device they are others.
    trace = BlockRequests(
        time_s=np.array([0.0, 1.0, 2.0]),
        device=np.array([0, 1, 0], dtype=np.int32),
        block_lba=np.array([6, 6, 17]),
        size_blocks=np.array([12, 12, 1], dtype=np.int32),
        is_read=np.ones(3, dtype=np.bool_),
    )
    reuse = reuse_of(trace, block_bytes=4096, accesses_max_count=1000)
    assert reuse.distances.tolist() == [-1] * 6 + [3]


@pytest.mark.decisive
def test_hits_of_independent_requests_follow_che() -> None:
    # Che, Tung and Wang 2002: block i hits with 1 - exp(-p_i T), where these sum to the cache.
    rng, places, blocks = np.random.default_rng(3), 200, 1000
    share = np.arange(1, blocks + 1) ** -0.8
    share /= share.sum()
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (-np.expm1(-share * middle)).sum() < places else (low, middle)
    expected = float((share * -np.expm1(-share * low)).sum())
    draws = zipf(rng, blocks, 0.8, 60_000)
    reuse = reuse_of(accesses(draws), block_bytes=4096, accesses_max_count=10**6)
    assert reuse.read_hit_fraction(places * reuse.block_gb) == pytest.approx(expected, abs=0.01)


def test_a_sample_of_the_blocks_is_nearly_the_whole() -> None:
    draws = zipf(np.random.default_rng(4), 20_000, 0.6, 120_000)
    whole = reuse_of(accesses(draws), block_bytes=4096, accesses_max_count=10**6)
    part = reuse_of(accesses(draws), block_bytes=4096, accesses_max_count=30_000)
    assert whole.sampled_fraction == 1
    assert part.sampled_fraction == pytest.approx(0.25)
    assert part.footprint_gb == pytest.approx(whole.footprint_gb, rel=0.03)
    for places in (500, 2000, 8000):
        size = places * whole.block_gb
        assert part.read_hit_fraction(size) == pytest.approx(
            whole.read_hit_fraction(size), abs=0.03
        )


def test_footprints_of_days_are_those_of_sets() -> None:
    rng = np.random.default_rng(5)
    blocks, reads = rng.integers(0, 300, 900), rng.random(900) < 0.5
    trace = accesses(blocks, reads=reads, gap_s=300.0)  # 3.1 days
    reuse = reuse_of(trace, block_bytes=4096, accesses_max_count=10_000)
    day = (trace.time_s // 86_400).astype(int)
    sets = [set(blocks[day == d].tolist()) for d in range(4)]
    wrote = [set(blocks[(day == d) & ~reads].tolist()) for d in range(4)]
    gb = reuse.block_gb
    assert [d.footprint_gb for d in reuse.days] == pytest.approx([len(s) * gb for s in sets])
    assert [d.written_footprint_gb for d in reuse.days] == pytest.approx(
        [len(s) * gb for s in wrote]
    )
    assert reuse.days[0].new_gb is None
    fresh = [len(sets[d] - sets[d - 1]) * gb for d in (1, 2, 3)]
    assert [d.new_gb for d in reuse.days[1:]] == pytest.approx(fresh)
    assert sum(d.read_gb + d.written_gb for d in reuse.days) == pytest.approx(900 * gb)


def typed(hit: float, **changes: Any) -> dict[str, Any]:
    demand = {
        "read_fraction": 1.0,
        "reuse": [{"cache_gb": 30.0, "read_hit_fraction": hit}],
        **changes,
    }
    return {"demand": {"kind": "typed", **demand}}


@pytest.mark.parametrize(
    ("rate", "hit", "energy_j", "response"),
    [
        (100.0, 0.3, 352.4, 10.8),
        (100.0, 0.5, 344.6, 7.4),
        (100.0, 0.9, 329.3, 1.6),
        (200.0, 0.3, 192.3, None),
        (200.0, 0.5, 183.3, None),
        (200.0, 0.9, 167.1, None),
    ],
)
def test_rows_of_the_reference(
    rate: float, hit: float, energy_j: float, response: float | None
) -> None:
    # Four disks of 7.96/11.16 W, 16 KiB reads: joules of 1000 requests, and mean response.
    row = spec.evaluate(MODEL, typed(hit, requests_per_s=rate)).advised
    assert (row.disks_w + row.cache_w) * 1000 / rate == pytest.approx(energy_j, rel=0.01)
    if response is not None:
        assert row.read_response_ms == pytest.approx(response, rel=0.04)


def test_without_the_cache_it_is_the_array_alone() -> None:
    low = spec.evaluate(MODEL, typed(0.0, requests_per_s=100.0))
    assert low.uncached_w == pytest.approx(36.05, rel=0.01)
    assert low.uncached_response_ms == pytest.approx(16.7, rel=0.02)
    mixed = spec.evaluate(MODEL, typed(0.3, read_fraction=0.3))
    assert mixed.uncached_w == pytest.approx(42.69, rel=0.01)
    assert mixed.advised.saved_fraction == pytest.approx(0.149, abs=0.01)


def test_never_more_is_saved_than_all_activity() -> None:
    # 1 - (4 x 7.96 + 0.5) / (4 x 11.16) without spin-down.
    row = spec.evaluate(MODEL, typed(1.0, requests_per_s=303.0)).advised
    assert 0.2 < row.saved_fraction < 1 - (4 * 7.96 + 0.5) / (4 * 11.16)


def test_wear_and_cost_by_hand() -> None:
    device = {
        "kind": "ssd", "capacity_gb": 960.0, "read_latency_ms": 0.1, "write_latency_ms": 0.03,
        "read_mb_per_s": 3000.0, "write_mb_per_s": 1000.0, "active_w": 8.0, "idle_w": 2.0,
        "price_usd": 200.0, "endurance_tb": 600.0, "write_amplification_ratio": 2.0,
    }  # fmt: skip
    document = typed(0.75, read_fraction=0.5, requests_per_s=200.0) | {"device": device}
    found = spec.evaluate(MODEL, document)
    moved = 200.0 * 16_384 * 86_400 / 1e9  # GB a day
    written = moved * 0.5 * (1 + 0.25)
    row = found.advised
    assert row.devices_count == 1
    assert row.written_tb_per_year == pytest.approx(written * 0.365)
    assert row.drive_writes_per_day == pytest.approx(written / 960)
    assert row.wear_years == pytest.approx(600 / (2 * written * 0.365))
    assert row.purchase_usd == 200.0 * -(-5.0 // row.wear_years)
    assert "wears_out_in_service" in found.warnings


def test_more_devices_when_one_does_not_hold_the_day() -> None:
    row = spec.evaluate(MODEL, {"demand": {"kind": "typed", "footprint_gb": 70.0}}).advised
    assert row.devices_count == 3
    assert row.holds_a_day


def test_written_back_spares_the_disks_all_but_the_daily_footprint() -> None:
    modes = ("write_through", "hp08_mirror", "write_back")
    rows = [spec.evaluate(MODEL, {"mode": mode}).advised.disks_w for mode in modes]
    assert rows == sorted(rows, reverse=True)
    none_written = {"demand": {"kind": "typed", "written_footprint_gb": 0.0, "new_gb": 0.0}}
    idle = spec.evaluate(MODEL, {"mode": "write_back", **none_written}).advised
    assert idle.disks_w == pytest.approx(4 * 7.96)
    assert idle.read_response_ms == pytest.approx(0.1 + 0.16384)


def test_gaps_cost_what_the_states_cost() -> None:
    state = SleepState(power_w=1.0, down_j=10.0, down_s=2.0, up_j=50.0, up_s=5.0)
    gaps = np.array([3.0, 10.0, 11.0, 100.0])
    ours = gap_energy_j(gaps, idle_w=8.0, state=state, after_s=10.0)
    assert ours.tolist() == [24.0, 140.0, 140.0, 80.0 + 10.0 + 88.0 + 50.0]


def test_an_uploaded_trace_with_a_hot_set_lets_the_disks_sleep() -> None:
    # The same fifty blocks all day, one a minute: after the first round nothing misses.
    trace = accesses(np.arange(1440) % 50, gap_s=60.0)
    loader, refs = held({TRACE_ID: trace})
    document = {"demand": {"kind": "trace", "trace": refs[TRACE_ID].model_dump()}}
    with using(loader):
        found = spec.evaluate(MODEL, document)
    assert found.days[0].footprint_gb == pytest.approx(50 * 4096 / 1e9)
    assert found.advised.read_hit_fraction == pytest.approx(1 - 50 / 1440)
    assert found.asleep_cached_w < 0.3 * found.asleep_uncached_w
    hits = [row.read_hit_fraction for row in found.sizes]
    assert hits == sorted(hits)


def test_a_trace_is_only_read_by_a_run() -> None:
    trace = {"trace_id": TRACE_ID, "sha256": "0" * 64}
    with pytest.raises(ParamsError, match="Submit a run"):
        spec.evaluate(MODEL, {"demand": {"kind": "trace", "trace": trace}})


def test_refuses_a_curve_that_falls_and_columns_of_other_lengths() -> None:
    points = [
        {"cache_gb": 2.0, "read_hit_fraction": 0.5},
        {"cache_gb": 1.0, "read_hit_fraction": 1.0},
    ]
    assert faults("storage.ssd_cache", {"demand": {"kind": "typed", "reuse": points}}) == {
        "/demand/reuse": "not_in_order"
    }
    columns = {"times_s": [0.0, 1.0], "sectors": [0], "sectors_count": [8, 8], "writes": [True] * 2}
    assert faults("storage.ssd_cache", {"demand": {"kind": "requests", **columns}}) == {
        "/demand/writes": "lengths_differ"
    }
