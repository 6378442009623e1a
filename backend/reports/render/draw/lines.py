"""Curves with their names at the ends, bands behind them and marked points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.render.draw.canvas import (
    POINTS_PER_INCH,
    SMALL_PT,
    axes_at,
    fitting,
    leave_room,
    letter_chip,
    new_canvas,
    over_axes,
    spread,
    to_svg,
    value_axis,
)
from reports.render.draw.looks import dash_of, filled, value_title
from reports.render.tokens import design_color, design_look, tokens

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from capmodels.told import Figure

LABELS_IN = 1.95
LABEL_GAP_PT = 12.0


def draw_lines(figure: Figure, currency: Currency, width_in: float, height_in: float) -> bytes:
    """Return the curves as SVG; their names stand at their ends, apart from each other."""
    canvas = new_canvas(width_in, height_in)
    axes = axes_at(canvas, left=0.56, right=LABELS_IN, top=0.22, bottom=0.42)
    for one in figure.series:
        color, dash = design_color(one.role), dash_of(design_look(one.role))
        if one.low:
            alpha = tokens()["chart"]["band_opacity"]
            axes.fill_between(one.at, one.low, one.high, color=color, alpha=alpha, linewidth=0)
        axes.plot(one.at, one.values, color=color, linestyle=dash)
    _frame(axes, figure, currency)
    leave_room(canvas, axes)
    _name_lines(axes, figure, height_in)
    _mark(axes, figure)
    return to_svg(canvas)


def _frame(axes: Any, figure: Figure, currency: Currency) -> None:
    last = max((one.at[-1] for one in figure.series), default=1.0) or 1.0
    lowest = min((min(filled(one.values)) for one in figure.series), default=0.0)
    axes.set_xlim(0, last)
    axes.set_ylim(bottom=min(0.0, lowest))
    step = 6 if last <= 36 else 12 if last <= 120 else 24
    axes.set_xticks(range(0, int(last) + 1, step))
    axes.set_xlabel(figure.across.title if figure.across else "")
    value_axis(axes.yaxis, figure.along.unit, currency)
    axes.grid(axis="y")
    # Above the ticks the axis title reads without turning the head.
    over_axes(axes, value_title(figure.along, currency))


def _name_lines(axes: Any, figure: Figure, height_in: float) -> None:
    low, high = axes.get_ylim()
    per_point = (high - low) / ((height_in - 0.64) * POINTS_PER_INCH)
    ends = [filled(one.values)[-1] for one in figure.series]
    places = spread(ends, LABEL_GAP_PT * per_point, low, high)
    for one, end, place in zip(figure.series, ends, places, strict=True):
        color = design_color(one.role)
        last = one.at[-1]
        axes.annotate(
            "",
            (last, end),
            xytext=(last + 0.035 * last, place),
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.75, "shrinkA": 0},
        )
        text = {"va": "center", "annotation_clip": False, "textcoords": "offset points"}
        at = (last + 0.035 * last, place)
        letter, _, name = one.name.partition(", ")
        letter_chip(axes, letter, at, xytext=(5, 0))
        named = fitting(name, LABELS_IN - 0.38, SMALL_PT)
        axes.annotate(named, at, (14, 0), fontsize=SMALL_PT, **text)


def _mark(axes: Any, figure: Figure) -> None:
    for dot in figure.dots:
        color, place = design_color(dot.role), (dot.at, dot.value)
        axes.plot(*([x] for x in place), "o", color=color, markersize=6, zorder=5)
        late = dot.at > 0.6 * axes.get_xlim()[1]
        axes.annotate(
            dot.text,
            place,
            xytext=(-4 if late else 6, 10 if late else -12),
            textcoords="offset points",
            ha="right" if late else "left",
            weight=600,
            bbox={"facecolor": "white", "alpha": 0.85, "edgecolor": "none", "pad": 1.5},
            zorder=6,
        )
