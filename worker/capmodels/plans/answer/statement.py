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

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.cost.cashflow import annuity_factor
from capmodels.cost.depreciation import written_off_usd
from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.plans.comparison import FiscalYear
from capmodels.plans.costing.book import Account, shown_month
from capmodels.plans.costing.cloud_cost import prepaid_usd
from capmodels.plans.costing.designs import cause_book
from capmodels.plans.costing.finance import book_value_left_usd, by_year, depreciation_usd
from capmodels.plans.costing.lease import lease_owed_usd, lease_payment_usd
from capmodels.plans.document.owned import Lease
from capmodels.series import add, scaled
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.group_plan import Batch
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.owned import OwnedFields
    from capmodels.series import Series


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """Fiscal years over the months of a horizon; ``offset`` months of the first went before it."""

    months: int
    offset: int
    first_year: int

    @classmethod
    def of(cls, assumptions: Assumptions) -> FiscalCalendar:
        """The calendar of a study; without a start its years count from month 1."""
        return cls(assumptions.horizon_months, *assumptions.fiscal_start)

    @property
    def years_count(self) -> int:
        """Fiscal years that the horizon touches."""
        return -(-(self.months + self.offset) // MONTHS_PER_YEAR)

    def at(self, month: int) -> int:
        """Place of the fiscal year of a month, 0 being the first of both."""
        return (month + self.offset) // MONTHS_PER_YEAR

    def sums(self, series: Series) -> list[Amount]:
        """Sums of a monthly series by fiscal year; month 0, the start, belongs to the first."""
        return by_year([series[0], *[0.0] * self.offset, *series[1:]])


class _Books:
    """Amounts by name and month, month 0 being the start, and assets by fiscal year. [USD]"""

    def __init__(self, calendar: FiscalCalendar) -> None:
        self.calendar = calendar
        self._months: dict[str, Series] = {}
        self.added, self.depreciation, self.retired = (
            [0.0] * calendar.years_count for _ in range(3)
        )

    def write(self, name: str, series: Series) -> None:
        """Add to the months of a name."""
        self._months[name] = add(self.months(name), series)

    def months(self, name: str) -> Series:
        """The months of a name."""
        return self._months.get(name) or [0.0] * (self.calendar.months + 1)

    def years(self, name: str) -> list[float]:
        """The fiscal years of a name."""
        return [as_number(usd) for usd in self.calendar.sums(self.months(name))]


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
    paid, capex, sold, tax = (books.years(name) for name in ("opex", "capex", "sold", "tax"))
    leased, lease_cash, interest = map(books.years, ("leased", "lease_cash", "interest"))
    ahead, used = map(books.years, ("ahead", "used"))
    months = books.calendar.sums([0.0, *[1.0] * scene.months])
    budgets = {one.year: one.usd for one in scene.assumptions.books.budgets}
    years: list[FiscalYear] = []
    assets = prepaid = liability = 0.0
    for at, month_count in enumerate(months):
        year, written = books.calendar.first_year + at, books.depreciation[at]
        # From 0.0: a year in which nothing is disposed of is 0.0, not -0.0.
        opex, disposal = paid[at] + used[at], 0.0 - sold[at] - books.retired[at]
        assets += books.added[at] - written - books.retired[at]
        prepaid += ahead[at] - used[at]
        liability += leased[at] + interest[at] - lease_cash[at]
        budget = budgets.get(year)
        years.append(
            FiscalYear(
                year=year,
                months_count=round(as_number(month_count)),
                capex_usd=capex[at],
                opex_usd=opex,
                ebitda_usd=0.0 - opex,
                depreciation_usd=written,
                disposal_usd=disposal,
                interest_usd=interest[at],
                tax_usd=tax[at],
                result_usd=disposal - opex - written - interest[at] - tax[at],
                lease_payments_usd=lease_cash[at],
                paid_ahead_usd=ahead[at] - used[at],
                proceeds_usd=0.0 - sold[at],
                free_cash_usd=-(
                    paid[at] + capex[at] + sold[at] + lease_cash[at] + ahead[at] + tax[at]
                ),
                assets_usd=assets,
                prepaid_usd=prepaid,
                lease_liability_usd=liability,
                budget_usd=budget,
                over_budget_usd=None if budget is None else capex[at] + opex - budget,
            )
        )
    return tuple(years)


def _enter(books: _Books, item: Costed, scene: Scene) -> None:
    """Enter the ledger where its cash belongs; leases are costs of their months yet."""
    leases = item.owned is not None and isinstance(item.owned.owned.finance, Lease)
    continues = scene.assumptions.end == "work_continues"
    nothing: list[Amount] = [0.0] * scene.months
    for (cause, side), account in cause_book(item).causes.items():
        books.write("tax" if cause == "tax" else "opex", [0.0, *account.months])
        points, name = account.points, "opex"
        if cause == "salvage":
            left = {scene.months} if continues else set[int]()
            points, name = {at: usd for at, usd in points.items() if at not in left}, "sold"
        elif cause == "commitment":
            name = "ahead"
        elif side == "owned" and cause in CAPITAL_CAUSES and not leases:
            name = "capex"
        books.write(name, Account(nothing, points).cash())
    prepaid = None if item.rented is None else prepaid_usd(item.rented)
    if item.rented is not None and prepaid is not None:
        ratio = item.rented.kept * scene.assumptions.currency.paid_ratio
        books.write("used", [0.0, *scaled(prepaid, ratio)])
        if not continues:
            lost = sum(books.months("ahead")) - sum(books.months("used"))
            books.write("used", [*nothing, lost])


def _own(books: _Books, batch: Batch, owned: OwnedFields, scene: Scene) -> None:
    """Write off what was bought, or is leased and counts as an asset."""
    calendar, years = books.calendar, books.calendar.years_count
    asset, end = batch, batch.gone_month
    lease = owned.finance if isinstance(owned.finance, Lease) else None
    if lease is not None:
        if lease.is_returned and scene.assumptions.books.standard == "asc_842":
            return
        asset = replace(batch, paid_usd=_lease(books, lease, batch, scene))
    if lease is not None and lease.is_returned:
        end = min(batch.month + lease.term_months, end)
        held = range(batch.month + calendar.offset, end + calendar.offset)
        lines = written_off_usd(
            asset.paid_usd, "straight_line", life_months=lease.term_months, years=years, held=held
        )
    else:
        lines = depreciation_usd(asset, scene.assumptions.depreciation, years, calendar.offset)
    books.added[calendar.at(batch.month)] += as_number(asset.paid_usd)
    books.depreciation = [
        known + as_number(line) for known, line in zip(books.depreciation, lines, strict=True)
    ]
    if batch.gone_month < scene.months or scene.assumptions.end == "work_stops":
        gone = calendar.at(min(end, scene.months - 1))
        books.retired[gone] += as_number(book_value_left_usd(asset, lines))


def _lease(books: _Books, lease: Lease, batch: Batch, scene: Scene) -> float:
    """Take a lease's payments out of the costs of their months; returns its liability at first.

    The liability is the present value of the payments at the rate of the lease, and of the
    residual where it is paid (IFRS 16.26, 27; ASC 842-20-30-1).
    """
    term, start, months = lease.term_months, batch.month, scene.months
    rate = as_number(lease.rate_fraction_per_year) / MONTHS_PER_YEAR
    payment = as_number(lease_payment_usd(lease, batch.paid_usd))
    liability = as_number(annuity_factor(rate_fraction_per_period=rate, periods=term)) * payment
    residual = 0.0 if lease.is_returned else as_number(batch.paid_usd * lease.residual_fraction)
    liability += residual * (1.0 + rate) ** -term
    cash: list[Amount] = [0.0] * (months + 1)
    interest, leased = [*cash], [*cash]
    leased[shown_month(start, months)] = owed = liability
    for month in range(start + 1, min(start + term, months) + 1):
        cash[month], interest[month] = payment, owed * rate
        owed += owed * rate - payment
    if start + term <= months:
        cash[shown_month(start + term, months)] += residual
    elif scene.assumptions.end == "work_stops":
        at_once = as_number(lease_owed_usd(lease, batch, months))
        cash[-1] += at_once
        # Owed in full although due later: the rest of the interest is lost at once.
        interest[-1] += at_once - owed
    books.write("opex", [-usd for usd in cash])
    books.write("lease_cash", cash)
    books.write("interest", interest)
    books.write("leased", leased)
    return liability
