"""Monthly series: a list of numbers for a point, a matrix for draws.

Among draws a series is a NumPy matrix of shape (months, draws) or (months, 1), so that one
operation takes all months and all draws at once. Series are annotated ``Series``; a
function is applied month by month with ``each``, which both forms take. A series is never
changed in place.
"""

from __future__ import annotations

from operator import add as plus
from typing import TYPE_CHECKING, Any, cast

from capmodels.amounts import is_one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import Amount

Series = list["Amount"]


def tiled(values: Sequence[float], count: int) -> list[float]:
    """Repeat values until there are so many, or cut them there."""
    times = -(-count // len(values))
    return (list(values) * times)[:count]


def each(function: Callable[..., Amount], *series: Series) -> Series:
    """Apply a function to every month of some series of one form."""
    if isinstance(series[0], list):
        return [function(*amounts) for amounts in zip(*series, strict=True)]
    return _matrix(function(*series), len(series[0]))


def _matrix(result: Any, months: int) -> Series:
    """A function that found the same number for all months and draws, as a matrix."""
    if isinstance(result, float | int):
        return MatrixForm().constant(float(result), months)
    return result


def add(*series: Series) -> Series:
    """Sum of series, month by month."""
    total = series[0]
    for other in series[1:]:
        total = list(map(plus, total, other)) if isinstance(total, list) else total + other
    return total


def scaled(series: Series, ratio: Amount) -> Series:
    """A series times a number, or times an array of draws."""
    if is_one(ratio):
        return series
    if isinstance(series, list):
        return [amount * ratio for amount in series]
    return series * ratio


def is_nothing(series: Series) -> bool:
    """Whether a list has nothing but zeros; a matrix counts as something."""
    return isinstance(series, list) and not any(series)


class ListForm:
    """How series are made for a point."""

    def constant(self, value: Amount, months: int) -> Series:
        """Return the same amount in every month."""
        return [value] * months

    def month_numbers(self, months: int) -> Series:
        """0.5, 1.5, ...: the middle of each month, counted in months from the start."""
        return [month + 0.5 for month in range(months)]

    def steps(self, values: Sequence[Amount], lengths: Sequence[int]) -> Series:
        """Each value for as many months as its length."""
        series: Series = []
        for value, length in zip(values, lengths, strict=True):
            series += [value] * length
        return series

    def mean(self, series: Series, first: int, last: int) -> Amount:
        """Mean over months ``first`` to ``last - 1``."""
        return sum(series[first:last]) / (last - first)


class MatrixForm(ListForm):
    """How series are made for draws."""

    def constant(self, value: Amount, months: int) -> Series:
        """Return the same amount in every month."""
        return self.steps([value], [months])

    def month_numbers(self, months: int) -> Series:
        """0.5, 1.5, ...: the middle of each month, counted in months from the start."""
        import numpy as np

        return cast("Series", (np.arange(months) + 0.5)[:, None])

    def steps(self, values: Sequence[Amount], lengths: Sequence[int]) -> Series:
        """Each value for as many months as its length."""
        import numpy as np

        rows: list[Any] = [np.atleast_1d(np.asarray(value)) for value in values]
        matrix = np.empty((sum(lengths), max(row.size for row in rows)))
        first = 0
        for row, length in zip(rows, lengths, strict=True):
            matrix[first : first + length] = row
            first += length
        return cast("Series", matrix)

    def mean(self, series: Series, first: int, last: int) -> Amount:
        """Mean over months ``first`` to ``last - 1``; a number when all draws share it."""
        matrix: Any = series
        mean = matrix[first:last].mean(axis=0)
        return float(mean[0]) if mean.size == 1 else mean
