"""Rows of a sweep as a table: written as Parquet, told by column, and binned for a screen.

DuckDB reads and writes it; nothing of it is loaded before a sweep is asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from capmodels.errors import Fault, ParamsError
from capmodels.plans.sweep.runs import FAULT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb
    import numpy as np
    from numpy.typing import NDArray

# What a screen shows: so many points, and so many bins each way.
POINTS_MOST = 2_000
_BINS = 40
_MEMORY = "256MB"
ROW = "row"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sweep's rows: numbers, words, or yes and no."""

    name: str
    holds: str
    low: float | None
    high: float | None


class Rows:
    """The rows of a sweep, done so far or all of them."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Take a connection that has them as ``rows``."""
        self._con = con
        told = con.execute("DESCRIBE rows").fetchall()
        self.kinds = {name: _kind(kind) for name, kind, *_ in told}

    @classmethod
    def of_pieces(cls, pieces: Iterable[bytes]) -> Rows:
        """Read the results of chunks."""
        con = _connected()
        columns = _joined(pieces)
        con.register("given", {name: values for name, (values, _) in columns.items()})
        chosen = ", ".join(
            f"{_converted(kind).format(_quoted(name))} AS {_quoted(name)}"
            for name, (_, kind) in columns.items()
        )
        con.execute(f"CREATE TABLE rows AS SELECT {chosen} FROM given")
        con.unregister("given")
        return cls(con)

    @classmethod
    def of_file(cls, path: Path) -> Rows:
        """Read a table that was written."""
        con = _connected()
        con.execute("CREATE VIEW rows AS SELECT * FROM read_parquet(?)".replace("?", _text(path)))
        return cls(con)

    def write(self, path: Path) -> None:
        """Write them as Parquet, in their order."""
        self._con.execute(
            f"COPY (SELECT * FROM rows ORDER BY {ROW}) TO {_text(path)} "
            "(FORMAT parquet, COMPRESSION zstd)"
        )

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self._one("SELECT count(*) FROM rows"))

    @property
    def faults_count(self) -> int:
        """How many have no answer."""
        return int(self._one(f"SELECT count({FAULT}) FROM rows"))

    def columns(self) -> list[Column]:
        """Each column with its ends, where it has numbers."""
        found = []
        for name, kind in self.kinds.items():
            if name in {ROW, FAULT}:
                continue
            low = high = None
            if kind == "number":
                quoted = _quoted(name)
                low, high = self._row(f"SELECT min({quoted}), max({quoted}) FROM rows")
            found.append(Column(name, kind, low, high))
        return found

    def shares(self, name: str) -> list[tuple[str, float]]:
        """Words of a column with their shares of the rows that have one, most frequent first."""
        quoted = _quoted(self._known(name))
        rows = self._con.execute(
            f"SELECT {quoted}, count(*) FROM rows WHERE {quoted} IS NOT NULL "
            "GROUP BY 1 ORDER BY 2 DESC, 1"
        ).fetchall()
        total = sum(count for _, count in rows)
        return [(str(value), count / total) for value, count in rows]

    def binned(self, x: str, y: str, of: str) -> dict[str, Any]:
        """Bin the rows by two columns, and take a sample of them.

        Parameters
        ----------
        x, y : str
            Columns; one with few values has a bin for each of them.
        of : str
            Column whose mean stands in each bin, or the word that is there most.

        Returns
        -------
        dict
            ``x_name`` and ``y_name``; ``x`` and ``y`` with the values of their bins; ``cells`` as
            place in x, place in y, how many rows, and the figure; ``points`` as x, y and figure, at
            most 2,000.

        Raises
        ------
        ParamsError
            When there is no such column.
        """
        axes = [self._binning(name, at) for name, at in ((x, "/x"), (y, "/y"))]
        figure = _quoted(self._known(of, "/of"))
        told = (
            f"avg({figure})" if self.kinds[of] == "number" else f"mode(CAST({figure} AS VARCHAR))"
        )
        places = ", ".join(place for _, place in axes)
        there = f"{_quoted(x)} IS NOT NULL AND {_quoted(y)} IS NOT NULL"
        cells = self._con.execute(
            f"SELECT {places}, count(*), {told} FROM rows WHERE {there} GROUP BY 1, 2 ORDER BY 1, 2"
        ).fetchall()
        step = max(1, math.ceil(self.count / POINTS_MOST))
        points = self._con.execute(
            f"SELECT {_quoted(x)}, {_quoted(y)}, {figure} FROM rows "
            f"WHERE {ROW} % {step} = 0 ORDER BY {ROW} LIMIT {POINTS_MOST}"
        ).fetchall()
        return {
            "x_name": x,
            "y_name": y,
            "x": axes[0][0],
            "y": axes[1][0],
            "cells": [list(cell) for cell in cells],
            "points": [list(point) for point in points],
            "rows_count": self.count,
        }

    def _binning(self, name: str, at: str) -> tuple[list[Any], str]:
        """The values of a column's bins, and the place of a row among them in SQL."""
        quoted = _quoted(self._known(name, at))
        values = [
            value
            for (value,) in self._con.execute(
                f"SELECT DISTINCT {quoted} FROM rows WHERE {quoted} IS NOT NULL ORDER BY 1 "
                f"LIMIT {_BINS + 1}"
            ).fetchall()
        ]
        if len(values) <= _BINS or self.kinds[name] != "number":
            values = values[:_BINS]
            listed = ", ".join(_literal(value) for value in values)
            return values, f"list_position([{listed}], {quoted}) - 1"
        low, high = self._row(f"SELECT min({quoted}), max({quoted}) FROM rows")
        width = (high - low) / _BINS
        middles = [low + (place + 0.5) * width for place in range(_BINS)]
        place = f"least({_BINS - 1}, CAST(floor(({quoted} - {low!r}) / {width!r}) AS INTEGER))"
        return middles, place

    def _known(self, name: str, at: str = "/of") -> str:
        if name not in self.kinds or name in {ROW, FAULT}:
            raise ParamsError([Fault(at, "not_a_choice", f"The rows have no {name!r}.")])
        return name

    def _row(self, text: str) -> tuple[Any, ...]:
        row = self._con.execute(text).fetchone()
        assert row is not None
        return row

    def _one(self, text: str) -> Any:
        return self._row(text)[0]


def _connected() -> duckdb.DuckDBPyConnection:
    import duckdb

    con = duckdb.connect()
    con.execute(f"SET threads = 1; SET memory_limit = '{_MEMORY}'")
    return con


def _joined(pieces: Iterable[bytes]) -> dict[str, tuple[NDArray[Any], str]]:
    """Columns of all pieces with their kinds; what a piece does not have is empty in its rows."""
    import numpy as np

    read: list[tuple[int, dict[str, tuple[NDArray[Any], str]]]] = []
    for piece in pieces:
        columns = orjson.loads(piece)
        count = len(columns[FAULT])
        read.append((count, {name: _array(values) for name, values in columns.items()}))
    names = list(dict.fromkeys(name for _, columns in read for name in columns))
    found: dict[str, tuple[NDArray[Any], str]] = {}
    for name in names:
        kinds = {columns[name][1] for _, columns in read if name in columns} - {"empty"}
        kind = kinds.pop() if len(kinds) == 1 else "number" if not kinds else "text"
        if name == FAULT:
            kind = "text"
        parts = [_of_kind(columns.get(name), kind, count) for count, columns in read]
        found[name] = (np.concatenate(parts) if parts else np.zeros(0), kind)
    total = sum(count for count, _ in read)
    return {ROW: (np.arange(total), "whole"), **found}


def _array(values: list[Any]) -> tuple[NDArray[Any], str]:
    import numpy as np

    types = set(map(type, values)) - {type(None)}
    if not types:
        return np.full(len(values), np.nan), "empty"
    if types == {bool} or types <= {int, float}:
        # NumPy makes NaN of None.
        return np.array(values, dtype=np.float64), "flag" if types == {bool} else "number"
    found = np.empty(len(values), dtype=object)
    found[:] = [None if value is None else str(value) for value in values]
    return found, "text"


def _of_kind(
    held: tuple[NDArray[Any], str] | None, kind: str, count: int
) -> NDArray[Any] | np.ndarray[Any, Any]:
    import numpy as np

    if kind != "text":
        return np.full(count, np.nan) if held is None else held[0]
    if held is not None and held[1] == "text":
        return held[0]
    found = np.empty(count, dtype=object)
    if held is not None and held[1] != "empty":
        found[:] = [None if value is None else str(value) for value in held[0].tolist()]
    return found


def _converted(kind: str) -> str:
    """SQL that makes a column of what NumPy holds of it."""
    return {
        "number": "CASE WHEN isnan({0}) THEN NULL ELSE {0} END",
        "flag": "CASE WHEN isnan({0}) THEN NULL ELSE {0} <> 0 END",
        "text": "CAST({0} AS VARCHAR)",
        "whole": "CAST({0} AS INTEGER)",
    }[kind]


def _kind(sql: str) -> str:
    return {"DOUBLE": "number", "BOOLEAN": "flag", "INTEGER": "whole"}.get(sql, "text")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _literal(value: Any) -> str:
    return _text(value) if isinstance(value, str) else repr(value)
