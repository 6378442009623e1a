"""The one look of all charts: typeface, sizes, axes without boxes, SVG with real text."""

from __future__ import annotations

import io
import logging
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas
from matplotlib.ft2font import LoadFlags
from matplotlib.ticker import FuncFormatter, MaxNLocator

from capmodels.numbers import Currency, percent, quantity
from reports.render.text import shortened
from reports.render.tokens import design_color, font_folder, ink_on, theme_color, tokens

SMALL_PT = 7.5
DAY_MS = 86_400_000
# Between the labels of a value axis and the axis.
LABEL_GAP_IN = 0.1
TEXT_PT = 8.0
CHIP_PT = 6.8
POINTS_PER_INCH = 72.0
POINTS_PER_PX = 0.75
FALLBACK = "DejaVu Sans"


@lru_cache(maxsize=1)
def prepare() -> str:
    """Set matplotlib up once in this process and return the family it draws with."""
    # The fallback has no weight 600; that its bold is taken instead needs no warning.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    families = [FALLBACK]
    if folder := font_folder():
        for file in sorted(folder.glob("*.ttf")):
            font_manager.fontManager.addfont(file)
        families.insert(0, tokens()["font"]["family"])
    mpl.rcParams.update(
        {
            "font.family": families,
            "font.size": TEXT_PT,
            "svg.fonttype": "none",
            "svg.hashsalt": "ampacity",
            "text.parse_math": False,
            "text.color": theme_color("text"),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.spines.left": False,
            "axes.edgecolor": theme_color("border"),
            "axes.labelcolor": theme_color("muted"),
            "axes.labelsize": SMALL_PT,
            "axes.axisbelow": True,
            "grid.color": theme_color("grid"),
            "grid.linewidth": 0.75,
            "xtick.color": theme_color("muted"),
            "ytick.color": theme_color("muted"),
            "xtick.labelsize": SMALL_PT,
            "ytick.labelsize": SMALL_PT,
            "xtick.major.size": 0,
            "ytick.major.size": 0,
            "lines.scale_dashes": False,
            "lines.linewidth": tokens()["chart"]["line_px"] * POINTS_PER_PX,
        }
    )
    return families[0]


def over_axes(axes: Any, text: str, rise_pt: float = 4.0) -> None:
    """Write the title of the values above the axes, at their left end."""
    axes.annotate(
        text,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, rise_pt),
        textcoords="offset points",
        fontsize=SMALL_PT,
        color=theme_color("muted"),
    )


def letter_chip(axes: Any, letter: str, at: tuple[Any, Any], **place: Any) -> None:
    """Write a design's letter on its colour, as the tables do."""
    color = design_color(letter)
    axes.annotate(
        # No-break spaces make the chip as wide as it is high.
        f"\u00a0{letter}\u00a0",
        at,
        color=ink_on(color),
        weight=600,
        fontsize=CHIP_PT,
        ha="center",
        va="center",
        annotation_clip=False,
        textcoords="offset points",
        bbox={"boxstyle": "round,pad=0.16,rounding_size=0.24", "facecolor": color, "linewidth": 0},
        zorder=6,
        **place,
    )


def new_canvas(width_in: float, height_in: float) -> Canvas:
    """Return an empty figure of a size in inches."""
    prepare()
    canvas = Canvas(figsize=(width_in, height_in))
    FigureCanvasSVG(canvas)
    return canvas


def axes_at(canvas: Canvas, left: float, right: float, top: float, bottom: float) -> Any:
    """Return axes that leave these margins, in inches."""
    width, height = canvas.get_size_inches()
    box = (
        left / width,
        bottom / height,
        (width - left - right) / width,
        (height - top - bottom) / height,
    )
    return canvas.add_axes(box)


def to_svg(canvas: Canvas) -> bytes:
    """Return the figure as SVG; the same figure always gives the same bytes."""
    out = io.BytesIO()
    canvas.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return out.getvalue()


@lru_cache(maxsize=4)
def _face(weight: int) -> Any:
    """Return the typeface of charts with those that stand in for characters it lacks."""
    files = [
        font_manager.findfont(
            font_manager.FontProperties(family=family, weight=weight), fallback_to_default=True
        )
        for family in (prepare(), FALLBACK)
    ]
    return font_manager.get_font(files)


@lru_cache(maxsize=4096)
def text_width_in(text: str, size_pt: float = TEXT_PT, weight: int = 400) -> float:
    """Return how wide a text is in the typeface of the charts. [inches]"""
    face = _face(weight)
    face.set_size(size_pt, POINTS_PER_INCH)
    face.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    width_px, _height = face.get_width_height()
    width: float = width_px / 64.0 / POINTS_PER_INCH
    return width


def fitting(text: str, width_in: float, size_pt: float = TEXT_PT) -> str:
    """Cut a text to a width in inches, with an ellipsis."""
    if text_width_in(text, size_pt) <= width_in:
        return text
    length = len(text)
    while length > 2 and text_width_in(shortened(text, length), size_pt) > width_in:
        length -= 1
    return shortened(text, length)


def wrapped(text: str, width_in: float, size_pt: float = TEXT_PT, lines: int = 2) -> str:
    """Break a text into lines of a width in inches; what is left over is cut."""
    done: list[str] = []
    words = text.split()
    while words and len(done) < lines - 1:
        count = 1
        while count < len(words) and (
            text_width_in(" ".join(words[: count + 1]), size_pt) <= width_in
        ):
            count += 1
        done.append(fitting(" ".join(words[:count]), width_in, size_pt))
        words = words[count:]
    rest = " ".join(words)
    return "\n".join([*done, fitting(rest, width_in, size_pt)] if rest else done)


def axis_text(value: float, unit: str, currency: Currency, largest: float | None = None) -> str:
    """Write a tick: as everywhere, without zeros that carry nothing, in the unit of the axis."""
    if unit == "fraction":
        return percent(value)
    text = quantity(value, unit, currency, largest=largest)
    number, space, scale = text.partition(tokens()["numbers"]["space"])
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number}{space}{scale}"


class _RoundTicks(MaxNLocator):
    """Ticks that are round in what they are told in, of so many a unit of the axis."""

    def __init__(self, ticks: int, per_unit: float) -> None:
        super().__init__(ticks, steps=[1, 2, 2.5, 5, 10])
        self._per_unit = per_unit

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return where ticks stand on the axis."""
        told = super().tick_values(vmin * self._per_unit, vmax * self._per_unit)
        return np.asarray(told) / self._per_unit


def value_axis(axis: Any, unit: str, currency: Currency, ticks: int = 6) -> None:
    """Give an axis about so many round ticks in the words of the unit."""
    told_in = 1 / DAY_MS if unit == "instant" else currency.amount(1.0, unit)
    axis.set_major_locator(_RoundTicks(ticks, told_in))

    def told(value: float, _place: int | None) -> str:
        ends = map(abs, axis.get_view_interval())
        return axis_text(value, unit, currency, max(ends))

    axis.set_major_formatter(FuncFormatter(told))


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions as little as needed so that none is nearer than ``gap`` to the next.

    Positions keep their order and stay between ``low`` and ``high`` where there is room.

    >>> spread([1.0, 1.1, 5.0], 1.0, 0.0, 10.0)
    [0.55, 1.55, 5.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # A block is a run of touching places: the sum of the starts its members wish for, and
    # their number. Its best start is the mean of those wishes.
    blocks: list[tuple[float, int]] = []
    for i in order:
        wish, count = wanted[i], 1
        while blocks and blocks[-1][0] / blocks[-1][1] + blocks[-1][1] * gap > wish / count:
            before, members = blocks.pop()
            wish += before - count * members * gap
            count += members
        blocks.append((wish, count))
    placed = [wish / count + k * gap for wish, count in blocks for k in range(count)]
    placed = _inside(placed, gap, low, high)
    result = [0.0] * len(wanted)
    for place, i in zip(placed, order, strict=True):
        result[i] = round(place, 12)
    return result


def _inside(placed: list[float], gap: float, low: float, high: float) -> list[float]:
    for i in range(len(placed)):
        floor = low if i == 0 else placed[i - 1] + gap
        placed[i] = max(placed[i], floor)
    ceiling = high
    for i in reversed(range(len(placed))):
        placed[i] = min(placed[i], ceiling)
        ceiling = placed[i] - gap
    return placed


def leave_room(canvas: Canvas, axes: Any) -> None:
    """Move axes to the right where the labels of their values are wider than the margin."""
    labels = axes.yaxis.get_major_formatter().format_ticks(axes.get_yticks())
    needed_in = max(text_width_in(label, SMALL_PT) for label in labels) + LABEL_GAP_IN
    width_in = canvas.get_size_inches()[0]
    box = axes.get_position()
    if needed_in > box.x0 * width_in:
        left = needed_in / width_in
        axes.set_position((left, box.y0, box.x1 - left, box.height))
