"""Prices, nodes and growth to change, and what each changes.

*Drivers* has a cell to change for each input, and beside it how much each of its knots
counts at that value: one at a knot, in proportion between two, on the last line beyond. *Effects*
has, by design and cause, what the plan's amounts change by at each knot; its sums by year
are added to *Year by year*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.render.contents import DEPRECIATION
from reports.render.part import Part, Sheet
from reports.render.sheet_layout import BLUE, BOLD, HEAD_ROW, INPUT, begin, lay_out, put
from reports.render.workbook import DRIVERS, EFFECTS, WHOLE, cause_name, column_letter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import Driver
    from reports.render.workbook import Book

FIRST_ROW = HEAD_ROW + 1
KNOTS_MOST = 3
VALUE_COLUMN, FIRST_KNOT, FIRST_WEIGHT = 3, 6, 6 + KNOTS_MOST
PRICE = "#,##0.00####"


def fill_drivers(book: Book, sheet: Worksheet) -> None:
    """Write the inputs to change, and the weights of their knots as formulas."""
    knots = [f"Knot {k}" for k in range(1, KNOTS_MOST + 1)]
    weights = [f"Weight {k}" for k in range(1, KNOTS_MOST + 1)]
    words = (
        "Change the blue cells; all totals follow. Effects are the model's own answers at the "
        "knots, one input at a time; in between they are interpolated, together they add up."
    )
    heads = ("Part", "Input", "Value", "As entered", "Unit", *knots, *weights)
    begin(sheet, "Drivers", words, heads)
    for row, driver in enumerate(book.report.drivers, start=FIRST_ROW):
        put(sheet, row, 1, driver.part)
        put(sheet, row, 2, driver.label)
        for column in (VALUE_COLUMN, VALUE_COLUMN + 1):
            value = book.currency.amount(driver.value, driver.unit)
            put(sheet, row, column, value).number_format = _style(driver)
        changed = sheet.cell(row, VALUE_COLUMN)
        changed.font, changed.fill = BLUE, INPUT
        put(sheet, row, VALUE_COLUMN + 2, book.currency.unit(driver.unit))
        for place, knot in enumerate(driver.knots):
            at = book.currency.amount(knot, driver.unit)
            put(sheet, row, FIRST_KNOT + place, at).number_format = _style(driver)
            formula = _weight(row, place, len(driver.knots))
            _formula(sheet, row, FIRST_WEIGHT + place, formula).number_format = "0.000"
    lay_out(sheet, [26, 46, 14, 14, 14, *(11 for _ in knots), *(10 for _ in weights)])


def _style(driver: Driver) -> str:
    return "0.0##%" if driver.unit.startswith("fraction") else PRICE


def _formula(sheet: Worksheet, row: int, column: int, text: str) -> Any:
    cell = put(sheet, row, column, None)
    cell.value = text
    return cell


def _weight(row: int, place: int, count: int) -> str:
    """How much a knot counts: what has been passed before it, less what is passed after it."""
    before = _passed(row, place - 1, count) if place else "1"
    after = _passed(row, place, count) if place < count - 1 else "0"
    return f"={before}-{after}"


def _passed(row: int, gap: int, count: int) -> str:
    """The share of the gap after a knot that the value has passed; straight on at both ends."""
    value = f"${column_letter(VALUE_COLUMN)}{row}"
    low, high = (f"{column_letter(FIRST_KNOT + gap + step)}{row}" for step in (0, 1))
    share = f"({value}-{low})/({high}-{low})"
    if gap > 0:
        share = f"MAX(0,{share})"
    if gap < count - 2:
        share = f"MIN(1,{share})"
    return share


def fill_effects(book: Book, sheet: Worksheet) -> None:
    """Write what each driver changes a cause by at its knots, and the sum at its value."""
    years = [f"Year {year + 1}" for year in range(book.years)]
    at_knots = [f"{year}, knot {k}" for year in years for k in range(1, KNOTS_MOST + 1)]
    code = book.currency.code
    words = f"In {code}. What the drivers change, by design and cause; added in Year by year."
    begin(sheet, "Effects", words, ("Design", "Cause", "Driver", *years, *at_knots))
    for row, (letter, cause, at, driver) in enumerate(_effects(book), start=FIRST_ROW):
        block = next(block for block in book.blocks if block.design["letter"] == letter)
        name = "Depreciation" if cause == DEPRECIATION else cause_name(block.design, cause)
        for column, text in enumerate((letter, name, driver.label), start=1):
            put(sheet, row, column, text)
        weights = [
            f"${column_letter(FIRST_WEIGHT + k)}${FIRST_ROW + at}" for k in range(KNOTS_MOST)
        ]
        for year in range(book.years):
            first = 4 + book.years + year * KNOTS_MOST
            for place, usd in enumerate(driver.amounts[letter, cause]):
                amount = book.currency.amount(usd[year]) if year < len(usd) else 0.0
                put(sheet, row, first + place, amount).number_format = WHOLE
            last = first + len(driver.knots) - 1
            cells = f"{column_letter(first)}{row}:{column_letter(last)}{row}"
            reach = f"{DRIVERS}!{weights[0]}:{weights[len(driver.knots) - 1]}"
            total = _formula(sheet, row, 4 + year, f"=SUMPRODUCT({cells},{reach})")
            total.number_format, total.font = WHOLE, BOLD
    lay_out(sheet, [8, 22, 40, *(14 for _ in years), *(12 for _ in at_knots)])


def _effects(book: Book) -> Iterator[tuple[str, str, int, Driver]]:
    """Every effect, those of one design and cause together."""
    places: dict[tuple[str, str], list[tuple[int, Driver]]] = {}
    for at, driver in enumerate(book.report.drivers):
        for letter, cause in driver.amounts:
            places.setdefault((letter, cause), []).append((at, driver))
    letters = {block.design["letter"] for block in book.blocks}
    for (letter, cause), members in sorted(places.items(), key=lambda item: item[0]):
        if letter in letters:
            for at, driver in members:
                yield letter, cause, at, driver


def effect_rows(book: Book) -> dict[tuple[str, str], tuple[int, int]]:
    """Return where the effects on each design and cause stand: the first and the last row."""
    rows: dict[tuple[str, str], tuple[int, int]] = {}
    for row, (letter, cause, _at, _driver) in enumerate(_effects(book), start=FIRST_ROW):
        first, _last = rows.get((letter, cause), (row, row))
        rows[letter, cause] = (first, row)
    return rows


PART = Part(
    id="drivers",
    title="Prices, nodes and growth to change",
    sheets=(Sheet(DRIVERS, fill_drivers), Sheet(EFFECTS, fill_effects)),
)
