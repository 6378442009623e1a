"""What a year's load costs under a utility's tariff: time of use, tiers, demand, ratchet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from capmodels.cost.tariffs.bill import (
    MonthLoad,
    billed_powers_kw,
    energy_by_period,
    flat_demand_usd,
    hourly_of_year,
    month_loads,
    timed_demand_usd,
)
from capmodels.cost.tariffs.params import TariffParams, hours_of
from capmodels.cost.tariffs.result import (
    MonthOfTariff,
    PeriodOfTariff,
    TariffResult,
    figures,
    headline,
    notes,
    tables,
)
from capmodels.spec import Citation, Context, Formula, ModelSpec, derived_check

if TYPE_CHECKING:
    from collections.abc import Sequence

_URDB = "U.S. Utility Rate Database, fields of version 7"


def _month(
    params: TariffParams,
    at: int,
    load: MonthLoad,
    energy: Sequence[tuple[float, float]],
    billed: float,
) -> MonthOfTariff:
    energy_kwh = math.fsum(kwh for kwh, _ in energy)
    charges = {
        "energy_usd": math.fsum(usd for _, usd in energy),
        "flat_demand_usd": flat_demand_usd(params.flat_demand, at, billed),
        "timed_demand_usd": timed_demand_usd(load, params.timed_demand.periods),
        "fixed_usd": params.fixed_usd_per_month,
    }
    due = math.fsum(charges.values())
    total = max(due, params.least_usd_per_month) if params.least_usd_per_month else due
    return MonthOfTariff(
        month=at + 1,
        energy_kwh=energy_kwh,
        peak_kw=load.peak_kw,
        billed_kw=billed,
        least_usd=total - due,
        total_usd=total,
        mean_usd_per_kwh=_ratio(total, energy_kwh),
        **charges,
    )


def _ratio(amount: float, of: float) -> float | None:
    return amount / of if of > 0 else None


def _periods(
    params: TariffParams, energy: Sequence[Sequence[tuple[float, float]]]
) -> tuple[PeriodOfTariff, ...]:
    return tuple(
        PeriodOfTariff(
            name=period.name or f"Period {place}",
            energy_kwh=math.fsum(month[place][0] for month in energy),
            energy_usd=math.fsum(month[place][1] for month in energy),
        )
        for place, period in enumerate(params.energy.periods)
    )


def _run(params: TariffParams, _context: Context) -> TariffResult:
    hours = hours_of(params.year)
    loads = month_loads(params, hourly_of_year(params.load.hourly_kw(), params.year, hours))
    energy = [energy_by_period(load, params.energy) for load in loads]
    billed = billed_powers_kw(params.flat_demand, [load.peak_kw for load in loads])
    rows = enumerate(zip(loads, energy, billed, strict=True))
    months = tuple(_month(params, at, *row) for at, row in rows)
    periods = _periods(params, energy)
    sums = {
        key: math.fsum(getattr(one, key) for one in months)
        for key in ("total_usd", "energy_usd", "fixed_usd", "least_usd", "energy_kwh")
    }
    ratchet = math.fsum(
        one.flat_demand_usd - flat_demand_usd(params.flat_demand, at, one.peak_kw)
        for at, one in enumerate(months)
    )
    peak = max(one.peak_kw for one in months)
    mean = _ratio(sums["total_usd"], sums["energy_kwh"])
    return TariffResult(
        headline=headline(sums["total_usd"], mean, sums["energy_usd"]),
        notes=notes(months, ratchet),
        tables=tables(months, periods),
        figures=figures(months),
        demand_usd=math.fsum(one.flat_demand_usd + one.timed_demand_usd for one in months),
        ratchet_usd=ratchet,
        peak_kw=peak,
        load_factor_fraction=_ratio(sums["energy_kwh"] / hours, peak),
        mean_usd_per_kwh=mean,
        months=months,
        periods=periods,
        **sums,
    )


def _flat_load(**flat_demand: Any) -> dict[str, Any]:
    """100 kW in every hour, 10 USD for a kW, energy in two tiers, 250 USD a month."""
    tiers = [{"up_to_kwh": 50_000.0, "rate_usd_per_kwh": 0.10}, {"rate_usd_per_kwh": 0.08}]
    never = [[0] * 24] * 12
    charge = {"tiers": [{"rate_usd_per_kw_month": 10.0}]}
    return {
        "year": 2026,
        "load": {"kind": "power", "hourly_power_kw": [100.0] * 24},
        "energy": {"weekday_schedule": never, "periods": [{"tiers": tiers}]},
        "flat_demand": {"periods": [charge], "ratchet_fraction": [0.8] * 12, **flat_demand},
        "fixed_usd_per_month": 250.0,
    }


def _ratcheted() -> dict[str, Any]:
    return _flat_load(earlier_peaks_kw=[300.0], lookback_months=3)


def _answer(document: dict[str, Any]) -> TariffResult:
    return _run(TariffParams.model_validate(document), Context())


SPEC = ModelSpec(
    id="cost.tariff",
    version="1.0.0",
    title="Electricity under a utility's tariff",
    summary="A year's bill by month and by charge from hourly power: energy by time of use and in "
    "tiers, charges on the highest power by season and by time, a ratchet, fixed charges.",
    params=TariffParams,
    result=TariffResult,
    run=_run,
    points=lambda params: hours_of(params.year),
    citations=(
        Citation(
            text="OpenEI, U.S. Utility Rate Database, web service Utility Rates, version 7",
            url="https://openei.org/services/doc/rest/util_rates/?version=7",
            section="energyratestructure, demandratestructure, flatdemandstructure, "
            "demandratchetpercentage",
        ),
    ),
    formulas=(
        Formula(
            "energy",
            "energy = sum over months and periods of (energy of the period between the ends "
            "of each tier) * (rate + adjustment)",
            _URDB,
            {"rate": "rate_usd_per_kwh", "adjustment": "adjustment_usd_per_kwh"},
        ),
        Formula(
            "ratchet",
            "billed power(m) = max(P(m), r(m) * highest P of the counted months in the lookback)",
            _URDB,
            {"r": "ratchet_fraction", "P": "highest power of a month"},
        ),
        Formula(
            "demand",
            "demand = sum over months of (billed power between the ends of each tier) * "
            "charge, and over periods of (highest power of their hours) * charge",
            _URDB,
        ),
    ),
    checks=(
        derived_check(
            "UT1",
            "100 kW all year, 50,000 kWh a month at 0.10 and the rest at 0.08, 10 a kW, "
            "250 a month",
            97_080.0,
            lambda: _answer(_flat_load()).total_usd,
            source="by hand: 7 * 6,952 + 4 * 6,760 + 6,376 + 12,000 + 3,000",
            tolerance=0.005,
            unit="USD",
            params=_flat_load,
            tests="cost.tariffs.params.EnergyTier.up_to_kwh",
        ),
        derived_check(
            "UT2",
            "A peak of 300 kW in December before, a ratchet of 80% for three months",
            16_200.0,
            lambda: _answer(_ratcheted()).demand_usd,
            source="by hand: (3 * 240 + 9 * 100) kW * 10",
            tolerance=0.005,
            unit="USD",
            params=_ratcheted,
            tests="cost.tariffs.params.PowerLoad.hourly_power_kw",
        ),
    ),
    limits=(
        "Power is the mean of an hour; meters often take 15 minutes, whose peaks are higher.",
        "The ratchet lifts the charge on a month's highest power, not those by the time of use.",
        "Holidays are days like others, and clocks are not changed for the summer.",
        "Charges on reactive power, on coincident peaks, by kWh per kW and for energy sold are "
        "left out.",
    ),
)
