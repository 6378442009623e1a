"""The books of a design: every payment by cause and month, or only their sums.

A month's payments fall at its end; purchases, deposits and salvage at a point of time,
counted in months from the start. Payments at the start stand in month 0; those at the
start of a later month are counted in that month, and discounted from its start.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from operator import mul
from typing import TYPE_CHECKING, Literal

from capmodels.plans.ops import is_zero, nearest
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

Side = Literal["owned", "rented"]

PAPER_ROUNDING_USD = 1000.0

CAPITAL_CAUSES = frozenset({"hardware", "salvage"})


class Discount:
    """Factors of present value by month."""

    def __init__(self, fraction_per_year: float, months: int) -> None:
        """Compound a yearly rate month by month."""
        step = (1.0 + fraction_per_year) ** (-1.0 / MONTHS_PER_YEAR)
        self.factors = [1.0]
        for _ in range(months):
            self.factors.append(self.factors[-1] * step)


@dataclass(slots=True)
class Account:
    """Payments of one cause: at points of time, and at the ends of months 1, 2, ..."""

    months: list[float]
    points: dict[int, float] = field(default_factory=dict)

    @classmethod
    def empty(cls, months: int) -> Account:
        """Return an account without payments."""
        return cls([0.0] * months)

    def add_point(self, month: int, amount_usd: float) -> None:
        """Pay at a point of time, in whole months from the start."""
        before = self.points.get(month)
        self.points[month] = amount_usd if before is None else before + amount_usd

    def add_months(self, amounts_usd: Sequence[float], first: int = 0) -> None:
        """Pay at the ends of months in a row, ``first`` 0 being that of month 1."""
        months = self.months
        for month, amount in enumerate(amounts_usd, start=first):
            months[month] = months[month] + amount

    def cash(self) -> list[float]:
        """Payments by month, month 0 being the start."""
        cash = [0.0, *self.months]
        for month, amount in self.points.items():
            shown = self._shown(month)
            cash[shown] = cash[shown] + amount
        return cash

    def present(self, discount: Discount) -> list[float]:
        """Payments by month as in ``cash``, at their present value."""
        factors = discount.factors
        present = [0.0, *map(mul, self.months, factors[1:])]
        for month, amount in self.points.items():
            shown = self._shown(month)
            present[shown] = present[shown] + amount * factors[month]
        return present

    def timed(self) -> list[float]:
        """Payments by the month at whose end, or point of time, they fall due."""
        timed = [0.0, *self.months]
        for month, amount in self.points.items():
            timed[month] = timed[month] + amount
        return timed

    def total_usd(self) -> float:
        """Sum of all payments; of numbers only."""
        return math.fsum((*self.months, *self.points.values()))

    def npv_usd(self, discount: Discount) -> float:
        """Present value of all payments; of numbers only."""
        factors = discount.factors
        later = map(mul, self.months, factors[1:])
        return math.fsum((*later, *(paid * factors[at] for at, paid in self.points.items())))

    def _shown(self, month: int) -> int:
        """Month in which a payment at a point of time is counted."""
        return 0 if month == 0 else min(month + 1, len(self.months))


def add_series(series: Sequence[Sequence[float]]) -> list[float]:
    """Sum of monthly series, month by month."""
    total = list(series[0])
    for other in series[1:]:
        total = [first + second for first, second in zip(total, other, strict=True)]
    return total


class SumBook:
    """Payments without their causes: what draws need. Migration and purchases stand apart."""

    keeps_causes = False

    def __init__(self, months: int, *, round_years: bool = False) -> None:
        """Open empty books over a number of months."""
        self.horizon_months = months
        self.round_years = round_years
        self.running = Account.empty(months)
        self.moving = Account.empty(months)
        self.capital = Account.empty(months)

    def account(self, cause: str, side: Side) -> Account:
        """Account that the monthly payments of a cause go to."""
        return self.moving if cause == "migration" else self.running

    def accounts(self) -> list[Account]:
        """Every account of these books."""
        return [self.running, self.moving, self.capital]

    def point(self, cause: str, month: int, amount_usd: float, side: Side = "owned") -> None:
        """Pay at a point of time, in whole months from the start. [USD]"""
        if not is_zero(amount_usd):
            capital = cause in CAPITAL_CAUSES
            account = self.capital if capital else self.account(cause, side)
            account.add_point(month, amount_usd)

    def month(self, cause: str, month: int, amount_usd: float, side: Side = "owned") -> None:
        """Pay at the end of a month, 1 being the first. [USD]"""
        if not is_zero(amount_usd):
            self.account(cause, side).add_months((amount_usd,), month - 1)

    def series(self, cause: str, amounts_usd: Sequence[float], side: Side = "owned") -> None:
        """Pay at the end of every month, from the first on. [USD]"""
        if not all(map(is_zero, amounts_usd)):
            self.account(cause, side).add_months(amounts_usd)

    def year(self, cause: str, year: int, usd_per_year: float, side: Side = "owned") -> None:
        """Pay a yearly amount in the months of a year, 0 being the first. [USD/yr]"""
        if is_zero(usd_per_year):
            return
        if self.round_years:
            usd_per_year = nearest(usd_per_year, PAPER_ROUNDING_USD)
        first = year * MONTHS_PER_YEAR
        months = min(MONTHS_PER_YEAR, self.horizon_months - first)
        amounts = (usd_per_year / MONTHS_PER_YEAR,) * months
        self.account(cause, side).add_months(amounts, first)

    def running_months(self) -> list[float]:
        """What running costs at the end of each month, without migration or purchases."""
        return list(self.running.months)

    def cash(self) -> list[float]:
        """All payments by month, month 0 being the start."""
        return add_series([account.cash() for account in self.accounts()])

    def present(self, discount: Discount) -> list[float]:
        """All payments by month at present value."""
        return add_series([account.present(discount) for account in self.accounts()])

    def timed(self) -> list[float]:
        """All payments by the month at whose end, or point of time, they fall due."""
        return add_series([account.timed() for account in self.accounts()])

    def capital_cash(self) -> list[float]:
        """Purchases less salvage, by month."""
        return self.capital.cash()


class CauseBooks(SumBook):
    """Payments by cause."""

    keeps_causes = True

    def __init__(self, months: int, *, round_years: bool = False) -> None:
        """Open empty books over a number of months."""
        super().__init__(months, round_years=round_years)
        self.causes: dict[tuple[str, Side], Account] = {}

    def account(self, cause: str, side: Side) -> Account:
        """Account of a cause on one side of the ledger."""
        account = self.causes.get((cause, side))
        if account is None:
            account = self.causes[cause, side] = Account.empty(self.horizon_months)
        return account

    def accounts(self) -> list[Account]:
        """Every account of these books."""
        return list(self.causes.values()) or [self.running]

    def point(self, cause: str, month: int, amount_usd: float, side: Side = "owned") -> None:
        """Pay at a point of time, in whole months from the start. [USD]"""
        if not is_zero(amount_usd):
            self.account(cause, side).add_point(month, amount_usd)

    def running_months(self) -> list[float]:
        """What running costs at the end of each month, without migration or purchases."""
        nothing = [0.0] * self.horizon_months
        running = [book.months for (cause, _), book in self.causes.items() if cause != "migration"]
        return add_series([nothing, *running])

    def capital_cash(self) -> list[float]:
        """Purchases less salvage, by month; what is leased is paid as it is used."""
        capital = Account.empty(self.horizon_months)
        for (cause, _), book in self.causes.items():
            if cause in CAPITAL_CAUSES:
                for month, amount in book.points.items():
                    capital.add_point(month, amount)
        return capital.cash()
