"""What a year under a tariff costs, and what is said of it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.cost.tariffs.params import MonthNumber
from capmodels.numbers import MONTHS, money, percent, quantity
from capmodels.spec import Result
from capmodels.told import Axis, Figure, Series, Table, TableRow, Told, listed, parts_of
from capmodels.units import EnergyKwh, PowerKw, Real, SignedUsd, Usd, UsdPerKwh, of_unit

NonNegativeFraction = Annotated[Real, of_unit("fraction", ge=0)]


class MonthOfTariff(Result):
    """The bill of one month."""

    month: MonthNumber
    energy_kwh: EnergyKwh
    peak_kw: PowerKw
    billed_kw: PowerKw
    energy_usd: SignedUsd
    flat_demand_usd: SignedUsd
    timed_demand_usd: SignedUsd
    fixed_usd: Usd
    least_usd: Annotated[Usd, Field(description="Added up to the least that a month costs.")]
    total_usd: SignedUsd
    mean_usd_per_kwh: UsdPerKwh | None


class PeriodOfTariff(Result):
    """Energy of the year in the hours of a period."""

    name: str
    energy_kwh: EnergyKwh
    energy_usd: SignedUsd


class TariffResult(Told):
    """The year's bill, by month, by charge and by period."""

    total_usd: SignedUsd
    energy_usd: SignedUsd
    demand_usd: SignedUsd
    ratchet_usd: Annotated[
        SignedUsd, Field(description="Part of the charges on power that only the ratchet makes.")
    ]
    fixed_usd: Usd
    least_usd: Usd
    energy_kwh: EnergyKwh
    peak_kw: PowerKw
    load_factor_fraction: NonNegativeFraction | None
    mean_usd_per_kwh: UsdPerKwh | None
    months: tuple[MonthOfTariff, ...]
    periods: tuple[PeriodOfTariff, ...]


_CHARGES = (
    ("energy_usd", "Energy"),
    ("flat_demand_usd", "Highest power of the month"),
    ("timed_demand_usd", "Highest power by time"),
    ("fixed_usd", "Every month"),
    ("least_usd", "Up to the least"),
)


def headline(total_usd: float, mean: float | None, energy_usd: float) -> str:
    """Cost of the year, of a kilowatt-hour, and what part of it is not energy."""
    if mean is None:
        return f"**The year costs {money(total_usd)}**, for no energy."
    found = f"**The year costs {money(total_usd)}**, {quantity(mean, 'USD/kWh')} on average."
    if total_usd > 0 and 0 <= energy_usd < total_usd:
        found += f" {percent(1 - energy_usd / total_usd)} of it is not energy."
    return found


def notes(months: tuple[MonthOfTariff, ...], ratchet_usd: float) -> tuple[str, ...]:
    """What the ratchet adds, and which month is dearest."""
    lifted = [MONTHS[one.month - 1] for one in months if one.billed_kw > one.peak_kw]
    dearest = max(months, key=lambda one: one.total_usd)
    found = [f"{MONTHS[dearest.month - 1]} costs most: {money(dearest.total_usd)}."]
    if lifted and ratchet_usd:
        found.append(f"The ratchet adds {money(ratchet_usd)}, in {listed(lifted)}.")
    return tuple(found)


def _charged(months: tuple[MonthOfTariff, ...]) -> list[tuple[str, str]]:
    """Charges that any month has."""
    return [charge for charge in _CHARGES if any(getattr(one, charge[0]) for one in months)]


def _month_row(one: MonthOfTariff, charges: list[tuple[str, str]], *, is_best: bool) -> TableRow:
    return TableRow(
        head=MONTHS[one.month - 1],
        cells=(
            quantity(one.energy_kwh, "kWh"),
            quantity(one.peak_kw, "kW"),
            quantity(one.billed_kw, "kW"),
            *(f"{getattr(one, key):,.2f}" for key, _ in charges),
            f"{one.total_usd:,.2f}",
            quantity(one.mean_usd_per_kwh, "USD/kWh"),
        ),
        is_best=is_best,
    )


def tables(
    months: tuple[MonthOfTariff, ...], periods: tuple[PeriodOfTariff, ...]
) -> tuple[Table, ...]:
    """The bill by month to the cent, and energy by period."""
    least = min(months, key=lambda one: one.total_usd)
    charges = _charged(months)
    return (
        Table(
            title="Bill by month, in dollars",
            columns=(
                "Month",
                "Energy used",
                "Highest power",
                "Billed power",
                *(label for _, label in charges),
                "Total",
                "For a kWh",
            ),
            rows=tuple(_month_row(one, charges, is_best=one is least) for one in months),
        ),
        Table(
            title="Energy by period",
            columns=("Period", "Energy", "Cost"),
            rows=tuple(
                TableRow(
                    head=one.name,
                    cells=(quantity(one.energy_kwh, "kWh"), money(one.energy_usd)),
                )
                for one in periods
            ),
        ),
    )


def figures(months: tuple[MonthOfTariff, ...]) -> tuple[Figure, ...]:
    """The bill of each month in its charges, and power beside billed power."""
    dearest = max(months, key=lambda one: one.total_usd)
    highest = max(months, key=lambda one: one.peak_kw)
    names = tuple(MONTHS[one.month - 1] for one in months)
    return (
        Figure(
            kind="stacked",
            name="Bill by month",
            title=f"{MONTHS[dearest.month - 1]} costs most: {money(dearest.total_usd)}",
            along=Axis(title="Bill", unit="USD"),
            rows=names,
            series=parts_of(months, _charged(months)),
        ),
        Figure(
            kind="grouped",
            name="Power and billed power",
            title=f"{MONTHS[highest.month - 1]} has the highest power: "
            f"{quantity(highest.peak_kw, 'kW')}",
            along=Axis(title="Power", unit="kW"),
            rows=names,
            series=(
                Series(name="Highest power", values=tuple(one.peak_kw for one in months)),
                Series(name="Billed power", values=tuple(one.billed_kw for one in months)),
            ),
        ),
    )
