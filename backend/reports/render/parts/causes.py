"""What the money goes to, by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import span as span_of
from capmodels.plans.figures.costs import cause_series, cost_by_cause, is_value_left
from reports.render.blocks import caption, chart, design_table, heading, span, strong
from reports.render.part import Page, Part, Row
from reports.render.text import breakable
from reports.render.tokens import cause_color

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
    sums = [[strong(row["label"]), *map(strong, row["said"])] for row in shown["sums"]]
    left = [[_label(row), *map(_cell, row["cells"])] for row in shown["left"]]
    yield design_table(report, "Cause", [*rows, *sums[:-1], *left, sums[-1]], 1.5)


def _label(row: JSONDict) -> list[Any]:
    side = [span(" (rented)", "small")] if row["side"] == "rented" else []
    return [span(row["color"], "swatch"), row["label"], *side]


def _cell(cell: JSONDict) -> list[Any]:
    return [cell["text"], *([span(cell["below"], "below")] if cell["below"] else [])]


def cause_table(report: ReportInput) -> JSONDict:
    """Return cost by cause: a row per cause in the fixed order, a column per design.

    Beneath them ``left`` are the rows of what is left at the end, and ``sums`` those of the sums,
    that before it and the total. The printed amounts of a column add up to its printed total; P10
    and P90 stand below.
    """
    names, sides, *columns = cost_by_cause(report.compared).twin
    every = cause_series(report.compared)
    lines = {(one.name, one.role.partition("/")[0]): one for one in every}
    rows: list[JSONDict] = []
    left: list[JSONDict] = []
    sums: list[JSONDict] = []
    for line, (name, side) in enumerate(zip(names.values, sides.values, strict=True)):
        said = [column.said[line] for column in columns]
        one = lines.get((str(name), str(side)))
        if one is None:
            sums.append({"label": name, "said": said})
        else:
            (left if is_value_left(one) else rows).append(_row(report, one, said))
    has_ranges = any(one.low for one in every)
    return {
        "rows": rows,
        "left": left,
        "sums": sums,
        "measure": report.cost_words + (", with P10–P90" if has_ranges else ""),
    }


def _row(report: ReportInput, one: Series, said: Sequence[str]) -> JSONDict:
    return {
        "label": breakable(one.name),
        "side": one.role.partition("/")[0],
        "color": cause_color(*one.role.split("/")),
        "cells": [
            {"text": text if one.values[at] else "", "below": _ends(report, one, at)}
            for at, text in enumerate(said)
        ],
    }


def _ends(report: ReportInput, one: Series, at: int) -> str:
    if not one.low or (low := one.low[at]) is None or (high := one.high[at]) is None:
        return ""
    return span_of(low, high, "USD", report.currency)


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """Each cause as the designs are ranked by it, and its P10 and P90; beneath, value left."""
    for one in sorted(cause_series(report.compared), key=is_value_left):
        what, name = "value_left" if is_value_left(one) else "cause", one.role.replace("/", ".")
        yield what, name, f"{one.name}: {report.cost_words.lower()}", "USD", list(one.values)
        for quantile, ends in (("p10", one.low), ("p90", one.high)):
            if ends:
                head = f"{one.name}: {quantile.upper()}"
                yield what, f"{name}.{quantile}", head, "USD", list(ends)


PART = Part(id="causes", title="Costs by cause", blocks=blocks, rows=csv_rows)
