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
from reports.render.draw.looks import value_title
from reports.render.tokens import design_color, theme_color, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.numbers import Currency
    from capmodels.told import Figure

TICKS_MOST = 8


def draw_paid(figure: Figure, currency: Currency, width_in: float, height_in: float) -> bytes:
    """Return the chart as SVG."""
    canvas = new_canvas(width_in, height_in)
    axes = axes_at(canvas, left=0.56, right=0.2, top=0.22, bottom=0.42)
    plan, actual = figure.series
    months, color = plan.names, design_color(plan.role)
    known = [at for at, low in enumerate(plan.low) if low is not None]
    if known:
        axes.fill_between(
            known,
            *([row[at] for at in known] for row in (plan.low, plan.high)),
            color=color,
            alpha=tokens()["chart"]["band_opacity"],
            linewidth=0,
            label="P10 to P90",
        )
    axes.plot(*_known(plan.values), color=color, linestyle="dashed", label=plan.name)
    ink = theme_color("text")
    axes.plot(*_known(actual.values), color=ink, marker="o", markersize=4, label=actual.name)
    axes.set_xlim(-0.5, len(months) - 0.5)
    every = max(1, -(-len(months) // TICKS_MOST))
    places = list(range(0, len(months), every))
    axes.set_xticks(places, [months[at] for at in places])
    axes.set_ylim(bottom=min(0.0, *_values(figure)))
    value_axis(axes.yaxis, "USD", currency)
    leave_room(canvas, axes)
    axes.grid(axis="y")
    axes.legend(loc="upper left", frameon=False)
    over_axes(axes, value_title(figure.along, currency))
    return to_svg(canvas)


def _known(values: Sequence[float | None]) -> tuple[list[int], list[float]]:
    found = [(at, value) for at, value in enumerate(values) if value is not None]
    return [at for at, _ in found], [value for _, value in found]


def _values(figure: Figure) -> list[float]:
    plan, actual = figure.series
    rows = (plan.values, actual.values, plan.low)
    return [value for row in rows for value in row if value is not None] or [0.0]
