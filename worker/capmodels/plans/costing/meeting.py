"""Whether what was bought in time meets the demand that came, and what the shortfall costs.

Nodes are sized with headroom. A trial's demand may use that up: what is in place is short only
where it would be more than full in the 99th percentile of the hours. A design that may rent
keeps its headroom and rents what is missing on demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import at_least, is_above, is_zero, maximum, minimum
from capmodels.plans.costing.array_cost import needs_at_end
from capmodels.plans.costing.cloud_cost import on_demand_ratio
from capmodels.plans.costing.cloud_rent import need_at
from capmodels.plans.costing.sizing import needs_at, node_rates
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Cloud, Instances
    from capmodels.plans.document.workload import Headroom

QUARTERS = 4
COMPUTING = frozenset({"compute", "compute_and_block"})


def _full(headroom: Headroom) -> dict[str, Amount]:
    """Nodes that a resource takes when full, over those that it is sized to."""
    return {
        "cores": headroom.cores_target_fraction,
        "ram": 1.0 / (1.0 + headroom.ram_headroom_fraction),
        "disk": headroom.disk_fill_fraction,
        "iops": headroom.io_target_fraction,
        "throughput": headroom.io_target_fraction,
        "gpu": headroom.gpu_target_fraction,
    }


def short_years(case: OwnedCase, quantile: Amount | None = None) -> list[Amount]:
    """For each year 1 in the trials whose demand at its end is above what is there, else 0."""
    scene = case.scene
    if scene.demand is None:
        return []
    full = _full(scene.work.headroom)
    found: list[Amount] = []
    for year in range(scene.years):
        month = min((year + 1) * MONTHS_PER_YEAR, scene.months)
        over: Amount = 0.0
        for plan in case.plans:
            usable = plan.counts[year] - plan.spare_nodes_count
            for name, need in needs_at(plan.group, scene, month, quantile).items():
                lacking = need * full.get(name, 1.0) - usable
                over = maximum(over, is_above(lacking, 1e-6))
        for arrays in case.arrays:
            for name, need in needs_at_end(arrays, scene, year).items():
                lacking = need * full.get(name, 1.0) - arrays.counts[year]
                over = maximum(over, is_above(lacking, 1e-6))
        found.append(over)
    return found


def unmet_h_per_year(case: OwnedCase, short: list[Amount]) -> Amount:
    """Hours a year in which the cores or the RAM in place are not enough. [h/yr]

    Where something that the hours do not change is short, data for its disks, all of them.
    """
    scene = case.scene
    hours: Amount = 0.0
    for year, flag in enumerate(short):
        if is_zero(flag):
            continue
        above = _share_above(case, year)
        hours = hours + flag * scene.assumptions.hours_per_year * above
    return hours / max(len(short), 1)


def _share_above(case: OwnedCase, year: int) -> Amount:
    """Share of a year's hours above what its nodes carry when full, at the quarters' ends."""
    scene = case.scene
    total: Amount = 0.0
    plans = [plan for plan in case.plans if plan.group.role in COMPUTING]
    if not plans:
        return 1.0
    full = _full(scene.work.headroom)
    for quarter in range(1, QUARTERS + 1):
        share: Amount = 0.0
        for plan in plans:
            ratio = _carried(plan, scene, year, quarter / QUARTERS, full["cores"], full["ram"])
            share = maximum(share, scene.curves.load.share_above(ratio))
        total = total + share / QUARTERS
    return total


def _carried(
    plan: GroupPlan, scene: Scene, year: int, passed: Amount, cores: Amount, ram: Amount
) -> Amount:
    """Ratio of demand to its mean that nodes carry when a part of a year has passed."""
    month = year * MONTHS_PER_YEAR + passed * scene.months_of(year)
    part = plan.group.share_fraction * scene.work.availability.site_factor
    timeline = scene.timeline
    lines = node_rates(plan.group, scene).lines(
        timeline.cores.at(month) * part * cores,
        timeline.ram_gib.at(month) * part * ram,
        timeline.traffic_tb.at(month) * part,
    )
    return lines.ratio_carried(plan.counts[year] - plan.spare_nodes_count)


def rent_shortfall(case: OwnedCase, cloud: Cloud) -> None:
    """Rent on demand the work above what the nodes carry within their headroom.

    Hours above the 99th percentile are as in the plan; storage is not rented.
    """
    scene = case.scene
    curve, p99 = scene.curves.load, scene.p99_ratio
    items = [item for item in cloud.instances if item.gpus_count <= 0]
    plans = [plan for plan in case.plans if plan.group.role in COMPUTING]
    if scene.demand is None or not plans or not items:
        return
    for year in range(scene.years):
        ratio = p99
        for plan in plans:
            ratio = minimum(ratio, _carried(plan, scene, year, 0.5, 1.0, 1.0))
        above = at_least(curve.excess(ratio) - curve.excess(p99), 0.0)
        if is_zero(above):
            continue
        usd: Amount = 0.0
        for item in items:
            usd = usd + _usd_per_h(item, cloud, scene, year) * above
        case.book.year("instances", year, usd * scene.assumptions.hours_per_year, "rented")


def _usd_per_h(item: Instances, cloud: Cloud, scene: Scene, year: int) -> Amount:
    """What an hour of all work at its mean costs on demand in the middle of a year. [USD/h]"""
    month = year * MONTHS_PER_YEAR + 0.5 * scene.months_of(year)
    need = need_at(item, scene, month)
    price = item.usd_per_h * on_demand_ratio(cloud) * (1.0 - cloud.negotiated_discount_fraction)
    return maximum(need.slope, need.ram) * price * scene.year_factor("instances", year)
