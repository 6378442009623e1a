"""The books of a design: a list of lines, and every payment by cause and month from them.

A month's payments fall at its end; purchases, deposits and salvage at a point of time,
counted in months from the start. Payments at the start stand in month 0; those at the
start of a later month are counted in that month, and discounted from its start.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.amounts import is_one, is_zero, nearest
from capmodels.cost.npv import monthly_rate_fraction
from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.series import add, is_nothing, scaled
from capmodels.units import MONTHS_PER_YEAR
from capmodels.worked import is_worked, since

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.series import Series

PAPER_ROUNDING_USD = 1000.0
# What is no part of running a place, which is paid twice while the work moves.
BESIDE_RUNNING = frozenset({"migration", "downtime"})


class Discount:
    """Factors of present value by month."""

    def __init__(self, fraction_per_year: Amount, months: int) -> None:
        """Compound a yearly rate month by month."""
        step = 1.0 / (1.0 + monthly_rate_fraction(fraction_per_year))
        self.factors: list[Amount] = [1.0]
        for _ in range(months):
            self.factors.append(self.factors[-1] * step)


def shown_month(month: int, horizon_months: int) -> int:
    """Month in which a payment at a point of time is counted."""
    return 0 if month == 0 else min(month + 1, horizon_months)


class Line(NamedTuple):
    """What one equation pays for one cause, and when.

    ``at`` is a point of time in whole months from the start, or the months in a row at whose ends
    it is paid, 0 being the first. ``usd`` is one amount, or one for each of these months. Where the
    equations explain themselves, an amount remembers how it was worked out: the line's formula
    and its terms.
    """

    cause: str
    side: Side
    at: int | range
    usd: Any


class Book(ABC):
    """What the equations write lines into."""

    def __init__(self, months: int, *, round_years: bool = False) -> None:
        """Open empty books over a number of months."""
        self.horizon_months = months
        self.round_years = round_years

    # What is rented is invoiced in US dollars, and is paid at a rate that may be another one than
    # that at which the study's amounts were entered.
    rented_ratio: Amount = 1.0
    # Each month's part of commitments that were paid in advance; None where none is.
    prepaid_usd: Series | None = None
    # Months whose payments are counted, of a design that is another one before or after.
    counted: range | None = None

    @contextmanager
    def within(self, months: range) -> Iterator[None]:
        """Count the payments of some months alone; the horizon's end is the month after its last.

        Ends of months count with their month, points of time with the month that they begin.
        """
        is_all = months == range(self.horizon_months + 1)
        before, self.counted = self.counted, None if is_all else months
        try:
            yield
        finally:
            self.counted = before

    def within_months(self, amounts_usd: Any) -> Any:
        """Amounts of every month, none where the months are not counted. [USD]"""
        if self.counted is None:
            return amounts_usd
        first, end = self.counted.start, max(self.counted.start, self.counted.stop)
        if isinstance(amounts_usd, list):
            return [usd if first <= at < end else 0.0 for at, usd in enumerate(amounts_usd)]
        kept = amounts_usd.copy()
        kept[:first] = kept[end:] = 0.0
        return kept

    def pay(self, line: Line) -> None:
        """Write a line, what is rented at the rate of its payment."""
        if self.counted is not None:
            counted, at = self.counted, line.at
            if isinstance(at, int):
                if at not in counted:
                    return
            elif isinstance(line.usd, list) or getattr(line.usd, "ndim", 0) > 1:
                line = line._replace(usd=self.within_months(line.usd))
            else:
                months = range(max(at.start, counted.start), min(at.stop, counted.stop))
                if not months:
                    return
                line = line._replace(at=months)
        ratio = self.rented_ratio
        if line.side == "rented" and (is_worked(ratio) or not is_one(ratio)):

            def paid(usd: Any) -> Any:
                # At the rate as entered the sum is as it was, but would be another at another.
                return since(usd, ratio) if is_one(ratio) else usd * ratio

            is_list = isinstance(line.usd, list)
            line = line._replace(usd=[*map(paid, line.usd)] if is_list else paid(line.usd))
        self.write(line)

    @abstractmethod
    def write(self, line: Line) -> None:
        """Write a line as it is."""

    @abstractmethod
    def bill(self, total_usd: Series, parts_usd: dict[str, Series], ratio: Amount) -> None:
        """Pay a provider's bill at the end of every month: parts by cause, times a ratio. [USD]"""

    def running_months(self) -> Series:
        """What running costs each month: no purchases, migration or downtime.

        A commitment counts with the month's part of its price, whenever that is paid.
        """
        paid = self.paid_months()
        return paid if self.prepaid_usd is None else add(paid, self.prepaid_usd)

    @abstractmethod
    def paid_months(self) -> Series:
        """What of running is paid at the end of each month."""

    @abstractmethod
    def cash(self) -> Series:
        """All payments by month, month 0 being the start."""

    @abstractmethod
    def capital_cash(self) -> Series:
        """Purchases less salvage, by month; what is leased is paid as it is used."""

    def point(self, cause: str, month: int, amount_usd: Amount, side: Side = "owned") -> None:
        """Pay at a point of time, in whole months from the start. [USD]"""
        self.pay(Line(cause, side, month, amount_usd))

    def series(self, cause: str, amounts_usd: Series, side: Side = "owned") -> None:
        """Pay at the end of every month, from the first on. [USD]"""
        self.pay(Line(cause, side, range(self.horizon_months), amounts_usd))

    def span(self, cause: str, months: range, amount_usd: Amount, side: Side = "owned") -> None:
        """Pay the same at the end of some months in a row, 0 being the first. [USD]"""
        self.pay(Line(cause, side, months, amount_usd))

    def month(self, cause: str, month: int, amount_usd: Amount, side: Side = "owned") -> None:
        """Pay at the end of one month, 0 being the first. [USD]"""
        self.span(cause, range(month, month + 1), amount_usd, side)

    def year(
        self,
        cause: str,
        year: int,
        usd_per_year: Amount,
        side: Side = "owned",
        since_month: int = 0,
    ) -> None:
        """Pay a yearly amount in the months of a year, 0 being the first. [USD/yr]

        Nothing in the months before ``since_month``.
        """
        first = max(year * MONTHS_PER_YEAR, since_month)
        end = min((year + 1) * MONTHS_PER_YEAR, self.horizon_months)
        self.yearly(cause, range(first, end), usd_per_year, side)

    def yearly(self, cause: str, months: range, usd_per_year: Amount, side: Side = "owned") -> None:
        """Pay a yearly amount in some months in a row, 0 being the first. [USD/yr]"""
        if is_zero(usd_per_year) or not months:
            return
        if self.round_years:
            usd_per_year = nearest(usd_per_year, PAPER_ROUNDING_USD)
        self.span(cause, months, usd_per_year / MONTHS_PER_YEAR, side)


@dataclass(slots=True)
class Account:
    """Payments of one cause: at the ends of months 1, 2, ... and at points of time."""

    months: list[Amount]
    points: dict[int, Amount] = field(default_factory=dict)

    @classmethod
    def empty(cls, months: int) -> Account:
        """Return an account without payments."""
        return cls([0.0] * months)

    def add_point(self, month: int, amount_usd: Amount) -> None:
        """Pay at a point of time, in whole months from the start."""
        self.points[month] = self.points.get(month, 0.0) + amount_usd

    def cash(self) -> list[Amount]:
        """Payments by month, month 0 being the start."""
        cash = [0.0, *self.months]
        for month, amount in self.points.items():
            cash[shown_month(month, len(self.months))] += amount
        return cash

    def present(self, discount: Discount) -> list[Amount]:
        """Payments by month as in ``cash``, at their present value."""
        factors = discount.factors
        present = [0.0, *map(mul, self.months, factors[1:])]
        for month, amount in self.points.items():
            present[shown_month(month, len(self.months))] += amount * factors[month]
        return present

    def timed(self) -> list[Amount]:
        """Payments by the month at whose end, or point of time, they fall due."""
        timed = [0.0, *self.months]
        for month, amount in self.points.items():
            timed[month] += amount
        return timed


class CauseBook(Book):
    """Lines of a point, and what they come to by cause and month."""

    def __init__(self, months: int, *, round_years: bool = False) -> None:
        """Open empty books over a number of months."""
        super().__init__(months, round_years=round_years)
        self.lines: list[Line] = []
        self._causes: dict[tuple[str, Side], Account] = {}
        self._summed_count = 0

    def copy(self) -> CauseBook:
        """Books with the same lines, to write others into."""
        other = CauseBook(self.horizon_months, round_years=self.round_years)
        other.lines = self.lines.copy()
        other._causes = {
            key: Account([*account.months], account.points.copy())
            for key, account in self.causes.items()
        }
        other._summed_count = len(self.lines)
        other.rented_ratio, other.prepaid_usd = self.rented_ratio, self.prepaid_usd
        return other

    def write(self, line: Line) -> None:
        """Write a line, unless nothing is paid."""
        nothing = is_nothing if isinstance(line.usd, list) else is_zero
        if not nothing(line.usd):
            self.lines.append(line)

    def bill(self, total_usd: Series, parts_usd: dict[str, Series], ratio: Amount) -> None:
        """Pay a provider's bill at the end of every month: parts by cause, times a ratio. [USD]"""
        for cause, amounts_usd in parts_usd.items():
            self.series(cause, scaled(amounts_usd, ratio), "rented")

    @property
    def causes(self) -> dict[tuple[str, Side], Account]:
        """The sums of the lines by cause."""
        for line in self.lines[self._summed_count :]:
            key = line.cause, line.side
            account = self._causes.get(key)
            if account is None:
                account = self._causes[key] = Account.empty(self.horizon_months)
            if isinstance(line.usd, list):
                account.months = add(account.months, line.usd)
            elif isinstance(line.at, range):
                for month in line.at:
                    account.months[month] += line.usd
            else:
                account.add_point(line.at, line.usd)
        self._summed_count = len(self.lines)
        return self._causes

    def accounts(self) -> list[Account]:
        """Every account of these books."""
        return list(self.causes.values()) or [Account.empty(self.horizon_months)]

    def paid_months(self) -> Series:
        """What of running is paid at the end of each month."""
        running = [
            book.months for (cause, _), book in self.causes.items() if cause not in BESIDE_RUNNING
        ]
        return add([0.0] * self.horizon_months, *running)

    def cash(self) -> Series:
        """All payments by month, month 0 being the start."""
        return add(*(account.cash() for account in self.accounts()))

    def present(self, discount: Discount) -> Series:
        """All payments by month at present value."""
        return add(*(account.present(discount) for account in self.accounts()))

    def timed(self) -> Series:
        """All payments by the month at whose end, or point of time, they fall due."""
        return add(*(account.timed() for account in self.accounts()))

    def capital_cash(self) -> Series:
        """Purchases less salvage, by month; what is leased is paid as it is used."""
        capital = Account.empty(self.horizon_months)
        for (cause, _), book in self.causes.items():
            if cause in CAPITAL_CAUSES:
                for month, amount in book.points.items():
                    capital.add_point(month, amount)
        return capital.cash()
