"""The books of a design for draws: payments as a matrix, without their causes. NumPy."""

from __future__ import annotations

from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from capmodels.amounts import is_number
from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.plans.costing.book import BESIDE_RUNNING, Book, shown_month

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.book import Discount, Line
    from capmodels.series import Series

    Matrix = NDArray[np.float64]


class Factors:
    """What an amount of each month counts: itself, or its present value."""

    def __init__(self, months: int, discount: Discount | None) -> None:
        """Keep a factor for the start and the end of every month; arrays where rates are."""
        self.at: list[Any] = [1.0] * (months + 1) if discount is None else discount.factors
        self._is_plain = is_number(self.at[-1])
        self._row = np.asarray(self.at[1:]) if self._is_plain else np.stack(list[Any](self.at[1:]))
        self._sums: list[Any] = [0.0, *accumulate(self.at[1:])]

    def worth(self, amounts_usd: Matrix) -> Any:
        """What payments at the ends of months come to, shape (months, draws or 1). [USD]"""
        if self._is_plain:
            return self._row @ amounts_usd
        return (self._row * amounts_usd).sum(axis=0)

    def sum(self, months: range) -> Any:
        """Sum of the factors at the ends of some months in a row, 0 being the first."""
        return self._sums[months.stop] - self._sums[months.start] if len(months) else 0.0


class DrawBook(Book):
    """Payments of many draws. Purchases, migration and downtime stand apart from what runs.

    By a factor for each month (1, or that of present value) the books keep what each cause
    comes to in all, and count from month to month.
    """

    def __init__(
        self, months: int, count: int, factors: Factors, *, round_years: bool = False
    ) -> None:
        """Open empty books over a number of months for a number of draws."""
        super().__init__(months, round_years=round_years)
        self._factors = factors
        self.causes_usd: dict[tuple[str, Side], Any] = {}
        self._running: Matrix = np.zeros((months, count))
        self._moving: dict[int, Any] = {}
        self._points: dict[tuple[int, bool], Any] = {}

    @property
    def bytes_count(self) -> int:
        """What its amounts take of the memory. [B]"""
        parts = (*self.causes_usd.values(), *self._moving.values(), *self._points.values())
        return self._running.nbytes + sum(np.asarray(part).nbytes for part in parts)

    def copy(self) -> DrawBook:
        """Books with the same payments, to write others into."""
        other = copy(self)
        other.causes_usd, other._moving = self.causes_usd.copy(), self._moving.copy()
        other._running, other._points = self._running.copy(), self._points.copy()
        return other

    def write(self, line: Line) -> None:
        """Count a line, and forget it."""
        cause, side, at, usd = line
        key = cause, side
        if not isinstance(at, range):
            place = (at, cause in CAPITAL_CAUSES)
            self._points[place] = self._points.get(place, 0.0) + usd
            self._count(key, usd * self._factors.at[at])
        elif np.ndim(usd) > 1 or isinstance(usd, list):
            amounts = np.asarray(usd)
            self._running += amounts
            self._count(key, self._factors.worth(amounts))
        elif cause in BESIDE_RUNNING:
            self._count(key, usd * self._factors.sum(at))
            for month in at:
                self._moving[month] = self._moving.get(month, 0.0) + usd
        else:
            self._count(key, usd * self._factors.sum(at))
            self._running[at.start : at.stop] += np.asarray(usd)

    def bill(self, total_usd: Series, parts_usd: dict[str, Series], ratio: Amount) -> None:
        """Pay a provider's bill at the end of every month: parts by cause, times a ratio. [USD]"""
        self._running += self.within_months(np.asarray(total_usd)) * self.rented_ratio
        ratio = ratio * self.rented_ratio
        for cause, amounts_usd in parts_usd.items():
            worth = self._factors.worth(self.within_months(np.asarray(amounts_usd)))
            self._count((cause, "rented"), worth * ratio)

    def _count(self, key: tuple[str, Side], worth_usd: Any) -> None:
        self.causes_usd[key] = self.causes_usd.get(key, 0.0) + worth_usd

    def paid_months(self) -> Series:
        """What of running is paid at the end of each month."""
        return cast("Series", self._running)

    def cash(self) -> Series:
        """All payments by month, month 0 being the start, shape (months + 1, draws)."""
        return self._dated(None)

    def present(self, discount: Discount) -> Series:
        """All payments by month at present value."""
        return self._dated(discount)

    def ranked_usd(self) -> Matrix:
        """What all payments of each draw count together. [USD]"""
        total: Matrix = np.zeros(self._running.shape[1])
        for worth_usd in self.causes_usd.values():
            total = total + worth_usd
        return total

    def accumulate(self, cumulative: NDArray[np.float32]) -> Matrix:
        """Write running sums of all that is counted by month; return the last, unrounded."""
        months, count = self._running.shape
        factors = self._factors.at
        due: dict[int, Any] = {
            month + 1: amount * factors[month + 1] for month, amount in self._moving.items()
        }
        for (month, _), amount in self._points.items():
            shown = shown_month(month, months)
            due[shown] = due.get(shown, 0.0) + amount * factors[month]
        total: Matrix = np.zeros(count) + due.get(0, 0.0)
        cumulative[0] = total
        for month in range(1, months + 1):
            total = total + self._running[month - 1] * factors[month]
            if month in due:
                total = total + due[month]
            cumulative[month] = total
        return total

    def capital_cash(self) -> Series:
        """Purchases less salvage, by month."""
        months, count = self._running.shape
        cash = np.zeros((months + 1, count))
        for (month, capital), amount in self._points.items():
            if capital:
                cash[shown_month(month, months)] += amount
        return cast("Series", cash)

    def _dated(self, discount: Discount | None) -> Series:
        months, count = self._running.shape
        cash: Matrix = np.empty((months + 1, count))
        cash[0] = 0.0
        cash[1:] = self._running
        for month, amount in self._moving.items():
            cash[month + 1] += amount
        factors = [1.0] * (months + 1) if discount is None else discount.factors
        if discount is not None:
            for month in range(1, months + 1):
                cash[month] *= factors[month]
        for (month, _), amount in self._points.items():
            cash[shown_month(month, months)] += amount * factors[month]
        return cast("Series", cash)
