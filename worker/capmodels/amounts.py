"""Arithmetic that takes numbers or arrays of draws.

Every equation of the plan is written once, with these and with ``+ - * / **``. A value
that no range touches stays a float, so it costs a float's work even among draws. What may be
either is an ``Amount``: mypy lets it be added and multiplied, not compared, branched on,
rounded or formatted, which only one number can be. Draws are never changed in place:
``a = a + b``, not ``a += b``.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast, overload

from capmodels.worked import is_worked, through, total

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import TypeIs

    class Draws:
        """An array of draws as the equations see it; NumPy's, of float64, when it runs."""

        def __add__(self, other: Amount) -> Draws: ...
        def __radd__(self, other: float) -> Draws: ...
        def __sub__(self, other: Amount) -> Draws: ...
        def __rsub__(self, other: float) -> Draws: ...
        def __mul__(self, other: Amount) -> Draws: ...
        def __rmul__(self, other: float) -> Draws: ...
        def __truediv__(self, other: Amount) -> Draws: ...
        def __rtruediv__(self, other: float) -> Draws: ...
        def __pow__(self, other: Amount) -> Draws: ...
        def __rpow__(self, other: float) -> Draws: ...
        def __neg__(self) -> Draws: ...
        def __abs__(self) -> Draws: ...

    # A value, or its draws.
    Amount = float | Draws

# An equation that takes an amount of one kind gives one of that kind.
AmountT = TypeVar("AmountT", float, "Draws", "Amount")

# A count is not rounded up for the last bits of a quotient.
CEIL_SLACK = 1e-9

# What needs no second look in a sum.
_NUMBERS = frozenset({float, int})

# Keeps a quotient finite where a slope is 0.
TINY = 1e-200


def is_number(value: object) -> TypeIs[float]:
    """Whether a value is one number rather than an array of draws."""
    return isinstance(value, (float, int))


def _is_plain(value: object) -> TypeIs[float]:
    """Whether a value is one number that remembers nothing.

    Where it is asked of each number of an equation, ``type(value) is float`` goes first: nearly all
    are, and so much is known without a call.
    """
    return is_number(value) and not is_worked(value)


def real(value: float) -> float:
    """Return a whole number as a real one."""
    return cast("float", through(float, value)) if is_worked(value) else float(value)


def as_number(value: Amount) -> float:
    """Return what is one number, where no draws come."""
    if not is_number(value):
        raise TypeError("Draws stand where one number is wanted.")
    return value


def drawn(amount: Any) -> Any:
    """Return an amount, or an array of draws, as what a field or a parameter is told to be."""
    return amount


def fsum(values: Iterable[Amount]) -> float:
    """Exact sum of numbers, where no draws come."""
    numbers = tuple(values)
    if _NUMBERS.issuperset(map(type, numbers)):
        return math.fsum(cast("tuple[float, ...]", numbers))
    if any(map(is_worked, numbers)):
        return cast("float", through(total, *numbers))
    return math.fsum(map(as_number, numbers))


def is_zero(value: object) -> bool:
    """Whether a value is the number 0; an array is not, whatever is in it."""
    return (type(value) is float or is_number(value)) and value == 0


def is_given(value: AmountT | None) -> TypeGuard[AmountT]:
    """Whether a value is there and not the number 0; an array of draws is."""
    return value is not None and not is_zero(value)


def is_one(value: object) -> bool:
    """Whether a value is the number 1."""
    return (type(value) is float or is_number(value)) and value == 1


@overload
def maximum(first: float, second: float) -> float: ...
@overload
def maximum(first: Amount, second: Amount) -> Amount: ...
def maximum(first: Amount, second: Amount) -> Amount:
    """Return the larger, element by element."""
    if (type(first) is float or _is_plain(first)) and (type(second) is float or _is_plain(second)):
        return first if first >= second else second
    if is_number(first) and is_number(second):
        return cast("float", through(max, first, second))
    import numpy as np

    return np.maximum(_beside(first, second), _beside(second, first))


@overload
def minimum(first: float, second: float) -> float: ...
@overload
def minimum(first: Amount, second: Amount) -> Amount: ...
def minimum(first: Amount, second: Amount) -> Amount:
    """Return the smaller, element by element."""
    if (type(first) is float or _is_plain(first)) and (type(second) is float or _is_plain(second)):
        return first if first <= second else second
    if is_number(first) and is_number(second):
        return cast("float", through(min, first, second))
    import numpy as np

    return np.minimum(_beside(first, second), _beside(second, first))


def _beside(value: Any, other: Any) -> Any:
    """Return a number as a row beside an array: NumPy compares rows four times as fast."""
    return _row(value, other.shape[-1]) if is_number(value) else value


@lru_cache(maxsize=64)
def _row(value: float, count: int) -> NDArray[np.float64]:
    import numpy as np

    row = np.full(count, value, dtype=np.float64)
    row.flags.writeable = False
    return row


def _array(value: Any) -> Any:
    """Draws as the array that they are."""
    return value


def at_least(value: AmountT, bound: float) -> AmountT:
    """Return the value, or the bound where it is below; quick where it nowhere is."""
    if type(value) is float or _is_plain(value):
        return value if value >= bound else bound
    if is_number(value):
        return maximum(value, bound)
    array = _array(value)
    return array if array.min() >= bound else maximum(array, bound)


def ceil(value: AmountT) -> AmountT:
    """Round up to a whole number, but not for a surplus within ``CEIL_SLACK``."""
    if type(value) is float or _is_plain(value):
        return float(math.ceil(value - CEIL_SLACK))
    if is_number(value):
        return cast("AmountT", through(ceil, value))
    import numpy as np

    return np.ceil(_array(value) - CEIL_SLACK)


def is_above(value: AmountT, bound: float) -> AmountT:
    """1 where a value is above a bound, else 0."""
    if type(value) is float or _is_plain(value):
        return 1.0 if value > bound else 0.0
    if is_number(value):
        return cast("AmountT", through(is_above, value, bound))
    return (_array(value) > bound) * 1.0


def is_below(value: AmountT, bound: float) -> AmountT:
    """1 where a value is below a bound, else 0."""
    if type(value) is float or _is_plain(value):
        return 1.0 if value < bound else 0.0
    if is_number(value):
        return cast("AmountT", through(is_below, value, bound))
    return (_array(value) < bound) * 1.0


def log1p(value: AmountT) -> AmountT:
    """Natural logarithm of 1 + value."""
    if type(value) is float or _is_plain(value):
        return math.log1p(value)
    if is_number(value):
        return cast("AmountT", through(log1p, value))
    import numpy as np

    return np.log1p(_array(value))


def expm1(value: AmountT) -> AmountT:
    """Return e to the power of a value, less 1."""
    if type(value) is float or _is_plain(value):
        return math.expm1(value)
    if is_number(value):
        return cast("AmountT", through(expm1, value))
    import numpy as np

    return np.expm1(_array(value))


def nearest(value: AmountT, unit: float = 1.0) -> AmountT:
    """Round half up to a multiple of a unit."""
    if type(value) is float or _is_plain(value):
        return math.floor(value / unit + 0.5 + CEIL_SLACK) * unit
    if is_number(value):
        return cast("AmountT", through(nearest, value, unit))
    import numpy as np

    return np.floor(_array(value) / unit + 0.5 + CEIL_SLACK) * unit


def largest(value: Amount) -> float:
    """Return the largest element as a number."""
    return float(value) if is_number(value) else float(_array(value).max())


def centre(value: Amount) -> float:
    """Return the mean of the elements as a number."""
    return float(value) if is_number(value) else float(_array(value).mean())


def smallest(value: Amount) -> float:
    """Return the smallest element as a number."""
    return float(value) if is_number(value) else float(_array(value).min())
