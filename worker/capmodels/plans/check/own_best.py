"""What a design would cost at the best of what its own fields leave open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.numbers import percent
from capmodels.plans.check.rule import Change, Found
from capmodels.plans.costing.cloud_rent import paid_ratio
from capmodels.plans.search import OWNED_QUANTILES, committed, sums_of
from capmodels.plans.words import money

if TYPE_CHECKING:
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.hybrid import Hybrid
    from capmodels.plans.document.study import StudySpec


@dataclass(frozen=True, slots=True)
class Better:
    """That a design could cost less by one of its own fields, and how much in parts of its cost."""

    found: Found
    less_fraction: float


def committed_best(design: Cloud, study: StudySpec, scene: Scene) -> Better | None:
    """A commitment against the level that costs least; None where there is not one of its own."""
    if len(design.commitments) != 1 or design.commitments[0].base_quantile_fraction is None:
        return None
    only = design.commitments[0]
    open_level = only.model_copy(update={"base_quantile_fraction": None})
    best = design.model_copy(update={"commitments": (open_level,)})
    here, there = _usd(study, design), _usd(study, best)
    if here is None or there is None:
        return None
    pointer = f"/designs/{design.letter}/commitments/0/base_quantile_fraction"
    told = (
        f"{design.letter} commits to {percent(committed(design, scene))} of today's peak; at "
        f"{percent(1.0 - as_number(paid_ratio(only, design.instances[0])))} off, "
        f"{percent(committed(design, scene, best=True))} of it costs "
        f"{_less(here, there, study)}. Fix: the level that costs least."
    )
    return Better(Found(pointer, told, (Change(pointer, None),)), _fraction(here, there))


def owned_best(design: Hybrid, study: StudySpec) -> Better | None:
    """What a mix owns against the quantile that costs least of those tried; None without any."""
    here = _usd(study, design)
    if here is None or design.plan is not None or not design.placement.bursts:
        return None
    shares = {
        one: design.model_copy(update={"own_quantile_fraction": one}) for one in OWNED_QUANTILES
    }
    costs = {one: usd for one, moved in shares.items() if (usd := _usd(study, moved)) is not None}
    if not costs:
        return None
    best = min(costs, key=costs.__getitem__)
    pointer = f"/designs/{design.letter}/own_quantile_fraction"
    told = (
        f"{design.letter} owns what is in use {percent(1.0 - design.own_quantile_fraction)} of the "
        f"time or more; what is in use {percent(1.0 - best)} of the time costs "
        f"{_less(here, costs[best], study)}. Fix: owned up to the {percent(best)} quantile."
    )
    return Better(Found(pointer, told, (Change(pointer, best),)), _fraction(here, costs[best]))


def _usd(study: StudySpec, design: Cloud | Hybrid) -> float | None:
    """What a study's design comes to as it is given; None where it does not meet demand. [USD]"""
    others = tuple(design if one.letter == design.letter else one for one in study.designs)
    moved = study.model_copy(update={"designs": others})
    sums = sums_of(moved, {design.letter})[design.letter]
    return None if sums.lack is not None else sums.cost_usd


def _fraction(here_usd: float, there_usd: float) -> float:
    return 1.0 - there_usd / here_usd if here_usd > 0 else 0.0


def _less(here_usd: float, there_usd: float, study: StudySpec) -> str:
    usd, share = here_usd - there_usd, _fraction(here_usd, there_usd)
    currency = study.assumptions.currency
    return f"{money(usd, currency)} ({percent(share)}) less" if usd > 0 else "least"
