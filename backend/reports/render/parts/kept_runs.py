"""What the study said before: runs that were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import day, missing, money, percent, snapshot_day
from capmodels.plans.figures.kept import over_runs
from reports.render.blocks import caption, chart, chip, heading, table
from reports.render.part import Page, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import JSONDict

HEADS = ("Run on", "Cheapest", "Cost", "Cheapest in", "Catalogue of", "Model version")
EXPLAINED = (
    "What the same study said before: each kept run in which the cheapest design or its cost "
    "was another, the latest first; of runs that one burst of editing made, the last."
)


def blocks(page: Page) -> Iterator[JSONDict]:
    """A line for each run, and their charts; nothing where there is one only."""
    from reports.render.draw import told

    report = page.report
    if len(report.kept_runs) < 2:
        return
    yield heading("Runs of this study", level=1)
    yield caption(EXPLAINED)
    rows = [
        (
            day(run.at),
            [part for letter in run.cheapest for part in chip(letter)],
            money(run.cost_usd, report.currency),
            percent((run.odds or {}).get(run.winner)),
            snapshot_day(run.snapshot) if run.snapshot else missing(),
            run.version,
        )
        for run in report.kept_runs
    ]
    yield table(HEADS, rows, ["auto"] * len(HEADS), left=(0, 1, 4, 5), size_pt=9.0)
    for figure in over_runs(report.kept_runs, report.currency):
        yield chart(figure, lambda it: told.drawn(it.model_dump(), report.currency) or b"")


PART = Part(id="kept_runs", title="Runs of the study", appendix=True, blocks=blocks)
