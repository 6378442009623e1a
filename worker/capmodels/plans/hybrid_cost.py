"""What a hybrid costs: nodes up to a quantile of the demand, instances above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.bands import band_cost
from capmodels.plans.cloud_cost import Bills, CloudCase, on_demand_usd, transfer_usd, write_bills
from capmodels.plans.cloud_rent import Mix, needs_by_month
from capmodels.plans.ops import is_zero, maximum, minimum
from capmodels.plans.owned_cost import OwnedCase, cost_owned
from capmodels.plans.sizing import node_lines
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.cloud import Instances
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
    rented.mixes = [
        _burst(item, above, scene) for item in rented.cloud.instances if item.gpus_count <= 0
    ]
    _burst_bills(design, rented, above)


def _burst(item: Instances, above: list[float], scene: Scene) -> Mix:
    """Instances on demand for the work above what the nodes carry."""
    needs = needs_by_month(item, scene)
    on_demand = [
        maximum(need.cores, need.ram) * share for need, share in zip(needs, above, strict=True)
    ]
    return Mix(item, committed=[0.0] * scene.months, on_demand=on_demand)


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


def _burst_bills(design: Hybrid, case: CloudCase, above: list[float]) -> None:
    scene = case.scene
    nothing = [0.0] * scene.months
    stored = band_cost(design.burst_storage_tb, case.tariffs.block)
    write_bills(
        case,
        Bills(
            instances=on_demand_usd(case),
            commitment=nothing,
            storage=scene.priced("storage", [stored] * scene.months),
            transfer=transfer_usd(case, above),
            copies=nothing,
        ),
    )
