"""What binds: how much of each resource a design uses at its peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.figures.shapes import Bar, BarFigure
from reports.render.numbers import percent
from reports.render.text import join_words
from reports.render.tokens import cause_color

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

RESOURCES = {
    "cores_fraction": "Cores",
    "ram_fraction": "RAM",
    "disk_fraction": "Disk",
    "throughput_fraction": "Throughput",
}
BINDS = ", binds"
TINTS = ("hardware", "space", "spares", "salvage")


def capacity(report: ReportInput) -> BarFigure:
    """Return the share of each resource in use at peak, grouped by design. [fraction]"""
    bars = tuple(
        Bar(
            name=name,
            colors=(cause_color("owned", tint),) * len(report.designs),
            values=tuple(_used(d["spare"].get(field)) for d in report.designs),
            texts=tuple(_text(d, field) for d in report.designs),
        )
        for (field, name), tint in zip(RESOURCES.items(), TINTS, strict=True)
        if any(d["spare"].get(field) is not None for d in report.designs)
    )
    return BarFigure(
        id="capacity",
        title=_title(report),
        summary="Bars of the share of each resource in use at peak: "
        + "; ".join(_said(d) for d in report.designs)
        + ".",
        unit="fraction",
        value_title="In use at peak",
        categories=tuple(f"{d['letter']} {d['title']}" for d in report.designs),
        bars=bars,
    )


def _used(spare: float | None) -> float | None:
    return None if spare is None else 1.0 - spare


def _text(design: JSONDict, field: str) -> str:
    text = percent(_used(design["spare"].get(field)))
    return text + BINDS if f"{design['binding']['resource']}_fraction" == field else text


def _title(report: ReportInput) -> str:
    labels = {d["binding"]["label"] for d in report.designs if d["binding"]["resource"] != "none"}
    short = [d["letter"] for d in report.designs if not d["carries_load"]]
    if short:
        return f"{join_words(short)} cannot carry the load"
    if len(labels) == 1:
        return f"{labels.pop()} binds in every design"
    return "What binds, and what is spare at peak"


def _said(design: JSONDict) -> str:
    parts = [
        f"{name} {percent(_used(design['spare'].get(field)))}"
        for field, name in RESOURCES.items()
        if design["spare"].get(field) is not None
    ]
    return f"{design['letter']} {', '.join(parts) or 'not known'}"
