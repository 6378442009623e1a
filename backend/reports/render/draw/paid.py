"""Plan and actual cost so far, by month: the band, a dashed plan, dots for what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.draw.canvas import (
    axes_at,
    leave_room,
    new_canvas,
    over_axes,
    to_svg,
    value_axis,
)
from reports.render.tokens import design_color, theme_color, tokens

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from reports.render.figures.actuals import PaidFigure
    from reports.render.figures.shapes import Numbers

TICKS_MOST = 8


def draw_paid(figure: PaidFigure, currency: Currency, width_in: float, height_in: float) -> bytes:
    """Return the chart as SVG."""
    canvas = new_canvas(width_in, height_in)
    axes = axes_at(canvas, left=0.56, right=0.2, top=0.22, bottom=0.42)
    color = design_color(figure.letter)
    known = [at for at, low in enumerate(figure.low) if low is not None]
    if known:
        axes.fill_between(
            known,
            *([row[at] for at in known] for row in (figure.low, figure.high)),
            color=color,
            alpha=tokens()["chart"]["band_opacity"],
            linewidth=0,
            label="P10 to P90",
        )
    axes.plot(*_known(figure.planned), color=color, linestyle="dashed", label="Planned")
    ink = theme_color("text")
    axes.plot(*_known(figure.actual), color=ink, marker="o", markersize=4, label="Actual")
    axes.set_xlim(-0.5, len(figure.months) - 0.5)
    every = max(1, -(-len(figure.months) // TICKS_MOST))
    places = list(range(0, len(figure.months), every))
    axes.set_xticks(places, [figure.months[at] for at in places])
    axes.set_ylim(bottom=min(0.0, *(value for _, value in _pairs(figure))))
    value_axis(axes.yaxis, "USD", currency)
    leave_room(canvas, axes)
    axes.grid(axis="y")
    axes.legend(loc="upper left", frameon=False)
    over_axes(axes, figure.y_title)
    return to_svg(canvas)


def _known(values: Numbers) -> tuple[list[int], list[float]]:
    found = [(at, value) for at, value in enumerate(values) if value is not None]
    return [at for at, _ in found], [value for _, value in found]


def _pairs(figure: PaidFigure) -> list[tuple[int, float]]:
    rows = (figure.planned, figure.actual, figure.low)
    return [pair for row in rows for pair in zip(*_known(row), strict=True)] or [(0, 0.0)]
