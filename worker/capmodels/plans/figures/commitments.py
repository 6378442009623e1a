"""Why a rented design commits as much as it does: what its instances cost by the level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.figures.compared import name_of
from capmodels.told import Axis, Dot, Figure, Series, column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

ALL, ONE = "Why these commitment levels", "Why this commitment level"


def commitments(of: Compared, letter: str | None = None) -> Figure | None:
    """Cost of the instances against how much of the demand is committed. [USD, fraction]

    Nothing where no design commits; with a letter, of that design only.
    """
    stated = of.document.get("commitments") or ()
    curves = [one for one in stated if letter in (None, one["letter"])]
    if not curves:
        return None
    worst = next((one for one in curves if _more_usd(one) > 0), None)
    value = f"{'Present value' if of.by_value else 'Cost'} of the instances"
    told = [_said(of, one) for one in curves]
    title = "Each commitment stands at the level that costs least"
    if worst or len(curves) == 1:
        title = _said(of, worst or curves[0])
    points = [(one["letter"], point) for one in curves for point in _points(one)]
    return Figure(
        kind="lines",
        name=ONE if letter else ALL,
        of=letter,
        title=title,
        summary=f"{'. '.join(told)}.",
        along=Axis(title=value, unit="USD", from_zero=False),
        across=Axis(title="Committed share of the peak demand at the start", unit="fraction"),
        series=tuple(_series(of, one) for one in curves),
        dots=tuple(_dot(of, one) for one in sorted(curves, key=_level)),
        twin=(
            column("Design", (name for name, _ in points)),
            column("Committed", (_level(one) for _, one in points), "fraction"),
            column(value, (one["cost_usd"] for _, one in points), "USD"),
        ),
    )


def _level(point: JSONDict) -> float:
    level: float = point["committed_fraction"]
    return level


def _points(curve: JSONDict) -> Sequence[JSONDict]:
    """The levels that were compared and the one chosen, each level once."""
    levels = {_level(one): one for one in (*curve["points"], curve)}
    return [levels[level] for level in sorted(levels)]


def _best(curve: JSONDict) -> JSONDict:
    """The level of a curve that costs least, the chosen one being among those compared."""
    best: JSONDict = min((curve, *curve["points"]), key=lambda one: one["cost_usd"])
    return best


def _more_usd(curve: JSONDict) -> float:
    """What the chosen level costs above the best one. [USD]"""
    more: float = curve["cost_usd"] - _best(curve)["cost_usd"]
    return 0.0 if curve["is_best"] else more


def _said(of: Compared, curve: JSONDict) -> str:
    at = f"{curve['letter']} commits {percent(_level(curve))} of its peak demand"
    more = _more_usd(curve)
    if more <= 0:
        return f"{at}, the level that costs least"
    best = percent(_level(_best(curve)))
    return f"{at}: {of.money(more)} above the level that costs least, {best}"


def _series(of: Compared, curve: JSONDict) -> Series:
    points, design = _points(curve), of.design(curve["letter"])
    return Series(
        name=name_of(design) if design else curve["letter"],
        role=curve["letter"],
        at=tuple(map(_level, points)),
        values=tuple(one["cost_usd"] for one in points),
        kinds=(curve["label"],) * len(points),
    )


def _dot(of: Compared, curve: JSONDict) -> Dot:
    return Dot(
        role=curve["letter"],
        at=_level(curve),
        value=curve["cost_usd"],
        text=f"{curve['letter']}  {percent(_level(curve))}, {of.money(curve['cost_usd'])}",
    )
