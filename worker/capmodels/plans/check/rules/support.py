"""Rule 14: support and warranty that end before the horizon does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters
from capmodels.plans.check.typical import MAINTENANCE
from capmodels.plans.document.fields import whole_months
from capmodels.providers import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Support plans whose terms change within the study, and warranties that end in it."""
    yield from _plans(study)
    horizon = study.assumptions.horizon_months
    for owned in clusters(study):
        support = owned.support
        covered = support.fraction_per_year + support.usd_per_year > 0
        ends = min(owned.refresh_months or horizon, horizon)
        if 0 < support.warranty_months < ends and not covered:
            at = f"/designs/{owned.letter}/support/fraction_per_year"
            yield Found(
                at,
                f"The warranty of {owned.letter} ends after {support.warranty_months} months, and "
                f"nothing is paid for the {ends - support.warranty_months} months of work after "
                f"it. Fix: {MAINTENANCE.told(study.assumptions.currency)}.",
                (Change(at, MAINTENANCE.value),),
                not_counted=True,
            )


def _plans(study: StudySpec) -> Iterator[Found]:
    start, months = study.assumptions.starts_on, study.assumptions.horizon_months
    if start is None:
        return
    for design in clouds(study):
        ends = design.support.valid_until
        known = PROVIDERS.get(design.provider)
        if ends is None and known is not None and design.support.bands:
            ends = known.support_until
        if ends is None:
            continue
        left = whole_months(start, ends) if start <= ends else 0
        if left < months:
            yield Found(
                f"/designs/{design.letter}/support/bands",
                f"The support plan of {design.letter} is sold at this price until {ends}; the "
                f"study runs {months - left} months beyond. Enter the plan that follows it.",
            )


RULE = Rule(14, "Support to the end", find)
