"""Rule 7: what one has. Commitments that run off in all designs; sunk value out, resale in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule
from capmodels.plans.words import money

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Commitments of today that nobody pays who leaves, and machines worth nothing to them."""
    today = study.baseline
    if today is None:
        return
    months = max(
        (line.committed_months(study.assumptions.starts_on) or 0 for line in today.lines),
        default=0,
    )
    if months > 0 and not today.commitments_owed_by_all and _left_early(study, months):
        pointer = "/baseline/commitments_owed_by_all"
        yield Found(
            pointer,
            f"What runs today is committed for {months} more months, and designs that leave it "
            "do not pay for that. Fix: every design pays what is committed until it runs off.",
            (Change(pointer, True),),
        )
    if today.book_value_usd > 0 and today.resale_usd is None:
        value = money(today.book_value_usd, study.assumptions.currency)
        yield Found(
            "/baseline/resale_usd",
            f"The machines of today stand in the books with {value}, which is "
            "spent whatever is decided; what they fetch when a design leaves them is not counted. "
            "Enter what they would be sold for.",
        )


def _left_early(study: StudySpec, months: int) -> bool:
    """Whether a design stops paying for today's machines before they have run off."""
    moves = [design.migration for design in study.designs]
    return any(m.parallel_letter != "T" or m.parallel_months < months for m in moves)


RULE = Rule(7, "What one has", find)
