"""What every bill is read as: charges with the same columns, whatever their provider calls them.

The columns and their meaning are those of FOCUS (FinOps Open Cost and Usage Specification,
version 1.2, section "Columns"); a format of another name says in SQL where each comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FAULTS_KEPT, FileRefused
from capmodels.imports.table import ROW, identifier
from capmodels.written_numbers import convention_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.imports.table import Table

# Of so many digits an amount is summed: exact for bills with 15 decimals up to 10^22.
AMOUNT = "DECIMAL(38, 15)"
# A billing month, as months of charges are written.
MONTH = "[0-9]{4}-(0[1-9]|1[0-2])"
NO_TEXT = "CAST(NULL AS VARCHAR)"
# More groups than these are read without their descriptions.
GROUPS_MAX = 200_000
COMMITMENTS_MAX = 2_000
TAG_SETS_MAX = 20_000
# So many different cells that are no plain numbers are looked at for the mark of decimals.
_ODD_MOST = 2_000

Category = str  # usage, purchase, tax, credit, refund or adjustment


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """SQL of every column of a charge; each yields text but the four amounts and the quantity.

    ``effective`` spreads what was paid in advance over its use; ``billed`` is what the invoice
    says; ``list`` is the price without any discount. ``month`` yields YYYY-MM.
    """

    month: str
    category: str
    billed: str
    effective: str
    list: str
    quantity: str
    unit: str
    currency: str
    provider: str
    service_category: str = NO_TEXT
    service: str = NO_TEXT
    description: str = NO_TEXT
    meter: str = NO_TEXT
    instance_type: str = NO_TEXT
    region: str = NO_TEXT
    pricing: str = NO_TEXT
    commitment_id: str = NO_TEXT
    commitment_type: str = NO_TEXT
    commitment_use: str = NO_TEXT  # Used, Unused
    commitment_ends_on: str = NO_TEXT  # YYYY-MM-DD
    tags: str = NO_TEXT


_AMOUNTS = ("billed", "effective", "list", "quantity")
_GROUPED = (
    *("month", "category", "service_category", "service", "description", "meter", "unit"),
    *("instance_type", "region", "pricing", "commitment_use", "currency", "provider"),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Charges that differ in nothing but their amounts."""

    month: str
    category: Category
    service_category: str
    service: str
    description: str
    meter: str
    unit: str
    instance_type: str
    region: str
    pricing: str
    commitment_use: str
    currency: str
    provider: str
    billed: Decimal
    effective: Decimal
    list: Decimal
    quantity: Decimal
    misfit: Decimal  # how far apart the two costs are, row by row
    rows_count: int
    first_row: int
    last_row: int


@dataclass(frozen=True, slots=True)
class Commitment:
    """One commitment of the bill: what was used of it, what was not, and what it replaced."""

    id: str
    type: str
    used: Decimal
    unused: Decimal
    list_covered: Decimal
    ends_on: str | None


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that cannot be read as the number or the month that it should be."""

    row: int
    column: str
    text: str


def text(name: str) -> str:
    """SQL of a column as text, blank for nothing."""
    return f"COALESCE(CAST({identifier(name)} AS VARCHAR), '')"


def tags(table: Table, name: str) -> str:
    """SQL of a column of tags as a JSON object, whether it is text, a map or a list of pairs."""
    if name not in table.types:
        return NO_TEXT
    column = identifier(name)
    is_text = table.types[name] in {"VARCHAR", "JSON"}
    return f"CAST({column} AS VARCHAR)" if is_text else f"CAST(to_json({column}) AS VARCHAR)"


def amount(name: str) -> str:
    """SQL of a column as an exact amount; what is blank is nothing."""
    column = identifier(name)
    return f"COALESCE(TRY_CAST(CAST({column} AS VARCHAR) AS {AMOUNT}), 0)"


def with_plain_numbers(table: Table, names: Sequence[str]) -> Table:
    """The table with amounts as programs write them, where it has them as people do.

    1.234,50 or $1,234.50 or (12.00): which sign stands before decimals is said by all cells of a
    column, else of the file, else by whoever sent it. What is still no number stays as it is, and
    is told by ``bad_cells``.

    Raises
    ------
    FileRefused
        When nothing says it, and it makes a difference.
    """
    names = table.texts(names)
    if not names:
        return table
    marks = table.marks({name: _telling(table, name) for name in names})
    odd = [name for name in names if marks[name] == "," or _has_odd(table, name)]
    if not odd:
        return table
    changed = ", ".join(f"{_plain(name, marks[name])} AS {identifier(name)}" for name in odd)
    return replace(
        table,
        source=f"(SELECT * REPLACE ({changed}) FROM {table.source})",
        numbered=f"(SELECT * REPLACE ({changed}) FROM {table.numbered})",
    )


def _telling(table: Table, name: str) -> list[str]:
    """Cells of a column that say which sign stands before decimals, or leave it open: some of each.

    A plain number whose dot cannot part thousands speaks for it, however many commas there are.
    """
    cell = identifier(name)

    def some(kind: str, most: int) -> list[str]:
        sql = f"SELECT DISTINCT {cell} FROM {table.source} WHERE {cell} IS NOT NULL AND {kind}"
        return [text for (text,) in table.rows(f"{sql} LIMIT {most}")]

    plain = f"NOT contains({cell}, ',') AND regexp_matches({cell}, "
    sure = some(plain + "'[.]([0-9]{1,2}|[0-9]{4,})$')", 1)
    odd = some(_is_no_amount(name), _ODD_MOST)
    if sure and convention_of(odd).mark != ".":
        return sure
    return [*sure, *odd, *some(plain + "'^[+-]?[1-9][0-9]{0,2}[.][0-9]{3}$')", 1)]


def _has_odd(table: Table, name: str) -> bool:
    """Whether a column has cells that are no plain numbers."""
    return bool(table.rows(f"SELECT 1 FROM {table.source} WHERE {_is_no_amount(name)} LIMIT 1"))


def _is_no_amount(name: str) -> str:
    """SQL of whether a cell holds something that is no plain number."""
    cell = identifier(name)
    return f"({cell} IS NOT NULL AND TRY_CAST({cell} AS {AMOUNT}) IS NULL)"


def _plain(name: str, mark: str) -> str:
    """SQL of a number of a file with a mark before decimals; of anything else, as it stands."""
    cell = identifier(name)
    bare = f"regexp_replace({cell}, '[\\s\u00a0\u202f''\u2019$\u20ac\u00a3]', '', 'g')"
    bare = f"regexp_replace({bare}, '^[A-Z]{{3}}|[A-Z]{{3}}$', '')"  # a currency's code
    signed = (
        f"regexp_replace(regexp_replace({bare}, '^\\((.*)\\)$', '-\\1'), '^(.*[0-9])-$', '-\\1')"
    )
    group, point = (",", "\\.") if mark == "." else ("\\.", ",")
    whole = f"([0-9]{{1,3}}({group}[0-9]{{2,3}})*{group}[0-9]{{3}}|[0-9]*)"
    grouped = f"^[+-]?{whole}({point}[0-9]*)?([eE][+-]?[0-9]+)?$"
    left_out = "," if mark == "." else "."
    return (
        f"CASE WHEN regexp_matches({signed}, '{grouped}') "
        f"THEN replace(replace({signed}, '{left_out}', ''), ',', '.') ELSE {cell} END"
    )


def with_amounts(table: Table, names: Sequence[str]) -> tuple[Table, list[int], int]:
    """The table without rows that are blank in every one of these columns.

    Returns also the numbers of the first of those rows, and how many there are. Rows of nothing but
    delimiters, as spreadsheets leave them below a table, are none of them.
    """
    if not names or len(table.texts(names)) < len(names):
        return table, [], 0
    blank = " AND ".join(f"{identifier(name)} IS NULL" for name in names)
    some = " OR ".join(f"{identifier(name)} IS NOT NULL" for name in table.types)
    ((count, told_count),) = table.rows(
        f"SELECT COUNT(*), COUNT(*) FILTER ({some}) FROM {table.source} WHERE {blank}"
    )
    if not count:
        return table, [], 0
    told = f"SELECT {ROW} FROM {table.numbered} WHERE {blank} AND ({some}) ORDER BY {ROW}"
    rows = table.rows(f"{told} LIMIT {FAULTS_KEPT}") if told_count else []
    kept = replace(
        table,
        source=f"(SELECT * FROM {table.source} WHERE NOT ({blank}))",
        numbered=f"(SELECT * FROM {table.numbered} WHERE NOT ({blank}))",
    )
    return kept, [row for (row,) in rows], int(told_count)


def with_months(table: Table, columns: Columns) -> tuple[Table, list[tuple[int, str]], int]:
    """The table without rows whose billing period begins with no month.

    Returns also the first of those rows, each with what stands for its month, and how many.

    Raises
    ------
    FileRefused
        When they are as many as the others: it is not a row that is wrong, but the file.
    """
    month = f"COALESCE({columns.month}, '')"
    is_month = f"regexp_matches({month}, '^{MONTH}$')"
    wrong = f"SELECT {ROW}, {month} FROM {table.numbered} WHERE NOT {is_month} ORDER BY {ROW}"
    rows = table.rows(f"{wrong} LIMIT {FAULTS_KEPT}")
    ((right_count, wrong_count),) = table.rows(
        f"SELECT COUNT(*) FILTER ({is_month}), COUNT(*) FILTER (NOT {is_month}) "
        f"FROM {table.numbered}"
    )
    if wrong_count >= right_count:
        row, said = rows[0]
        message = (
            f"The billing period of row {row} {begins_with_none(said)}. Export dates as 2026-08-01."
        )
        raise FileRefused(message)
    kept = replace(
        table,
        source=f"(SELECT * FROM {table.source} WHERE {is_month})",
        numbered=f"(SELECT * FROM {table.numbered} WHERE {is_month})",
    )
    return kept, rows, int(wrong_count)


def begins_with_none(month: str) -> str:
    """What a billing period begins with that is no month, in words."""
    said = f"begins with {month!r}, not with a month" if month else "is blank, not a month"
    return f"{said} as 2026-08"


def read_groups(table: Table, columns: Columns) -> list[Group]:
    """Return the charges, those alike summed exactly."""
    groups = _groups(table, columns, _GROUPED)
    if groups is None:
        blank = {"description": "''", "meter": "''", "region": "''"}
        changed = {item.name: getattr(columns, item.name) for item in fields(columns)} | blank
        groups = _groups(table, Columns(**changed), _GROUPED, most=None)
    return groups or []


def _groups(
    table: Table, columns: Columns, names: Sequence[str], most: int | None = GROUPS_MAX
) -> list[Group] | None:
    keys = ", ".join(f"COALESCE({getattr(columns, name)}, '') AS {name}" for name in names)
    sums = ", ".join(f"SUM({getattr(columns, name)}) AS {name}" for name in _AMOUNTS)
    misfit = f"SUM(ABS({columns.effective} - {columns.billed}))"
    limit = "" if most is None else f" LIMIT {most + 1}"
    rows = table.rows(
        f"SELECT {keys}, {sums}, {misfit}, COUNT(*), MIN({ROW}), MAX({ROW}) "
        f"FROM {table.numbered} "
        f"GROUP BY ALL ORDER BY {', '.join(names)}{limit}"
    )
    if most is not None and len(rows) > most:
        return None
    return [Group(*row) for row in rows]


def read_commitments(table: Table, columns: Columns) -> list[Commitment]:
    """Return the bill's commitments, the dearest first."""
    if columns.commitment_id == NO_TEXT:
        return []
    used = f"COALESCE({columns.commitment_use}, '')"
    rows = table.rows(
        f"SELECT {columns.commitment_id} AS id, MAX({columns.commitment_type}), "
        f"SUM(CASE WHEN {used} <> 'Unused' THEN {columns.effective} ELSE 0 END), "
        f"SUM(CASE WHEN {used} = 'Unused' THEN {columns.effective} ELSE 0 END), "
        f"SUM(CASE WHEN {used} = 'Used' THEN {columns.list} ELSE 0 END), "
        f"MAX({columns.commitment_ends_on}) FROM {table.source} "
        f"WHERE COALESCE({columns.commitment_id}, '') <> '' GROUP BY 1 "
        f"ORDER BY 3 DESC, 1 LIMIT {COMMITMENTS_MAX}"
    )
    return [Commitment(*row) for row in rows]


def read_tags(table: Table, columns: Columns) -> list[tuple[str, Decimal]]:
    """Return each set of tags as it is written, with what it cost; the dearest first."""
    if columns.tags == NO_TEXT:
        return []
    return table.rows(
        f"SELECT COALESCE({columns.tags}, ''), SUM({columns.effective}) FROM {table.source} "
        f"GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {TAG_SETS_MAX}"
    )


def bad_cells(table: Table, amounts: Sequence[str], most: int) -> tuple[list[BadCell], int, int]:
    """Return cells that are no numbers, by row, how many in all, and how many rows have any."""
    amounts = table.texts(amounts)
    if not amounts:
        return [], 0, 0
    wrong = [_is_no_amount(name) for name in amounts]
    cells = " + ".join(f"COUNT(*) FILTER ({one})" for one in wrong)
    any_wrong = " OR ".join(wrong)
    ((count, rows_count),) = table.rows(
        f"SELECT {cells}, COUNT(*) FILTER ({any_wrong}) FROM {table.source}"
    )
    if not count:
        return [], 0, 0
    names = ", ".join(identifier(name) for name in amounts)
    rows = table.rows(
        f"SELECT {ROW}, {names} FROM {table.numbered} WHERE {any_wrong} ORDER BY {ROW} LIMIT {most}"
    )
    found = [cell for row in rows for cell in _bad(row, amounts)]
    return found[:most], int(count), int(rows_count)


def _bad(row: tuple[Any, ...], names: Sequence[str]) -> list[BadCell]:
    found = []
    for name, value in zip(names, row[1:], strict=True):
        try:
            Decimal(value or 0)
        except InvalidOperation:
            found.append(BadCell(row[0], name, str(value)[:60]))
    return found
