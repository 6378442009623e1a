"""Waterfalls and tornados."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.render.draw.canvas import (
    SMALL_PT,
    TEXT_PT,
    axes_at,
    letter_chip,
    new_canvas,
    over_axes,
    text_width_in,
    to_svg,
    value_axis,
    wrapped,
)
from reports.render.draw.looks import filled, value_title
from reports.render.tokens import design_color, theme_color, tokens

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from capmodels.told import Figure


WATERFALL_ROW_IN = 0.205
WATERFALL_NAMES_IN = 1.45


def draw_waterfall(figure: Figure, currency: Currency, width_in: float) -> bytes:
    """Return the steps from one total down to another as SVG, one row per step."""
    rows = len(figure.rows)
    canvas = new_canvas(width_in, 0.48 + WATERFALL_ROW_IN * rows)
    axes = axes_at(canvas, left=WATERFALL_NAMES_IN, right=0.75, top=0.2, bottom=0.28)
    (steps,) = figure.series
    for row in range(rows):
        _step(axes, row, figure)
    ends = [*steps.base, *map(sum, zip(steps.base, filled(steps.values), strict=True))]
    axes.set_xlim(min(*ends, 0.0), max(*ends, 0.0) or 1.0)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    axes.grid(axis="x")
    value_axis(axes.xaxis, figure.along.unit, currency)
    over_axes(axes, value_title(figure.along, currency))
    return to_svg(canvas)


def _step(axes: Any, row: int, figure: Figure) -> None:
    (steps,), role = figure.series, figure.row_roles[row]
    begun, change = steps.base[row], filled(steps.values)[row]
    looks = tokens()["chart"]["waterfall"]
    total = role not in looks
    color = design_color(role) if total else looks[role]["light"]
    axes.barh(row, change, 0.68, left=begun, color=color, linewidth=0)
    end = begun + change
    axes.plot([end, end], [row - 0.34, row + 1.34], color=theme_color("neutral"), linewidth=0.6)
    near = {"va": "center", "textcoords": "offset points", "annotation_clip": False}
    weight, text = 600 if total else 400, figure.row_notes[row]
    axes.annotate(text, (max(begun, end), row), (4, 0), fontsize=SMALL_PT, weight=weight, **near)
    start = -WATERFALL_NAMES_IN * 72.0
    across = ("axes fraction", "data")
    if total:
        letter_chip(axes, role, (0, row), xytext=(start + 5, 0), xycoords=across)
    else:
        name = figure.rows[row]
        axes.annotate(name, (0, row), (start, 0), xycoords=across, fontsize=TEXT_PT, **near)


TORNADO_NAMES_IN = 2.2
TORNADO_LEFT_IN = 2.82
TORNADO_RIGHT_IN = 0.75
END_PT = 6.8


@dataclass(frozen=True, slots=True)
class EndText:
    """What stands at the end of a bar, outside of it."""

    row: int
    end: float
    text: str
    right: bool

    @property
    def width_in(self) -> float:
        """How wide it is, with its distance from the bar. [inches]"""
        return text_width_in(self.text, END_PT) + 0.06


def draw_tornado(figure: Figure, currency: Currency, width_in: float) -> bytes:
    """Return the swings as SVG, the input's low and high value at the ends of each bar."""
    rows, series = figure.rows, figure.series
    center = series[0].base[0]
    canvas = new_canvas(width_in, 0.24 + 0.42 + 0.3 * len(rows))
    axes = axes_at(canvas, TORNADO_LEFT_IN, TORNADO_RIGHT_IN, top=0.24, bottom=0.42)
    texts: list[EndText] = []
    for row, label in enumerate(rows):
        ends = [(filled(one.values)[row], one.texts[row]) for one in series]
        for (end, _), one in zip(ends, series, strict=True):
            color = tokens()["chart"]["tornado"][one.role]["light"]
            axes.barh(row, end - center, 0.6, left=center, color=color, linewidth=0)
        texts += _end_texts(row, ends, center)
        axes.annotate(
            wrapped(label, TORNADO_NAMES_IN, SMALL_PT),
            (0, row),
            (-(TORNADO_LEFT_IN - 0.02) * 72.0, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=SMALL_PT,
            linespacing=1.0,
            annotation_clip=False,
        )
    for text in texts:
        _write_end(axes, text)
    axes.set_xlim(
        *_room(_with_zero(axes.get_xlim()), texts, width_in - TORNADO_LEFT_IN - TORNADO_RIGHT_IN)
    )
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks([])
    axes.grid(axis="x")
    value_axis(axes.xaxis, figure.along.unit, currency)
    axes.set_xlabel(value_title(figure.along, currency))
    axes.axvline(center, color=theme_color("text"), linewidth=0.9)
    low, high = axes.get_xlim()
    if low < 0 < high:
        _tie_line(axes)
    return to_svg(canvas)


# As a share of the axis.
_BEYOND_ZERO = 0.03


def _with_zero(limits: tuple[float, float]) -> tuple[float, float]:
    """Widen the axis until it has zero, which its title speaks of, with a little beyond."""
    low, high = limits
    beyond = _BEYOND_ZERO * max(abs(low), abs(high))
    return min(low, -beyond), max(high, beyond)


def _room(limits: tuple[float, float], texts: list[EndText], axes_in: float) -> tuple[float, float]:
    """Widen the axis until every text has room beside its bar or in the margin."""
    low, high = limits
    for text in texts:
        margin = TORNADO_RIGHT_IN if text.right else TORNADO_LEFT_IN - TORNADO_NAMES_IN
        # The share of the axis that the text needs besides the margin.
        share = min(max(text.width_in - margin, 0.0) / axes_in, 0.6)
        if text.right:
            high = max(high, (text.end - low * share) / (1.0 - share))
        else:
            low = min(low, (text.end - high * share) / (1.0 - share))
    return low, high


def _end_texts(row: int, ends: list[tuple[float, str]], center: float) -> list[EndText]:
    (left, left_text), (right, right_text) = sorted(ends)
    if left > center or right < center:
        # Both ends lie on one side, where two texts would cover each other.
        outer = right if left > center else left
        return [EndText(row, outer, f"{left_text} … {right_text}", left > center)]
    return [EndText(row, left, left_text, False), EndText(row, right, right_text, True)]


def _write_end(axes: Any, text: EndText) -> None:
    axes.annotate(
        text.text,
        (text.end, text.row),
        (3 if text.right else -3, 0),
        textcoords="offset points",
        ha="left" if text.right else "right",
        va="center",
        fontsize=END_PT,
        annotation_clip=False,
        bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 0.4},
        zorder=5,
    )


def _tie_line(axes: Any) -> None:
    axes.axvline(0, color=theme_color("bad"), linewidth=0.9, linestyle=(0, (3, 2)))
    axes.annotate(
        "tie: beyond it the verdict flips",
        (0, 1),
        (0, 4),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="center",
        fontsize=6.8,
        color=theme_color("bad"),
    )
