"""The frame of a figure that a model tells: its axes, their ticks and titles, its legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from capmodels.numbers import quantity
from reports.render.draw.canvas import (
    SMALL_PT,
    axes_at,
    fitting,
    leave_room,
    new_canvas,
    over_axes,
    to_svg,
    value_axis,
)
from reports.render.draw.looks import colors_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.numbers import Currency

WIDTH_IN = 6.9
_LEGEND_IN = 0.2
_BESIDE = 3  # names of series in a row of the legend


def series_colors(figure: Mapping[str, Any]) -> list[str]:
    """Return a colour for each series of a figure."""
    return colors_of(figure["kind"], [one.get("role", "") for one in figure["series"]])


def begun(figure: Mapping[str, Any], height_in: float, left_in: float, right_in: float) -> Any:
    """Canvas and axes, with room for a legend above where there are several series."""
    several = len(figure["series"]) > 1 and figure["kind"] != "cells" and not _is_named(figure)
    lines = -(-len(figure["series"]) // _BESIDE) if several else 0
    top = 0.08 + _above_in(figure) + _LEGEND_IN * lines
    canvas = new_canvas(WIDTH_IN, height_in + _LEGEND_IN * lines)
    return canvas, axes_at(canvas, left=left_in, right=right_in, top=top, bottom=0.45)


def _above_in(figure: Mapping[str, Any]) -> float:
    """Room for the title of the values, which stands above all but rows."""
    return 0.05 if figure["kind"] in {"stacked", "grouped", "ranges"} else 0.22


def ended(figure: Mapping[str, Any], canvas: Any, axes: Any, handles: Sequence[Any]) -> bytes:
    """Return the drawing, with a legend where series are not named in it."""
    if len(figure["series"]) > 1 and handles and not _is_named(figure):
        names = [fitting(one["name"], WIDTH_IN / _BESIDE - 0.5) for one in figure["series"]]
        high_in = axes.get_position().height * canvas.get_size_inches()[1]
        above = (0, 1 + _above_in(figure) / high_in)
        axes.legend(
            handles, names, loc="lower left", bbox_to_anchor=above, ncols=_BESIDE,
            frameon=False, fontsize=SMALL_PT, borderaxespad=0, handlelength=1.6,
        )  # fmt: skip
    return to_svg(canvas)


def ticked(
    axis: Any,
    told: Mapping[str, Any],
    values: Sequence[float],
    currency: Currency,
    *,
    is_x: bool,
) -> None:
    """Ticks of an axis as the model tells them, else round ones of its unit."""
    scale, limit = (axis.set_xscale, axis.set_xlim) if is_x else (axis.set_yscale, axis.set_ylim)
    own = axis.xaxis if is_x else axis.yaxis
    above = [value for value in values if value > 0]
    if told["is_log"] and above:
        scale("log")
        limit(min(above) / 1.2, max(above) * 1.2)
        own.set_minor_locator(mpl.ticker.NullLocator())
        own.set_major_formatter(
            mpl.ticker.FuncFormatter(lambda v, _pos: quantity(v, told["unit"], currency))
        )
    else:
        value_axis(own, told["unit"], currency)
    if told.get("ticks"):
        every = -(-len(told["ticks"]) // 8)
        own.set_ticks(told["ticks"][::every], [text[:18] for text in told["ticks_said"][::every]])


def axis_title(told: Mapping[str, Any], currency: Currency | None = None) -> str:
    """Return what stands at an axis: its title, its currency, whether it is logarithmic."""
    code = f" ({currency.code})" if currency and told["unit"] == "USD" else ""
    return f"{told['title']}{code}{' (log)' if told['is_log'] else ''}"


def framed(figure: Mapping[str, Any], canvas: Any, axes: Any, handles: Sequence[Any]) -> bytes:
    """Frame values along an axis from zero, and return the drawing."""
    axes.grid(visible=True, axis="y")
    values = [v for one in figure["series"] for v in one["values"] if v is not None]
    ticked(axes, figure["along"], values, figure["currency"], is_x=False)
    if not figure["along"]["is_log"]:
        axes.set_ylim(bottom=min(0.0, *values))
    if figure["across"]:
        axes.set_xlabel(axis_title(figure["across"]))
    over_axes(axes, axis_title(figure["along"], figure["currency"]))
    leave_room(canvas, axes)
    return ended(figure, canvas, axes, handles)


def _is_named(figure: Mapping[str, Any]) -> bool:
    """Whether its series are named where they stand."""
    return any(one.get("texts") for one in figure["series"])
