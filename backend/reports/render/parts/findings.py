"""What the like-for-like check found, and lease or buy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.part import Part, Sheet
from reports.render.sheet_layout import HEAD_ROW, begin, lay_out, put
from reports.render.workbook import WHOLE

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.workbook import Book

FINDINGS = "Like-for-like check"


def fill_findings(book: Book, sheet: Worksheet) -> None:
    """Write the findings of the like-for-like check, accepted ones with why."""
    found = book.report.like_for_like
    words = "Where the designs are not compared on the same terms." if found else "No findings."
    heads = ("Rule", "Finding", "Status", f"Change of the gap ({book.currency.code})", "Field")
    begin(sheet, FINDINGS, words, heads)
    for row, one in enumerate(found, start=HEAD_ROW + 1):
        status = f"Accepted: {one['accepted']}" if one["accepted"] else "Open"
        told = (
            one["title"],
            one["sentence"],
            status,
            book.currency.amount(one["money_usd"]),
            one["pointer"],
        )
        for column, value in enumerate(told, start=1):
            put(sheet, row, column, value)
        sheet.cell(row, 4).number_format = WHOLE
    for row, sentence in enumerate(book.report.leases, start=HEAD_ROW + 1 + len(found)):
        put(sheet, row, 1, "Lease or buy")
        put(sheet, row, 2, sentence)
    lay_out(sheet, [34, 80, 40, 18, 44])


PART = Part(
    id="findings",
    title="Like-for-like check, lease or buy",
    sheets=(Sheet(FINDINGS, fill_findings),),
)
