"""What the arrays of a design are like year by year, as they grow. Points only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.numbers import counted
from capmodels.plans.costing.array_cost import mean_per_s, power_at
from capmodels.plans.costing.array_durability import survival_of
from capmodels.plans.costing.array_load import idle_box
from capmodels.plans.costing.array_size import (
    arrays_count,
    cluster_nodes_count,
    step_nodes_count,
    unit_of,
    units_count,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.array_durability import Survival
    from capmodels.plans.costing.scene import Scene
    from capmodels.spec import JSONDict

    Response = Callable[[float], tuple[float | None, float | None]]


def growth_in_words(plan: ArrayPlan, scene: Scene) -> str | None:
    """By what the arrays grow, from how many to how many; None where their number is entered."""
    array, unit = plan.array, unit_of(plan.array)
    if array.count is not None:
        return None
    ends = (scene.year_end(0), -1)
    first, last = (as_number(units_count(array, plan.counts[at])) for at in ends)
    steps = {"node": step_nodes_count(array), "drive": array.step_drives_count}
    span = f"{counted(first, unit.name)} in year 1"
    if scene.years > 1:
        span += f", {last:,.0f} in year {scene.years}"
    return f"{span}; grows by {counted(steps.get(unit.name, 1), unit.name)}."


def array_years(
    plan: ArrayPlan, scene: Scene, refresh_months: int | None, response: Response
) -> list[JSONDict]:
    """Size, load, power and durability at the end of each year, as ``storage_figures.ArrayYear``.

    ``response`` says how long a request to one array takes at a rate of requests: the mean, and
    within what 99% stay.
    """
    known: dict[float, Survival] = {}
    return [
        _year(
            plan,
            scene,
            year,
            _survival(plan, scene, refresh_months, scene.year_end(year), known),
            response,
        )
        for year in range(scene.years)
    ]


def _survival(
    plan: ArrayPlan,
    scene: Scene,
    refresh_months: int | None,
    at: int,
    known: dict[float, Survival],
) -> Survival:
    """Survival of an interval; those of as many drives share it."""
    count = as_number(plan.counts[at])
    if count not in known:
        known[count] = survival_of(plan, scene, refresh_months, at)
    return known[count]


def _year(
    plan: ArrayPlan, scene: Scene, year: int, survival: Survival, response: Response
) -> JSONDict:
    at = scene.year_end(year)
    array, count = plan.array, as_number(plan.counts[at])
    end, usable = scene.intervals[at].end, count * array.usable_tb
    peak_per_s = as_number(plan.peaks_per_s[at])
    power = power_at(plan, at, mean_per_s(plan, scene, at))
    mean_ms, p99_ms = response(peak_per_s / count if count else 0.0)
    return {
        "year": year + 1,
        "arrays_count": arrays_count(array, count),
        "nodes_count": cluster_nodes_count(array, count),
        "drives_count": plan.drives_count(at),
        "usable_tb": usable,
        "used_fraction": plan.held_tb(scene, end) / usable if usable else None,
        "requests_per_s": peak_per_s,
        "iops_ceiling_per_s": count * plan.iops_ceiling_per_s(count),
        "response_mean_ms": mean_ms,
        "response_p99_ms": p99_ms,
        "mean_w": plan.total(at, power.total_w, idle_box(array).total_w),
        "loss_fraction_per_year": survival.loss_fraction,
        "object_nines_count": survival.nines_count,
        "rebuild_h": survival.rebuild_h,
        "failures_per_year": survival.failures_per_year,
    }
