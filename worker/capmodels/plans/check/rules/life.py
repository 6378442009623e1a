"""Rule 6: life. Machines that are used beyond their life for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Horizons longer than the life of machines that nobody replaces."""
    for design in clusters(study):
        life = design.salvage.life_months
        if design.refresh_months is None and study.assumptions.horizon_months > life:
            pointer = f"/designs/{design.letter}/refresh_months"
            yield Found(
                pointer,
                f"The horizon is longer than the life of the hardware of {design.letter} "
                f"({life:g} months), which is not replaced. Fix: replace it at that age.",
                (Change(pointer, round(life)),),
            )


RULE = Rule(6, "Life and horizon", find)
