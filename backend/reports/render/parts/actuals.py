"""Plan against what happened: what the approved design cost and used by month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, money, money_change, percent, quantity
from capmodels.plans.figures.actuals import paid_so_far
from reports.render.blocks import caption, chart, heading, table, words
from reports.render.part import Page, Part, Row, Sheet
from reports.render.workbook import column_letter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.worksheet.worksheet import Worksheet

    from capmodels.numbers import Currency
    from reports.render.contents import JSONDict, ReportInput
    from reports.render.part import Cell
    from reports.render.workbook import Book

MONTHS = ("Month", "Planned", "Actual", "Difference", "Planned energy", "Actual energy", "So far")
CAUSES = ("Cause", "Months", "Planned", "Actual", "Difference")
EXPLAINED = (
    "Months that were entered or taken from a bill, beside the version that was approved. A month "
    "that nobody entered is unknown, and sums so far end there."
)
NAME = "Plan and actual"
NONE = "No month of what the study's design cost was entered."
MONTH_FIGURES = (
    ("planned_usd", "Planned", "USD"),
    ("actual_usd", "Actual", "USD"),
    ("difference_usd", "Difference", "USD"),
    ("planned_kwh", "Planned energy", "kWh"),
    ("actual_kwh", "Actual energy", "kWh"),
    ("planned_so_far_usd", "Planned so far", "USD"),
    ("p10_so_far_usd", "P10 so far", "USD"),
    ("p90_so_far_usd", "P90 so far", "USD"),
    ("actual_so_far_usd", "Actual so far", "USD"),
)
WITHIN = {True: "within P10 to P90", False: "outside of P10 to P90"}


def blocks(page: Page) -> Iterator[JSONDict]:
    """The sentence, a line for each month and each cause; nothing where no month was entered."""
    found, currency = page.report.actuals, page.report.currency
    if found is None:
        return
    yield heading("Plan against what happened", level=1)
    approved = f"{found['approved']}, design {found['letter']}, {found['title']}. "
    yield words(approved + found["sentence"])
    yield caption(EXPLAINED)
    yield _chart(page, found)
    yield _table(MONTHS, [_month(one, currency) for one in _entered(found)])
    if found["causes"]:
        yield heading("By cause")
        yield _table(CAUSES, [_cause(one, currency) for one in found["causes"]])


def _chart(page: Page, found: JSONDict) -> JSONDict:
    from reports.render.draw import told

    currency = page.report.currency
    figure = paid_so_far(found)
    named = figure.model_copy(update={"title": figure.name})
    return chart(named, lambda it: told.drawn(it.model_dump(), currency) or b"")


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> JSONDict:
    return table(heads, rows, ["auto"] * len(heads), left=(0,), size_pt=9.0)


def _month(one: JSONDict, currency: Currency) -> tuple[str, ...]:
    off = one["difference_usd"]
    return (
        one["month"],
        money(one["planned_usd"], currency),
        money(one["actual_usd"], currency),
        missing() if off is None else money_change(off, currency),
        quantity(one["planned_kwh"], "kWh"),
        quantity(one["actual_kwh"], "kWh"),
        WITHIN.get(one["is_within"], missing()),
    )


def _cause(one: JSONDict, currency: Currency) -> tuple[str, ...]:
    share = one["difference_fraction"]
    of = "" if share is None else f" ({percent(share)})"
    return (
        one["label"],
        f"{one['months_count']}",
        money(one["planned"], currency),
        money(one["actual"], currency),
        money_change(one["difference"], currency) + of,
    )


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """Each month and each cause, in the column of the design that was built."""
    found = report.actuals
    if found is None:
        return
    letters = [design["letter"] for design in report.designs]

    def row(name: str, label: str, unit: str, value: float | None) -> Row:
        cells: list[Cell] = [value if one == found["letter"] else None for one in letters]
        return "actuals", name, label, unit, cells

    for one in found["months"]:
        if one["actual_usd"] is None and one["actual_kwh"] is None:
            continue
        for field, label, unit in MONTH_FIGURES:
            yield row(f"{one['month']}.{field}", f"{label}, {one['month']}", unit, one[field])
    for cause in found["causes"]:
        for field in ("planned", "actual", "difference"):
            label = f"{cause['label']}, {field}, {cause['months_count']} months"
            yield row(f"{cause['cause']}.{field}", label, "USD", cause[field])


def fill_sheet(book: Book, sheet: Worksheet) -> None:
    """A line for each month that was entered, then one for each cause; differences by formula."""
    from reports.render.sheet_layout import BOLD, HEAD_ROW, begin, lay_out, put, put_value

    found = book.report.actuals
    if found is None:
        begin(sheet, NAME, NONE, ())
        return
    said = f"{found['approved']}, design {found['letter']}. {found['sentence']}"
    heads = (
        "Month",
        *(f"{label} ({book.currency.unit(unit)})" for _, label, unit in MONTH_FIGURES),
    )
    begin(sheet, NAME, said, heads)
    lay_out(sheet, [26.0, *(18.0 for _ in MONTH_FIGURES)])
    at = HEAD_ROW + 1
    for one in _entered(found):
        put(sheet, at, 1, one["month"])
        for column, (field, _, unit) in enumerate(MONTH_FIGURES, start=2):
            if field == "difference_usd":
                known = one["actual_usd"] is not None
                put_value(sheet, f"D{at}", f"=C{at}-B{at}" if known else "")
            elif one[field] is not None:
                put_value(
                    sheet, f"{column_letter(column)}{at}", book.currency.amount(one[field], unit)
                )
        at += 1
    if found["causes"]:
        put(sheet, at + 1, 1, "By cause", BOLD)
        at += 2
    for cause in found["causes"]:
        put(sheet, at, 1, f"{cause['label']}, {cause['months_count']} months")
        put_value(sheet, f"B{at}", book.currency.amount(cause["planned"]))
        put_value(sheet, f"C{at}", book.currency.amount(cause["actual"]))
        put_value(sheet, f"D{at}", f"=C{at}-B{at}")
        at += 1


def _entered(found: JSONDict) -> list[JSONDict]:
    return [
        one
        for one in found["months"]
        if one["actual_usd"] is not None or one["actual_kwh"] is not None
    ]


PART = Part(
    id="actuals",
    title="Plan against what happened",
    blocks=blocks,
    sheets=(Sheet(NAME, fill_sheet),),
    rows=csv_rows,
)
