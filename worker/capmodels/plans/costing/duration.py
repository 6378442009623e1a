"""Load-duration curves: how far, and for how long, demand is above a level.

With hourly values s of mean 1, the curve answers E[w max(0, s - x)], which is piecewise
linear in x. It prices what is rented above a commitment or above what is owned, and it
averages any piecewise linear power curve exactly.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from capmodels.amounts import CEIL_SLACK, is_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from capmodels.amounts import AmountT

# Values are kept to this part of their mean, so that a table finds any level at once.
STEPS_OF_MEAN = 10_000
LARGEST_TABLE = 200_000


class DurationCurve:
    """The duration curve of a series; see the module.

    Parameters
    ----------
    values
        One value per hour, of any scale, at least one above 0.
    weights
        One weight per value, such as the hour's electricity price; 1 by default.
    """

    def __init__(self, values: Sequence[float], weights: Sequence[float] | None = None) -> None:
        """Sort the values and sum from the top."""
        count = len(values)
        mean = math.fsum(values) / count
        steps = min(STEPS_OF_MEAN, int(LARGEST_TABLE * mean / max(values)) or 1)
        ranks = [int(value / mean * steps + 0.5) for value in values]
        self.rank_mean = sum(ranks) / count
        # Largest difference of a kept value from its own, both over their mean.
        self.grain = max(
            abs(rank / self.rank_mean - value / mean)
            for rank, value in zip(ranks, values, strict=True)
        )
        shares = [1.0 / count] * count if weights is None else [w / count for w in weights]
        order = sorted(range(count), key=ranks.__getitem__)
        self._ranks = [ranks[index] for index in order]
        self.values = [rank / self.rank_mean for rank in self._ranks]
        self.shares = [shares[index] for index in order]
        self._above_weight, self._above_sum = _from_the_top(self.values, self.shares)
        self._by_exponent: dict[float, list[float]] = {}

    @property
    def weight(self) -> float:
        """Mean of the weights."""
        return self._above_weight[0]

    @property
    def mean(self) -> float:
        """Weighted mean of the values."""
        return self._above_sum[0]

    @property
    def peak(self) -> float:
        """Largest value over the mean."""
        return self.values[-1]

    @cached_property
    def levels(self) -> list[tuple[float, float]]:
        """Values with their weights, equal ones together."""
        weights: dict[float, float] = {}
        for value, share in zip(self.values, self.shares, strict=True):
            weights[value] = weights.get(value, 0.0) + share
        return list(weights.items())

    def capped_power_mean(self, scale: AmountT, exponent: float) -> AmountT:
        """E[w min(scale s, 1)^exponent], each hour held at 1 by itself; ``scale`` is above 0."""
        level: Any = 1.0 / scale
        below = self._power_sums(exponent)
        if is_number(level):
            index = bisect_right(self.values, level)
            return scale**exponent * below[index] + self._above_weight[index]
        if level.min() >= self.peak:
            return scale**exponent * below[-1]
        import numpy as np

        index = np.searchsorted(np.asarray(self.values), level, side="right")
        within = np.asarray(below).take(index)
        return scale**exponent * within + np.asarray(self._above_weight).take(index)

    def _power_sums(self, exponent: float) -> list[float]:
        """Weighted sums of the smallest values to a power: of none, of one, and so on."""
        sums = self._by_exponent.get(exponent)
        if sums is None:
            powers = (
                share * value**exponent
                for value, share in zip(self.values, self.shares, strict=True)
            )
            sums = self._by_exponent[exponent] = [0.0, *accumulate(powers)]
        return sums

    def excess(self, level: AmountT) -> AmountT:
        """E[w max(0, s - level)] for a level of 0 or more."""
        # the way of most, without a call
        if type(level) is float:
            index = bisect_right(self.values, level)
            return self._above_sum[index] - level * self._above_weight[index]
        return self.number_excess(level) if is_number(level) else self._excess_of_draws(level)

    def number_excess(self, level: float) -> float:
        """E[w max(0, s - level)] for one number of 0 or more."""
        index = bisect_right(self.values, level)
        return self._above_sum[index] - level * self._above_weight[index]

    def share_above(self, level: AmountT) -> AmountT:
        """Weight of the hours whose value is above a level of 0 or more."""
        if is_number(level):
            return self._above_weight[bisect_right(self.values, level)]
        import numpy as np

        levels: Any = level
        index = np.searchsorted(np.asarray(self.values), levels, side="right")
        found: Any = np.asarray(self._above_weight).take(index)
        return found

    def shares_at(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of the hours above some levels, given times ``rank_mean``; these are lost.

        Below 0 it is that of all hours.
        """
        import numpy as np

        table = self._table_from_below
        places += 1.0
        np.maximum(places, 0.0, out=places)
        np.minimum(places, float(len(table) - 1), out=places)
        return table.take(places.astype(np.intp))

    @cached_property
    def _table_from_below(self) -> NDArray[np.float64]:
        """Weight above a level, with a cell below 0 before those of the table."""
        import numpy as np

        return np.concatenate(([self.weight], self._tables[0]))

    def quantile(self, fraction: AmountT) -> AmountT:
        """Smallest value that at least a fraction of the hours do not exceed."""
        count, last = len(self.values), len(self.values) - 1
        if is_number(fraction):
            return self.values[min(max(math.ceil(fraction * count - CEIL_SLACK) - 1, 0), last)]
        import numpy as np

        fractions: Any = fraction
        rank = np.clip(np.ceil(fractions * count - CEIL_SLACK) - 1, 0, last)
        found: Any = np.asarray(self.values).take(rank.astype(np.intp))
        return found

    def _excess_of_draws(self, levels: Any) -> Any:
        if levels.min() >= self.peak:
            return 0.0
        import numpy as np

        weight, total = self._tables
        places = levels * self.rank_mean
        if places.max() >= len(weight):
            places = np.minimum(places, len(weight) - 1)
        cells = places.astype(np.intp)
        above = weight.take(cells)
        above *= levels
        return np.subtract(total.take(cells), above, out=above)

    @cached_property
    def _tables(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weight and sum above a level, for every cell between two ranks."""
        import numpy as np

        cells = np.arange(self._ranks[-1] + 2)
        index = np.searchsorted(np.asarray(self._ranks), cells, side="right")
        return np.asarray(self._above_weight)[index], np.asarray(self._above_sum)[index]


def _from_the_top(
    values: Sequence[float], shares: Sequence[float]
) -> tuple[list[float], list[float]]:
    weight, total = [0.0], [0.0]
    for value, share in zip(reversed(values), reversed(shares), strict=True):
        weight.append(weight[-1] + share)
        total.append(total[-1] + share * value)
    weight.reverse()
    total.reverse()
    return weight, total
