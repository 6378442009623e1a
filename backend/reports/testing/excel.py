"""A small evaluator of workbook formulas, independent of what wrote them.

Knows the operators ``+ - * / ^ =`` and the few functions that the workbook uses. In a
spreadsheet a minus before a number binds tighter than a power.
"""

from __future__ import annotations

import io
import math
import re
from functools import cached_property
from typing import Any

import openpyxl

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?)|(?P<text>"[^"]*")
    |(?P<ref>(?:'[^']+'!|\w+!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)
    |(?P<name>[A-Z]+)(?=\()|(?P<op>[-+*/^=(),]))""",
    re.VERBOSE,
)
Value = Any


class Sheets:
    """A workbook whose cells can be changed and read, formulas computed."""

    def __init__(self, file: bytes) -> None:
        """Read the workbook."""
        self.book = openpyxl.load_workbook(io.BytesIO(file))
        self._known: dict[tuple[str, str], Value] = {}

    def set(self, sheet: str, cell: str, value: float) -> None:
        """Type a value into a cell."""
        self.book[sheet][cell].value = value
        self._known.clear()

    def get(self, sheet: str, cell: str) -> Value:
        """Return a cell's value, its formula computed."""
        key = (sheet, cell)
        if key not in self._known:
            stored = self.book[sheet][cell]
            value = stored.value
            if stored.data_type == "f":
                value = Formula(self, sheet, str(value)[1:]).value
            self._known[key] = 0.0 if value is None else value
        return self._known[key]

    def find(self, sheet: str, column: str, text: str, after: int = 0) -> int:
        """Return the first row below ``after`` whose cell in a column starts with a text."""
        for row in range(after + 1, self.book[sheet].max_row + 1):
            if str(self.book[sheet][f"{column}{row}"].value or "").startswith(text):
                return row
        raise KeyError(text)


class Formula:
    """A recursive-descent reading of one formula."""

    def __init__(self, sheets: Sheets, sheet: str, text: str) -> None:
        """Split the formula into tokens."""
        self.sheets, self.sheet = sheets, sheet
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            assert match, f"cannot read {text[place:]!r}"
            kind = match.lastgroup or ""
            self.tokens.append((kind, match[kind]))
            place = match.end()
        self.at = 0

    @cached_property
    def value(self) -> Value:
        """The value of the whole formula."""
        found = self._equal()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return found

    def _peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _take(self) -> tuple[str, str]:
        self.at += 1
        return self.tokens[self.at - 1]

    def _equal(self) -> Value:
        left = self._sum()
        while self._peek() == "=":
            self._take()
            left = left == self._sum()
        return left

    def _sum(self) -> Value:
        left = self._product()
        while self._peek() in {"+", "-"} and self._peek():
            sign = self._take()[1]
            right = self._product()
            left = left + right if sign == "+" else left - right
        return left

    def _product(self) -> Value:
        left = self._power()
        while self._peek() in {"*", "/"} and self._peek():
            sign = self._take()[1]
            right = self._power()
            left = left * right if sign == "*" else _quotient(left, right)
        return left

    def _power(self) -> Value:
        left = self._signed()
        while self._peek() == "^":
            self._take()
            left = left ** self._signed()
        return left

    def _signed(self) -> Value:
        if self._peek() == "-":
            self._take()
            return -self._signed()
        return self._atom()

    def _atom(self) -> Value:
        kind, text = self._take()
        if kind == "number":
            return float(text)
        if kind == "text":
            return text.strip('"')
        if kind == "ref":
            return self._reference(text)
        if kind == "name":
            return self._call(text)
        assert text == "(", text
        inner = self._equal()
        assert self._take()[1] == ")"
        return inner

    def _reference(self, text: str) -> Value:
        name, _, place = text.rpartition("!")
        sheet = name.strip("'") or self.sheet
        first, _, last = place.replace("$", "").partition(":")
        if not last:
            return self.sheets.get(sheet, first)
        cells = self.sheets.book[sheet][f"{first}:{last}"]
        return [self.sheets.get(sheet, cell.coordinate) for row in cells for cell in row]

    def _call(self, name: str) -> Value:
        assert self._take()[1] == "("
        given = [self._equal()]
        while self._peek() == ",":
            self._take()
            given.append(self._equal())
        assert self._take()[1] == ")"
        return _FUNCTIONS[name](*given)


def _quotient(left: float, right: float) -> float:
    # A branch of IF that is not taken may divide by zero.
    return left / right if right else math.nan


def _flat(given: tuple[Value, ...]) -> list[float]:
    return [v for one in given for v in (one if isinstance(one, list) else [one])]


_FUNCTIONS: dict[str, Any] = {
    "SUM": lambda *given: math.fsum(_flat(given)),
    "MIN": lambda *given: min(_flat(given)),
    "MAX": lambda *given: max(_flat(given)),
    "SUMPRODUCT": lambda a, b: math.fsum(x * y for x, y in zip(a, b, strict=True)),
    "MATCH": lambda wanted, among, _exact: among.index(wanted) + 1,
    "INDEX": lambda among, place: among[int(place) - 1],
    "ROUND": lambda value, digits: (
        math.floor(abs(value) * 10**digits + 0.5) / 10**digits * (-1 if value < 0 else 1)
    ),
    "IF": lambda test, yes, no: yes if test else no,
}
