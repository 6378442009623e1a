"""Figures that models tell as data (`capmodels.told`), of the series that the screen draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.numbers import USD, quantity
from capmodels.plans.figures.capacity import BINDS
from capmodels.told import Figure
from reports.render.draw.canvas import (
    SMALL_PT,
    fitting,
    over_axes,
    to_svg,
    value_axis,
)
from reports.render.draw.frame import (
    WIDTH_IN,
    axis_title,
    begun,
    ended,
    framed,
    series_colors,
    ticked,
)
from reports.render.draw.looks import dash_of, look_of
from reports.render.draw.regions import draw_regions
from reports.render.draw.steps import draw_tornado, draw_waterfall
from reports.render.tokens import theme_color, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.numbers import Currency

    JSONDict = dict[str, Any]

_PLOT_IN, _ROW_IN, _FRAME_IN = 2.3, 0.24, 0.75
_NAMES_IN, _ENDS_IN = 1.7, 1.5
_ROWS_MOST = 40
_OF_DESIGNS = {"waterfall": draw_waterfall, "swings": draw_tornado}


def drawn(figure: Mapping[str, Any], currency: Currency = USD) -> bytes | None:
    """Return a figure as SVG; None where it has nothing to draw, or more rows than a page."""
    if not any(value is not None for one in figure["series"] for value in one["values"]):
        return None
    if len(figure["rows"]) > _ROWS_MOST:
        return None
    if draw := _OF_DESIGNS.get(figure["kind"]):
        return draw(Figure.model_validate(figure), currency, WIDTH_IN)
    figure = {**figure, "currency": currency}
    kinds: dict[str, Callable[[Mapping[str, Any]], bytes]] = {
        "stacked": _bars, "grouped": _bars, "ranges": _ranges, "columns": _columns,
        "points": _points, "cells": _cells, "regions": draw_regions,
    }  # fmt: skip
    return kinds.get(figure["kind"], _lines)(figure)


def _rows(axes: Any, figure: Mapping[str, Any]) -> None:
    """The rows down the page with their names, and their values from zero."""
    rows = [fitting(row, _NAMES_IN - 0.15) for row in figure["rows"]]
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(visible=True, axis="x")
    axes.set_xlabel(axis_title(figure["along"], figure["currency"]))
    value_axis(axes.xaxis, figure["along"]["unit"], figure["currency"])
    axes.set_xlim(left=0)


def _bars(figure: Mapping[str, Any]) -> bytes:
    rows, series = figure["rows"], figure["series"]
    stacked = figure["kind"] == "stacked"
    each = 1 if stacked else len(series)
    canvas, axes = begun(
        figure, _FRAME_IN + _ROW_IN * len(rows) * max(1.0, each * 0.6), _NAMES_IN, _ENDS_IN
    )
    ends, handles = [0.0] * len(rows), []
    for place, (one, color) in enumerate(zip(series, series_colors(figure), strict=True)):
        values = [value or 0.0 for value in one["values"]]
        high = 0.7 / each
        at = [row + (0 if stacked else (place - (each - 1) / 2) * high) for row in range(len(rows))]
        left = ends if stacked else None
        handles.append(axes.barh(at, values, height=high, left=left, color=color))
        ends = [end + value for end, value in zip(ends, values, strict=True)] if stacked else ends
        if len(series) == 1:
            ends = values
    said = figure.get("row_notes") or [
        quantity(end, figure["along"]["unit"], figure["currency"]) for end in ends
    ]
    if stacked or len(series) == 1:
        for row, (end, text) in enumerate(zip(ends, said, strict=False)):
            axes.annotate(
                fitting(text, _ENDS_IN), (end, row), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize=SMALL_PT, annotation_clip=False,
            )  # fmt: skip
    _rows(axes, figure)
    return ended(figure, canvas, axes, handles)


def _off(one: Mapping[str, Any]) -> list[list[float]] | None:
    """How far values may be off, below and above."""
    if not one.get("low"):
        return None
    known = [(v or 0.0, lo, hi) for v, lo, hi in zip(one["values"], one["low"], one["high"],
                                                     strict=True)]  # fmt: skip
    return [
        [max(v - (v if lo is None else lo), 0.0) for v, lo, _ in known],
        [max((v if hi is None else hi) - v, 0.0) for v, _, hi in known],
    ]


def _ranges(figure: Mapping[str, Any]) -> bytes:
    canvas, axes = begun(figure, _FRAME_IN + _ROW_IN * len(figure["rows"]), _NAMES_IN, 0.3)
    handles = [
        axes.errorbar(
            [value or 0.0 for value in one["values"]], range(len(figure["rows"])),
            xerr=_off(one), fmt="o", markersize=4, color=color,
        )
        for one, color in zip(figure["series"], series_colors(figure), strict=True)
    ]  # fmt: skip
    _rows(axes, figure)
    return ended(figure, canvas, axes, handles)


def _columns(figure: Mapping[str, Any]) -> bytes:
    rows, bars = figure["rows"], [one for one in figure["series"] if one.get("style") != "dots"]
    canvas, axes = begun(figure, _PLOT_IN, 0.56, 0.2)
    wide, handles = 0.8 / max(len(bars), 1), []
    for one, color in zip(figure["series"], series_colors(figure), strict=True):
        values = [value or 0.0 for value in one["values"]]
        if one in bars:
            shift = (bars.index(one) - (len(bars) - 1) / 2) * wide
            at = [row + shift for row in range(len(rows))]
            handles.append(axes.bar(at, values, width=0.9 * wide, color=color))
            for place in zip(at, values, one.get("texts", ()), strict=False):
                _over(axes, *place)
        else:
            muted = theme_color("muted")
            handles += axes.plot(range(len(rows)), values, "_", color=muted, markersize=7)
    every = -(-len(rows) // 10)
    axes.set_xticks(range(0, len(rows), every), [row[:14] for row in rows[::every]])
    if limit := figure.get("limit"):
        axes.axhline(limit, color=theme_color("bad"), linewidth=0.75, linestyle=(0, (1, 2)))
        axes.set_ylim(top=max(limit, axes.get_ylim()[1] / 1.05))
    return framed(figure, canvas, axes, handles)


def _over(axes: Any, at: float, value: float, text: str) -> None:
    """Write what a column is over it; what binds stands bold."""
    binds = BINDS in text
    axes.annotate(
        text, (at, value), (0, 2), textcoords="offset points", ha="center", fontsize=6.8,
        weight=600 if binds else 400, color=theme_color("text" if binds else "muted"),
        annotation_clip=False,
    )  # fmt: skip


def _lines(figure: Mapping[str, Any]) -> bytes:
    """Lines, areas on top of each other, and steps."""
    canvas, axes = begun(figure, _PLOT_IN, 0.56, 0.3)
    series, colors = figure["series"], series_colors(figure)
    first: list[float] = series[0]["at"]
    # What is dashed stands over the areas, not on top of them.
    piled = [figure["kind"] in {"areas", "steps"} and one.get("style") != "dashes"
             for one in series]  # fmt: skip
    below: list[Any] = []
    if any(piled):
        columns = [[value or 0.0 for value in one["values"]]
                   for one, is_piled in zip(series, piled, strict=True) if is_piled]  # fmt: skip
        at = first
        if figure["kind"] == "steps":
            at = [x for x in first for _ in (0, 1)][1:-1]
            columns = [[y for y in column for _ in (0, 1)][: len(at)] for column in columns]
        tints = [color for color, is_piled in zip(colors, piled, strict=True) if is_piled]
        below = list(axes.stackplot(at, *columns, colors=tints, alpha=0.8))
    handles: list[Any] = [
        below.pop(0) if is_piled else _line(axes, one, place, color)
        for place, (one, color, is_piled) in enumerate(zip(series, colors, piled, strict=True))
    ]
    for mark in figure["marks"]:
        axes.axvline(mark, color=theme_color("muted"), linewidth=0.8, linestyle=":")
    across = figure["across"]
    if across:
        ticked(
            axes, across, [x for one in series for x in one["at"]], figure["currency"], is_x=True
        )
    return framed(figure, canvas, axes, handles)


def _line(axes: Any, one: Mapping[str, Any], place: int, color: str) -> Any:
    known = [(x, y) for x, y in zip(one["at"], one["values"], strict=True) if y is not None]
    at, values = [x for x, _ in known], [y for _, y in known]
    off = _off(one)
    if one.get("style") == "dots":
        return axes.errorbar(one["at"], [value or 0.0 for value in one["values"]], yerr=off,
                             fmt="o", markersize=4, color=color)  # fmt: skip
    if off is not None:
        ends = [(x, lo, hi) for x, lo, hi in zip(one["at"], one["low"], one["high"], strict=True)
                if lo is not None and hi is not None]  # fmt: skip
        axes.fill_between(
            [x for x, _, _ in ends], [lo for _, lo, _ in ends], [hi for _, _, hi in ends],
            color=color, alpha=tokens()["chart"]["band_opacity"], linewidth=0,
        )  # fmt: skip
    planned, role = one.get("style") == "dashes", one.get("role", "")
    return axes.plot(
        at, values, color=color, linestyle="dashed" if planned else dash_of(look_of(role, place)),
        drawstyle="steps-post" if one.get("style") == "steps" else "default",
        marker="o" if len(values) < 20 else None, markersize=3,
    )[0]  # fmt: skip


def _points(figure: Mapping[str, Any]) -> bytes:
    canvas, axes = begun(figure, _PLOT_IN + 0.6, 0.56, 0.9)
    handles = []
    for one, color in zip(figure["series"], series_colors(figure), strict=True):
        known = [row for row in zip(one["at"], one["values"], strict=True) if row[1] is not None]
        handles.append(axes.scatter([x for x, _ in known], [y for _, y in known], s=18, c=color))
        for name, x, y in zip(one["names"], one["at"], one["values"], strict=False):
            if name == figure["best"] and y is not None:
                axes.annotate(fitting(name, 1.6), (x, y), xytext=(5, 0), va="center",
                              textcoords="offset points", fontsize=SMALL_PT)  # fmt: skip
    if figure["across"]:
        at = [x for one in figure["series"] for x in one["at"]]
        ticked(axes, figure["across"], at, figure["currency"], is_x=True)
        if not figure["across"]["is_log"]:
            axes.set_xlim(left=min(0.0, *at))
    return framed(figure, canvas, axes, handles)


def _cells(figure: Mapping[str, Any]) -> bytes:
    """A map of a measure: a series a row."""
    canvas, axes = begun(figure, _PLOT_IN + 0.4, 1.1, 0.9)
    series, measure = figure["series"], figure["measure"] or figure["along"]
    values = [[float("nan") if v is None else v for v in one["values"]] for one in series]
    scale = tokens()["chart"]["sequential"]
    shown = axes.imshow(
        values, aspect="auto", origin="lower", interpolation="nearest",
        cmap=f"{scale}_r" if figure["less_is_better"] else scale,
    )  # fmt: skip
    every, wide = -(-len(series) // 10), series[0]["at"]
    axes.set_yticks(
        range(0, len(series), every), [fitting(one["name"], 0.95) for one in series[::every]]
    )
    steps = range(0, len(wide), max(1, -(-len(wide) // 6)))
    across = figure["across"] or {"title": "", "unit": "", "is_log": False}
    axes.set_xticks(steps, [quantity(wide[at], across["unit"], figure["currency"]) for at in steps])
    axes.set_xlabel(across["title"])
    over_axes(axes, figure["along"]["title"])
    bar = canvas.colorbar(shown, ax=axes, pad=0.02, fraction=0.05)
    value_axis(bar.ax.yaxis, measure["unit"], figure["currency"])
    bar.outline.set_visible(False)
    return to_svg(canvas)
