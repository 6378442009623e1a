"""Checks of the models used, and the stored results that the report is pinned to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import snapshot_day
from reports.render.blocks import caption, heading, span, table, together
from reports.render.checks_table import checks_shown, checks_table
from reports.render.part import Page, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import JSONDict, ReportInput

# Heading, what is said of it, and the head of its figures.
PUBLISHED = (
    "Against published figures",
    "What a paper or a publisher prints, and what the model gives, computed when this report "
    "was made. Predicted: the figure took no part in making ours. Fitted: an input was solved from "
    "it. Arithmetic: numbers of the source, recombined.",
    "Published",
)
RECOMPUTED = (
    "Against figures worked out by other means",
    "No source prints these: they follow from what the source does print, by a closed form "
    "or another program.",
    "Recomputed",
)
PINNED = (
    "The report is pinned to these stored results. The same inputs, model version and seed "
    "give the same hash, and the same numbers."
)


def blocks(page: Page) -> Iterator[JSONDict]:
    """Published figures and those of other means beside ours; models, versions, hashes."""
    checks = checks_shown(page.report.checks)
    if checks:
        yield heading("Checks of the models used", level=1)
    for (title, told, word), published in ((PUBLISHED, True), (RECOMPUTED, False)):
        if rows := [row for row in checks if row["is_published"] is published]:
            yield heading(title)
            yield caption(told)
            yield checks_table(rows, word)
    if page.report.hashes:
        yield _pinned(page.report)


def _pinned(report: ReportInput) -> JSONDict:
    rows = [(h.label, h.model, h.version, [span(h.inputs_hash, "raw")]) for h in report.hashes]
    heads = ("Result", "Model", "Version", "Hash of the inputs")
    prices = [caption(f"Catalogue of {snapshot_day(report.snapshot)}.")] if report.snapshot else []
    return together(
        heading("Results shown"),
        caption(PINNED),
        table(heads, rows, (1.0, "auto", "auto", "auto"), left=(0, 1, 2, 3)),
        *prices,
    )


PART = Part(id="checks", title="Checks of the models, and hashes", appendix=True, blocks=blocks)
