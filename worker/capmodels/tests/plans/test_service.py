"""Nodes sized for a service, filled by consolidation, with memory and curves of models."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.memory.planning import MemoryFill, memory_power
from capmodels.performance.queueing import SPEC as QUEUE
from capmodels.performance.size_for_work import (
    SPEC,
    Node,
    SizeParams,
    largest_rate_per_s,
    latency_nodes,
)
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.compare import compare
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import leaf_at, may_vary, substitute
from capmodels.power.curve import SPEC as CURVE
from capmodels.power.curve import CurveParams
from capmodels.spec import Context, evaluate
from capmodels.tests.plans.documents import (
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    in_hindsight,
    owned,
    plain,
    study_of,
)

JSONDict = dict[str, Any]


def serving(**changes: Any) -> JSONDict:
    """A workload of nothing but a service, without headroom."""
    return demand(busy_cores_count=0, service=changes)


def nodes(letter: str = "A", **group: Any) -> JSONDict:
    """One-core nodes that carry the service."""
    return owned(letter, group={"role": "service", "cores_per_node_count": 1, **group})


def test_a_million_queries_on_the_nodes_of_fawn_need_what_its_figure_says() -> None:
    # Andersen et al. 2011, figure 9: the larger of 1e4 / 32 and 1e6 / 35e3, 313 nodes.
    work = serving(query_rate_per_s=1e6, service_ms=1 / 35.0, dataset_tb=10.0, copies_count=1)
    drives = {"per_node_count": 1, "capacity_tb": 0.032, "kind": "ssd"}
    found = column(answer(plain([nodes(drives=drives)], work)), "A")
    group = found.sizing[0].groups[0]
    assert group.count == 313
    assert found.binding.resource == "disk"
    assert group.required["queries"] == pytest.approx(1e6 / 35e3)
    assert found.service is not None
    assert found.service.spare_fractions["queries"] == pytest.approx(1 - 1e6 / 35e3 / 313)


@pytest.mark.parametrize("variation", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("cores", [1, 8])
def test_latency_asks_for_as_many_nodes_as_the_model_finds(variation: float, cores: int) -> None:
    params = SizeParams(
        query_rate_per_s=1234.0,
        service_ms=5.0,
        service_variation_ratio=variation,
        node=Node(cores_count=cores),
    )
    bound_ms = 60.0
    most = largest_rate_per_s(params, bound_ms)
    assert math.ceil(1234.0 / most - 1e-9) == latency_nodes(params, bound_ms)


@pytest.mark.parametrize(("cores", "service_ms"), [(353, 476.2341694602521), (288, 124.787)])
def test_a_node_of_many_cores_is_filled_to_the_last_bit(cores: int, service_ms: float) -> None:
    # The load just below 1 is rounded to 1, where the queue has no answer.
    params = SizeParams(
        query_rate_per_s=1.0,
        service_ms=service_ms,
        node=Node(cores_count=cores),
    )
    # So late that nearly all of the node may be used.
    most = largest_rate_per_s(params, 1e6 * service_ms)
    assert most == pytest.approx(cores * 1000 / service_ms, rel=1e-4)
    assert largest_rate_per_s(params, 6.0 * service_ms) < most


@pytest.mark.decisive
def test_the_response_is_that_of_the_queue_at_the_serving_nodes() -> None:
    work = serving(query_rate_per_s=5000.0, service_ms=4.0, latency_bound_ms=20.0)
    work["availability"] = {"spare_nodes_count": 1}
    found = column(answer(plain([nodes(cores_per_node_count=8)], work)), "A")
    assert found.binding.resource == "latency"
    assert found.service is not None
    serving_nodes = found.service.serving_nodes_count
    assert found.service.nodes_count == serving_nodes + 1
    queue = evaluate(
        QUEUE,
        {
            "arrival_rate_per_s": 5000.0 / serving_nodes,
            "service_ms": 4.0,
            "servers_count": 8,
            "percentiles_fraction": [0.99],
            "latency_bound_ms": 20.0,
        },
    )
    assert found.service.response_p99_ms == pytest.approx(queue.percentiles[0].response_ms)
    assert found.service.late_fraction == pytest.approx(queue.late_fraction)
    assert found.service.late_fraction is not None
    assert found.service.late_fraction <= 0.01


def test_every_need_is_that_of_the_model_for_sizing() -> None:
    service = {
        "query_rate_per_s": 30_000.0,
        "service_ms": 2.0,
        "dataset_tb": 20.0,
        "copies_count": 3,
        "memory_gb": 900.0,
        "batch_core_h": 600.0,
        "batch_deadline_h": 5.0,
        "io_per_s": 200_000.0,
    }
    drives = {"per_node_count": 4, "capacity_tb": 4.0, "kind": "ssd", "io_per_s": 50_000.0}
    group: JSONDict = {"cores_per_node_count": 16, "ram_gib": 128, "drives": drives}
    found = column(answer(plain([nodes(**group)], serving(**service))), "A")
    theirs = evaluate(
        SPEC,
        {
            **service,
            "headroom_fraction": 1.0,
            "fill_fraction": 1.0,
            "spare_nodes_count": 0,
            "node": {
                "cores_count": 16,
                "memory_gb": 128 * 1.073741824,
                "disk_tb": 16.0,
                "io_per_s": 200_000.0,
            },
        },
    )
    wanted: dict[str, float] = {item.need: item.nodes_count for item in theirs.requirements}
    required = found.sizing[0].groups[0].required
    names = {"queries": "queries", "data": "disk", "memory": "ram", "io": "iops", "batch": "batch"}
    for need, name in names.items():
        assert required[name] == pytest.approx(wanted[need], rel=1e-12)
    assert found.sizing[0].groups[0].count == theirs.nodes_count


def test_a_bound_below_the_service_is_carried_by_no_number_of_nodes() -> None:
    work = serving(query_rate_per_s=100.0, service_ms=5.0, latency_bound_ms=10.0)
    result = answer(plain([nodes(), cloud()], work))
    assert result.verdict.kind == "none"
    assert "10 ms" in column(result, "A").warnings[0]
    assert "owned nodes only" in column(result, "B").warnings[0]


def test_nodes_grow_with_the_queries_and_their_load_is_drawn() -> None:
    work = serving(query_rate_per_s=1000.0, service_ms=1.0, rate_growth_fraction_per_year=1.0)
    power = {"kind": "linear", "idle_w": 0.0, "peak_w": 100.0}
    found = column(answer(plain([nodes(power=power)], work, horizon_months=24)), "A")
    assert [year.groups[0].count for year in found.sizing] == [2.0, 4.0]
    # Busy cores: 2^0.5 in the middle of the first year and 2^1.5 in that of the second.
    kwh = 100.0 * (2**0.5 + 2**1.5) * 8.76
    assert found.energy.kwh == pytest.approx(kwh, rel=1e-9)


def test_draws_of_a_service_are_the_point() -> None:
    work = serving(query_rate_per_s=9000.0, service_ms=2.0, dataset_tb=5.0, latency_bound_ms=30.0)
    drives = {"per_node_count": 2, "capacity_tb": 1.0, "kind": "ssd", "unit_price_usd": 90.0}
    memory = {"module": "ddr4_3200_rdimm_32", "used_gib": 100.0, "policy": "aggregate"}
    power = {"kind": "family", "idle_w": 60.0, "peak_w": 200.0, "family": "zen4"}
    group: JSONDict = {
        "cores_per_node_count": 4,
        "drives": drives,
        "memory": memory,
        "power": power,
    }
    study = in_hindsight(study_of(plain([nodes(**group, ram_gib=256)], work, horizon_months=18)))
    values: dict[Any, Any] = {}
    for pointer in (
        "/workload/service/query_rate_per_s",
        "/workload/service/dataset_tb",
        "/workload/headroom/cores_target_fraction",
        "/designs/A/node_groups/0/ram_gib",
        "/designs/A/node_groups/0/power/peak_w",
        "/designs/A/node_groups/0/drives/unit_price_usd",
    ):
        leaf = leaf_at(study, pointer)
        assert leaf is not None
        assert may_vary(leaf)
        values[leaf.path] = np.array([0.6, 0.8, 1.0]) * float(leaf.value)
    _, books = Evaluator(study, Scene(study).curves).books(values, 3)
    cash: Any = books["A"].cash()
    for row in range(3):
        point = substitute(study, {path: float(found[row]) for path, found in values.items()})
        total = column(compare(point), "A").total_usd
        assert float(cash[:, row].sum()) == pytest.approx(total, rel=1e-12)


def test_a_service_needs_what_its_nodes_have() -> None:
    work = serving(query_rate_per_s=10.0, dataset_tb=1.0, io_per_s=5.0)
    with pytest.raises(ParamsError) as refused:
        study_of(plain([nodes()], work))
    assert "/designs/0/node_groups/0/drives" in {fault.pointer for fault in refused.value.faults}
    with pytest.raises(ParamsError):
        study_of(plain([nodes()], demand()))


def test_consolidation_says_how_full_nodes_are_or_how_many() -> None:
    full = column(answer(plain([owned(group={"fill": {"target_utilization_fraction": 0.5}})])), "A")
    # 100 busy cores on nodes of 10 at half use.
    assert full.sizing[0].groups[0].count == 20
    work = demand(growth={"cores_fraction_per_year": 0.5})
    group = {"fill": {"hosts_count": 23, "source": "a run"}}
    found = column(answer(plain([owned(group=group)], work)), "A")
    assert found.sizing[0].groups[0].count == math.ceil(23 * 1.5)
    assert found.binding.resource == "hosts"
    with pytest.raises(ParamsError):
        study_of(plain([owned(group={"fill": {}})]))


def test_the_family_curve_is_that_of_the_power_model() -> None:
    power = {"kind": "family", "idle_w": 100.0, "peak_w": 400.0, "family": "zen4"}
    work = demand(busy_cores_count=30)
    found = column(answer(plain([owned(group={"power": power, "count": 10})], work)), "A")
    params = CurveParams(
        power_idle_w=100.0, power_max_w=400.0, family="zen4", utilization_fraction=0.3
    )
    watts = CURVE.run(params, Context()).power_w
    assert found.energy.kwh == pytest.approx(10 * watts * 8.76)


def test_memory_draws_and_idles_as_its_model_says() -> None:
    memory = {
        "module": "ddr4_3200_rdimm_32",
        "used_gib": 300.0,
        "policy": "aggregate",
        "in_curve": False,
        "usd_per_gib": 8.0,
    }
    group = {"ram_gib": 1024, "memory": memory, "count": 10}
    found = column(answer(plain([owned(group=group)], electricity=PRICE)), "A")
    theirs = memory_power(
        MemoryFill(installed_gib=1024.0, used_gib=300.0),
        module="ddr4_3200_rdimm_32",
        policy="aggregate",
    )
    assert theirs.average_w is not None
    assert found.energy.kwh == pytest.approx(10 * theirs.average_w * 8.76)
    assert cause_usd(found, "energy") == pytest.approx(0.1 * 10 * theirs.average_w * 8.76)
    assert found.memory is not None
    assert found.memory.idle_gib == pytest.approx(10 * theirs.idle_gib)
    assert found.memory.spare_usd == pytest.approx(80 * theirs.spare_gib)
    in_curve = {**memory, "in_curve": True, "policy": "power_down"}
    plain_one = column(answer(plain([owned(group={**group, "memory": in_curve})])), "A")
    assert plain_one.energy.kwh == pytest.approx(0.0)


def test_unknown_currents_leave_the_energy_unknown() -> None:
    memory = {"module": "ddr5_rdimm_64", "used_gib": 300.0, "policy": "aggregate"}
    group = {"ram_gib": 1024, "memory": memory, "count": 10}
    found = column(answer(plain([owned(group=group)])), "A")
    assert found.energy.kwh is None
    assert "data sheet" in (found.energy.reason or "")
    assert found.memory is not None
    assert found.memory.idle_gib > 0


PRICE = {"kind": "flat", "usd_per_kwh": 0.1}
