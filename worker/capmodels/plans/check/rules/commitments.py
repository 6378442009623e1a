"""Rule 23: commitments unused, or short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.cost.commitment import best_quantile_fraction
from capmodels.plans.check.rule import Change, Found, Rule, clouds, demand_of
from capmodels.plans.costing.cloud_cost import on_demand_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# A level this close to the best is as good.
NEAR = 0.1


def find(study: StudySpec) -> Iterator[Found]:
    """Levels of commitment away from that which costs least."""
    work = demand_of(study)
    if work is None or work.shape.kind == "flat":
        return
    for design in clouds(study):
        if len(design.commitments) != 1:
            continue
        only = design.commitments[0]
        if only.base_quantile_fraction is None:
            continue
        best = best_quantile_fraction((1.0 - only.discount_fraction) / on_demand_ratio(design))
        if abs(only.base_quantile_fraction - best) > NEAR:
            pointer = f"/designs/{design.letter}/commitments/0/base_quantile_fraction"
            yield Found(
                pointer,
                f"{design.letter} commits to the {only.base_quantile_fraction:.0%} percentile of "
                f"demand; at {only.discount_fraction:.0%} off the {best:.0%} percentile costs "
                "least. Fix: the level that costs least.",
                (Change(pointer, None),),
            )


RULE = Rule(23, "Commitments used", find)
