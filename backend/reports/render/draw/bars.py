"""Horizontal bars by design: single, stacked, grouped; names at the left, values at the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Any

from capmodels.numbers import quantity, span
from reports.render.draw.canvas import (
    SMALL_PT,
    axes_at,
    fitting,
    letter_chip,
    new_canvas,
    over_axes,
    text_width_in,
    to_svg,
    value_axis,
    wrapped,
)
from reports.render.draw.looks import colors_of, value_title
from reports.render.tokens import design_color, ink_on, theme_color

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from capmodels.told import Figure, Series

NAMES_IN = 1.9
HEAD_IN = 0.2
FOOT_IN = 0.28
LEGEND_LINE_IN = 0.15
# A swatch with the space around it.
SWATCH_IN = 0.26


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One series of bars: a value and a colour for each row."""

    name: str
    colors: tuple[str, ...]
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What is drawn of a figure; ``low`` and ``high`` are the ends of a range for each row."""

    unit: str
    value_title: str
    categories: tuple[str, ...]
    reasons: tuple[str, ...]
    bars: tuple[Bar, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    texts: tuple[str, ...]


def bars_of(figure: Figure, currency: Currency) -> Bars:
    """Return what is drawn of a figure that has a row for each design."""
    drawn = [one for one in figure.series if one.style != "range"]
    ranges = next((one for one in figure.series if one.style == "range"), None)
    rows = figure.rows
    by_row = tuple(map(design_color, figure.row_roles)) if len(drawn) == 1 else None
    colors = colors_of(figure.kind, [one.role for one in drawn])
    return Bars(
        unit=figure.along.unit,
        value_title=value_title(figure.along, currency),
        categories=rows,
        reasons=figure.row_reasons or ("",) * len(rows),
        bars=tuple(
            Bar(name=one.name, colors=by_row or (color,) * len(rows), values=one.values)
            for one, color in zip(drawn, colors, strict=True)
        ),
        low=ranges.low if ranges else (None,) * len(rows),
        high=ranges.high if ranges else (None,) * len(rows),
        texts=figure.row_notes or _end_texts(figure, drawn, ranges, currency),
    )


def _end_texts(
    figure: Figure, drawn: list[Series], ranges: Series | None, currency: Currency
) -> tuple[str, ...]:
    """What stands at the end of each bar: an estimate as its range, why there is none."""
    unit = figure.along.unit

    def text(at: int) -> str:
        if figure.row_reasons and figure.row_reasons[at]:
            return f"— {figure.row_reasons[at]}"
        if ranges is None:
            return quantity(fsum(one.values[at] or 0.0 for one in drawn), unit, currency)
        low, high, value = (part[at] for part in (ranges.low, ranges.high, ranges.values))
        is_estimate = value is None or ranges.kinds[at] == "estimate"
        if is_estimate and low is not None and high is not None and low != high:
            return f"est. {span(low, high, unit, currency)}"
        return quantity(value, unit, currency)

    return tuple(map(text, range(len(figure.rows))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Where a set of bars lies on the canvas, in inches, and how it is written."""

    left_in: float
    right_in: float
    ends_in: float
    names: bool = True
    row_in: float = 0.32


def draw_bars(told: Figure, currency: Currency, width_in: float, *, row_in: float = 0.32) -> bytes:
    """Return stacked or single bars as SVG, the value of each at its end."""
    figure = bars_of(told, currency)
    canvas = new_canvas(width_in, _height(figure, row_in))
    longest = max((text_width_in(text, SMALL_PT) for text in figure.texts), default=0.0)
    ends = min(longest + 0.12, 0.4 * width_in)
    panel = Panel(left_in=NAMES_IN, right_in=0.02, ends_in=ends, row_in=row_in)
    _stack(canvas, figure, currency, panel)
    return to_svg(canvas)


def draw_pair(
    figures: tuple[Figure, Figure], currency: Currency, width_in: float, row_in: float = 0.34
) -> bytes:
    """Return two sets of bars side by side that share the names of the designs."""
    left, right = (bars_of(one, currency) for one in figures)
    middle = NAMES_IN + (width_in - NAMES_IN) / 2
    half = width_in - middle
    legends = [_legend_lines(figure, half - 0.12) for figure in (left, right)]
    head_in = 0.24 + LEGEND_LINE_IN * max(len(lines) for lines in legends)
    canvas = new_canvas(width_in, _height(left, row_in) - HEAD_IN + head_in)
    first = Panel(left_in=NAMES_IN, right_in=half + 0.1, ends_in=1.2, row_in=row_in)
    second = Panel(left_in=middle, right_in=0.02, ends_in=1.2, names=False, row_in=row_in)
    panels = zip((left, right), (first, second), legends, strict=True)
    for figure, panel, lines in panels:
        axes = _stack(canvas, figure, currency, panel, head_in=head_in)
        _legend(axes, lines)
    return to_svg(canvas)


def _height(figure: Bars, row_in: float) -> float:
    return HEAD_IN + FOOT_IN + row_in * len(figure.categories)


def _stack(
    canvas: Any, figure: Bars, currency: Currency, panel: Panel, head_in: float = HEAD_IN
) -> Any:
    room_in = canvas.get_size_inches()[0] - panel.left_in - panel.right_in - panel.ends_in
    axes = axes_at(
        canvas,
        left=panel.left_in,
        right=panel.right_in + panel.ends_in,
        top=head_in,
        bottom=FOOT_IN,
    )
    count = len(figure.categories)
    ends = _draw_segments(axes, figure)
    reach = max([*ends, *(high or 0.0 for high in figure.high)], default=0.0) or 1.0
    axes.set_xlim(min(0.0, *_starts(figure)), reach)
    axes.set_ylim(count - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    axes.grid(axis="x")
    value_axis(axes.xaxis, figure.unit, currency, ticks=max(2, int(room_in / 0.75)))
    _write_segments(axes, figure, room_in)
    _write_ends(axes, figure, ends, panel.ends_in)
    if panel.names:
        _write_names(axes, figure, panel.left_in, lines=2 if panel.row_in >= 0.28 else 1)
    over_axes(axes, figure.value_title)
    return axes


def _starts(figure: Bars) -> list[float]:
    rows = range(len(figure.categories))
    return [sum(min(bar.values[i] or 0.0, 0.0) for bar in figure.bars) for i in rows]


def _draw_segments(axes: Any, figure: Bars) -> list[float]:
    """Draw the bars and return where each ends; what is negative lies left of zero."""
    rows = range(len(figure.categories))
    above, below = [0.0 for _ in rows], [0.0 for _ in rows]
    for bar in figure.bars:
        for i in rows:
            value = bar.values[i] or 0.0
            side = above if value >= 0 else below
            axes.barh(
                i, value, 0.62, left=side[i], color=bar.colors[i], edgecolor="white", linewidth=0.6
            )
            side[i] += value
    for i, (low, high) in enumerate(zip(figure.low, figure.high, strict=True)):
        if low is not None and high is not None:
            _whisker(axes, i, low, high)
    highs = figure.high or [None for _ in rows]
    return [max(end, high or 0.0) for end, high in zip(above, highs, strict=True)]


def _whisker(axes: Any, row: int, low: float, high: float) -> None:
    style = {"color": theme_color("text"), "linewidth": 0.9, "solid_capstyle": "butt"}
    axes.plot([low, high], [row, row], **style)
    for end in (low, high):
        axes.plot([end, end], [row - 0.12, row + 0.12], **style)


def _write_segments(axes: Any, figure: Bars, width_in: float) -> None:
    """Name the segments of stacked bars where the name fits inside."""
    if len(figure.bars) < 3:
        return
    low, high = axes.get_xlim()
    per_inch = (high - low) / width_in
    for i in range(len(figure.categories)):
        left = 0.0
        for bar in figure.bars:
            value = bar.values[i] or 0.0
            if value <= 0:
                continue
            if text_width_in(bar.name, 6.5) * per_inch < value * 0.94:
                ink = ink_on(bar.colors[i])
                place = left + value / 2
                axes.text(place, i, bar.name, ha="center", va="center", color=ink, fontsize=6.5)
            left += value


def _write_ends(axes: Any, figure: Bars, ends: list[float], room_in: float) -> None:
    for i, (text, end) in enumerate(zip(figure.texts, ends, strict=True)):
        known = not figure.reasons[i]
        axes.annotate(
            wrapped(text, room_in, SMALL_PT),
            (end, i),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL_PT,
            color=theme_color("text" if known else "muted"),
            annotation_clip=False,
        )


def _write_names(axes: Any, figure: Bars, left_in: float, lines: int) -> None:
    for i, category in enumerate(figure.categories):
        letter, _, name = category.partition(", ")
        place = {
            "xycoords": ("axes fraction", "data"),
            "textcoords": "offset points",
            "va": "center",
            "annotation_clip": False,
        }
        start = -(left_in * 72.0)
        across = place["xycoords"]
        letter_chip(axes, letter, (0, i), xytext=(start + 5, 0), xycoords=across)
        fits = wrapped(name, left_in - 0.32, SMALL_PT, lines)
        axes.annotate(fits, (0, i), (start + 15, 0), fontsize=SMALL_PT, linespacing=1.05, **place)


def _legend_lines(figure: Bars, room_in: float) -> list[list[Bar]]:
    """Share the names of the series out to lines of a width."""
    lines: list[list[Bar]] = [[]]
    used = 0.0
    for bar in figure.bars:
        if not any(bar.values):
            continue
        named = replace(bar, name=fitting(bar.name, room_in - SWATCH_IN, SMALL_PT))
        wide = _legend_width_in(named)
        if lines[-1] and used + wide > room_in:
            lines.append([])
            used = 0.0
        lines[-1].append(named)
        used += wide
    return lines


def _legend_width_in(bar: Bar) -> float:
    return SWATCH_IN + text_width_in(bar.name, SMALL_PT)


def _legend(axes: Any, lines: list[list[Bar]]) -> None:
    """Name the series above the bars, a swatch before each."""
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": SMALL_PT}
    for number, line in enumerate(reversed(lines)):
        rise_pt, offset_pt = 18.0 + number * LEGEND_LINE_IN * 72.0, 0.0
        for bar in line:
            color = next(iter(bar.colors), theme_color("neutral"))
            axes.annotate("■", (0, 1), (offset_pt, rise_pt), color=color, **place)
            axes.annotate(bar.name, (0, 1), (offset_pt + 10, rise_pt), **place)
            offset_pt += _legend_width_in(bar) * 72.0
