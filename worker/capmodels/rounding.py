"""Rounding parts so that what is printed adds up to the printed total."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def whole_parts(amounts: Sequence[float], total: float) -> list[int]:
    """Round amounts to whole numbers that add up to their total, itself rounded half up.

    By largest remainder: each amount is cut to a whole number, and what is still missing
    goes to the amounts that lost most, earlier ones first. Each is within 1 of its amount.
    ``total`` is the sum of the amounts as it was worked out elsewhere, up to its last digits.

    >>> whole_parts([10 / 3, 10 / 3, 10 / 3], 10.0)
    [4, 3, 3]
    """
    whole = [math.floor(amount) for amount in amounts]
    missing = math.floor(total + 0.5) - sum(whole)
    by_loss = sorted(range(len(whole)), key=lambda index: whole[index] - amounts[index])
    for index in by_loss[:missing]:
        whole[index] += 1
    return whole
