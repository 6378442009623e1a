"""A report as an XLSX file. Heavy: openpyxl."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import openpyxl

from reports.render import driver_sheets, input_sheets, sheets
from reports.render.input_sheets import CHARTS, INPUTS, ODDS, SOURCES
from reports.render.text import clean
from reports.render.workbook import (
    ASSUMPTIONS,
    COMPUTED,
    DRIVERS,
    EFFECTS,
    FINDINGS,
    MONTHS,
    SUMMARY,
    YEARS,
    Book,
    blocks_of,
    causes_of,
    years_count,
)

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import ReportInput


# The sheets after the first, in their order.
NAMES = (
    *(ASSUMPTIONS, DRIVERS, YEARS, COMPUTED, EFFECTS, MONTHS),
    *(INPUTS, SOURCES, ODDS, FINDINGS, CHARTS),
)


def render_workbook(report: ReportInput) -> bytes:
    """Return the workbook as XLSX; programs compute its formulas when they open it."""
    book = openpyxl.Workbook()
    whole = Book(report, book, blocks_of(report), causes_of(report), years_count(report))
    first: Worksheet | Any = book.active
    first.title = SUMMARY
    for name in NAMES:
        book.create_sheet(name)
    sheets.fill_assumptions(whole)
    sheets.fill_computed(whole)
    sheets.fill_months(whole)
    sheets.fill_years(whole)
    sheets.fill_summary(whole)
    input_sheets.fill_inputs(whole)
    driver_sheets.fill_drivers(whole)
    driver_sheets.fill_effects(whole)
    driver_sheets.fill_findings(whole)
    input_sheets.fill_odds(whole)
    input_sheets.fill_charts(whole)
    book.calculation.fullCalcOnLoad = True
    book.properties.creator = "Ampacity"
    book.properties.title = clean(report.title)
    book.properties.created = book.properties.modified = report.created_at.replace(tzinfo=None)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
