"""The comparison as CSV: full numbers, a column per design, then cost by cause and by year."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from reports.render.figures.costs import cause_series
from reports.render.tables import YEAR_LINES
from reports.render.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import ReportInput

HEAD = ("section", "id", "label", "unit")
# A spreadsheet would take text that starts so for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
Cell = str | float | None


def render_csv(report: ReportInput) -> bytes:
    """Return the comparison as CSV in UTF-8 with a byte order mark, for spreadsheets.

    One row per figure; the last columns are the designs, by letter. What is not known is
    empty. Amounts are US dollars with every digit.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    letters = [design["letter"] for design in report.designs]
    writer.writerow([*HEAD, *letters])
    for section, row_id, label, unit, values in _rows(report):
        cells: list[Cell] = [section, row_id, label, unit, *values]
        writer.writerow([_safe(cell) for cell in cells])
    return out.getvalue().encode("utf-8-sig")


Row = tuple[str, str, str, str, list[Cell]]


def _rows(report: ReportInput) -> Iterator[Row]:
    designs = report.designs
    yield "design", "title", "Design", "", [design["title"] for design in designs]
    for row in report.comparison["rows"]:
        values: list[Cell] = [row["values"].get(design["letter"]) for design in designs]
        yield "comparison", row["id"], row["label"], row["unit"], values
        if notes := row.get("notes"):
            words: list[Cell] = [notes.get(design["letter"]) for design in designs]
            yield "comparison", f"{row['id']}.note", f"{row['label']}: what", "", words
    told: list[Cell] = [design["carbon"].get("factors") for design in designs]
    yield "comparison", "carbon.factors", "Carbon is counted by", "", told
    for one in cause_series(report):
        name = f"{one.side}.{one.cause}"
        yield "cause", name, f"{one.label}: {report.cost_words.lower()}", "USD", list(one.amounts)
        for place, quantile in enumerate(("p10", "p90") if any(one.ranges) else ()):
            ends: list[Cell] = [None if pair is None else pair[place] for pair in one.ranges]
            yield "cause", f"{name}.{quantile}", f"{one.label}: {quantile.upper()}", "USD", ends
    for year in range(max((len(design["years"]) for design in designs), default=0)):
        for field, label in YEAR_LINES:
            cells: list[Cell] = [
                design["years"][year][field] if year < len(design["years"]) else None
                for design in designs
            ]
            name = field.removesuffix("_usd")
            yield "year", f"{year + 1}.{name}", f"{label}, year {year + 1}", "USD", cells


def _safe(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = clean(cell)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
