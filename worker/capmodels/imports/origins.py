"""Where a value of an import is from: the file, its rows, and the day that it is of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.imports.registry import Options
    from capmodels.spec import JSONDict


@dataclass(slots=True)
class Span:
    """Rows of a file that a value is the sum of, counted as the file has them, its head first."""

    first: int = 0
    last: int = 0
    count: int = 0

    def add(self, first: int, last: int | None = None, count: int = 1) -> None:
        """Count rows in."""
        last = first if last is None else last
        self.first = min(self.first or first, first)
        self.last = max(self.last, last)
        self.count += count

    def document(self) -> list[int]:
        """As a preview has it."""
        return [self.first, self.last, self.count]


def rows_said(span: Sequence[int] | None, sheet: str = "") -> str:
    """Say which rows; nothing where they are not known.

    >>> rows_said([2, 31, 30]), rows_said([7, 7, 1]), rows_said([2, 90, 12], "vHost")
    ('rows 2 to 31', 'row 7', 'vHost, 12 of rows 2 to 90')
    """
    if not span or not span[2]:
        return ""
    first, last, count = span
    said = f"row {first}" if first == last else f"rows {first} to {last}"
    if count < last - first + 1:
        said = f"{count} of {said}"
    return f"{sheet}, {said}" if sheet else said


def origin_of(
    options: Options, quality: str, *, rows: str, what: str = "", as_of: str = ""
) -> JSONDict:
    """Return the origin of values that an import gives to a study."""
    said = ", ".join(filter(None, (options.file_name, what, rows)))
    return {
        "quality": quality,
        "source": said[:300],
        "as_of": as_of or options.as_of,
        "file": options.file_name,
        **({"rows": rows} if rows else {}),
    }
