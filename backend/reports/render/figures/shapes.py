"""What figures are made of."""

from __future__ import annotations

from dataclasses import dataclass

Numbers = tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One curve; ``letter`` gives its colour and dash, ``label`` stands at its end."""

    letter: str
    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The range from P10 to P90 behind a curve."""

    letter: str
    x: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A dot on a curve with words beside it."""

    letter: str
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFigure:
    """Curves over a common axis."""

    id: str
    title: str
    summary: str
    x_title: str
    y_title: str
    unit: str
    lines: tuple[Line, ...]
    bands: tuple[Band, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One series of bars: a value for each category, in one colour each or one for all."""

    name: str
    colors: tuple[str, ...]
    values: Numbers
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BarFigure:
    """Bars by category, stacked where there are several series.

    ``low`` and ``high`` are the ends of a range for the sum of each category.
    """

    id: str
    title: str
    summary: str
    unit: str
    value_title: str
    categories: tuple[str, ...]
    bars: tuple[Bar, ...]
    low: Numbers = ()
    high: Numbers = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One bar of a waterfall, from ``start`` by ``change``."""

    label: str
    start: float
    change: float
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallFigure:
    """From one design's total to another's, cause by cause."""

    id: str
    title: str
    summary: str
    unit: str
    value_title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """What one input does to the answer at the ends of its range."""

    label: str
    low_text: str
    high_text: str
    at_low: float
    at_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TornadoFigure:
    """Swings, widest first, around the answer as it stands."""

    id: str
    title: str
    summary: str
    unit: str
    value_title: str
    center: float
    swings: tuple[Swing, ...]


Figure = LineFigure | BarFigure | WaterfallFigure | TornadoFigure
