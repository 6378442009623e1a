"""Tables of what a file says, as the screen draws them: an importer gives rows, never a layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capmodels.spec import JSONDict

SaidAs = Literal["text", "count", "fraction", "date", "money", "quantity"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, the key of a row that it shows, and how that is said.

    ``unit`` is the unit of a quantity, or the currency of an amount.
    """

    title: str
    key: str
    said_as: SaidAs = "text"
    unit: str = ""


def table(
    title: str, columns: Sequence[Column], rows: Iterable[Mapping[str, Any]], note: str = ""
) -> JSONDict:
    """Return a table; what a row has not is null."""
    return {
        "title": title,
        "note": note,
        "columns": [
            {"title": one.title, "said_as": one.said_as, "unit": one.unit or None}
            for one in columns
        ],
        "rows": [[row.get(one.key) for one in columns] for row in rows],
    }


def cents(amount: float) -> str:
    """An amount to the cent, as a table holds it; what is less than half a cent is nothing.

    >>> cents(-1e-9), cents(1234.565), cents(-0.5)
    ('0.00', '1234.57', '-0.50')
    """
    return f"{round(amount, 2) + 0.0:.2f}"
