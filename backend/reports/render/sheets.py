"""The five sheets of the workbook. Heavy: openpyxl."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any

from capmodels.numbers import day, percent, snapshot_day
from capmodels.plans.causes import CAPITAL_CAUSES
from capmodels.plans.document.assumptions import Assumptions
from reports.render.contents import DEPRECIATION
from reports.render.driver_sheets import effect_rows
from reports.render.sheet_layout import (
    BIG,
    BLUE,
    BOLD,
    GREY,
    HEAD,
    INPUT,
    PART,
    PLAIN,
    RIGHT,
    WRAP,
    across,
    high_enough,
    lay_out,
    repeat_heads,
)
from reports.render.text import clean, shortened, unmarked
from reports.render.workbook import (
    ASSUMPTIONS,
    CENTS,
    COMPUTED,
    EFFECTS,
    FACTOR,
    FIRST_CAUSE_ROW,
    LINES,
    MONEY,
    MONTHS,
    PAID_AT,
    RATE_CELL,
    SHARE,
    SPREAD,
    SUMMARY,
    WHOLE,
    YEARS,
    Block,
    Book,
    cause_name,
    column_letter,
    paid_months,
    printed_causes,
    printed_depreciation,
)

if TYPE_CHECKING:
    from openpyxl.styles import Font
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict

# So many columns of years stand on a page that is higher than wide.
UPRIGHT_YEARS = 5


def _text(sheet: Worksheet, place: str, text: str, font: Font | None = None) -> Any:
    """Write text as text, even where it looks like a formula."""
    cell = sheet[place]
    cell.value = clean(text)
    cell.data_type = "s"
    cell.font = font or PLAIN
    return cell


def _value(sheet: Worksheet, place: str, value: float | str, style: str = MONEY) -> Any:
    cell = sheet[place]
    cell.value = value
    cell.number_format = style
    cell.font = PLAIN
    return cell


def _input(sheet: Worksheet, place: str, value: float, style: str = MONEY) -> None:
    cell = _value(sheet, place, value, style)
    cell.font, cell.fill = BLUE, INPUT


def _heads(sheet: Worksheet, row: int, heads: list[str]) -> None:
    for index, head in enumerate(heads, start=1):
        cell = _text(sheet, f"{column_letter(index)}{row}", head, BOLD)
        cell.fill = HEAD
        cell.alignment = WRAP if index == 1 else RIGHT


def _rate(book: Book) -> float:
    assumed = Assumptions.model_validate(book.report.document.get("assumptions", {}))
    return assumed.nominal_discount_fraction_per_year


def fill_assumptions(book: Book) -> None:
    """Write the cells to change: discount rate, and a change of each cause of each design."""
    sheet = book.book[ASSUMPTIONS]
    _text(sheet, "A1", "Assumptions", BIG)
    _text(sheet, "A2", "Change the blue cells; every other sheet follows.", GREY)
    _text(sheet, "A4", "Discount rate (per year)")
    _input(sheet, "B4", _rate(book), SHARE)
    words = f"The value left at the end stays as computed at {percent(_rate(book))}."
    _text(sheet, "C4", words, GREY)
    currency = book.report.currency
    _text(sheet, "A5", f"{currency.code} per US dollar")
    _input(sheet, "B5", currency.per_usd, "0.0000")
    _text(sheet, "A6", "Horizon (months)")
    _value(sheet, "B6", book.report.comparison["horizon_months"], "0")
    _text(
        sheet,
        f"A{FIRST_CAUSE_ROW - 2}",
        "Change of a cause, by design (10% makes it more expensive)",
        BOLD,
    )
    letters = [block.design["letter"] for block in book.blocks]
    paid = "Paid in the year at (0 start, 0.5 spread, 1 end)"
    _heads(sheet, FIRST_CAUSE_ROW - 1, ["Cause", *letters, paid])
    for place, cause in enumerate(book.causes):
        row = FIRST_CAUSE_ROW + place
        _text(sheet, f"A{row}", _shared_name(book, cause))
        for index in range(len(letters)):
            _input(sheet, f"{column_letter(2 + index)}{row}", 0.0, SHARE)
        _input(sheet, f"{column_letter(2 + len(letters))}{row}", PAID_AT.get(cause, SPREAD), "0.0")
    lay_out(sheet, [34, *(12 for _ in letters), 26])
    high_enough(sheet, FIRST_CAUSE_ROW - 1)
    sheet.freeze_panes = f"B{FIRST_CAUSE_ROW}"


def _shared_name(book: Book, cause: str) -> str:
    names = {cause_name(block.design, cause) for block in book.blocks if cause in block.causes}
    return " / ".join(sorted(names))


def _change_cell(book: Book, block: Block, cause: str) -> str:
    column = column_letter(2 + book.blocks.index(block))
    return f"{ASSUMPTIONS}!${column}${FIRST_CAUSE_ROW + book.causes.index(cause)}"


def _paid_cell(book: Book, cause: str) -> str:
    column = column_letter(2 + len(book.blocks))
    return f"{ASSUMPTIONS}!${column}${FIRST_CAUSE_ROW + book.causes.index(cause)}"


def _year_heads(book: Book, unit: str) -> list[str]:
    return [unit, *(f"Year {year + 1}" for year in range(book.years)), "Total"]


def _block_head(sheet: Worksheet, block: Block) -> None:
    name = f"{block.design['letter']}, {block.design['title']}"
    _text(sheet, f"A{block.head_row}", name, BOLD)


def fill_computed(book: Book) -> None:
    """Write the model's amounts by design, cause and year; they may be changed too."""
    sheet = book.book[COMPUTED]
    _text(sheet, "A1", "As computed", BIG)
    _text(sheet, "A2", "Cash out by cause and year, as the model gives it. In US dollars.", GREY)
    _heads(sheet, 3, _year_heads(book, "USD"))
    for block in book.blocks:
        _block_head(sheet, block)
        for place, cause in enumerate(block.causes):
            row = block.first + place
            _text(sheet, f"A{row}", cause_name(block.design, cause))
            for year, amounts in enumerate(printed_causes(block.design)):
                _input(sheet, f"{book.column(year)}{row}", amounts.get(cause, 0.0))
            _sum_row(book, sheet, row)
        for line in LINES[:4]:
            _line_name(sheet, block, line)
        for year in range(book.years):
            _cash_lines(book, sheet, block, year)
        for line in LINES[:3]:
            _sum_row(book, sheet, block.row(line))
        row = block.row("Depreciation")
        _text(sheet, f"A{row}", "Depreciation")
        for year, amount in enumerate(printed_depreciation(block.design)):
            _input(sheet, f"{book.column(year)}{row}", amount)
        _sum_row(book, sheet, row)
    _lay_out_years(book, sheet)


def _lay_out_years(book: Book, sheet: Worksheet) -> None:
    widths: list[float] = [46, *(book.amount_width for _ in range(book.years + 1))]
    lay_out(sheet, widths, upright=book.years <= UPRIGHT_YEARS)
    repeat_heads(sheet, 3)
    sheet.freeze_panes = "B4"


def _line_name(sheet: Worksheet, block: Block, line: str) -> None:
    cell = _text(sheet, f"A{block.row(line)}", line, BOLD if line == LINES[0] else None)
    if line.startswith("of it"):
        cell.alignment = PART


def _sum_row(book: Book, sheet: Worksheet, row: int) -> None:
    first, last = book.column(0), book.column(book.years - 1)
    _value(sheet, f"{book.total}{row}", f"=SUM({first}{row}:{last}{row})").font = BOLD


def fill_months(book: Book) -> None:
    """Write each design's payments by month, and the factors that discount them."""
    sheet = book.book[MONTHS]
    _text(sheet, "A1", "Months", BIG)
    words = "Payments as computed, in US dollars, at the start and at the end of each month."
    _text(sheet, "A2", words, GREY)
    heads = ["Month", "Factor, start", "Factor, end"]
    for block in book.blocks:
        heads += [f"{block.design['letter']}, start", f"{block.design['letter']}, end"]
    _heads(sheet, 3, heads)
    months = [paid_months(block.design, _rate(book)) for block in book.blocks]
    for month in range(1, book.report.comparison["horizon_months"] + 1):
        row = month + 3
        _value(sheet, f"A{row}", month, "0")
        _value(sheet, f"B{row}", f"=(1+{RATE_CELL})^(-(A{row}-1)/12)", FACTOR)
        _value(sheet, f"C{row}", f"=(1+{RATE_CELL})^(-A{row}/12)", FACTOR)
        for index, paid in enumerate(months):
            start, end = paid[month - 1]
            _value(sheet, f"{column_letter(4 + 2 * index)}{row}", start, WHOLE)
            _value(sheet, f"{column_letter(5 + 2 * index)}{row}", end, WHOLE)
    lay_out(sheet, [10, *(13 for _ in range(2 + 2 * len(months)))])
    repeat_heads(sheet, 3)
    sheet.freeze_panes = "D4"


def fill_years(book: Book) -> None:
    """Write the year-by-year table: formulas only."""
    sheet = book.book[YEARS]
    _text(sheet, "A1", "Year by year", BIG)
    words = "Formulas only: change the blue cells of Assumptions, Drivers and As computed."
    _text(sheet, "A2", words, GREY)
    _heads(sheet, 3, _year_heads(book, "USD"))
    effects = _Effects(book)
    for block in book.blocks:
        _block_head(sheet, block)
        for place, cause in enumerate(block.causes):
            row = block.first + place
            _text(sheet, f"A{row}", cause_name(block.design, cause))
            for year in range(book.years):
                cell = f"'{COMPUTED}'!{book.column(year)}{row}"
                change = f"(1+{_change_cell(book, block, cause)})"
                formula = f"=ROUND({cell}*{change}{effects(block, cause, year)},2)"
                _value(sheet, f"{book.column(year)}{row}", formula)
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
    _value(sheet, f"{column}{block.row('Present value')}", _present_value(book, block, year))


def _cash_lines(book: Book, sheet: Worksheet, block: Block, year: int) -> None:
    """Write the sums of the causes above them."""
    column = book.column(year)
    cash = f"{column}{block.row('Cash out')}"
    capital = [
        f"{column}{block.first + place}"
        for place, cause in enumerate(block.causes)
        if cause in CAPITAL_CAUSES
    ]
    before = f"{book.column(year - 1)}{block.row('Cumulative cash out')}+" if year else ""
    formulas = {
        "Cash out": f"=SUM({column}{block.first}:{column}{block.last})",
        "of it capital expenditure": f"={'+'.join(capital) or '0'}",
        "of it operating expenditure": f"={cash}-{column}{block.row('of it capital expenditure')}",
        "Cumulative cash out": f"={before}{cash}",
    }
    for line, formula in formulas.items():
        cell = _value(sheet, f"{column}{block.row(line)}", formula)
        if line == "Cash out":
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
        change = f"*(1+{_change_cell(book, block, 'hardware')})"
    added = effects(block, DEPRECIATION, year)
    _value(sheet, f"{column}{row}", f"=ROUND('{COMPUTED}'!{column}{row}{change}{added},2)")


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
    printed = printed_causes(block.design)[year] if _has(block, year) else {}
    for place, cause in enumerate(block.causes):
        row = block.first + place
        base = printed.get(cause, 0.0)
        # Against the amount as computed, so that a change typed over it counts as well.
        changed = f"({column}{row}-{_constant(base)})"
        parts.append(f"{changed}*(1+{RATE_CELL})^(-({year}+{_paid_cell(book, cause)}))")
    return f"=ROUND({'+'.join(parts)},2)"


def _constant(value: float) -> str:
    """Write a number into a formula so that it reads back exactly."""
    return f"({value!r})".upper()


def _has(block: Block, year: int) -> bool:
    return year < len(block.design["years"])


def fill_summary(book: Book) -> None:
    """Write the verdict as computed, and the totals as they follow from the other sheets."""
    sheet = book.book[SUMMARY]
    report = book.report
    _text(sheet, "A1", report.title, BIG)
    _text(sheet, "A2", report.question, GREY)
    _text(sheet, "A3", unmarked(report.comparison["verdict"]["headline"]), BOLD)
    _text(sheet, "A4", "The sentence is as computed; the table follows the blue cells.", GREY)
    heads = [
        "Design",
        "Meets demand",
        "Cost (USD)",
        "Above the cheapest (USD)",
        "Present value (USD)",
        "Equivalent annual cost (USD/yr)",
        "Cost as computed (USD)",
        "Changed by (USD)",
        f"Cost ({report.currency.code})",
    ]
    _heads(sheet, 6, heads)
    last = 6 + len(book.blocks)
    for place, block in enumerate(book.blocks):
        _summary_row(book, sheet, block, (7 + place, last))
    row = last + 2
    _text(sheet, f"A{row}", "Cheapest at entered values of those that meet demand", BOLD)
    # A design that does not carry the load cannot be the cheapest: it counts as very dear.
    _value(
        sheet,
        f"C{row}",
        f"=INDEX(J7:J{last},MATCH(MIN(K7:K{last}),K7:K{last},0))",
        "@",
    ).font = BOLD
    sheet[f"C{row}"].alignment = RIGHT
    _text(sheet, f"A{row + 2}", _stamp(book), GREY)
    lay_out(sheet, [46, *(book.amount_width for _ in heads[1:]), 8, 8])
    high_enough(sheet, 6)
    for sentence in (2, 3, 4, row + 2):
        across(sheet, sentence, len(heads))
    sheet.print_area = f"A1:I{row + 2}"
    for column in ("J", "K"):
        sheet.column_dimensions[column].hidden = True
    sheet.freeze_panes = "B7"


def _summary_row(book: Book, sheet: Worksheet, block: Block, place: tuple[int, int]) -> None:
    row, last = place
    design: JSONDict = block.design
    total = f"'{YEARS}'!{book.total}"
    years = f"({ASSUMPTIONS}!$B$6/12)"
    annuity = f"E{row}*{RATE_CELL}/(1-(1+{RATE_CELL})^(-{years}))"
    _text(sheet, f"A{row}", f"{design['letter']}, {shortened(design['title'], 60)}")
    carries = _text(sheet, f"B{row}", "yes" if design["carries_load"] else "no")
    carries.alignment = RIGHT
    _value(sheet, f"C{row}", f"={total}{block.row('Cash out')}").font = BOLD
    ranked = "E" if book.report.by_value else "C"
    _value(sheet, f"D{row}", f"={ranked}{row}-MIN($K$7:$K${last})")
    _value(sheet, f"E{row}", f"={total}{block.row('Present value')}")
    _value(sheet, f"F{row}", f"=IF({RATE_CELL}=0,E{row}/{years},{annuity})")
    _value(sheet, f"G{row}", floor(design["total_usd"] * CENTS + 0.5) / CENTS)
    _value(sheet, f"H{row}", f"=ROUND(C{row}-G{row},2)")
    _value(sheet, f"I{row}", f"=C{row}*{ASSUMPTIONS}!$B$5")
    _text(sheet, f"J{row}", design["letter"])
    _value(sheet, f"K{row}", f'=IF(B{row}="yes",{ranked}{row},1E+99)')


def _stamp(book: Book) -> str:
    report = book.report
    parts = [f"Made on {day(report.created_at)}"]
    if report.snapshot:
        parts.append(f"prices as of {snapshot_day(report.snapshot)}")
    parts += [f"{h.model} {h.version}, inputs {h.inputs_hash}" for h in report.hashes]
    return "; ".join(parts) + "."
