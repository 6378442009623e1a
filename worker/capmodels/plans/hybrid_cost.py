"""What a hybrid costs: nodes up to a quantile of the demand, instances above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.bands import band_cost
from capmodels.plans.cloud_cost import Bill, CloudCase, on_demand_ratio, transfer_usd, write_bill
from capmodels.plans.cloud_rent import Mix, need_in
from capmodels.plans.ops import is_zero, maximum, minimum
from capmodels.plans.owned_cost import OwnedCase, cost_owned
from capmodels.plans.sizing import node_lines
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.hybrid import Hybrid
    from capmodels.plans.scene import Scene
    from capmodels.plans.sizing import GroupPlan


def cost_hybrid(design: Hybrid, owned: OwnedCase, rented: CloudCase) -> None:
    """Write every payment of a hybrid, but migration and staff, into its book.

    The work above what the nodes carry is E[max(0, s - x)] of its mean, x being the ratio
    of demand to its mean that the nodes in place carry in that month; it is rented on
    demand, and takes its share of the transfer with it.
    """
    scene = owned.scene
    levels = [carried_ratio(owned.plans, scene, month) for month in range(scene.months)]
    above = [scene.curves.load.excess(level) for level in levels]
    owned.carried = [_carried_in(above, year) for year in range(scene.years)]
    cost_owned(owned)
    rented.burst, rented.burst_storage_tb = above, design.burst_storage_tb
    rented.mixes = [Mix(item) for item in rented.cloud.instances if item.gpus_count <= 0]
    for month in range(scene.months):
        for mix in rented.mixes:
            need = need_in(mix.item, scene, month)
            mix.committed.append(0.0)
            mix.on_demand.append(maximum(need.cores, need.ram) * above[month])
        _burst_bill(design, rented, month, above[month])


def carried_ratio(plans: list[GroupPlan], scene: Scene, month: int) -> float:
    """Ratio of demand to its mean up to which the nodes of a month carry it."""
    timeline, factor = scene.timeline, scene.work.availability.site_factor
    cores, ram_gib = timeline.cores.monthly()[month], timeline.ram_gib.monthly()[month]
    least: float | None = None
    for plan in plans:
        share = plan.group.share_fraction
        if plan.group.role not in {"compute", "compute_and_block"} or is_zero(share):
            continue
        nodes = plan.counts[month // MONTHS_PER_YEAR] - plan.spare_nodes_count
        lines = node_lines(plan.group, scene, cores * share * factor, ram_gib * share * factor)
        ratio = lines.ratio_carried(nodes)
        least = ratio if least is None else minimum(least, ratio)
    return 0.0 if least is None else least


def _carried_in(above: list[float], year: int) -> float:
    months = above[year * MONTHS_PER_YEAR : (year + 1) * MONTHS_PER_YEAR]
    total = months[0]
    for share in months[1:]:
        total = total + share
    return 1.0 - total / len(months)


def _burst_bill(design: Hybrid, case: CloudCase, month: int, share: float) -> None:
    scene = case.scene
    factor = scene.price_factor("instances", month + 0.5)
    usd_per_h = 0.0
    for mix in case.mixes:
        usd_per_h = usd_per_h + mix.on_demand[month] * mix.item.usd_per_h
    storage = band_cost(design.burst_storage_tb, case.tariffs.block)
    bill = Bill(
        instances=usd_per_h * on_demand_ratio(case.cloud) * factor * scene.hours_per_month,
        commitment=0.0,
        storage=storage * scene.price_factor("storage", month + 0.5),
        transfer=transfer_usd(case, month, share),
        copies=0.0,
    )
    write_bill(case, month, bill)
