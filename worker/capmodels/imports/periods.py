"""Months of billing periods, however their dates are written: which of two numbers is the day.

ISO 8601 says it itself. Of 1/8/2026 a whole file says it: by any number above 12, by dots, which
stand between the parts of a date where the day is first, and by the days between the beginnings
of periods, or from one's beginning to its end. What is left open is asked for, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.formats.chunks import FileRefused
from capmodels.imports.charges import text
from capmodels.imports.table import ROW, Dates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from capmodels.imports.table import Table

_ORDERS: tuple[Dates, ...] = ("day_first", "month_first")
# Two numbers that a sign parts, and a year.
_SAID = r"^\s*([0-9]{1,2})([-/.])([0-9]{1,2})[-/.]([0-9]{4})"
# Days of a billing period of a month, its last one counted or not.
_SHORTEST, _LONGEST = 27, 32
_FIRST_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Said:
    """A date as it is written: two numbers of which one is the day, and the year."""

    first: int
    second: int
    year: int
    sign: str

    def read(self, order: Dates) -> date | None:
        """The day that it is in an order; None where there is none."""
        day, month = (self.first, self.second)[:: 1 if order == "day_first" else -1]
        try:
            return date(self.year, month, day)
        except ValueError:
            return None


def order_of(
    dates: Iterable[Said], starts: Iterable[Said] = (), periods: Iterable[tuple[Said, Said]] = ()
) -> Dates | None:
    """Return the order of all dates of a file; None where they leave it open.

    ``starts`` are beginnings of billing periods, ``periods`` such with their ends.

    >>> order_of([Said(1, 8, 2026, "/"), Said(1, 9, 2026, "/")])
    >>> order_of([], starts=[Said(1, 8, 2026, "/"), Said(1, 9, 2026, "/")])
    'day_first'

    Raises
    ------
    FileRefused
        When some are written in one order and some in the other.
    """
    tellers: tuple[Callable[[Dates], bool], ...] = (
        _all_are_days(dates),
        _months_apart(starts),
        _a_month_long(periods),
    )
    for tells in tellers:
        possible = [order for order in _ORDERS if tells(order)]
        if not possible and tells is tellers[0]:
            raise FileRefused("Dates are written with the day first and with the month first.")
        if len(possible) == 1:
            return possible[0]
    return None


def _all_are_days(dates: Iterable[Said]) -> Callable[[Dates], bool]:
    held = set(dates)

    def tells(order: Dates) -> bool:
        dotted = order == "day_first" or all(one.sign != "." for one in held)
        return dotted and all(one.read(order) for one in held)

    return tells


def _months_apart(starts: Iterable[Said]) -> Callable[[Dates], bool]:
    held = set(starts)

    def tells(order: Dates) -> bool:
        days = sorted(day for one in held if (day := one.read(order)))
        return all((after - before).days >= _SHORTEST for before, after in pairwise(days))

    return tells


def _a_month_long(periods: Iterable[tuple[Said, Said]]) -> Callable[[Dates], bool]:
    held = set(periods)

    def tells(order: Dates) -> bool:
        read = [(start.read(order), end.read(order)) for start, end in held]
        return all(
            start and end and _SHORTEST <= (end - start).days <= _LONGEST for start, end in read
        )

    return tells


@dataclass(frozen=True, slots=True)
class Order:
    """Which number of a file's dates is the day.

    ``said`` is None where that is open, or where dates are written otherwise.
    """

    said: Dates | None
    is_open: bool


def order_in(table: Table, start: str, end: str = "", others: Sequence[str] = ()) -> Order:
    """Return the order of a table's dates.

    ``start`` and ``end`` are the columns of billing periods, ``others`` further ones of dates;
    those that are not there are passed over.
    """
    there = {name.lower() for name in table.columns}
    start, end = (name if name.lower() in there else "" for name in (start, end))
    names = [name for name in dict.fromkeys((start, end, *others)) if name.lower() in there]
    if not _has_any(table, names):
        return Order(None, is_open=False)
    found = {name: _distinct(table, name) for name in names}
    dates = {one for held in found.values() for one in held}
    pairs = _pairs(table, start, end) if start and end else set()
    said = order_of(dates, found.get(start, ()), pairs) or table.dates
    is_open = said is None and any(one.first != one.second for one in dates)
    return Order(said if said or is_open else "day_first", is_open)


def refuse_open(table: Table, name: str) -> None:
    """Ask which number of a column's dates is the day, where it makes a difference for a month.

    Raises
    ------
    FileRefused
        When it does.
    """
    said = text(name)
    parts = (f"regexp_extract({said}, '{_SAID}', {at})" for at in (1, 3))
    rows = table.rows(
        f"SELECT {ROW}, {said} FROM {table.numbered} WHERE regexp_matches({said}, '{_SAID}') "
        f"AND {' <> '.join(f'LPAD({one}, 2, $$0$$)' for one in parts)} ORDER BY {ROW} LIMIT 1"
    )
    for row, cell in rows:
        raise FileRefused(
            f"The billing period of row {row} begins on {cell.strip()}, and no date of the file "
            "says whether the day or the month stands first. Say which (Dates in files; "
            "by the API, dates) and import it again."
        )


def _has_any(table: Table, names: Sequence[str]) -> bool:
    """Whether the first rows write a date so: a file does so in all of them, or is refused."""
    some = " OR ".join(f"regexp_matches({text(name)}, '{_SAID}')" for name in names)
    first = f"(SELECT * FROM {table.source} LIMIT {_FIRST_ROWS})"
    return bool(names) and bool(table.rows(f"SELECT 1 FROM {first} WHERE {some} LIMIT 1"))


def _parts(name: str) -> str:
    said = text(name)
    return ", ".join(f"regexp_extract({said}, '{_SAID}', {at})" for at in (1, 3, 4, 2))


def _distinct(table: Table, name: str) -> set[Said]:
    rows = table.rows(
        f"SELECT DISTINCT {_parts(name)} FROM {table.source} "
        f"WHERE regexp_matches({text(name)}, '{_SAID}')"
    )
    found = {_said(row) for row in rows}
    return {one for one in found if any(map(one.read, _ORDERS))}  # else it is told as it stands


def _pairs(table: Table, start: str, end: str) -> set[tuple[Said, Said]]:
    rows = table.rows(
        f"SELECT DISTINCT {_parts(start)}, {_parts(end)} FROM {table.source} "
        f"WHERE regexp_matches({text(start)}, '{_SAID}') AND regexp_matches({text(end)}, '{_SAID}')"
    )
    return {(_said(row[:4]), _said(row[4:])) for row in rows}


def _said(cells: Sequence[str]) -> Said:
    first, second, year, sign = cells
    return Said(int(first), int(second), int(year), sign)


def month_of(sql: str, order: Dates | None) -> str:
    """SQL of a date's month; of what is no date, its beginning as it stands, so that it is told."""
    said = f"TRIM({sql})"
    written = ""
    if order is not None:
        month = f"regexp_extract({said}, '{_SAID}', {3 if order == 'day_first' else 1})"
        written = (
            f"WHEN regexp_matches({said}, '{_SAID}') "
            f"THEN regexp_extract({said}, '{_SAID}', 4) || '-' || LPAD({month}, 2, '0') "
        )
    return (
        f"CASE WHEN regexp_matches({said}, '^[0-9]{{4}}-[0-9]{{2}}') THEN SUBSTR({said}, 1, 7) "
        f"WHEN regexp_matches({said}, '^[0-9]{{6}}([0-9]{{2}})?$') "
        f"THEN SUBSTR({said}, 1, 4) || '-' || SUBSTR({said}, 5, 2) "
        f"{written}ELSE SUBSTR({said}, 1, 10) END"
    )
