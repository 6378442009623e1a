"""The designs side by side, and what to keep in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import is_same, money_change, quantity
from capmodels.numbers import span as span_of
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
# Differences to the best value are shown for amounts, which add up.
DIFFERENCE_UNITS = frozenset({"USD", "USD/yr", "kWh", "kgCO2e", "kg CO2e"})
FOOTPRINT = {"energy_kwh": ("energy", "kwh"), "carbon_kgco2e": ("carbon", "kgco2e")}


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
    rows = [[row["label"], *map(_words, row["cells"])] for row in shown["rows"]]
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


def _words(cell: JSONDict) -> list[Any]:
    return [
        *([span("● ", "good"), *strong(cell["text"])] if cell["best"] else [cell["text"]]),
        *([span(str(cell["note"]), "super")] if cell["note"] else []),
        *([span(cell["below"], "below")] if cell["below"] else []),
    ]


class Notes:
    """Footnotes of a table, numbered in the order of their first use."""

    def __init__(self) -> None:
        """Start without notes."""
        self.found: dict[str, int] = {}

    def number(self, reason: str | None) -> int:
        """Return the number of a note; 0 where there is no reason."""
        if not reason:
            return 0
        return self.found.setdefault(breakable(reason), len(self.found) + 1)

    @property
    def listed(self) -> list[JSONDict]:
        """The notes in order."""
        return [{"number": number, "text": text} for text, number in self.found.items()]


def comparison_table(report: ReportInput) -> JSONDict:
    """Return the rows of the comparison: a cell per design, the best marked, reasons as notes."""
    notes = Notes()
    letters = [design["letter"] for design in report.designs]
    rows = [
        {
            "label": breakable(row["label"]),
            "cells": [_cell(report, row, letter, notes) for letter in letters],
        }
        for row in report.comparison["rows"]
    ]
    return {"rows": rows, "notes": notes.listed}


def _cell(report: ReportInput, row: JSONDict, letter: str, notes: Notes) -> JSONDict:
    value = row["values"].get(letter)
    best = row["best"]
    cell: JSONDict = {
        "text": quantity(value, row["unit"], report.currency),
        "best": letter == best and len(report.designs) > 1,
        "below": "",
        "note": notes.number(row["reasons"].get(letter)) if value is None else 0,
    }
    top = row["values"].get(best) if best else None
    if estimate := _estimate(report, row, letter):
        if value is None:
            return cell | {"text": estimate, "below": "estimate"}
        return cell | {"below": f"est. {estimate}"}
    if value is None:
        return cell
    if note := row.get("notes", {}).get(letter):
        return cell | {"below": breakable(note)}
    if top is None:
        return cell
    if not is_same(value, top) and row["unit"] in DIFFERENCE_UNITS:
        cell["below"] = _difference(report, value - top, row["unit"])
    return cell


def _difference(report: ReportInput, change: float, unit: str) -> str:
    if unit.startswith("USD"):
        return money_change(change, report.currency)
    sign = "+" if change > 0 else ""
    return f"{sign}{quantity(change, unit)}"


def _estimate(report: ReportInput, row: JSONDict, letter: str) -> str:
    """Return the range of a design's energy or carbon where it is an estimate."""
    found = FOOTPRINT.get(row["id"])
    design = report.design(letter)
    if not found or design is None:
        return ""
    part, suffix = design[found[0]], found[1]
    low, high = part[f"low_{suffix}"], part[f"high_{suffix}"]
    if part["basis"] != "estimate" or low is None or high is None:
        return ""
    return span_of(low, high, row["unit"])


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
