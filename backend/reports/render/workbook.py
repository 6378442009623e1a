"""The workbook: every amount can be changed, every sum follows by formula.

Here is what its sheets need to know of each other; each is filled by its part of the report.
Amounts are in the currency of the study, in whole cents that add up to the model's total, and
what is worked out of them is rounded to cents before it is summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.plans.causes import CAUSES, key_of, place_of
from capmodels.plans.document.assumptions import Assumptions
from reports.render.contents import DEPRECIATION
from reports.render.tokens import cause_label, theme_color

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

    from capmodels.numbers import Currency
    from reports.render.contents import JSONDict, ReportInput

SUMMARY, ASSUMPTIONS, YEARS = "Summary", "Assumptions", "Year by year"
COMPUTED, MONTHS = "As computed", "Months"
DRIVERS, EFFECTS = "Drivers", "Effects"
# When in the year a change of a cause is paid: at its start, spread over it, at its end.
PAID_AT = {cause.id: cause.paid_at_fraction for cause in CAUSES}
SPREAD = 0.5
MONEY, SHARE, FACTOR = '#,##0.00;[Red]"−"#,##0.00;"–"', "0.0%", "0.000000"
WHOLE = '#,##0;[Red]"−"#,##0;"–"'
CENTS = 100
LEAST_WIDTH = 15
INPUT_FILL = "FFF8E1"
RATE_CELL = f"{ASSUMPTIONS}!$B$4"
FIRST_CAUSE_ROW = 10


@dataclass(frozen=True, slots=True)
class Block:
    """Where a design's rows stand, on *Year by year* and *As computed* alike."""

    design: JSONDict
    causes: tuple[str, ...]
    head_row: int

    @property
    def first(self) -> int:
        """The row of the first cause."""
        return self.head_row + 1

    @property
    def last(self) -> int:
        """The row of the last cause."""
        return self.head_row + max(len(self.causes), 1)

    def row(self, line: str) -> int:
        """The row of a line below the causes."""
        return self.last + 1 + LINES.index(line)


LINES = (
    "Cost, undiscounted",
    "of it capital expenditure",
    "of it operating expenditure",
    "Cumulative cash out",
    "Depreciation",
    "Present value",
)


@dataclass(frozen=True, slots=True)
class Book:
    """The workbook, and what all of its sheets need to know."""

    report: ReportInput
    book: Workbook
    blocks: tuple[Block, ...]
    causes: tuple[str, ...]
    years: int

    def column(self, year: int) -> str:
        """The column letter of a year, 0 being the first."""
        return column_letter(2 + year)

    @property
    def currency(self) -> Currency:
        """The currency that every amount of the workbook is in."""
        return self.report.currency

    @property
    def measure(self) -> str:
        """What the sentence of the verdict goes by: ``Cost over 3 years, mean of simulations``."""
        words = self.report.cost_words
        return f"{words} of simulations" if words.endswith("mean") else words

    @property
    def amount_width(self) -> int:
        """Characters of a column that the largest amount fits into, in cents."""
        largest = max(
            (abs(self.currency.amount(design["total_usd"])) for design in self.report.designs),
            default=0.0,
        )
        return max(LEAST_WIDTH, len(f"{largest:,.2f}") + 2)

    @property
    def total(self) -> str:
        """The column letter of the total over all years."""
        return column_letter(2 + self.years)

    @property
    def rate(self) -> float:
        """The discount rate as entered, a year."""
        assumed = Assumptions.model_validate(self.report.document.get("assumptions", {}))
        return assumed.nominal_discount_fraction_per_year

    def change_cell(self, block: Block, cause: str) -> str:
        """The cell that changes a cause of a design."""
        column = column_letter(2 + self.blocks.index(block))
        return f"{ASSUMPTIONS}!${column}${FIRST_CAUSE_ROW + self.causes.index(cause)}"

    def paid_cell(self, cause: str) -> str:
        """The cell that says when in a year a change of a cause is paid."""
        column = column_letter(2 + len(self.blocks))
        return f"{ASSUMPTIONS}!${column}${FIRST_CAUSE_ROW + self.causes.index(cause)}"


def column_letter(index: int) -> str:
    """Return the letters of a column, 1 being A.

    >>> column_letter(1), column_letter(27)
    ('A', 'AA')
    """
    letters = ""
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def years_count(report: ReportInput) -> int:
    return max((len(design["years"]) for design in report.designs), default=0)


def causes_of(report: ReportInput) -> tuple[str, ...]:
    found = {cause for design in report.designs for cause in _causes(report, design)}
    return tuple(sorted(found, key=lambda cause: (_order(cause), cause)))


def _causes(report: ReportInput, design: JSONDict) -> set[str]:
    """What a design pays for, and what it would at another value of a driver."""
    moved = {key for driver in report.drivers for key in driver.amounts}
    paid = {cause for year in design["years"] for cause in year["causes"]}
    return paid | {
        cause for letter, cause in moved if letter == design["letter"] and cause != DEPRECIATION
    }


def _order(cause: str) -> tuple[bool, int]:
    """Causes of cost in their order; what is left at the end is a line beneath them."""
    place = min(place_of(side, cause) for side in ("owned", "rented"))
    return key_of(cause) == "salvage", place


def cause_name(design: JSONDict | None, cause: str) -> str:
    """Return a cause's label, by the side on which the design has it."""
    sides = {c["side"] for c in (design or {"causes": ()})["causes"] if c["cause"] == cause}
    owned = cause_label("owned", cause)
    return cause_label("rented", cause) if sides == {"rented"} else owned


def blocks_of(report: ReportInput) -> tuple[Block, ...]:
    blocks = []
    row = 4
    for design in report.designs:
        found = _causes(report, design)
        causes = tuple(sorted(found, key=lambda cause: (_order(cause), cause)))
        block = Block(design, causes, row)
        blocks.append(block)
        row = block.row(LINES[-1]) + 2
    return tuple(blocks)


def head_fill() -> str:
    """Return the colour behind heads, without the hash sign."""
    return theme_color("surface").removeprefix("#")
