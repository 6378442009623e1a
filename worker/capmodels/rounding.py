"""Rounding parts so that what is printed adds up to the printed total."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


# Digits of a number that are surely its own; sums and rates of exchange move those behind.
SURE_DIGITS = 14


def sure(value: float) -> str:
    """A number to the digits that are surely its own: 1.075, held as 1.07499999999999996."""
    return f"{value:.{SURE_DIGITS}g}"


def half_up(value: float) -> int:
    """The nearest whole number, of a half the one above: the rounding of all that is printed.

    >>> half_up(0.5), half_up(1075 / 0.93 * 0.93 - 0.5)
    (1, 1075)
    """
    known = float(sure(value)) if abs(value) < 10.0**SURE_DIGITS else value
    return math.floor(known + 0.5)


def whole_parts(amounts: Sequence[float], total: float) -> list[int]:
    """Round amounts to whole numbers that add up to their total, itself rounded half up.

    By largest remainder: each amount is cut to a whole number, and what is still missing
    goes to the amounts that lost most, earlier ones first. Each is within 1 of its amount.
    ``total`` is the sum of the amounts as it was worked out elsewhere, up to its last digits.

    >>> whole_parts([10 / 3, 10 / 3, 10 / 3], 10.0)
    [4, 3, 3]
    """
    whole = [math.floor(amount) for amount in amounts]
    missing = half_up(total) - sum(whole)
    by_loss = sorted(range(len(whole)), key=lambda index: whole[index] - amounts[index])
    for index in by_loss[:missing]:
        whole[index] += 1
    return whole
