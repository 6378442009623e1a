"""Parts of a disk array: its requests, cache, power policy, enclosure and embodied carbon."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.plans.document.bounded import CarbonKgco2e, CountFromOne, PowerW, RatePerS, Usd
from capmodels.plans.document.embodied import (
    FactorBasis,
    FactorYear,
    basis_field,
    source_field,
    year_field,
)
from capmodels.plans.document.fields import (
    Amount,
    MonthsFromOne,
    Name,
    PositiveRatio,
    refuse,
    spread_findings,
    unused,
)
from capmodels.spec import Params, assumed, blank
from capmodels.storage.drive.drives import PositiveMbPerS, SolidState
from capmodels.units import DurationS, Fraction, Real, Whole, of_unit

LEAST_REQUEST_BYTES, MOST_REQUEST_BYTES = 512, 2**30
RequestBytes = Annotated[Whole, of_unit("B", ge=LEAST_REQUEST_BYTES, le=MOST_REQUEST_BYTES)]
PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]


class IoMix(Params):
    """What requests to block storage look like."""

    read_fraction: Fraction = assumed(
        0.7,
        "Share of the requests that read.",
        source="Two reads to a write, and some",
        low=0.5,
        high=1.0,
        title="Reads",
    )
    request_bytes: RequestBytes = assumed(
        8192, "Size of every request.", source="Page of common databases"
    )
    pattern: Literal["random", "sequential"] = assumed(
        "random",
        "random: a seek and half a turn for each; sequential: one after another.",
        source="Many users at once",
    )


class IoLoad(IoMix):
    """Requests of an array's own, which neither grow nor follow the workload."""

    requests_per_s: RatePerS = Field(description="At the peak.")


class ArrayCache(Params):
    """Solid-state drives in front of the disks."""

    device: SolidState
    unit_price_usd: Usd = unused("Price of a device")
    count: CountFromOne = assumed(1, source="One device", title="Devices")
    hit_fraction: Fraction = assumed(
        0.5,
        "Share of the reads that the cache answers.",
        source="Unknown until a trace is asked",
        low=0.2,
        high=0.8,
        title="Reads that hit",
    )
    write_back: bool = assumed(
        True,
        "Writes are answered by the cache and reach the disks later.",
        source="Mirrored write buffers",
        title="Write-back",
    )
    absorbed_fraction: Fraction = unused(
        "Writes absorbed", "Share of the writes that are overwritten before they reach the disks."
    )


class AlwaysOn(Params):
    """Every drive spins all the time."""

    kind: Literal["always_on"] = "always_on"


class ThresholdPolicy(Params):
    """A drive sleeps after an idle time; of mirrored copies, as few as the load needs stay awake.

    Reads go to the copies that are awake, and writes wake the others.
    """

    kind: Literal["threshold"]
    idle_timeout_s: DurationS | None = blank(
        "Idle time after which a drive spins down. Empty: the break-even time.", title="Idle time"
    )


PowerPolicy = Annotated[AlwaysOn | ThresholdPolicy, Field(discriminator="kind")]


class Enclosure(Params):
    """What holds and runs the drives of one array."""

    unit_price_usd: Usd = unused("Price", "Enclosure, controller, cables: all but the drives.")
    power_w: PowerW = unused("Power", "Power of controllers, fans and expanders.")
    rack_units_count: Amount = assumed(2.0, source="A shelf of 2U")
    io_per_s: PositiveRate | None = blank(
        "Empty: not a constraint.", title="IOPS of the controller"
    )
    throughput_mb_per_s: PositiveMbPerS | None = blank(
        "Empty: not a constraint.", title="Throughput of the controller"
    )


class ArrayEmbodied(Params):
    """Emissions of making the drives and what holds them."""

    drive_kgco2e: CarbonKgco2e = Field(title="A drive")
    enclosure_kgco2e: CarbonKgco2e = unused("The enclosure")
    low_ratio: PositiveRatio = assumed(
        0.5, source="Spread of product carbon footprints", title="Lowest"
    )
    high_ratio: PositiveRatio = assumed(
        2.0, source="Spread of product carbon footprints", title="Highest"
    )
    life_months: MonthsFromOne = assumed(60, source="Five years in service")
    year: FactorYear | None = year_field()
    basis: FactorBasis | None = basis_field()
    factor_source: Name | None = source_field()

    @model_validator(mode="after")
    def _ordered(self) -> ArrayEmbodied:
        ends = (self.low_ratio, 1.0, self.high_ratio)
        refuse(spread_findings("ratio", ends, "the estimate", "times itself"))
        return self
