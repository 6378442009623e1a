"""Rule 10: staff on one side only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule
from capmodels.plans.check.typical import PEOPLE_CLOUD, PEOPLE_OWNED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Designs that nobody runs, beside designs that somebody does."""
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


RULE = Rule(10, "Staff on all sides", find)
