"""What runs today, pasted as a table: type, count, hours, commitment end, and prices.

From a spreadsheet or a file: commas, semicolons or tabs; with a head, whose columns may
stand in any order, or without one in the order above. A cell that is left out stays out
of the line, so that the form asks for what is needed. Prices are in the study's currency
where neither the head nor the cell says US dollars.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from capmodels.errors import Fault, ParamsError
from capmodels.numbers import USD, Currency, whole_of
from capmodels.spec import JSONDict
from capmodels.written_numbers import Mark, marks_of, number_of

LINES_MAX = 500
# Of a cell that cannot be read, in the sentence about it.
_SHOWN = 40

_HEADS = {
    "type": (
        *("type", "instance", "instance_type", "machine", "name"),
        *("typ", "instanz", "instanztyp", "maschine", "maschinentyp", "bezeichnung"),
    ),
    "count": (
        *("count", "number", "quantity", "qty", "instances", "machines"),
        *("anzahl", "menge", "stück", "stk", "instanzen", "maschinen"),
    ),
    "hours_per_month": (
        *("hours", "hours_per_month", "hours_a_month", "h_per_month"),
        *("stunden", "stunden_pro_monat", "stunden_im_monat", "std", "h_pro_monat"),
    ),
    "commitment_end": (
        *("commitment_end", "commitment_ends", "commitment_ends_on", "commitment_end_month"),
        *("end", "until", "expires"),
        *("bindung_bis", "bindungsende", "laufzeitende", "ende", "bis", "läuft_bis"),
    ),
    "usd_per_h": (
        *("usd_per_h", "price", "usd_per_hour", "price_usd_per_h", "rate"),
        *("preis", "stundenpreis", "preis_pro_stunde", "preis_je_stunde", "eur_pro_stunde"),
    ),
    "after_usd_per_h": (
        *("after_usd_per_h", "after", "price_after", "price_afterwards"),
        *("on_demand", "list_price"),
        *("preis_danach", "danach", "preis_nachher", "listenpreis"),
    ),
}
_COLUMNS = tuple(_HEADS)
_KNOWN = "Columns are: type, count, hours, commitment end, price and price afterwards."
# As the page calls them.
_TITLES = {
    "count": "count",
    "hours_per_month": "hours",
    "usd_per_h": "price",
    "after_usd_per_h": "price afterwards",
}
_AMOUNTS = tuple(_TITLES)
_PRICES = frozenset({"usd_per_h", "after_usd_per_h"})
_FIELD_OF = {head: field for field, heads in _HEADS.items() for head in heads}
_ISO_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


@dataclass(frozen=True, slots=True)
class _Written:
    """How a table has its numbers: the mark before decimals by column, and its money."""

    marks: Mapping[str, Mark]
    currency: Currency
    dollars: frozenset[str]  # columns whose head says so


Reader = Callable[[str, _Written], JSONDict]


def parse_baseline_csv(
    text: str,
    mark: Mark | None = None,
    currency: Currency = USD,
    notes: list[str] | None = None,
) -> list[JSONDict]:
    """Return the lines of a baseline, as drafts, with prices in US dollars.

    ``mark`` stands before decimals in columns that leave it open; ``currency`` is that of prices
    which do not say that they are US dollars; ``notes`` takes the sentences of how numbers were
    read.

    Raises
    ------
    ParamsError
        With every cell that cannot be read, at ``/csv/LINE/COLUMN``, lines counted from 1; or at
        ``/numbers`` where a column could be read in two ways.
    """
    rows = _rows(text, _delimiter(text))
    if not rows:
        raise ParamsError([Fault("/csv", "missing", "The table is empty. Paste at least a line.")])
    titles, (columns, dollars, rows) = _titles(rows[0][1]), _columns(rows)
    if len(rows) > LINES_MAX:
        message = f"The table has {len(rows):,} lines. Paste at most {LINES_MAX}."
        raise ParamsError([Fault("/csv", "too_many", message)])
    faults: list[Fault] = []
    told = [(number, dict(zip(columns, cells, strict=False))) for number, cells in rows]
    amounts = {one: [cells.get(one, "") for _, cells in told] for one in _AMOUNTS}
    marks = marks_of(amounts, mark, titles, notes)
    written = _Written(marks, currency, dollars)
    lines = [_line(number, cells, written, faults) for number, cells in told]
    if faults:
        raise ParamsError(faults)
    return lines


def _rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(text.splitlines(), delimiter=delimiter)
    try:
        return [
            (number, [cell.strip() for cell in row])
            for number, row in enumerate(reader, start=1)
            if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        message = f"Line {reader.line_num} cannot be read: {error}."
        raise ParamsError([Fault("/csv", "unreadable", message)]) from error


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max("\t;,", key=first.count)


def _columns(
    rows: list[tuple[int, list[str]]],
) -> tuple[Sequence[str], frozenset[str], list[tuple[int, list[str]]]]:
    """Return the fields that the columns hold, those in US dollars, and the rows below the head."""
    number, first = rows[0]
    heads = [re.sub(r"\W+", "_", cell.lower()).strip("_") for cell in first]
    names = [_FIELD_OF.get(head) for head in heads]
    if not any(names):
        if any(not "".join(cells[1:2]) for _, cells in rows):
            message = (
                f"The first line names no column that is known, and a line has no count. {_KNOWN}"
            )
            raise ParamsError([Fault("/csv", "missing", message)])
        return _COLUMNS, frozenset(), rows
    unknown = [
        Fault(
            f"/csv/{number}/{place + 1}",
            "unknown_field",
            f"There is no column {cell!r} here. {_KNOWN}",
        )
        for place, (cell, name) in enumerate(zip(first, names, strict=True))
        if name is None
    ]
    missing = [
        Fault("/csv", "missing", f"The column {name!r} is missing. {_KNOWN}")
        for name in ("type", "count")
        if name not in names
    ]
    if unknown or missing:
        raise ParamsError(unknown + missing)
    dollars = {name for name, head in zip(names, heads, strict=True) if name and "usd" in head}
    return [name or "" for name in names], frozenset(dollars), rows[1:]


def _titles(first: Sequence[str]) -> dict[str, str]:
    """What a table calls its columns of amounts; the page's own words where it has no head."""
    heads = {_FIELD_OF.get(re.sub(r"\W+", "_", cell.lower()).strip("_")): cell for cell in first}
    return {field: heads.get(field, title) for field, title in _TITLES.items()}


def _line(
    number: int, cells: Mapping[str, str], written: _Written, faults: list[Fault]
) -> JSONDict:
    line: JSONDict = {}
    for place, (field, cell) in enumerate(cells.items(), start=1):
        if not cell:
            continue
        try:
            line |= _READERS[field](cell, written)
        except ValueError as error:
            faults.append(Fault(f"/csv/{number}/{place}", "unreadable", str(error)))
    return line


def _text(field: str) -> Reader:
    return lambda cell, _written: {field: cell}


def _amount(field: str) -> Reader:
    def read(cell: str, written: _Written) -> JSONDict:
        digits, per_usd = _in_money(cell, field, written) if field in _PRICES else (cell, 1.0)
        try:
            value = number_of(digits, written.marks.get(field, ".")) / per_usd
        except ValueError:
            message = f"{cell[:_SHOWN]!r} is not a number. Enter one, such as 1234.5."
            raise ValueError(message) from None
        if value < 0:
            message = f"{cell[:_SHOWN]!r} is below 0. Enter 0 or more."
            raise ValueError(message)
        return {field: value}

    return read


def _in_money(cell: str, field: str, written: _Written) -> tuple[str, float]:
    """The digits of a price, and how much of its currency one US dollar is."""
    own = written.currency
    for names, per_usd in (
        (("US$", "$", "USD"), 1.0),
        ((own.symbol.strip(), own.code), own.per_usd),
    ):
        for name in names:
            digits = cell.removeprefix(name).removesuffix(name).strip()
            if digits != cell:
                return digits, per_usd
    return cell, 1.0 if field in written.dollars else own.per_usd


def _end(cell: str, _written: _Written) -> JSONDict:
    if _ISO_DATE.fullmatch(cell):
        return {"commitment_ends_on": cell}
    if (month := whole_of(cell)) is not None:
        return {"commitment_end_month": month}
    if cell.lower() in {"none", "-", "\N{EM DASH}", "on demand"}:
        return {}
    message = (
        f"{cell!r} is neither a date nor months. Enter a date, such as 2027-03-31, or months from "
        "the start, such as 18."
    )
    raise ValueError(message)


_READERS: Mapping[str, Reader] = {
    "type": _text("type"),
    "commitment_end": _end,
    **{field: _amount(field) for field in _AMOUNTS},
}


def missing_prices(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the types of lines that lack a price which a price list could give."""
    return [
        str(line["type"])
        for line in lines
        if "type" in line and ("usd_per_h" not in line or _needs_after(line))
    ]


def with_prices(
    lines: Sequence[JSONDict], usd_per_h_by_type: Mapping[str, float]
) -> list[JSONDict]:
    """Return the lines with list prices where a price was left out.

    A line's own price comes first: the list gives that of what is not committed.
    """
    priced = []
    for line in lines:
        listed = usd_per_h_by_type.get(str(line.get("type")))
        found = dict(line)
        if listed is not None:
            if _needs_after(line):
                found["after_usd_per_h"] = listed
            if not _is_committed(line):
                found.setdefault("usd_per_h", listed)
        priced.append(found)
    return priced


def _is_committed(line: Mapping[str, Any]) -> bool:
    return "commitment_end_month" in line or "commitment_ends_on" in line


def _needs_after(line: Mapping[str, Any]) -> bool:
    return _is_committed(line) and "after_usd_per_h" not in line
