"""Demand over time: growth factors month by month, and the level of each resource."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import TYPE_CHECKING

from capmodels.amounts import is_number, is_zero, maximum
from capmodels.series import each, scaled
from capmodels.units import MONTHS_PER_YEAR
from capmodels.worked import is_worked

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.series import ListForm, Series

MONTHS = MONTHS_PER_YEAR


@dataclass(frozen=True, slots=True)
class Interval:
    """Months from one order to the next, within which what is in place stays.

    The horizon may cut the last one; none is of two years.
    """

    first: int
    end: int  # the month after its last

    @property
    def months(self) -> int:
        """How many months it has."""
        return self.end - self.first

    @property
    def year(self) -> int:
        """The year that it is of, 0 being the first."""
        return self.first // MONTHS_PER_YEAR

    @property
    def name(self) -> str:
        """Which it is in words: a year, or its months."""
        if self.months == MONTHS_PER_YEAR:
            return f"year {self.year + 1}"
        if self.months == 1:
            return f"month {self.end}"
        return f"months {self.first + 1} to {self.end}"


class Factors:
    """Growth factors in the middle of each month, worked out once for each rate."""

    def __init__(self, months: int, form: ListForm) -> None:
        """Remember how long the horizon is, and the form of series."""
        self.months = months
        self.form = form
        self._by_rate: dict[Amount, Series] = {}

    def factors(self, rate: Amount) -> Series:
        """Amount in each month over that of today, at a rate a year."""
        if not is_number(rate) or is_worked(rate):
            return self._worked_out(rate)
        if rate not in self._by_rate:
            self._by_rate[rate] = self._worked_out(rate)
        return self._by_rate[rate]

    def _worked_out(self, rate: Amount) -> Series:
        if is_zero(rate):
            return self.form.constant(1.0, self.months)
        factor = 1.0 + rate
        return each(lambda month: factor ** (month / MONTHS), self.form.month_numbers(self.months))


class Grower:
    """A quantity that grows by a rate a year, compounded month by month."""

    def __init__(self, today: Amount, growth_fraction_per_year: Amount, growth: Factors) -> None:
        """Remember the quantity of today and its rate; the factors may be shared."""
        self.today = today
        self.growth_fraction_per_year = growth_fraction_per_year
        self._growth = growth
        self._means: dict[tuple[int, int], Amount] = {}

    def at(self, month: Amount) -> Amount:
        """Amount a number of months after the start."""
        if is_zero(month):
            return self.today
        return self.today * (1.0 + self.growth_fraction_per_year) ** (month / MONTHS)

    @property
    def factors(self) -> Series:
        """Amount in the middle of each month over that of today, which may be 0."""
        return self._growth.factors(self.growth_fraction_per_year)

    @cached_property
    def monthly(self) -> Series:
        """Amount in the middle of each month, the first month first."""
        return scaled(self.factors, self.today)

    def foreseen(self, planned: Grower, observed: Amount) -> Grower:
        """As expected from what was observed after some months, and grows on as planned."""
        rate = planned.growth_fraction_per_year
        factor = (1.0 + rate) ** (-observed / MONTHS)
        return Grower(self.at(observed) * factor, rate, self._growth)

    def part(self, shares: Series) -> Grower:
        """A share of it in each month, in ``monthly`` and the means over months alone."""
        other = Grower(self.today, self.growth_fraction_per_year, self._growth)
        other.monthly = each(mul, self.monthly, shares)
        return other

    def year_mean(self, year: int) -> Amount:
        """Mean amount over a year (0 is the first), or over what the horizon has of it."""
        first = year * MONTHS
        return self.mean(first, min(first + MONTHS, self._growth.months))

    def mean(self, first: int, end: int) -> Amount:
        """Mean amount over the months from one (0 is the first) to before another."""
        if (first, end) not in self._means:
            self._means[first, end] = self._growth.form.mean(self.monthly, first, end)
        return self._means[first, end]

    def mean_of(self, interval: Interval) -> Amount:
        """Mean amount over an interval."""
        return self.mean(interval.first, interval.end)


# What of a timeline is of one kind of demand.
STORED = {
    "block": ("block_tb", "io_per_s", "throughput_mb_per_s"),
    "object": ("object_tb", "object_writes", "object_reads", "object_read_tb"),
    "archive": ("archive_tb", "archive_read_tb"),
}


class Timeline:
    """Every resource of a demand workload over the horizon."""

    def part(self, shares: dict[str, Series]) -> Timeline:
        """A share of what is stored in each month, by kind of demand; all else as it is."""
        part = copy(self)
        for kind, names in STORED.items():
            for name in names:
                setattr(part, name, getattr(self, name).part(shares[kind]))
        return part

    def foreseen(self, planned: Timeline, observed: Amount) -> Timeline:
        """What is expected from the demand observed after some months."""
        expected = copy(self)
        for name, grower in vars(self).items():
            setattr(expected, name, grower.foreseen(getattr(planned, name), observed))
        return expected

    def __init__(self, work: DemandWorkload, months: int, form: ListForm) -> None:
        """Set up one grower per resource."""
        growth = work.growth
        gpu_mean = work.gpu_peak_count if work.gpu_mean_count is None else work.gpu_mean_count

        factors = Factors(months, form)

        def grower(today: Amount, rate: Amount) -> Grower:
            return Grower(today, rate, factors)

        self.cores = grower(work.busy_cores_count, growth.cores_fraction_per_year)
        self.ram_gib = grower(work.ram_gib, growth.ram_fraction_per_year)
        self.block_tb = grower(work.block_tb, growth.block_fraction_per_year)
        self.io_per_s = grower(work.block_io_per_s, growth.block_fraction_per_year)
        self.throughput_mb_per_s = grower(
            work.block_throughput_mb_per_s, growth.block_fraction_per_year
        )
        self.object_tb = grower(work.object_tb, growth.object_fraction_per_year)
        used = work.object_use
        self.object_writes = grower(used.writes_millions_per_month, growth.object_fraction_per_year)
        self.object_reads = grower(used.reads_millions_per_month, growth.object_fraction_per_year)
        self.object_read_tb = grower(used.read_tb_per_month, growth.object_fraction_per_year)
        self.archive_tb = grower(work.archive_tb, growth.archive_fraction_per_year)
        self.archive_read_tb = grower(
            work.archive_read_tb_per_month, growth.archive_fraction_per_year
        )
        self.egress_tb = grower(work.egress_tb_per_month, growth.transfer_fraction_per_year)
        self.ingress_tb = grower(work.ingress_tb_per_month, growth.transfer_fraction_per_year)
        self.cross_zone_tb = grower(work.cross_zone_tb_per_month, growth.transfer_fraction_per_year)
        # A full-duplex link is as busy as its busier direction; what crosses zones is sent
        # by one machine and received by another.
        outside = maximum(work.egress_tb_per_month, work.ingress_tb_per_month)
        self.traffic_tb = grower(
            outside + work.cross_zone_tb_per_month, growth.transfer_fraction_per_year
        )
        self.gpus_peak = grower(work.gpu_peak_count, growth.gpus_fraction_per_year)
        self.gpus_mean = grower(gpu_mean, growth.gpus_fraction_per_year)
