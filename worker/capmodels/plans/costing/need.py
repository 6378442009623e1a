"""Instances that work needs, as a function of the hour's demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least, is_above, is_zero, maximum, minimum
from capmodels.series import each, scaled

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.duration import DurationCurve
    from capmodels.plans.costing.timeline import Timeline
    from capmodels.series import Series


@dataclass(slots=True)
class Need:
    """Instances needed at an hour with demand s, the largest of three lines over s.

    They are ``cores s``, ``network s`` and ``base + ram s``: traffic follows the load.
    """

    cores: Amount
    base: Amount
    ram: Amount
    network: Amount = 0.0

    @property
    def slope(self) -> Amount:
        """The steeper of the two lines through the origin."""
        return self.cores if is_zero(self.network) else maximum(self.cores, self.network)

    def at(self, ratio: Amount) -> Amount:
        """Instances at one ratio of demand to its mean."""
        return maximum(self.slope * ratio, self.base + self.ram * ratio)

    def share_above(self, level: Amount, curve: DurationCurve) -> Amount:
        """Share of the hours in which more than a level of instances is needed."""
        by_cores = at_least(level, 0.0) / at_least(self.slope, TINY)
        by_ram = (level - self.base) / at_least(self.ram, TINY)
        above = curve.share_above(at_least(minimum(by_cores, by_ram), 0.0))
        return maximum(above, is_above(self.base - level, 0.0))

    def excess(self, level: Amount, curve: DurationCurve) -> Amount:
        """Mean number of instances above a level of 0 or more, over the hours.

        max(0, base + ram s - C, cores s - C) is convex and piecewise linear in s. It rises
        with the RAM from where the first line reaches C, and with the cores from where
        theirs is above that of the RAM, so its mean is a sum of E[max(0, s - x)] over these
        two corners, each times the change of slope.
        """
        work = self.slope
        by_cores = level / at_least(work, TINY)
        by_ram = (level - self.base) / at_least(self.ram, TINY)
        start = at_least(minimum(by_ram, by_cores), 0.0)
        steeper = at_least(work - self.ram, 0.0)
        corner = maximum(self.base / at_least(steeper, TINY), start)
        above = at_least(self.base - level, 0.0)
        return above + self.ram * curve.excess(start) + steeper * curve.excess(corner)


@dataclass(frozen=True, slots=True)
class NeedRates:
    """Instances that a core, a GiB, a GPU in use and a TB moved a month need at mean demand."""

    per_core: Amount
    per_fixed_gib: Amount
    per_scaling_gib: Amount
    per_gpu: Amount
    per_tb: Amount

    def need(self, cores: Amount, ram_gib: Amount, gpus: Amount, traffic_tb: Amount) -> Need:
        """Instances that an amount of work needs, as a function of the hour."""
        if is_zero(self.per_gpu):
            return Need(
                cores * self.per_core,
                ram_gib * self.per_fixed_gib,
                ram_gib * self.per_scaling_gib,
                0.0 if is_zero(self.per_tb) else traffic_tb * self.per_tb,
            )
        return Need(0.0, gpus * self.per_gpu, 0.0)

    def slopes(self, timeline: Timeline) -> Series:
        """Instances that cores or traffic need at mean demand, month by month."""
        cores = scaled(timeline.cores.monthly, self.per_core)
        if is_zero(self.per_tb):
            return cores
        return each(maximum, cores, scaled(timeline.traffic_tb.monthly, self.per_tb))
