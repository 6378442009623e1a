"""A year's bill under a tariff, month by month and charge by charge."""

from __future__ import annotations

import math
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from capmodels.amounts import is_number, maximum
from capmodels.cost.tariffs.params import HOURS_PER_WEEK
from capmodels.cost.tiered import band_cost
from capmodels.equations import equation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.amounts import AmountT
    from capmodels.cost.tariffs.params import (
        DemandPeriod,
        EnergyCharges,
        FlatCharges,
        PeakCharges,
        Scheduled,
    )
    from capmodels.cost.tiered import Band

_DAY = 24
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class MonthLoad:
    """Power of a month's hours, and which periods they are in."""

    power_kw: tuple[float, ...]
    energy_places: tuple[int, ...]
    demand_places: tuple[int, ...]

    @property
    def peak_kw(self) -> float:
        """Highest power. [kW]"""
        return max(self.power_kw)


@equation("cost.tariff")
def billed_kw(
    month: int,
    peaks_kw: Sequence[float],
    earlier_kw: Sequence[float],
    fraction: float,
    lookback_months: int,
    counted_months: Sequence[int],
) -> float:
    """Power that a month is billed for, with the ratchet. [kW]

    max(P(m), r max P(k)) over the counted months k among the ``lookback_months`` before m; months
    before the first are the last of ``earlier_kw``. Months count from 0 for January, those that
    the ratchet remembers from 1, as the tariff names them.

    Definition of a ratchet, by the fields demandratchetpercentage, lookbackRange and
    lookbackMonths of the U.S. Utility Rate Database.

    >>> billed_kw(1, [300.0, 100.0], [], 0.8, 11, range(1, 13))
    240.0
    >>> billed_kw(0, [100.0], [300.0], 0.8, 1, [12])
    240.0
    """
    if is_number(fraction) and fraction == 0.0:
        return peaks_kw[month]
    known = [*earlier_kw, *peaks_kw]
    here = len(earlier_kw) + month
    remembered = [
        known[at]
        for at in range(max(0, here - lookback_months), here)
        if (at - len(earlier_kw)) % 12 + 1 in counted_months
    ]
    if not remembered:
        return peaks_kw[month]
    numbers = all(map(is_number, remembered))
    highest = max(remembered) if numbers else reduce(maximum, remembered)
    return maximum(peaks_kw[month], fraction * highest)


def hourly_of_year(values: Sequence[float], year: int, hours: int) -> list[float]:
    """Values of a day, of a week from Monday or of the year, for each hour of the year."""
    if len(values) == hours:
        return list(values)
    first = date(year, 1, 1).weekday() * _DAY if len(values) == HOURS_PER_WEEK else 0
    return [values[(first + hour) % len(values)] for hour in range(hours)]


class Calendar(Protocol):
    """What sorts the hours of a year into periods."""

    @property
    def year(self) -> int: ...
    @property
    def energy(self) -> EnergyCharges: ...
    @property
    def timed_demand(self) -> PeakCharges: ...


def month_loads(params: Calendar, power_kw: Sequence[float]) -> list[MonthLoad]:
    """The year's hours, month by month."""
    found, at = [], 0
    schedules = (params.energy, params.timed_demand)
    for month in range(12):
        first_weekday, days = monthrange(params.year, month + 1)
        weekend = [(first_weekday + day) % 7 >= _SATURDAY for day in range(days)]
        places = [_places(charges, month, weekend) for charges in schedules]
        end = at + days * _DAY
        found.append(MonthLoad(tuple(power_kw[at:end]), *places))
        at = end
    return found


def _places(charges: Scheduled, month: int, weekend: Sequence[bool]) -> tuple[int, ...]:
    kinds = (charges.weekday_schedule[month], charges.weekend_schedule[month])
    return tuple(place for is_weekend in weekend for place in kinds[is_weekend])


def energy_by_period(load: MonthLoad, charges: EnergyCharges) -> list[tuple[float, float]]:
    """Energy and its cost of each period in a month. [kWh, USD]"""
    bands: list[list[Band]] = [
        [(tier.up_to_kwh, tier.usd_per_kwh) for tier in period.tiers] for period in charges.periods
    ]
    hours: list[list[float]] = [[] for _ in bands]
    for kwh, place in zip(load.power_kw, load.energy_places, strict=True):
        hours[place].append(kwh)
    energy = [math.fsum(values) for values in hours]
    if charges.tiers_fill_with == "period":
        return [(kwh, band_cost(kwh, tiers)) for kwh, tiers in zip(energy, bands, strict=True)]
    costs: list[list[float]] = [[] for _ in bands]
    ends = list(accumulate(load.power_kw, initial=0.0))
    for at, place in enumerate(load.energy_places):
        upper, lower = (band_cost(end, bands[place]) for end in (ends[at + 1], ends[at]))
        costs[place].append(upper - lower)
    return [(kwh, math.fsum(cost)) for kwh, cost in zip(energy, costs, strict=True)]


def demand_usd(period: DemandPeriod, power_kw: AmountT) -> AmountT:
    """Charge of a month on a power. [USD]"""
    return band_cost(power_kw, [(tier.up_to_kw, tier.usd_per_kw_month) for tier in period.tiers])


def timed_demand_usd(load: MonthLoad, periods: Sequence[DemandPeriod]) -> float:
    """Charges of a month on the highest power of each of its periods. [USD]"""
    if not periods:
        return 0.0
    highest: dict[int, float] = {}
    for power, place in zip(load.power_kw, load.demand_places, strict=True):
        highest[place] = max(power, highest.get(place, 0.0))
    return math.fsum(demand_usd(periods[place], peak) for place, peak in highest.items())


def billed_powers_kw(charges: FlatCharges, peaks_kw: Sequence[float]) -> list[float]:
    """Power that each month is billed for. [kW]"""
    earlier = charges.earlier_peaks_kw or tuple(peaks_kw)
    return [
        billed_kw(
            month,
            peaks_kw,
            earlier,
            charges.ratchet_fraction[month],
            charges.lookback_months,
            charges.counted_months,
        )
        for month in range(12)
    ]


def flat_demand_usd(charges: FlatCharges, month: int, power_kw: float) -> float:
    """Charge of a month on the power that it is billed for. [USD]"""
    if not charges.periods:
        return 0.0
    return demand_usd(charges.periods[charges.seasons_by_months[month]], power_kw)
