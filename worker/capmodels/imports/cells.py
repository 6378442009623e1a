"""Cells as numbers, as people and programs write them; those that are none are told by row."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from capmodels.formats.chunks import FAULTS_KEPT
from capmodels.imports.origins import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capmodels.spec import JSONDict

Mark = Literal[".", ","]
_SIGNED = re.compile(r"^\((.+)\)$|^(.+)-$")
_SPACES = re.compile(r"[\s\u00a0\u2009\u202f'\u2019]+")
_NUMBERS = re.compile(r"\d[\d.,]*")
# Thousands by three digits, or by two as in India.
_GROUPS = re.compile(r"^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$")

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


def mark_of(texts: Iterable[str]) -> Mark | None:
    """The decimal mark that some cells of one file agree on; None where they do not say.

    >>> mark_of(["1.250", "15,36"]), mark_of(["1,250", "15.36"]), mark_of(["1.250", "7"])
    (',', '.', None)
    """
    said = {_own_mark(one) for text in texts for one in _NUMBERS.findall(text)} - {None}
    return said.pop() if len(said) == 1 else None


def number_of(text: str, mark: Mark | None = None) -> float:
    """A number; ``mark`` says which sign its file has before decimals, where it does not itself.

    >>> number_of("1.250"), number_of("1.250", ","), number_of("(1,500.00)"), number_of("0,125")
    (1.25, 1250.0, -1500.0, 0.125)

    Raises
    ------
    ValueError
        When it is none.
    """
    plain = _SPACES.sub("", text)
    signed = _SIGNED.match(plain)
    if signed:
        plain = f"-{signed[1] or signed[2]}"
    if (_own_mark(plain) or mark) == ",":
        plain = plain.replace(".", "\0").replace(",", ".").replace("\0", ",")
    if "," not in plain:
        return float(plain)
    if not _GROUPS.match(plain):
        raise ValueError(text)
    return float(plain.replace(",", ""))


def _own_mark(number: str) -> Mark | None:
    """What a number says of its own mark: the later sign, or one that parts no three digits."""
    comma, dot = number.rfind(","), number.rfind(".")
    if comma < 0 and dot < 0:
        return None
    if "e" in number.lower():
        return "."  # with an exponent only programs write
    if comma >= 0 and dot >= 0:
        return "," if comma > dot else "."
    last: Mark = "," if comma >= 0 else "."
    other: Mark = "." if comma >= 0 else ","
    before, *parts = number.lstrip("+-").split(last)
    if len(parts) > 1:
        return other
    is_group = len(parts[0]) == 3 and 1 <= len(before) <= 3 and before.strip("0") != ""
    return None if is_group else last


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
