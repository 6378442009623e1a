"""Cost against energy, carbon or response time: which designs no other beats in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import is_same, names_at, quantity
from capmodels.plans.answer.footprints import unsure_why
from capmodels.plans.figures.compared import among_known, name_of, summed_up
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
    title = _finding(of, against, line, known)
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
        summary=summed_up(title, (one.letter for one in known), said) if known else f"{title}.",
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


def _finding(of: Compared, against: Against, line: Sequence[Point], known: Sequence[Point]) -> str:
    """Which designs are not beaten; what has no value is in no order with the others."""
    letters, what = listed([one.letter for one in line]), against.title.lower()
    unsaid = [letter for letter in of.letters if letter not in {one.letter for one in known}]
    if not known:
        return f"{against.title} is not known for these designs"
    if len(known) == 1:
        (one,) = known
        rest = f", {what} of {listed(unsaid)} is not known" if unsaid else ""
        return f"{letters} costs {of.money(one.usd)} at {quantity(one.value, against.unit)}{rest}"
    least = f"the least {what}{among_known(unsaid)}"
    on = " on average" if any(one.get("mean_usd") is not None for one in of.designs) else ""
    lowest = names_at({p.letter: p.value or 0.0 for p in known}, min(p.value or 0.0 for p in known))
    used = {p.letter: p.design[against.part] for p in known} if against.part else {}
    if used and (why := unsure_why(against.part, used, lowest)):
        least = f"{least} as entered ({why})"
    # Along the line cost rises: where its ends cost the same, all are alike in both.
    if line and _less(line[0].usd, line[-1].usd):
        # Designs that are alike in both stand together.
        first = [one for one in line if not _less(line[0].usd, one.usd)]
        last = [one for one in line if not _less(line[-1].value or 0.0, one.value or 0.0)]
        said = (
            f"{_with_verb(first, 'costs', 'cost')} least{on}",
            f"{_with_verb(last, 'has', 'have')} {least}",
            _with_verb([one for one in line if one not in first + last], "lies", "lie", " between"),
            _with_verb([one for one in known if one not in line], "is", "are", " beaten in both"),
        )
        return ", ".join(filter(None, said))
    have = "has" if len(line) == 1 else "have"
    return f"{letters} {have} both the least cost{on} and {least}"


def _with_verb(points: Sequence[Point], one: str, several: str, rest: str = "") -> str:
    """Letters with what they do: ``A lies between``, ``B and C lie between``; of none nothing."""
    verb = one if len(points) == 1 else several
    return f"{listed([point.letter for point in points])} {verb}{rest}" if points else ""


def front(points: Sequence[Point]) -> list[Point]:
    """The designs that no other beats in both, from the cheapest to the one with least else.

    Of designs that are alike in both none beats another.
    """
    order = sorted(points, key=lambda one: (one.usd, one.value))
    return [one for one in order if not any(_beats(other, one) for other in order)]


def _beats(one: Point, other: Point) -> bool:
    """Whether a design is better in one thing and no worse in the other."""
    sides = ((one.usd, other.usd), (one.value or 0.0, other.value or 0.0))
    return any(_less(*side) for side in sides) and not any(_less(b, a) for a, b in sides)


def _less(one: float, other: float) -> bool:
    return one < other and not is_same(one, other)


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
