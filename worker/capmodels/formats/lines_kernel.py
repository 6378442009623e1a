"""Lines of numbers and words as columns, byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.formats.line_fields import (
    HEX,
    LETTER,
    NOT_A_NUMBER,
    NUMBER,
    SKIP,
    TOO_FEW,
    TOO_LARGE,
)
from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEWLINE, _RETURN, _SPACE, _TAB, _COMMA, _DOT, _MINUS = 10, 13, 32, 9, 44, 46, 45
_MANTISSA_MAX = 900_000_000_000_000_000


@kernel
def _digit(byte: int, base: int) -> int:
    """Value of a digit, -1 for anything else."""
    value = -1
    if 48 <= byte <= 57:
        value = byte - 48
    elif 97 <= byte <= 102:
        value = byte - 87
    elif 65 <= byte <= 70:
        value = byte - 55
    return value if value < base else -1


@kernel
def _number(data: NDArray[np.uint8], here: int, end: int, base: int) -> tuple[int, int, int, int]:
    """Mantissa, decimals, fault and next place of a number that ends before a separator."""
    value, decimals, fault = 0, 0, 0
    negative = here < end and data[here] == _MINUS
    if negative:
        here += 1
    first, dotted = here, False
    while here < end:
        byte = data[here]
        digit = _digit(byte, base)
        if digit >= 0:
            # Decimals beyond what the mantissa holds are dropped.
            if value < _MANTISSA_MAX // base:
                value = value * base + digit
                decimals += 1 if dotted else 0
            elif not dotted:
                fault = TOO_LARGE
        elif byte == _DOT and not dotted and base == 10:
            dotted = True
        else:
            break
        here += 1
    if here == first:
        fault = NOT_A_NUMBER
    return (-value if negative else value), decimals, fault, here


@kernel
def _at_separator(byte: int, comma: bool) -> bool:
    return byte == _COMMA if comma else byte in (_SPACE, _TAB)


@kernel
def _next_field(data: NDArray[np.uint8], here: int, end: int, comma: bool) -> int:
    """Place of the next field: past one comma and blanks, or past blanks."""
    while here < end and not _at_separator(data[here], comma):
        here += 1
    if comma and here < end:
        here += 1
    while here < end and data[here] in (_SPACE, _TAB):
        here += 1
    return here


@kernel
def _field(
    data: NDArray[np.uint8], place: tuple[int, int, bool], kind: int
) -> tuple[int, int, int, int]:
    """Value, decimals, fault and place after one field."""
    here, end, comma = place
    value, decimals, fault = 0, 0, 0
    if here >= end:
        return 0, 0, TOO_FEW, here
    if kind == LETTER:
        value = data[here] if not _at_separator(data[here], comma) else 0
        fault = 0 if value else NOT_A_NUMBER
    elif kind != SKIP:
        base = 16 if kind == HEX else 10
        value, decimals, fault, here = _number(data, here, end, base)
        blank = here >= end or data[here] in (_SPACE, _TAB) or _at_separator(data[here], comma)
        if not blank:
            fault = NOT_A_NUMBER
    return value, decimals, fault, _next_field(data, here, end, comma)


@kernel
def _line(
    data: NDArray[np.uint8],
    place: tuple[int, int, bool],
    kinds: NDArray[np.int64],
    values: NDArray[np.int64],
    decimals: NDArray[np.int64],
) -> tuple[int, int]:
    """Read one line into one row; return the field at fault and the fault, 0 for none."""
    here, end, comma = place
    for field in range(kinds.size):
        value, digits, fault, here = _field(data, (here, end, comma), kinds[field])
        if fault:
            return field, fault
        values[field] = value
        decimals[field] = digits
    return 0, 0


@kernel
def _trimmed(data: NDArray[np.uint8], start: int, end: int) -> tuple[int, int]:
    """Bounds of a line without blanks before it and a carriage return after it."""
    if end > start and data[end - 1] == _RETURN:
        end -= 1
    while start < end and data[start] in (_SPACE, _TAB):
        start += 1
    return start, end


@kernel
def read_lines(
    data: NDArray[np.uint8],
    kinds: NDArray[np.int64],
    comma: bool,
    values: NDArray[np.int64],
    decimals: NDArray[np.int64],
    faults: NDArray[np.int64],
) -> tuple[int, int, int, int]:
    """Read whole lines of ``data`` into rows of ``values`` and ``decimals``.

    ``faults`` gets rows (line, field, kind of fault), as many as fit. Returns rows, lines, faults
    and bytes used: a last line without an end is left for the next call. Blank lines are passed.
    """
    rows = lines = wrong = 0
    start = 0
    for here in range(data.size):
        if data[here] != _NEWLINE:
            continue
        first, end = _trimmed(data, start, here)
        start = here + 1
        lines += 1
        if first == end:
            continue
        field, fault = _line(data, (first, end, comma), kinds, values[rows], decimals[rows])
        if fault:
            if wrong < faults.shape[0]:
                faults[wrong, 0], faults[wrong, 1], faults[wrong, 2] = lines, field, fault
            wrong += 1
            continue
        rows += 1
        if rows == values.shape[0]:
            break
    return rows, lines, wrong, start


def warm() -> None:
    """Compile before the first file waits for it."""
    view = np.frombuffer(b"1,2\n", dtype=np.uint8)
    kinds = np.array([NUMBER, NUMBER], dtype=np.int64)
    values = np.empty((1, 2), dtype=np.int64)
    read_lines(view, kinds, True, values, values.copy(), np.zeros((1, 3), dtype=np.int64))
