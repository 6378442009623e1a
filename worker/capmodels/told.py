"""What an answer says beside its numbers: tables and figures as data, for screen and print alike.

A table's cells are texts, worded by `capmodels.numbers`. A figure's series are numbers with their
names; what colours they have and how ticks are written is the drawing's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from capmodels.spec import Result, blank, preset
from capmodels.units import Real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


# Of a field of an answer whose numbers its tables and figures tell: print has them there.
IN_TABLES: dict[str, Any] = {"in_tables": True}


def _if_said(value: Any) -> Any:
    """A field that a document leaves out while it says no more than this."""
    return Field(default=value, exclude_if=lambda given: given == value)


class TableRow(Result):
    """A row: what it is of, its cells, and what its head means."""

    head: str = Field(description="What the row is of.")
    cells: tuple[str, ...] = Field(description="Its values as texts, a column each.")
    means: str | None = blank("What its head means.")
    is_best: bool = preset(False, "It is the best one.")


class Table(Result):
    """A table; the first of its columns names the rows' heads."""

    title: str = Field(description="Title.")
    columns: tuple[str, ...] = Field(
        description="Heads of its columns; the first is that of the rows' heads."
    )
    rows: tuple[TableRow, ...] = Field(description="Its rows.")
    means: tuple[str | None, ...] = preset((), "What each column means.")
    note: str | None = blank("What to know of it.")


class Axis(Result):
    """What an axis counts, and where it is ticked: empty, at round numbers of its unit.

    It has its zero wherever bars or lines stand on it, unless their differences are the point.
    """

    title: str = Field(description="What it counts.")
    unit: str = Field(description="In which unit.")
    is_log: bool = preset(False, "It is logarithmic.")
    from_zero: bool = _if_said(True)
    ticks: tuple[Real, ...] = _if_said(())
    ticks_said: tuple[str, ...] = _if_said(())


class Series(Result):
    """Values with a name: a colour of bars, a line, or marks of one shape.

    ``at`` is where its values stand on the first axis, ``names`` what their places are called (of
    series without any, those of the first; where some are blank, only the others have a mark),
    ``kinds`` what each of them is, ``texts`` what is written at it, ``low`` and ``high`` how far
    each may be off, ``base`` where its bar begins, if not at zero. ``end`` is written at the end of
    a line. ``role`` is what has a look of its own wherever it is drawn: the letter of a design, the
    state of a drive, the side and name of a cause (``owned/hardware``), one of the tints of
    parts (``tint/2``), the ``low`` or ``high`` value of an input, what ``actual`` cost was, what is
    ``printed``, and what is further ``apart`` from that than print allows. A
    ``range`` beside bars has only ends, or a mark between them where the bars do not say it.
    """

    name: str = Field(description="Name of the series.")
    role: str = _if_said("")
    values: tuple[Real | None, ...] = Field(description="Its values, in the unit of the axis.")
    at: tuple[Real, ...] = preset((), "Where they stand on the first axis.")
    names: tuple[str, ...] = preset((), "What their places are called.")
    kinds: tuple[str, ...] = preset((), "What each of them is.")
    low: tuple[Real | None, ...] = _if_said(())
    high: tuple[Real | None, ...] = _if_said(())
    base: tuple[Real, ...] = _if_said(())
    texts: tuple[str, ...] = _if_said(())
    end: str = _if_said("")
    style: Literal["line", "dashes", "steps", "dots", "range"] = _if_said("line")


class Dot(Result):
    """A place that a figure points at: its words, and what there is to know beside them."""

    role: str
    at: Real
    value: Real
    text: str
    means: str = ""


class Column(Result):
    """A column of a table: numbers in a unit, or names; how they are written, if not each alone."""

    label: str
    unit: str = ""
    values: tuple[str | Real | None, ...]
    said: tuple[str, ...] = _if_said(())


Kind = Literal[
    "stacked", "grouped", "columns", "ranges", "waterfall", "swings", "lines", "areas", "steps",
    "points", "cells", "regions",
]  # fmt: skip


class Figure(Result):
    """A chart as data: what it finds, its axes, its series.

    Bars, columns and ranges have a row each (``rows``, with ``row_notes`` at the ends of bars) and
    their values along ``along``; lines, areas that add up and points stand at their series'
    ``at``, along ``across``. Steps are values that hold from one ``at`` to the next, on top of each
    other. Cells are a ``measure``: a series a row, at its level on ``along``. Regions are cells
    that are one of ``kinds``, by its place there; dashes are lines over them, dots their names and
    what is ``chosen``. A waterfall is one
    series of steps, swings are bars to either side of where things stand, which are a ``measure``.
    ``kinds`` are what points may be, with a mark for each; ``marks`` are places on ``across`` where
    the finding changes, ``limit`` what values should stay below, ``best`` the row, series or
    point that the finding speaks of, ``dots`` where it points at. Of figures of one name one is
    shown, chosen by ``of``. ``twin`` are its numbers as a table, where they are not those of its
    series.

    ``row_roles`` are what rows are: the letters of designs, before their names; steps of a
    waterfall that cost ``more`` or ``less``; what ``flips`` a finding. ``row_reasons`` say why a
    row has no value.
    """

    kind: Kind = Field(description="Which kind of chart it is.")
    name: str = Field(description="Key of the chart.")
    of: str | None = _if_said(None)
    title: str = Field(description="What it shows.")
    summary: str = _if_said("")
    along: Axis = Field(description="The axis of its values.")
    series: tuple[Series, ...] = Field(description="Its series.")
    across: Axis | None = blank("The axis that values stand on, of lines and points.")
    rows: tuple[str, ...] = preset((), "Names of the rows, of bars.")
    row_roles: tuple[str, ...] = _if_said(())
    row_notes: tuple[str, ...] = _if_said(())
    row_reasons: tuple[str, ...] = _if_said(())
    best: str | None = blank("Row, series or point that the finding speaks of.")
    marks: tuple[Real, ...] = preset((), "Places on `across` where the finding changes.")
    dots: tuple[Dot, ...] = _if_said(())
    limit: Real | None = _if_said(None)
    kinds: tuple[str, ...] = preset((), "What points or regions may be.")
    levels: tuple[Real, ...] = preset((), "Places on `along`, of cells.")
    measure: Axis | None = blank("What colours or differences count.")
    less_is_better: bool = preset(False, "Whether less of it is better.")
    note: str | None = blank("What to know of it.")
    twin: tuple[Column, ...] = _if_said(())


class Told(Result):
    """Base of a result that says what it found."""

    headline: str = Field(description="The answer in a sentence.")
    notes: tuple[str, ...] = preset((), "What to know before relying on it.")
    tables: tuple[Table, ...] = preset((), "Its figures as tables.")
    figures: tuple[Figure, ...] = preset((), "Its charts as data.")


def column(
    label: str, values: Iterable[str | float | None], unit: str = "", said: Iterable[str] = ()
) -> Column:
    """A column of a table: its head, its values, their unit, and how they are written."""
    return Column(label=label, unit=unit, values=tuple(values), said=tuple(said))


def parts_of(things: Sequence[Any], names: Iterable[tuple[str, str]]) -> tuple[Series, ...]:
    """A series for each part, by its field and name, with what each thing has of it."""
    return tuple(
        Series(name=name, values=tuple(getattr(thing, part) for thing in things))
        for part, name in names
    )


def compared(
    title: str,
    first: str,
    things: Mapping[str, Any],
    lines: Iterable[tuple[str, Callable[[Any], str]]],
    note: str | None = None,
) -> Table:
    """A table of things side by side, a line for each measure."""
    return Table(
        title=title,
        columns=(first, *things),
        rows=tuple(
            TableRow(head=label, cells=tuple(text(thing) for thing in things.values()))
            for label, text in lines
        ),
        note=note,
    )


def facts(title: str, lines: Sequence[tuple[str, str]], note: str | None = None) -> Table:
    """A table of single values with their names."""
    rows = tuple(TableRow(head=label, cells=(text,)) for label, text in lines)
    return Table(title=title, columns=(), rows=rows, note=note)


def listed(parts: Sequence[str]) -> str:
    """Words in a row: one, two and three.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
