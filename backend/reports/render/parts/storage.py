"""The arrays and coded clusters of the designs year by year: size, load, power, durability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.numbers import missing, quantity
from reports.render.blocks import caption, chip, heading, note, strong, table, together
from reports.render.part import Page, Part, Row, Sheet
from reports.render.parts.years import YEARS_PER_TABLE
from reports.render.sheet_layout import HEAD_ROW, begin, lay_out, put
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import JSONDict, ReportInput
    from reports.render.part import Cell
    from reports.render.workbook import Book

TITLE = "Storage, year by year"
# Field of a year, what it is called, and its unit.
LINES = (
    ("nodes_count", "Nodes", "count"),
    ("arrays_count", "Arrays or clusters", "count"),
    ("drives_count", "Drives, with spares", "count"),
    ("usable_tb", "Capacity", "TB"),
    ("used_fraction", "Filled at its end", "fraction"),
    ("iops_ceiling_per_s", "IOPS it can serve", "1/s"),
    ("response_mean_ms", "Mean response at peak", "ms"),
    ("response_p99_ms", "Response at peak, 99%", "ms"),
    ("mean_w", "Power, mean", "W"),
    ("loss_fraction_per_year", "Chance of data loss", "fraction/yr"),
    ("object_nines_count", "Durability, nines a year", "count"),
    ("rebuild_h", "Rebuild of a drive, longest", "h"),
    ("failures_per_year", "Drives that fail", "1/yr"),
)
INDEPENDENT = (
    "Failures are taken as independent of each other: Failures in batches is 1. Real failures come "
    "together, so the durability told here is the best case."
)


@dataclass(frozen=True, slots=True)
class Store:
    """Arrays of a design, or of one of its tiers."""

    letter: str
    title: str
    array: JSONDict

    @property
    def years(self) -> list[JSONDict]:
        """What they are like in each year."""
        found: list[JSONDict] = self.array.get("years") or []
        return found

    @property
    def safety(self) -> str | None:
        """Why it is unknown how safe data are, or that they are less safe than told."""
        told: str | None = self.array.get("rebuild_bound")
        return told or self.array.get("reasons", {}).get("object_nines_count")

    @property
    def lines(self) -> list[tuple[str, str, str]]:
        """Lines of which something is known."""
        return [line for line in LINES if any(year.get(line[0]) is not None for year in self.years)]


def stores(report: ReportInput) -> list[Store]:
    """Return every kind of arrays that is told year by year."""
    found = []
    for design in report.designs:
        letter, title = design["letter"], design["title"]
        tiers = design.get("tiers") or ()
        found += [Store(letter, f"{title}: {one['name']}", one["array"]) for one in tiers]
        if not tiers and design.get("array"):
            found.append(Store(letter, title, design["array"]))
    return [store for store in found if store.years]


def blocks(page: Page) -> Iterator[JSONDict]:
    """A table for each kind of arrays, so many years side by side."""
    found = stores(page.report)
    if not found:
        return
    yield heading(TITLE, level=1)
    yield caption("At the end of each year, with what has been bought by then.")
    for store in found:
        for first in range(0, len(store.years), YEARS_PER_TABLE):
            yield together(_table(page.report, store, first))
        if store.array.get("growth"):
            yield note(f"{store.letter}: {breakable(store.array['growth'])}")
        if store.safety is not None:
            yield note(f"{store.letter}: {store.safety}")
    letters = dict.fromkeys(store.letter for store in found if store.array.get("independent"))
    if letters:
        yield note(f"{', '.join(letters)}: {INDEPENDENT}")


def _table(report: ReportInput, store: Store, first: int) -> JSONDict:
    years = store.years[first : first + YEARS_PER_TABLE]
    head = [*chip(store.letter), *strong(breakable(store.title))]
    rows = [
        [label, *(_told(year.get(field), unit, report) for year in years)]
        for field, label, unit in store.lines
    ]
    widths = (1.6, *(1.0 for _ in years))
    return table([head, *(f"Year {year['year']}" for year in years)], rows, widths, size_pt=8.0)


def _told(value: float | None, unit: str, report: ReportInput) -> str:
    return missing() if value is None else quantity(value, unit, report.currency)


def fill_storage(book: Book, sheet: Worksheet) -> None:
    """Write each figure of each kind of arrays, a column a year."""
    found = stores(book.report)
    count = max((len(store.years) for store in found), default=0)
    heads = ("Design", "Figure", "Unit", *(f"Year {year + 1}" for year in range(count)))
    words = "At the end of each year." if found else "No design has arrays."
    if any(store.array.get("independent") for store in found):
        words = f"{words} {INDEPENDENT}"
    safety = dict.fromkeys(f"{one.letter}: {one.safety}" for one in found if one.safety)
    words = " ".join((words, *safety))
    begin(sheet, TITLE, words, heads)
    row = HEAD_ROW
    for store in found:
        for field, label, unit in store.lines:
            row += 1
            told = (f"{store.letter}, {store.title}", label, book.currency.unit(unit))
            values = (book.currency.amount(year.get(field), unit) for year in store.years)
            for column, value in enumerate((*told, *values), start=1):
                put(sheet, row, column, value)
    lay_out(sheet, [40, 28, 14, *(14 for _ in range(count))])


def csv_rows(report: ReportInput) -> Iterator[Row]:
    """Each figure of each year; of designs whose data are placed by age none."""
    placed = [design["letter"] for design in report.designs if design.get("tiers")]
    told = {one.letter: one.years for one in stores(report) if one.letter not in placed}
    years = [told.get(design["letter"], []) for design in report.designs]
    for year in range(max(map(len, years), default=0)):
        for field, label, unit in LINES:
            cells: list[Cell] = [
                found[year].get(field) if year < len(found) else None for found in years
            ]
            if any(cell is not None for cell in cells):
                yield "storage", f"{year + 1}.{field}", f"{label}, year {year + 1}", unit, cells


PART = Part(
    id="storage",
    title=TITLE,
    appendix=True,
    blocks=blocks,
    sheets=(Sheet(TITLE, fill_storage),),
    rows=csv_rows,
)
