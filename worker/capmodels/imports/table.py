"""A file of rows, CSV or Parquet, opened by DuckDB: bounded, and nothing else is in its reach.

Source: DuckDB, "Securing DuckDB" and "Configuration" (documentation of version 2.0).
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from capmodels.errors import EMPTY_FILE
from capmodels.formats.chunks import PARQUET, FileRefused, called
from capmodels.written_numbers import Mark, conventions_of, either, how_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

Dates = Literal["day_first", "month_first"]
MEMORY = "600MB"
SPILL = "8GB"
THREADS = 2
# A line longer than this is no row of a table.
LINE_BYTES_MAX = 4 << 20
_HEAD_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20
_PYTHON_CODECS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "latin-1": "latin-1"}
# Titles, dates and the like may stand in so many rows above the head of a table.
_ABOVE_MOST = 40
# A first row with fewer cells than this share of the fullest is no head of the others.
_HEAD_SHARE = 0.6
_DELIMITERS = ",;\t|"
# What Excel writes above a table for itself.
_SEP = re.compile(r"^\ufeff?\"?sep=(.)\"?\s*$", re.IGNORECASE)
_NO_TABLE = (
    "The file is no table: no comma, semicolon, tab or bar stands between its cells. Programs that "
    "print for the eye have a way to print tables: sacct --parsable2, lshw -json, "
    "dmidecode | jc --dmidecode."
)
# The column of the rows' numbers: of a CSV whose head is row 1, as a spreadsheet counts.
ROW = "ampacity_file_row"
_TEXT = "VARCHAR"
# Objects within objects are columns so deep.
_OBJECTS_DEPTH = 3
# Spreadsheets leave out the cells of a row that are empty to its end.
_PADDED = "null_padding=TRUE"


@dataclass(frozen=True, slots=True)
class Table:
    """An opened file: its columns as they are spelled, and the SQL that reads it.

    ``numbered`` is SQL that reads it with the number of each row, as the column ``ROW``;
    ``first_row`` is the number of the row after the head; ``dates`` which number of a date is its
    day and ``mark`` which sign stands before decimals, where whoever sent the file has said so;
    ``notes`` what is to be told of how it was read.
    """

    connection: DuckDBPyConnection
    types: dict[str, str]
    source: str
    is_text: bool
    numbered: str = ""
    first_row: int = 2
    dates: Dates | None = None
    mark: Mark | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns, as the file spells them."""
        return frozenset(self.types)

    def texts(self, names: Iterable[str]) -> list[str]:
        """Those of some columns whose cells are text, so that a number may be written anyhow."""
        return [name for name in names if self.types.get(name) == _TEXT]

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
            if _PADDED in sql and "null_padding" in str(exc):
                # a cell goes on over several lines: one thread knows where its row ends
                return self.rows(sql.replace(_PADDED, f"{_PADDED.lower()}, parallel=false"))
            raise FileRefused(_sentence(exc)) from exc

    def marks(self, columns: Mapping[str, Iterable[str]]) -> dict[str, Mark]:
        """Return the sign before decimals of each column, given its cells.

        A column decides, else the others of the file, else whoever sent it; which is noted.

        Raises
        ------
        FileRefused
            When nothing decides, and it makes a difference.
        """
        # a number of Parquet is as the database writes it
        texts = {n: cells for n, cells in columns.items() if self.types.get(n, _TEXT) == _TEXT}
        told = conventions_of(texts)
        for name, one in told.items():
            if one.is_open and self.mark is None:
                message = (
                    f"{either(name, one)}. Say which (Numbers in files; by the API, numbers) and "
                    "import it again."
                )
                raise FileRefused(message)
        self.notes.extend(how_read(told, self.mark))
        marks: dict[str, Mark] = {name: one.mark or self.mark or "." for name, one in told.items()}
        return {name: marks.get(name, ".") for name in columns}

    def wanted_rows(self, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each row's number and the cells of the columns that are wanted and there."""
        names = [name for name in wanted if name in self.columns]
        if not names:
            return
        found = self.rows(f"SELECT {', '.join(map(identifier, names))} FROM {self.source}")
        for number, cells in enumerate(found, start=self.first_row):
            yield number, dict(zip(names, cells, strict=True))

    def text_rows(self, names: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
        """Return each row's number and its cells of some columns as text; blank rows are none."""
        cells = ", ".join(
            f"TRIM(COALESCE(CAST({identifier(name)} AS VARCHAR), ''))" for name in names
        )
        found = self.rows(f"SELECT {cells} FROM {self.source}")
        return [row for row in enumerate(found, start=self.first_row) if any(row[1])]

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


@dataclass(frozen=True, slots=True)
class Sheets:
    """Sheets in a file each, by the names of the sheets, which are the columns."""

    paths: dict[str, Path]
    mark: Mark | None = None

    @property
    def columns(self) -> frozenset[str]:
        """Names of the sheets."""
        return frozenset(self.paths)

    def rows(self, sheet: str, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each row's number and the cells of the columns that are wanted and there.

        A sheet that is not there has no rows.
        """
        if sheet in self.paths:
            yield from self.table(sheet).wanted_rows(wanted)

    def table(self, sheet: str) -> Table:
        """The table of a sheet that is there."""
        return open_table(self.paths[sheet], mark=self.mark)


def open_sheets(folder: Path, mark: Mark | None = None) -> Sheets:
    """Know the sheets in a folder; ``mark`` is as for `open_table`."""
    return Sheets({path.name: path for path in folder.iterdir()}, mark)


def open_table(path: Path, dates: Dates | None = None, mark: Mark | None = None) -> Table:
    """Open a plain (unpacked) CSV or Parquet file.

    ``dates`` says which number of its dates is the day, ``mark`` which sign stands before decimals,
    where the file leaves that open.

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
    source, above = _csv_source(path, head)
    first_row = above + 2
    numbered = f"(SELECT *, row_number() OVER () + {first_row - 1} AS {ROW} FROM {source})"
    opened = _opened(path, source, numbered, is_text=True)
    return replace(opened, first_row=first_row, dates=dates, mark=mark)


def names_of_objects(head: bytes) -> frozenset[str]:
    """Columns of a file of JSON objects, one after another or in a list, by the first of them."""
    start = head.decode("utf-8-sig", "replace").lstrip().removeprefix("[").lstrip()
    try:
        first, _ = json.JSONDecoder().raw_decode(start)
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(map(".".join, _names_in(first)))


def open_objects(path: Path) -> Table:
    """Open a file of JSON objects as a table.

    Objects within objects are columns of both names: ``service.description``. Lists are text.

    Raises
    ------
    FileRefused
        When it is damaged.
    """
    objects = f"read_json_objects({_quoted(str(path))}, format='auto')"
    opened = _opened(path, objects, objects, is_text=False)
    # the structure of all objects together: what few of them have is in it
    ((structure,),) = opened.rows(f"SELECT json_group_structure(json) FROM {objects}")
    names = dict.fromkeys(_names_in(json.loads(structure or "{}")))
    select = ", ".join(
        f"json_extract_string(json, {_quoted('$.' + _path(keys))}) AS {identifier('.'.join(keys))}"
        for keys in names
    )
    return replace(
        opened,
        types={".".join(keys): _TEXT for keys in names},
        source=f"(SELECT {select} FROM {objects})",
        numbered=f"(SELECT {select}, row_number() OVER () AS {ROW} FROM {objects})",
        first_row=1,
    )


def _names_in(value: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of an object's values that are no objects themselves."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, dict) and len(above) < _OBJECTS_DEPTH:
            yield from _names_in(inner, (*above, key))
        else:
            yield (*above, key)


def _path(keys: Iterable[str]) -> str:
    return ".".join('"' + key.replace('"', '\\"') + '"' for key in keys)


def identifier(name: str) -> str:
    """A column's name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _csv_source(path: Path, head: bytes) -> tuple[str, int]:
    """SQL that reads a table, and how many lines stand above its head."""
    if not head.strip():
        raise FileRefused(EMPTY_FILE)
    encoding = _encoding(path, head)
    delimiter, above, columns = _head(head.decode(_PYTHON_CODECS[encoding], "replace"))
    names = [" ".join(column.split()) for column in columns]
    if len(names) < 2:
        raise FileRefused(_NO_TABLE)
    twice = {name for name in names if name and names.count(name) > 1}
    if twice:
        raise FileRefused(f"The column {min(twice)!r} stands twice in the first line.")
    types = ", ".join(
        f"{_quoted(name or f'column{place}')}: 'VARCHAR'" for place, name in enumerate(names)
    )
    # Lines that end in two ways are read as they are meant, quotes that are left open as well.
    is_mixed = _is_mixed(path, head)
    source = (
        f"read_csv({_quoted(str(path))}, auto_detect=false, header=true, skip={above}, "
        f"delim={_quoted(delimiter)}, strict_mode={str(not is_mixed).lower()}, "
        f"quote='\"', escape='\"', columns={{{types}}}, nullstr=['', 'NULL', 'null'], "
        f"max_line_size={LINE_BYTES_MAX}, store_rejects=true, {_PADDED}, encoding='{encoding}')"
    )
    return source, above


def _head(text: str) -> tuple[str, int, list[str]]:
    """The delimiter of a table, how many lines stand above its head, and the head's cells.

    A head has about as many cells as the fullest of the rows after it; what stands above, a title
    or a date, has few.
    """
    first = text.splitlines()[0]
    told = _SEP.match(first)
    if told:
        return (told[1], 1, next(csv.reader(text.splitlines()[1:2], delimiter=told[1]), []))
    usual = max(_DELIMITERS, key=first.count)
    tops = _top(text, usual)
    # signs within names ("CPU|Usage, CPU|Cores") part nothing in the rows below
    is_parted = len(tops) == 1 or any(len(cells) > 1 for _, cells in tops[1:])
    if (
        is_parted
        and len(tops[0][1]) > 1
        and _filled(tops[0][1]) >= _HEAD_SHARE * max(_filled(cells) for _, cells in tops)
    ):
        return usual, 0, tops[0][1]
    by_delimiter = {one: _top(text, one) for one in _DELIMITERS}
    best = max(_DELIMITERS, key=lambda one: _alike(cells for _, cells in by_delimiter[one]))
    tops = by_delimiter[best]
    full = max(_filled(cells) for _, cells in tops)
    return next(
        (best, above, cells) for above, cells in tops if _filled(cells) >= _HEAD_SHARE * full
    )


def _top(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """The first rows, each with the number of lines above it."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    found, above = [], 0
    try:
        for cells in reader:
            if any(cells):
                found.append((above, cells))
            above = reader.line_num
            if len(found) == _ABOVE_MOST:
                break
    except csv.Error:
        pass  # a row that goes on beyond what was read of the file
    return found or [(0, [])]


def _filled(cells: list[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


def _alike(rows: Iterable[list[str]]) -> tuple[int, int]:
    """How many rows have the commonest number of cells, of more than one, and that number."""
    counts = Counter(len(cells) for cells in rows if len(cells) > 1)
    return max(((times, width) for width, times in counts.items()), default=(0, 0))


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
        said = called(head) or "neither text nor Parquet"
        raise FileRefused(f"This file is {said}. Export it as CSV or Parquet.")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE_BYTES):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _is_mixed(path: Path, head: bytes) -> bool:
    """Whether some lines end as Windows ends them and others do not, anywhere in a file."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    feeds = returned = 0
    with path.open("rb") as file:
        last = b""
        while piece := file.read(_PIECE_BYTES):
            feeds += piece.count(b"\n")
            returned += piece.count(b"\r\n") + (last == b"\r" and piece.startswith(b"\n"))
            last = piece[-1:]
    return 0 < returned < feeds


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
