"""Whole machines by the hour: how many are needed, and how many beyond what is committed. NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.amounts import CEIL_SLACK, TINY, at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.amounts import Amount
    from capmodels.plans.costing.duration import DurationCurve
    from capmodels.plans.costing.need import Fleet, Need

    Matrix = NDArray[np.float64]

# Numbers worked on at once: so many that the matrices of all steps stay in the processor's
# nearest cache.
AT_ONCE = 30_000

# Machines are counted one by one where there are at most so many beyond a level, or so many
# different hours; beyond both, by an integral.
COUNTED_MOST = 24

# A range of machines within which rounding up is all the same.
_NARROW = 1e-6


def stacked(amounts: Sequence[Any]) -> Matrix:
    """Amounts of some months as rows of draws, or of one number each."""
    rows = np.broadcast_arrays(*(np.atleast_1d(np.asarray(amount, float)) for amount in amounts))
    return np.array(rows)


def one_or_all(draws: Any) -> Amount:
    """Draws, or the number that stands for all of them."""
    return float(draws[0]) if np.size(draws) == 1 else draws


@dataclass(frozen=True, slots=True)
class Machines:
    """Whole machines that work needs by the hour, in months (rows) and draws.

    Their number n in an hour with demand s is ``fleet.machines(max(slope s, base + ram s))``.
    Its mean above a level c is the sum of the shares of the hours in which one more is needed,

        E[max(n - c, 0)] = sum over k >= c of P(n > k)

    (Feller, An Introduction to Probability Theory and Its Applications I, 3rd ed., XI.1, theorem
    2), as providers bill each started instance for its hours
    (https://aws.amazon.com/ec2/pricing/on-demand/). A spare one runs beside them so that the loss
    of one does not wait for another to start ("static stability",
    https://aws.amazon.com/builders-library/static-stability-using-availability-zones/).
    """

    slope: Any
    base: Any
    ram: Any
    running: Any
    fleet: Fleet
    curve: DurationCurve

    @classmethod
    def of(cls, need: Need, fleet: Fleet, curve: DurationCurve) -> Machines:
        """Machines for one need, or for those of all months at once."""
        lines = (need.slope, need.base, need.ram, need.running)
        slope, base, ram, running = (np.atleast_2d(np.asarray(line, float)) for line in lines)
        return cls(slope, base, ram, running, fleet, curve)

    @classmethod
    def of_months(
        cls, lines: Sequence[tuple[Any, ...]], fleet: Fleet, curve: DurationCurve
    ) -> Machines:
        """Machines for the needs of some months, each as `Need.lines`."""
        columns: Any
        if any(isinstance(value, np.ndarray) for line in lines for value in line):
            columns = [stacked(column) for column in zip(*lines, strict=True)]
        else:
            columns = np.array(lines, float).T[..., None]
        cores, base, ram, network, running = columns
        return cls(np.maximum(cores, network), base, ram, running, fleet, curve)

    def share_needing(self, count: Any) -> Matrix:
        """Share of the hours in which so many are needed, shape (months, draws)."""
        counts = np.asarray(count, float)
        # None of the first few is needed without the others.
        others = np.where(
            counts <= self.fleet.least_count, 0.0, counts - 1 - self.fleet.spare_count
        )
        with np.errstate(over="ignore"):
            return self.running * self._share_above(others + self._slack)

    def excess(self, level: Any) -> Matrix:
        """Mean number above a level of whole machines over the hours, shape (months, draws)."""
        levels = np.asarray(level, float)
        shapes = map(np.shape, (self.slope, self.base, self.ram, levels))
        months, draws = np.broadcast_shapes(*shapes)
        found: Matrix = np.empty((months, draws))
        rows = max(AT_ONCE // draws, 1)
        for month in range(0, months, rows):
            part = slice(month, month + rows)
            # At amounts near the largest number a place in the table is endless, and right so.
            with np.errstate(over="ignore"):
                found[part] = self._part(part)._excess(_rows(levels, part))
        return self.running * found

    def excess_of_numbers(self, level: Sequence[Any]) -> list[Any]:
        """The same of months with one number each."""
        numbers: list[Any] = self.excess(np.array(level, float)[:, None])[:, 0].tolist()
        return numbers

    def _part(self, part: slice) -> Machines:
        """Some of the months."""
        slope, base, ram = (_rows(line, part) for line in (self.slope, self.base, self.ram))
        return Machines(slope, base, ram, 1.0, self.fleet, self.curve)

    def _excess(self, level: Any) -> Any:
        fleet = self.fleet
        start = np.maximum(level, fleet.least_count) - fleet.spare_count
        above = self._whole_above(start)
        least = np.maximum(fleet.least_count - level, 0.0)
        if least.any():
            above = above + least * self._share_above(self._slack)
        return above

    def _whole_above(self, start: Any) -> Any:
        """E[max(ceil(work) - start, 0)] for a whole number of machines."""
        if len(self.curve.levels) <= COUNTED_MOST:
            return sum(
                share * np.maximum(np.ceil(self._work(value) - self._slack) - start, 0.0)
                for value, share in self.curve.levels
            )
        most = np.ceil(self._work(self.curve.peak) - self._slack) - start
        far = most > COUNTED_MOST
        if not far.any():
            return self._counted(start, int(max(most.max(), 0.0)))
        near = np.where(far, 0.0, most)
        above = self._counted(start, int(max(near.max(), 0.0)))
        lines = np.broadcast_arrays(self.slope, self.base, self.ram, start, far)
        slope, base, ram, starts = (line[far] for line in lines[:4])
        above[far] = Machines(slope, base, ram, 1.0, self.fleet, self.curve)._integral(starts)
        return above

    @property
    def _slack(self) -> Any:
        """Work for which no machine is added: last bits, and what the curve is kept to."""
        return CEIL_SLACK + self.curve.grain * np.maximum(self.slope, self.ram)

    def _work(self, ratio: float) -> Any:
        return np.maximum(self.slope * ratio, self.base + self.ram * ratio)

    def _share_above(self, level: Any) -> Any:
        """Share of the hours with more work than some machines do."""
        return self._share(self._ratio(level))

    def _share(self, ratio: Any) -> Matrix:
        """Share of the hours with more demand."""
        return self.curve.shares_at(ratio * self.curve.rank_mean)

    def _ratio(self, level: Any) -> Any:
        """Demand up to which some machines do the work; below 0 where even none needs more."""
        by_cores = level / at_least(self.slope, TINY)
        return np.minimum(by_cores, (level - self.base) / at_least(self.ram, TINY))

    def _counted(self, start: Any, count: int) -> Any:
        """Sum of the shares of the hours that need one more, one by one.

        A place in the curve's table for each line, which one machine more moves by as much.
        """
        shape = np.broadcast_shapes(*map(np.shape, (self.slope, self.base, self.ram, start)))
        above: Matrix = np.zeros(shape)
        steps = self.curve.rank_mean / at_least(self.slope, TINY)
        first, by_ram = start + self._slack, bool(np.any(self.base) or np.any(self.ram))
        cores = np.broadcast_to(first * steps, shape).copy()
        place: Matrix = np.empty(shape)
        if by_ram:
            ram_steps = self.curve.rank_mean / at_least(self.ram, TINY)
            ram = np.broadcast_to((first - self.base) * ram_steps, shape).copy()
        for _ in range(count):
            if by_ram:
                np.minimum(cores, ram, out=place)
                above += self.curve.shares_at(place)
                ram += ram_steps
            else:
                place[...] = cores
                above += self.curve.shares_at(place)
            cores += steps
        return above

    def _integral(self, start: Any) -> Any:
        """The sum of many as an integral: the mean work above, and what it is rounded up by.

        That is half a machine on average where the work passes many whole numbers; where RAM
        needs most, and the more so where it hardly follows the load, it may pass few, and is
        taken to be even between the least and the most that RAM needs.

        max(0, base + ram s - C, slope s - C) is convex and piecewise linear in s. It rises with
        the RAM from where the first line reaches C, and with the cores from where theirs is above
        that of the RAM, so its mean is a sum of E[max(0, s - x)] over these two corners, each
        times the change of slope.
        """
        curve, first = self.curve, self._ratio(start)
        steeper = np.maximum(self.slope - self.ram, 0.0)
        reached = np.maximum(first, 0.0)
        corner = np.maximum(self.base / at_least(steeper, TINY), reached)
        work = self.ram * curve.excess(reached) + steeper * curve.excess(corner)
        work = work + np.maximum(self.base - start, 0.0)
        by_cores, above = self._share(corner), self._share(first)
        least = np.maximum(self.base + self.ram * curve.values[0], start)
        most = self.base + self.ram * np.minimum(corner, curve.peak)
        return work + 0.5 * by_cores + _rounding(least, most) * (above - by_cores)


def _rounding(least: Any, most: Any) -> Any:
    """Mean of ceil(x) - x for an x that is as likely to be anywhere between two numbers."""

    def integral(x: Any) -> Any:
        whole = np.floor(x)
        return 0.5 * whole + (x - whole) - 0.5 * (x - whole) ** 2

    width = most - least
    at_once = np.ceil(least - CEIL_SLACK) - least
    some = np.where(width > _NARROW, width, 1.0)
    return np.where(width > _NARROW, (integral(most) - integral(least)) / some, at_once)


def _rows(matrix: Any, part: slice) -> Any:
    """Some months of a matrix, or the one row that stands for all."""
    return matrix[part] if np.ndim(matrix) > 1 and len(matrix) > 1 else matrix
