"""A spreadsheet of several sheets, opened by openpyxl: rows as they come, values only, bounded."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any, cast
from xml.parsers.expat import ParserCreate

from capmodels.formats.chunks import Budget, FileRefused
from capmodels.written_numbers import plainly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

ZIP = b"PK\x03\x04"
# Stands among the columns of a spreadsheet, beside its sheets and heads.
WORKBOOK = "xlsx:workbook"
# Read once to look for formulas, once for heads, and once for what is taken.
UNPACKED_BYTES_MAX = 4 << 30
SECONDS_MAX = 300.0
# Texts that cells share: a million rows of Excel's may each have two of their own.
STRINGS_MAX, STRINGS_CHARS_MAX = 2_000_000, 200_000_000
# The library keeps a row, and a part that is no sheet, as objects: 16 MiB become about a GB.
_ROW_BYTES_MAX = _PART_BYTES_MAX = 16 << 20
_TAGS_MAX = 500_000
ROWS_MAX = 1_000_000
# No spreadsheet has a row below this one (Excel specifications and limits).
_LAST_ROW = 1_048_576
# Heads stand in the first rows of the first sheets.
_SHEETS_READ, _HEAD_ROWS = 5, 60
_BOOK = "xl/workbook.xml"
_STRINGS = re.compile(r"^xl/sharedStrings\.xml$", re.IGNORECASE)
_SHEET = re.compile(r"^xl/worksheets/[^/]+\.xml$")
# A formula (f) that no value (v) follows, as programs write it that do not calculate.
_NO_VALUE = re.compile(rb"(</f>|<f/>)\s*(<v\s*/>|<v>\s*</v>)?\s*</c>")
_PIECE_BYTES, _OVERLAP_BYTES = 1 << 20, 64
# When a written spreadsheet says that it was made: the first day that a zip can name.
_MADE = datetime(1980, 1, 1)  # noqa: DTZ001  # Office's dates have no zone


@dataclass(frozen=True, slots=True)
class Workbook:
    """An opened spreadsheet; its columns are its sheets' names, and their first cells."""

    book: Any
    columns: frozenset[str]

    def rows(self, sheet: str, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each row's number and the cells of the columns that are wanted and there.

        A sheet that is not there has no rows. What a formula last came to is its value.

        Raises
        ------
        FileRefused
            When there are too many rows.
        """
        if sheet not in self.book.sheetnames:
            return
        rows = _values(self.book[sheet])
        head = [str(cell or "").strip() for cell in next(rows, ())]
        places = [(name, head.index(name)) for name in wanted if name in head]
        for number, cells in enumerate(rows, start=2):
            found = {name: cells[at] for name, at in places if at < len(cells)}
            if any(value is not None for value in found.values()):
                yield number, found

    @property
    def sheets(self) -> list[str]:
        """The sheets that are looked at, in their order."""
        return list(self.book.sheetnames[:_SHEETS_READ])

    def write_csv(self, sheet: str, path: Path) -> None:
        """Write a sheet's values as a table of text.

        Raises
        ------
        FileRefused
            When there are too many rows.
        """
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            blank = 0
            for cells in _values(self.book[sheet]):
                if all(cell is None for cell in cells):
                    blank += 1  # kept only where a row follows that holds something
                    continue
                writer.writerows([[""] * len(cells)] * blank)
                blank = 0
                writer.writerow(
                    plainly(cell) if isinstance(cell, float) else "" if cell is None else cell
                    for cell in cells
                )

    def best_rows(
        self, score: Callable[[Sequence[Any]], int], most: int
    ) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield a sheet's rows from its head on: of the first rows, the one that scores highest."""
        tops = [
            (score(cells), -number, sheet)
            for sheet in self.book.sheetnames
            for number, cells in enumerate(_values(self.book[sheet], max_row=most), start=1)
        ]
        _, first, sheet = max(tops, default=(0, 0, ""))
        if sheet:
            rows = _values(self.book[sheet], min_row=-first)
            for number, cells in enumerate(rows, start=-first):
                if any(cell is not None for cell in cells):
                    yield number, cells


def _values(sheet: Any, **bounds: int) -> Iterator[Sequence[Any]]:
    """Rows of a sheet as values; FileRefused where they cannot be read, or too many hold something.

    A format alone, down to the last row that there can be, makes no row.
    """
    held = 0
    try:
        for number, cells in enumerate(sheet.iter_rows(values_only=True, **bounds), start=1):
            held += any(cell is not None for cell in cells)
            if held > ROWS_MAX or number > _LAST_ROW:
                message = f"The sheet {sheet.title} has more than {ROWS_MAX:,} rows."
                raise FileRefused(message)  # noqa: TRY301  # as the damage below it is told
            yield cells
    except FileRefused:
        raise
    except Exception as exc:  # as for the other parts: whatever the damage made of it
        raise FileRefused("The spreadsheet is damaged.") from exc


class _Bounded(zipfile.ZipFile):
    """An archive whose parts are read within one budget, piece by piece, whoever reads them."""

    def __init__(self, file: IO[bytes], budget: Budget) -> None:
        super().__init__(file)
        self.budget = budget

    def open(self, name: str | zipfile.ZipInfo, *rest: Any, **named: Any) -> IO[bytes]:
        """Open a part."""
        known = name if isinstance(name, str) else name.filename
        return cast("IO[bytes]", _Part(super().open(name, *rest, **named), known, self.budget))


class _Part(io.BufferedIOBase):
    """A part of a workbook, within the budget; a row of a sheet has to end."""

    def __init__(self, part: IO[bytes], name: str, budget: Budget) -> None:
        super().__init__()
        self._part, self._budget = part, budget
        self._rows = _SHEET.match(name) is not None
        self._whole = not self._rows and not _STRINGS.match(name)
        self._open_bytes = self._tags_count = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Read on."""
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(_PIECE_BYTES), b""))
        piece = self._part.read(size)
        self._budget.spend(len(piece))
        self._open_bytes += len(piece)
        if self._rows and (end := piece.rfind(b"row>")) >= 0:
            self._open_bytes = len(piece) - end
        if self._open_bytes > _ROW_BYTES_MAX and (self._rows or self._whole):
            raise FileRefused("A row of the spreadsheet, or what describes it, is too large.")
        if self._whole:
            self._tags_count += piece.count(b"<")
            if self._tags_count > _TAGS_MAX:
                raise FileRefused("The spreadsheet has more styles and names than may be imported.")
        return piece

    def close(self) -> None:
        """Close the part."""
        self._part.close()
        super().close()


def _shared_strings(part: IO[bytes]) -> list[str]:
    """Texts that cells name by number: runs of each put together, without how they are spoken.

    Raises
    ------
    FileRefused
        When there are too many, or they are too long.
    """
    found: list[str] = []
    state: dict[str, Any] = {"chars": 0, "text": [], "in_text": False, "spoken": False}
    parser = ParserCreate(namespace_separator=" ")

    def start(name: str, _attributes: Mapping[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        state["spoken"] = state["spoken"] or tag == "rPh"
        state["in_text"] = tag == "t" and not state["spoken"]

    def end(name: str) -> None:
        tag = name.rpartition(" ")[2]
        state["in_text"] = False
        if tag == "rPh":
            state["spoken"] = False
        elif tag == "si":
            found.append("".join(state["text"]).replace("x005F_", ""))
            state["text"] = []
            if len(found) > STRINGS_MAX:
                raise FileRefused(f"The spreadsheet has more than {STRINGS_MAX:,} texts.")

    def text(data: str) -> None:
        if state["in_text"]:
            state["text"].append(data)
            state["chars"] += len(data)
            if state["chars"] > STRINGS_CHARS_MAX:
                raise FileRefused("The texts of the spreadsheet are longer than may be imported.")

    def refused(*_about: Any) -> None:
        raise FileRefused("The spreadsheet is damaged.")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text, refused
    while piece := part.read(1 << 16):
        parser.Parse(piece)
    parser.Parse(b"", True)
    return found


def _loaded(file: IO[bytes], budget: Budget) -> Any:
    """The workbook as the library has it, all of its parts read within the budget."""
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.xml.constants import SHARED_STRINGS

    class Reader(ExcelReader):  # type: ignore[misc]  # the library has no types
        def read_strings(self) -> None:
            named = self.package.find(SHARED_STRINGS)
            if named is not None:
                with self.archive.open(named.PartName[1:]) as part:
                    self.shared_strings = _shared_strings(part)

    reader = Reader(file, read_only=True, data_only=True)
    reader.archive = _Bounded(file, budget)
    reader.read()
    return reader.wb


def is_workbook(path: Path) -> bool:
    """Whether a file that begins as a zip is a document of Office's, or too damaged to say."""
    with path.open("rb") as file:
        if not file.read(len(ZIP)).startswith(ZIP):
            return False
    try:
        with zipfile.ZipFile(path) as archive:
            return bool({_BOOK, "[Content_Types].xml"} & set(archive.namelist()))
    except zipfile.BadZipFile:
        return True


def _refuse_formulas(path: Path, names: Sequence[str], budget: Budget) -> None:
    """Refuse a formula whose value is not in the file: its cell would be read as blank."""
    with path.open("rb") as file, _Bounded(file, budget) as archive:
        for name in names:
            if not _SHEET.match(name):
                continue
            before = b""
            with archive.open(name) as part:
                while piece := part.read(_PIECE_BYTES):
                    if _NO_VALUE.search(before + piece):
                        raise FileRefused(
                            "A formula in the spreadsheet has no value. Open it in a spreadsheet "
                            "program and save it, or export it as CSV."
                        )
                    before = piece[-_OVERLAP_BYTES:]


def open_workbook(path: Path) -> Workbook:
    """Open a spreadsheet of the Office Open XML format (.xlsx).

    Raises
    ------
    FileRefused
        When it is no spreadsheet, damaged, has macros, or unpacks to too much: bytes, texts or
        seconds, measured while it is read, whatever its parts say of themselves.
    """
    budget = Budget(UNPACKED_BYTES_MAX, SECONDS_MAX)
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except zipfile.BadZipFile as exc:
        raise FileRefused("The spreadsheet is damaged.") from exc
    names = {part.filename for part in parts}
    if _BOOK not in names:
        raise FileRefused("This is an archive, but no spreadsheet (.xlsx).")
    if any(name.endswith("vbaProject.bin") for name in names):
        raise FileRefused("The spreadsheet has macros. Save it as .xlsx without them.")
    try:
        _refuse_formulas(path, [part.filename for part in parts], budget)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as exc:
        raise FileRefused("The spreadsheet is damaged.") from exc
    try:
        # from memory: the library would keep the file open until it is collected
        book = _loaded(io.BytesIO(path.read_bytes()), budget)
    except FileRefused:
        raise
    except Exception as exc:  # the library raises whatever the damage made of the parts
        raise FileRefused("The spreadsheet is damaged.") from exc
    heads = {
        str(cell).strip()[:200]
        for sheet in book.sheetnames[:_SHEETS_READ]
        for row in _values(book[sheet], max_row=_HEAD_ROWS)
        for cell in row
        if isinstance(cell, str)
    }
    return Workbook(book, frozenset(book.sheetnames) | heads | {WORKBOOK})


def written(sheets: Mapping[str, Iterable[Sequence[Any]]]) -> bytes:
    """Write a spreadsheet of the rows of each sheet: the same bytes at whatever time."""
    from openpyxl import Workbook as Written
    from openpyxl.writer.excel import ExcelWriter

    book = Written()
    book.remove(book.worksheets[0])
    book.properties.created = book.properties.modified = _MADE
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    # the library gives each part the time of day
    dated, whole = io.BytesIO(), io.BytesIO()
    ExcelWriter(book, zipfile.ZipFile(dated, "w")).save()
    with zipfile.ZipFile(dated) as parts, zipfile.ZipFile(whole, "w") as archive:
        for name in parts.namelist():
            archive.writestr(zipfile.ZipInfo(name), parts.read(name), zipfile.ZIP_DEFLATED)
    return whole.getvalue()
