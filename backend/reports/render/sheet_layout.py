"""How the sheets of the workbook look and print. Heavy: openpyxl."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.properties import PageSetupProperties

from reports.render.text import clean
from reports.render.workbook import INPUT_FILL, MONEY, column_letter, head_fill

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

# In every office program, or one of the same widths; without a name they choose a serif.
FACE, SIZE = "Arial", 10
LINE_POINTS = 13.5


def _font(**changes: Any) -> Font:
    return Font(**{"name": FACE, "size": SIZE, **changes})


PLAIN, BOLD, BIG = _font(), _font(bold=True), _font(bold=True, size=16)
GREY = _font(color="5B6672")
# Blue for what may be changed, as in financial models everywhere.
BLUE = _font(color="0000FF")
INPUT = PatternFill("solid", fgColor=INPUT_FILL)
HEAD = PatternFill("solid", fgColor=head_fill())
WRAP = Alignment(wrap_text=True, vertical="top")
RIGHT = Alignment(horizontal="right", wrap_text=True, vertical="top")
PART = Alignment(horizontal="left", indent=1)
# The heads of a sheet that is one table, below its title and what is said of it.
HEAD_ROW = 3


def put_text(sheet: Worksheet, place: str, text: str, font: Font | None = None) -> Any:
    """Write text as text, even where it looks like a formula."""
    cell = sheet[place]
    cell.value = clean(text)
    cell.data_type = "s"
    cell.font = font or PLAIN
    return cell


def put_value(sheet: Worksheet, place: str, value: float | str, style: str = MONEY) -> Any:
    """Write a number or a formula."""
    cell = sheet[place]
    cell.value = value
    cell.number_format = style
    cell.font = PLAIN
    return cell


def put_input(sheet: Worksheet, place: str, value: float, style: str = MONEY) -> None:
    """Write a number that may be changed."""
    cell = put_value(sheet, place, value, style)
    cell.font, cell.fill = BLUE, INPUT


def put_heads(sheet: Worksheet, row: int, heads: list[str]) -> None:
    """Write the heads of columns of numbers."""
    for index, head in enumerate(heads, start=1):
        cell = put_text(sheet, f"{column_letter(index)}{row}", head, BOLD)
        cell.fill = HEAD
        cell.alignment = WRAP if index == 1 else RIGHT


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
    """Write a sheet's title, what it is, and the heads of its table."""
    put(sheet, 1, 1, title, BIG).alignment = None
    put(sheet, 2, 1, words, GREY).alignment = None
    for column, head in enumerate(heads, start=1):
        put(sheet, HEAD_ROW, column, head, BOLD).fill = HEAD
    repeat_heads(sheet, HEAD_ROW)
    sheet.freeze_panes = f"A{HEAD_ROW + 1}"


def lay_out(sheet: Worksheet, widths: list[float], *, upright: bool = False) -> None:
    """Set the columns' widths, and print all of them on one page's width.

    Heads of the sheet are repeated on each of its pages, which are numbered.
    """
    for index, width in enumerate(widths, start=1):
        sheet.column_dimensions[column_letter(index)].width = width
    setup = sheet.page_setup
    setup.orientation = "portrait" if upright else "landscape"
    setup.paperSize = sheet.PAPERSIZE_A4
    setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_margins.left = sheet.page_margins.right = 0.5
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"


def repeat_heads(sheet: Worksheet, row: int) -> None:
    """Print the rows down to this one on each page."""
    sheet.print_title_rows = f"1:{row}"


def across(sheet: Worksheet, row: int, columns: int) -> None:
    """Let a sentence run over some columns, in as many lines as it needs."""
    sheet.merge_cells(start_row=row, end_row=row, start_column=1, end_column=columns)
    cell: Any = sheet.cell(row, 1)
    cell.alignment = WRAP
    width = sum(sheet.column_dimensions[column_letter(i + 1)].width for i in range(columns))
    heavy = 1.15 if cell.font.bold else 1.0
    lines = max(1, ceil(len(str(cell.value or "")) * heavy / width))
    sheet.row_dimensions[row].height = lines * LINE_POINTS


def high_enough(sheet: Worksheet, row: int) -> None:
    """Make a row of heads as high as the head with the most lines."""
    lines = 1
    for cell in sheet[row]:
        width = sheet.column_dimensions[column_letter(cell.column)].width
        lines = max(lines, ceil(1.2 * len(str(cell.value or "")) / width))
    sheet.row_dimensions[row].height = lines * LINE_POINTS
