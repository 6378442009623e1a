"""What an answer says beside its numbers: tables and figures as data, for screen and print alike.

A table's cells are texts, worded by `capmodels.numbers`. A figure's series are numbers with their
names; what colours they have and how ticks are written is the drawing's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from capmodels.spec import Result, preset
from capmodels.units import Real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


def _if_said(value: Any) -> Any:
    """A field that a document leaves out while it says no more than this."""
    return Field(default=value, exclude_if=lambda given: given == value)


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
    means: tuple[str | None, ...] = preset((), "What each column means.")
    note: str | None = None


class Axis(Result):
    """What an axis counts, and where it is ticked: empty, at round numbers of its unit."""

    title: str
    unit: str
    is_log: bool = False
    ticks: tuple[Real, ...] = _if_said(())
    ticks_said: tuple[str, ...] = _if_said(())


class Series(Result):
    """Values with a name: a colour of bars, a line, or marks of one shape.

    ``at`` is where its values stand on the first axis, ``names`` what their places are called (of
    series without any, those of the first; where some are blank, only the others have a mark),
    ``kinds`` what each of them is, ``low`` and ``high`` how far each may be off. ``role`` is what
    has a look of its own wherever it is drawn: the letter of a design, the state of a drive.
    """

    name: str
    role: str = _if_said("")
    values: tuple[Real | None, ...]
    at: tuple[Real, ...] = ()
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    low: tuple[Real | None, ...] = _if_said(())
    high: tuple[Real | None, ...] = _if_said(())
    style: Literal["line", "steps", "dots"] = _if_said("line")


class Column(Result):
    """A column of a table: numbers in a unit, or names."""

    label: str
    unit: str = ""
    values: tuple[str | Real | None, ...]


class Figure(Result):
    """A chart as data: what it finds, its axes, its series.

    Bars, columns and ranges have a row each (``rows``, with ``row_notes`` at the ends of bars) and
    their values along ``along``; lines, areas that add up and points stand at their series'
    ``at``, along ``across``. Steps are values that hold from one ``at`` to the next, on top of each
    other. Cells are a ``measure``: a series a row, at its level on ``along``. ``kinds`` are what
    points may be, with a mark for each; ``marks`` are places on ``across`` where the finding
    changes, ``best`` the row, series or point that it speaks of. Of figures of one name one is
    shown, chosen by ``of``. ``twin`` are its numbers as a table, where they are not those of its
    series.
    """

    kind: Literal[
        "stacked", "grouped", "columns", "ranges", "lines", "areas", "steps", "points", "cells"
    ]
    name: str
    of: str | None = _if_said(None)
    title: str
    along: Axis
    series: tuple[Series, ...]
    across: Axis | None = None
    rows: tuple[str, ...] = ()
    row_notes: tuple[str, ...] = _if_said(())
    best: str | None = None
    marks: tuple[Real, ...] = ()
    kinds: tuple[str, ...] = ()
    levels: tuple[Real, ...] = ()
    measure: Axis | None = None
    less_is_better: bool = False
    note: str | None = None
    twin: tuple[Column, ...] = _if_said(())


class Told(Result):
    """Base of a result that says what it found."""

    headline: str
    notes: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


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
