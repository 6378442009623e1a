"""What of today a plan keeps until it ends: machines and commitments, what they carry and cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least, is_zero
from capmodels.plans.costing.cloud_rent import need_rates
from capmodels.series import add, each, scaled

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.amounts import Amount
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.capacity_plan import CapacityPlan, KeptCapacity
    from capmodels.plans.document.cloud import Instances
    from capmodels.series import Series

_CAUSES = {"owned": "existing", "rented": "remaining"}


def kept_cores(plan: CapacityPlan | None, scene: Scene) -> Series | None:
    """Busy cores that what is kept carries, by month; None where nothing is."""
    return _by_month(plan, scene, lambda one: one.cores_count)


def kept_ram_gib(plan: CapacityPlan | None, scene: Scene) -> Series | None:
    """RAM in use that what is kept holds, by month; None where nothing is kept. [GiB]

    Where it is not entered, that of the work, at its peak, that the cores are busy with.
    """

    def of(one: KeptCapacity) -> Amount:
        if one.ram_gib is not None:
            return one.ram_gib
        timeline, peak, fixed = scene.timeline, scene.p99_ratio, scene.work.ram_fixed_fraction
        at_peak = timeline.ram_gib.today * (fixed + (1.0 - fixed) * peak)
        return one.cores_count * at_peak / at_least(timeline.cores.today * peak, TINY)

    return _by_month(plan, scene, of)


def _by_month(
    plan: CapacityPlan | None, scene: Scene, of: Callable[[KeptCapacity], Amount]
) -> Series | None:
    if plan is None or not plan.kept or scene.demand is None:
        return None
    ends = {min(one.until_month, scene.months) for one in plan.kept}
    edges = sorted({0, scene.months, *ends})
    values: list[Amount] = []
    for first in edges[:-1]:
        total: Amount = 0.0
        for one in plan.kept:
            if first < one.until_month:
                total = total + of(one)
        values.append(total)
    return scene.form.steps(values, [end - first for first, end in pairwise(edges)])


@dataclass(frozen=True, slots=True)
class KeptInstances:
    """What is kept, in instances of a kind: by its cores, and how many fewer by its RAM."""

    by_cores: Series
    less_by_ram: Series


def kept_instances(
    item: Instances, plan: CapacityPlan | None, scene: Scene
) -> KeptInstances | None:
    """Count what is kept as instances by month; None where nothing is.

    As nodes are in `sizing`: by cores, with their part of the traffic, and by RAM apart.
    """
    cores, ram_gib = kept_cores(plan, scene), kept_ram_gib(plan, scene)
    if cores is None or ram_gib is None:
        return None
    rates, timeline = need_rates(item, scene), scene.timeline
    today = timeline.cores.today
    whole = rates.need(today, 0.0, 0.0, timeline.traffic_tb.today).slope
    by_cores = scaled(cores, whole / at_least(today, TINY))
    per_gib = rates.per_fixed_gib + rates.per_scaling_gib
    if is_zero(per_gib) or is_zero(timeline.ram_gib.today):
        # Cores alone are asked for.
        return KeptInstances(by_cores, scaled(by_cores, 0.0))
    return KeptInstances(by_cores, add(by_cores, scaled(ram_gib, -per_gib)))


def kept_shares(plan: CapacityPlan | None, scene: Scene) -> list[Amount] | None:
    """Share of the core-hours of each interval that runs on what is kept, which is filled first."""
    cores = kept_cores(plan, scene)
    if cores is None:
        return None
    ratios = each(
        lambda kept, all_: kept / at_least(all_, TINY), cores, scene.timeline.cores.monthly
    )
    above, mean = each(scene.curves.load.excess, ratios), scene.form.mean
    return [at_least(1.0 - mean(above, interval.first, interval.end), 0.0)
            for interval in scene.intervals]  # fmt: skip


def cost_kept(plan: CapacityPlan | None, scene: Scene, book: Book) -> None:
    """Write what is paid for what is kept, as today, until it ends."""
    for one in () if plan is None else plan.kept:
        months = range(min(one.until_month, scene.months))
        book.span(_CAUSES[one.side], months, one.usd_per_month, one.side)
