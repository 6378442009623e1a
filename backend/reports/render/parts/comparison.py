"""The designs side by side, and what to keep in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.figures.compared import capital
from capmodels.plans.words import demand_met
from reports.render.blocks import (
    chip,
    design_table,
    footnotes,
    heading,
    listed,
    new_page,
    note,
    span,
    strong,
    table,
)
from reports.render.part import Page, Part, Row
from reports.render.rows import comparison_table, words_of
from reports.render.text import breakable, clean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from reports.render.contents import JSONDict, ReportInput
    from reports.render.part import Cell

KINDS = {
    "owned_cluster": "Owned",
    "disk_array": "Disk array",
    "cloud": "Rented",
    "hybrid": "Owned and rented",
}


def blocks(page: Page) -> Iterator[JSONDict]:
    """The designs, the rows of the comparison, and warnings."""
    report = page.report
    yield new_page()
    yield heading("Comparison", level=1)
    yield table(
        ("", "Design", "Kind", "Demand", "Constraint"),
        [_design(report, design) for design in report.designs],
        ("auto", 1.0, "auto", "auto", 1.1),
        left=range(5),
        size_pt=9.0,
    )
    shown = comparison_table(report)
    rows = [[row["label"], *map(words_of, row["cells"])] for row in shown["rows"]]
    yield design_table(report, "", rows, 1.9)
    grey = " best value of the row. Grey: difference from it, or the range of an estimate."
    yield note([span("●", "good"), grey])
    yield footnotes(shown["notes"])
    if warnings := list(_warnings(report)):
        yield heading("To keep in mind")
        yield listed(warnings)


def _design(report: ReportInput, design: JSONDict) -> list[Any]:
    title = breakable(design["title"])
    told = demand_met(as_entered=design["carries_load"], met_fraction=design.get("met_fraction"))
    demand: Any = told
    if not design["carries_load"]:
        demand = [span(f"✗ {told}", "bad")]
    elif design["competes"]:
        demand = [span(f"✓ {told}", "good")]
    binding = design["binding"]
    binds = capital(clean(binding["label"])) if binding["resource"] != "none" else ""
    detail = breakable(binding["detail"] or "")
    return [
        chip(design["letter"]),
        [
            *(strong(title) if design["letter"] in report.cheapest else [title]),
            *([span(" (today)", "muted")] if design["is_baseline"] else []),
        ],
        KINDS.get(design["kind"], clean(design["kind"])),
        demand,
        [f"{binds} ", *([span(detail, "small")] if detail else [])],
    ]


def _warnings(report: ReportInput) -> Iterator[list[Any]]:
    for finding in report.like_for_like:
        why = finding["accepted"]
        told = f"accepted, because: {why}" if why else finding["money"]
        text = f"Like for like, {finding['title'].lower()}: {finding['sentence']} ({told})"
        yield [breakable(text)]
    for sentence in report.leases:
        yield [breakable(f"Lease or buy, {sentence}")]
    for design in report.designs:
        for text in design["warnings"]:
            yield [*chip(design["letter"]), breakable(text)]


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """The designs' titles, each row of the comparison, and what is said beside its values."""
    designs = report.designs
    yield "design", "title", "Design", "", [design["title"] for design in designs]
    for row in report.comparison["rows"]:
        values: list[Cell] = [row["values"].get(design["letter"]) for design in designs]
        yield "comparison", row["id"], row["label"], row["unit"], values
        if notes := row.get("notes"):
            told: list[Cell] = [notes.get(design["letter"]) for design in designs]
            yield "comparison", f"{row['id']}.note", f"{row['label']}: what", "", told
    factors: list[Cell] = [design["carbon"].get("factors") for design in designs]
    yield "comparison", "carbon.factors", "Carbon is counted by", "", factors


PART = Part(id="comparison", title="Comparison of the designs", blocks=blocks, rows=csv_rows)
