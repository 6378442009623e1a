"""What was paid so far beside what was planned, with the band of the simulations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from reports.render.contents import JSONDict
    from reports.render.figures.shapes import Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidFigure:
    """Running sums by month of the plan, the first being month 1. [USD]"""

    id: str
    title: str
    summary: str
    letter: str
    y_title: str
    months: tuple[str, ...]
    planned: Numbers
    actual: Numbers
    low: Numbers
    high: Numbers


def paid_so_far(found: JSONDict, currency: Currency) -> PaidFigure:
    """Return what the page of a study draws of plan and actual cost."""
    months = found["months"]
    return PaidFigure(
        id="actuals",
        title="Paid so far, planned and actual",
        summary=found["sentence"],
        letter=found["letter"],
        y_title=f"Cumulative cost ({currency.code})",
        months=tuple(one["month"] for one in months),
        planned=tuple(one["planned_so_far_usd"] for one in months),
        actual=tuple(one["actual_so_far_usd"] for one in months),
        low=tuple(one["p10_so_far_usd"] for one in months),
        high=tuple(one["p90_so_far_usd"] for one in months),
    )
