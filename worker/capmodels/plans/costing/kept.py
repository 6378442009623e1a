"""What of today a plan keeps until it ends: machines and commitments, what they carry and cost."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least
from capmodels.series import each

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.capacity_plan import CapacityPlan
    from capmodels.series import Series

_CAUSES = {"owned": "existing", "rented": "remaining"}


def kept_cores(plan: CapacityPlan | None, scene: Scene) -> Series | None:
    """Busy cores that what is kept carries, by month; None where nothing is."""
    if plan is None or not plan.kept or scene.demand is None:
        return None
    ends = {min(one.until_month, scene.months) for one in plan.kept}
    edges = sorted({0, scene.months, *ends})
    values: list[Amount] = []
    for first in edges[:-1]:
        total: Amount = 0.0
        for one in plan.kept:
            if first < one.until_month:
                total = total + one.cores_count
        values.append(total)
    return scene.form.steps(values, [end - first for first, end in pairwise(edges)])


def kept_ratios(plan: CapacityPlan | None, scene: Scene) -> Series | None:
    """Ratio of demand to its mean that what is kept carries, by month; None where nothing is.

    With its busy cores it has the RAM of the work that they are busy with.
    """
    cores = kept_cores(plan, scene)
    if cores is None:
        return None
    return each(lambda kept, all_: kept / at_least(all_, TINY), cores, scene.timeline.cores.monthly)


def kept_shares(plan: CapacityPlan | None, scene: Scene) -> list[Amount] | None:
    """Share of the core-hours of each interval that runs on what is kept, which is filled first."""
    ratios = kept_ratios(plan, scene)
    if ratios is None:
        return None
    above, mean = each(scene.curves.load.excess, ratios), scene.form.mean
    return [at_least(1.0 - mean(above, interval.first, interval.end), 0.0)
            for interval in scene.intervals]  # fmt: skip


def cost_kept(plan: CapacityPlan | None, scene: Scene, book: Book) -> None:
    """Write what is paid for what is kept, as today, until it ends."""
    for one in () if plan is None else plan.kept:
        months = range(min(one.until_month, scene.months))
        book.span(_CAUSES[one.side], months, one.usd_per_month, one.side)
