"""Cost over time, when a design becomes cheaper, and why two designs differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, quantity
from capmodels.plans.figures.cumulative import cumulative
from capmodels.plans.figures.waterfall import waterfall
from reports.render.blocks import chart, chip, heading, table
from reports.render.part import Page, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.figures.compared import Compared
    from reports.render.contents import JSONDict, ReportInput


def blocks(page: Page) -> Iterator[JSONDict]:
    """Cumulative cost, break-evens with the winner, and the waterfall of a pair."""
    from reports.render.draw import lines, steps

    report, width_in = page.report, page.width_in
    of = report.compared
    yield heading("Cost over time, and why it differs", level=1)
    yield chart(
        cumulative(of, *of.pair, discounted=of.by_value),
        lambda curves: lines.draw_lines(curves, report.currency, width_in, 3.1),
    )
    if rows := break_even_rows(report):
        yield heading("When a design becomes cheaper")
        yield table(
            ("Design", "than", basis_words(of), "Crossings"),
            [
                (chip(row["challenger"]), chip(row["incumbent"]), row["after"], row["crossings"])
                for row in rows
            ],
            ("40pt", "40pt", "180pt", "60pt"),
            left=(0, 1),
            size_pt=9.0,
        )
    if bridge := waterfall(of, *of.pair):
        yield chart(bridge, lambda it: steps.draw_waterfall(it, report.currency, width_in))


def basis_words(of: Compared) -> str:
    """Say what the break-evens of the list are of: the measure and basis of the verdict."""
    measure = "Discounted" if of.by_value else "Undiscounted"
    drawn = any(one.get("mean_usd") is not None for one in of.designs)
    return f"{measure}, {'mean of simulations' if drawn else 'as entered'}"


def break_even_rows(report: ReportInput) -> list[JSONDict]:
    """Return when the winner becomes cheaper than another or the other way round.

    On the basis of the verdict; other pairs are in the answer, and left out here.
    """
    winner, by_value = report.comparison["winner"], report.compared.by_value
    return [
        {
            "challenger": row["challenger"],
            "incumbent": row["incumbent"],
            "after": _break_even_text(row),
            "crossings": f"{row['crossings_count']}",
        }
        for row in report.comparison["break_evens"]
        if winner in {row["challenger"], row["incumbent"]} and row["discounted"] == by_value
    ]


def _break_even_text(row: JSONDict) -> str:
    if row["reason"] == "always":
        return "from the start"
    if row["reason"] == "same":
        return "the same cost"
    if row["exact_months"] is not None:
        return quantity(row["exact_months"], "months")
    return str(row["reason"] or missing())


PART = Part(id="over_time", title="Cost over time and break-even", blocks=blocks)
