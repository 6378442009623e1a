"""What nodes' networks pass, and which nodes are asked most: as simulated clusters have it."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels import registry, spec
from capmodels.plans.document.array_code import ArrayCode
from capmodels.storage.cluster.links import Asked, links_of

pytestmark = pytest.mark.slow

CODE = registry.get_model("storage.cluster_code")
ARRAY = registry.get_model("storage.cluster_array")
SIZE = 1 << 20
RATE = 40.0


def _given(data: int, parity: int, domain: str, read_fraction: float) -> dict[str, Any]:
    nodes = data + parity + 1 if domain == "node" else 3
    return {
        "code": {"data_count": data, "parity_count": parity},
        "machines": {"nodes_count": nodes, "drives_per_node_count": 6, "racks_count": 1},
        "failure_domain": domain,
        "placement_groups_count": 2048,
        "work": {"requests_per_s": RATE, "read_fraction": read_fraction, "size_bytes": SIZE},
    }


@pytest.mark.parametrize("read_fraction", [0.0, 0.3, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(
    ("data", "parity", "domain"), [(6, 3, "node"), (1, 2, "node"), (8, 3, "drive"), (4, 2, "drive")]
)
def test_nodes_send_and_take_in_what_the_simulated_ones_do(
    data: int, parity: int, domain: str, read_fraction: float
) -> None:
    given = _given(data, parity, domain, read_fraction)
    load = spec.evaluate(CODE, given).load
    given["work"]["requests_count"] = 20_000
    given["lost"] = "drive"
    params = spec.validate(ARRAY, given)
    before = spec.evaluate(ARRAY, given).phases[0]
    reads = RATE * read_fraction
    links = links_of(params, Asked(reads, RATE - reads, SIZE))
    nodes = given["machines"]["nodes_count"]
    gbit = params.machines.network_gbit_per_s
    each = before.network_mb_per_s / nodes / (gbit * 125)
    assert links.loads[0] == pytest.approx(each, rel=0.03)
    # Of the node and the direction that are busiest; which nodes lead most is left to chance.
    assert load.network_load_fraction == max(links.loads)
    assert max(links.loads) * 0.97 < before.busiest_link_fraction < max(links.loads) * 1.35


@pytest.mark.parametrize("domain", ["node", "drive"])
@pytest.mark.parametrize("read_fraction", [0.0, 0.25, 0.5, 1.0])
def test_loads_are_what_passes_at_once_and_what_plans_count(
    domain: str, read_fraction: float
) -> None:
    params = spec.validate(CODE, _given(8, 3, domain, read_fraction))
    machines = params.machines
    reads = RATE * read_fraction
    links = links_of(params, Asked(reads, RATE - reads, SIZE))
    jobs = [sum(rate * time for rate, time in one) for one in links.passed]
    assert links.loads == pytest.approx(jobs, rel=1e-12)
    code = ArrayCode(
        data_count=8, parity_count=3, nodes_count=machines.nodes_count, failure_domain=domain
    )
    drives = machines.nodes_count * machines.drives_per_node_count
    passed = code.passed_ratio(read_fraction, drives)
    rate = machines.network_gbit_per_s * 125e6 * machines.nodes_count / SIZE / passed
    assert max(links.loads) == pytest.approx(RATE / rate, rel=1e-12)


@pytest.mark.parametrize("read_fraction", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("data", "parity", "machines", "domain"),
    [
        (4, 2, {"nodes_count": 1, "drives_per_node_count": 12}, "drive"),
        (1, 1, {"nodes_count": 2, "drives_per_node_count": 8}, "drive"),
        (8, 3, {"nodes_count": 3, "drives_per_node_count": 12}, "drive"),
        # Both copies are on one of the two sites as often as not.
        (1, 1, {"nodes_count": 20, "drives_per_node_count": 2, "sites_count": 2}, "node"),
    ],
)
def test_what_stays_on_a_node_or_a_site_waits_for_no_way(
    data: int, parity: int, machines: dict[str, Any], domain: str, read_fraction: float
) -> None:
    given: dict[str, Any] = {
        "code": {"data_count": data, "parity_count": parity},
        "machines": {"racks_count": machines.get("sites_count", 1), "network_gbit_per_s": 1.0,
                     **machines},
        "failure_domain": domain,
        "placement_groups_count": 2048,
        "work": {"requests_per_s": 1.0, "read_fraction": read_fraction, "size_bytes": 4 << 20},
        "recovery": {"network_fraction": 0.1},
    }  # fmt: skip
    load = spec.evaluate(CODE, given).load
    busier = max(load.drive_load_fraction, load.network_load_fraction)
    given["work"]["requests_per_s"] = 0.3 / busier
    found = spec.evaluate(CODE, given)
    given["work"]["requests_count"] = 60_000
    ran = spec.evaluate(ARRAY, {**given, "lost": "drive"})
    for kind in ("read", "write"):
        simulated = getattr(ran.phases[0], kind)
        if simulated is None:
            continue
        assert getattr(found.load, f"{kind}_mean_ms") == pytest.approx(simulated.mean_ms, rel=0.1)
        assert getattr(found.load, kind).p99_ms == pytest.approx(simulated.p99_ms, rel=0.1)
    assert found.drive_lost.network_tb == pytest.approx(ran.rebuild.network_tb, rel=0.06)


def test_a_link_of_a_node_that_serves_more_groups_holds_more_up() -> None:
    # 200 groups on 20 nodes: some serve twice as many as others.
    given: dict[str, Any] = {
        "code": {"data_count": 1, "parity_count": 2},
        "machines": {"nodes_count": 20, "drives_per_node_count": 2, "racks_count": 1,
                     "network_gbit_per_s": 1.0},
        "placement_groups_count": 200,
        "drive": {"kind": "ssd", "capacity_gb": 4000.0, "read_latency_ms": 0.08,
                  "write_latency_ms": 0.02, "read_mb_per_s": 2000.0, "write_mb_per_s": 2000.0,
                  "channels_count": 4, "active_w": 10.0, "idle_w": 3.0},
        "work": {"requests_per_s": 1.0, "read_fraction": 1.0, "size_bytes": 1 << 20},
    }  # fmt: skip
    given["work"]["requests_per_s"] = 0.4 / spec.evaluate(CODE, given).load.network_load_fraction
    found = spec.evaluate(CODE, given).load
    simulated = {**given, "work": {**given["work"], "requests_count": 300_000}, "lost": "drive"}
    before = spec.evaluate(ARRAY, simulated).phases[0]
    assert before.busiest_link_fraction > 1.3 * found.network_load_fraction
    assert found.read_mean_ms == pytest.approx(before.read.mean_ms, rel=0.1)
    assert found.read.p99_ms == pytest.approx(before.read.p99_ms, rel=0.15)
    # What no link passes is answered by neither.
    for asked in (given, simulated):
        asked["work"]["requests_per_s"] *= 2.2
    assert spec.evaluate(CODE, given).load.read is None
    ran = spec.evaluate(ARRAY, simulated)
    assert ran.phases[0].read is None
    assert ran.headline.startswith("The links cannot serve")


@pytest.mark.parametrize(
    ("data", "parity", "nodes", "racks"), [(1, 1, 3, 2), (3, 1, 5, 4), (2, 1, 8, 3)]
)
def test_drives_of_a_smaller_rack_are_asked_for_more(
    data: int, parity: int, nodes: int, racks: int
) -> None:
    given: dict[str, Any] = {
        "code": {"data_count": data, "parity_count": parity},
        "machines": {"nodes_count": nodes, "drives_per_node_count": 6, "racks_count": racks},
        "failure_domain": "rack",
        "placement_groups_count": 30_000,
        "work": {"requests_per_s": 1.0, "read_fraction": 0.5, "size_bytes": 65_536},
    }
    given["work"]["requests_per_s"] = 0.5 / spec.evaluate(CODE, given).load.drive_load_fraction
    found = spec.evaluate(CODE, given).load
    simulated = {**given, "work": {**given["work"], "requests_count": 300_000}, "lost": "drive"}
    before = spec.evaluate(ARRAY, simulated).phases[0]
    assert before.busiest_drive_fraction > 1.08 * found.drive_load_fraction
    for kind in ("read", "write"):
        ran = getattr(before, kind)
        assert getattr(found, f"{kind}_mean_ms") == pytest.approx(ran.mean_ms, rel=0.08)
        assert getattr(found, kind).p99_ms == pytest.approx(ran.p99_ms, rel=0.12)
