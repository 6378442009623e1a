"""How sure the verdict is: odds, what moves the difference, what flips it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent, quantity, range_end, span
from capmodels.plans.answer.flips import cheapest_then
from capmodels.plans.figures.certainty import odds, tornado
from capmodels.told import listed
from reports.render.blocks import caption, chart, heading, strong, table
from reports.render.part import Page, Part, Sheet
from reports.render.sheet_layout import HEAD_ROW, RIGHT, begin, lay_out, put
from reports.render.text import breakable
from reports.render.workbook import MONEY, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict, ReportInput
    from reports.render.workbook import Book


def blocks(page: Page) -> Iterator[JSONDict]:
    """Charts where there were simulations or swings, and the table of flips.

    What flips nothing is a long list, for who checks: it is of a report with its appendix.
    """
    from reports.render.draw import bars, steps

    report, money, width_in = page.report, page.report.currency, page.width_in
    wins, swings = odds(report.compared), tornado(report.compared)
    if wins is None and swings is None:
        return
    yield heading("How sure", level=1)
    for name in ("entered", "alternatives"):
        if said := report.comparison["verdict"].get(name):
            yield caption(breakable(said))
    if wins is not None:
        yield chart(wins, lambda it: bars.draw_bars(it, money, width_in, row_in=0.22))
    if swings is not None:
        yield chart(swings, lambda it: steps.draw_tornado(it, money, width_in))
    if rows := flip_rows(report):
        yield heading("What flips the verdict")
        yield table(
            ("Input", "Now", "Break-even at", "Then"),
            [(row["label"], row["value"], strong(row["flips_at"]), row["after"]) for row in rows],
            (1.2, "auto", "auto", 1.3),
            left=(0, 3),
            size_pt=8.0,
        )
    if rows := alternative_rows(report):
        yield heading("With each alternative")
        yield table(
            ("Input", "Alternative", "Odds", "Cheapest", "In"),
            [tuple(row.values()) for row in rows],
            (1.4, 1.0, "auto", "auto", "auto"),
            left=(0, 1),
            size_pt=8.0,
        )
    if report.with_appendix and (rows := unmoved_rows(report)):
        yield heading("What does not flip it")
        yield caption(
            "No value in the range of one of these alone makes another design the cheapest on "
            "average."
        )
        yield table(
            ("Input", "Now", "Range"),
            [(row["label"], row["value"], row["range"]) for row in rows],
            (1.6, "auto", 1.0),
            left=(0, 2),
            size_pt=8.0,
        )


def flip_rows(report: ReportInput) -> list[JSONDict]:
    """Return for each quantity the value at which another design is the cheapest."""
    return [
        {
            "label": breakable(row["label"]),
            "value": range_end(row["value"], row["unit"], report.currency),
            "flips_at": quantity(row["flips_at"], row["unit"], report.currency),
            "after": cheapest_then(
                [row["winner_after"], *row.get("tied_after", ())],
                "above" if row["rises"] else "below",
            ),
        }
        for row in report.comparison["flips"]
        if row["winner_after"]
    ]


def alternative_rows(report: ReportInput) -> list[JSONDict]:
    """Return for each alternative its odds, and which design is cheapest on average with it."""
    return [
        {
            "label": breakable(choice["label"]) if at == 0 else "",
            "alternative": breakable(one["label"]),
            "odds": range_end(one["odds_fraction"], "fraction"),
            "cheapest": strong(listed([one["cheapest"], *one.get("tied", ())])),
            "share": percent(one["wins"][one["cheapest"]]),
        }
        for choice in report.comparison.get("choices", ())
        for at, one in enumerate(one for one in choice["alternatives"] if one["draws_count"])
    ]


def unmoved_rows(report: ReportInput) -> list[JSONDict]:
    """Return the quantities of which no value in the range makes another design the cheapest."""
    return [
        {
            "label": breakable(row["label"]),
            "value": range_end(row["value"], row["unit"], report.currency),
            "range": span(row["low"], row["high"], row["unit"], report.currency, range_end),
        }
        for row in report.comparison["flips"]
        if not row["winner_after"]
    ]


def fill_odds(book: Book, sheet: Worksheet) -> None:
    """Write how often each design is cheapest, and the range of its cost; as computed."""
    odds = book.report.comparison["odds"]
    words = book.report.comparison["verdict"]["odds_reason"] or "Nothing was simulated."
    if odds is not None:
        words = f"From {odds['draws_count']:,} simulations, seed {odds['seed']}. As computed."
    heads = ("Design", "Cheapest in", *(f"P{p} ({book.currency.code})" for p in (10, 50, 90)))
    begin(sheet, "Odds", words, heads)
    for row, design in enumerate(book.report.designs, start=HEAD_ROW + 1):
        put(sheet, row, 1, f"{design['letter']}, {design['title']}")
        share = None if odds is None else odds["wins"].get(design["letter"])
        for column, (value, style) in enumerate(
            (
                (share, SHARE),
                *((book.currency.amount(design[f"p{p}_usd"]), MONEY) for p in (10, 50, 90)),
            ),
            start=2,
        ):
            cell = put(sheet, row, column, value)
            cell.number_format, cell.alignment = style, RIGHT
    lay_out(sheet, [46, 14, 18, 18, 18])


PART = Part(
    id="certainty",
    title="How sure the verdict is",
    blocks=blocks,
    sheets=(Sheet("Odds", fill_odds),),
)
