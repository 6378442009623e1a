"""Percentiles of a coded cluster's responses: by drawing from the law, by plain simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.storage.cluster.array_params import ClusterArrayParams
from capmodels.storage.cluster.beside import kinds_of, link_kinds_of
from capmodels.storage.cluster.links import Asked, links_of
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
CODES = {
    "copies": (1, 2, 0),
    "4+2": (4, 2, 0),
    "8+3": (8, 3, 0),
    "local": (12, 2, 2),
    "16+4": (16, 4, 0),
}
LAW_CODES = ("copies", "4+2", "8+3", "local")
Floats = Any


def _given(
    code: str,
    load: float,
    *,
    channels: int = 0,
    nodes: tuple[int, int] = (20, 4),
    gbit_per_s: float = 25.0,
    reads: float = 0.7,
) -> dict[str, Any]:
    """A cluster of which requests ask so much of the drives' time, or of the links'."""
    data, parity, groups = CODES[code]
    given: dict[str, Any] = {
        "code": {"data_count": data, "parity_count": parity, "local_groups_count": groups},
        "machines": {"nodes_count": nodes[0], "drives_per_node_count": nodes[1], "racks_count": 1,
                     "network_gbit_per_s": gbit_per_s},
        "placement_groups_count": 4096,
        "work": {"size_bytes": 1_048_576, "read_fraction": reads, "requests_per_s": 1.0},
    }  # fmt: skip
    if channels:
        given["drive"] = {**FLASH, "channels_count": channels}
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


class _Drawn:
    """Responses of requests by the law that is said, drawn one by one."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.rng, self.p = np.random.default_rng(5), ClusterCodeParams.model_validate(given)
        p, work = self.p, self.p.work
        self.data, self.shards = p.code.data_count, sum(p.code.model_dump().values())
        reads = work.requests_per_s * work.read_fraction / 1e3
        self.rates = reads, work.requests_per_s / 1e3 - reads
        self.drives = p.machines.nodes_count * p.machines.drives_per_node_count
        self.asks = [
            rate * count / self.drives
            for rate, count in zip(self.rates, (self.data, self.shards), strict=True)
        ]
        self.whole = work.size_bytes / (p.machines.network_gbit_per_s * 125_000)
        self.one = self.whole / self.data
        self.coding = work.size_bytes / p.machines.code_gb_per_s / 1e6 if self.data > 1 else 0.0
        self.services = [self._service(write=write) for write in (False, True)]
        self.waits = self._drive_waits()
        self.out, self.into = self._links()

    def _service(self, *, write: bool) -> Floats:
        drive: Any = self.p.drive
        shard = self.p.work.size_bytes / self.data
        if drive.kind == "hdd":
            return _disk(self.rng, drive, shard, 100_000)
        latency = drive.write_latency_ms if write else drive.read_latency_ms
        rate = drive.write_mb_per_s if write else drive.read_mb_per_s
        return np.full(100_000, latency + shard / rate / 1e3)

    def _drive_waits(self) -> Floats:
        """Waits for drives, which are filled as a hash does."""
        drive: Any = self.p.drive
        channels = drive.channels_count if drive.kind == "ssd" else 1
        took = np.where(
            self.rng.random(100_000) < self.asks[1] / sum(self.asks), *self.services[::-1]
        )
        load = sum(self.asks) * took.mean() / channels
        waited = _queue(self.rng, took / channels, load, 400_000)
        self.given_ms = waited[waited > 0].mean()
        reads, writes = (1e3 * rate for rate in self.rates)
        kinds = kinds_of(self.p, Asked(reads, writes, self.p.work.size_bytes))
        of = self.rng.choice(len(kinds), 400_000, p=[one for one, _ in kinds])
        found = np.zeros(400_000)
        for nth, (_, more) in enumerate(kinds):
            drawn = _servers(self.rng, took, load * more, channels)
            found[of == nth] = self.rng.choice(drawn, int((of == nth).sum()))
        return found

    def _links(self) -> list[Floats]:
        """Waits for a node's link, out and in, of nodes that serve more groups and fewer."""
        data, shards, whole, one = self.data, self.shards, self.whole, self.one
        reads, writes = (rate / self.p.machines.nodes_count for rate in self.rates)
        found = []
        asked = Asked(1e3 * self.rates[0], 1e3 * self.rates[1], self.p.work.size_bytes)
        ways = (
            ((reads, whole), (reads * (data - 1), one), (writes, (shards - 1) * one)),
            ((writes, whole), (reads, (data - 1) * one), (writes * (shards - 1), one)),
        )
        for jobs, kinds in zip(ways, link_kinds_of(links_of(self.p, asked)), strict=True):
            rates, times = np.array(jobs).T
            passed = self.rng.choice(times, 100_000, p=rates / rates.sum())
            load = float(rates @ times)
            found.append(
                np.concatenate(
                    [
                        _queue(self.rng, passed, load * more, int(share * 1_600_000))
                        for share, more in kinds
                    ]
                )
            )
        return found

    def _alike(self, waits: Floats) -> Floats:
        """Chance that a second drive is late by the same requests, where one lets wait so long."""
        too = [
            rate * (count - 1) / (self.drives - self.p.machines.drives_per_node_count)
            for rate, count in zip(self.asks, (self.data, self.shards), strict=True)
        ]
        late = work = both = square = 0.0
        for rate, shared, took in zip(self.asks, too, self.services, strict=True):
            late += shared * np.minimum(took, self.rng.permutation(took)).mean()
            work += rate * took.mean()
            both += shared * took.mean() ** 2
            square += rate * (took**2).mean()
        r, far = both / square, np.maximum(waits, 0) / self.given_ms
        normal = np.vectorize(math.erfc)(r * np.sqrt((1 - r) / (1 + r) * far))
        return late / work * np.exp(-((1 - r) ** 2) * far) * normal

    def _apart(self, rest: Floats, count: int, shape: tuple[int, ...]) -> Floats:
        """When shards are there that had nothing to do with each other, and are late as these."""
        rng, places = self.rng, np.linspace(0, (self.waits.max() + rest.max()), 4000)
        alike = self._alike(places)
        longer = np.sort(self.waits)
        total = np.sort(self.waits + rng.choice(rest, self.waits.size))
        chance = np.searchsorted(total, places, side="right") / total.size
        joint = np.zeros_like(places)
        for lesser in np.minimum(rng.choice(rest, 200), rng.choice(rest, 200)):
            left = places - lesser
            more = 1 - np.searchsorted(longer, left, side="right") / longer.size
            joint += np.where(left >= 0, more * np.interp(left, places, alike), 0.0) / 200
        p = np.clip(joint / np.maximum(1 - chance, 1e-9), 1e-9, 1 - 1e-9)
        return np.interp(rng.random(shape), chance ** ((1 - (1 - p) ** count) / p / count), places)

    def last(self, *, write: bool, requests: int = 60_000) -> Floats:
        """When the last shard is there."""
        count, own = self.shards if write else self.data, self.services[write]
        link = self.into if write else self.out
        first = self._apart(own, count, (requests,))
        if count == 1:
            return first
        rest = self.rng.choice(own, 100_000) + self.rng.choice(link, 100_000)
        others = self._apart(rest, count, (requests, count - 1))
        if write:
            return np.maximum(first, (others + np.arange(1, count) * self.one).max(axis=1))
        free = np.zeros(requests)
        for nth in np.sort(others, axis=1).T:
            free = np.maximum(free, nth) + self.one
        return np.maximum(free, first)

    def delays(self, *, write: bool) -> list[tuple[Floats, float]]:
        """By another request of the same node, and less those as by links apart; how many."""
        ways = [
            ((self.data - 1) * self.one, 0.0, self.whole),
            (self.whole, self.coding, (self.shards - 1) * self.one),
        ]
        found = []
        for rate, other in list(zip(self.rates, ways, strict=True))[: 1 + write]:
            each = rate / self.p.machines.nodes_count
            into, coding, out = other
            found += [(self.rng.random(4000) * ms, -each * ms) for ms in (into, out)]
            if write:
                reach = into + coding + out + sum(ways[1])
                came = self.rng.uniform(-reach, reach, 8000)
                met = np.array([_met(ways[1], other, at) for at in came])
                found.append((met, 2 * reach * each))
            else:
                late = self.rng.random(4000) * into
                found += [(late + self.rng.integers(0, 2, 4000) * out, each * into),
                          (self.rng.random(4000) * (out - into), each * (out - into))]  # fmt: skip
        return found

    def told(self, *, write: bool) -> tuple[float, Floats]:
        """Mean, and p50, p95, p99 and p99.9."""
        p, last = self.p, self.last(write=write)
        alone = (self.shards if write else self.data) == 1
        last += self.rng.choice(self.out, last.size)
        last += 0.0 if alone else self.rng.choice(self.into, last.size)
        edges = np.linspace(0, 1.3 * last.max() + 3 * self.whole, 5001)
        chances = np.histogram(last, edges)[0] / last.size
        for delays, count in () if alone else self.delays(write=write):
            chances = _delayed(chances, delays[delays > 0], count / delays.size, edges)
        at = (edges[1:] + edges[:-1]) / 2 + self.whole
        at += 0.0 if alone else p.machines.hop_ms
        at += self.coding * write
        whole = np.cumsum(chances)
        return float(chances @ at), np.interp([share / 100 for share in SHARES], whole, at)


def _servers(rng: np.random.Generator, took: Floats, load: float, count: int) -> Floats:
    """Waits of so many that come to several servers at random, as of Tijms and others."""
    waits = _queue(rng, took / count, load, 400_000)
    if count == 1:
        return waits
    asked = load * count
    full = asked**count / math.factorial(count) / (1 - load)
    chance = full / (full + sum(asked**n / math.factorial(n) for n in range(count)))
    sized = rng.choice(took, (400_000, count), p=took / took.sum())
    first = (sized * rng.random((400_000, count))).min(axis=1)
    return np.where(rng.random(400_000) < chance, first + waits, 0.0)


def _met(mine: tuple[float, ...], other: tuple[float, ...], came: float) -> float:
    """How long a request waits at two links that another one passes, one after the other."""
    free = 0.0
    there: list[tuple[float, int, float]] = []
    for at, which, way in sorted([(0.0, 0, mine), (came, 1, other)]):
        free = max(free if there else at, at) + way[0]
        there.append((free + way[1], which, way[2]))
    begins, free = {}, -math.inf
    for at, which, took in sorted(there):
        begins[which] = max(free, at)
        free = begins[which] + took
    return begins[0] - mine[0] - mine[1]


def _delayed(chances: Floats, delays: Floats, weight: float, edges: Floats) -> Floats:
    """Responses with as many delays as a Poisson variable says; they may be taken away."""
    width = edges[1]
    at = delays / width
    below = at.astype(int)
    part = np.bincount(below, (1 - at + below) * weight, edges.size - 1)
    part += np.bincount(below + 1, (at - below) * weight, edges.size - 1)
    term = chances * math.exp(-weight * delays.size)
    found = term.copy()
    used = int(below.max(initial=0)) + 2
    for nth in range(1, 30):
        term = np.convolve(term, part[:used])[: chances.size] / nth
        found += term
    return found


@pytest.mark.many(5)
@pytest.mark.parametrize(
    ("channels", "load"),
    [
        (0, 0.1),
        (1, 0.7),
        *(pytest.param(*one, marks=pytest.mark.deep) for one in ((0, 0.7), (1, 0.1))),
        *(pytest.param(channels, 0.5, marks=pytest.mark.decisive) for channels in (0, 1, 4)),
        # Drawing takes seconds where drives have many channels.
        *(pytest.param(4, load, marks=pytest.mark.deep) for load in (0.1, 0.7)),
    ],
)
@pytest.mark.parametrize("code", LAW_CODES)
def test_percentiles_are_those_of_responses_drawn_from_the_law(
    code: str, load: float, channels: int
) -> None:
    given = _given(code, load, channels=channels, gbit_per_s=10.0)
    answer: Any = spec.evaluate(MODEL, given)
    law = _Drawn(given)
    for kind in ("read", "write"):
        mean, drawn = law.told(write=kind == "write")
        told = getattr(answer.load, kind)
        assert getattr(answer.load, f"{kind}_mean_ms") == pytest.approx(mean, rel=0.02)
        for name, seen in zip(NAMES[:3], drawn, strict=False):
            assert getattr(told, name) == pytest.approx(seen, rel=0.03), (kind, name)
        assert told.p999_ms == pytest.approx(drawn[3], rel=0.08)


# Of the network or of drives, of which a request asks few or nearly all; drives of many channels.
OF_FLASH: dict[str, tuple[str, float, dict[str, Any]]] = {
    "channels": ("copies", 0.6, {"channels": 8, "gbit_per_s": 100.0}),
    "few-waits": ("copies", 0.3, {"channels": 4, "gbit_per_s": 100.0, "reads": 0.2}),
    "some-of-the-drives": ("4+2", 0.5, {"channels": 1, "gbit_per_s": 100.0}),
    "most-of-the-drives": ("16+4", 0.6, {"channels": 1, "gbit_per_s": 100.0, "nodes": (21, 1)}),
    "half-of-the-drives": ("local", 0.6, {"channels": 2, "gbit_per_s": 100.0, "nodes": (17, 2)}),
    "network": ("8+3", 0.6, {"channels": 8, "gbit_per_s": 10.0, "reads": 0.5}),
    "network-of-writes": ("local", 0.4, {"channels": 4, "gbit_per_s": 10.0, "reads": 0.2}),
    "network-of-reads": ("16+4", 0.2, {"channels": 4, "gbit_per_s": 10.0, "nodes": (30, 6),
                                       "reads": 0.9}),
}  # fmt: skip


@pytest.mark.many(3)
@pytest.mark.parametrize("case", OF_FLASH)
def test_percentiles_of_solid_state_drives_are_those_of_the_simulation(case: str) -> None:
    code, load, rest = OF_FLASH[case]
    given = _given(code, load, **rest)
    answer: Any = spec.evaluate(MODEL, given)
    work = {**given["work"], "requests_count": 300_000}
    ran: Any = spec.evaluate(SIMULATED, {**given, "work": work, "lost": "drive"})
    for kind in ("read", "write"):
        told, seen = getattr(answer.load, kind), getattr(ran.phases[0], kind)
        assert getattr(answer.load, f"{kind}_mean_ms") == pytest.approx(seen.mean_ms, rel=0.07)
        for name in NAMES:
            within = 0.15 if name == "p999_ms" else 0.1
            assert getattr(told, name) == pytest.approx(getattr(seen, name), rel=within), name


@pytest.mark.many(4)
@pytest.mark.parametrize(("load", "near"), [(0.1, 0.05), (0.5, 0.05), (0.7, 0.1)])
@pytest.mark.parametrize("code", LAW_CODES)
def test_percentiles_of_disks_are_those_of_the_simulation(
    code: str, load: float, near: float
) -> None:
    given = _given(code, load)
    answer: Any = spec.evaluate(MODEL, given)
    work = {**given["work"], "requests_count": 200_000}
    ran: Any = spec.evaluate(SIMULATED, {**given, "work": work, "lost": "drive"})
    for kind in ("read", "write"):
        told, seen = getattr(answer.load, kind), getattr(ran.phases[0], kind)
        assert getattr(answer.load, f"{kind}_mean_ms") == pytest.approx(seen.mean_ms, rel=0.05)
        for name in NAMES:
            within = 0.2 if name == "p999_ms" else near
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


def test_writes_to_all_drives_at_once_wait_as_for_one_of_them() -> None:
    given = _given("8+3", 0.6, channels=1, nodes=(11, 1), gbit_per_s=100_000.0, reads=0.0)
    given["placement_groups_count"] = 10_000_000
    answer: Any = spec.evaluate(MODEL, given)
    took = 0.05 + 131_072 / 250e3
    waits = _queue(np.random.default_rng(5), np.array([took]), 0.6, 4_000_000)
    steady = took + 0.1 + 1_048_576 / 4e6  # way and coding
    for name, share in zip(NAMES, SHARES, strict=True):
        expected = steady + np.percentile(waits, share)
        assert getattr(answer.load.write, name) == pytest.approx(expected, rel=0.02), name


def test_a_degraded_read_is_decoded_and_copies_are_not() -> None:
    for code, more in (("8+3", 1_048_576 / 4e6), ("copies", 0.0)):
        answer: Any = spec.evaluate(MODEL, _given(code, 0.3))
        load = answer.load
        for name in NAMES:
            found = getattr(load.degraded_read, name) - getattr(load.read, name)
            assert found == pytest.approx(more, abs=1e-9)


def test_percentiles_are_unknown_where_the_mean_is() -> None:
    given = _given("8+3", 0.95)
    answer: Any = spec.evaluate(MODEL, given)
    load = answer.load
    assert load.drive_load_fraction < 1
    assert (load.read_mean_ms, load.read, load.degraded_read, load.write) == (None,) * 4


def test_without_requests_a_read_is_that_of_idle_drives() -> None:
    given = {**_given("copies", 0.1, channels=1), "work": {"requests_per_s": 0.0}}
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
