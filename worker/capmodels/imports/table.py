"""A file of rows, CSV or Parquet, opened by DuckDB: bounded, and nothing else is in its reach.

Source: DuckDB, "Securing DuckDB" and "Configuration" (documentation of version 2.0).
"""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

PARQUET = b"PAR1"
MEMORY = "600MB"
SPILL = "8GB"
THREADS = 2
# A line longer than this is no row of a table.
LINE_BYTES_MAX = 4 << 20
_HEAD_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20
_PYTHON_CODECS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "latin-1": "latin-1"}
# The column of the rows' numbers: of a CSV the head is row 1, as a spreadsheet counts.
ROW = "ampacity_file_row"


@dataclass(frozen=True, slots=True)
class Table:
    """An opened file: its columns as they are spelled, and the SQL that reads it.

    ``numbered`` is SQL that reads it with the number of each row, as the column ``ROW``.
    """

    connection: DuckDBPyConnection
    types: dict[str, str]
    source: str
    is_text: bool
    numbered: str = ""

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns, as the file spells them."""
        return frozenset(self.types)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return all rows of a query on ``self.source``.

        Raises
        ------
        FileRefused
            When the file is damaged, or larger than may be read.
        """
        import duckdb

        try:
            return self.connection.execute(sql).fetchall()
        except duckdb.OutOfMemoryException as exc:
            message = (
                "The file has more distinct charges than can be read at once. Cut it by month."
            )
            raise FileRefused(message) from exc
        except duckdb.Error as exc:
            raise FileRefused(_sentence(exc)) from exc

    def rejected(self, most: int) -> tuple[list[tuple[int, str]], int]:
        """Return lines that are no rows, with the reason, and how many there are in all.

        To be asked once the file has been read: they are left out of every query.
        """
        if not self.is_text:
            return [], 0
        found = self.rows(
            "SELECT line, MIN(error_message) FROM reject_errors GROUP BY line ORDER BY line"
        )
        return [(line, said.splitlines()[0]) for line, said in found[:most]], len(found)


def open_table(path: Path) -> Table:
    """Open a plain (unpacked) CSV or Parquet file.

    Raises
    ------
    FileRefused
        When it is neither, or damaged.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if head.startswith(PARQUET):
        quoted = _quoted(str(path))
        numbered = (
            f"(SELECT *, file_row_number + 1 AS {ROW} "
            f"FROM read_parquet({quoted}, file_row_number=true))"
        )
        return _opened(path, f"read_parquet({quoted})", numbered, is_text=False)
    source = _csv_source(path, head)
    numbered = f"(SELECT *, row_number() OVER () + 1 AS {ROW} FROM {source})"
    return _opened(path, source, numbered, is_text=True)


def identifier(name: str) -> str:
    """A column's name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _csv_source(path: Path, head: bytes) -> str:
    if not head.strip():
        raise FileRefused("The file is empty.")
    encoding = _encoding(path, head)
    text = head.decode(_PYTHON_CODECS[encoding], "replace")
    first = text.splitlines()[0]
    delimiter = max(",;\t|", key=first.count)
    columns = next(csv.reader(io.StringIO(first), delimiter=delimiter))
    names = [column.strip() for column in columns]
    if len(names) < 2:
        raise FileRefused("The first line names no columns, so this is not a table.")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise FileRefused(f"The column {min(twice)!r} stands twice in the first line.")
    types = ", ".join(
        f"{_quoted(name or f'column{place}')}: 'VARCHAR'" for place, name in enumerate(names)
    )
    return (
        f"read_csv({_quoted(str(path))}, auto_detect=false, header=true, "
        f"delim={_quoted(delimiter)}, "
        f"quote='\"', escape='\"', columns={{{types}}}, nullstr=['', 'NULL', 'null'], "
        f"max_line_size={LINE_BYTES_MAX}, store_rejects=true, encoding='{encoding}')"
    )


def _encoding(path: Path, head: bytes) -> str:
    """How the text of a file is written: UTF-8, UTF-16 by its mark, else Latin-1.

    Raises
    ------
    FileRefused
        When it is no text.
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        raise FileRefused("This is neither text nor Parquet. Export the bill as CSV or Parquet.")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE_BYTES):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _opened(path: Path, source: str, numbered: str, *, is_text: bool) -> Table:
    import duckdb

    connection = duckdb.connect()
    connection.execute(
        f"SET threads={THREADS}; SET memory_limit='{MEMORY}'; "
        f"SET max_temp_directory_size='{SPILL}'; "
        f"SET temp_directory={_quoted(str(path.parent / 'spill'))}; "
        "SET preserve_insertion_order=false; SET enable_progress_bar=false; "
        "SET autoinstall_known_extensions=false; SET autoload_known_extensions=false; "
        f"SET allowed_paths=[{_quoted(str(path))}]; "
        f"SET allowed_directories=[{_quoted(str(path.parent / 'spill'))}]; "
        "SET enable_external_access=false; SET lock_configuration=true"
    )
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
    except duckdb.Error as exc:
        raise FileRefused(_sentence(exc)) from exc
    return Table(connection, {row[0]: row[1] for row in described}, source, is_text, numbered)


def _sentence(error: Exception) -> str:
    """What a library says of a damaged file, in its first line and without its advice."""
    first = str(error).strip().splitlines()[0] if str(error).strip() else ""
    _, _, said = first.partition(": ")
    return f"The file cannot be read: {(said or first or 'it is damaged').rstrip('.')}."
