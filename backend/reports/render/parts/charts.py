"""Charts of the workbook, which follow the cells that are changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openpyxl.chart import BarChart, LineChart, Reference, Series

from reports.render.part import Part, Sheet
from reports.render.sheet_layout import HEAD_ROW, begin, lay_out
from reports.render.tokens import design_color
from reports.render.workbook import LINES, SUMMARY, YEARS

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.workbook import Book

CHART_CM = (24.0, 11.0)


def fill_charts(book: Book, sheet: Worksheet) -> None:
    """Draw cost by design and over the years, from the cells that follow the blue ones."""
    begin(sheet, "Charts", "They follow the blue cells of the other sheets.", ())
    lay_out(sheet, [12.0] * 12)
    sheet.add_chart(_totals(book), "A4")
    sheet.add_chart(_cumulative(book), "A28")


def _totals(book: Book) -> BarChart:
    chart = BarChart()
    chart.title, chart.legend = f"Cost by design ({book.currency.code})", None
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
    chart.title = f"Cumulative cash out by the end of each year ({book.currency.code})"
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


PART = Part(id="charts", title="Charts that follow changes", sheets=(Sheet("Charts", fill_charts),))
