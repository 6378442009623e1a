"""The rows of the comparison as they are printed: a cell per design, reasons as notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import is_same, money_change, quantity
from capmodels.numbers import span as span_of
from reports.render.blocks import span, strong
from reports.render.text import breakable

if TYPE_CHECKING:
    from typing import Any

    from reports.render.contents import JSONDict, ReportInput

# Differences to the best value are shown for amounts, which add up.
DIFFERENCE_UNITS = frozenset({"USD", "USD/yr", "kWh", "kgCO2e", "kg CO2e"})
FOOTPRINT = {"energy_kwh": ("energy", "kwh"), "carbon_kgco2e": ("carbon", "kgco2e")}


def words_of(cell: JSONDict) -> list[Any]:
    """Return a cell of the comparison's rows as it is printed."""
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
