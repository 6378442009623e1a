"""What a cash flow comes to: years, depreciation, tax, rate of return, break-even."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, Literal

from capmodels.amounts import fsum, is_number
from capmodels.cost.depreciation import written_off_usd
from capmodels.cost.irr import modified_return_fraction, return_fraction
from capmodels.cost.npv import monthly_rate_fraction
from capmodels.equations import is_collecting
from capmodels.numbers import is_same
from capmodels.plans.costing.lease import repaid_usd
from capmodels.units import MONTHS_PER_YEAR
from capmodels.worked import kept, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.amounts import Amount, AmountT
    from capmodels.cost.depreciation import Method
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.group_plan import Batch
    from capmodels.plans.document.assumptions import Depreciation, Tax
    from capmodels.plans.document.owned import Lease


def by_year(series: Sequence[Amount]) -> list[Amount]:
    """Sums of a monthly series by year; month 0, the start, belongs to the first. [USD]"""
    years = []
    for first in range(1, len(series), MONTHS_PER_YEAR):
        total = sum(series[first : first + MONTHS_PER_YEAR])
        years.append(total + series[0] if first == 1 else total)
    return years


def depreciation_usd(
    batch: Batch, rule: Depreciation, years: int, offset_months: int = 0
) -> list[Amount]:
    """What the books write off of one purchase in each year, until it goes. [USD]

    What is left when a machine is replaced is written off then. Years begin some months before
    the first month where they are fiscal ones.
    """
    held = range(batch.month + offset_months, batch.gone_month + offset_months)
    how = rule.method, rule.life_months, rule.bonus_fraction
    paid_usd = batch.paid_usd
    if is_number(paid_usd) and is_number(rule.bonus_fraction) and not is_collecting():
        return list(_known_lines_usd(paid_usd, how, held, years))
    return _lines_usd(batch.paid_usd, how, held, years)


# Method, life in months, bonus.
_How = tuple["Method", int, float]


def _lines_usd(paid_usd: AmountT, how: _How, held: range, years: int) -> list[AmountT]:
    method, life_months, bonus_fraction = how
    return written_off_usd(
        paid_usd,
        method,
        life_months=life_months,
        years=years,
        held=held,
        bonus_fraction=bonus_fraction,
    )


# A slider leaves most purchases as they were: some 200 of each of ten designs.
@kept(4096)
def _known_lines_usd(paid_usd: float, how: _How, held: range, years: int) -> tuple[float, ...]:
    return tuple(_lines_usd(paid_usd, how, held, years))


def book_value_left_usd(batch: Batch, lines_usd: Sequence[Amount]) -> Amount:
    """Price not yet written off when a purchase goes. [USD]"""
    left = batch.paid_usd
    for line in lines_usd:
        left = left - line
    return left


def cost_tax(
    book: Book,
    batches: list[Batch],
    tax: Tax,
    rule: Depreciation,
    lease: Lease | None = None,
    *,
    owned: bool,
) -> None:
    """Write the tax that costs save: at the end of each year, on costs and depreciation.

    ``batches`` are the machines in the books: those bought, and those of a ``lease`` that is
    bought out, of whose payments the principal is no cost. What goes, or is there at the end of
    the horizon, is taken as sold for its salvage value, so that what the books still hold is
    written off against that.
    """
    years = -(-book.horizon_months // MONTHS_PER_YEAR)
    all_cash, capital = by_year(book.cash()), by_year(book.capital_cash())
    purchases: list[Amount] = [0.0] * years
    deducted = [cash - spent for cash, spent in zip(all_cash, capital, strict=True)]
    for batch in batches:
        lines = depreciation_usd(batch, rule, years)
        for year, line in enumerate(lines):
            deducted[year] = deducted[year] + line
        bought = batch.month // MONTHS_PER_YEAR
        gone = min(batch.gone_month, book.horizon_months - 1) // MONTHS_PER_YEAR
        if lease is None:
            purchases[bought] = purchases[bought] + batch.paid_usd
        else:
            for year in range(years):
                repaid = repaid_usd(lease, batch, year, book.horizon_months)
                purchases[year] = purchases[year] + repaid
        deducted[gone] = deducted[gone] + book_value_left_usd(batch, lines)
    for year in range(years):
        salvage = capital[year] - purchases[year]
        costs = named(deducted[year], "Costs and depreciation of the year", "USD")
        saved = (costs + named(salvage, "Salvage, negative", "USD")) * tax.rate_fraction
        month = min((year + 1) * MONTHS_PER_YEAR, book.horizon_months) - 1
        book.month("tax", month, -saved, "owned" if owned else "rented")


# 10,000% a year: above it next to nothing is spent, and the rate says nothing.
RETURN_MOST = 100.0
_WITHOUT_RATE = {
    "no_outlay": "It spends no more at the start, so there is nothing to return.",
    "not_returned": "What it spends more at the start does not come back within the horizon.",
    "several_rates": "The payments change sign more than once, so no single rate fits.",
    "too_high": "More than 10,000% a year: hardly more is spent at the start.",
}


def irr_fraction_per_year(gains_usd: Sequence[float]) -> tuple[float | None, str | None]:
    """Yearly rate of spending now to save later, or why there is none.

    ``gains_usd`` are monthly, what is spent being negative.
    """
    rate, reason = return_fraction(gains_usd)
    if rate is None or reason is not None:
        return None, _WITHOUT_RATE[reason or "no_outlay"]
    if MONTHS_PER_YEAR * math.log1p(rate) > math.log1p(RETURN_MOST):
        return None, _WITHOUT_RATE["too_high"]
    return (1.0 + rate) ** MONTHS_PER_YEAR - 1.0, None


def mirr_fraction_per_year(
    gains_usd: Sequence[float], rate_fraction_per_year: float
) -> float | None:
    """Modified rate of return a year, both rates the cost of capital; None without one."""
    month = monthly_rate_fraction(rate_fraction_per_year)
    rate = modified_return_fraction(gains_usd, finance_fraction=month, reinvest_fraction=month)
    if rate is None or MONTHS_PER_YEAR * math.log1p(rate) > math.log1p(RETURN_MOST):
        return None
    return (1.0 + rate) ** MONTHS_PER_YEAR - 1.0


@dataclass(frozen=True, slots=True)
class Crossing:
    """When one cumulative cost comes below another, for good within the horizon."""

    first_month_cheaper: int | None
    exact_months: float | None
    crossings_count: int
    cost_usd: float | None
    reason: Literal["never", "always", "same"] | None


def crossing(challenger: Sequence[float], incumbent: Sequence[float]) -> Crossing:
    """Return the last time at which the challenger becomes the cheaper one.

    The series are cumulative by month. Between two months both are taken as straight
    lines; a month counts as cheaper when the challenger is cheaper at its end. Two that have
    cost the same in every month have no crossing.
    """
    if all(map(is_same, challenger, incumbent)):
        return Crossing(None, None, 0, None, "same")
    leads = list(map(sub, incumbent, challenger))
    ahead = [lead > 0.0 for lead in leads]
    turns = []
    if True in ahead and False in ahead:
        turns = [
            month
            for month in range(1, len(leads))
            if ahead[month] != ahead[month - 1] and not (leads[month - 1] == 0.0 and month == 1)
        ]
    if leads[-1] <= 0.0:
        return Crossing(None, None, len(turns), None, "never")
    if not turns:
        return Crossing(1 if leads[0] == 0.0 else 0, 0.0, 0, challenger[0], "always")
    month = turns[-1]
    before, after = leads[month - 1], leads[month]
    part = -before / (after - before)
    cost = challenger[month - 1] + part * (challenger[month] - challenger[month - 1])
    return Crossing(month, month - 1 + part, len(turns), cost, None)


def cumulative(series: Sequence[Amount]) -> list[Amount]:
    """Running sum of a monthly series."""
    return list(accumulate(series))


def total(series: Sequence[Amount]) -> float:
    """Exact sum of numbers."""
    return fsum(series)
