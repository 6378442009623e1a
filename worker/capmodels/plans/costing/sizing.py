"""How many nodes: by cores, RAM, disk, IOPS, throughput and GPUs; the largest binds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import (
    TINY,
    as_number,
    at_least,
    is_given,
    is_zero,
    largest,
    maximum,
    minimum,
    real,
    smallest,
)
from capmodels.plans.costing.group_plan import GroupPlan
from capmodels.plans.costing.kept import kept_cores, kept_ram_gib
from capmodels.plans.costing.need import Fleet
from capmodels.plans.costing.service_load import service_needs
from capmodels.units import MB_PER_S_PER_GBIT_PER_S
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.comparison import Resource
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.costing.timeline import Grower
    from capmodels.plans.document.capacity_plan import CapacityPlan
    from capmodels.plans.document.hardware import Drives, NodeGroup
    from capmodels.plans.document.owned import OwnedFields
    from capmodels.plans.document.workload import DemandWorkload

# In this order the first of equal needs is named.
RESOURCES: tuple[Resource, ...] = (
    "cores",
    "ram",
    "disk",
    "iops",
    "throughput",
    "gpu",
    "queries",
    "latency",
    "batch",
    "hosts",
)
LABELS: dict[Resource, str] = {
    "cores": "cores",
    "ram": "RAM",
    "disk": "disk",
    "iops": "IOPS",
    "throughput": "throughput",
    "gpu": "GPUs",
    "queries": "queries",
    "latency": "latency",
    "batch": "batch work",
    "hosts": "consolidation",
    "none": "nothing",
}
_NEEDS: dict[str, str] = {name: f"Nodes for {label}" for name, label in LABELS.items()}


@dataclass(frozen=True, slots=True)
class Known:
    """A design as it is known when its nodes are ordered: as entered, or as in a trial."""

    owned: OwnedFields
    own_quantile: Amount | None = None


def plan_groups(
    owned: OwnedFields,
    scene: Scene,
    *,
    own_quantile: Amount | None = None,
    planned: Known | None = None,
    by_plan: CapacityPlan | None = None,
) -> list[GroupPlan]:
    """Return every group's nodes by interval.

    The nodes of an interval between two orders carry the demand from its first day to its end, and
    as long after it as the lead time, as far as it is known when they are ordered, and the share
    of nodes that is bought ahead; they are bought at its start. ``planned`` is
    the design as entered, where it is drawn. With ``own_quantile`` the cores and RAM carry the
    demand of that quantile of the hours instead of the 99th percentile; ``by_plan`` says the nodes
    of the first group that computes.
    """
    known = Known(owned, own_quantile)
    plans = [
        _plan_group(place, known, planned or known, scene)
        for place in range(len(owned.node_groups))
    ]
    if by_plan is not None:
        computing = [plan for plan in plans if plan.group.role in COMPUTE_ROLES]
        for first in computing[:1]:
            _follow(first, by_plan, scene, owned.refresh_months)
        for plan in computing:
            _keep(plan, by_plan, scene)
    return plans


COMPUTE_ROLES = ("compute", "compute_and_block")


def _follow(group: GroupPlan, by_plan: CapacityPlan, scene: Scene, life_months: int | None) -> None:
    """Have a group the nodes of a plan, beside its spare ones, which come with the first."""
    arrivals: dict[int, int] = {}
    for order in by_plan.orders:
        if order.month < scene.months and order.nodes_count:
            arrivals[order.month] = arrivals.get(order.month, 0) + order.nodes_count
    if arrivals:
        first = min(arrivals)
        life = life_months or scene.months
        for month in range(first, scene.months, life):
            arrivals[month] = arrivals.get(month, 0) + group.spare_nodes_count
    else:
        life = scene.months
    group.arrivals = arrivals
    group.counts = [
        named(
            real(sum(n for month, n in arrivals.items()
                     if month <= interval.first < month + life)),
            "Nodes", "nodes",
        )
        for interval in scene.intervals
    ]  # fmt: skip


def _keep(plan: GroupPlan, by_plan: CapacityPlan, scene: Scene) -> None:
    """Count what a plan keeps of today as nodes of a group: by its cores, and by its RAM."""
    cores, ram_gib = kept_cores(by_plan, scene), kept_ram_gib(by_plan, scene)
    if cores is None or ram_gib is None:
        return
    rates, today = node_rates(plan.group, scene), scene.timeline.cores.today
    share = plan.group.share_fraction * scene.work.availability.site_factor
    # With its part of the traffic, where that needs more nodes than the cores.
    whole = rates.lines(today, 0.0, scene.timeline.traffic_tb.today).cores
    per_core = whole / at_least(today, TINY) * share
    per_gib = (rates.per_fixed_gib + rates.per_scaling_gib) * share
    plan.kept = [(cores[interval.first] * per_core, ram_gib[interval.first] * per_gib)
                 for interval in scene.intervals]  # fmt: skip


def _plan_group(place: int, known: Known, planned: Known, scene: Scene) -> GroupPlan:
    work, owned = scene.demand, known.owned
    group = owned.node_groups[place]
    spare = _spare_nodes(group, work)
    fleet = Fleet(spare, 1 if work is None else work.availability.sites_count)
    plan = GroupPlan(group=group, counts=[], required=[], spare_nodes_count=spare, place=place)
    before: Amount = 0.0
    for interval in scene.intervals:
        view = scene.decided(interval.first, owned.lead_time_months)
        seen = planned if view is scene.planned else known
        needs: dict[str, Amount] = {}
        if work is not None:
            own = seen.owned.node_groups[place]
            for month in view.edges(interval, owned.lead_time_months):
                needs = larger_needs(needs, needs_at(own, view, month, seen.own_quantile))
        plan.required.append(needs)
        if group.count is None:
            most = named(_largest(needs), "Nodes needed", "nodes")
            need = most * (1.0 + planned.owned.bought_ahead_fraction)
            before = maximum(before, fleet.machines(need))
        else:
            before = real(group.count)
        before = named(before, "Nodes", "nodes")
        plan.counts.append(before)
    return plan


def _spare_nodes(group: NodeGroup, work: DemandWorkload | None) -> int:
    if work is None:
        return 0
    if group.spare_nodes_count is not None:
        return group.spare_nodes_count
    return work.availability.spare_nodes_count


def _largest(needs: dict[str, Amount]) -> Amount:
    largest: Amount = 0.0
    for need in needs.values():
        largest = maximum(largest, need)
    return largest


def larger_needs(known: dict[str, Amount], others: dict[str, Amount]) -> dict[str, Amount]:
    """The larger of what each resource needs in one month and in another."""
    larger = dict(known)
    for name, need in others.items():
        if name not in larger or smallest(need - larger[name]) >= 0:
            larger[name] = need
        elif largest(need - larger[name]) > 0:
            larger[name] = maximum(larger[name], need)
    return larger


def needs_at(
    group: NodeGroup, scene: Scene, month: Amount, own_quantile: Amount | None
) -> dict[str, Amount]:
    """Nodes that each resource needs some months after the start, as real numbers."""
    work = scene.work
    peak = scene.p99_ratio if own_quantile is None else scene.curves.load.quantile(own_quantile)
    needs: dict[str, Amount] = {}
    if group.role in {"compute", "compute_and_block"}:
        needs |= compute_needs(group, scene, month, peak)
    if group.role in {"block", "compute_and_block"}:
        needs |= _block_needs(group, scene, month)
    if (rate := throughput_need(group, scene, month, peak)) is not None:
        needs["throughput"] = rate
    if group.role in {"object", "archive"}:
        needs["disk"] = _disk_need(group, data_of(group, scene).at(month), work)
    if group.role == "gpu":
        gpus = scene.timeline.gpus_peak.at(month) / work.headroom.gpu_target_fraction
        per_node = group.gpus_per_node_count
        needs["gpu"] = gpus / (per_node * scene.gpu_work(group.gpu, per_node))
    if group.role == "service" and work.service is not None:
        needs |= service_needs(group, scene, month)
    factor = work.availability.site_factor * group.share_fraction
    return {name: named(need * factor, _NEEDS[name], "nodes") for name, need in needs.items()}


def compute_needs(
    group: NodeGroup, scene: Scene, month: Amount, peak_ratio: Amount
) -> dict[str, Amount]:
    """Nodes that cores and RAM need when demand is a ratio of its mean.

    Where consolidation says how many hosts there are, they stand for the cores; the RAM in
    use is counted all the same.
    """
    timeline, fill = scene.timeline, group.fill
    rates = node_rates(group, scene)
    lines = rates.lines(timeline.cores.at(month), timeline.ram_gib.at(month), 0.0)
    if fill is not None and fill.hosts_count is not None:
        grown = timeline.cores.at(month) / at_least(timeline.cores.today, TINY)
        needs = {"hosts": fill.hosts_count * grown}
    else:
        needs = {"cores": lines.cores * peak_ratio}
    if is_given(group.ram_gib):
        needs["ram"] = lines.base + lines.ram * peak_ratio
    return needs


@dataclass(frozen=True, slots=True)
class NodeRates:
    """Nodes that a busy core, a GiB in use and a TB moved a month need at mean demand."""

    per_core: Amount
    per_fixed_gib: Amount
    per_scaling_gib: Amount
    per_tb: Amount

    def lines(self, cores: Amount, ram_gib: Amount, traffic_tb: Amount) -> NodeLines:
        """Nodes that an amount of work needs, as lines over the ratio of demand to its mean."""
        slope = cores * self.per_core
        if not is_zero(self.per_tb):
            slope = maximum(slope, traffic_tb * self.per_tb)
        return NodeLines(slope, ram_gib * self.per_fixed_gib, ram_gib * self.per_scaling_gib)


@dataclass(slots=True)
class NodeLines:
    """Nodes needed at a ratio s of demand to its mean: ``cores s`` and ``base + ram s``.

    ``cores`` is that of the traffic where it needs more nodes.
    """

    cores: Amount
    base: Amount
    ram: Amount

    def ratio_carried(self, nodes: Amount, holding: Amount) -> Amount:
        """Largest ratio of demand to its mean that the cores and the RAM of some nodes carry."""
        ratio = nodes / at_least(self.cores, TINY)
        if is_zero(self.base) and is_zero(self.ram):
            return ratio
        by_ram = (holding - self.base) / at_least(self.ram, TINY)
        return at_least(minimum(ratio, by_ram), 0.0)

    def ratio_shared(self, nodes: Amount, holding: Amount) -> Amount:
        """Largest ratio that some nodes carry where applications may run elsewhere.

        ``nodes`` have their cores, ``holding`` their RAM.

        Nodes without the RAM of all applications at their mean hold a share of them whole; with
        it, they carry what `ratio_carried` says.
        """
        held = holding / at_least(self.base + self.ram, TINY)
        share = minimum(nodes / at_least(self.cores, TINY), held)
        return maximum(self.ratio_carried(nodes, holding), minimum(share, 1.0))


def node_rates(group: NodeGroup, scene: Scene) -> NodeRates:
    """Nodes of a group that each resource needs."""
    headroom, fixed = scene.work.headroom, scene.work.ram_fixed_fraction
    speed = group.perf_per_core_ratio * group.cores_per_node_count
    per_gib = 0.0
    if is_given(group.ram_gib):
        per_gib = (1.0 + headroom.ram_headroom_fraction) / group.ram_gib
    target = headroom.cores_target_fraction
    if group.fill is not None and group.fill.target_utilization_fraction is not None:
        target = group.fill.target_utilization_fraction
    per_tb: Amount = 0.0
    if is_given(group.nic_gbit_per_s) and not is_zero(scene.timeline.traffic_tb.today):
        rate = group.nic_gbit_per_s * MB_PER_S_PER_GBIT_PER_S
        per_tb = scene.mb_per_s_per_tb_month / (rate * headroom.io_target_fraction)
    return NodeRates(1.0 / (target * speed), per_gib * fixed, per_gib * (1.0 - fixed), per_tb)


def drives_of(group: NodeGroup) -> Drives:
    """Return the drives of a group that carries storage, which the schema makes it have."""
    if group.drives is None:
        raise TypeError
    return group.drives


def data_of(group: NodeGroup, scene: Scene) -> Grower:
    """The data that a group's drives are there for. [TB]"""
    timeline = scene.timeline
    kept = {"object": timeline.object_tb, "archive": timeline.archive_tb}
    return kept.get(group.role, timeline.block_tb)


def _disk_need(group: NodeGroup, data_tb: Amount, work: DemandWorkload) -> Amount:
    drives = drives_of(group)
    raw_tb = drives.per_node_count * drives.capacity_tb
    return data_tb * drives.copies_count / (work.headroom.disk_fill_fraction * raw_tb)


def _block_needs(group: NodeGroup, scene: Scene, month: Amount) -> dict[str, Amount]:
    """Nodes that block storage needs.

    Reads are spread over the copies and writes go to all of them; the rated figures are
    held against what the work asks for, without either.
    """
    needs = {"disk": _disk_need(group, scene.timeline.block_tb.at(month), scene.work)}
    if (need := iops_need(group, scene, month)) is not None:
        needs["iops"] = need
    return needs


def iops_need(group: NodeGroup, scene: Scene, month: Amount) -> Amount | None:
    """Nodes whose drives serve the block IOPS; None where they hold no blocks or are unknown."""
    drives = group.drives
    stores = group.role in {"block", "compute_and_block"}
    if drives is None or not stores or not is_given(drives.io_per_s):
        return None
    rated = drives.per_node_count * drives.io_per_s * scene.work.headroom.io_target_fraction
    return scene.timeline.io_per_s.at(month) / rated


def throughput_need(
    group: NodeGroup, scene: Scene, month: Amount, peak_ratio: Amount
) -> Amount | None:
    """Nodes whose drives deliver the block throughput, and whose network that and the traffic.

    Traffic is what leaves and crosses zones, and follows the load; only nodes that compute
    send it. None where nothing of it is asked of the group, or its rates are unknown.
    """
    drives, target = group.drives, scene.work.headroom.io_target_fraction
    stores = group.role in {"block", "compute_and_block"}
    computes = group.role in {"compute", "compute_and_block"}
    block = scene.timeline.throughput_mb_per_s.at(month) if stores else 0.0
    need: Amount | None = None
    if stores and drives is not None and is_given(drives.throughput_mb_per_s):
        need = block / (drives.per_node_count * drives.throughput_mb_per_s * target)
    if is_given(group.nic_gbit_per_s) and (
        stores or (computes and not is_zero(scene.timeline.traffic_tb.today))
    ):
        traffic = scene.timeline.traffic_tb.at(month) * scene.mb_per_s_per_tb_month
        sent = block + traffic * peak_ratio if computes else block
        by_network = sent / (group.nic_gbit_per_s * MB_PER_S_PER_GBIT_PER_S * target)
        need = by_network if need is None else maximum(need, by_network)
    return need


def binding_of(needs: dict[str, Amount]) -> Resource:
    """Name the resource that needs most nodes; the first of equals."""
    known = {name: as_number(need) for name, need in needs.items()}
    if not known or max(known.values()) <= 0:
        return "none"
    return max(RESOURCES, key=lambda name: known.get(name, -1.0))
