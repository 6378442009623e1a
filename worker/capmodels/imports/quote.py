"""A quote or bill of materials, as a spreadsheet or CSV: the lines of a server and its price.

Makers' quotes share no format. The row that names the most columns is the head; what each column
means is found by its words and can be changed. What a line is for is found by the words of its
description; a figure that no line says (cores, power) is left open, never guessed.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import Cells, number_of
from capmodels.imports.preview import Column, table
from capmodels.imports.quote_lines import LABELS, Line, classed, entry_of
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.imports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from capmodels.imports.workbook import Workbook
    from capmodels.spec import JSONDict

MEANINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "description": (
        "Description",
        ("description", "item", "product", "component", "article", "item description", "name",
         "product description", "bezeichnung", "beschreibung", "artikel"),
    ),
    "part": (
        "Part number",
        ("part number", "part", "sku", "product code", "part no", "p n", "item code", "mpn",
         "article number"),
    ),
    "quantity": ("Quantity", ("quantity", "qty", "units", "count", "menge", "anzahl", "pcs")),
    "unit_price": (
        "Price each",
        ("unit price", "price", "net price", "unit net price", "price each", "unit cost",
         "selling price", "your price", "net unit price", "einzelpreis", "preis"),
    ),
    "total": (
        "Price of the line",
        ("total", "extended price", "line total", "amount", "net amount", "ext price", "subtotal",
         "total price", "extended", "extended net price", "gesamt", "gesamtpreis"),
    ),
}  # fmt: skip
LINES_MAX = 2_000
_HEAD_ROWS = 60
_COLUMNS_MAX = 40
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_CODES = re.compile(r"\b(USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|INR)\b")
_SUM = re.compile(
    r"^\W*(sub|grand )?total\b|^\W*(sum|summe|gesamt\w*|zwischensumme)\b", re.IGNORECASE
)


def meant(heads: Iterable[str]) -> dict[str, str]:
    """Return which column has which meaning, by the words of the heads."""
    plain = {_words(head): head for head in reversed(list(heads)) if head}
    found: dict[str, str] = {}
    for meaning, (_, words) in MEANINGS.items():
        name = next((plain[word] for word in words if word in plain), None)
        if name is not None and name not in found.values():
            found[meaning] = name
    return found


def _words(head: str) -> str:
    text = _CODES.sub(" ", re.sub(r"\(.*?\)|\[.*?\]", " ", head))
    return " ".join(re.sub(r"[^a-z]+", " ", text.lower()).split())


def fits(columns: frozenset[str]) -> bool:
    """Whether heads name descriptions, quantities and prices."""
    known = meant(sorted(columns)).keys()
    return known >= {"description", "quantity"} and bool(known & {"unit_price", "total"})


def read(file: Table | Workbook, report: Callable[[float, str], None]) -> JSONDict:
    """Return the lines of a quote, and what its columns mean by their words.

    Raises
    ------
    FileRefused
        When it has no line, or too many.
    """
    report(0.2, "Reading the quote")
    rows = _table_rows(file) if isinstance(file, Table) else file.best_rows(_score, _HEAD_ROWS)
    heads = [str(cell or "").strip() for cell in next(rows, (0, ()))[1]][:_COLUMNS_MAX]
    lines: list[list[Any]] = []
    for number, cells in rows:
        if not any(str(cell or "").strip() for cell in cells):
            continue
        if len(lines) == LINES_MAX:
            raise FileRefused(f"The quote has more than {LINES_MAX:,} lines.")
        lines.append([number, *(_text(cell) for cell in cells[: len(heads)])])
    if not lines:
        raise FileRefused("The quote has no lines.")
    preview: JSONDict = {
        "columns": [head for head in heads if head],
        "heads": heads,
        "lines": lines,
        "mapping": meant(heads),
        "meanings": [{"id": name, "title": title} for name, (title, _) in MEANINGS.items()],
        "currency": _currency(heads, lines),
        "notes": [],
    }
    cells = Cells()
    found = lines_of(preview, preview["mapping"], cells)
    whole = sum(line.amount for line in found)
    headline = f"{len(found):,} priced lines come to {whole:,.2f} {preview['currency']}".strip()
    return {**preview, "headline": f"{headline}.", **cells.document()}


def _score(cells: Sequence[Any]) -> int:
    return len(meant(str(cell or "") for cell in cells))


def _table_rows(file: Table) -> Any:
    yield 1, list(file.types)
    yield from enumerate(file.rows(f"SELECT * FROM {file.source}"), start=2)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return repr(cell) if isinstance(cell, float) else " ".join(str(cell).split())[:300]


def _currency(heads: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    said = " ".join([*heads, *(str(cell) for line in lines[:200] for cell in line[1:])])
    code = _CODES.search(said)
    if code:
        return code[1]
    return next((name for sign, name in _CURRENCIES.items() if sign in said), "USD")


def _money(text: str) -> float:
    return number_of(re.sub(r"[^\d.,\-\s]", "", text).strip())


def lines_of(preview: Mapping[str, Any], mapping: Mapping[str, str], cells: Cells) -> list[Line]:
    """Return the lines that have a price; sums are no lines."""
    heads = preview["heads"]
    at = {name: heads.index(column) + 1 for name, column in mapping.items() if column in heads}
    found = []
    for row in preview["lines"]:
        said = {name: row[place] if place < len(row) else "" for name, place in at.items()}
        described = " ".join(filter(None, (said.get("description"), said.get("part"))))
        if not described or _SUM.search(described):
            continue
        count = _number(row[0], said, "quantity", cells)
        each = _number(row[0], said, "unit_price", cells)
        total = _number(row[0], said, "total", cells)
        count = 1.0 if count is None else count
        if each is None and total is None:
            continue
        amount = total if total is not None else count * (each or 0.0)
        found.append(Line(row[0], classed(described), described, count, amount))
    return found


def _number(line: int, said: Mapping[str, str], name: str, cells: Cells) -> float | None:
    text = said.get(name, "")
    if not text or not any(letter.isdigit() for letter in text):
        return None
    try:
        return _money(text)
    except ValueError:
        cells.add(line, f"{MEANINGS[name][0]}: {text[:40]!r} is not a number")
        return None


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The lines with what they are for."""
    rows = [
        {"for": LABELS[line.role], "what": line.text, "count": line.count, "amount": line.amount}
        for line in lines_of(preview, preview["mapping"], Cells())
    ]
    columns = (
        Column("For", "for"),
        Column("Line", "what"),
        Column("Quantity", "count", "count"),
        Column("Price of the line", "amount", "money", preview["currency"]),
    )
    return [table("Lines", columns, rows)]


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the server that a quote offers, as an entry of the workspace's catalogue.

    Raises
    ------
    ParamsError
        When the rate of its currency is missing, or no line is of hardware.
    """
    lines = lines_of(preview, options.mapping or preview["mapping"], Cells())
    made = entry_of(lines, preview["currency"], options)
    return Drafted(
        title=made.entry["title"],
        entry=made.entry,
        tables=[made.table],
        reconciliation=made.sums,
        open_points=made.open_points,
    )


def sample() -> bytes:
    """A quote for two servers as a maker writes it: a letter head above, a total below."""
    from openpyxl import Workbook as Written

    book = Written()
    sheet = book.active
    sheet.title = "Quote 4711"
    sheet.append(["Example Systems", None, None, None])
    sheet.append(["Quote 4711", None, None, "2026-10-01"])
    sheet.append(["Part number", "Description", "Qty", "Unit price (USD)", "Total (USD)"])
    for row in (
        ("210-BFUZ", "PowerEdge R7625 Server", 2, 2100.0, 4200.0),
        ("338-CHJX", "AMD EPYC 9554 3.1GHz, 64C/128T", 4, 4300.0, 17200.0),
        ("370-BBHL", "64GB RDIMM, 4800MT/s", 48, 310.0, 14880.0),
        ("345-BDRS", "3.84TB SSD NVMe Read Intensive", 8, 620.0, 4960.0),
        ("540-BDKI", "Broadcom 57414 Dual Port 25GbE SFP28 NIC", 2, 280.0, 560.0),
        ("199-BIWB", "ProSupport 5 years, next business day", 2, 1900.0, 3800.0),
        (None, "Total", None, None, 45600.0),
    ):
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


IMPORTER = Importer(
    id="quote",
    title="Quote or bill of materials (workbook or CSV with description, quantity and price)",
    makes="quote",
    fits=fits,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
    is_workbook=True,
)
