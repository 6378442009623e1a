"""Each design's statement by fiscal year as it is printed: lines, years and what they mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.numbers import missing
from capmodels.plans.comparison import FiscalYear
from capmodels.printed import Column
from capmodels.spec import Result
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.numbers import Currency
    from capmodels.spec import JSONDict

NOTE = (
    "As entered and undiscounted. No income is modelled: results are what the design takes from "
    "them. Machines that go on working keep their book value, which is no cash; a comparison "
    "counts the years that remain of their lives instead, as value left. Each amount is rounded "
    "by itself."
)


class Kind(NamedTuple):
    """A line of the statement; a ``balance`` is that of the end of a year and has no sum."""

    field: str
    label: str
    balance: bool = False

    @property
    def about(self) -> str:
        """What the result's field says of itself."""
        return FiscalYear.model_fields[self.field].description or ""


LINES = (
    Kind("capex_usd", "Capital expenditure"),
    Kind("opex_usd", "Operating expenditure"),
    Kind("ebitda_usd", "EBITDA"),
    Kind("depreciation_usd", "Depreciation"),
    Kind("disposal_usd", "Gain or loss on disposal"),
    Kind("interest_usd", "Interest on leases"),
    Kind("tax_usd", "Tax"),
    Kind("result_usd", "Result"),
    Kind("proceeds_usd", "Proceeds of what goes"),
    Kind("lease_payments_usd", "Lease payments"),
    Kind("paid_ahead_usd", "Paid ahead"),
    Kind("free_cash_usd", "Free cash flow"),
    Kind("assets_usd", "Assets, end of year", balance=True),
    Kind("prepaid_usd", "Paid in advance, end of year", balance=True),
    Kind("lease_liability_usd", "Lease liability, end of year", balance=True),
    Kind("budget_usd", "Budget"),
    Kind("over_budget_usd", "Over budget"),
)
# Lines that stand even where nothing is in them.
_ALWAYS = {"capex_usd", "opex_usd", "ebitda_usd", "depreciation_usd", "result_usd", "free_cash_usd"}


class StatementLine(Result):
    """A line of a statement as it is printed, the sum of the years last."""

    field: str
    label: str
    about: str
    balance: bool
    cells: tuple[str, ...]


class StatementTable(Result):
    """A design's statement as it is printed: a column a fiscal year, and the sum."""

    heads: tuple[str, ...]
    lines: tuple[StatementLine, ...]


def head_of(year: JSONDict) -> str:
    """Name a fiscal year, with its months where it has not all of them."""
    number, months = year["year"], year["months_count"]
    name = f"FY {number}" if number >= 1000 else f"Year {number}"
    return name if months == MONTHS_PER_YEAR else f"{name}, {months} mo"


def lines_of(years: Sequence[JSONDict]) -> list[tuple[Kind, list[float | None], float | None]]:
    """Lines that a statement has, with the amount of each year and the sum of those known. [USD]"""
    found = []
    for kind in LINES:
        amounts: list[Any] = [year.get(kind.field) for year in years]
        known = [usd for usd in amounts if usd is not None]
        if kind.field in _ALWAYS or any(usd != 0.0 for usd in known) or "budget" in kind.field:
            if not known:
                continue
            found.append((kind, amounts, None if kind.balance else math.fsum(known)))
    return found


def statement_table(years: Sequence[JSONDict], currency: Currency) -> StatementTable | None:
    """Print a statement, each amount rounded by itself; None of what an old version stored."""
    if not years:
        return None
    lines = lines_of(years)
    known = [
        abs(usd) for _, amounts, total in lines for usd in (*amounts, total) if usd is not None
    ]
    column = Column(max(known), currency)
    printed = []
    for kind, amounts, total in lines:
        cells = [missing() if usd is None else column.text(column.whole(usd)) for usd in amounts]
        cells.append("" if total is None else column.text(column.whole(total)))
        printed.append(
            StatementLine(
                field=kind.field,
                label=kind.label,
                about=kind.about,
                balance=kind.balance,
                cells=tuple(cells),
            )
        )
    return StatementTable(heads=(*map(head_of, years), "Sum"), lines=tuple(printed))
