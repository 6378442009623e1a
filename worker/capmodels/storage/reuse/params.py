"""The input and the result of the advisor on solid-state caches."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.formats.trace_store import TraceRef
from capmodels.forms import named
from capmodels.spec import Params, Result, assumed, default, preset, refusal
from capmodels.storage.drive.drives import (
    MTRON_3035,
    ST3500320AS,
    HardDisk,
    PositiveGb,
    SolidState,
)
from capmodels.told import Told
from capmodels.units import (
    CountFromOne,
    DataGb,
    DurationMs,
    DurationS,
    DurationYears,
    Fraction,
    PowerW,
    RatePerS,
    Ratio,
    Real,
    SignedUsd,
    Usd,
    UsdPerKwh,
    Whole,
    of_unit,
)

_HP08 = "Lee, Lee and Noh 2008"
SizeBytes = Annotated[Whole, of_unit("B", ge=512, multiple_of=512)]
Rate = Annotated[RatePerS, Field(gt=0)]
PowerDifferenceW = Annotated[Real, of_unit("W")]
Days = Annotated[Real, of_unit("count", gt=0)]
Years = Annotated[Real, of_unit("yr", ge=0)]
WrittenTb = Annotated[Real, of_unit("TB", ge=0)]


class ReusePoint(Params):
    """Share of reads that a cache of a size holds."""

    cache_gb: PositiveGb
    read_hit_fraction: Fraction


class TypedDays(Params):
    """A day as the planner knows it."""

    kind: Literal["typed"] = "typed"
    footprint_gb: PositiveGb = default(
        30.0,
        "Different data touched on the busiest day.",
        source=f"{_HP08}: cello99, at most about 30 GB on any day",
        as_of="2008",
    )
    new_gb: DataGb = default(
        10.0,
        "Of these, data not touched the day before.",
        source=f"{_HP08}: always well under 10 GB",
        as_of="2008",
    )
    written_footprint_gb: DataGb = assumed(
        20.0, "Different data written on a day.", low=5.0, high=30.0
    )
    requests_per_s: Rate = default(100.0, source=f"{_HP08}: low load", as_of="2008")
    read_fraction: Fraction = assumed(0.3, "Share of requests that read.", low=0.0, high=1.0)
    size_bytes: SizeBytes = assumed(16_384, "Mean size of a request.")
    reuse: tuple[ReusePoint, ...] = preset(
        (), "Hits by size of the cache, if they are known.", max_length=200
    )

    @field_validator("reuse")
    @classmethod
    def _rises(cls, value: tuple[ReusePoint, ...]) -> tuple[ReusePoint, ...]:
        for before, after in pairwise(value):
            if (
                after.cache_gb <= before.cache_gb
                or after.read_hit_fraction < before.read_hit_fraction
            ):
                raise refusal("not_in_order", "Enter sizes from small to large; hits do not fall.")
        return value


class RequestList(Params):
    """Requests in the document itself."""

    kind: Literal["requests"] = "requests"
    times_s: tuple[DurationS, ...] = Field(min_length=2, max_length=100_000)
    sectors: Annotated[
        tuple[Annotated[Whole, Field(ge=0, le=1 << 52)], ...], Field(max_length=100_000)
    ]
    sectors_count: Annotated[tuple[CountFromOne, ...], Field(max_length=100_000)]
    writes: Annotated[tuple[bool, ...], Field(max_length=100_000)]

    @field_validator("writes")
    @classmethod
    def _same_length(cls, value: tuple[bool, ...], info: ValidationInfo) -> tuple[bool, ...]:
        names = ("times_s", "sectors", "sectors_count")
        if {len(info.data.get(name, ())) for name in names} != {len(value)}:
            raise refusal("lengths_differ", "Every column of the requests needs the same length.")
        return value


class UploadedTrace(Params):
    """A block trace of the workspace."""

    kind: Literal["trace"] = "trace"
    trace: TraceRef


Demand = Annotated[TypedDays | RequestList | UploadedTrace, Field(discriminator="kind")]


class SsdCacheParams(Params):
    """What is asked of the disks, the disks, and the device that is to go above them."""

    demand: Demand = TypedDays()
    disk: HardDisk = ST3500320AS
    layout: Literal["raid0", "mirrored_set", "raid5"] = Field(
        default="raid5",
        json_schema_extra=named(
            raid0="RAID-0, striped", mirrored_set="Mirrored set", raid5="RAID-5, one parity"
        ),
    )
    disks_count: Annotated[CountFromOne, Field(le=1000)] = default(
        4, source=_HP08, as_of="2008", title="Disks"
    )
    device: SolidState = Field(default=MTRON_3035, title="Drive of the cache")
    mode: Literal["hp08_mirror", "write_back", "write_through"] = Field(
        default="hp08_mirror",
        title="Writes go",
        description="Writes go to the cache and as a plain copy to one disk; or to the cache and "
        "once a day to the disks; or to both at once.",
        json_schema_extra=named(
            hp08_mirror="In the cache and plainly on one disk",
            write_back="In the cache, to the disks once a day",
            write_through="In the cache and on the disks at once",
        ),
    )
    block_bytes: SizeBytes = assumed(4096, "Unit of the cache.")
    spare_fraction: Annotated[Fraction, Field(lt=1)] = assumed(
        0.0, "Space of the cache kept free beyond a day's footprint.", low=0.0, high=0.3
    )
    sizes_gb: tuple[PositiveGb, ...] = preset(
        (), "Sizes to compare; empty: from 1/64 of the footprint up.", max_length=40
    )
    accesses_max_count: Annotated[CountFromOne, Field(ge=1000, le=20_000_000)] = assumed(
        2_000_000, "Accesses of blocks from which a sample of the blocks is taken."
    )
    life_years: DurationYears = assumed(5.0, "Time in service.", title="In service")
    electricity_usd_per_kwh: UsdPerKwh = assumed(0.1, "Price of electricity.", low=0.05, high=0.3)


class CacheDay(Result):
    """One day: what was touched, and what of it for the first time since the day before."""

    footprint_gb: DataGb
    new_gb: DataGb | None
    read_gb: DataGb
    written_gb: DataGb
    written_footprint_gb: DataGb


class CacheSize(Result):
    """What a cache of one size does."""

    cache_gb: DataGb
    holds_a_day: bool
    devices_count: CountFromOne
    read_hit_fraction: Fraction
    read_response_ms: DurationMs | None = Field(
        description="Mean response of reads; empty when the disks are overloaded."
    )
    disks_w: PowerW = Field(description="The disks below the cache, always on.")
    cache_w: PowerW
    saved_w: PowerDifferenceW = Field(description="Less power than without the cache.")
    saved_fraction: Annotated[Real, of_unit("fraction")]
    saved_kwh_per_year: Annotated[Real, of_unit("kWh/yr")]
    written_tb_per_year: Annotated[Real, of_unit("TB/yr", ge=0)]
    drive_writes_per_day: Ratio = Field(description="The whole cache written over, per day.")
    wear_years: Years | None = Field(
        description="Until the rated writes are used up; empty without a rating."
    )
    purchase_usd: Usd = Field(description="Devices over the time in service, replacements too.")
    net_usd: SignedUsd = Field(description="Electricity saved over that time less the devices.")


class SsdCacheResult(Told):
    """Days, hits by size, and the size that holds a day."""

    days: tuple[CacheDay, ...]
    covered_days_count: Days = Field(description="Days that the record covers.")
    sampled_fraction: Fraction
    day_gb: DataGb = Field(description="Largest footprint of a day.")
    footprint_gb: DataGb = Field(description="Different data of all days.")
    requests_per_s: RatePerS
    read_fraction: Fraction
    uncached_w: PowerW
    uncached_response_ms: DurationMs | None
    sizes: tuple[CacheSize, ...]
    advised: CacheSize = Field(description="The smallest cache that holds a day.")
    asleep_uncached_w: PowerW | None = Field(
        description="Disks that sleep together in the recorded gaps, at their break-even time."
    )
    asleep_cached_w: PowerW | None = Field(
        description="The same in the gaps that the advised cache leaves, the cache included."
    )
    warnings: tuple[
        Literal[
            "less_than_a_day",
            "overloaded_without_cache",
            "wears_out_in_service",
            "costs_more_than_it_saves",
            "sampled",
        ],
        ...,
    ]
