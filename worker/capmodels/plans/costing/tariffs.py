"""Prices of electricity by the hour, as a study has them."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.plans.costing.tariff_bill import steady_usd_per_kwh

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.assumptions import Electricity, Tariff, TimeOfUseElectricity

HOURS_PER_DAY = 24
HOURS_PER_WEEK = 168
WEEKDAYS = 5


def hourly_prices(electricity: Electricity) -> list[float] | None:
    """Price of every hour of a day, week or year as entered.

    None for a flat price, and for a tariff, which bills months and not hours.
    """
    if electricity.kind == "flat" or electricity.kind == "tariff":  # noqa: PLR1714 - for mypy
        return None
    if electricity.kind == "hourly":
        return list(electricity.usd_per_kwh)
    return [as_number(price) for price in time_of_use_prices(electricity)]


def price_level(electricity: Electricity) -> float:
    """What turns weighted energy into money: the price, or the level of the hourly prices.

    A tariff has none: it bills months.
    """
    if electricity.kind == "tariff":
        return 0.0
    return electricity.usd_per_kwh if electricity.kind == "flat" else electricity.scale_ratio


def mean_price(electricity: Electricity) -> float:
    """Mean over the hours, of a load that is the same at all. [USD/kWh]"""
    if electricity.kind == "tariff":
        return steady_usd_per_kwh(electricity)
    prices = hourly_prices(electricity)
    return price_level(electricity) * (1.0 if prices is None else fmean(prices))


def time_of_use_prices(electricity: TimeOfUseElectricity) -> list[Amount]:
    """Price of every hour of a week that starts on a Monday."""
    prices = tariff_prices(electricity)
    return [prices[at] for at in tariff_of_hours(electricity)]


def tariff_prices(electricity: TimeOfUseElectricity) -> list[Amount]:
    """The base price, then the price of each tariff. [USD/kWh]"""
    return [electricity.base_usd_per_kwh, *(one.usd_per_kwh for one in electricity.tariffs)]


def tariff_of_hours(electricity: TimeOfUseElectricity) -> list[int]:
    """Which price holds in every hour of a week: 0 is the base, the last tariff goes first."""
    found = [0] * HOURS_PER_WEEK
    for place, tariff in enumerate(electricity.tariffs, 1):
        for hour in range(HOURS_PER_WEEK):
            if _covers(tariff, hour):
                found[hour] = place
    return found


def _covers(tariff: Tariff, hour: int) -> bool:
    day, hour_of_day = divmod(hour, HOURS_PER_DAY)
    weekend = day >= WEEKDAYS
    if tariff.days != "all" and (tariff.days == "weekend") != weekend:
        return False
    return tariff.from_h <= hour_of_day < tariff.to_h
