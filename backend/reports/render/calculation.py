"""What the formulas of a workbook give: the values that previews show before a program computes.

A formula is read as an expression of Python, whose precedence is that of a spreadsheet for the
operators used here: a minus stands only between two terms or in brackets of its own.
Heavy: openpyxl.
"""

from __future__ import annotations

import ast
import io
import math
import operator
import re
import zipfile
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Callable

    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

Value = float | str | bool
_TEXT_OR_CELLS = re.compile(
    r"""(?P<text>"[^"]*")
    |(?:(?:'(?P<quoted>[^']+)'|(?P<plain>[A-Za-z]\w*))!)?
     \$?(?P<column>[A-Z]{1,3})\$?(?P<row>\d+)(?::\$?(?P<to_column>[A-Z]{1,3})\$?(?P<to_row>\d+))?
     (?![\w(])""",
    re.VERBOSE,
)
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Eq: operator.eq,
}
# A cell with a formula, as openpyxl writes it: without a value.
_FORMULA_CELL = re.compile(r'<c r="([A-Z]+\d+)"([^>]*)><f>([^<]*)</f><v\s*(?:/>|></v>)</c>')


class Calculation:
    """The values of a workbook's cells, formulas computed."""

    def __init__(self, book: Workbook) -> None:
        """Compute nothing yet."""
        self._book = book
        self._known: dict[tuple[str, str], Any] = {}

    def value(self, sheet: str, cell: str) -> Any:
        """Return what a cell shows; an empty one counts as zero."""
        key = (sheet, cell)
        if key not in self._known:
            stored: Any = self._book[sheet][cell]
            value = stored.value
            if stored.data_type == "f":
                value = self._of(_parsed(value[1:]), sheet)
            self._known[key] = 0.0 if value is None else value
        return self._known[key]

    def _of(self, node: ast.expr, sheet: str) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case (
                ast.BinOp(left=left, op=op, right=right)
                | ast.Compare(left=left, ops=[op], comparators=[right])
            ):
                return _OPERATORS[type(op)](self._of(left, sheet), self._of(right, sheet))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._of(operand, sheet)
            case ast.Call(func=ast.Name(id="IF"), args=[test, yes, no]):
                return self._of(yes if self._of(test, sheet) else no, sheet)
            case ast.Call(func=ast.Name(id="CELLS"), args=args):
                named, first, last = (str(ast.literal_eval(arg)) for arg in args)
                return self._cells(named or sheet, first, last)
            case ast.Call(func=ast.Name(id=name), args=args):
                return _FUNCTIONS[name](*(self._of(arg, sheet) for arg in args))
        raise ValueError(ast.unparse(node))

    def _cells(self, sheet: str, first: str, last: str) -> Any:
        if not last:
            return self.value(sheet, first)
        rows = self._book[sheet][f"{first}:{last}"]
        return [self.value(sheet, cell.coordinate) for row in rows for cell in row]


@lru_cache(maxsize=4096)
def _parsed(formula: str) -> ast.expr:
    def written(match: re.Match[str]) -> str:
        if match["text"]:
            return repr(match["text"][1:-1])
        last = f"{match['to_column']}{match['to_row']}" if match["to_row"] else ""
        sheet = match["quoted"] or match["plain"] or ""
        return f"CELLS({sheet!r},{match['column'] + match['row']!r},{last!r})"

    text = "".join(
        piece.replace("^", "**").replace("=", "==") if outside else piece
        for piece, outside in _pieces(formula, written)
    )
    return ast.parse(text, mode="eval").body


def _pieces(formula: str, written: Callable[[re.Match[str]], str]) -> list[tuple[str, bool]]:
    """The formula in pieces: what stands between texts and cells is true, those are written."""
    pieces, at = [], 0
    for match in _TEXT_OR_CELLS.finditer(formula):
        pieces += [(formula[at : match.start()], True), (written(match), False)]
        at = match.end()
    return [*pieces, (formula[at:], True)]


def _rounded(value: float, digits: float) -> float:
    # A spreadsheet rounds the fifteen digits that it shows, halves away from zero.
    step = Decimal(1).scaleb(-int(digits))
    return float(Decimal(f"{value:.15g}").quantize(step, rounding=ROUND_HALF_UP))


def _row(given: Any) -> list[Any]:
    """Cells as a list, also where there is only one."""
    return given if isinstance(given, list) else [given]


def _flat(given: tuple[Any, ...]) -> list[Any]:
    return [value for one in given for value in _row(one)]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda *given: math.fsum(_flat(given)),
    "MIN": lambda *given: min(_flat(given)),
    "MAX": lambda *given: max(_flat(given)),
    "SUMPRODUCT": lambda *given: math.fsum(map(math.prod, zip(*map(_row, given), strict=True))),
    "MATCH": lambda wanted, among, _exact: _row(among).index(wanted) + 1,
    "INDEX": lambda among, place: _row(among)[int(place) - 1],
    "ROUND": _rounded,
}


def with_values(file: bytes, book: Workbook) -> bytes:
    """Return the file of a workbook with what each of its formulas gives beside it.

    openpyxl writes formulas without values, and what shows a file without computing it, as
    mail and browsers do, shows empty cells.
    """
    calculation, out = Calculation(book), io.BytesIO()
    sheets = {f"xl{sheet.path.removeprefix('/xl')}": sheet for sheet in book.worksheets}
    with (
        zipfile.ZipFile(io.BytesIO(file)) as read,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written,
    ):
        for entry in read.infolist():
            content = read.read(entry)
            if sheet := sheets.get(entry.filename):
                content = _valued(content.decode(), sheet, calculation).encode()
            written.writestr(entry, content)
    return out.getvalue()


def _valued(xml: str, sheet: Worksheet, calculation: Calculation) -> str:
    def cell(match: re.Match[str]) -> str:
        place, attributes, formula = match.groups()
        value = calculation.value(sheet.title, place)
        if isinstance(value, str):
            attributes, value = f'{attributes} t="str"', escape(value)
        else:
            value = repr(float(value))
        return f'<c r="{place}"{attributes}><f>{formula}</f><v>{value}</v></c>'

    return _FORMULA_CELL.sub(cell, xml)
