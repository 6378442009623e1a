"""When a host counts as overloaded: the detection policies of Beloglazov and Buyya 2012.

The constants and the order of operations are those of the authors' public simulator,
against whose figures the day is checked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

THR, IQR, MAD, LR, LRR = range(5)

# Values a robust estimate needs before it is trusted.
_ROBUST_VALUES = 12
_REGRESSION_VALUES = 10


@kernel
def _in_order(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sort a copy by insertion: for the thirty values of a history quicker than a sort."""
    ordered = values.copy()
    for place in range(1, len(ordered)):
        value = ordered[place]
        before = place - 1
        while before >= 0 and ordered[before] > value:
            ordered[before + 1] = ordered[before]
            before -= 1
        ordered[before + 1] = value
    return ordered


@kernel
def median(values: NDArray[np.float64]) -> float:
    """Middle value, or the mean of the two in the middle."""
    ordered = _in_order(values)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return float(ordered[middle])
    return float((ordered[middle - 1] + ordered[middle]) / 2)


@kernel
def interquartile_range(values: NDArray[np.float64]) -> float:
    """Third less first quartile, each the nearest of the ordered values."""
    ordered = _in_order(values)
    places = len(ordered) + 1
    first = math.floor(0.25 * places + 0.5) - 1
    third = math.floor(0.75 * places + 0.5) - 1
    return float(ordered[third] - ordered[first])


@kernel
def median_absolute_deviation(values: NDArray[np.float64]) -> float:
    """Median distance from the median."""
    return median(np.abs(values - median(values)))


@kernel
def values_known(history: NDArray[np.float64]) -> int:
    """Length of the history without the zeros at its old end; newest value first."""
    known = len(history)
    while known > 0 and history[known - 1] == 0:
        known -= 1
    return known


@kernel
def line_ahead(history: NDArray[np.float64], steps_ahead: float, robust: bool) -> float:
    """Value of the local regression line over the last ten values, some steps ahead.

    The weights of the published method enter the simulator's regression only where four in
    ten of them vanish, which a tricube over ten points never does; so the line is the
    ordinary one, and the robust variant differs only where residuals are extreme.
    """
    count = _REGRESSION_VALUES
    y = history[:count][::-1].copy()
    x = np.arange(1, count + 1).astype(np.float64)
    slope, level = _least_squares(x, y)
    if robust:
        weights = _bisquare(y - (level + slope * x))
        if np.sum(weights <= 0) >= 0.4 * count:
            root = np.sqrt(np.maximum(weights, 0.0))
            slope, level = _least_squares(root * x, root * y)
    return level + slope * (count + steps_ahead)


@kernel
def _least_squares(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Any, Any]:
    spread = np.sum((x - np.mean(x)) ** 2)
    slope = np.sum((x - np.mean(x)) * (y - np.mean(y))) / spread if spread > 0 else 0.0
    return slope, np.mean(y) - slope * np.mean(x)


@kernel
def _bisquare(residuals: NDArray[np.float64]) -> NDArray[np.float64]:
    scale = 6 * median(np.abs(residuals))
    if scale == 0:
        return np.ones(len(residuals))
    weights = np.ones(len(residuals))
    for place in range(len(residuals)):
        share = residuals[place] / scale
        near = 1 - share * share
        if near > 0:
            weights[place] = near * near
    return weights


@kernel
def is_overloaded(
    policy: int,
    utilization: float,
    history: NDArray[np.float64],
    settings: NDArray[np.float64],
    steps_to_migrate: float,
) -> bool:
    """Say whether a host is overloaded.

    ``settings`` are the static threshold, the safety parameter and the threshold used
    until there is enough history.
    """
    static, safety, fallback = settings[0], settings[1], settings[2]
    if policy == THR:
        return utilization > static
    past = history[: values_known(history)]
    if policy in (LR, LRR):
        if len(past) < _REGRESSION_VALUES:
            return utilization > fallback
        ahead = line_ahead(past, steps_to_migrate, policy == LRR)
        return ahead * safety >= 1
    if len(past) < _ROBUST_VALUES:
        return utilization > fallback
    return utilization > _adaptive(policy, utilization, past, safety)


@kernel
def _adaptive(policy: int, utilization: float, past: NDArray[np.float64], safety: float) -> float:
    """Threshold from the spread of the past, or one that decides alike and costs less.

    Neither spread is less than nothing or more than the whole range.
    """
    least = 1 - safety * (past.max() - past.min())
    if utilization <= least:
        return float(least)
    if utilization > 1:
        return 1.0
    if policy == IQR:
        return 1 - safety * interquartile_range(past)
    return 1 - safety * median_absolute_deviation(past)
