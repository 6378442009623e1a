"""Cost against energy, carbon or response time: which designs no other beats in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import quantity
from capmodels.plans.figures.compared import name_of, summed_up
from capmodels.told import Axis, Figure, Series, column, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

TRADE_OFF = "Cost against the rest"
NO_RESPONSE = "No model of this design says a response time."


class Against(NamedTuple):
    """What cost is held against: its name, what an axis calls it, its unit and its fields."""

    name: str
    title: str
    unit: str
    part: str = ""
    field: str = ""


ENERGY = Against("Energy", "Energy", "kWh", "energy", "kwh")
CARBON = Against("Carbon", "Carbon", "kgCO2e", "carbon", "kgco2e")
RESPONSE = Against("Response time", "Mean response time", "ms")


class Point(NamedTuple):
    """A design by its cost and what it is held against; the reason where that is not known."""

    design: JSONDict
    usd: float
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""

    @property
    def letter(self) -> str:
        """The letter of the design."""
        return str(self.design["letter"])


def trade_off(of: Compared, against: Against) -> Figure:
    """Cost against something else; without series where no design has that. [USD, its unit]"""
    points = [_point(of, one, against) for one in of.designs]
    known = [one for one in points if one.value is not None]
    line = front(known)
    letters = [one.letter for one in line]
    unsaid = [one.letter for one in points if one not in known]
    # What has no value is in no order with the others.
    has = "has" if len(unsaid) == 1 else "have"
    of_those = f" of those with a value ({listed(unsaid)} {has} none)"
    title = (
        f"{letters[0]} has both the least cost and the least {against.title.lower()}"
        if len(line) == 1
        else f"{listed(letters)}: no design beats them in both"
    ) + (of_those if unsaid else "")
    names = tuple(name_of(one.design) for one in known)
    values, low, high = (
        tuple(getattr(one, end) for one in known) for end in ("value", "low", "high")
    )
    costs = tuple(one.usd for one in known)
    said = (f"{of.money(one.usd)}, {quantity(one.value, against.unit)}" for one in known)
    unknown = (f"{one.letter} — {one.reason or 'not known'}" for one in points if one not in known)
    return Figure(
        kind="points",
        name=TRADE_OFF,
        of=against.name,
        title=title if known else TRADE_OFF,
        summary=summed_up(title, (one.letter for one in known), said),
        along=Axis(title=against.title, unit=against.unit, from_zero=False),
        across=Axis(title=of.measure, unit="USD", from_zero=False),
        series=(*_joined(line), *map(_series, known)),
        note="\n".join(unknown) or None,
        twin=(
            column("Design", names),
            column("Cost", costs, "USD"),
            column(against.title, values, against.unit),
            column("Low", low, against.unit),
            column("High", high, against.unit),
            column("Beaten in both", ("no" if one in line else "yes" for one in known)),
        ),
    )


def front(points: Sequence[Point]) -> list[Point]:
    """The designs that no other beats in both, from the cheapest to the one with least else."""
    order = sorted(points, key=lambda one: (one.usd, one.value))
    found: list[Point] = []
    for one in order:
        if not found or (one.value or 0.0) < (found[-1].value or 0.0):
            found.append(one)
    return found


def _joined(line: Sequence[Point]) -> tuple[Series, ...]:
    if not line:
        return ()
    at, values = tuple(one.usd for one in line), tuple(one.value for one in line)
    return (Series(name="Not beaten", style="steps", at=at, values=values),)


def _series(point: Point) -> Series:
    return Series(
        name=name_of(point.design),
        role=point.letter,
        at=(point.usd,),
        values=(point.value,),
        low=(point.low,),
        high=(point.high,),
    )


def _point(of: Compared, design: JSONDict, against: Against) -> Point:
    usd = design["ranked_usd"]
    if against.part:
        found = design[against.part]
        value, low, high = (found.get(f"{end}{against.field}") for end in ("", "low_", "high_"))
        return Point(design, usd, value, low, high, found.get("reason") or "")
    row = next((one for one in of.document["rows"] if _is_response(one)), None) or {}
    value = row.get("values", {}).get(design["letter"])
    reason = row.get("reasons", {}).get(design["letter"]) or NO_RESPONSE
    return Point(design, usd, value, reason=reason)


def _is_response(row: JSONDict) -> bool:
    return bool(row["unit"] == "ms" or row["id"].startswith("response"))
