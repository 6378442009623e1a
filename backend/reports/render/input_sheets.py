"""Sheets of the workbook that nothing is worked out on: inputs with sources, odds, charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openpyxl.chart import BarChart, LineChart, Reference, Series

from reports.render.inputs import input_groups
from reports.render.sheet_layout import (
    BIG,
    BOLD,
    GREY,
    HEAD,
    PLAIN,
    RIGHT,
    WRAP,
    lay_out,
    repeat_heads,
)
from reports.render.text import clean
from reports.render.tokens import design_color
from reports.render.workbook import LINES, MONEY, SHARE, SUMMARY, YEARS

if TYPE_CHECKING:
    from openpyxl.styles import Font
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.workbook import Book

INPUTS, ODDS, SOURCES, CHARTS = "Inputs", "Odds", "Sources", "Charts"
INPUT_HEADS = ("Part", "Input", "Value", "Unit", "As shown", "Range", "Basis", "As of", "Source")
INPUT_WIDTHS = (26, 46, 16, 14, 22, 22, 12, 12, 40)
HEAD_ROW = 3
CHART_CM = (24.0, 11.0)


def put(sheet: Worksheet, row: int, column: int, value: Any, font: Font | None = None) -> Any:
    """Write a value; text stays text, even where it looks like a formula."""
    cell: Any = sheet.cell(row, column)
    if isinstance(value, str):
        cell.value = clean(value)
        cell.data_type = "s"
        cell.alignment = WRAP
    else:
        cell.value = value
    cell.font = font or PLAIN
    return cell


def begin(sheet: Worksheet, title: str, words: str, heads: tuple[str, ...]) -> None:
    put(sheet, 1, 1, title, BIG).alignment = None
    put(sheet, 2, 1, words, GREY).alignment = None
    for column, head in enumerate(heads, start=1):
        put(sheet, HEAD_ROW, column, head, BOLD).fill = HEAD
    repeat_heads(sheet, HEAD_ROW)
    sheet.freeze_panes = f"A{HEAD_ROW + 1}"


def fill_inputs(book: Book) -> None:
    """Write workload, designs and assumptions: every value with unit, range, basis and source."""
    groups, sources = input_groups(book.report)
    listed = {one["number"]: one for one in sources.listed}
    sheet = book.book[INPUTS]
    words = "Every value that the results rest on, as it was entered. Prices are in US dollars."
    begin(sheet, "Inputs", words, INPUT_HEADS)
    row = HEAD_ROW
    for group in groups:
        part = f"{group.letter}, {group.title}" if group.letter else group.title
        for one in group.rows:
            row += 1
            source = listed[one.source]["title"] if one.source else one.reason
            raw = one.amount if one.amount is not None else one.value
            texts = (one.unit, one.value, one.range, one.quality, one.as_of, source)
            for column, value in enumerate((part, one.label, raw, *texts), start=1):
                put(sheet, row, column, value)
    lay_out(sheet, list(INPUT_WIDTHS))
    sheet = book.book[SOURCES]
    begin(sheet, "Sources", "Where values of the inputs come from.", ("No.", "Source", "Address"))
    for row, stated in enumerate(sources.listed, start=HEAD_ROW + 1):
        for column, name in enumerate(("number", "title", "url"), start=1):
            put(sheet, row, column, stated[name])
    lay_out(sheet, [8, 80, 60])


def fill_odds(book: Book) -> None:
    """Write how often each design is cheapest, and the range of its cost; as computed."""
    sheet, odds = book.book[ODDS], book.report.comparison["odds"]
    words = "No simulations were asked for, or no input has a range."
    if odds is not None:
        words = f"From {odds['draws_count']:,} simulations, seed {odds['seed']}. As computed."
    heads = ("Design", "Cheapest in", "P10 (USD)", "P50 (USD)", "P90 (USD)")
    begin(sheet, "Odds", words, heads)
    for row, design in enumerate(book.report.designs, start=HEAD_ROW + 1):
        put(sheet, row, 1, f"{design['letter']}, {design['title']}")
        share = None if odds is None else odds["wins"].get(design["letter"])
        for column, (value, style) in enumerate(
            ((share, SHARE), *((design[f"p{p}_usd"], MONEY) for p in (10, 50, 90))), start=2
        ):
            cell = put(sheet, row, column, value)
            cell.number_format, cell.alignment = style, RIGHT
    lay_out(sheet, [46, 14, 18, 18, 18])


def fill_charts(book: Book) -> None:
    """Draw cost by design and over the years, from the cells that follow the blue ones."""
    sheet = book.book[CHARTS]
    begin(sheet, "Charts", "They follow the blue cells of the other sheets.", ())
    lay_out(sheet, [12.0] * 12)
    sheet.add_chart(_totals(book), "A4")
    sheet.add_chart(_cumulative(book), "A28")


def _totals(book: Book) -> BarChart:
    chart = BarChart()
    chart.title, chart.legend = "Cost by design (USD)", None
    chart.width, chart.height = CHART_CM
    chart.y_axis.number_format, chart.y_axis.delete, chart.x_axis.delete = "#,##0", False, False
    cells, last = book.book[SUMMARY], 6 + len(book.blocks)
    chart.add_data(Reference(cells, min_col=3, min_row=7, max_row=last))
    # Letters, which stand hidden beside the table.
    chart.set_categories(Reference(cells, min_col=10, min_row=7, max_row=last))
    chart.plot_visible_only = False
    return chart


def _cumulative(book: Book) -> LineChart:
    chart = LineChart()
    chart.title = "Cumulative cash out by the end of each year (USD)"
    chart.width, chart.height = CHART_CM
    chart.y_axis.number_format, chart.y_axis.delete, chart.x_axis.delete = "#,##0", False, False
    cells = book.book[YEARS]
    for block in book.blocks:
        row = block.row(next(line for line in LINES if line.startswith("Cumulative")))
        data = Reference(cells, min_col=2, max_col=1 + book.years, min_row=row)
        line = Series(data, title=f"Design {block.design['letter']}")
        line.graphicalProperties.line.solidFill = design_color(block.design["letter"]).strip("#")
        chart.series.append(line)
    chart.set_categories(Reference(cells, min_col=2, max_col=1 + book.years, min_row=HEAD_ROW))
    return chart
