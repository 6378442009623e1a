"""Spreadsheets are read within budgets of bytes, texts, rows and seconds."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from typing import TYPE_CHECKING

import pytest
from openpyxl.reader.strings import read_string_table

from capmodels.formats import chunks
from capmodels.formats.chunks import Budget, FileRefused
from capmodels.imports import packed, workbook
from capmodels.imports.workbook import open_workbook, written
from capmodels.tests.imports.test_packed import zipped

if TYPE_CHECKING:
    from pathlib import Path

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STRINGS, _SHEET, _STYLES = "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"
_ROW = b"<row><c t='s'><v>0</v></c></row>"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def book(path: Path, **parts: bytes) -> Path:
    """A spreadsheet of one cell, with other parts than a program would write."""
    whole, other = io.BytesIO(written({"S": [["a"]]})), io.BytesIO()
    changed = {_SHEET: sheet(_ROW), _STRINGS: strings(b"<si><t>a</t></si>")}
    named = {"strings": _STRINGS, "sheet": _SHEET, "styles": _STYLES}
    changed |= {named[name]: data for name, data in parts.items()}
    listed = f'<Override PartName="/{_STRINGS}" ContentType="{_TYPE}.sharedStrings+xml"/></Types>'
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as new:
        for name in {*old.namelist(), *changed}:
            data = changed.get(name) or old.read(name)
            if name == "[Content_Types].xml" and _STRINGS.encode() not in data:
                data = data.replace(b"</Types>", listed.encode())
            new.writestr(name, data)
    file = path / "book.xlsx"
    file.write_bytes(other.getvalue())
    return file


def strings(*texts: bytes) -> bytes:
    return f'<sst xmlns="{_MAIN}">'.encode() + b"".join(texts) + b"</sst>"


def sheet(rows: bytes) -> bytes:
    return f'<worksheet xmlns="{_MAIN}"><sheetData>'.encode() + rows + b"</sheetData></worksheet>"


def rows_of(file: Path) -> list[tuple[object, ...]]:
    return [tuple(cells) for _, cells in open_workbook(file).best_rows(lambda _cells: 1, 5)]


@pytest.mark.parametrize("seed", range(5))
def test_shared_texts_are_those_that_the_library_reads(seed: int) -> None:
    draw = random.Random(seed)
    pieces = ["", "a", " b ", "\N{GREEK SMALL LETTER OMEGA}&amp;", "x005F_1", "<![CDATA[<t>]]>"]

    def text() -> str:
        kind, one = draw.randrange(4), draw.choice(pieces)
        if kind == 0:
            return f"<si><t xml:space='preserve'>{one}</t></si>"
        if kind == 1:
            return f"<si><r><rPr><b/></rPr><t>{one}</t></r><r><t>{draw.choice(pieces)}</t></r></si>"
        if kind == 2:
            return f"<si><t>{one}</t><rPh sb='0' eb='1'><t>spoken</t></rPh></si>"
        return "<si/>"

    data = strings(*(text().encode() for _ in range(60)))
    assert workbook._shared_strings(io.BytesIO(data)) == read_string_table(io.BytesIO(data))


def test_small_files_of_many_texts_are_refused_while_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = book(tmp_path, strings=strings(b"<si/>" * 3_000))
    assert rows_of(many) == [("",)]
    monkeypatch.setattr(workbook, "STRINGS_MAX", 2_999)
    with pytest.raises(FileRefused, match="more than 2,999 texts"):
        open_workbook(many)
    long = book(tmp_path, strings=strings(b"<si><t>" + b"x" * 3_000 + b"</t></si>"))
    monkeypatch.setattr(workbook, "STRINGS_CHARS_MAX", 2_999)
    with pytest.raises(FileRefused, match="are longer than"):
        open_workbook(long)


def test_entities_of_texts_are_refused(tmp_path: Path) -> None:
    bomb = b'<!DOCTYPE sst [<!ENTITY a "aaaa">]>' + strings(b"<si><t>&a;</t></si>")
    with pytest.raises(FileRefused, match="damaged"):
        open_workbook(book(tmp_path, strings=bomb))


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"sheet": sheet(b"<row>" + b"<c/>" * (5 << 20) + b"</row>")}, "too large"),
        ({"styles": b"<styleSheet>" + b"<a/>" * 600_000 + b"</styleSheet>"}, "more styles"),
        ({"sheet": sheet(b"<row r='9999999999'><c><v>1</v></c></row>")}, "more than 1,000,000"),
        ({"sheet": sheet(b"<row><c t='s'><v>1000</v></c></row>")}, "damaged"),
        ({"sheet": sheet(b"<row><c t='n'><v>1e</v></c></row>")}, "damaged"),
        ({"sheet": sheet(b"<row><c t='s'><v>" + b"9" * 5000 + b"</v></c></row>")}, "damaged"),
    ],
)
def test_what_the_library_would_keep_whole_is_bounded(
    tmp_path: Path, parts: dict[str, bytes], says: str
) -> None:
    with pytest.raises(FileRefused, match=says):
        rows_of(book(tmp_path, **parts))


def test_bytes_and_seconds_are_measured_while_sheets_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = book(tmp_path, sheet=sheet(_ROW * 20_000))
    assert len(rows_of(file)) == 20_000
    for name, most, says in (
        ("UNPACKED_BYTES_MAX", 1_000_000, "unpacks to more"),
        ("SECONDS_MAX", -1.0, "takes longer"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(workbook, name, most)
            with pytest.raises(FileRefused, match=says):
                rows_of(file)


def test_a_budget_ends_with_its_bytes_or_its_time() -> None:
    now = [0.0]
    budget = Budget(100, 10.0, lambda: now[0])
    budget.spend(60)
    now[0] = 10.0
    budget.spend(40)
    with pytest.raises(FileRefused, match="unpacks"):
        budget.spend(1)
    late = Budget(100, 10.0, lambda: now[0])
    now[0] = 20.1
    with pytest.raises(FileRefused, match="10 s"):
        late.spend(1)


def test_files_packed_within_an_archive_share_its_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = b"a,b\n" + b"1,2\n" * 20_000
    file = tmp_path / "file"
    file.write_bytes(zipped({f"{at}.csv.gz": gzip.compress(row) for at in range(4)}))
    assert packed.unpacked(file).stat().st_size > 3 * len(row)
    monkeypatch.setattr(chunks, "UNPACKED_BYTES_MAX", 2 * len(row))
    with pytest.raises(FileRefused, match="unpacks to more"):
        packed.unpacked(file)
    monkeypatch.undo()
    monkeypatch.setattr(packed, "SECONDS_MAX", -1.0)
    with pytest.raises(FileRefused, match="takes longer"):
        packed.unpacked(file)
