"""A spreadsheet of several sheets, opened by openpyxl: rows as they come, values only, bounded."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

ZIP = b"PK\x03\x04"
# Stands among the columns of a spreadsheet, beside its sheets and heads.
WORKBOOK = "xlsx:workbook"
UNPACKED_BYTES_MAX = 2 << 30
ROWS_MAX = 1_000_000
# Heads stand in the first rows of the first sheets.
_SHEETS_READ, _HEAD_ROWS = 5, 60
_BOOK = "xl/workbook.xml"
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
        rows = self.book[sheet].iter_rows(values_only=True)
        head = [str(cell or "").strip() for cell in next(rows, ())]
        places = [(name, head.index(name)) for name in wanted if name in head]
        for number, cells in enumerate(rows, start=2):
            if number > ROWS_MAX:
                raise FileRefused(f"The sheet {sheet} has more than {ROWS_MAX:,} rows.")
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
            for number, cells in enumerate(self.book[sheet].iter_rows(values_only=True), start=1):
                if number > ROWS_MAX:
                    raise FileRefused(f"The sheet {sheet} has more than {ROWS_MAX:,} rows.")
                writer.writerow(["" if cell is None else cell for cell in cells])

    def best_rows(
        self, score: Callable[[Sequence[Any]], int], most: int
    ) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield a sheet's rows from its head on: of the first rows, the one that scores highest."""
        tops = [
            (score(cells), -number, sheet)
            for sheet in self.book.sheetnames
            for number, cells in enumerate(_top(self.book[sheet], most), start=1)
        ]
        _, first, sheet = max(tops, default=(0, 0, ""))
        if sheet:
            rows = self.book[sheet].iter_rows(min_row=-first, values_only=True)
            yield from enumerate(rows, start=-first)


def _top(sheet: Any, most: int) -> Iterator[Sequence[Any]]:
    yield from sheet.iter_rows(max_row=most, values_only=True)


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


def _refuse_formulas(path: Path, names: Sequence[str]) -> None:
    """Refuse a formula whose value is not in the file: its cell would be read as blank."""
    with zipfile.ZipFile(path) as archive:
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
        When it is no spreadsheet, damaged, has macros, or unpacks to too much.
    """
    from openpyxl import load_workbook

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
    if sum(part.file_size for part in parts) > UNPACKED_BYTES_MAX:
        raise FileRefused("The spreadsheet unpacks to more than may be imported.")
    try:
        _refuse_formulas(path, [part.filename for part in parts])
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as exc:
        raise FileRefused("The spreadsheet is damaged.") from exc
    try:
        # from memory: the library would keep the file open until it is collected
        book = load_workbook(io.BytesIO(path.read_bytes()), read_only=True, data_only=True)
    except Exception as exc:  # the library raises whatever the damage made of the parts
        raise FileRefused("The spreadsheet is damaged.") from exc
    heads = {
        str(cell).strip()[:200]
        for sheet in book.sheetnames[:_SHEETS_READ]
        for row in _top(book[sheet], _HEAD_ROWS)
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
