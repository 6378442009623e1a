"""The comparison as CSV: full numbers, a column per design, then cost by cause and by year."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from capmodels.sheets import cell_text
from reports.render.registry import parts
from reports.render.text import clean

if TYPE_CHECKING:
    from reports.render.contents import ReportInput
    from reports.render.part import Cell

HEAD = ("section", "id", "label", "unit")


def render_csv(report: ReportInput) -> bytes:
    """Return the comparison as CSV in UTF-8 with a byte order mark, for spreadsheets.

    One row per figure; the last columns are the designs, by letter. What is not known is
    empty. Amounts have every digit, in the study's currency, which their unit and id name.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    letters = [design["letter"] for design in report.designs]
    writer.writerow([*HEAD, *letters])
    rows = (row for part in parts() if part.rows for row in part.rows(report))
    currency = report.currency
    for section, row_id, label, unit, values in rows:
        shown = (
            value if isinstance(value, str) else currency.amount(value, unit) for value in values
        )
        cells: list[Cell] = [section, currency.name(row_id), label, currency.unit(unit), *shown]
        writer.writerow([_safe(cell) for cell in cells])
    return out.getvalue().encode("utf-8-sig")


def _safe(cell: Cell) -> Cell:
    return cell_text(clean(cell)) if isinstance(cell, str) else cell
