"""Inputs and results of memory power policies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from capmodels.memory.states import (
    TECHNIQUES,
    THESIS,
    KnownMemory,
    Memory,
    Technique,
)
from capmodels.memory.traffic import MixTraffic, Reshaping, Traffic
from capmodels.spec import Params, Result, assumed, default, derived, preset, refusal
from capmodels.told import Told
from capmodels.units import (
    Count,
    DurationMs,
    EnergyJ,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Ratio,
    Real,
    of_unit,
)

HorizonMs = Annotated[DurationMs, Field(gt=0, le=20_000)]
MeanNs = Annotated[Real, of_unit("ns", ge=0)]
SignedFraction = Annotated[Real, of_unit("fraction")]
PriceUsdPerKwh = Annotated[Real, of_unit("USD/kWh", ge=0, le=1000)]
YearUsd = Annotated[Real, of_unit("USD/yr")]
IntervalsCount = Annotated[Ratio, Field(gt=0, le=100_000)]


class PowerPoliciesParams(Params):
    """Memory, its traffic, and the techniques to compare."""

    memory: Memory = KnownMemory()
    traffic: Traffic = MixTraffic()
    techniques: tuple[Technique, ...] = default(
        TECHNIQUES,
        "NOPM: none. IPD, ISR: power-down, self-refresh as soon as idle. HW: a "
        "predictor in the controller. PAVM: ranks of the running process awake, others in "
        "self-refresh; PAVM_IPD: with power-down. HW_SW: the predictor with a history for "
        "each process.",
        source=THESIS,
        min_length=1,
        max_length=len(TECHNIQUES),
    )
    interleave: Literal["rank_fill", "rank_spread"] = preset(
        "rank_fill",
        "Whether addresses fill a rank before the next, or are spread over all, as "
        "in today's servers.",
    )
    reshaping: Reshaping = Reshaping()
    horizon_ms: HorizonMs = assumed(50.0, "Simulated time; whole turns give exact shares.")
    threshold_max_ratio: IntervalsCount = default(
        64.0, "Most that the predictor waits, in refresh intervals.", source=f"{THESIS}, figure 2.9"
    )
    threshold_first_ratio: Ratio = assumed(0.0, "What it waits at first, in refresh intervals.")
    stall_fraction: Fraction = derived(
        1.0,
        "Share of an added wait that stalls the processor; 1 is pessimistic.",
        source=f"{THESIS}, section 2.5",
    )
    electricity_usd_per_kwh: PriceUsdPerKwh = assumed(0.10, "Price of energy.", low=0.05, high=0.3)
    pue: Pue = assumed(1.5, "Energy of the site over that of its machines.", low=1.1, high=2.0)

    @field_validator("techniques")
    @classmethod
    def _each_once(cls, value: tuple[Technique, ...]) -> tuple[Technique, ...]:
        for place, technique in enumerate(value):
            if technique in value[:place]:
                raise refusal(
                    "technique_twice", f"{technique} is there twice. Remove one.", at=(place,)
                )
        return value


class RankResult(Result):
    """What one rank did."""

    rank: Count
    standby_fraction: Fraction
    powerdown_fraction: Fraction
    self_refresh_fraction: Fraction
    idle_mean_ns: MeanNs | None


class PowerByCause(Result):
    """Average power, split by cause; the parts add up."""

    standby_w: PowerW
    powerdown_w: PowerW
    self_refresh_w: PowerW
    peripheral_w: PowerW
    access_w: PowerW


class TechniqueResult(Result):
    """What a technique draws, and what it costs in time."""

    technique: Technique
    average_w: PowerW
    closed_form_w: PowerW | None = Field(
        description="By the formula, where there is one for this traffic."
    )
    saving_fraction: SignedFraction = Field(description="Of the power without management.")
    energy_j: EnergyJ
    response_ns: MeanNs
    runtime_ratio: Ratio = Field(description="Run time over that without management.")
    pdd_w: PowerW = Field(description="Power x delay x delay, the thesis' figure of merit.")
    delayed_powerdown_count: Count
    delayed_self_refresh_count: Count
    outside_count: Count = Field(
        description="Accesses to ranks that the system had put to sleep; 0 in a sound trace."
    )
    standby_fraction: Fraction
    powerdown_fraction: Fraction
    self_refresh_fraction: Fraction
    energy_kwh_per_year: EnergyKwh = Field(description="At this power, with the site's overhead.")
    saving_usd_per_year: YearUsd
    causes: PowerByCause
    ranks: tuple[RankResult, ...]
    series_w: tuple[PowerW, ...] = Field(description="Average power in equal parts of the time.")


class Migration(Result):
    """What moving pages costs, once."""

    pages_count: Count
    line_accesses_count: Count
    energy_j: EnergyJ
    average_w: PowerW = Field(description="Spread over the simulated time.")


class PowerPoliciesResult(Told):
    """One row for each technique, on the same accesses."""

    accesses_count: Count
    rate_per_s: Annotated[Real, of_unit("1/s", ge=0)]
    active_ranks_fraction: Fraction = Field(
        description="Ranks of the running process over all, averaged over time."
    )
    techniques: tuple[TechniqueResult, ...]
    migration: Migration | None
    warnings: tuple[str, ...]
