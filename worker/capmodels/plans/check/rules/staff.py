"""Rule 10: people. On all sides, and as many as what is run on each needs."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from capmodels.cost.people import PeopleParams, people
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.check.rule import Change, Found, Rule, demand_of
from capmodels.plans.check.runs import runs_of
from capmodels.plans.check.typical import PEOPLE_CLOUD, PEOPLE_OWNED
from capmodels.plans.costing.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# How good a team is, is one unknown for all designs: they may differ so much for what is run.
_APART_RATIO = 2.0
_NONE = {"hosts_count": 0, "racks_count": 0, "switches_count": 0, "sites_count": 0}


def find(study: StudySpec) -> Iterator[Found]:
    """Designs that nobody runs beside designs that somebody does, or that far fewer run."""
    paid = [d for d in study.designs if d.staff_fte > 0 or d.staff_usd_per_year > 0]
    if not paid:
        return
    for design in study.designs:
        if design in paid:
            continue
        typical = PEOPLE_CLOUD if design.kind == "cloud" else PEOPLE_OWNED
        pointer = f"/designs/{design.letter}/staff_fte"
        yield Found(
            pointer,
            f"{paid[0].letter} pays the people who run it, {design.letter} does not. Fix: "
            f"{typical.told(study.assumptions.currency)}.",
            (Change(pointer, typical.value),),
            not_counted=True,
        )
    if demand_of(study) is not None:
        yield from _followed(study)


def _followed(study: StudySpec) -> Iterator[Found]:
    """People who are few for what is run, beside those of the design nearest to the law."""
    work: dict[str, float] = {}
    for column in columns_of(study, Scene(study)):
        if column.result.kind in {"owned_cluster", "cloud", "hybrid"}:
            runs = runs_of(study, column.result)
            work[column.result.letter] = people(PeopleParams.model_validate(_NONE | runs)).fte
    teams = {
        design.letter: design.staff_fte / work[design.letter]
        for design in study.designs
        if work.get(design.letter) and design.staff_fte > 0 and design.staff_usd_per_year <= 0
    }
    if len(teams) < 2:
        return
    nearest = min(teams, key=lambda letter: abs(log(teams[letter])))
    for letter, ratio in teams.items():
        if ratio * _APART_RATIO < teams[nearest]:
            pointer = f"/designs/{letter}/staff_fte"
            given = next(d.staff_fte for d in study.designs if d.letter == letter)
            wanted = float(f"{work[letter] * teams[nearest]:.2g}")
            yield Found(
                pointer,
                f"{given:g} people run {letter}; as the people of {nearest} are to what they run, "
                f"{wanted:g} would. Fix: {wanted:g} people.",
                (Change(pointer, wanted),),
            )


RULE = Rule(10, "Staff on all sides", find)
