"""Arithmetic that takes numbers or arrays of draws.

Every equation of the plan is written once, with these and with ``+ - * / **``. A value
that no range touches stays a float, so it costs a float's work even among draws. Values
are annotated ``float``; an array of draws passes through in its place, and is never
changed in place: ``a = a + b``, not ``a += b``.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A value, or its draws: what an equation takes of one kind, it gives of that kind.
Amount = TypeVar("Amount", float, "NDArray[np.float64]")

# A count is not rounded up for the last bits of a quotient.
CEIL_SLACK = 1e-9

# Keeps a quotient finite where a slope is 0.
TINY = 1e-200


def is_number(value: Any) -> bool:
    """Whether a value is one number rather than an array of draws."""
    return isinstance(value, float | int)


def is_zero(value: Any) -> bool:
    """Whether a value is the number 0; an array is not, whatever is in it."""
    return isinstance(value, float | int) and value == 0


def is_given(value: float | None) -> TypeGuard[float]:
    """Whether a value is there and not the number 0; an array of draws is."""
    return value is not None and not is_zero(value)


def maximum(first: float, second: float) -> float:
    """Return the larger, element by element."""
    if isinstance(first, float | int) and isinstance(second, float | int):
        return first if first >= second else second
    import numpy as np

    return np.maximum(_beside(first, second), _beside(second, first))


def _beside(value: Any, other: Any) -> Any:
    """Return a number as a row beside an array: NumPy compares rows four times as fast."""
    return _row(value, other.shape[-1]) if isinstance(value, float | int) else value


@lru_cache(maxsize=64)
def _row(value: float, count: int) -> NDArray[np.float64]:
    import numpy as np

    row = np.full(count, value, dtype=np.float64)
    row.flags.writeable = False
    return row


def is_one(value: Any) -> bool:
    """Whether a value is the number 1."""
    return isinstance(value, float | int) and value == 1


def at_least(value: Amount, bound: float) -> Amount:
    """Return the value, or the bound where it is below; quick where it nowhere is."""
    if isinstance(value, float | int):
        return value if value >= bound else bound
    array: Any = value
    found: Any = array if array.min() >= bound else maximum(array, bound)
    return found


def minimum(first: float, second: float) -> float:
    """Return the smaller, element by element."""
    if isinstance(first, float | int) and isinstance(second, float | int):
        return first if first <= second else second
    import numpy as np

    return np.minimum(_beside(first, second), _beside(second, first))


def ceil(value: float) -> float:
    """Round up to a whole number, but not for a surplus within ``CEIL_SLACK``."""
    if isinstance(value, float | int):
        return float(math.ceil(value - CEIL_SLACK))
    import numpy as np

    return np.ceil(value - CEIL_SLACK)


def is_positive(value: float) -> float:
    """1 where a value is above 0, else 0."""
    if isinstance(value, float | int):
        return 1.0 if value > 0 else 0.0
    return (value > 0) * 1.0


def log1p(value: Amount) -> Amount:
    """Natural logarithm of 1 + value."""
    if isinstance(value, float | int):
        return math.log1p(value)
    import numpy as np

    return np.log1p(value)


def expm1(value: Amount) -> Amount:
    """Return e to the power of a value, less 1."""
    if isinstance(value, float | int):
        return math.expm1(value)
    import numpy as np

    return np.expm1(value)


def nearest(value: float, unit: float = 1.0) -> float:
    """Round half up to a multiple of a unit."""
    if isinstance(value, float | int):
        return math.floor(value / unit + 0.5 + CEIL_SLACK) * unit
    import numpy as np

    return np.floor(value / unit + 0.5 + CEIL_SLACK) * unit


def largest(value: float) -> float:
    """Return the largest element as a number."""
    return float(value) if isinstance(value, float | int) else float(value.max())


def smallest(value: float) -> float:
    """Return the smallest element as a number."""
    return float(value) if isinstance(value, float | int) else float(value.min())
