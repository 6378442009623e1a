"""A design in the books of its owner: one statement a fiscal year, as the ledger pays it.

The ledger says when money moves. The books say which year it belongs to: what is bought is written
off over its life, what is paid in advance over the months that it pays for, a lease by the
standard that the study goes by:

* IFRS 16: every lease is an asset and a liability (paragraphs 22 to 26); the asset is written off,
  over its life where it is bought out, else over the term (paragraph 32); interest is beside it.
* ASC 842: a lease that ends in a purchase is a finance lease, as above (842-10-25-2); one whose
  machines are returned is an operating lease, a level cost among the others (842-20-25-6).

Rent beyond the term, month by month, is a short-term lease and a cost of its month (IFRS 16.6,
ASC 842-20-25-2). No income is modelled, so that EBITDA and all results are negative: what a design
takes from them.

Whatever the standard, over any years: the result is the free cash plus what the balance gained,

    result = free cash + (assets + prepaid - lease liability) at the end - the same before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.amounts import as_number, fsum
from capmodels.cost.cashflow import annuity_factor
from capmodels.cost.depreciation import written_off_usd
from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.plans.comparison import FiscalYear
from capmodels.plans.costing.book import shown_month
from capmodels.plans.costing.cloud_cost import prepaid_usd
from capmodels.plans.costing.designs import cause_book
from capmodels.plans.costing.lease import lease_owed_usd, lease_payment_usd
from capmodels.plans.document.assumptions import MONTH_NAMES
from capmodels.plans.document.owned import Lease
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.group_plan import Batch
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.owned import OwnedFields

    Months = list[float]


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """Fiscal years over the months of a horizon; ``offset`` months of the first went before it."""

    months: int
    offset: int
    first_year: int | None

    @classmethod
    def of(cls, assumptions: Assumptions) -> FiscalCalendar:
        """The calendar of a study; without a start its years count from month 1."""
        months, start = assumptions.horizon_months, assumptions.starts_on
        if start is None:
            return cls(months, 0, None)
        year, month = int(start[:4]), int(start[5:7])
        begins = 1 + MONTH_NAMES.index(assumptions.books.year_starts_in)
        # A fiscal year is named by the calendar year in which it ends.
        named = year + (1 if begins > 1 and month >= begins else 0)
        return cls(months, (month - begins) % MONTHS_PER_YEAR, named)

    @property
    def years_count(self) -> int:
        """Fiscal years that the horizon touches."""
        return -(-(self.months + self.offset) // MONTHS_PER_YEAR)

    def year(self, at: int) -> int:
        """Number of a fiscal year: that in which it ends, or 1, 2, ... without a start."""
        return at + (1 if self.first_year is None else self.first_year)

    def sums(self, by_month: Months) -> Months:
        """Sums of a monthly series by fiscal year."""
        sums = [0.0] * self.years_count
        for month, amount in enumerate(by_month):
            sums[self.at(month)] += amount
        return sums

    def at(self, month: int) -> int:
        """Place of the fiscal year of a month, 0 being the first of both."""
        return (month + self.offset) // MONTHS_PER_YEAR

    def held(self, months: range) -> range:
        """Months of the horizon, counted from the first month of the first fiscal year."""
        return range(months.start + self.offset, months.stop + self.offset)


class _Books:
    """What is written in each month, and what becomes of assets in each fiscal year. [USD]"""

    def __init__(self, calendar: FiscalCalendar) -> None:
        def months() -> Months:
            return [0.0] * calendar.months

        def years() -> Months:
            return [0.0] * calendar.years_count

        self.calendar = calendar
        self.opex, self.capex, self.proceeds, self.tax = months(), months(), months(), months()
        # Cash of leases and of payments in advance, which the books spread in ways of their own.
        self.lease_cash, self.leased, self.interest = months(), months(), months()
        self.ahead_cash, self.ahead_used = months(), months()
        self.added, self.depreciation, self.retired = years(), years(), years()


def statement(item: Costed, scene: Scene) -> tuple[FiscalYear, ...]:
    """Return a design by fiscal year, as entered and undiscounted; see the top of this file.

    Costs are positive; results and free cash are negative where a design takes from them. What
    machines are worth to work that goes on is no cash: they stay among the assets. Where the work
    stops, what is lost on commitments and leases is a cost of the last month.
    """
    books = _Books(FiscalCalendar.of(scene.assumptions))
    _enter(books, item, scene)
    if item.owned is not None:
        for batch in item.owned.batches:
            _own(books, batch, item.owned.owned, scene)
    sums = books.calendar.sums
    opex, interest, tax = (
        sums(_sum(books.opex, books.ahead_used)),
        sums(books.interest),
        sums(books.tax),
    )
    capex, proceeds = sums(books.capex), sums(books.proceeds)
    leases, ahead = sums(books.lease_cash), sums(books.ahead_cash)
    used, leased = sums(books.ahead_used), sums(books.leased)
    months = sums([1.0] * scene.months)
    budgets = {one.year: one.usd for one in scene.assumptions.books.budgets}
    years: list[FiscalYear] = []
    assets = prepaid = liability = 0.0
    for at in range(books.calendar.years_count):
        year, written = books.calendar.year(at), books.depreciation[at]
        disposal = proceeds[at] - books.retired[at]
        paid = opex[at] - used[at] + capex[at] + leases[at] + ahead[at] + tax[at]
        assets += books.added[at] - written - books.retired[at]
        prepaid += ahead[at] - used[at]
        liability += leased[at] + interest[at] - leases[at]
        budget = budgets.get(year)
        over = None if budget is None else capex[at] + opex[at] - budget
        years.append(
            FiscalYear(
                year=year,
                months_count=round(months[at]),
                capex_usd=capex[at],
                opex_usd=opex[at],
                ebitda_usd=0.0 - opex[at],
                depreciation_usd=written,
                disposal_usd=disposal,
                interest_usd=interest[at],
                tax_usd=tax[at],
                result_usd=disposal - opex[at] - written - interest[at] - tax[at],
                free_cash_usd=proceeds[at] - paid,
                assets_usd=assets,
                prepaid_usd=prepaid,
                lease_liability_usd=liability,
                budget_usd=budget,
                over_budget_usd=over,
            )
        )
    return tuple(years)


def _enter(books: _Books, item: Costed, scene: Scene) -> None:
    """Enter every line of the ledger where its cash belongs; leases are costs of the month yet."""
    leases = item.owned is not None and isinstance(item.owned.owned.finance, Lease)
    continues = scene.assumptions.end == "work_continues"
    for cause, side, at, usd in cause_book(item).lines:
        if cause == "salvage":
            if not (continues and at == scene.months):
                _pay(books.proceeds, at, usd, -1.0)
        elif cause == "tax":
            _pay(books.tax, at, usd)
        elif isinstance(at, range):
            _pay(books.opex, at, usd)
        elif cause == "commitment":
            _pay(books.ahead_cash, at, usd)
        elif side == "owned" and cause in CAPITAL_CAUSES and not leases:
            _pay(books.capex, at, usd)
        else:
            _pay(books.opex, at, usd)
    if item.rented is not None and any(books.ahead_cash):
        for month, used in enumerate(prepaid_usd(item.rented) or ()):
            books.ahead_used[month] += as_number(used * item.rented.kept)
        if not continues:
            books.ahead_used[-1] += sum(books.ahead_cash) - sum(books.ahead_used)


def _sum(one: Months, other: Months) -> Months:
    return [first + second for first, second in zip(one, other, strict=True)]


def _pay(series: Months, at: int | range, usd: Any, ratio: float = 1.0) -> None:
    """Add a line's payments to a series by month."""
    if not isinstance(at, range):
        series[max(shown_month(at, len(series)) - 1, 0)] += as_number(usd) * ratio
    elif isinstance(usd, list):
        for month, one in zip(at, usd, strict=True):
            series[month] += as_number(one) * ratio
    else:
        amount = as_number(usd) * ratio
        for month in at:
            series[month] += amount


def _own(books: _Books, batch: Batch, owned: OwnedFields, scene: Scene) -> None:
    """Write off what was bought, or is leased and counts as an asset."""
    calendar, rule, months = books.calendar, scene.assumptions.depreciation, scene.months
    asset_usd, end = as_number(batch.paid_usd), batch.gone_month
    life, method, bonus = rule.life_months, rule.method, as_number(rule.bonus_fraction)
    lease = owned.finance if isinstance(owned.finance, Lease) else None
    if lease is not None:
        if lease.is_returned and scene.assumptions.books.standard == "asc_842":
            return
        if lease.is_returned:
            life, method, bonus = lease.term_months, "straight_line", 0.0
            end = min(batch.month + life, end)
        asset_usd = _lease(books, lease, batch, scene)
    lines = written_off_usd(
        asset_usd,
        method,
        life_months=life,
        years=calendar.years_count,
        held=calendar.held(range(batch.month, end)),
        bonus_fraction=bonus,
    )
    books.added[calendar.at(batch.month)] += asset_usd
    books.depreciation = _sum(books.depreciation, lines)
    if batch.gone_month < months or scene.assumptions.end == "work_stops":
        books.retired[calendar.at(min(end, months - 1))] += asset_usd - fsum(lines)


def _lease(books: _Books, lease: Lease, batch: Batch, scene: Scene) -> float:
    """Take a lease's payments out of the costs of their months; returns its liability at first.

    The liability is the present value of the payments at the rate of the lease, and of the
    residual where it is paid (IFRS 16.26, 27; ASC 842-20-30-1).
    """
    term = lease.term_months
    rate = as_number(lease.rate_fraction_per_year) / MONTHS_PER_YEAR
    payment = as_number(lease_payment_usd(lease, batch.paid_usd))
    liability = as_number(annuity_factor(rate_fraction_per_period=rate, periods=term)) * payment
    residual = 0.0 if lease.is_returned else as_number(batch.paid_usd * lease.residual_fraction)
    liability += residual * (1.0 + rate) ** -term
    cash = [0.0] * scene.months
    for month in range(batch.month, min(batch.month + term, scene.months)):
        cash[month] = payment
    if batch.month + term <= scene.months:
        cash[min(batch.month + term, scene.months - 1)] += residual
    elif scene.assumptions.end == "work_stops":
        cash[-1] += as_number(lease_owed_usd(lease, batch, scene.months))
    books.opex = _sum(books.opex, [-usd for usd in cash])
    books.lease_cash = _sum(books.lease_cash, cash)
    books.leased[batch.month] += liability
    owed = liability
    for month in range(batch.month, min(batch.month + term, scene.months)):
        books.interest[month] += owed * rate
        owed += owed * rate - payment
    if scene.assumptions.end == "work_stops" and batch.month + term > scene.months:
        # Owed in full although due later: the rest of the interest is lost at once.
        books.interest[-1] += cash[-1] - payment - owed
    return liability
