"""Nodes that a service needs, by performance.size_for_work, and how fast it answers then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import TINY, as_number, at_least, drawn, is_zero, maximum
from capmodels.performance.queueing import SPEC as QUEUE
from capmodels.performance.queueing import QueueParams
from capmodels.performance.size_for_work import (
    CannotKeepLatency,
    Node,
    SizeParams,
    largest_rate_per_s,
    required_nodes,
)
from capmodels.spec import Context
from capmodels.units import BYTES_PER_GB, BYTES_PER_GIB, GB_PER_TB, MONTHS_PER_YEAR
from capmodels.worked import kept

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.performance.queueing import QueueResult
    from capmodels.performance.size_for_work import Need
    from capmodels.plans.comparison import Resource
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.hardware import NodeGroup
    from capmodels.plans.document.service import Service
    from capmodels.spec import JSONDict

HOURS_PER_DAY = 24.0
MS_PER_S = 1000.0
GB_PER_GIB = BYTES_PER_GIB / BYTES_PER_GB

_RESOURCES: dict[Need, Resource] = {
    "queries": "queries",
    "batch": "batch",
    "memory": "ram",
    "io": "iops",
    "data": "disk",
}


def service_of(scene: Scene) -> Service:
    """The service of a workload that is known to have one."""
    service = scene.work.service
    if service is None:
        raise TypeError
    return service


def _grown(rate: Amount, month: Amount) -> Amount:
    factor: Amount = (1.0 + rate) ** (month / MONTHS_PER_YEAR)
    return factor


def rate_per_s(scene: Scene, month: Amount) -> Amount:
    """Queries a second at the peak, some months after the start. [1/s]"""
    service = service_of(scene)
    return service.query_rate_per_s * _grown(service.rate_growth_fraction_per_year, month)


def size_params(group: NodeGroup, scene: Scene, month: Amount) -> SizeParams:
    """The question of performance.size_for_work; values may be arrays of draws."""
    service, headroom, drives = service_of(scene), scene.work.headroom, group.drives
    busier = _grown(service.rate_growth_fraction_per_year, month)
    more = _grown(service.data_growth_fraction_per_year, month)
    memory_gb = group.ram_gib * GB_PER_GIB
    disk_tb, io_per_s = memory_gb / GB_PER_TB, 0.0
    if group.data_in == "drives" and drives is not None:
        disk_tb = drives.per_node_count * drives.capacity_tb
    if drives is not None and drives.io_per_s is not None:
        io_per_s = drives.per_node_count * drives.io_per_s
    node = Node.model_construct(
        cores_count=int(group.cores_per_node_count),
        memory_gb=at_least(memory_gb, TINY),
        disk_tb=at_least(disk_tb, TINY),
        io_per_s=at_least(io_per_s, TINY),
    )
    return SizeParams.model_construct(
        query_rate_per_s=drawn(rate_per_s(scene, month)),
        service_ms=service.service_ms / group.perf_per_core_ratio,
        service_variation_ratio=service.service_variation_ratio,
        percentile_fraction=service.percentile_fraction,
        latency_bound_ms=None,
        dataset_tb=drawn(service.dataset_tb * more),
        copies_count=service.copies_count,
        memory_gb=drawn(service.memory_gb * more),
        batch_core_h=drawn(service.batch_core_h * busier),
        batch_deadline_h=service.batch_deadline_h,
        batch_beside_queries=service.batch_beside_queries,
        io_per_s=drawn(service.io_per_s * busier),
        headroom_fraction=headroom.cores_target_fraction,
        fill_fraction=headroom.disk_fill_fraction,
        node=node,
    )


@kept(64)
def _largest_rate(
    cores: int, service_ms: float, variation: float, percentile: float, bound_ms: float
) -> float:
    return largest_rate_per_s(
        SizeParams(
            service_ms=service_ms,
            service_variation_ratio=variation,
            percentile_fraction=percentile,
            node=Node(cores_count=cores),
        ),
        bound_ms,
    )


def latency_rate_per_s(group: NodeGroup, scene: Scene) -> Amount | None:
    """Queries a second of one node up to which it keeps the bound.

    None without a bound, and where no rate keeps it; see ``too_slow``.
    """
    service = service_of(scene)
    if service.latency_bound_ms is None:
        return None
    try:
        return _largest_rate(
            int(group.cores_per_node_count),
            service.service_ms / group.perf_per_core_ratio,
            service.service_variation_ratio,
            service.percentile_fraction,
            service.latency_bound_ms,
        )
    except CannotKeepLatency:
        return None


def too_slow(group: NodeGroup, scene: Scene) -> str | None:
    """Why no number of such nodes keeps the bound on the latency; None when some does."""
    bound_ms = service_of(scene).latency_bound_ms
    if bound_ms is None or latency_rate_per_s(group, scene) is not None:
        return None
    return f"{group.name}: without any wait a query takes longer than the {bound_ms:g} ms allowed."


def service_needs(group: NodeGroup, scene: Scene, month: Amount) -> dict[str, Amount]:
    """Nodes that each resource of the service needs, as real numbers."""
    params = size_params(group, scene, month)
    needs: dict[str, Amount] = {}
    for need, nodes in required_nodes(params).items():
        name = _RESOURCES[need]
        if need == "data" and group.data_in == "memory":
            name = "ram"
        if not is_zero(nodes):
            needs[name] = maximum(needs[name], nodes) if name in needs else nodes
    most = latency_rate_per_s(group, scene)
    if most is not None and "queries" in needs:
        needs["latency"] = params.query_rate_per_s / most
    return needs


def busy_cores(group: NodeGroup, scene: Scene, at: int) -> Amount:
    """Cores of a group that the service keeps busy on average over an interval. [cores]"""
    service = service_of(scene)
    interval = scene.intervals[at]
    month = interval.first + 0.5 * interval.months
    queries = rate_per_s(scene, month) / scene.p99_ratio * service.service_ms / MS_PER_S
    batch = service.batch_core_h * _grown(service.rate_growth_fraction_per_year, month)
    return (queries + batch / HOURS_PER_DAY) / group.perf_per_core_ratio


def service_spare(plan: GroupPlan, scene: Scene, at: int, month: int) -> dict[str, float]:
    """What the nodes of an interval leave of each need in a month of it, spares aside."""
    serving = as_number(plan.usable(at))
    return {
        name: max(0.0, 1.0 - as_number(need) / serving) if serving > 0 else 0.0
        for name, need in service_needs(plan.group, scene, month).items()
    }


def service_figures(plan: GroupPlan, scene: Scene) -> JSONDict:
    """How the service does on its nodes at the end of the last year, spares aside."""
    serving = as_number(plan.usable(-1))
    found = _queue(plan, scene, serving)
    by = {} if found is None else {p.percentile_fraction: p.response_ms for p in found.percentiles}
    reasons = {}
    if found is None:
        reasons["response"] = "More queries arrive than its nodes can answer."
        if is_zero(service_of(scene).query_rate_per_s):
            reasons["response"] = "The service has no queries."
    late = None if found is None else found.late_fraction
    if late is None:
        reasons["late_fraction"] = reasons.get("response", "No latency bound is entered.")
    return {
        "nodes_count": plan.counts[-1],
        "serving_nodes_count": serving,
        "query_rate_per_s": rate_per_s(scene, scene.months),
        "response_p50_ms": by.get(0.5),
        "response_p95_ms": by.get(0.95),
        "response_p99_ms": by.get(0.99),
        "late_fraction": late,
        "spare_fractions": service_spare(plan, scene, -1, scene.months),
        "reasons": reasons,
    }


def _queue(plan: GroupPlan, scene: Scene, serving: float) -> QueueResult | None:
    service, group = service_of(scene), plan.group
    rate = as_number(rate_per_s(scene, scene.months))
    service_ms = service.service_ms / group.perf_per_core_ratio
    cores = int(group.cores_per_node_count)
    if rate == 0 or serving <= 0 or rate / serving * service_ms / MS_PER_S >= cores:
        return None
    params = QueueParams(
        arrival_rate_per_s=rate / serving * group.share_fraction,
        service_ms=service_ms,
        service_variation_ratio=service.service_variation_ratio,
        servers_count=cores,
        percentiles_fraction=(0.5, 0.95, 0.99),
        latency_bound_ms=service.latency_bound_ms,
    )
    return QUEUE.run(params, Context())
