"""A series as trend, seasons and an error that remembers its last value.

y(t) = a + b t + sum over seasons of (c cos(2 pi k t / s) + d sin(2 pi k t / s)) + e(t), with
e(t) = rho e(t-1) + u(t): dynamic harmonic regression (Hyndman and Athanasopoulos 2021, sections
7.4 and 10.5) with errors of first order, by the transform of Prais and Winsten (1954).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.seasons import Season

    Array = NDArray[np.float64]

_ROUNDS = 20
_SAME_RHO = 1e-6
# Nearer to 1 an error is as good as a random walk, whose level no line has.
_RHO_MOST = 0.99
# A trend that moves a series by no larger a part of its values is made of rounding alone.
_ROUNDED = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Coefficients of a series, and how sure they are."""

    seasons: tuple[Season, ...]
    coefficients: Array
    covariance: Array
    rho: float
    sigma: float
    last_error: float
    count: int

    @property
    def freedom(self) -> int:
        """Values less coefficients."""
        return self.count - len(self.coefficients)

    def ahead(self, steps: int) -> tuple[Array, Array]:
        """Mean and standard deviation of so many steps after the series.

        The error fades as rho^h and its variance grows as sigma^2 (1 - rho^2h) / (1 - rho^2); what
        the coefficients may be off by comes on top, z' C z with z = x(n + h) - rho^h x(n): an error
        of the line is partly in the last error too (best linear unbiased prediction, Goldberger
        1962).
        """
        horizon = np.arange(1, steps + 1)
        matrix = terms(np.arange(self.count, self.count + steps), self.seasons)
        fades = self.rho**horizon
        mean = matrix @ self.coefficients + fades * self.last_error
        spread = self.sigma**2 * (1 - fades**2) / (1 - self.rho**2)
        off = matrix - fades[:, None] * terms(np.array([self.count - 1]), self.seasons)
        spread = spread + ((off @ self.covariance) * off).sum(axis=1)
        return mean, np.sqrt(np.maximum(spread, 0.0))

    def trend(self, at: float) -> float:
        """Level without seasons at a step."""
        return float(self.coefficients[0] + self.coefficients[1] * at)

    @property
    def slope(self) -> float:
        """Change of the level by a step."""
        return float(self.coefficients[1])

    def least_slope(self, size: float) -> float:
        """What a slope of values of this size is made of rounding alone up to."""
        return _ROUNDED * size / self.count

    def slope_off(self, fraction: float) -> float:
        """What the slope may be off by, on each side of a range that holds so often."""
        variance = float(self.covariance[1, 1])
        return quantile(fraction, self.freedom) * math.sqrt(max(0.0, variance))


def quantile(fraction: float, freedom: int) -> float:
    """Student's t: how many standard deviations a range has on each side."""
    from scipy.special import stdtrit

    return float(stdtrit(max(1, freedom), 0.5 + fraction / 2))


def terms(at: NDArray[np.int64], seasons: Sequence[Season]) -> Array:
    """One column for the level, one for the trend, two for each wave of each season."""
    columns = [np.ones(len(at)), at.astype(float)]
    for season in seasons:
        for wave in range(1, season.waves_count + 1):
            angle = 2 * math.pi * wave / season.period * at
            columns.append(np.cos(angle))
            # The shortest wave of an even period has no sine at whole steps.
            if 2 * wave < season.period:
                columns.append(np.sin(angle))
    return np.column_stack(columns)


def _solved(matrix: Array, values: Array) -> tuple[Array, Array]:
    """Least squares: coefficients, and the inverse of X'X; columns that tell nothing count 0."""
    lengths = np.sqrt((matrix**2).sum(axis=0))
    lengths[lengths == 0] = 1.0
    scaled = matrix / lengths
    inverse = np.linalg.pinv(scaled.T @ scaled, rcond=1e-13, hermitian=True)
    inverse = inverse / np.outer(lengths, lengths)
    return inverse @ (matrix.T @ values), inverse


def _without_memory(values: Array, rho: float) -> Array:
    """Prais and Winsten: values less rho times the one before; the first by sqrt(1 - rho^2)."""
    left = values.copy()
    left[0] *= math.sqrt(1 - rho**2)
    left[1:] -= rho * values[:-1]
    return left


def fitted(values: Array, seasons: tuple[Season, ...], *, is_correlated: bool) -> Fit:
    """Fit a series; iterated until rho stands."""
    matrix = terms(np.arange(len(values)), seasons)
    coefficients, inverse = _solved(matrix, values)
    errors, rho = values - matrix @ coefficients, 0.0
    for _ in range(_ROUNDS if is_correlated else 0):
        before, square = rho, float(errors[:-1] @ errors[:-1])
        rho = float(errors[1:] @ errors[:-1]) / square if square > 0 else 0.0
        rho = min(max(rho, -_RHO_MOST), _RHO_MOST)
        if abs(rho - before) < _SAME_RHO:
            break
        coefficients, inverse = _solved(_without_memory(matrix, rho), _without_memory(values, rho))
        errors = values - matrix @ coefficients
    innovations = _without_memory(errors, rho)
    freedom = max(1, len(values) - matrix.shape[1])
    variance = float(innovations @ innovations) / freedom
    return Fit(
        seasons=seasons,
        coefficients=coefficients,
        covariance=variance * inverse,
        rho=rho,
        sigma=math.sqrt(variance),
        last_error=float(errors[-1]) if is_correlated else 0.0,
        count=len(values),
    )
