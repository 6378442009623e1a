"""A part of a report: what it puts on pages of the PDF, into the workbook and into the CSV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from openpyxl.worksheet.worksheet import Worksheet

    from reports.render.contents import Format, JSONDict, ReportInput
    from reports.render.workbook import Book

Cell = str | float | None
# Section, id, label and unit of a figure, and its value by design.
Row = tuple[str, str, str, str, list[Cell]]


@dataclass(frozen=True, slots=True)
class Page:
    """What the pages of a part are made from. Charts are drawn as wide as they are shown."""

    report: ReportInput
    width_in: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of the workbook, filled once all sheets stand."""

    name: str
    fill: Callable[[Book, Worksheet], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a report; ``title`` is what lists call it, ``blocks`` are of `render.blocks`.

    Pages of the ``appendix`` follow those for who decides, where they are asked for.
    """

    id: str
    title: str
    blocks: Callable[[Page], Iterable[JSONDict]] | None = None
    sheets: tuple[Sheet, ...] = ()
    rows: Callable[[ReportInput], Iterable[Row]] | None = None
    appendix: bool = False

    @property
    def formats(self) -> tuple[Format, ...]:
        """Which kinds of file have it."""
        given: dict[Format, bool] = {
            "pdf": self.blocks is not None,
            "xlsx": bool(self.sheets),
            "csv": self.rows is not None,
        }
        return tuple(name for name, has in given.items() if has)
