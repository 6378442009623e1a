"""Percentiles of a coded cluster's responses: by drawing from the law, by plain simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.storage.cluster.array_params import ClusterArrayParams
from capmodels.storage.cluster.beside import Asked, kinds_of
from capmodels.storage.cluster.machine import Layout
from capmodels.storage.cluster.params import ClusterCodeParams
from capmodels.tests.storage.coded_oracle import plain_run

MODEL = registry.get_model("storage.cluster_code")
SIMULATED = registry.get_model("storage.cluster_array")
NAMES = ("p50_ms", "p95_ms", "p99_ms", "p999_ms")
SHARES = (50, 95, 99, 99.9)
FLASH = {
    "kind": "ssd", "capacity_gb": 15_360.0, "read_latency_ms": 0.2, "write_latency_ms": 0.05,
    "read_mb_per_s": 400.0, "write_mb_per_s": 250.0, "channels_count": 1, "active_w": 20.0,
    "idle_w": 5.0, "price_usd": 1500.0,
}  # fmt: skip
CODES = {"copies": (1, 2, 0), "4+2": (4, 2, 0), "8+3": (8, 3, 0), "local": (12, 2, 2)}
Floats = Any


def _given(code: str, load: float, *, flash: bool, gbit_per_s: float = 25.0) -> dict[str, Any]:
    """A cluster of which requests ask so much of the drives' time, or of the links'."""
    data, parity, groups = CODES[code]
    given: dict[str, Any] = {
        "code": {"data_count": data, "parity_count": parity, "local_groups_count": groups},
        "machines": {"nodes_count": 20, "drives_per_node_count": 4, "racks_count": 1,
                     "network_gbit_per_s": gbit_per_s},
        "placement_groups_count": 4096,
        "work": {"size_bytes": 1_048_576, "read_fraction": 0.7, "requests_per_s": 1.0},
    }  # fmt: skip
    if flash:
        given["drive"] = FLASH
    found: Any = spec.evaluate(MODEL, given)
    asked = max(found.load.drive_load_fraction, found.load.network_load_fraction)
    given["work"]["requests_per_s"] = load / asked
    return given


def _queue(rng: np.random.Generator, service: Floats, load: float, count: int) -> Floats:
    """Waits of so many that come to one queue at random, one after the other (Lindley)."""
    times = rng.choice(service, count)
    gaps = rng.exponential(service.mean() / load, count) if load else np.full(count, np.inf)
    steps = np.concatenate([[0.0], (times - gaps)[:-1]])
    if not load:
        return np.zeros(count)
    walk = np.cumsum(steps)
    return walk - np.minimum.accumulate(walk)


def _disk(rng: np.random.Generator, drive: Any, size: float, count: int) -> Floats:
    """Services of a disk: from place to place, turning, passing."""
    seek, places = drive.seek, rng.random((2, count))
    far = np.abs(places[0] - places[1])
    a = (15 * seek.avg_ms - 10 * seek.min_ms - 5 * seek.max_ms) / 3
    b = (7 * seek.min_ms - 15 * seek.avg_ms + 8 * seek.max_ms) / 3
    paces = [1 / (rate * 1e3) for rate in (drive.outer_mb_per_s, drive.inner_mb_per_s)]
    passing = size * (paces[0] + (paces[1] - paces[0]) * places[1])
    turning = rng.random(count) * 60_000 / drive.speed_rpm
    return drive.overhead_ms + seek.min_ms + a * np.sqrt(far) + b * far + turning + passing


def _served(rng: np.random.Generator, p: Any, *, write: bool, shape: tuple[int, int]) -> Floats:
    """When shards are read or written at their drives, which are filled as a hash does."""
    data, shards = p.code.data_count, sum(p.code.model_dump().values())
    drive, machines, work = p.drive, p.machines, p.work
    shard, reads = work.size_bytes / data, work.requests_per_s * work.read_fraction
    writes = work.requests_per_s - reads
    share = writes * shards / (writes * shards + reads * data)
    if drive.kind == "ssd":
        took = (drive.read_latency_ms + shard / drive.read_mb_per_s / 1e3,
                drive.write_latency_ms + shard / drive.write_mb_per_s / 1e3)  # fmt: skip
        service = np.where(rng.random(100_000) < share, took[1], took[0])
        own = np.array([took[write]])
    else:
        service = own = _disk(rng, drive, shard, 100_000)
    load = (reads * data + writes * shards) / (
        machines.nodes_count * machines.drives_per_node_count
    )
    kinds = kinds_of(p, Asked(reads, writes, work.size_bytes))
    of = rng.choice(len(kinds), shape, p=[one for one, _ in kinds])
    at = rng.choice(own, shape)
    for nth, (_, more) in enumerate(kinds):
        waits = _queue(rng, service, load * more * service.mean() / 1e3, 400_000)
        at[of == nth] += rng.choice(waits, int((of == nth).sum()))
    return at


def _links(rng: np.random.Generator, p: Any) -> list[Floats]:
    """Waits for a node's link, out and in."""
    data, shards = p.code.data_count, sum(p.code.model_dump().values())
    whole, each = _whole_ms(p), p.work.requests_per_s / p.machines.nodes_count / 1e3
    reads, writes, one = (
        each * p.work.read_fraction, each * (1 - p.work.read_fraction), whole / data,
    )  # fmt: skip
    found = []
    for jobs in (
        ((reads, whole), (reads * (data - 1), one), (writes, (shards - 1) * one)),
        ((writes, whole), (reads, (data - 1) * one), (writes * (shards - 1), one)),
    ):
        rates, times = np.array(jobs).T
        passed = rng.choice(times, 100_000, p=rates / rates.sum())
        found.append(_queue(rng, passed, float(rates @ times), 400_000))
    return found


def _whole_ms(p: Any) -> float:
    return float(p.work.size_bytes / (p.machines.network_gbit_per_s * 125_000))


def _drawn(given: dict[str, Any], *, write: bool, count: int = 60_000) -> Floats:
    """Responses of requests by the law that is said, drawn one by one."""
    rng, p = np.random.default_rng(5), ClusterCodeParams.model_validate(given)
    data, shards = p.code.data_count, sum(p.code.model_dump().values())
    parts = shards if write else data
    at, (out, into) = _served(rng, p, write=write, shape=(count, parts)), _links(rng, p)
    at[:, 1:] += rng.choice(into if write else out, (count, parts - 1))
    one = _whole_ms(p) / data
    if write:
        last = (at + np.arange(parts) * one).max(axis=1)
    else:
        free = np.zeros(count)
        for nth in np.sort(at[:, 1:], axis=1).T:
            free = np.maximum(free, nth) + one
        last = np.maximum(free, at[:, 0])
    last += rng.choice(out, count) + _whole_ms(p)
    if write or data > 1:
        last += rng.choice(into, count) + p.machines.hop_ms
    if write and data > 1:
        last += p.work.size_bytes / p.machines.code_gb_per_s / 1e6
    return last


@pytest.mark.decisive
@pytest.mark.parametrize("flash", [False, True], ids=["disk", "flash"])
@pytest.mark.parametrize("load", [0.1, 0.5, 0.7])
@pytest.mark.parametrize("code", CODES)
def test_percentiles_are_those_of_responses_drawn_from_the_law(
    code: str, load: float, flash: bool
) -> None:
    given = _given(code, load, flash=flash, gbit_per_s=10.0)
    answer: Any = spec.evaluate(MODEL, given)
    for kind in ("read", "write"):
        drawn = _drawn(given, write=kind == "write")
        told = getattr(answer.load, kind)
        assert getattr(answer.load, f"{kind}_mean_ms") == pytest.approx(drawn.mean(), rel=0.02)
        for name, share in zip(NAMES[:3], SHARES, strict=False):
            near = pytest.approx(np.percentile(drawn, share), rel=0.03)
            assert getattr(told, name) == near, (kind, name)
        assert told.p999_ms == pytest.approx(np.percentile(drawn, 99.9), rel=0.08)


@pytest.mark.parametrize(("load", "near"), [(0.1, 0.15), (0.5, 0.15), (0.7, 0.25)])
@pytest.mark.parametrize("code", CODES)
def test_percentiles_of_disks_are_those_of_the_simulation(
    code: str, load: float, near: float
) -> None:
    given = _given(code, load, flash=False)
    answer: Any = spec.evaluate(MODEL, given)
    work = {**given["work"], "requests_count": 200_000}
    ran: Any = spec.evaluate(SIMULATED, {**given, "work": work, "lost": "drive"})
    for kind in ("read", "write"):
        told, seen = getattr(answer.load, kind), getattr(ran.phases[0], kind)
        assert getattr(answer.load, f"{kind}_mean_ms") == pytest.approx(seen.mean_ms, rel=0.1)
        for name in NAMES:
            within = 0.25 if name == "p999_ms" else near
            assert getattr(told, name) == pytest.approx(getattr(seen, name), rel=within), name


@pytest.mark.parametrize(("data", "parity"), [(6, 3), (1, 1)])
def test_a_slow_network_holds_them_up_as_queues_that_keep_their_order(
    data: int, parity: int
) -> None:
    given: dict[str, Any] = {
        "code": {"data_count": data, "parity_count": parity},
        "machines": {"nodes_count": 10, "drives_per_node_count": 10, "racks_count": 1,
                     "network_gbit_per_s": 1.0},
        "work": {"size_bytes": 8_388_608, "read_fraction": 0.6, "requests_per_s": 25.0},
    }  # fmt: skip
    answer: Any = spec.evaluate(MODEL, given)
    params = ClusterArrayParams.model_validate(given)
    groups = Layout(params).groups
    plain = plain_run(params, lambda group: groups[group].tolist(), 0, 6000, set())
    for kind in ("read", "write"):
        seen = [ms for read, ms in plain.responses.values() if read == (kind == "read")]
        told = getattr(answer.load, kind)
        for name, share in zip(NAMES[:3], SHARES, strict=False):
            assert getattr(told, name) == pytest.approx(np.percentile(seen, share), rel=0.15), name


def test_a_degraded_read_is_decoded_and_copies_are_not() -> None:
    for code, more in (("8+3", 1_048_576 / 4e6), ("copies", 0.0)):
        answer: Any = spec.evaluate(MODEL, _given(code, 0.3, flash=False))
        load = answer.load
        for name in NAMES:
            found = getattr(load.degraded_read, name) - getattr(load.read, name)
            assert found == pytest.approx(more, abs=1e-9)


def test_percentiles_are_unknown_where_the_mean_is() -> None:
    given = _given("8+3", 0.95, flash=False)
    answer: Any = spec.evaluate(MODEL, given)
    load = answer.load
    assert load.drive_load_fraction < 1
    assert (load.read_mean_ms, load.read, load.degraded_read, load.write) == (None,) * 4


def test_without_requests_a_read_is_that_of_idle_drives() -> None:
    given = {**_given("copies", 0.1, flash=True), "work": {"requests_per_s": 0.0}}
    answer: Any = spec.evaluate(MODEL, given)
    load = answer.load
    alone = 0.2 + 4_194_304 / 400e3 + 4_194_304 / 3.125e6
    for name in NAMES:
        assert getattr(load.read, name) == pytest.approx(alone, rel=0.01)


def test_many_shards_pass_a_link_one_after_the_other() -> None:
    given: dict[str, Any] = {
        "code": {"data_count": 64, "parity_count": 8},
        "machines": {"nodes_count": 80, "drives_per_node_count": 2, "racks_count": 1,
                     "network_gbit_per_s": 1.0, "hop_ms": 0.0},
        "drive": FLASH, "work": {"requests_per_s": 0.0, "size_bytes": 8_388_608},
    }  # fmt: skip
    answer: Any = spec.evaluate(MODEL, given)
    load = answer.load
    whole, shard = 8_388_608 / 125e3, 131_072.0
    alone = 0.2 + shard / 400e3 + whole * (1 + 63 / 64)
    assert load.read.p99_ms == pytest.approx(alone, rel=0.01)
