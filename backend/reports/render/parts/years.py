"""Cost year by year, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing
from capmodels.printed import printed_years
from reports.render.blocks import caption, chip, heading, strong, table, together
from reports.render.part import Page, Part, Row
from reports.render.text import breakable, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from reports.render.contents import JSONDict, ReportInput
    from reports.render.part import Cell

YEARS_PER_TABLE = 6
YEAR_LINES = (
    ("capex_usd", "Capital expenditure, less value left"),
    ("opex_usd", "Operating expenditure"),
    ("cash_usd", "Cost, undiscounted"),
    ("depreciation_usd", "Depreciation"),
    ("npv_usd", "Present value"),
)


def year_lines(report: ReportInput) -> tuple[tuple[str, str], ...]:
    """Lines of the table; beside means of the simulations, what leads there year by year."""
    known = all("ranked_usd" in year for design in report.designs for year in design["years"])
    if not known or not report.comparison.get("odds"):
        return YEAR_LINES
    measure = "Present value" if report.by_value else "Cost, undiscounted"
    return (*YEAR_LINES, ("ranked_usd", f"{measure}, mean"))


def blocks(page: Page) -> Iterator[JSONDict]:
    """So many years side by side; a design's lines stay together, below their years."""
    comparison = page.report.comparison
    discounting = clean(comparison.get("discounting") or "")
    how = f" ({discounting})" if discounting else ""
    code = comparison["currency"]["code"]
    yield heading("Year by year", level=1)
    mean = len(year_lines(page.report)) > len(YEAR_LINES)
    entered = ", as entered; the last line adds up to what the verdict goes by" if mean else ""
    yield caption(
        f"In {code}, undiscounted except for the present value{how}{entered}. Cost is what is paid "
        "less value left; each amount is rounded by itself."
    )
    for part in year_tables(page.report):
        for one in part["blocks"]:
            first = [*chip(one["letter"]), *strong(breakable(one["title"]))]
            widths = (1.6, *(1.0 for _ in part["heads"]))
            rows = map(_cells, one["lines"])
            yield together(table([first, *part["heads"]], rows, widths, size_pt=8.0))


def _cells(line: JSONDict) -> list[Any]:
    cells = [line["label"], *line["cells"]]
    return list(map(strong, cells)) if line["strong"] else cells


def year_tables(report: ReportInput) -> list[JSONDict]:
    """Return the year-by-year tables: so many years side by side, a block per design."""
    count = max((len(design["years"]) for design in report.designs), default=0)
    tables = []
    for first in range(0, count, YEARS_PER_TABLE):
        years = range(first, min(first + YEARS_PER_TABLE, count))
        last = years[-1] == count - 1
        tables.append(
            {
                "heads": [f"Year {y + 1}" for y in years] + (["Total"] if last else []),
                "blocks": [_year_block(report, d, years, with_total=last) for d in report.designs],
            }
        )
    return tables


def _year_block(
    report: ReportInput, design: JSONDict, years: Sequence[int], *, with_total: bool
) -> JSONDict:
    printed = printed_years(design["years"], report.currency)
    lines = []
    for field, label in year_lines(report):
        *values, total = printed[field]
        cells = [values[y] if y < len(values) else missing() for y in years]
        if with_total:
            cells.append(total)
        lines.append({"label": label, "strong": field == "cash_usd", "cells": cells})
    return {"letter": design["letter"], "title": design["title"], "lines": lines}


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """Each line of each year."""
    designs = report.designs
    for year in range(max((len(design["years"]) for design in designs), default=0)):
        for field, label in year_lines(report):
            cells: list[Cell] = [
                design["years"][year][field] if year < len(design["years"]) else None
                for design in designs
            ]
            name = field.removesuffix("_usd")
            yield "year", f"{year + 1}.{name}", f"{label}, year {year + 1}", "USD", cells


PART = Part(id="years", title="Year by year", appendix=True, blocks=blocks, rows=csv_rows)
