"""What an answer says beside its numbers: tables and figures as data, for screen and print alike.

A table's cells are texts, worded by `capmodels.numbers`. A figure's series are numbers with their
names; what colours they have and how ticks are written is the drawing's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from capmodels.spec import Result
from capmodels.units import Real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class TableRow(Result):
    """A row: what it is of, its cells, and what its head means."""

    head: str
    cells: tuple[str, ...]
    means: str | None = None
    is_best: bool = False


class Table(Result):
    """A table; the first of its columns names the rows' heads."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    means: tuple[str | None, ...] = Field(default=(), description="What each column means.")
    note: str | None = None


class Axis(Result):
    """What an axis counts."""

    title: str
    unit: str
    is_log: bool = False


class Series(Result):
    """Values with a name: a colour of bars, a line, or marks of one shape.

    ``at`` is where its values stand on the first axis, ``names`` what single marks are called,
    ``kinds`` what each of them is. ``role`` is what has a look of its own wherever it is drawn: the
    letter of a design, the state of a drive.
    """

    name: str
    role: str = ""
    values: tuple[Real | None, ...]
    at: tuple[Real, ...] = ()
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


class Column(Result):
    """A column of a table: numbers in a unit, or names."""

    label: str
    unit: str = ""
    values: tuple[str | Real | None, ...]


class Figure(Result):
    """A chart as data: what it finds, its axes, its series.

    Bars have a row each (``rows``, with ``row_notes`` at their ends) and their values along
    ``along``; lines and points stand at their series' ``at``, along ``across``. Steps are values
    that hold from one ``at`` to the next, on top of each other. Cells are a ``measure``: a series
    a row, at its level on ``along``. ``kinds`` are what points may be, with a mark for each;
    ``marks`` are places on ``across`` where the finding changes, ``best`` the row, series or point
    that it speaks of.
    """

    kind: Literal["stacked", "grouped", "lines", "steps", "points", "cells"]
    name: str
    title: str
    along: Axis
    series: tuple[Series, ...]
    across: Axis | None = None
    rows: tuple[str, ...] = ()
    row_notes: tuple[str, ...] = ()
    best: str | None = None
    marks: tuple[Real, ...] = ()
    kinds: tuple[str, ...] = ()
    levels: tuple[Real, ...] = ()
    measure: Axis | None = None
    less_is_better: bool = False
    note: str | None = None
    twin: tuple[Column, ...] = Field(
        default=(), description="Its numbers as a table, where they are not those of its series."
    )


class Told(Result):
    """Base of a result that says what it found."""

    headline: str
    notes: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


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
