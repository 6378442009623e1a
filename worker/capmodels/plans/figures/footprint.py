"""Energy and carbon of each design, by cause, with the range where it is an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.numbers import names_at, quantity, span
from capmodels.plans.answer.footprints import unsure_why
from capmodels.plans.figures.compared import among_known, capital, summed_up
from capmodels.told import Axis, Figure, Series, column, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

CARBON_PARTS = (
    ("Operation", "operational_kgco2e", 0),
    ("Making the hardware", "embodied_kgco2e", 2),
)
UNKNOWN = "No model supplies it"


@dataclass(frozen=True, slots=True)
class Kind:
    """What energy and carbon differ in."""

    id: str
    suffix: str
    unit: str
    name: str
    verb: str
    several: str


ENERGY = Kind("energy", "kwh", "kWh", "Energy", "uses", "use")
CARBON = Kind("carbon", "kgco2e", "kg CO2e", "Carbon", "emits", "emit")


def energy(of: Compared) -> Figure:
    """Energy over the horizon, a part per cause. [kWh]"""
    causes = dict.fromkeys(cause for one in of.designs for cause in one["energy_by_cause_kwh"])
    return _footprint(
        of,
        ENERGY,
        [
            Series(
                name=capital(cause.replace("_", " ")),
                role=f"tint/{place}",
                values=tuple(one["energy_by_cause_kwh"].get(cause, 0.0) for one in of.designs),
            )
            for place, cause in enumerate(causes)
        ],
    )


def carbon(of: Compared) -> Figure:
    """Carbon over the horizon, of operation and of making the hardware. [kg CO2e]"""
    return _footprint(
        of,
        CARBON,
        [
            Series(
                name=name,
                role=f"tint/{tint}",
                values=tuple(one["carbon"][field] or 0.0 for one in of.designs),
            )
            for name, field, tint in CARBON_PARTS
        ],
    )


def _footprint(of: Compared, kind: Kind, parts: Sequence[Series]) -> Figure:
    found = [design[kind.id] for design in of.designs]
    values, low, high = (
        tuple(one[f"{end}{kind.suffix}"] for one in found) for end in ("", "low_", "high_")
    )
    title = _least(of, kind, values)
    return Figure(
        kind="stacked",
        name=kind.name,
        title=title,
        summary=summed_up(title, of.names, (_words(one, kind) for one in found)),
        along=Axis(title=f"{kind.name} over {of.years}", unit=kind.unit),
        rows=of.names,
        row_roles=of.letters,
        row_reasons=tuple(
            "" if one[kind.suffix] is not None or _ends(one, kind) else one["reason"] or UNKNOWN
            for one in found
        ),
        series=(
            *parts,
            Series(
                name="Range",
                style="range",
                values=values,
                low=low,
                high=high,
                kinds=tuple(one["basis"] for one in found),
            ),
        ),
        twin=of.by_design(
            column(kind.name, values, kind.unit),
            column("Low", low, kind.unit),
            column("High", high, kind.unit),
            *(column(one.name, _known(one, values), kind.unit) for one in parts),
            column("Reason", (one["reason"] or "" for one in found)),
        ),
    )


def _known(part: Series, values: Sequence[float | None]) -> tuple[float | None, ...]:
    """A part of what is not known is not known either."""
    return tuple(
        None if whole is None else one for one, whole in zip(part.values, values, strict=True)
    )


def _least(of: Compared, kind: Kind, values: Sequence[float | None]) -> str:
    """Which designs use or emit least; what has no value is in no order with the others."""
    given = dict(zip(of.letters, values, strict=True))
    known = {letter: value for letter, value in given.items() if value is not None}
    if not known:
        return f"{kind.name} is not known for these designs"
    least = min(known.values())
    first = names_at(known, least)
    verb, text = kind.verb if len(first) == 1 else kind.several, quantity(least, kind.unit)
    unsaid = [letter for letter in given if letter not in known]
    if len(known) == 1:
        rest = f", {kind.name.lower()} of {listed(unsaid)} is not known" if unsaid else ""
        return f"{first[0]} {verb} {text}{rest}"
    what = "the same" if len(first) == len(known) else "least"
    said = f"{listed(first)} {verb} {what}{among_known(unsaid)}: {text}"
    why = unsure_why(kind.id, {one["letter"]: one[kind.id] for one in of.designs}, first)
    return said if why is None else f"As entered {said}; {why}"


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
