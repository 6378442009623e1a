"""Workload, designs and assumptions: every value with its range, basis, date and source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import stated_day
from reports.render.blocks import (
    band,
    caption,
    chip,
    heading,
    new_page,
    references,
    span,
    strong,
    table,
)
from reports.render.inputs import by_branch, input_groups
from reports.render.part import Page, Part, Sheet
from reports.render.sheet_layout import HEAD_ROW, begin, lay_out, put
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict
    from reports.render.inputs import InputGroup, InputRow
    from reports.render.workbook import Book

INPUT_HEADS = ("Part", "Input", "Value", "Unit", "As shown", "Range", "Basis", "As of", "Source")
INPUT_WIDTHS = (26, 46, 16, 14, 22, 22, 12, 12, 40)
HEADS = ("Input", "Value", "Range", "Basis", "As of", "Source")
WIDTHS = (1.6, 1.05, 1.0, "auto", "auto", 1.15)
EXPLAINED = (
    "Every value that the results rest on. Inputs that are empty, or left at zero because "
    "nothing was entered, are not listed. Numbers in the last column name the sources at the "
    "end of the section; words say how a value without one was chosen."
)


def blocks(page: Page) -> Iterator[JSONDict]:
    """A table for each design, the workload and the assumptions, then the sources."""
    groups, sources = input_groups(page.report, page.report.currency)
    if not groups:
        return
    yield new_page()
    yield heading("Assumptions and inputs", level=1)
    yield caption(EXPLAINED)
    for group in groups:
        yield heading([*chip(group.letter), breakable(group.title)])
        yield table(HEADS, _rows(group), WIDTHS, left=(0, 3, 4, 5))
    if sources.listed:
        yield heading("Sources")
        yield references(sources.listed)


def _rows(group: InputGroup) -> Iterator[list[Any] | JSONDict]:
    for branch, rows in by_branch(group.rows):
        if branch:
            yield band(breakable(branch))
        yield from map(_cells, rows)


def _cells(row: InputRow) -> list[Any]:
    return [
        breakable(row.label.rpartition(" › ")[2]),
        strong(breakable(row.value)),
        row.range,
        [span(row.quality, "warning")] if row.unsure else row.quality,
        breakable(stated_day(row.as_of)),
        f"[{row.source}]" if row.source else [span(breakable(row.reason), "small")],
    ]


def fill_inputs(book: Book, sheet: Worksheet) -> None:
    """Write workload, designs and assumptions: every value with unit, range, basis and source."""
    groups, sources = input_groups(book.report, book.report.currency)
    listed = {one["number"]: one for one in sources.listed}
    code = book.currency.code
    words = f"Every value that the results rest on, as it was entered. Prices are in {code}."
    begin(sheet, "Inputs", words, INPUT_HEADS)
    row = HEAD_ROW
    for group in groups:
        part = f"{group.letter}, {group.title}" if group.letter else group.title
        for one in group.rows:
            row += 1
            source = listed[one.source]["title"] if one.source else one.reason
            raw = one.value if one.amount is None else book.currency.amount(one.amount, one.unit)
            texts = (
                book.currency.unit(one.unit),
                one.value,
                one.range,
                one.quality,
                one.as_of,
                source,
            )
            for column, value in enumerate((part, one.label, raw, *texts), start=1):
                put(sheet, row, column, value)
    lay_out(sheet, list(INPUT_WIDTHS))


def fill_sources(book: Book, sheet: Worksheet) -> None:
    """Write the sources that values of the inputs name."""
    _, sources = input_groups(book.report)
    begin(sheet, "Sources", "Where values of the inputs come from.", ("No.", "Source", "Address"))
    for row, stated in enumerate(sources.listed, start=HEAD_ROW + 1):
        for column, name in enumerate(("number", "title", "url"), start=1):
            put(sheet, row, column, stated[name])
    lay_out(sheet, [8, 80, 60])


PART = Part(
    id="inputs",
    title="Assumptions and inputs, with their sources",
    appendix=True,
    blocks=blocks,
    sheets=(Sheet("Inputs", fill_inputs), Sheet("Sources", fill_sources)),
)
