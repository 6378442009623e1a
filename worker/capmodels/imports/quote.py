"""A quote or bill of materials, as a spreadsheet or CSV: the lines of a server and its price.

Makers' quotes share no format. The row that names the most columns is the head; what each column
means is found by its words and can be changed. What a line is for is found by the words of its
description; a figure that no line says (cores, power) is left open, never guessed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import Cells
from capmodels.imports.machine_words import plain
from capmodels.imports.preview import Column, table
from capmodels.imports.quote_lines import LABELS, Line, classed, entry_of, parts_of, servers_in
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.imports.table import Table
from capmodels.imports.workbook import Workbook, written
from capmodels.written_numbers import MONEY_SIGNS, Mark, marks_of, number_of, plainly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from capmodels.spec import JSONDict

# What columns are called, without accents, brackets, currencies and words for "without tax".
MEANINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "description": (
        "Description",
        ("description", "item", "product", "component", "article", "item description", "name",
         "product description", "bezeichnung", "beschreibung", "artikel", "artikelbezeichnung",
         "produktbezeichnung", "designation", "libelle", "descripcion", "descrizione", "descricao",
         "produit", "omschrijving", "beschrijving", "beskrivelse", "beskrivning", "concepto",
         "opis", "nazwa", "popis", "nazev", "denumire", "megnevezes", "kuvaus", "tuote"),
    ),
    "part": (
        "Part number",
        ("part number", "part", "sku", "product code", "part no", "p n", "item code", "mpn",
         "article number"),
    ),
    "quantity": (
        "Quantity",
        ("quantity", "qty", "units", "count", "menge", "anzahl", "pcs", "pieces", "stk", "stuck",
         "stuckzahl", "stueck", "cantidad", "quantita", "quantite", "quantidade", "qtd", "qtde",
         "qte", "qta", "aantal", "antal", "antall", "unidades", "ilosc", "szt", "mnozstvi",
         "pocet", "ks", "cantitate", "mennyiseg", "maara", "adet", "miktar",
         "cant"),  # codespell:ignore cant
    ),
    "unit_price": (
        "Price each",
        ("unit price", "price", "price each", "unit cost", "selling price", "your price",
         "price per unit", "einzelpreis", "preis", "ep", "e preis", "stuckpreis", "preis stuck",
         "preis pro stuck", "preis je stuck", "vk", "prix unitaire", "prix", "pu",
         "precio unitario", "prezzo unitario", "prezzo", "precio", "preco unitario",
         "valor unitario", "prijs", "stukprijs", "prijs per stuk", "pris", "enhetspris",
         "enhedspris", "pris per enhet", "cena jednostkowa", "cena", "jednotkova cena",
         "cena za kus", "pret unitar", "egysegar", "yksikkohinta", "birim fiyat"),
    ),
    "total": (
        "Price of the line",
        ("total", "extended price", "line total", "amount", "ext price", "subtotal", "total price",
         "extended", "gesamt", "gesamtpreis", "gp", "g preis", "summe", "betrag", "montant",
         "prix total", "importe", "precio total", "importo", "prezzo totale", "totale",
         "valor total", "preco total", "bedrag", "totaal", "belopp", "belop", "belob", "summa",
         "wartosc", "kwota", "celkem", "castka", "pret total", "osszesen", "yhteensa", "tutar",
         "toplam"),
    ),
}  # fmt: skip
# Words of a head that say its amounts are without tax, or lead over to a currency.
_PLAIN = frozenset(
    ("net", "netto", "ht", "excl", "exkl", "ohne", "vat", "mwst", "bez", "dph", "in")
)
_NUMBERS = ("quantity", "unit_price", "total")
LINES_MAX = 2_000
_HEAD_ROWS = 60
_COLUMNS_MAX = 40
_CODES = re.compile(r"\b(USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|INR)\b")
_SUM = re.compile(
    r"^\W*(sub ?-?|grand |net )?total(e|t)?\b|^\W*(sum|summe|gesamt\w*|zwischensumme|sous-total|"
    r"(sub)?totaal|delsumma|summa|totalt|i alt|celkem|razem|suma|importe total|soma|yhteens.|"
    r".sszesen|toplam|итого)\b",
    re.IGNORECASE,
)
_RATE = re.compile(r"(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?) ?%")
# A sum of the quote itself may differ from that of its lines by so much of it: rounding.
_ROUNDED = 1e-4


def meant(heads: Iterable[str]) -> dict[str, str]:
    """Return which column has which meaning, by the words of the heads."""
    said = {_words(head): head for head in reversed(list(heads)) if head}
    found: dict[str, str] = {}
    for meaning, (_, words) in MEANINGS.items():
        name = next((said[word] for word in words if word in said), None)
        if name is not None and name not in found.values():
            found[meaning] = name
    return found


def _words(head: str) -> str:
    text = _CODES.sub(" ", re.sub(r"\(.*?\)|\[.*?\]", " ", head))
    words = re.sub(r"[^a-z]+", " ", plain(text)).split()
    return " ".join(word for word in words if word not in _PLAIN or words == [word])


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
    rows = _rows(file)
    heads = _heads(next(rows, (0, ()))[1])
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
        "columns": _named(heads),
        "heads": heads,
        "lines": lines,
        "mapping": meant(heads),
        "meanings": [{"id": name, "title": title} for name, (title, _) in MEANINGS.items()],
        "currency": _currency(heads, lines) or "USD",
        "is_currency_told": bool(_currency(heads, lines)),
        "mark": file.mark if isinstance(file, Table) else None,
    }
    return {**preview, **told_of(preview, preview["mapping"])}


def told_of(preview: Mapping[str, Any], mapping: Mapping[str, str]) -> JSONDict:
    """What is told of a quote, once its columns mean what a mapping says."""
    cells = Cells()
    found, sums, read = _read(preview, mapping, cells)
    notes = [*_unlike(found, sums, preview["currency"]), *read, *_untold(preview)]
    whole = sum(line.amount for line in found)
    priced = sum(not line.is_included for line in found)
    lines = "1 priced line comes" if priced == 1 else f"{priced:,} priced lines come"
    headline = f"{lines} to {whole:,.2f} {preview['currency']}".strip()
    if not found:
        headline = f"{len(preview['lines']):,} lines, of which no price is known yet"
        notes = ["Say which column means what: it is remembered for files with the same heads."]
    return {"headline": f"{headline}.", "notes": notes, **cells.document()}


def is_table(file: Any) -> bool:
    """Whether a file has rows and columns, as a quote has."""
    return isinstance(file, Table | Workbook)


def columns_of(file: Table | Workbook) -> list[str]:
    """The columns of a quote, as what is read of it has them."""
    return _named(_heads(next(_rows(file), (0, ()))[1]))


def _rows(file: Table | Workbook) -> Iterator[tuple[int, Sequence[Any]]]:
    """The head and the rows below it."""
    return _table_rows(file) if isinstance(file, Table) else file.best_rows(_score, _HEAD_ROWS)


def _heads(cells: Sequence[Any]) -> list[str]:
    return [str(cell or "").strip() for cell in cells][:_COLUMNS_MAX]


def _named(heads: Sequence[str]) -> list[str]:
    return [head for head in heads if head]


def _score(cells: Sequence[Any]) -> int:
    """How much a row is a head: by the columns that it names, then by cells of nothing but text."""
    filled = [cell for cell in cells if cell not in {None, ""}]
    texts = len(filled) if all(isinstance(cell, str) for cell in filled) else 0
    known = len(meant(str(cell or "") for cell in cells))
    return known * (_COLUMNS_MAX + 1) + min(texts, _COLUMNS_MAX)


def _table_rows(file: Table) -> Iterator[tuple[int, Sequence[Any]]]:
    yield 1, list(file.types)
    yield from enumerate(file.rows(f"SELECT * FROM {file.source}"), start=file.first_row)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return plainly(cell) if isinstance(cell, float) else " ".join(str(cell).split())[:300]


def _currency(heads: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    """The currency that a quote names, or blank."""
    said = " ".join([*heads, *(str(cell) for line in lines[:200] for cell in line[1:])])
    code = _CODES.search(said)
    if code:
        return code[1]
    return next((name for sign, name in MONEY_SIGNS.items() if sign in said), "")


def _money(text: str, mark: Mark | None) -> float:
    """An amount with or without its currency; in brackets, or with a minus at either end, below 0.

    >>> _money("($1,500.00)", None), _money("2.450,00 €", None), _money("EUR -20,00", None)
    (-1500.0, 2450.0, -20.0)
    """
    return number_of(re.sub(r"[^\d.,()\-\s'\u2019]", "", text).strip(), mark)


def lines_of(preview: Mapping[str, Any], mapping: Mapping[str, str], cells: Cells) -> list[Line]:
    """Return the lines that have a price; sums are no lines."""
    return _read(preview, mapping, cells)[0]


def _read(
    preview: Mapping[str, Any], mapping: Mapping[str, str], cells: Cells
) -> tuple[list[Line], list[float], list[str]]:
    """The lines that have a price, the quote's own sums, and how its numbers were read."""
    found, sums, notes = list[Line](), list[float](), list[str]()
    rows, marks = _told(preview, mapping, notes)
    for number, said in rows:
        described = _described(said)
        if _SUM.search(described):
            told = (_number(number, said, one, Cells(), marks) for one in ("total", "unit_price"))
            sums += [amount for amount in told if amount]
            continue
        if not described:
            continue
        count = _number(number, said, "quantity", cells, marks)
        each = _number(number, said, "unit_price", cells, marks)
        total = _number(number, said, "total", cells, marks)
        if each is None and total is None:
            continue
        is_said, count = count is not None, 1.0 if count is None else count
        servers = servers_in(described, count)
        amount = total if total is not None else (count if is_said else servers) * (each or 0.0)
        role = "tax" if _is_tax(described, amount, found) else classed(described)
        count = servers if role == "chassis" else count
        line = Line(number, role, described, count, amount)
        found += [line, *parts_of(line)]
    return found, sums, notes


def _is_tax(text: str, amount: float, before: Sequence[Line]) -> bool:
    """Whether a line is a tax by its rate: so many percent of what stands before it."""
    rate = _RATE.search(text)
    net = sum(line.amount for line in before if line.role != "tax")
    if rate is None or net <= 0 or amount <= 0:
        return False
    return abs(amount / net - float(rate[1].replace(",", ".")) / 100.0) < _TAX_ROUNDED


# A tax may be off its rate by so much of the net sum: it is rounded line by line.
_TAX_ROUNDED = 5e-4


def _told(
    preview: Mapping[str, Any], mapping: Mapping[str, str], notes: list[str]
) -> tuple[list[tuple[int, dict[str, str]]], dict[str, Mark]]:
    """The rows by what their cells mean, and the sign before decimals of each column."""
    heads = preview["heads"]
    at = {name: heads.index(column) + 1 for name, column in mapping.items() if column in heads}
    rows = [
        (row[0], {name: row[place] if place < len(row) else "" for name, place in at.items()})
        for row in preview["lines"]
    ]
    cells = {name: [row.get(name, "") for _, row in rows] for name in _NUMBERS}
    return rows, marks_of(cells, preview.get("mark"), mapping, notes)


def _described(said: Mapping[str, str]) -> str:
    return " ".join(filter(None, (said.get("description"), said.get("part"))))


def _unlike(lines: Sequence[Line], sums: Sequence[float], currency: str) -> list[str]:
    """What is to be told where no sum of the quote is that of its lines, with or without tax."""
    if not sums:
        return []
    taxed = sum(line.amount for line in lines)
    net = sum(line.amount for line in lines if line.role != "tax")
    if any(abs(one - own) <= _ROUNDED * abs(own) for one in sums for own in (taxed, net)):
        return []
    return [
        f"The quote's own total is {max(sums):,.2f} {currency}, its priced lines come to "
        f"{taxed:,.2f}: lines are missing, or a column means something else."
    ]


def _untold(preview: Mapping[str, Any]) -> list[str]:
    told = preview.get("is_currency_told", True)
    return [] if told else ["The quote names no currency: its amounts are taken for US dollars."]


def _number(
    line: int, said: Mapping[str, str], name: str, cells: Cells, marks: Mapping[str, Mark]
) -> float | None:
    text = said.get(name, "")
    if not text or not any(letter.isdigit() for letter in text):
        return None
    try:
        return _money(text, marks[name])
    except ValueError:
        cells.add(line, f"{MEANINGS[name][0]}: {text[:40]!r} is not a number")
        return None


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The lines with what they are for."""
    rows = [
        {
            "for": LABELS[line.role],
            "what": f"{line.text} (in the line above)" if line.is_included else line.text,
            "count": line.count,
            "amount": None if line.is_included else line.amount,
        }
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
    lines, sums, read = _read(preview, options.mapping or preview["mapping"], Cells())
    made = entry_of(lines, preview["currency"], options)
    told = [*_unlike(lines, sums, preview["currency"]), *read]
    return Drafted(
        title=made.entry["title"],
        entry=made.entry,
        tables=[made.table],
        reconciliation=made.sums,
        open_points=[*told, *made.open_points, *_untold(preview)],
    )


def sample() -> bytes:
    """A quote for two servers as a maker writes it: a letter head above, a total below."""
    return written(
        {
            "Quote 4711": [
                ("Example Systems",),
                ("Quote 4711", None, None, "2026-10-01"),
                ("Part number", "Description", "Qty", "Unit price (USD)", "Total (USD)"),
                ("210-BFUZ", "PowerEdge R7625 Server", 2, 2100.0, 4200.0),
                ("338-CHJX", "AMD EPYC 9554 3.1GHz, 64C/128T", 4, 4300.0, 17200.0),
                ("370-BBHL", "64GB RDIMM, 4800MT/s", 48, 310.0, 14880.0),
                ("345-BDRS", "3.84TB SSD NVMe Read Intensive", 8, 620.0, 4960.0),
                ("540-BDKI", "Broadcom 57414 Dual Port 25GbE SFP28 NIC", 2, 280.0, 560.0),
                ("199-BIWB", "ProSupport 5 years, next business day", 2, 1900.0, 3800.0),
                (None, "Total", None, None, 45600.0),
            ]
        }
    )


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
