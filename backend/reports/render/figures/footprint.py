"""Energy and carbon of each design, by cause, with the range where it is an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.figures.shapes import Bar, BarFigure
from reports.render.numbers import quantity, span
from reports.render.tokens import cause_color, cause_label, theme_color

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

ENERGY_NAMES = {"energy": "IT equipment", "cooling": "Cooling and losses"}


def energy(report: ReportInput) -> BarFigure:
    """Return energy over the horizon, IT and cooling stacked. [kWh]"""
    causes = list(
        dict.fromkeys(cause for d in report.designs for cause in d["energy_by_cause_kwh"])
    )
    split = any(d["energy_by_cause_kwh"] for d in report.designs)
    bars = tuple(
        Bar(
            name=ENERGY_NAMES.get(cause, cause_label("owned", cause)),
            colors=(cause_color("owned", cause),) * len(report.designs),
            values=tuple(d["energy_by_cause_kwh"].get(cause) for d in report.designs),
        )
        for cause in causes
    )
    whole = Bar(
        name="Not split" if split else "Energy",
        colors=(theme_color("neutral"),) * len(report.designs),
        values=tuple(
            None if d["energy_by_cause_kwh"] else d["energy"]["kwh"] for d in report.designs
        ),
    )
    if any(value is not None for value in whole.values):
        bars = (*bars, whole)
    return _footprint(report, "energy", "kwh", bars)


def carbon(report: ReportInput) -> BarFigure:
    """Return carbon over the horizon, operational and embodied stacked. [kgCO2e]"""
    parts = (
        ("Operation", "operational_kgco2e", "energy"),
        ("Making the hardware", "embodied_kgco2e", "software"),
    )
    bars = tuple(
        Bar(
            name=name,
            colors=(cause_color("owned", tint),) * len(report.designs),
            values=tuple(d["carbon"][field] for d in report.designs),
        )
        for name, field, tint in parts
        if any(d["carbon"][field] is not None for d in report.designs)
    )
    if not bars:
        values = tuple(d["carbon"]["kgco2e"] for d in report.designs)
        colors = (theme_color("neutral"),) * len(values)
        bars = (Bar(name="Carbon", colors=colors, values=values),)
    return _footprint(report, "carbon", "kgco2e", bars)


def _footprint(report: ReportInput, name: str, suffix: str, bars: tuple[Bar, ...]) -> BarFigure:
    unit = {"kwh": "kWh", "kgco2e": "kgCO2e"}[suffix]
    parts = [d[name] for d in report.designs]
    texts = tuple(_text(part, suffix, unit) for part in parts)
    said = "; ".join(f"{d['letter']} {t}" for d, t in zip(report.designs, texts, strict=True))
    return BarFigure(
        id=name,
        title=f"{name.capitalize()} over {report.years}",
        summary=f"Bar chart of {name}: {said}.",
        unit=unit,
        value_title=f"{name.capitalize()} over {report.years}",
        categories=tuple(f"{d['letter']} {d['title']}" for d in report.designs),
        bars=bars,
        low=tuple(part[f"low_{suffix}"] for part in parts),
        high=tuple(part[f"high_{suffix}"] for part in parts),
        texts=texts,
    )


def _text(part: JSONDict, suffix: str, unit: str) -> str:
    if part[suffix] is None:
        return f"unknown: {part['reason']}" if part["reason"] else "unknown"
    text = quantity(part[suffix], unit)
    low, high = part[f"low_{suffix}"], part[f"high_{suffix}"]
    if part["basis"] == "estimate" and low is not None and high is not None:
        return f"est. {span(low, high, unit)}"
    return text
