"""What the money goes to, by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import span as span_of
from capmodels.plans.figures.costs import cause_series, cost_by_cause
from reports.render.blocks import caption, chart, design_table, heading, span, strong
from reports.render.part import Page, Part, Row
from reports.render.text import breakable
from reports.render.tokens import cause_color

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from capmodels.told import Series
    from reports.render.contents import JSONDict, ReportInput


def blocks(page: Page) -> Iterator[JSONDict]:
    """A chart and a table of the causes by design."""
    from reports.render.draw import bars

    report, shown = page.report, cause_table(page.report)
    yield heading("What the money goes to", level=1)
    yield chart(
        cost_by_cause(report.compared),
        lambda causes: bars.draw_bars(causes, report.currency, page.width_in, row_in=0.3),
    )
    yield caption(f"{shown['measure']}.")
    rows = [[_label(row), *map(_cell, row["cells"])] for row in shown["rows"]]
    totals = [strong("Total"), *map(strong, shown["totals"])]
    yield design_table(report, "Cause", [*rows, totals], 1.5)


def _label(row: JSONDict) -> list[Any]:
    side = [span(" (rented)", "small")] if row["side"] == "rented" else []
    return [span(row["color"], "swatch"), row["label"], *side]


def _cell(cell: JSONDict) -> list[Any]:
    return [cell["text"], *([span(cell["below"], "below")] if cell["below"] else [])]


def cause_table(report: ReportInput) -> JSONDict:
    """Return cost by cause: a row per cause in the fixed order, a column per design.

    The printed amounts of a column add up to its printed total; P10 and P90 stand below.
    """
    figure = cost_by_cause(report.compared)
    columns = [column.said for column in figure.twin[2:]]
    rows = [
        {
            "label": breakable(one.name),
            "side": one.role.partition("/")[0],
            "color": cause_color(*one.role.split("/")),
            "cells": [
                {"text": said[line] if one.values[at] else "", "below": _ends(report, one, at)}
                for at, said in enumerate(columns)
            ],
        }
        for line, one in enumerate(figure.series)
    ]
    has_ranges = any(one.low for one in figure.series)
    return {
        "rows": rows,
        "totals": [said[-1] for said in columns],
        "measure": report.cost_words + (", with P10–P90" if has_ranges else ""),
    }


def _ends(report: ReportInput, one: Series, at: int) -> str:
    if not one.low or (low := one.low[at]) is None or (high := one.high[at]) is None:
        return ""
    return span_of(low, high, "USD", report.currency)


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """Each cause as the designs are ranked by it, and its P10 and P90."""
    for one in cause_series(report.compared):
        name = one.role.replace("/", ".")
        yield "cause", name, f"{one.name}: {report.cost_words.lower()}", "USD", list(one.values)
        for quantile, ends in (("p10", one.low), ("p90", one.high)):
            if ends:
                head = f"{one.name}: {quantile.upper()}"
                yield "cause", f"{name}.{quantile}", head, "USD", list(ends)


PART = Part(id="causes", title="Costs by cause", blocks=blocks, rows=csv_rows)
