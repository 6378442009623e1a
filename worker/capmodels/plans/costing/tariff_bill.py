"""A year's bill of a design under a utility's tariff.

A month's bill asks for its energy by period and for its highest powers alone. Both are means of
the power over some of the year's hours, so the curves that average a power curve exactly give
them too, for numbers as for draws; what they cost is what ``cost.tariff`` charges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import as_number, drawn, is_zero, maximum
from capmodels.cost.tariffs.bill import (
    billed_powers_kw,
    demand_usd,
    flat_demand_usd,
    hourly_of_year,
    month_loads,
)
from capmodels.cost.tariffs.params import hours_of
from capmodels.cost.tiered import band_cost
from capmodels.plans.costing.duration import DurationCurve
from capmodels.plans.document.parts import Latest
from capmodels.units import MONTHS_PER_YEAR, WATTS_PER_KW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.document.tariffed import TariffElectricity


@dataclass(frozen=True, slots=True)
class MonthHours:
    """Where a month's means stand: energy and highest power by period, highest power of all."""

    energy: tuple[tuple[int, int], ...]
    timed: tuple[tuple[int, int], ...]
    peak: int


class TariffHours:
    """The hours of a tariff's year: curves to take means over, and which month asks for which.

    A mean over ``curves[i]`` times ``hours`` is the energy of its hours; that over a curve of
    highest power is the power itself.
    """

    def __init__(self, tariff: TariffElectricity, values: Sequence[float]) -> None:
        """Sort the hours of a shape into the months and periods of a tariff."""
        self._values, self.hours = tuple(values), len(values)
        self._places: dict[tuple[float, ...], int] = {}
        self.curves: list[DurationCurve] = []
        numbers = [float(at) for at in range(self.hours)]
        hours = hourly_of_year(numbers, tariff.year, hours_of(tariff.year))
        self.months = tuple(
            MonthHours(
                energy=self._by_place(load.power_kw, load.energy_places, self._energy),
                timed=self._by_place(load.power_kw, load.demand_places, self._highest),
                peak=self._highest([int(at) for at in load.power_kw]),
            )
            for load in month_loads(tariff, hours)
        )

    @staticmethod
    def _by_place(
        hours: Sequence[float], places: Sequence[int], curve: Callable[[Sequence[int]], int]
    ) -> tuple[tuple[int, int], ...]:
        found: dict[int, list[int]] = {}
        for hour, place in zip(hours, places, strict=True):
            found.setdefault(place, []).append(int(hour))
        return tuple((place, curve(hours)) for place, hours in sorted(found.items()))

    def _energy(self, hours: Sequence[int]) -> int:
        weights = [0.0] * self.hours
        for hour in hours:
            weights[hour] += 1.0
        return self._curve(weights)

    def _highest(self, hours: Sequence[int]) -> int:
        weights = [0.0] * self.hours
        weights[max(hours, key=self._values.__getitem__)] = float(self.hours)
        return self._curve(weights)

    def _curve(self, weights: list[float]) -> int:
        key = tuple(weights)
        if key not in self._places:
            self._places[key] = len(self.curves)
            self.curves.append(DurationCurve(self._values, weights))
        return self._places[key]


_hours: Latest[TariffHours] = Latest(16)


def tariff_hours(tariff: TariffElectricity, values: Sequence[float]) -> TariffHours:
    """Return the hours of a tariff's year; a slider leaves its schedules and the shape as is."""
    charges = (tariff.energy, tariff.timed_demand)
    schedules = tuple((each.weekday_schedule, each.weekend_schedule) for each in charges)
    key = (tariff.year, schedules, tuple(values))
    found = _hours.get(key)
    if found is None:
        found = TariffHours(tariff, values)
        _hours.put(key, found)
    return found


def month_bills_usd(
    tariff: TariffElectricity,
    hours: TariffHours,
    kw: Sequence[Amount],
    before_kw: Sequence[Amount] | None = None,
) -> list[Amount]:
    """What each month of the year costs, from January. [USD]

    ``kw`` has the mean power over each of the curves, with cooling; ``before_kw`` that of the
    year before, which a ratchet remembers.
    """
    peaks = [drawn(kw[month.peak]) for month in hours.months]
    flat = tariff.flat_demand
    if before_kw is not None:
        flat = flat.model_copy(
            update={"earlier_peaks_kw": tuple(before_kw[month.peak] for month in hours.months)}
        )
    billed = billed_powers_kw(flat, peaks)
    bands = [
        [(tier.up_to_kwh, tier.usd_per_kwh) for tier in period.tiers]
        for period in tariff.energy.periods
    ]
    found: list[Amount] = []
    for at, month in enumerate(hours.months):
        due: Amount = flat_demand_usd(flat, at, billed[at]) + tariff.fixed_usd_per_month
        for place, curve in month.energy:
            due = due + band_cost(kw[curve] * hours.hours, bands[place])
        for place, curve in month.timed if tariff.timed_demand.periods else ():
            due = due + demand_usd(tariff.timed_demand.periods[place], kw[curve])
        least = tariff.least_usd_per_month
        due = due if is_zero(least) else maximum(due, least)
        found.append(due * tariff.scale_ratio)
    return found


def year_bill_usd(
    tariff: TariffElectricity,
    hours: TariffHours,
    watts: Sequence[Amount],
    *,
    pue: Amount,
    months: range,
    before_w: Sequence[Amount] | None = None,
) -> Amount:
    """What the months of a year cost together, 0 being January, with cooling. [USD]"""
    kw = [one * pue / WATTS_PER_KW for one in watts]
    before = None if before_w is None else [one * pue / WATTS_PER_KW for one in before_w]
    bills = month_bills_usd(tariff, hours, kw, before)
    total: Amount = 0.0
    for month in months:
        total = total + bills[month % MONTHS_PER_YEAR]
    return total


def steady_usd_per_kwh(tariff: TariffElectricity) -> float:
    """What a kilowatt-hour costs of a load that is 1 kW at all hours."""
    hours = tariff_hours(tariff, (1.0,))
    bills = month_bills_usd(tariff, hours, [curve.weight for curve in hours.curves])
    return sum(map(as_number, bills)) / hours_of(tariff.year)
