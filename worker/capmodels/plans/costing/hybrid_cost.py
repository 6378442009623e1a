"""What a hybrid costs: nodes up to a quantile of the demand, instances above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import at_least, is_zero, maximum, minimum
from capmodels.cost.tiered import band_cost
from capmodels.plans.costing.cloud_cost import (
    Bills,
    CloudCase,
    on_demand_usd,
    transfer_usd,
    write_bills,
)
from capmodels.plans.costing.cloud_rent import Mix, per_month
from capmodels.plans.costing.owned_cost import OwnedCase, cost_owned
from capmodels.plans.costing.sizing import node_rates
from capmodels.series import each
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Instances
    from capmodels.plans.document.hybrid import Hybrid
    from capmodels.series import Series


def cost_hybrid(design: Hybrid, owned: OwnedCase, rented: CloudCase) -> None:
    """Write every payment of a hybrid, but migration and staff, into its book.

    The work above what the nodes carry is E[max(0, s - x)] of its mean, x being the ratio
    of demand to its mean that the nodes in place carry in that month; it is rented on
    demand, and takes its share of the transfer with it.
    """
    scene = owned.scene
    curve = scene.curves.load
    above = each(curve.excess, carried_ratios(owned.plans, scene))
    owned.carried = [_carried_in(above, scene, year) for year in range(scene.years)]
    cost_owned(owned)
    rented.burst, rented.burst_storage_tb = above, design.burst_storage_tb
    rented.mixes = [
        _burst(item, above, scene) for item in rented.cloud.instances if item.gpus_count <= 0
    ]
    _burst_bills(design, rented, above)


def _burst(item: Instances, above: Series, scene: Scene) -> Mix:
    """Instances on demand for the work above what the nodes carry."""
    on_demand = per_month(
        lambda need, share: maximum(need.slope, need.ram) * share, item, scene, above
    )
    return Mix(item, committed=scene.form.constant(0.0, scene.months), on_demand=on_demand)


def carried_ratios(plans: list[GroupPlan], scene: Scene) -> Series:
    """Ratio of demand to its mean up to which the nodes carry it, month by month."""
    carried: Series | None = None
    for plan in plans:
        group = plan.group
        if group.role not in {"compute", "compute_and_block"} or is_zero(group.share_fraction):
            continue
        ratios = _group_ratios(plan, scene)
        carried = ratios if carried is None else each(minimum, carried, ratios)
    return scene.form.constant(0.0, scene.months) if carried is None else carried


def _group_ratios(plan: GroupPlan, scene: Scene) -> Series:
    share = plan.group.share_fraction * scene.work.availability.site_factor
    nodes = scene.form.steps(
        [count - plan.spare_nodes_count for count in plan.counts],
        [scene.months_of(year) for year in range(scene.years)],
    )

    lines, timeline = node_rates(plan.group, scene).lines, scene.timeline

    def ratio(cores: float, ram_gib: float, traffic_tb: float, there: float) -> float:
        needed = lines(cores * share, ram_gib * share, traffic_tb * share)
        return needed.ratio_carried(there)

    moved = timeline.traffic_tb.monthly
    return each(ratio, timeline.cores.monthly, timeline.ram_gib.monthly, moved, nodes)


def _carried_in(above: Series, scene: Scene, year: int) -> float:
    first = year * MONTHS_PER_YEAR
    # The mean of the curve is 1 but for its last bits.
    return at_least(1.0 - scene.form.mean(above, first, first + scene.months_of(year)), 0.0)


def _burst_bills(design: Hybrid, case: CloudCase, above: Series) -> None:
    scene = case.scene
    nothing = scene.form.constant(0.0, scene.months)
    stored = band_cost(design.burst_storage_tb, case.tariffs.block)
    write_bills(
        case,
        Bills(
            instances=on_demand_usd(case),
            commitment=nothing,
            storage=scene.priced("storage", scene.form.constant(stored, scene.months)),
            transfer=transfer_usd(case, above),
            copies=None,
        ),
    )
