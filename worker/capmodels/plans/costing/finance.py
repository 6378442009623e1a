"""What a cash flow comes to: years, depreciation, tax, rate of return, break-even."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import sub
from typing import TYPE_CHECKING, Literal

from capmodels.cost.depreciation import MACRS_5_FRACTIONS
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.owned_cost import Batch
    from capmodels.plans.document.assumptions import Depreciation, Tax

IRR_ROUNDS = 100
IRR_PRECISION = 1e-13


def by_year(series: Sequence[float]) -> list[float]:
    """Sums of a monthly series by year; month 0, the start, belongs to the first. [USD]"""
    years = []
    for first in range(1, len(series), MONTHS_PER_YEAR):
        total = sum(series[first : first + MONTHS_PER_YEAR])
        years.append(total + series[0] if first == 1 else total)
    return years


def depreciation_usd(batch: Batch, rule: Depreciation, years: int) -> list[float]:
    """What the books write off of one purchase in each year, until it goes. [USD]

    Straight line spreads the price over its months, counted from the purchase; MACRS has a
    share for each year from that of the purchase on. What is left when a machine is
    replaced is written off then.
    """
    lines = [0.0] * years
    if rule.method == "macrs_5":
        for age, share in enumerate(MACRS_5_FRACTIONS):
            year = batch.month // MONTHS_PER_YEAR + age
            if year < years and year * MONTHS_PER_YEAR < batch.gone_month:
                lines[year] = batch.paid_usd * share
    else:
        for year in range(years):
            start = max(year * MONTHS_PER_YEAR, batch.month)
            end = min((year + 1) * MONTHS_PER_YEAR, batch.month + rule.life_months)
            held = min(end, batch.gone_month) - start
            lines[year] = batch.paid_usd * (max(held, 0) / rule.life_months)
    return lines


def book_value_left_usd(batch: Batch, rule: Depreciation, years: int) -> float:
    """Price not yet written off when a purchase goes. [USD]"""
    left = batch.paid_usd
    for line in depreciation_usd(batch, rule, years):
        left = left - line
    return left


def cost_tax(
    book: Book, batches: list[Batch], tax: Tax, rule: Depreciation, *, owned: bool
) -> None:
    """Write the tax that costs save: at the end of each year, on costs and depreciation.

    What goes, or is there at the end of the horizon, is taken as sold for its salvage
    value, so that what the books still hold is written off against that.
    """
    years = -(-book.horizon_months // MONTHS_PER_YEAR)
    all_cash, capital = by_year(book.cash()), by_year(book.capital_cash())
    purchases = [0.0] * years
    deducted = [cash - spent for cash, spent in zip(all_cash, capital, strict=True)]
    for batch in batches:
        lines = depreciation_usd(batch, rule, years)
        for year, line in enumerate(lines):
            deducted[year] = deducted[year] + line
        bought = batch.month // MONTHS_PER_YEAR
        gone = min(batch.gone_month, book.horizon_months - 1) // MONTHS_PER_YEAR
        purchases[bought] = purchases[bought] + batch.paid_usd
        deducted[gone] = deducted[gone] + book_value_left_usd(batch, rule, years)
    for year in range(years):
        salvage = capital[year] - purchases[year]
        saved = (deducted[year] + salvage) * tax.rate_fraction
        month = min((year + 1) * MONTHS_PER_YEAR, book.horizon_months) - 1
        book.month("tax", month, -saved, "owned" if owned else "rented")


def irr_fraction_per_year(gains_usd: Sequence[float]) -> tuple[float | None, str | None]:
    """Yearly rate at which spending now to save later is worth nothing, or why there is none.

    ``gains_usd`` are monthly, what is spent being negative. One rate is certain when the
    running sum changes sign once (Norstrom 1972).
    """
    first = next((gain for gain in gains_usd if gain != 0.0), 0.0)
    if first >= 0.0:
        return None, "It spends no more at the start, so there is nothing to return."
    sums = [total for total in accumulate(gains_usd) if total != 0.0]
    if sums[-1] < 0.0:
        return None, "What it spends more at the start does not come back within the horizon."
    if sum((a > 0) != (b > 0) for a, b in pairwise(sums)) > 1:
        return None, "The payments change sign more than once, so no single rate fits."
    factor = _root_factor(gains_usd)
    return factor**-MONTHS_PER_YEAR - 1.0, None


def _root_factor(gains_usd: Sequence[float]) -> float:
    """Monthly discount factor in (0, 1] at which the gains are worth nothing."""
    low, high, factor = 0.0, 1.0, 1.0
    for _ in range(IRR_ROUNDS):
        value, slope = 0.0, 0.0
        for gain in reversed(gains_usd):
            slope = slope * factor + value
            value = value * factor + gain
        if value > 0.0:
            high = factor
        else:
            low = factor
        step = factor - value / slope if slope else low
        after = step if low < step < high else 0.5 * (low + high)
        if abs(after - factor) <= IRR_PRECISION:
            return after
        factor = after
    return factor


@dataclass(frozen=True, slots=True)
class Crossing:
    """When one cumulative cost comes below another, for good within the horizon."""

    first_month_cheaper: int | None
    exact_months: float | None
    crossings_count: int
    cost_usd: float | None
    reason: Literal["never", "always"] | None


def crossing(challenger: Sequence[float], incumbent: Sequence[float]) -> Crossing:
    """Return the last time at which the challenger becomes the cheaper one.

    The series are cumulative by month. Between two months both are taken as straight
    lines; a month counts as cheaper when the challenger is cheaper at its end.
    """
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


def cumulative(series: Sequence[float]) -> list[float]:
    """Running sum of a monthly series."""
    return list(accumulate(series))


def total(series: Sequence[float]) -> float:
    """Exact sum of numbers."""
    return math.fsum(series)
