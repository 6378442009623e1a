"""The input of the array simulator: array, dispatch, cache, workload."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.spec import Params, default, refusal
from capmodels.storage.drives import (
    MTRON_3035,
    TRAVELSTAR_7K60,
    Drive,
    PositiveGb,
    PositiveMs,
    SolidState,
    Timeouts,
)
from capmodels.units import Count, CountFromOne, DurationMs, Fraction, Ratio, Real, Whole

ParetoShape = Annotated[Real, Field(gt=1, le=5)]
SizeBytes = Annotated[Whole, Field(ge=512, multiple_of=512, json_schema_extra={"unit": "bytes"})]
DisksCount = Annotated[CountFromOne, Field(le=64)]
DiskNumber = Annotated[Count, Field(lt=64)]
RateMb = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "MB/s"})]


class Layout(Params):
    """How data lie on the disks."""

    kind: Literal[
        "single", "raid0", "raid1", "raid10", "raid5", "raid6", "mirrored_set", "concatenated"
    ] = "mirrored_set"
    disks_count: DisksCount = 3
    chunk_bytes: SizeBytes = 65_536
    locked_updates: bool = Field(
        default=True,
        description="A small write holds data and parity disk for one turn between read and "
        "write; otherwise four operations in two phases.",
    )
    failed_disk_count: Literal[0, 1] = Field(
        default=0, description="1: one disk is lost, and its data come from the others."
    )
    rebuild_mb_per_s: RateMb | None = Field(
        default=None, description="Rebuild at most this fast; empty: no rebuild."
    )

    @field_validator("failed_disk_count")
    @classmethod
    def _survives(cls, value: int, info: ValidationInfo) -> int:
        if value and info.data.get("kind") in {"single", "raid0", "concatenated"}:
            raise refusal("no_redundancy", "This layout does not survive the loss of a disk.")
        return value


LEAST_DISKS = {"raid1": 2, "raid10": 4, "raid5": 3, "raid6": 4, "mirrored_set": 1}


class Dispatch(Params):
    """Which copy serves a read, and when sleeping copies wake."""

    kind: Literal[
        "primary_first",
        "response_time",
        "shortest_queue",
        "nearest_head",
        "random",
        "round_robin",
    ] = "primary_first"
    queue_threshold_count: CountFromOne = Field(
        default=3, description="Requests on a disk from which the next one is used."
    )
    response_max_ms: PositiveMs = Field(
        default=50.0, description="Expected response from which the next disk is used."
    )
    keep_primary_awake: bool = True
    wake_binding: bool = Field(
        default=False, description="The request that wakes a disk waits for it."
    )
    concurrent_wakes_count: CountFromOne = 1
    lazy_writes: bool = Field(
        default=False, description="Sleeping copies get their writes when they next wake."
    )


class CacheTier(Params):
    """A solid-state cache above the disks."""

    mode: Literal["hp08_mirror", "write_back", "write_through"] = "hp08_mirror"
    device: SolidState = MTRON_3035
    capacity_gb: PositiveGb = 32.0
    block_bytes: SizeBytes = 4096
    hit_fraction: Fraction | None = Field(
        default=None, description="A given share of reads that hit; empty: simulated LRU."
    )
    dirty_max_fraction: Fraction = Field(
        default=0.7, description="Share of dirty blocks from which the oldest are written back."
    )


class ArrayDesign(Params):
    """An array of equal drives."""

    drive: Drive = TRAVELSTAR_7K60
    layout: Layout = Layout()
    dispatch: Dispatch = Dispatch()
    timeouts: Timeouts | None = Field(default=Timeouts(), description="Empty: drives never sleep.")
    scheduler: Literal["fcfs", "sstf", "look"] = Field(
        default="fcfs", description="Order in which a disk takes its queue."
    )
    cache: CacheTier | None = None

    @field_validator("layout")
    @classmethod
    def _enough_disks(cls, value: Layout) -> Layout:
        least = LEAST_DISKS.get(value.kind, 1)
        if value.disks_count < least or (value.kind == "raid10" and value.disks_count % 2):
            raise refusal(
                "disks_count",
                f"This layout needs at least {least} disks, RAID-10 an even number.",
                at=("disks_count",),
            )
        return value

    @field_validator("scheduler")
    @classmethod
    def _queues_can_be_sorted(cls, value: str, info: ValidationInfo) -> str:
        layout = info.data.get("layout")
        if value != "fcfs" and layout is not None and layout.kind not in {"single", "raid0"}:
            raise refusal("scheduler", "SSTF and LOOK are for a single disk or RAID-0.")
        return value


class ExponentialArrivals(Params):
    """Poisson arrivals."""

    kind: Literal["exponential"] = "exponential"
    mean_ms: PositiveMs = 10.0


class ParetoArrivals(Params):
    """Heavy-tailed gaps: x_m U^(-1/shape), x_m = mean (shape - 1) / shape."""

    kind: Literal["pareto"] = "pareto"
    mean_ms: PositiveMs = 10.0
    shape: ParetoShape = default(
        1.5,
        source="TR837 prints no shape; DRPM-like workloads have 1 < shape < 2",
        quality="assumed",
    )


class BurstyArrivals(Params):
    """Poisson arrivals that switch between two rates (MMPP)."""

    kind: Literal["mmpp"] = "mmpp"
    quiet_mean_ms: PositiveMs = 100.0
    busy_mean_ms: PositiveMs = 5.0
    quiet_stay_ms: PositiveMs = 60_000.0
    busy_stay_ms: PositiveMs = 5_000.0


class ClosedArrivals(Params):
    """Users who wait for their answer and think."""

    kind: Literal["closed"] = "closed"
    users_count: Annotated[CountFromOne, Field(le=100_000)] = 8
    think_ms: DurationMs = Field(default=0.0, description="Mean think time, exponential.")


class UniformAddresses(Params):
    """Every place equally often."""

    kind: Literal["uniform"] = "uniform"


class ZipfAddresses(Params):
    """Blocks by a power law of popularity, scattered over the array or sorted."""

    kind: Literal["zipf"] = "zipf"
    exponent: Ratio = 0.9
    blocks_count: CountFromOne = 1_000_000
    sorted_by_popularity: bool = False


class Region(Params):
    """A stretch of the array that draws requests."""

    start_fraction: Fraction
    end_fraction: Fraction
    weight_ratio: Ratio = 1.0
    stay_fraction: Fraction = Field(
        default=0.0, description="Chance that the next request stays in the region."
    )


class RegionAddresses(Params):
    """Regions, uniform inside each."""

    kind: Literal["regions"] = "regions"
    regions: tuple[Region, ...] = Field(min_length=1)


class SequentialAddresses(Params):
    """Runs: each request follows the last one with a given chance."""

    kind: Literal["sequential"] = "sequential"
    continue_fraction: Fraction = 0.9


Arrivals = Annotated[
    ExponentialArrivals | ParetoArrivals | BurstyArrivals | ClosedArrivals,
    Field(discriminator="kind"),
]
Addresses = Annotated[
    UniformAddresses | ZipfAddresses | RegionAddresses | SequentialAddresses,
    Field(discriminator="kind"),
]


class SyntheticWorkload(Params):
    """Requests drawn by chance."""

    kind: Literal["synthetic"] = "synthetic"
    arrivals: Arrivals = ExponentialArrivals()
    addresses: Addresses = UniformAddresses()
    requests_count: Annotated[CountFromOne, Field(le=20_000_000)] = 200_000
    read_fraction: Fraction = 1.0
    size_bytes: SizeBytes = 8192


class TraceWorkload(Params):
    """Requests as recorded, in the document itself."""

    kind: Literal["trace"] = "trace"
    starts_ms: tuple[Annotated[Real, Field(ge=0)], ...] = Field(min_length=1, max_length=100_000)
    sectors: tuple[Annotated[Whole, Field(ge=0)], ...]
    sectors_count: tuple[CountFromOne, ...]
    writes: tuple[bool, ...]
    time_ratio: Ratio = Field(default=1.0, description="Stretches the times between requests.")

    @field_validator("writes")
    @classmethod
    def _same_length(cls, value: tuple[bool, ...], info: ValidationInfo) -> tuple[bool, ...]:
        lengths = {len(info.data.get(name, ())) for name in ("starts_ms", "sectors")}
        lengths |= {len(value), len(info.data.get("sectors_count", ()))}
        if len(lengths) > 1:
            raise refusal("lengths_differ", "Every column of the trace needs the same length.")
        return value


Workload = Annotated[SyntheticWorkload | TraceWorkload, Field(discriminator="kind")]
