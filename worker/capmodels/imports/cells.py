"""Cells as numbers, as people and programs write them; those that are none are told by row."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FAULTS_KEPT
from capmodels.imports.origins import Span
from capmodels.written_numbers import Mark, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.spec import JSONDict

_SIZE = re.compile(
    r"^\s*([\d.,\s\u00a0]+?)\s*([kmgtpe]?)(i?)(b|bytes?|o|octets?)?\s*$", re.IGNORECASE
)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}


@dataclass(slots=True)
class Cells:
    """Cells read as numbers; faults are kept by place and row."""

    faults: list[JSONDict] = field(default_factory=list)
    faults_count: int = 0
    rows: dict[str, Span] = field(default_factory=dict)

    def take(self, sheet: str, row: int) -> None:
        """Count in a row that values are read from."""
        self.rows.setdefault(sheet, Span()).add(row)

    def number(self, place: tuple[str, int], row: Mapping[str, Any], *names: str) -> float | None:
        """Return the first of some columns that is there; None when blank or no number."""
        for name in names:
            value = row.get(name)
            if value is None or value == "":
                continue
            try:
                found = float(value) if isinstance(value, int | float) else number_of(str(value))
                return _figure(found)
            except (ValueError, OverflowError):
                self.add(place[1], f"{place[0]}, {name}: {str(value)[:40]!r} is not a number")
                return None
        return None

    def add(self, line: int, what: str) -> None:
        """Count a fault, and keep it while there are few."""
        self.faults_count += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append({"line": line, "message": f"{what}; left out."})

    def document(self) -> JSONDict:
        """The faults as a preview has them."""
        return {"faults": self.faults, "faults_count": self.faults_count}


# Bytes of all drives of a fleet are fewer.
_LARGEST = 1e24


def _figure(value: float) -> float:
    """Raise ValueError for what no figure of a file is: NaN, infinite, or larger than any."""
    if not abs(value) <= _LARGEST:
        raise ValueError(value)
    return value


def bytes_of(text: str, *, alone: str = "", mark: Mark | None = None) -> float:
    """A size such as 512 GB, 4Ti, 1.5 TiB or 64G; ``alone`` is the prefix of one without a unit.

    ``i`` makes it binary; without, a prefix is decimal, as drives are sold. In French bytes are
    octets: 512 Go.

    Raises
    ------
    ValueError
        When it is none.
    """
    found = _SIZE.match(text)
    if found is None:
        raise ValueError(text)
    number, prefix, binary, unit = found.groups()
    if not prefix and not unit:
        prefix, binary = alone[:1].lower(), alone[1:]
    return number_of(number, mark) * float((1024 if binary else 1000) ** _POWERS[prefix.lower()])
