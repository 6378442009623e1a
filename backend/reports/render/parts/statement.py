"""Each design in the books of its owner, by fiscal year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.figures.statements import NOTE, head_of, lines_of, statement_table
from reports.render.blocks import caption, chip, heading, new_page, strong, table, together
from reports.render.part import Page, Part, Row
from reports.render.parts.years import YEARS_PER_TABLE
from reports.render.text import breakable
from reports.render.workbook import column_letter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict, ReportInput
    from reports.render.part import Cell
    from reports.render.workbook import Book

TITLE = "By fiscal year"
STRONG = {"ebitda_usd", "free_cash_usd"}


def blocks(page: Page) -> Iterator[JSONDict]:
    """A table a design, its fiscal years side by side."""
    report = page.report
    told = [(d, statement_table(d.get("statement") or (), report.currency)) for d in report.designs]
    if not any(found for _, found in told):
        return
    yield new_page()
    yield heading(TITLE, level=1)
    yield caption(f"In {report.currency.code}. {NOTE}")
    for design, found in told:
        if found is None:
            continue
        for first in range(0, len(found.heads), YEARS_PER_TABLE):
            shown = slice(first, first + YEARS_PER_TABLE)
            head = [*chip(design["letter"]), *strong(breakable(design["title"]))]
            rows = []
            for line in found.lines:
                cells = [line.label, *line.cells[shown]]
                rows.append(list(map(strong, cells)) if line.field in STRONG else cells)
            widths = (1.9, *(1.0 for _ in found.heads[shown]))
            yield together(table([head, *found.heads[shown]], rows, widths, size_pt=8.0))


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """Each line of each fiscal year."""
    by_design = [{y["year"]: y for y in d.get("statement") or ()} for d in report.designs]
    lines = lines_of([y for years in by_design for y in years.values()])
    for number, year in {n: y for years in by_design for n, y in years.items()}.items():
        for kind, _, _ in lines:
            cells: list[Cell] = [
                years[number][kind.field] if number in years else None for years in by_design
            ]
            name = kind.field.removesuffix("_usd")
            label = f"{kind.label}, {head_of(year)}"
            yield "fiscal_year", f"{number}.{name}", label, "USD", cells


def fill(book: Book, sheet: Worksheet) -> None:
    """The statements below each other, their sums as formulas."""
    from reports.render.sheet_layout import BOLD, PLAIN, begin, lay_out, put_text, put_value

    begin(sheet, TITLE, f"In {book.currency.code}. {NOTE}", ())
    row, columns = 4, 0
    for design in book.report.designs:
        years = design.get("statement") or ()
        columns, total = max(columns, len(years)), column_letter(2 + len(years))
        put_text(sheet, f"A{row}", f"{design['letter']}  {design['title']}", BOLD)
        for at, head in enumerate((*map(head_of, years), "Sum")):
            put_text(sheet, f"{column_letter(2 + at)}{row}", head, BOLD)
        for kind, amounts, sum_usd in lines_of(years):
            row += 1
            put_text(sheet, f"A{row}", kind.label, BOLD if kind.field in STRONG else PLAIN)
            for at, usd in enumerate(amounts):
                if usd is not None:
                    place = f"{column_letter(2 + at)}{row}"
                    put_value(sheet, place, book.currency.amount(usd))
            if sum_usd is not None:
                last = column_letter(1 + len(years))
                put_value(sheet, f"{total}{row}", f"=SUM(B{row}:{last}{row})")
        row += 2
    lay_out(sheet, [34.0, *(book.amount_width for _ in range(columns + 1))])


PART = Part(id="statement", title=TITLE, appendix=True, blocks=blocks, rows=csv_rows)
