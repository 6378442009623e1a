"""Rule 23: commitments unused, or short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, demand_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# A level this close to the best is as good.
NEAR = 0.1


def find(study: StudySpec) -> Iterator[Found]:
    """Levels of commitment away from where one more instance saves as much as it idles.

    An instance committed above the quantile q runs 1 - q of the hours on demand at full price,
    committed it costs 1 - d always: the best level of a level demand is q = d.
    """
    work = demand_of(study)
    if work is None or work.shape.kind == "flat":
        return
    for design in clouds(study):
        if len(design.commitments) != 1:
            continue
        only = design.commitments[0]
        if abs(only.base_quantile_fraction - only.discount_fraction) > NEAR:
            pointer = f"/designs/{design.letter}/commitments/0/base_quantile_fraction"
            yield Found(
                pointer,
                f"{design.letter} commits to the {only.base_quantile_fraction:.0%} percentile of "
                f"demand; at {only.discount_fraction:.0%} off about the "
                f"{only.discount_fraction:.0%} percentile is best. Fix: that level.",
                (Change(pointer, only.discount_fraction),),
            )


RULE = Rule(23, "Commitments used", find)
