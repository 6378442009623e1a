"""Rule 23: commitments unused, or short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.own_best import committed_best
from capmodels.plans.check.rule import Found, Rule, clouds, demand_of
from capmodels.plans.costing.scene import Scene
from capmodels.plans.search import committed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# A level this close to the best, in parts of today's peak, is as good.
NEAR = 0.1


def find(study: StudySpec) -> Iterator[Found]:
    """Levels of commitment away from that which costs least."""
    work = demand_of(study)
    if work is None or work.shape.kind == "flat":
        return
    scene = Scene(study)
    for design in clouds(study):
        better = committed_best(design, study, scene)
        if better is None:
            continue
        if abs(committed(design, scene) - committed(design, scene, best=True)) > NEAR:
            yield better.found


RULE = Rule(23, "Commitments used", find)
