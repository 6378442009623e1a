"""Rule 24: delivery. Owned machines that work before they can be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters
from capmodels.plans.check.typical import LEAD_TIME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Purchases on the first day with neither a lead time nor months in which both run.

    Where nothing is rented and nobody waits, designs are alike.
    """
    owned = clusters(study)
    if not clouds(study) and all(design.lead_time_months <= 0 for design in owned):
        return
    for design in owned:
        if design.lead_time_months <= 0 and design.migration.parallel_months <= 0:
            at = f"/designs/{design.letter}"
            months = LEAD_TIME.value
            place = _bridge(study, design.letter)
            changes: tuple[Change, ...] = (Change(f"{at}/lead_time_months", round(months)),)
            if place is not None:
                changes += (
                    Change(f"{at}/migration/parallel_letter", place),
                    Change(f"{at}/migration/parallel_months", months),
                )
            yield Found(
                f"{at}/lead_time_months",
                f"The machines of {design.letter} work from the first day. Fix: delivered after "
                f"{LEAD_TIME.told}, and "
                + ("what carries the work" if place is None else _named(place))
                + " paid for until then.",
                changes if place is not None else (),
            )


def _bridge(study: StudySpec, letter: str) -> str | None:
    """What carries the work until machines are there: what runs today, else the first cloud."""
    if study.baseline is not None:
        return "T"
    return next((d.letter for d in clouds(study) if d.letter != letter), None)


def _named(place: str) -> str:
    return "what runs today" if place == "T" else place


RULE = Rule(24, "Delivery", find)
