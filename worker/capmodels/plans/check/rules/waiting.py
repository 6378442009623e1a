"""Rule 30: work that waits for delivery. New work paid for twice, or a move paid for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

AT = "/assumptions/until_delivery"


def find(study: StudySpec) -> Iterator[Found]:
    """Designs that pay for two places at once, or for none, while machines are on their way.

    Where there is no other place, all designs wait alike.
    """
    until = study.assumptions.until_delivery
    waited = [design for design in clusters(study) if design.lead_time_months > 0]
    twice = [design for design in waited if design.migration.parallel_months > 0]
    if until == "not_settled" and twice:
        letters = ", ".join(design.letter for design in twice)
        yield Found(
            AT,
            f"{letters}: another place is paid for while machines are on their way, and the "
            "machines too. Is the work new or moved? Fix: moved, so that own machines cost from "
            "their delivery on; where the work is new, let it wait.",
            (Change(AT, "bridged"),),
        )
    if until != "bridged" or (not clouds(study) and study.baseline is None):
        return
    for design in waited:
        if not design.migration.is_bridged:
            yield Found(
                f"/designs/{design.letter}/migration/parallel_letter",
                f"The work of {design.letter} has no site for the {design.lead_time_months} months "
                "until its machines are there. Fix: name the current site.",
            )


RULE = Rule(30, "Waiting for delivery", find)
