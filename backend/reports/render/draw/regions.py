"""Maps of which kind is where, as models tell them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.colors import ListedColormap

from reports.render.draw.canvas import fitting, over_axes, to_svg
from reports.render.draw.frame import WIDTH_IN, axis_title, begun
from reports.render.draw.looks import colors_of
from reports.render.tokens import ink_on, theme_color

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HEIGHT_IN, _LEFT_IN, _RIGHT_IN, _NAME_IN = 3.4, 0.8, 0.3, 1.1


def _logs(values: Sequence[float]) -> list[float]:
    return [math.log10(value) for value in values]


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Where cells around such values begin and end, as powers of ten."""
    logs = _logs(values)
    half = (logs[1] - logs[0]) / 2 if len(logs) > 1 else 0.5
    return logs[0] - half, logs[-1] + half


def _ticks(axis: Mapping[str, Any]) -> tuple[list[float], Sequence[str]]:
    return _logs(axis.get("ticks", ())), axis.get("ticks_said", ())


def room_in(
    rows: Sequence[Mapping[str, Any]], levels: Sequence[float], dot: Mapping[str, Any]
) -> float:
    """Width around a place that stays among cells of its kind, as far as they go both ways."""
    row = rows[levels.index(dot["value"])]
    values, here, aside = row["values"], row["at"].index(dot["at"]), 0
    while here - aside > 0 and here + aside + 1 < len(values):
        if {values[here - aside - 1], values[here + aside + 1]} != {values[here]}:
            break
        aside += 1
    width_in = WIDTH_IN - _LEFT_IN - _RIGHT_IN
    return max(_NAME_IN, width_in * (2 * aside + 1) / len(values))


def draw_regions(figure: Mapping[str, Any]) -> bytes:
    """Cells in the colours of their kinds, with their names, lines over them and what is chosen."""
    canvas, axes = begun(figure, _HEIGHT_IN, _LEFT_IN, _RIGHT_IN)
    rows = [one for one in figure["series"] if one.get("style") != "dashes"]
    kinds, across, along = figure["kinds"], figure["across"], figure["along"]
    colors, ground = colors_of("regions", [""] * len(kinds)), theme_color("background")
    box = (*_ends(rows[0]["at"]), *_ends(figure["levels"]))
    cells = [[math.nan if v is None else v for v in one["values"]] for one in rows]
    axes.imshow(
        cells, aspect="auto", origin="lower", interpolation="nearest",
        extent=box, cmap=ListedColormap(colors), vmin=-0.5, vmax=len(kinds) - 0.5,
    )  # fmt: skip
    for one in figure["series"]:
        if one.get("style") == "dashes":
            axes.plot(_logs(one["at"]), _logs(one["values"]), color=ground, linestyle=":")
    for dot in figure.get("dots", ()):
        place = _logs((dot["at"], dot["value"]))
        if dot["role"] == "chosen":
            axes.plot(
                *place, "o", markerfacecolor="none", markeredgecolor=ground, markeredgewidth=2
            )
            continue
        ink = ink_on(colors[kinds.index(dot["text"])])
        axes.annotate(
            fitting(dot["text"], room_in(rows, figure["levels"], dot)),
            place,
            ha="center",
            va="center",
            weight=600,
            color=ink,
        )
    axes.set(xlim=box[:2], ylim=box[2:])
    axes.set_xticks(*_ticks(across))
    axes.set_yticks(*_ticks(along))
    axes.set_xlabel(axis_title(across))
    over_axes(axes, axis_title(along))
    return to_svg(canvas)
