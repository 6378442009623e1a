"""What binds: how much of each resource a design uses at its peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from reports.render.figures.pair import name_of
from reports.render.figures.shapes import Bar, BarFigure
from reports.render.text import join_words
from reports.render.tokens import design_color

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

RESOURCES = {
    "cores": "Cores",
    "ram": "RAM",
    "disk": "Disk",
    "iops": "IOPS",
    "throughput": "Throughput",
    "gpu": "GPUs",
}
BINDS = "●"


def capacity(report: ReportInput) -> BarFigure:
    """Return the share of each resource in use at peak, a series per design. [fraction]"""
    shown = [r for r in RESOURCES if any(_used(d, r) is not None for d in report.designs)]
    title = _title(report)
    said = "; ".join(
        f"{name_of(d)}: " + ", ".join(f"{RESOURCES[r]} {percent(_used(d, r))}" for r in shown)
        for d in report.designs
    )
    return BarFigure(
        id="binding",
        title=title,
        summary=f"{title}. {said}.",
        unit="fraction",
        value_title="Used at peak",
        categories=tuple(RESOURCES[r] for r in shown),
        bars=tuple(
            Bar(
                name=name_of(design),
                colors=(design_color(design["letter"]),) * len(shown),
                values=tuple(_used(design, r) for r in shown),
                texts=tuple(_text(design, r) for r in shown),
            )
            for design in report.designs
        ),
    )


def _used(design: JSONDict, resource: str) -> float | None:
    spare = design["spare"].get(f"{resource}_fraction")
    return None if spare is None else 1.0 - spare


def _text(design: JSONDict, resource: str) -> str:
    if _used(design, resource) is None:
        return "—"
    binds = design["binding"]["resource"] == resource
    return f"{design['letter']} {BINDS}" if binds else str(design["letter"])


def _title(report: ReportInput) -> str:
    short = [d["letter"] for d in report.designs if not d["carries_load"]]
    if short:
        return f"{', '.join(short)} cannot meet demand"
    labels = list(dict.fromkeys(d["binding"]["label"] for d in report.designs))
    verb = "are" if labels and labels[0].endswith("s") else "is"
    limit = f"{verb} the constraint"
    if len(labels) == 1:
        return _capital(f"{labels[0]} {limit} in every design")
    parts: list[str] = []
    for label in labels:
        letters = [d["letter"] for d in report.designs if d["binding"]["label"] == label]
        parts.append(f"{label} {'' if parts else f'{limit} '}in {join_words(letters)}")
    return _capital(", ".join(parts))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
