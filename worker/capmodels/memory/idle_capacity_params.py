"""Inputs and results of idle memory: what is uncertain has a low, a likely and a high value."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from capmodels.forms import in_groups
from capmodels.memory.modules import KnownModule, Module
from capmodels.memory.planning import MemoryLayout, Policy
from capmodels.spec import Params, Result, assumed, preset, refusal
from capmodels.told import Told
from capmodels.units import (
    Count,
    CountFromOne,
    DataGib,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Real,
    ThroughputMbPerS,
    Usd,
    Whole,
    of_unit,
)

UsedGib = Annotated[DataGib, Field(le=1e9)]
Traffic = Annotated[ThroughputMbPerS, Field(le=1e12)]
ServersCount = Annotated[CountFromOne, Field(le=10_000_000)]
CoresCount = Annotated[CountFromOne, Field(le=4096)]
ProcessRanks = Annotated[CountFromOne, Field(le=4096)]
DrawsCount = Annotated[Whole, of_unit("count", ge=100, le=5_000)]
Years = Annotated[Real, of_unit("yr", gt=0, le=50)]
ModuleUsd = Annotated[Usd, Field(le=1e6)]
PriceUsdPerKwh = Annotated[Real, of_unit("USD/kWh", ge=0, le=1000)]
YearUsd = Annotated[Real, of_unit("USD/yr")]
SavingUsd = Annotated[Real, of_unit("USD")]
YearKwh = Annotated[Real, of_unit("kWh/yr")]
SavingW = Annotated[Real, of_unit("W")]


class _Spread(Params):
    """Three values in order."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        low, mode, high = self.values()
        if not low <= mode <= high:
            names = list(type(self).model_fields)
            raise refusal(
                "not_in_order",
                "The likely value is not between the low and the high one.",
                at=(names[1],),
                value=mode,
            )
        return self

    def values(self) -> tuple[float, float, float]:
        """Low, most likely, high."""
        low, mode, high = (float(getattr(self, name)) for name in type(self).model_fields)
        return low, mode, high


class UsedSpread(_Spread):
    """Memory used at the busiest time."""

    low_gib: UsedGib = Field(title="At least")
    mode_gib: UsedGib = Field(title="Likely")
    high_gib: UsedGib = Field(title="At most")


class PriceSpread(_Spread):
    """Price of one module."""

    low_usd: ModuleUsd = Field(title="At least")
    mode_usd: ModuleUsd = Field(title="Likely")
    high_usd: ModuleUsd = Field(title="At most")


class TrafficSpread(_Spread):
    """Memory traffic of a server."""

    low_mb_per_s: Traffic = Field(title="At least")
    mode_mb_per_s: Traffic = Field(title="Likely")
    high_mb_per_s: Traffic = Field(title="At most")


class FractionSpread(_Spread):
    """A share."""

    low_fraction: Fraction = Field(title="At least")
    mode_fraction: Fraction = Field(title="Likely")
    high_fraction: Fraction = Field(title="At most")


class ElectricitySpread(_Spread):
    """Price of energy."""

    low_usd_per_kwh: PriceUsdPerKwh = Field(title="At least")
    mode_usd_per_kwh: PriceUsdPerKwh = Field(title="Likely")
    high_usd_per_kwh: PriceUsdPerKwh = Field(title="At most")


class IdleCapacityParams(Params):
    """Servers, their modules, what is used of them, and what that costs."""

    model_config = in_groups(
        {
            "Servers": ["servers_count", "layout", "module"],
            "Used at the busiest time": ["used"],
            "Price of a module": ["module_price"],
            "Traffic and energy": [
                "pue",
                "years",
                "traffic",
                "powerdown_reach",
                "draw",
                "electricity",
            ],
            "Many cores": ["cores_count", "process_ranks_count"],
            "Simulations": ["draws_count", "seed"],
        }
    )

    servers_count: ServersCount = assumed(1, "All alike.", title="Servers, all alike")
    layout: MemoryLayout = MemoryLayout()
    used: UsedSpread = preset(
        UsedSpread(low_gib=410.0, mode_gib=512.0, high_gib=614.0),
        "At the busiest time, of one server. Assumed: half of 1 TiB.",
    )
    module: Module = KnownModule()
    module_price: PriceSpread = preset(
        PriceSpread(low_usd=129.0, mode_usd=250.0, high_usd=500.0),
        "A 32 GB DDR4 module was 129 to 159 USD at retail in 2025; contract prices "
        "of memory then rose by two to four times.",
    )
    traffic: TrafficSpread = preset(
        TrafficSpread(low_mb_per_s=5_000.0, mode_mb_per_s=20_000.0, high_mb_per_s=60_000.0),
        "Read and written by all processors of a server. Assumed.",
    )
    powerdown_reach: FractionSpread = preset(
        FractionSpread(low_fraction=0.4, mode_fraction=0.8, high_fraction=1.0),
        "Share of a rank's idle time that its controller spends in power-down. Assumed.",
    )
    draw: FractionSpread = preset(
        FractionSpread(low_fraction=0.6, mode_fraction=0.8, high_fraction=1.0),
        "Power of modules over the maximum in data sheets. Assumed.",
        title="Power over data sheet",
    )
    electricity: ElectricitySpread = preset(
        ElectricitySpread(low_usd_per_kwh=0.06, mode_usd_per_kwh=0.10, high_usd_per_kwh=0.20),
        "Assumed.",
    )
    pue: Pue = assumed(1.5, "Energy of the site over that of IT.", low=1.1, high=2.0)
    years: Years = assumed(4.0, "Time over which energy is counted.", low=3.0, high=6.0)
    cores_count: CoresCount = assumed(64, "Cores that run processes at the same time.")
    process_ranks_count: ProcessRanks = assumed(
        4, "Ranks that hold the pages of one process, if the system gathers them (PAVM)."
    )
    draws_count: DrawsCount = assumed(500, "Simulations for the ranges P10 to P90.")
    seed: Whole = 1


class CausesResult(Result):
    """Likely power of one server by cause."""

    standby_w: PowerW
    powerdown_w: PowerW
    self_refresh_w: PowerW
    refresh_w: PowerW
    register_w: PowerW
    traffic_w: PowerW


class PolicyResult(Result):
    """A policy on all servers; empty where a current is unknown."""

    policy: Policy
    average_w: PowerW | None
    average_p10_w: PowerW | None
    average_p90_w: PowerW | None
    saving_w: SavingW | None = Field(description="Of memory that never powers down.")
    saving_p10_w: SavingW | None
    saving_p90_w: SavingW | None
    saving_kwh_per_year: YearKwh | None = Field(description="With the site's overhead.")
    saving_p10_kwh_per_year: YearKwh | None
    saving_p90_kwh_per_year: YearKwh | None
    saving_usd_per_year: YearUsd | None
    saving_p10_usd_per_year: YearUsd | None
    saving_p90_usd_per_year: YearUsd | None
    causes: CausesResult | None


class CoresPoint(Result):
    """What is left of PAVM when so many cores each run a process."""

    cores_count: Count
    awake_ranks_fraction: Fraction = Field(
        description="Expected union of the ranks of the running processes."
    )
    average_w: PowerW | None = Field(description="Of one server.")
    saving_w: SavingW | None = Field(description="Of power-down alone.")


class IdleCapacityResult(Told):
    """Idle gibibytes and money first, watts second."""

    idle_gib: DataGib
    idle_p10_gib: DataGib
    idle_p90_gib: DataGib
    spare_gib: DataGib = Field(description="Whole modules, that need not be bought.")
    spare_p10_gib: DataGib
    spare_p90_gib: DataGib
    spare_modules_count: Count
    modules_count: Count
    avoided_usd: SavingUsd = Field(description="Price of the modules that need not be bought.")
    avoided_p10_usd: SavingUsd
    avoided_p90_usd: SavingUsd
    energy_usd: SavingUsd | None = Field(
        description="Electricity that the same modules would use over the years."
    )
    energy_p10_usd: SavingUsd | None
    energy_p90_usd: SavingUsd | None
    energy_kwh: EnergyKwh | None
    policies: tuple[PolicyResult, ...]
    cores: tuple[CoresPoint, ...]
    basis: Literal["modelled", "unknown"]
    reason: str | None
    warnings: tuple[str, ...]
