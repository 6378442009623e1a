"""Rule 23: commitments unused, or short."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.numbers import percent
from capmodels.plans.check.rule import Change, Found, Rule, clouds, demand_of
from capmodels.plans.costing.cloud_cost import offer_of
from capmodels.plans.costing.cloud_rent import base_count, machines_at, paid_ratio
from capmodels.plans.costing.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.cloud import Cloud
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
        if len(design.commitments) != 1:
            continue
        only = design.commitments[0]
        if only.base_quantile_fraction is None:
            continue
        entered, best = _level(design, scene), _level(design, scene, best=True)
        if abs(entered - best) > NEAR:
            off = 1.0 - as_number(paid_ratio(only, design.instances[0]))
            pointer = f"/designs/{design.letter}/commitments/0/base_quantile_fraction"
            yield Found(
                pointer,
                f"{design.letter} commits to {percent(entered)} of today's peak; at "
                f"{percent(off)} off, {percent(best)} of it costs least. "
                "Fix: the level that costs least.",
                (Change(pointer, None),),
            )


def _level(design: Cloud, scene: Scene, *, best: bool = False) -> float:
    """What is committed at first, in parts of what today's peak needs."""
    offer = offer_of(design, 0)
    if best:
        left_open = offer.commitments[0].model_copy(update={"base_quantile_fraction": None})
        offer = replace(offer, commitments=(left_open,))
    peak = as_number(machines_at(offer.item, scene, 0, scene.curves.load.peak))
    return as_number(base_count(offer, 0, scene, 0)) / peak if peak else 0.0


RULE = Rule(23, "Commitments used", find)
