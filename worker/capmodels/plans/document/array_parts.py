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
from capmodels.spec import Params, default
from capmodels.storage.drive.drives import PositiveMbPerS, SolidState
from capmodels.units import DurationS, Fraction, Real, Whole

LEAST_REQUEST_BYTES, MOST_REQUEST_BYTES = 512, 2**30
RequestBytes = Annotated[
    Whole, Field(ge=LEAST_REQUEST_BYTES, le=MOST_REQUEST_BYTES, json_schema_extra={"unit": "B"})
]
PositiveRate = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "1/s"})]


class IoMix(Params):
    """What requests to block storage look like."""

    read_fraction: Fraction = default(
        0.7,
        source="Two reads to a write, and some",
        quality="assumed",
        low=0.5,
        high=1.0,
        title="Reads",
        description="Share of the requests that read.",
    )
    request_bytes: RequestBytes = default(
        8192,
        source="Page of common databases",
        quality="assumed",
        title="Request",
        description="Size of every request.",
    )
    pattern: Literal["random", "sequential"] = default(
        "random",
        source="Many users at once",
        quality="assumed",
        title="Pattern",
        description="random: a seek and half a turn for each; sequential: one after another.",
    )


class IoLoad(IoMix):
    """Requests of an array's own, which neither grow nor follow the workload."""

    requests_per_s: RatePerS = Field(title="Requests", description="At the peak.")


class ArrayCache(Params):
    """Solid-state drives in front of the disks."""

    device: SolidState = Field(title="Device")
    unit_price_usd: Usd = unused("Price of a device")
    count: CountFromOne = default(1, source="One device", quality="assumed", title="Devices")
    hit_fraction: Fraction = default(
        0.5,
        source="Unknown until a trace is asked",
        quality="assumed",
        low=0.2,
        high=0.9,
        title="Reads that hit",
        description="Share of the reads that the cache answers.",
    )
    write_back: bool = default(
        True,
        source="Mirrored write buffers",
        quality="assumed",
        title="Write-back",
        description="Writes are answered by the cache and reach the disks later.",
    )
    absorbed_fraction: Fraction = unused(
        "Writes absorbed", "Share of the writes that are overwritten before they reach the disks."
    )


class AlwaysOn(Params):
    """Every drive spins all the time."""

    kind: Literal["always_on"] = Field(default="always_on", title="Kind")


class ThresholdPolicy(Params):
    """A drive sleeps after an idle time; of mirrored copies, as few as the load needs stay awake.

    Reads go to the copies that are awake, and writes wake the others.
    """

    kind: Literal["threshold"] = Field(title="Kind")
    idle_timeout_s: DurationS | None = Field(
        default=None,
        title="Idle time",
        description="Idle time after which a drive spins down. Empty: the break-even time.",
    )


PowerPolicy = Annotated[AlwaysOn | ThresholdPolicy, Field(discriminator="kind")]


class Enclosure(Params):
    """What holds and runs the drives of one array."""

    unit_price_usd: Usd = unused("Price", "Enclosure, controller, cables: all but the drives.")
    power_w: PowerW = unused("Power", "Power of controllers, fans and expanders.")
    rack_units_count: Amount = default(
        2.0, source="A shelf of 2U", quality="assumed", title="Rack units"
    )
    io_per_s: PositiveRate | None = Field(
        default=None, title="IOPS of the controller", description="Empty: not a constraint."
    )
    throughput_mb_per_s: PositiveMbPerS | None = Field(
        default=None, title="Throughput of the controller", description="Empty: not a constraint."
    )


class ArrayEmbodied(Params):
    """Emissions of making the drives and what holds them."""

    drive_kgco2e: CarbonKgco2e = Field(title="A drive")
    enclosure_kgco2e: CarbonKgco2e = unused("The enclosure")
    low_ratio: PositiveRatio = default(
        0.5, source="Spread of product carbon footprints", quality="assumed", title="Lowest"
    )
    high_ratio: PositiveRatio = default(
        2.0, source="Spread of product carbon footprints", quality="assumed", title="Highest"
    )
    life_months: MonthsFromOne = default(
        60, source="Five years in service", quality="assumed", title="Life"
    )
    year: FactorYear | None = year_field()
    basis: FactorBasis | None = basis_field()
    factor_source: Name | None = source_field()

    @model_validator(mode="after")
    def _ordered(self) -> ArrayEmbodied:
        ends = (self.low_ratio, 1.0, self.high_ratio)
        refuse(spread_findings("ratio", ends, "the estimate", "times itself"))
        return self
