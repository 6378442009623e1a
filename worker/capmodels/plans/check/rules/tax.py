"""Rule 21: tax for some. What is bought is written off as the law lets it, in all designs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# 26 U.S.C. 168(k): all of the price in the year of purchase, if acquired after this day.
BONUS_AFTER = "2025-01-19"
US_CLASS = "macrs_5"


def find(study: StudySpec) -> Iterator[Found]:
    """Machines written off over years where rent is deducted at once and the law has a bonus."""
    assumptions = study.assumptions
    rule = assumptions.depreciation
    bought = [d.letter for d in study.designs if _buys(d)]
    if not assumptions.tax.counted or not bought:
        return
    start = assumptions.starts_on
    pointer = "/assumptions/depreciation/bonus_fraction"
    if rule.method == US_CLASS and rule.bonus_fraction < 1 and start and start > BONUS_AFTER:
        yield Found(
            pointer,
            f"Rent is deducted when it is paid, and the machines of {', '.join(bought)} over six "
            "years, though the United States let all of their price be written off in the year of "
            "purchase. Fix: a first-year bonus of 100%.",
            (Change(pointer, 1.0),),
        )
    if rule.method != US_CLASS and rule.bonus_fraction > 0:
        yield Found(
            pointer,
            "The first-year bonus is the law of the United States, whose class of computers is "
            "MACRS; the rest is written off evenly here. Fix: that class.",
            (Change("/assumptions/depreciation/method", US_CLASS),),
        )


def _buys(design: object) -> bool:
    finance = getattr(design, "finance", None)
    return finance is not None and (finance.kind == "buy" or not finance.is_returned)


RULE = Rule(21, "Tax for all", find)
