"""The first sheet of the workbook: the verdict as computed, totals that follow the cells."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from capmodels.numbers import day, snapshot_day
from reports.render.cover import verdict_points
from reports.render.part import Part, Sheet
from reports.render.sheet_layout import (
    BIG,
    BOLD,
    GREY,
    RIGHT,
    across,
    high_enough,
    lay_out,
    put_heads,
    put_text,
    put_value,
)
from reports.render.text import shortened, unmarked
from reports.render.workbook import ASSUMPTIONS, CENTS, RATE_CELL, SUMMARY, YEARS, Block, Book

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict

SENTENCE = (
    "The sentence is as computed, by the amounts of the last column; the other amounts are of the "
    "values as entered and follow the blue cells."
)


def fill_summary(book: Book, sheet: Worksheet) -> None:
    """Write the verdict as computed, and the totals as they follow from the other sheets."""
    report = book.report
    put_text(sheet, "A1", report.title, BIG)
    put_text(sheet, "A2", report.question, GREY)
    put_text(sheet, "A3", unmarked(report.comparison["verdict"]["headline"]), BOLD)
    put_text(sheet, "A4", SENTENCE, GREY)
    code = book.currency.code
    heads = [
        "Design",
        "Meets demand",
        f"Cost, as entered ({code})",
        f"Above the cheapest, as entered ({code})",
        f"Present value, as entered ({code})",
        f"Equivalent annual cost, as entered ({code}/yr)",
        f"Cost before changes, as entered ({code})",
        f"Changed by ({code})",
        f"{book.measure} ({code})",
    ]
    put_heads(sheet, 6, heads)
    last = 6 + len(book.blocks)
    for place, block in enumerate(book.blocks):
        _summary_row(book, sheet, block, (7 + place, last))
    row = last + 2
    put_text(sheet, f"A{row}", "Cheapest at entered values of those that meet demand", BOLD)
    # A design that does not carry the load cannot be the cheapest: it counts as very dear.
    put_value(
        sheet,
        f"C{row}",
        f'=IF(SUM(L7:L{last})=1,INDEX(J7:J{last},MATCH(MIN(K7:K{last}),K7:K{last},0)),"several")',
        "@",
    ).font = BOLD
    sheet[f"C{row}"].alignment = RIGHT
    said = verdict_points(report.comparison)
    for place, (label, sentence) in enumerate(said):
        put_text(sheet, f"A{row + 2 + place}", f"{label}: {unmarked(sentence)}")
    end = row + 3 + len(said)
    put_text(sheet, f"A{end}", _stamp(book), GREY)
    _hours_down(book, sheet, end + 2)
    lay_out(sheet, [46, *(book.amount_width for _ in heads[1:]), 8, 8, 8])
    high_enough(sheet, 6)
    for sentence in (2, 3, 4, *range(row + 2, end - 1), end):
        across(sheet, sentence, len(heads))
    sheet.print_area = f"A1:I{end + 2 + len(book.blocks)}"
    for column in ("J", "K", "L"):
        sheet.column_dimensions[column].hidden = True
    sheet.freeze_panes = "B7"


def _summary_row(book: Book, sheet: Worksheet, block: Block, place: tuple[int, int]) -> None:
    row, last = place
    design: JSONDict = block.design
    total = f"'{YEARS}'!{book.total}"
    years = f"({ASSUMPTIONS}!$B$6/12)"
    annuity = f"E{row}*{RATE_CELL}/(1-(1+{RATE_CELL})^(-{years}))"
    put_text(sheet, f"A{row}", f"{design['letter']}, {shortened(design['title'], 60)}")
    carries = put_text(sheet, f"B{row}", "yes" if design["carries_load"] else "no")
    carries.alignment = RIGHT
    put_value(sheet, f"C{row}", f"={total}{block.row('Cost, undiscounted')}").font = BOLD
    ranked = "E" if book.report.by_value else "C"
    put_value(sheet, f"D{row}", f"={ranked}{row}-MIN($K$7:$K${last})")
    put_value(sheet, f"E{row}", f"={total}{block.row('Present value')}")
    put_value(sheet, f"F{row}", f"=IF({RATE_CELL}=0,E{row}/{years},{annuity})")
    put_value(
        sheet, f"G{row}", floor(book.currency.amount(design["total_usd"]) * CENTS + 0.5) / CENTS
    )
    put_value(sheet, f"H{row}", f"=ROUND(C{row}-G{row},2)")
    put_value(sheet, f"I{row}", book.currency.amount(book.report.rank_usd(design)))
    put_text(sheet, f"J{row}", design["letter"])
    put_value(sheet, f"K{row}", f'=IF(B{row}="yes",{ranked}{row},1E+99)')
    put_value(sheet, f"L{row}", f"=IF(K{row}=MIN($K$7:$K${last}),1,0)")


def _hours_down(book: Book, sheet: Worksheet, row: int) -> None:
    """Write the hours down of each design and what they are made of, or why they are unknown."""
    downtimes = [design.get("downtime") for design in book.report.designs]
    if not any(downtimes):
        # Answers of before 2.50 say nothing of it.
        return
    put_heads(sheet, row, ["Design", "Hours down a year, as entered (h/yr)", "What"])
    for at, (design, known) in enumerate(zip(book.report.designs, downtimes, strict=True), row + 1):
        put_text(sheet, f"A{at}", f"{design['letter']}, {shortened(design['title'], 60)}")
        hours = (known or {}).get("h_per_year")
        if hours is None:
            put_text(sheet, f"B{at}", "—")
        else:
            put_value(sheet, f"B{at}", hours)
        put_text(sheet, f"C{at}", (known or {}).get("what") or (known or {}).get("reason") or "")


def _stamp(book: Book) -> str:
    report = book.report
    parts = [f"Made on {day(report.created_at)}"]
    if report.snapshot:
        parts.append(f"catalogue of {snapshot_day(report.snapshot)}")
    parts += [f"{h.model} {h.version}, inputs {h.inputs_hash}" for h in report.hashes]
    return "; ".join(parts) + "."


PART = Part(id="summary", title="Summary", sheets=(Sheet(SUMMARY, fill_summary),))
