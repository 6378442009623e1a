"""A report as an XLSX file. Heavy: openpyxl."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import openpyxl

from reports.render.calculation import with_values
from reports.render.registry import parts
from reports.render.text import clean
from reports.render.workbook import Book, blocks_of, causes_of, years_count

if TYPE_CHECKING:
    from reports.render.contents import ReportInput


def render_workbook(report: ReportInput) -> bytes:
    """Return the workbook as XLSX, its formulas with values, computed anew when it is opened."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    whole = Book(report, book, blocks_of(report), causes_of(report), years_count(report))
    sheets = [(sheet, book.create_sheet(sheet.name)) for part in parts() for sheet in part.sheets]
    for sheet, cells in sheets:
        sheet.fill(whole, cells)
    book.calculation.fullCalcOnLoad = True
    book.properties.creator = "Ampacity"
    book.properties.title = clean(report.title)
    book.properties.created = book.properties.modified = report.created_at.replace(tzinfo=None)
    out = io.BytesIO()
    book.save(out)
    return with_values(out.getvalue(), book)
