"""Energy, carbon and capacity, and how many of what each design has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, significant
from capmodels.plans.figures.capacity import capacity
from capmodels.plans.figures.footprint import carbon, energy
from reports.render.blocks import chart, chip, heading, note, svg, table
from reports.render.part import Page, Part
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import JSONDict, ReportInput

YEARS_SHOWN = 6
BINDING = {
    "cores": "Cores",
    "ram": "RAM",
    "disk": "Disk",
    "iops": "IOPS",
    "throughput": "Throughput",
    "queries": "Queries",
    "latency": "Latency",
    "batch": "Batch work",
    "hosts": "Consolidation",
    "gpu": "GPUs",
}


def blocks(page: Page) -> Iterator[JSONDict]:
    """Energy beside carbon, by which factors it is counted, what binds, and the machines."""
    from reports.render.draw import told

    report = page.report
    yield heading("Energy, carbon, capacity", level=1)
    yield _pair(page)
    for one in carbon_factors(report):
        yield note(f"{one['letters']}: {one['text']}")
    spare = capacity(report.compared)
    if spare.rows:
        yield chart(spare, lambda it: told.drawn(it.model_dump()) or b"")
    sizes = sizing_table(report)
    if sizes["rows"]:
        count = len(sizes["heads"])
        yield heading("How many at the end of each year")
        yield table(
            ("", "Group", *sizes["heads"], "Constraint"),
            [
                (chip(row["letter"]), row["label"], *row["cells"], row["binding"])
                for row in sizes["rows"]
            ],
            ("auto", 1.0, *("auto" for _ in range(count + 1))),
            left=(0, 1, count + 2),
            size_pt=9.0,
        )


def _pair(page: Page) -> JSONDict:
    """Energy and carbon side by side, as one drawing."""
    from reports.render.draw import bars
    from reports.render.glyphs import drawable

    report = page.report
    left, right = (drawable(one(report.compared)) for one in (energy, carbon))
    return svg(
        bars.draw_pair((left, right), report.currency, page.width_in),
        title=f"{left.title}. {right.title}",
        alt=f"{left.summary} {right.summary}",
        remark="Lines: from the lowest to the highest estimate.",
    )


def carbon_factors(report: ReportInput) -> list[JSONDict]:
    """Return by which factors carbon is counted: a sentence, and the designs that it is for."""
    found: dict[str, list[str]] = {}
    for design in report.designs:
        if told := design["carbon"].get("factors"):
            found.setdefault(breakable(told), []).append(design["letter"])
    return [{"letters": ", ".join(letters), "text": text} for text, letters in found.items()]


def sizing_table(report: ReportInput) -> JSONDict:
    """Return how many of what each design has at the end of each year, and what binds."""
    count = max((len(design["sizing"]) for design in report.designs), default=0)
    shown = sorted({0, *range(0, count, max(1, -(-count // YEARS_SHOWN))), count - 1})
    years = [y for y in shown if y >= 0] if count else []
    rows = []
    for design in report.designs:
        names = dict.fromkeys(g["name"] for y in design["sizing"] for g in y["groups"])
        for name in names:
            groups = [_group(design, y, name) for y in years]
            rows.append(
                {
                    "letter": design["letter"],
                    "label": breakable(_label(name, groups)),
                    "cells": [_count(g["count"]) if g else missing() for g in groups],
                    "binding": BINDING.get(
                        next((g["binding"] for g in reversed(groups) if g), ""), ""
                    ),
                }
            )
    return {"heads": [f"Year {y + 1}" for y in years], "rows": rows}


def _label(name: str, groups: list[JSONDict | None]) -> str:
    """A group, and what of it is counted where it is of arrays."""
    unit = next((group.get("unit") for group in groups if group), None)
    return name if unit is None else f"{name}, {unit}s"


def _count(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() else significant(count)


def _group(design: JSONDict, year: int, name: str) -> JSONDict | None:
    if year >= len(design["sizing"]):
        return None
    groups: list[JSONDict] = design["sizing"][year]["groups"]
    return next((group for group in groups if group["name"] == name), None)


PART = Part(id="footprint", title="Energy, carbon and capacity", blocks=blocks)
