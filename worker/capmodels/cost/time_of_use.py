"""What electricity costs when its price changes by the hour and the peak is charged too."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from capmodels.equations import equation
from capmodels.series import tiled
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived_check,
    preset,
)
from capmodels.units import (
    WATTS_PER_KW,
    EnergyKwh,
    PowerW,
    Pue,
    Real,
    SignedUsd,
    Usd,
    UsdPerKwh,
    UsdPerKwMonth,
    Whole,
    kwh_from_w,
    of_unit,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.amounts import AmountT

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_YEAR_H = 8784
_YEAR_H = 8760

MonthNumber = Annotated[Whole, of_unit("month", ge=1, le=12)]


def month_ends_h(year_h: int) -> list[int]:
    """Hour at which each month of a year ends. [h]

    >>> month_ends_h(8760)[0], month_ends_h(8784)[1], month_ends_h(8784)[11]
    (744, 1440, 8784)
    """
    extra = (year_h - _YEAR_H) // 24
    ends, total = [], 0
    for month, days in enumerate(_DAYS):
        total += 24 * (days + (extra if month == 1 else 0))
        ends.append(total)
    return ends


@equation("cost.time_of_use")
def energy_charge_usd(energy_kwh: AmountT, usd_per_kwh: AmountT) -> AmountT:
    """Cost of energy at the price of its time. [USD]

    By definition of the tariff; of hours at several prices, energy weighted by price over the level
    of prices has the cost of their sum.
    """
    return energy_kwh * usd_per_kwh


@equation("cost.time_of_use")
def demand_charge_usd(peak_kw: AmountT, usd_per_kw_month: AmountT, months: float = 1.0) -> AmountT:
    """Charge on the highest power of each of some months. [USD]

    By definition of the tariff.
    """
    return peak_kw * usd_per_kw_month * months


def energy_usd(*, power_w: Sequence[float], usd_per_kwh: Sequence[float], pue: float) -> float:
    """Cost of the energy of a building, hour by hour. [USD]

    sum over hours of P PUE price / 1000; both series have one value an hour.
    """
    hours = zip(power_w, usd_per_kwh, strict=True)
    return math.fsum(
        energy_charge_usd(kwh_from_w(power * pue, 1.0), price) for power, price in hours
    )


class FlatPrice(Params):
    """One price for every hour."""

    kind: Literal["flat"] = "flat"
    electricity_usd_per_kwh: UsdPerKwh = assumed(
        0.10, "Price of electricity.", source="economics reference 5.4", low=0.05, high=0.40
    )


class DayPrice(Params):
    """A price for each hour of the day."""

    kind: Literal["day"] = "day"
    hourly_usd_per_kwh: tuple[UsdPerKwh, ...] = assumed(
        (0.07,) * 6 + (0.12,) * 8 + (0.25,) * 6 + (0.12,) * 2 + (0.07,) * 2,
        "Price in each hour from midnight.",
        source="example of economics reference 6.4: 6 h at 0.25, 10 h at 0.12, 8 h at 0.07",
        min_length=24,
        max_length=24,
    )


class HourlyPrice(Params):
    """A series of hourly prices, repeated to fill the year; prices may be negative."""

    kind: Literal["hourly"] = "hourly"
    hourly_usd_per_kwh: tuple[UsdPerKwh, ...] = Field(
        min_length=1, max_length=_LEAP_YEAR_H, description="Price in each hour."
    )


Price = Annotated[FlatPrice | DayPrice | HourlyPrice, Field(discriminator="kind")]


def hourly_prices(price: Price, hours: int) -> list[float]:
    """Price of each hour. [USD/kWh]"""
    if isinstance(price, FlatPrice):
        return [price.electricity_usd_per_kwh] * hours
    return tiled(price.hourly_usd_per_kwh, hours)


class TimeOfUseParams(Params):
    """Power by the hour, price by the hour, and what the month's peak costs."""

    hourly_power_w: tuple[PowerW, ...] = default(
        (18_000.0,),
        "Power in each hour of a day, a week or a year; repeated to fill the year.",
        source="Zaranek et al. 2008, section 2.1",
        as_of="2008",
        min_length=1,
        max_length=_LEAP_YEAR_H,
    )
    price: Price = preset(DayPrice(), "Price of electricity.")
    pue: Pue = assumed(1.0, "Power of the building over power of the equipment.")
    demand_usd_per_kw_month: UsdPerKwMonth = assumed(
        0.0, "Charge on the highest hourly power of each month.", high=25.0
    )
    year_h: Annotated[Literal[8760, 8784], of_unit("h")] = assumed(
        8760, "Hours in the year; 8784 in a leap year."
    )


class MonthBill(Result):
    """The bill of one month."""

    month: MonthNumber
    energy_kwh: EnergyKwh
    energy_usd: SignedUsd
    peak_w: PowerW
    demand_usd: Usd


class TimeOfUseResult(Result):
    """The year's bill."""

    total_usd: SignedUsd
    energy_usd: SignedUsd
    demand_usd: Usd
    energy_kwh: EnergyKwh
    mean_usd_per_kwh: UsdPerKwh | None
    flat_usd_per_kwh: UsdPerKwh
    peak_w: PowerW
    load_factor_fraction: Annotated[Real, of_unit("fraction", ge=0)] | None
    months: tuple[MonthBill, ...]


def _month_bill(
    month: int, power_w: list[float], prices: list[float], params: TimeOfUseParams
) -> MonthBill:
    peak_w = max(power_w) * params.pue
    return MonthBill(
        month=month,
        energy_kwh=kwh_from_w(math.fsum(power_w) * params.pue, 1.0),
        energy_usd=energy_usd(power_w=power_w, usd_per_kwh=prices, pue=params.pue),
        peak_w=peak_w,
        demand_usd=demand_charge_usd(peak_w / WATTS_PER_KW, params.demand_usd_per_kw_month),
    )


def _run(params: TimeOfUseParams, _context: Context) -> TimeOfUseResult:
    power_w = tiled(params.hourly_power_w, params.year_h)
    prices = hourly_prices(params.price, params.year_h)
    spans = enumerate(pairwise([0, *month_ends_h(params.year_h)]), start=1)
    months = tuple(
        _month_bill(month, power_w[start:end], prices[start:end], params)
        for month, (start, end) in spans
    )
    energy_kwh = math.fsum(month.energy_kwh for month in months)
    energy = math.fsum(month.energy_usd for month in months)
    demand = math.fsum(month.demand_usd for month in months)
    peak_w = max(month.peak_w for month in months)
    mean_w = energy_kwh * WATTS_PER_KW / params.year_h
    return TimeOfUseResult(
        total_usd=energy + demand,
        energy_usd=energy,
        demand_usd=demand,
        energy_kwh=energy_kwh,
        mean_usd_per_kwh=energy / energy_kwh if energy_kwh > 0 else None,
        flat_usd_per_kwh=math.fsum(prices) / len(prices),
        peak_w=peak_w,
        load_factor_fraction=mean_w / peak_w if peak_w > 0 else None,
        months=months,
    )


SPEC = ModelSpec(
    id="cost.time_of_use",
    version="1.0.0",
    title="Electricity by time of use",
    summary="A year's electricity bill from hourly power and hourly prices, with a charge on "
    "each month's peak.",
    params=TimeOfUseParams,
    result=TimeOfUseResult,
    run=_run,
    points=lambda params: params.year_h,
    citations=(Citation(text="Definition of a time-of-use tariff with a demand charge"),),
    formulas=(
        Formula(
            "energy",
            "energy cost = sum over hours of P * PUE / 1000 * price(t)",
            "definition",
            {"P": "hourly_power_w", "PUE": "pue"},
        ),
        Formula(
            "demand",
            "demand cost = sum over months of (highest P * PUE / 1000) * charge",
            "definition",
            {"charge": "demand_usd_per_kw_month"},
        ),
    ),
    checks=(
        derived_check(
            "S64",
            "Mean price of a flat load, 6 h at 0.25, 10 h at 0.12, 8 h at 0.07",
            0.1358,
            lambda: _run(TimeOfUseParams(), Context()).mean_usd_per_kwh or 0.0,
            source="weighted mean",
            tolerance=0.0001,
            unit="USD/kWh",
            params=dict,
            tests="cost.time_of_use.DayPrice.hourly_usd_per_kwh",
        ),
    ),
    limits=(
        "The peak is the highest hourly mean; meters often take 15 minutes.",
        "PUE does not change with the load, and work is not shifted to cheap hours.",
        "The year starts on the first hour of the series; days of the week are not known.",
    ),
)
