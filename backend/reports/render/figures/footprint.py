"""Energy and carbon of each design, by cause, with the range where it is an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.numbers import quantity, span
from reports.render.figures.pair import name_of
from reports.render.figures.shapes import Bar, BarFigure
from reports.render.tokens import tint_color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.render.contents import JSONDict, ReportInput

CARBON_PARTS = (
    ("Operation", "operational_kgco2e", 0),
    ("Making the hardware", "embodied_kgco2e", 2),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """What energy and carbon differ in."""

    id: str
    suffix: str
    unit: str
    axis: str
    verb: str


ENERGY = Kind("energy", "kwh", "kWh", "Energy", "uses")
CARBON = Kind("carbon", "kgco2e", "kg CO2e", "Carbon", "emits")


def energy(report: ReportInput) -> BarFigure:
    """Return energy over the horizon, a part per cause. [kWh]"""
    causes = dict.fromkeys(c for d in report.designs for c in d["energy_by_cause_kwh"])
    bars = [
        _bar(
            report,
            _label(cause),
            place,
            [d["energy_by_cause_kwh"].get(cause, 0.0) for d in report.designs],
        )
        for place, cause in enumerate(causes)
    ]
    return _footprint(report, ENERGY, bars)


def carbon(report: ReportInput) -> BarFigure:
    """Return carbon over the horizon, of operation and of making the hardware. [kg CO2e]"""
    bars = [
        _bar(report, name, tint, [d["carbon"][field] or 0.0 for d in report.designs])
        for name, field, tint in CARBON_PARTS
    ]
    return _footprint(report, CARBON, bars)


def _label(cause: str) -> str:
    return cause[:1].upper() + cause[1:].replace("_", " ")


def _bar(report: ReportInput, name: str, tint: int, values: Sequence[float]) -> Bar:
    color = tint_color(tint)
    return Bar(name=name, colors=(color,) * len(report.designs), values=tuple(values))


def _footprint(report: ReportInput, kind: Kind, bars: Sequence[Bar]) -> BarFigure:
    parts = [design[kind.id] for design in report.designs]
    words = [_words(part, kind) for part in parts]
    title = _least(report, kind)
    said = "; ".join(f"{name_of(d)}: {w}" for d, w in zip(report.designs, words, strict=True))
    return BarFigure(
        id=kind.id,
        title=title,
        summary=f"{title}. {said}.",
        unit=kind.unit,
        value_title=f"{kind.axis} over {report.years}",
        categories=tuple(name_of(d) for d in report.designs),
        bars=tuple(bars),
        low=tuple(part[f"low_{kind.suffix}"] for part in parts),
        high=tuple(part[f"high_{kind.suffix}"] for part in parts),
        texts=tuple(_short(part, kind) for part in parts),
    )


def _least(report: ReportInput, kind: Kind) -> str:
    known = [
        (value, design["letter"])
        for design in report.designs
        if (value := design[kind.id][kind.suffix]) is not None
    ]
    if not known:
        return f"{kind.axis} is not known for these designs"
    value, letter = min(known, key=lambda entry: entry[0])
    text = quantity(value, kind.unit)
    if len(known) == 1:
        return f"{letter} {kind.verb} {text}"
    among = " of those that are known" if len(known) < len(report.designs) else ""
    return f"{letter} {kind.verb} least{among}: {text}"


def _ends(part: JSONDict, kind: Kind) -> str:
    low, high = part[f"low_{kind.suffix}"], part[f"high_{kind.suffix}"]
    return "" if low is None or high is None or low == high else span(low, high, kind.unit)


def _words(part: JSONDict, kind: Kind) -> str:
    value, ends = part[kind.suffix], _ends(part, kind)
    if value is not None:
        return f"{quantity(value, kind.unit)} ({ends})" if ends else quantity(value, kind.unit)
    if ends:
        return f"estimate, {ends}"
    return f"not known: {part['reason'] or 'no model supplies it'}"


def _short(part: JSONDict, kind: Kind) -> str:
    """Write what stands at the end of a bar: an estimate as its range."""
    value, ends = part[kind.suffix], _ends(part, kind)
    if part["basis"] == "estimate" and ends:
        return f"est. {ends}"
    if value is not None:
        return quantity(value, kind.unit)
    return f"— {part['reason'] or 'No model supplies it'}"
