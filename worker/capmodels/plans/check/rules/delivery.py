"""Rule 24: delivery. Owned machines that work before they can be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Found, Rule, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Purchases on the first day with neither a lead time nor months in which both run."""
    for design in clusters(study):
        if design.lead_time_months <= 0 and design.migration.parallel_months <= 0:
            yield Found(
                f"/designs/{design.letter}/lead_time_months",
                f"The machines of {design.letter} work from the first day. Enter the lead time, or "
                "the months in which the current site runs on.",
            )


RULE = Rule(24, "Delivery", find)
