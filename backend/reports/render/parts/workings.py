"""The workings of the workbook: year by year, the amounts as computed, and months.

*Year by year* has formulas only. *As computed* has the model's amounts by design, cause and
year, to change as well; *Months* the payments at the start and at the end of each month, from
which present values follow for any discount rate.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.rounding import whole_parts
from reports.render.contents import DEPRECIATION
from reports.render.part import Part, Sheet
from reports.render.parts import statement
from reports.render.parts.drivers import effect_rows
from reports.render.sheet_layout import (
    BIG,
    BOLD,
    GREY,
    lay_out,
    put_heads,
    put_input,
    put_text,
    put_value,
    repeat_heads,
)
from reports.render.sheet_layout import (
    PART as INDENTED,
)
from reports.render.workbook import (
    CENTS,
    COMPUTED,
    EFFECTS,
    FACTOR,
    LINES,
    MONTHS,
    RATE_CELL,
    WHOLE,
    YEARS,
    Block,
    Book,
    cause_name,
    column_letter,
)

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict

# So many columns of years stand on a page that is higher than wide.
UPRIGHT_YEARS = 5


def fill_computed(book: Book, sheet: Worksheet) -> None:
    """Write the model's amounts by design, cause and year; they may be changed too."""
    put_text(sheet, "A1", "As computed", BIG)
    words = f"Cost by cause and year, undiscounted, as the model gives it. In {book.currency.code}."
    put_text(sheet, "A2", words, GREY)
    put_heads(sheet, 3, _year_heads(book, book.currency.code))
    for block in book.blocks:
        _block_head(sheet, block)
        for place, cause in enumerate(block.causes):
            row = block.first + place
            put_text(sheet, f"A{row}", cause_name(block.design, cause))
            for year, amounts in enumerate(printed_causes(book, block.design)):
                put_input(sheet, f"{book.column(year)}{row}", amounts.get(cause, 0.0))
            _sum_row(book, sheet, row)
        for line in LINES[:4]:
            _line_name(sheet, block, line)
        for year in range(book.years):
            _cash_lines(book, sheet, block, year)
        for line in LINES[:3]:
            _sum_row(book, sheet, block.row(line))
        row = block.row("Depreciation")
        put_text(sheet, f"A{row}", "Depreciation")
        for year, amount in enumerate(printed_depreciation(book, block.design)):
            put_input(sheet, f"{book.column(year)}{row}", amount)
        _sum_row(book, sheet, row)
    _lay_out_years(book, sheet)


def _lay_out_years(book: Book, sheet: Worksheet) -> None:
    widths: list[float] = [46, *(book.amount_width for _ in range(book.years + 1))]
    lay_out(sheet, widths, upright=book.years <= UPRIGHT_YEARS)
    repeat_heads(sheet, 3)
    sheet.freeze_panes = "B4"


def _line_name(sheet: Worksheet, block: Block, line: str) -> None:
    cell = put_text(sheet, f"A{block.row(line)}", line, BOLD if line == LINES[0] else None)
    if line.startswith("of it"):
        cell.alignment = INDENTED


def _sum_row(book: Book, sheet: Worksheet, row: int) -> None:
    first, last = book.column(0), book.column(book.years - 1)
    put_value(sheet, f"{book.total}{row}", f"=SUM({first}{row}:{last}{row})").font = BOLD


def fill_months(book: Book, sheet: Worksheet) -> None:
    """Write each design's payments by month, and the factors that discount them."""
    put_text(sheet, "A1", "Months", BIG)
    words = (
        f"Payments as computed, in {book.currency.code}, at the start and at the end of each month."
    )
    put_text(sheet, "A2", words, GREY)
    heads = ["Month", "Factor, start", "Factor, end"]
    for block in book.blocks:
        heads += [f"{block.design['letter']}, start", f"{block.design['letter']}, end"]
    put_heads(sheet, 3, heads)
    months = [paid_months(block.design, book.rate) for block in book.blocks]
    for month in range(1, book.report.comparison["horizon_months"] + 1):
        row = month + 3
        put_value(sheet, f"A{row}", month, "0")
        put_value(sheet, f"B{row}", f"=(1+{RATE_CELL})^(-(A{row}-1)/12)", FACTOR)
        put_value(sheet, f"C{row}", f"=(1+{RATE_CELL})^(-A{row}/12)", FACTOR)
        for index, paid in enumerate(months):
            start, end = paid[month - 1]
            put_value(
                sheet, f"{column_letter(4 + 2 * index)}{row}", book.currency.amount(start), WHOLE
            )
            put_value(
                sheet, f"{column_letter(5 + 2 * index)}{row}", book.currency.amount(end), WHOLE
            )
    lay_out(sheet, [10, *(13 for _ in range(2 + 2 * len(months)))])
    repeat_heads(sheet, 3)
    sheet.freeze_panes = "D4"


def fill_years(book: Book, sheet: Worksheet) -> None:
    """Write the year-by-year table: formulas only."""
    put_text(sheet, "A1", "Year by year", BIG)
    words = "Formulas only: change the blue cells of Assumptions, Drivers and As computed."
    put_text(sheet, "A2", words, GREY)
    put_heads(sheet, 3, _year_heads(book, book.currency.code))
    effects = _Effects(book)
    for block in book.blocks:
        _block_head(sheet, block)
        for place, cause in enumerate(block.causes):
            row = block.first + place
            put_text(sheet, f"A{row}", cause_name(block.design, cause))
            for year in range(book.years):
                cell = f"'{COMPUTED}'!{book.column(year)}{row}"
                change = f"(1+{book.change_cell(block, cause)})"
                formula = f"=ROUND({cell}*{change}{effects(block, cause, year)},2)"
                put_value(sheet, f"{book.column(year)}{row}", formula)
            _sum_row(book, sheet, row)
        for line in LINES:
            _line_name(sheet, block, line)
        for year in range(book.years):
            _year_lines(book, sheet, block, year)
            _depreciation(book, sheet, (block, year), effects)
        for line in LINES:
            if line != "Cumulative cash out":
                _sum_row(book, sheet, block.row(line))
    _lay_out_years(book, sheet)


def _year_lines(book: Book, sheet: Worksheet, block: Block, year: int) -> None:
    column = book.column(year)
    _cash_lines(book, sheet, block, year)
    put_value(sheet, f"{column}{block.row('Present value')}", _present_value(book, block, year))


def _cash_lines(book: Book, sheet: Worksheet, block: Block, year: int) -> None:
    """Write the sums of the causes above them."""
    column = book.column(year)
    cash = f"{column}{block.row('Cost, undiscounted')}"
    capital = [
        f"{column}{block.first + place}"
        for place, cause in enumerate(block.causes)
        if cause in CAPITAL_CAUSES
    ]
    before = f"{book.column(year - 1)}{block.row('Cumulative cash out')}+" if year else ""
    formulas = {
        "Cost, undiscounted": f"=SUM({column}{block.first}:{column}{block.last})",
        "of it capital expenditure": f"={'+'.join(capital) or '0'}",
        "of it operating expenditure": f"={cash}-{column}{block.row('of it capital expenditure')}",
        "Cumulative cash out": f"={before}{cash}",
    }
    for line, formula in formulas.items():
        cell = put_value(sheet, f"{column}{block.row(line)}", formula)
        if line == "Cost, undiscounted":
            cell.font = BOLD


class _Effects:
    """What the drivers add to an amount of *Year by year*, as the end of its formula."""

    def __init__(self, book: Book) -> None:
        self._rows = effect_rows(book)

    def __call__(self, block: Block, cause: str, year: int) -> str:
        """Return the sum of a cause's effects in a year; nothing where there are none."""
        found = self._rows.get((block.design["letter"], cause))
        column = column_letter(4 + year)
        return f"+SUM({EFFECTS}!{column}{found[0]}:{column}{found[1]})" if found else ""


def _depreciation(
    book: Book, sheet: Worksheet, place: tuple[Block, int], effects: _Effects
) -> None:
    block, year = place
    column, row = book.column(year), block.row("Depreciation")
    change = ""
    if "hardware" in block.causes:
        change = f"*(1+{book.change_cell(block, 'hardware')})"
    added = effects(block, DEPRECIATION, year)
    put_value(sheet, f"{column}{row}", f"=ROUND('{COMPUTED}'!{column}{row}{change}{added},2)")


def _present_value(book: Book, block: Block, year: int) -> str:
    """Discount the computed months of a year, and what was changed at its own time."""
    horizon = book.report.comparison["horizon_months"]
    first, last = 12 * year + 4, min(12 * (year + 1), horizon) + 3
    index = book.blocks.index(block)
    start, end = column_letter(4 + 2 * index), column_letter(5 + 2 * index)
    column = book.column(year)
    parts = [
        f"SUMPRODUCT({MONTHS}!{start}{first}:{start}{last},{MONTHS}!$B{first}:$B{last})",
        f"SUMPRODUCT({MONTHS}!{end}{first}:{end}{last},{MONTHS}!$C{first}:$C{last})",
    ]
    printed = printed_causes(book, block.design)[year] if _has(block, year) else {}
    for place, cause in enumerate(block.causes):
        row = block.first + place
        base = printed.get(cause, 0.0)
        # Against the amount as computed, so that a change typed over it counts as well.
        changed = f"({column}{row}-{_constant(base)})"
        parts.append(f"{changed}*(1+{RATE_CELL})^(-({year}+{book.paid_cell(cause)}))")
    return f"=ROUND({'+'.join(parts)},2)"


def _constant(value: float) -> str:
    """Write a number into a formula so that it reads back exactly."""
    return f"({value!r})".upper()


def _has(block: Block, year: int) -> bool:
    return year < len(block.design["years"])


def _year_heads(book: Book, unit: str) -> list[str]:
    return [unit, *(f"Year {year + 1}" for year in range(book.years)), "Total"]


def _block_head(sheet: Worksheet, block: Block) -> None:
    name = f"{block.design['letter']}, {block.design['title']}"
    put_text(sheet, f"A{block.head_row}", name, BOLD)


def paid_months(design: JSONDict, rate: float) -> list[tuple[float, float]]:
    """Return a design's payments at the start and at the end of each month. [USD]

    A month's cash and its present value give both: what is paid at the start is discounted
    by one month less. Without a rate all but the first payment count as paid at the end.
    """
    cash = _steps(design["cumulative_usd"])
    present = _steps(design["cumulative_npv_usd"])
    step = (1.0 + rate) ** (-1.0 / 12.0)
    largest = max(map(abs, cash), default=0.0) or 1.0
    months = []
    for month in range(1, len(cash)):
        before, after = step ** (month - 1), step**month
        start = 0.0
        if month > 1 and before - after > 1e-9:
            start = (present[month] - cash[month] * after) / (before - after)
            start = start if abs(start) > 1e-8 * largest else 0.0
        months.append((start + (cash[0] if month == 1 else 0.0), cash[month] - start))
    return months


def printed_causes(book: Book, design: JSONDict) -> list[dict[str, float]]:
    """Return a design's causes by year in whole cents, which add up to its total."""
    keys = [(at, cause) for at, year in enumerate(design["years"]) for cause in year["causes"]]
    amounts = [
        book.currency.amount(design["years"][at]["causes"][cause]) * CENTS for at, cause in keys
    ]
    years: list[dict[str, float]] = [{} for _ in design["years"]]
    for (at, cause), cents in zip(
        keys, whole_parts(amounts, book.currency.amount(design["total_usd"]) * CENTS), strict=True
    ):
        years[at][cause] = cents / CENTS
    return years


def printed_depreciation(book: Book, design: JSONDict) -> list[float]:
    """Return what the books write off in each year in whole cents."""
    amounts = [book.currency.amount(year["depreciation_usd"]) * CENTS for year in design["years"]]
    return [cents / CENTS for cents in whole_parts(amounts, fsum(amounts))]


def _steps(cumulative: list[float]) -> list[float]:
    return [value - (cumulative[i - 1] if i else 0.0) for i, value in enumerate(cumulative)]


PART = Part(
    id="workings",
    title="Year by year by formulas, by fiscal year, as computed, and by month",
    sheets=(
        Sheet(YEARS, fill_years),
        Sheet(statement.TITLE, statement.fill),
        Sheet(COMPUTED, fill_computed),
        Sheet(MONTHS, fill_months),
    ),
)
