"""Amounts of a table that add up as they are printed, at one unit for a column."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from capmodels.numbers import rules
from capmodels.rounding import half_up, whole_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.numbers import Currency

# A column is printed to so many digits at least.
DIGITS = 4
CENTS, MOST_DECIMALS = 2, 12
# Below it cents say too little.
LEAST_IN_CENTS = 0.1


class Column:
    """How the amounts of a column are printed: in dollars and cents, thousands, millions."""

    def __init__(self, largest_usd: float, currency: Currency) -> None:
        """Choose the coarsest unit that leaves the largest amount its digits."""
        self._currency = currency
        magnitude = abs(largest_usd) * currency.per_usd
        self._suffix, self._decimals = "", 0
        self._unit = 1.0
        least = 10.0 ** (DIGITS - 1)
        scales = (s for s in rules()["money_scales"] if s["divide_by"] > 1)
        for scale in scales:
            if magnitude >= least * scale["divide_by"]:
                self._unit, self._suffix = float(scale["divide_by"]), scale["suffix"]
                return
        if 0 < magnitude < least:
            places = DIGITS - 1 - math.floor(math.log10(magnitude))
            self._decimals = CENTS if magnitude >= LEAST_IN_CENTS else min(places, MOST_DECIMALS)

    def spread(self, amounts_usd: Sequence[float], total: int) -> list[int]:
        """Whole units of each amount, which add up to so many units.

        Amounts of the other sign are the same units of the other sign.
        """
        sign = -1 if total < 0 else 1
        units = whole_parts([sign * self._units(usd) for usd in amounts_usd], float(sign * total))
        return [sign * one for one in units]

    def whole(self, amount_usd: float) -> int:
        """Whole units of an amount, a half rounded away from zero."""
        units = self._units(amount_usd)
        return half_up(abs(units)) * (-1 if units < 0 else 1)

    def _units(self, amount_usd: float) -> float:
        return amount_usd * self._currency.per_usd / self._unit * 10.0**self._decimals

    def text(self, units: int) -> str:
        """Write a number of units: $3,036 k, −$45 k, $10.50, $0."""
        if units == 0:
            return f"{self._currency.symbol}0"
        whole, rest = divmod(abs(units), 10**self._decimals)
        cents = f".{rest:0{self._decimals}d}" if self._decimals else ""
        sign = rules()["minus"] if units < 0 else ""
        suffix = self._suffix.replace(" ", rules()["space"])
        return f"{sign}{self._currency.symbol}{whole:,}{cents}{suffix}"


def printed_before(
    amounts_usd: Sequence[float], rest_usd: Sequence[float], total_usd: float, currency: Currency
) -> tuple[list[str], str, list[str], str]:
    """Write amounts, their sum, the rest and the total of both, so that all of it adds up.

    ``total_usd`` is the sum of the amounts and the rest. Both sums are rounded by themselves, as
    wherever else they stand; parts are moved by a unit where they have to be.
    """
    column = Column(max(map(abs, (*amounts_usd, *rest_usd, total_usd))), currency)
    total = column.whole(total_usd)
    before = column.whole(math.fsum(amounts_usd)) if rest_usd else total
    parts, rest = column.spread(amounts_usd, before), column.spread(rest_usd, total - before)
    return (
        list(map(column.text, parts)),
        column.text(before),
        list(map(column.text, rest)),
        column.text(total),
    )


def printed_steps(
    start_usd: float, changes_usd: Sequence[float], end_usd: float, currency: Currency
) -> tuple[list[str], list[str]]:
    """Write what leads from one amount to another, the two at the ends, so that it adds up.

    The printed changes, each with its sign, lead from the printed start to the printed end; beside
    them is what each of them leads to.
    """
    column = Column(max(map(abs, (start_usd, *changes_usd, end_usd))), currency)
    start, end = column.whole(start_usd), column.whole(end_usd)
    changes = column.spread(changes_usd, end - start)
    signed = [f"{'+' if units > 0 else ''}{column.text(units)}" for units in changes]
    steps = [column.text(start), *signed, column.text(end)]
    return steps, [column.text(units) for units in (*accumulate((start, *changes)), end)]


YEAR_FIELDS = (
    "capex_usd",
    "opex_usd",
    "cash_usd",
    "depreciation_usd",
    "npv_usd",
    "ranked_usd",
)


def printed_years(years: Sequence[Mapping[str, Any]], currency: Currency) -> dict[str, list[str]]:
    """Write the lines of a year-by-year table, the total last, each amount rounded by itself."""
    # Results stored before version 2.17 say nothing of what years add to the verdict's measure.
    fields = [field for field in YEAR_FIELDS if all(field in year for year in years)]
    amounts = {field: [float(year[field]) for year in years] for field in fields}
    for values in amounts.values():
        values.append(math.fsum(values))
    column = Column(max(abs(values[-1]) for values in amounts.values()), currency)
    return {
        field: [column.text(column.whole(usd)) for usd in values]
        for field, values in amounts.items()
    }
