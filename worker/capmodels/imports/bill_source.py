"""Bills of every source as one table: of each column of a charge, which columns of a file it is.

A source is a ``BillSource``: a conversion to the columns of FOCUS (``charges.Columns``), written in
SQL in which columns of the file stand in braces. One reader runs it; no source has its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capmodels.imports.baseline import bill_importer
from capmodels.imports.bill import bill_of
from capmodels.imports.charges import (
    AMOUNT,
    NO_TEXT,
    Columns,
    amount,
    tags,
    text,
    with_plain_numbers,
)
from capmodels.imports.periods import month_of, order_in, refuse_open
from capmodels.imports.table import identifier
from capmodels.written_numbers import MONEY_SIGNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from capmodels.imports.periods import Order
    from capmodels.imports.registry import Importer
    from capmodels.imports.table import Dates, Table
    from capmodels.spec import JSONDict

NOTHING = f"CAST(0 AS {AMOUNT})"
# A column of a file in a conversion, or others that it may be called; first there counts.
_PLACE = re.compile(r"\{([#?@]?)([a-z][a-z0-9|]*)\}")
# "Name der Verbrauchseinheit (MeterName)", as Azure's portal exports it in German.
_IN_BRACKETS = re.compile(r"\(([A-Za-z]+)\)$")
# "Cost ($)", "Total (EUR)": the head of a column says its currency.
_CURRENCY = re.compile(r"[\[(]\s*([A-Z]{3}|[$€£¥])\s*[\])]\s*$")
_MONTH_FIRST = (
    "No date of the file says whether the day or the month stands first: they are read with the "
    "month first, as {provider} writes them. Where that is wrong, say so (Dates in files; "
    "by the API, dates) and import the file again."
)


def bare(name: str) -> str:
    """A column's name without case and signs: warehouses and exports change both.

    >>> bare("lineItem/UnblendedCost"), bare("line_item_unblended_cost"), bare("service.id")
    ('lineitemunblendedcost', 'lineitemunblendedcost', 'serviceid')
    """
    return re.sub(r"[^a-z0-9]", "", name.lower())


def spelled(columns: Iterable[str]) -> dict[str, str]:
    """Columns as a file spells them by their bare names, and by what stands in brackets after."""
    found: dict[str, str] = {}
    for name in columns:
        inner = _IN_BRACKETS.search(name)
        for one in (inner[1] if inner else name, name, re.sub(r"\s*[\[(].*$", "", name)):
            found.setdefault(bare(one), name)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class BillSource:
    """A source of bills.

    ``needed`` are bare names of columns that all its files have, with others that each may have
    after bars. ``charge`` says of each column of a charge where it comes from: ``{name}`` is a
    column as text (NULL where there is none), ``{@name}`` one as JSON, ``{#name}`` one as an
    amount (0 where there is none), ``{?name}`` one as an amount or NULL; a source without a
    ``currency`` has it in heads or cells of amounts. ``months`` are columns
    that say the month a charge is billed in, the first that holds something; ``period`` those of
    a billing period's first and last day, where a file may have them, and ``days`` others that
    tell how dates are written; ``documented``, how they are unless the file says otherwise.
    ``tags`` is a column of tags, or what stands before those that are one each; ``only`` which
    rows are charges, ``told`` sentences with a sum of the file in each.
    """

    id: str
    title: str
    needed: tuple[str, ...]
    charge: Mapping[str, str]
    months: tuple[str, ...]
    sample: bytes
    period: tuple[str, str] | None = None
    days: tuple[str, ...] = ()
    documented: Dates | None = None
    tags: tuple[str, ...] = ()
    only: str = ""
    told: tuple[tuple[str, str], ...] = ()
    version: Callable[[frozenset[str]], str] = lambda _columns: ""

    def fits(self, columns: frozenset[str]) -> bool:
        """Whether a table has the columns that all files of the source have."""
        there = spelled(columns)
        return all(any(one in there for one in each.split("|")) for each in self.needed)

    def read(self, table: Table, report: Callable[[float, str], None]) -> JSONDict:
        """Return what the bill says."""
        names = spelled(table.columns)
        filled = _Filled(table, names)
        if self.only:
            where = f"WHERE {filled.sql(self.only)}"
            table = replace(
                table,
                source=f"(SELECT * FROM {table.source} {where})",
                numbered=f"(SELECT * FROM {table.numbered} {where})",
            )
            filled.amounts.clear()
        columns = {key: filled.sql(sql) for key, sql in self.charge.items()}
        numbers = list(dict.fromkeys(filled.amounts))
        said_in = self.charge.get("currency", "")
        places = [one for _, said in _PLACE.findall(said_in) for one in said.split("|")]
        if not said_in or (places and not any(one in names for one in places)):
            columns["currency"] = f"'{_currency_of(table, numbers)}'"
        table = with_plain_numbers(table, numbers)
        order = self._order(table, names)
        said = ", ".join(f"NULLIF(TRIM({text(names[n])}), '')" for n in self.months if n in names)
        columns["month"] = month_of(f"COALESCE({said})", order.said or self.documented)
        columns["tags"] = _tags(table, self.tags, names)
        bill = bill_of(table, Columns(**columns), numbers=numbers, report=report)
        if order.is_open and self.documented is not None:
            bill["notes"].append(_MONTH_FIRST.format(provider=bill["providers"][0]))
        for sentence, sql in self.told:
            ((found,),) = table.rows(f"SELECT SUM({filled.sql(sql)}) FROM {table.source}")
            if found:
                said = f"{found:,}" if isinstance(found, int) else f"{found:,.2f}"
                bill["notes"].append(sentence.format(said, bill["currency"]))
        return bill

    def _order(self, table: Table, names: Mapping[str, str]) -> Order:
        """Which number of the file's dates is the day; asked for where nothing says it."""
        start, end = (names.get(one, "") for one in self.period or ("", ""))
        there = [names[one] for one in (*self.months, *self.days) if one in names]
        order = order_in(table, start, end, there)
        if order.is_open and self.documented is None:
            refuse_open(table, there[0])
        return order

    def importer(self) -> Importer:
        """The importer of files of the source."""
        return bill_importer(
            id=self.id,
            title=self.title,
            fits=self.fits,
            version=self.version,
            read=self.read,
            sample=lambda: self.sample,
        )


class _Filled:
    """SQL of a conversion with the columns of a file; which of them are amounts is kept."""

    def __init__(self, table: Table, names: Mapping[str, str]) -> None:
        self.table, self.names = table, names
        self.amounts: list[str] = []

    def sql(self, template: str) -> str:
        return _PLACE.sub(self._one, template)

    def _one(self, place: re.Match[str]) -> str:
        found = next((self.names[n] for n in place[2].split("|") if n in self.names), None)
        if place[1] == "@":
            return tags(self.table, found or "")
        if not place[1]:
            return NO_TEXT if found is None else text(found)
        if found is None:
            return NOTHING if place[1] == "#" else f"CAST(NULL AS {AMOUNT})"
        self.amounts.append(found)
        return amount(found)


def _currency_of(table: Table, columns: Iterable[str]) -> str:
    """The currency that heads of some columns of amounts say, or signs in their cells; or blank."""
    said = {found[1] for name in columns if (found := _CURRENCY.search(name))}
    signs = "".join(MONEY_SIGNS)
    for name in table.texts(columns) if not said else ():
        sign = f"regexp_extract({identifier(name)}, '[{signs}]')"
        said |= {one for (one,) in table.rows(f"SELECT DISTINCT {sign} FROM {table.source}") if one}
    codes = {MONEY_SIGNS.get(one, one) for one in said}
    return codes.pop() if len(codes) == 1 else ""


def _tags(table: Table, kept: tuple[str, ...], names: Mapping[str, str]) -> str:
    """SQL of the tags of a charge as a JSON object: of one column, or of a column each."""
    for one in kept:
        if one in names:
            return tags(table, names[one])
    each = {
        name: re.sub(r"^(user|aws):", "", name[len(start) :]) or name
        for start in kept
        for name in table.columns
        if name.startswith(start)
    }
    if not each:
        return NO_TEXT
    pairs = ", ".join(
        "'" + key.replace("'", "''") + f"', {identifier(name)}" for name, key in each.items()
    )
    return f"CAST(json_merge_patch('{{}}', json_object({pairs})) AS VARCHAR)"
