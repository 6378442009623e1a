"""Demand over time: growth factors month by month, and the level of each resource."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from capmodels.plans.series import each
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.series import ListForm, Series
    from capmodels.plans.workload import DemandWorkload

MONTHS = MONTHS_PER_YEAR


class Grower:
    """A quantity that grows by a rate a year, compounded month by month."""

    def __init__(
        self, today: float, growth_fraction_per_year: float, months: int, form: ListForm
    ) -> None:
        """Remember the quantity of today and how long the horizon is."""
        self.today = today
        self._rate = growth_fraction_per_year
        self._months = months
        self._form = form
        self._yearly: dict[int, float] = {}

    def at(self, month: float) -> float:
        """Amount a number of months after the start."""
        return self.today * (1.0 + self._rate) ** (month / MONTHS) if month else self.today

    @cached_property
    def monthly(self) -> Series:
        """Amount in the middle of each month, the first month first."""
        today, factor = self.today, 1.0 + self._rate
        numbers = self._form.month_numbers(self._months)
        return each(lambda month: today * factor ** (month / MONTHS), numbers)

    def year_mean(self, year: int) -> float:
        """Mean amount over a year (0 is the first), or over what the horizon has of it."""
        if year not in self._yearly:
            first = year * MONTHS
            last = min(first + MONTHS, self._months)
            self._yearly[year] = self._form.mean(self.monthly, first, last)
        return self._yearly[year]


class Timeline:
    """Every resource of a demand workload over the horizon."""

    def __init__(self, work: DemandWorkload, months: int, form: ListForm) -> None:
        """Set up one grower per resource."""
        growth = work.growth
        gpu_mean = work.gpu_peak_count if work.gpu_mean_count is None else work.gpu_mean_count

        def grower(today: float, rate: float) -> Grower:
            return Grower(today, rate, months, form)

        self.cores = grower(work.busy_cores_count, growth.cores_fraction_per_year)
        self.ram_gib = grower(work.ram_gib, growth.ram_fraction_per_year)
        self.block_tb = grower(work.block_tb, growth.block_fraction_per_year)
        self.io_per_s = grower(work.block_io_per_s, growth.block_fraction_per_year)
        self.throughput_mb_per_s = grower(
            work.block_throughput_mb_per_s, growth.block_fraction_per_year
        )
        self.object_tb = grower(work.object_tb, growth.object_fraction_per_year)
        self.egress_tb = grower(work.egress_tb_per_month, growth.transfer_fraction_per_year)
        self.ingress_tb = grower(work.ingress_tb_per_month, growth.transfer_fraction_per_year)
        self.cross_zone_tb = grower(work.cross_zone_tb_per_month, growth.transfer_fraction_per_year)
        self.gpus_peak = grower(work.gpu_peak_count, growth.gpus_fraction_per_year)
        self.gpus_mean = grower(gpu_mean, growth.gpus_fraction_per_year)
