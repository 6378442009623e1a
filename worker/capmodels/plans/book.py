"""The books of a design: every payment by cause and month, or only their sums.

A month's payments fall at its end; purchases, deposits and salvage at a point of time,
counted in months from the start. Payments at the start stand in month 0; those at the
start of a later month are counted in that month, and discounted from its start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from capmodels.plans.ops import is_zero, nearest
from capmodels.units import MONTHS_PER_YEAR

Side = Literal["owned", "rented"]

PAPER_ROUNDING_USD = 1000.0

CAPITAL_CAUSES = frozenset({"hardware", "salvage"})


@dataclass(slots=True)
class Account:
    """Payments of one cause: at points of time, and at the ends of months."""

    points: list[float]
    months: list[float]

    @classmethod
    def empty(cls, months: int) -> Account:
        """Return an account without payments."""
        return cls([0.0] * (months + 1), [0.0] * (months + 1))

    def cash(self) -> list[float]:
        """Payments by month, month 0 being the start."""
        last = len(self.points) - 1
        cash = [self.points[0], *(paid for paid in self.months[1:])]
        for month in range(1, last + 1):
            shown = min(month + 1, last)
            cash[shown] = cash[shown] + self.points[month]
        return cash

    def timed(self) -> list[float]:
        """Payments by the month at whose end, or point of time, they fall due."""
        return [first + second for first, second in zip(self.points, self.months, strict=True)]

    def present(self, discount: Discount) -> list[float]:
        """Payments by month as in ``cash``, at their present value."""
        last = len(self.points) - 1
        factors = discount.factors
        present = [self.points[0]]
        present += [paid * factors[month] for month, paid in enumerate(self.months)][1:]
        for month in range(1, last + 1):
            shown = min(month + 1, last)
            present[shown] = present[shown] + self.points[month] * factors[month]
        return present


class Discount:
    """Factors of present value by month."""

    def __init__(self, fraction_per_year: float, months: int) -> None:
        """Compound a yearly rate month by month."""
        step = (1.0 + fraction_per_year) ** (-1.0 / MONTHS_PER_YEAR)
        self.factors = [1.0]
        for _ in range(months):
            self.factors.append(self.factors[-1] * step)


class SumBook:
    """Payments without their causes: what draws need. Migration stands apart."""

    keeps_causes = False

    def __init__(self, months: int, *, round_years: bool = False) -> None:
        """Open empty books over a number of months."""
        self.months = months
        self.round_years = round_years
        self.running = Account.empty(months)
        self.moving = Account.empty(months)
        self.capital = Account.empty(months)

    def _account(self, cause: str, side: Side) -> Account:
        return self.moving if cause == "migration" else self.running

    def accounts(self) -> list[Account]:
        """Every account of these books."""
        return [self.running, self.moving, self.capital]

    def point(self, cause: str, month: int, amount_usd: float, side: Side = "owned") -> None:
        """Pay at a point of time, in whole months from the start. [USD]"""
        if is_zero(amount_usd):
            return
        account = self.capital if self._is_capital(cause) else self._account(cause, side)
        account.points[month] = account.points[month] + amount_usd

    def _is_capital(self, cause: str) -> bool:
        return cause in CAPITAL_CAUSES

    def month(self, cause: str, month: int, amount_usd: float, side: Side = "owned") -> None:
        """Pay at the end of a month, 1 being the first. [USD]"""
        if is_zero(amount_usd):
            return
        months = self._account(cause, side).months
        months[month] = months[month] + amount_usd

    def year(self, cause: str, year: int, usd_per_year: float, side: Side = "owned") -> None:
        """Pay a yearly amount in the months of a year, 0 being the first. [USD/yr]"""
        if is_zero(usd_per_year):
            return
        if self.round_years:
            usd_per_year = nearest(usd_per_year, PAPER_ROUNDING_USD)
        first = year * MONTHS_PER_YEAR + 1
        amount = usd_per_year / MONTHS_PER_YEAR
        for month in range(first, min(first + MONTHS_PER_YEAR, self.months + 1)):
            self.month(cause, month, amount, side)

    def running_months(self) -> list[float]:
        """What running costs at the end of each month, without migration or purchases."""
        return list(self.running.months)

    def cash(self) -> list[float]:
        """All payments by month."""
        return _sum([account.cash() for account in self.accounts()])

    def present(self, discount: Discount) -> list[float]:
        """All payments by month at present value."""
        return _sum([account.present(discount) for account in self.accounts()])

    def capital_cash(self) -> list[float]:
        """Purchases less salvage, by month."""
        return self.capital.cash()


def _sum(series: list[list[float]]) -> list[float]:
    total = series[0]
    for other in series[1:]:
        total = [first + second for first, second in zip(total, other, strict=True)]
    return total


@dataclass(slots=True)
class CauseBook:
    """The payments of one cause, on one side of the ledger."""

    cause: str
    side: Side
    account: Account


class CauseBooks(SumBook):
    """Payments by cause."""

    keeps_causes = True

    def __init__(self, months: int, *, round_years: bool = False) -> None:
        """Open empty books over a number of months."""
        super().__init__(months, round_years=round_years)
        self.causes: dict[tuple[str, Side], CauseBook] = {}

    def _book(self, cause: str, side: Side) -> CauseBook:
        key = (cause, side)
        if key not in self.causes:
            self.causes[key] = CauseBook(cause, side, Account.empty(self.months))
        return self.causes[key]

    def _account(self, cause: str, side: Side) -> Account:
        return self._book(cause, side).account

    def _is_capital(self, cause: str) -> bool:
        return False

    def accounts(self) -> list[Account]:
        """Every account of these books."""
        return [book.account for book in self.causes.values()] or [self.running]

    def capital_cash(self) -> list[float]:
        """Purchases less salvage, by month."""
        capital = Account.empty(self.months)
        points = [
            book.account.points for book in self.causes.values() if book.cause in CAPITAL_CAUSES
        ]
        return Account(_sum([capital.points, *points]), capital.months).cash()

    def running_months(self) -> list[float]:
        """What running costs at the end of each month, without migration or purchases."""
        nothing = [0.0] * (self.months + 1)
        books = [book for book in self.causes.values() if book.cause != "migration"]
        return _sum([nothing, *(book.account.months for book in books)])
