"""The cells to change: the discount rate, and a change of each cause of each design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from reports.render.part import Part, Sheet
from reports.render.sheet_layout import (
    BIG,
    BOLD,
    GREY,
    RIGHT,
    high_enough,
    lay_out,
    put_heads,
    put_input,
    put_text,
    put_value,
)
from reports.render.workbook import (
    ASSUMPTIONS,
    FIRST_CAUSE_ROW,
    PAID_AT,
    SHARE,
    SPREAD,
    Book,
    cause_name,
    column_letter,
)

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


def fill_assumptions(book: Book, sheet: Worksheet) -> None:
    """Write the cells to change: discount rate, and a change of each cause of each design."""
    put_text(sheet, "A1", "Assumptions", BIG)
    put_text(sheet, "A2", "Change the blue cells; every other sheet follows.", GREY)
    put_text(sheet, "A4", "Discount rate (per year)")
    put_input(sheet, "B4", book.rate, SHARE)
    words = f"The value left at the end stays as computed at {percent(book.rate)}."
    put_text(sheet, "C4", words, GREY)
    put_text(sheet, "A5", "Currency of all amounts")
    put_text(sheet, "B5", book.currency.code).alignment = RIGHT
    if (per_usd := book.report.currency.per_usd) != 1:
        put_text(sheet, "C5", f"Prices are held in US dollars, at {per_usd:g} each.", GREY)
    put_text(sheet, "A6", "Horizon (months)")
    put_value(sheet, "B6", book.report.comparison["horizon_months"], "0")
    put_text(
        sheet,
        f"A{FIRST_CAUSE_ROW - 2}",
        "Change of a cause, by design (10% makes it more expensive)",
        BOLD,
    )
    letters = [block.design["letter"] for block in book.blocks]
    paid = "Paid in the year at (0 start, 0.5 spread, 1 end)"
    put_heads(sheet, FIRST_CAUSE_ROW - 1, ["Cause", *letters, paid])
    for place, cause in enumerate(book.causes):
        row = FIRST_CAUSE_ROW + place
        put_text(sheet, f"A{row}", _shared_name(book, cause))
        for index in range(len(letters)):
            put_input(sheet, f"{column_letter(2 + index)}{row}", 0.0, SHARE)
        put_input(
            sheet, f"{column_letter(2 + len(letters))}{row}", PAID_AT.get(cause, SPREAD), "0.0"
        )
    lay_out(sheet, [34, *(12 for _ in letters), 26])
    high_enough(sheet, FIRST_CAUSE_ROW - 1)
    sheet.freeze_panes = f"B{FIRST_CAUSE_ROW}"


def _shared_name(book: Book, cause: str) -> str:
    names = {cause_name(block.design, cause) for block in book.blocks if cause in block.causes}
    return " / ".join(sorted(names))


PART = Part(
    id="assumptions",
    title="Assumptions to change",
    sheets=(Sheet(ASSUMPTIONS, fill_assumptions),),
)
