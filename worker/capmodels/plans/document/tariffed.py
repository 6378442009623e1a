"""Electricity of a study under a utility's tariff, with the fields of the model cost.tariff."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.cost.tariffs.params import (
    PERIODS_MAX,
    CalendarYear,
    DemandPeriod,
    EnergyCharges,
    FlatCharges,
    PeakCharges,
)
from capmodels.plans.document.bounded import UsdPerMonth
from capmodels.plans.document.fields import Finding, Name, PositiveRatio, refuse, unused
from capmodels.spec import Params, assumed, preset
from capmodels.units import Fraction

_Periods = Annotated[tuple[DemandPeriod, ...], Field(max_length=PERIODS_MAX)]
_OfMonths = Annotated[tuple[Fraction, ...], Field(min_length=12, max_length=12)]


class PowerCharges(FlatCharges):
    """As the model has them, but none until they are entered: a form shows what is billed."""

    periods: _Periods = assumed(
        (),
        "Charges of the seasons that the months name; none where the tariff has no such charge.",
        source="none unless entered",
    )
    ratchet_fraction: _OfMonths = assumed(
        (0.0,) * 12,
        "Share of the highest power of earlier months below which no month is "
        "billed, from January; 0 where a month has none.",
        source="none unless entered",
    )


class TariffElectricity(Params):
    """Time of use, tiers, charges on power with a ratchet: each month is billed by itself."""

    kind: Literal["tariff"]
    name: Name = Field(title="Tariff", description="What the utility calls it.")
    year: CalendarYear = assumed(
        2026,
        "Calendar year whose weekdays and weekends the schedules follow.",
        source="The year before the machines run",
        title="Year of the weekdays",
    )
    energy: EnergyCharges = Field(description="Prices of energy.")
    flat_demand: PowerCharges = preset(
        PowerCharges(),
        "Charge on a month's highest power, cooling included.",
        title="Highest power of a month",
    )
    timed_demand: PeakCharges = preset(
        PeakCharges(),
        "Charges on the highest power in hours of a kind.",
        title="Highest power by time",
    )
    fixed_usd_per_month: UsdPerMonth = unused("Every month", "Such as the meter's charge.")
    least_usd_per_month: UsdPerMonth = unused("Least that a month costs")
    scale_ratio: PositiveRatio = assumed(
        1.0,
        "The whole bill times this ratio; give it a range to ask how sure.",
        source="Prices as entered",
        title="Level",
    )

    @model_validator(mode="after")
    def _tiers_of_periods(self) -> TariffElectricity:
        tiered = any(len(period.tiers) > 1 for period in self.energy.periods)
        if self.energy.tiers_fill_with == "month" and tiered:
            sentence = (
                "A study fills the tiers of each period with its own energy. Choose that, or try "
                "the tariff in the model cost.tariff."
            )
            refuse([Finding(("energy", "tiers_fill_with"), "not_in_a_study", sentence)])
        return self
