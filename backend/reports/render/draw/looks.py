"""How what models tell looks on paper: colours by role, as the screen has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from reports.render.draw.canvas import POINTS_PER_PX
from reports.render.tokens import cause_color, design_look, theme_color, tint_color, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.numbers import Currency
    from capmodels.told import Axis

    JSONDict = dict[str, Any]

_LETTERS = "ABCDEFGH"


def colors_of(kind: str, roles: Sequence[str]) -> list[str]:
    """A colour for each series: of a design or a state its own, others as the screen has them."""
    apart = len(roles) > 1 and kind in {"stacked", "grouped", "steps", "regions"}
    scale = mpl.colormaps[tokens()["chart"]["sequential"]]
    shares = [0.12 + 0.76 * place / max(len(roles) - 1, 1) for place in range(len(roles))]
    return [
        _of_role(role)
        or (mpl.colors.to_hex(scale(shares[place])) if apart else look_of(role, place)["light"])
        for place, role in enumerate(roles)
    ]


def _of_role(role: str) -> str | None:
    """The colour of what has its own: a state, a part of a cost, a tint."""
    if role == "actual":
        return theme_color("text")
    side, _, name = role.partition("/")
    if name:
        return tint_color(int(name)) if side == "tint" else cause_color(side, name)
    state: JSONDict | None = tokens()["states"].get(role)
    return state["light"] if state else None


def look_of(role: str, place: int) -> JSONDict:
    """Return the look of a line or mark: of a design its own, others in turn."""
    turn = 0 if role == "actual" else place % len(_LETTERS)
    return design_look(role if role in set(_LETTERS) else _LETTERS[turn])


def dash_of(look: Mapping[str, Any]) -> Any:
    """Return the dash of a line as matplotlib takes it."""
    pattern = look["dash_px"]
    return (0, tuple(px * POINTS_PER_PX for px in pattern)) if pattern else "solid"


def value_title(axis: Axis, currency: Currency) -> str:
    """Return what an axis of values says above it: of amounts, with their currency."""
    if axis.unit != "USD":
        return axis.title
    return f"{axis.title} ({currency.code})" if axis.title else currency.code


def filled(values: Sequence[float | None]) -> list[float]:
    """Return values with zero for what is not known, which has no bar."""
    return [value or 0.0 for value in values]
