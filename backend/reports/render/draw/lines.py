"""Curves with their names at the ends, bands behind them and marked points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.render.draw.canvas import (
    POINTS_PER_INCH,
    POINTS_PER_PX,
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
from reports.render.tokens import design_color, design_look, tokens

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from reports.render.figures.shapes import LineFigure

LABELS_IN = 1.95
LABEL_GAP_PT = 12.0


def draw_lines(figure: LineFigure, currency: Currency, width_in: float, height_in: float) -> bytes:
    """Return the curves as SVG; their names stand at their ends, apart from each other."""
    canvas = new_canvas(width_in, height_in)
    axes = axes_at(canvas, left=0.56, right=LABELS_IN, top=0.22, bottom=0.42)
    for band in figure.bands:
        axes.fill_between(
            band.x,
            band.low,
            band.high,
            color=design_color(band.letter),
            alpha=tokens()["chart"]["band_opacity"],
            linewidth=0,
        )
    for line in figure.lines:
        axes.plot(line.x, line.y, color=design_color(line.letter), linestyle=_dash(line.letter))
    _frame(axes, figure, currency)
    leave_room(canvas, axes)
    _name_lines(axes, figure, height_in)
    _mark(axes, figure)
    return to_svg(canvas)


def _dash(letter: str) -> Any:
    pattern = design_look(letter)["dash_px"]
    return (0, tuple(px * POINTS_PER_PX for px in pattern)) if pattern else "solid"


def _frame(axes: Any, figure: LineFigure, currency: Currency) -> None:
    last = max((line.x[-1] for line in figure.lines), default=1.0) or 1.0
    lowest = min((min(line.y) for line in figure.lines), default=0.0)
    axes.set_xlim(0, last)
    axes.set_ylim(bottom=min(0.0, lowest))
    step = 6 if last <= 36 else 12 if last <= 120 else 24
    axes.set_xticks(range(0, int(last) + 1, step))
    axes.set_xlabel(figure.x_title)
    value_axis(axes.yaxis, figure.unit, currency)
    axes.grid(axis="y")
    # Above the ticks the axis title reads without turning the head.
    over_axes(axes, figure.y_title)


def _name_lines(axes: Any, figure: LineFigure, height_in: float) -> None:
    low, high = axes.get_ylim()
    per_point = (high - low) / ((height_in - 0.64) * POINTS_PER_INCH)
    ends = [line.y[-1] for line in figure.lines]
    places = spread(ends, LABEL_GAP_PT * per_point, low, high)
    for line, end, place in zip(figure.lines, ends, places, strict=True):
        color = design_color(line.letter)
        last = line.x[-1]
        axes.annotate(
            "",
            (last, end),
            xytext=(last + 0.035 * last, place),
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.75, "shrinkA": 0},
        )
        text = {"va": "center", "annotation_clip": False, "textcoords": "offset points"}
        at = (last + 0.035 * last, place)
        letter, _, name = line.label.partition(", ")
        letter_chip(axes, letter, at, xytext=(5, 0))
        named = fitting(name, LABELS_IN - 0.38, SMALL_PT)
        axes.annotate(named, at, (14, 0), fontsize=SMALL_PT, **text)


def _mark(axes: Any, figure: LineFigure) -> None:
    for mark in figure.marks:
        color = design_color(mark.letter)
        axes.plot([mark.x], [mark.y], "o", color=color, markersize=6, zorder=5)
        late = mark.x > 0.6 * axes.get_xlim()[1]
        axes.annotate(
            mark.label,
            (mark.x, mark.y),
            xytext=(-4 if late else 6, 10 if late else -12),
            textcoords="offset points",
            ha="right" if late else "left",
            weight=600,
            bbox={"facecolor": "white", "alpha": 0.85, "edgecolor": "none", "pad": 1.5},
            zorder=6,
        )
