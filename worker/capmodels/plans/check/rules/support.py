"""Rule 14: support and warranty that end before the horizon does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Found, Rule, clouds
from capmodels.plans.document.fields import whole_months

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# AWS replaces its Business plan for new terms from 2027 (AWS Support tier strategy guide 2026).
AWS_BUSINESS_UNTIL = "2026-12-31"


def find(study: StudySpec) -> Iterator[Found]:
    """Support plans whose terms change within the study."""
    start, months = study.assumptions.starts_on, study.assumptions.horizon_months
    if start is None:
        return
    left = whole_months(start, AWS_BUSINESS_UNTIL) if start <= AWS_BUSINESS_UNTIL else 0
    for design in clouds(study):
        if design.provider == "aws" and design.support.bands and left < months:
            yield Found(
                f"/designs/{design.letter}/support/bands",
                f"AWS replaces its Business support plan for new terms from 2027; the study runs "
                f"{months - left} months beyond it at the present price.",
            )


RULE = Rule(14, "Support to the end", find)
