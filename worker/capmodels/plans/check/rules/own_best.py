"""Rule 29: one side far from its own best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.own_best import committed_best, owned_best
from capmodels.plans.check.rule import Found, Rule, clouds, demand_of
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.hybrid import Hybrid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# A design that costs this much more than its own best, in parts of its cost, is far from it: what
# a verdict calls probable needs as much.
FAR = 0.01


def find(study: StudySpec) -> Iterator[Found]:
    """Levels of commitment and shares that are owned, where others cost much less."""
    if demand_of(study) is None:
        return
    scene = Scene(study)
    mixes = [design for design in study.designs if isinstance(design, Hybrid)]
    better = [committed_best(design, study, scene) for design in clouds(study)]
    better += [owned_best(design, study) for design in mixes]
    for one in better:
        if one is not None and one.less_fraction > FAR:
            yield one.found


RULE = Rule(29, "Each at its own best", find)
