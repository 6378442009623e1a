"""What else the catalogue holds for the work: the best of each kind, how far designs are off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, money
from capmodels.told import Figure
from reports.render.blocks import caption, chart, heading, listed, new_page, sentence, table, words
from reports.render.part import Page, Part
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import JSONDict

TITLE = "Designs of the catalogue"
HEADS = ("Kind", "Best of its kind", "Cost", "Electricity", "Racks", "Why not")
EXPLAINED = (
    "A search of the whole catalogue for the work of this study: costs are as entered, without "
    "ranges, so that they differ from the means of the verdict."
)


def blocks(page: Page) -> Iterator[JSONDict]:
    """Its sentence, the front as a chart, the best of each kind, and how far designs are off."""
    from reports.render.draw import told

    found, currency = page.report.explored, page.report.currency
    if found is None:
        return
    yield new_page()
    yield heading(TITLE, level=1)
    yield words(sentence(found["sentence"]))
    yield listed(breakable(one["sentence"]) for one in found["compared"])
    figure = Figure.model_validate(found["figure"])
    if any(one.values for one in figure.series):
        yield chart(figure, lambda it: told.drawn(it.model_dump(), currency) or b"")
    rows = [
        (
            one["kind_title"],
            breakable(one["title"]),
            money(one["cost_usd"], currency),
            missing() if one["energy_kwh"] is None else f"{one['energy_kwh'] / 1000.0:,.0f} MWh",
            f"{one['racks_count']:,.0f}" if one["racks_count"] else missing(),
            breakable(one["why_not"]),
        )
        for one in found["designs"]
        if one["best_of_kind"]
    ]
    yield table(HEADS, rows, ["auto", 1.0, "auto", "auto", "auto", 1.4], left=(0, 1, 5))
    yield caption(EXPLAINED)


PART = Part(id="explored", title=TITLE, appendix=True, blocks=blocks)
