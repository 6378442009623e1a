"""Rule 5: end of the horizon. Hardware worth nothing while it has years to live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Machines given away at the end though they are younger than their life."""
    if study.assumptions.end == "work_continues":
        return
    for design in clusters(study):
        life = design.refresh_months or design.salvage.life_months
        if design.salvage.fraction <= 0 and life > study.assumptions.horizon_months:
            yield Found(
                f"/designs/{design.letter}/salvage/fraction",
                f"The hardware of {design.letter} lives {life:g} months and is worth nothing after "
                f"{study.assumptions.horizon_months}. Fix: work continues, each design charged for "
                "what it used.",
                (Change("/assumptions/end", "work_continues"),),
            )


RULE = Rule(5, "One end of the horizon", find)
