"""The input of the array simulator: array, dispatch, cache, workload."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.forms import named, shown_when, weighed_by, when_empty
from capmodels.spec import Params, assumed, default, refusal
from capmodels.storage.drive.drives import (
    MTRON_3035,
    TRAVELSTAR_7K60,
    Drive,
    PositiveGb,
    PositiveMs,
    SolidState,
)
from capmodels.storage.drive.limits import DISKS_MAX
from capmodels.storage.drive.tracks import drive_sectors
from capmodels.storage.simulator.arrivals import (
    BurstyArrivals,
    ClosedArrivals,
    ExponentialArrivals,
    ParetoArrivals,
)
from capmodels.storage.simulator.copies_slots import REGIONS_MAX
from capmodels.storage.simulator.extras import CACHE_MODES, Controller, FreeSpaceCopies, Timeouts
from capmodels.storage.simulator.layout import LEAST_DISKS, MIRRORED, Layout
from capmodels.storage.simulator.request_sizes import RequestBytes, SizeBytes, Sizes, some_weight
from capmodels.storage.simulator.words import SCHEDULERS
from capmodels.units import (
    Count,
    CountFromOne,
    DurationH,
    DurationMs,
    DurationYears,
    Fraction,
    Ratio,
    Real,
    UsdPerKwh,
    Whole,
)

# A century of requests; none asks for more than a gigabyte.
TraceMs = Annotated[DurationMs, Field(le=3.2e12)]
RequestSectors = Annotated[CountFromOne, Field(le=1 << 21)]


_WHERE_ONE_SLEEPS = shown_when(up__timeouts=True)
_OF_A_DISK = shown_when(drive__kind=("hdd",))
Scheduler = Literal["fcfs", "sstf", "look", "clook", "sptf"]
_WHERE_SORTED = shown_when(scheduler=("sstf", "look", "clook", "sptf"), drive__kind=("hdd",))


class Dispatch(Params):
    """Which copy serves a read, and when sleeping copies wake."""

    kind: Literal[
        "primary_first",
        "response_time",
        "shortest_queue",
        "nearest_head",
        "random",
        "round_robin",
    ] = Field(
        default="primary_first",
        title="Served by",
        json_schema_extra=named(
            primary_first="First disk, by queue length",
            response_time="First disk, by response time",
            shortest_queue="Shortest queue",
            nearest_head="Nearest head",
            random="At random",
            round_robin="In turn",
        ),
    )
    queue_threshold_count: CountFromOne = default(
        3,
        source="TR 837: variants E1 and E3",
        title="Next disk from",
        extra={"unit": "requests"} | shown_when(kind=("primary_first",)),
        description="Requests on a disk from which the next one is used.",
    )
    response_max_ms: PositiveMs = assumed(
        50.0,
        "Expected response from which the next disk is used.",
        title="Open next disk at expected wait",
        extra=shown_when(kind=("response_time",)),
    )
    keep_primary_awake: bool = Field(
        default=True, title="The first disk stays awake", json_schema_extra=_WHERE_ONE_SLEEPS
    )
    wake_binding: bool = Field(
        default=False,
        title="A waking disk keeps its request",
        description="The request that wakes a disk waits for it.",
        json_schema_extra=_WHERE_ONE_SLEEPS,
    )
    concurrent_wakes_count: CountFromOne = assumed(
        1,
        "Disks that may be waking at once.",
        title="Disks waking at once",
        extra=_WHERE_ONE_SLEEPS,
    )
    lazy_writes: bool = Field(
        default=False,
        title="Writes wait for the next waking",
        description="Sleeping copies get their writes when they next wake.",
        json_schema_extra=_WHERE_ONE_SLEEPS,
    )


class CacheTier(Params):
    """A solid-state cache above the disks."""

    mode: Literal["hp08_mirror", "write_back", "write_through"] = Field(
        default="hp08_mirror",
        json_schema_extra=named(**CACHE_MODES),
    )
    device: SolidState = MTRON_3035
    capacity_gb: PositiveGb = default(
        32.0, source="Lee, Lee and Noh 2008", as_of="2008", title="Size"
    )
    block_bytes: Annotated[SizeBytes, Field(validate_default=True)] = assumed(
        4096, "Unit of the cache."
    )
    hit_fraction: Fraction | None = Field(
        default=None,
        title="Reads that hit",
        description="Empty: the cache is simulated, oldest block out.",
        json_schema_extra=when_empty("simulated"),
    )
    dirty_max_fraction: Fraction = assumed(
        0.7,
        "Share of dirty blocks from which the oldest are written back.",
        title="Written back when dirty",
    )

    @field_validator("block_bytes")
    @classmethod
    def _holds_a_block(cls, value: int, info: ValidationInfo) -> int:
        if value > info.data.get("capacity_gb", math.inf) * 1e9:
            raise refusal("too_large", "The cache has no room for one of these.")
        return value


class ArrayDesign(Params):
    """An array of equal drives."""

    drive: Drive = TRAVELSTAR_7K60
    layout: Layout = Layout()
    dispatch: Dispatch = Field(
        default=Dispatch(), title="Reads", json_schema_extra=shown_when(layout__kind=MIRRORED)
    )
    timeouts: Timeouts | None = Field(
        default=Timeouts(),
        title="Sleep of idle disks",
        description="After some time without requests. A drive without known states of low power "
        "stays on.",
        json_schema_extra=_OF_A_DISK,
    )
    scheduler: Scheduler = Field(
        default="fcfs",
        title="Queue order",
        json_schema_extra=_OF_A_DISK | named(**SCHEDULERS),
        description="Order in which a disk takes its queue; clook: upwards by sector, then from "
        "the lowest again; sptf: what the head reaches first, seek and turn together.",
    )
    queue_count: Annotated[CountFromOne, Field(le=10_000)] | None = Field(
        default=None,
        title="Queue of a disk",
        description="Requests that a disk sorts at a time, the oldest ones; others wait in the "
        "host. Empty: all.",
        json_schema_extra=when_empty("all") | _WHERE_SORTED,
    )
    ageing_ratio: Annotated[Ratio, Field(le=100)] = assumed(
        0.0,
        "What a millisecond of waiting counts against one of reaching; 0: nothing.",
        title="Weight of waiting",
        extra=shown_when(scheduler=("sptf",), drive__kind=("hdd",)),
    )
    cache: CacheTier | None = Field(default=None, title="SSD cache")
    controller: Controller | None = Field(
        default=None,
        description="Requests pass it one after another, each for its own time.",
    )

    @field_validator("layout")
    @classmethod
    def _chunk_on_a_disk(cls, value: Layout, info: ValidationInfo) -> Layout:
        drive = info.data.get("drive")
        if drive is not None and value.chunk_bytes > drive.capacity_gb * 1e9:
            text = f"A chunk does not fit on a drive of {drive.capacity_gb:,.4g} GB."
            raise refusal("too_large", text, at=("chunk_bytes",))
        return value

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

    copies: FreeSpaceCopies | None = Field(
        default=None,
        title="Copies in free space",
        description="What is read far from the busiest region is copied into free space there, on "
        "each disk by itself (FS2, Huang 2006).",
        json_schema_extra=_OF_A_DISK,
    )

    @field_validator("scheduler")
    @classmethod
    def _queues_can_be_sorted(cls, value: str, info: ValidationInfo) -> str:
        drive = info.data.get("drive")
        if value != "fcfs" and drive is not None and drive.kind == "ssd":
            raise refusal("scheduler", "Sorted queues spare an arm; this drive has none.")
        return value

    @field_validator("copies")
    @classmethod
    def _on_hard_disks(cls, value: FreeSpaceCopies | None, info: ValidationInfo) -> object:
        layout, drive = info.data.get("layout"), info.data.get("drive")
        if value is None or layout is None or drive is None:
            return value
        if drive.kind != "hdd":
            raise refusal("copies", "Copies in free space spare an arm; this drive has none.")
        disks = 1 if layout.kind == "single" else layout.disks_count
        if value.regions_of(drive_sectors(drive)) * disks > REGIONS_MAX:
            raise refusal("copies", f"More than {REGIONS_MAX:,} regions: choose larger ones.")
        return value


class UniformAddresses(Params):
    """Every place equally often."""

    kind: Literal["uniform"] = "uniform"


class ZipfAddresses(Params):
    """Blocks by a power law of popularity, scattered over the array or sorted."""

    kind: Literal["zipf"] = Field(
        default="zipf", json_schema_extra=named(zipf="Popular blocks (Zipf)")
    )
    exponent: Ratio = assumed(0.9, "0: equally popular; 1: the second half as often as the first.")
    blocks_count: CountFromOne = assumed(
        1_000_000, "Blocks that are ever asked for.", title="Blocks asked for"
    )
    sorted_by_popularity: bool = Field(default=False, title="Popular ones lie together")


class Region(Params):
    """A stretch of the array that draws requests."""

    start_fraction: Fraction = assumed(0.0, "Where it begins, of the space.", title="From")
    end_fraction: Annotated[Fraction, Field(gt=0)] = assumed(1.0, "Where it ends.", title="To")
    weight_ratio: Ratio = assumed(1.0, "How often, against the others.", title="Weight")
    stay_fraction: Fraction = assumed(0.0, "Chance that the next stays in it.", title="Stays")

    @field_validator("end_fraction")
    @classmethod
    def _after_its_start(cls, value: float, info: ValidationInfo) -> float:
        if value <= info.data.get("start_fraction", -1.0):
            raise refusal("order", "A region ends after it starts.")
        return value


class RegionAddresses(Params):
    """Regions, uniform inside each."""

    kind: Literal["regions"] = Field(
        default="regions", json_schema_extra=named(regions="Hot regions")
    )
    regions: Annotated[tuple[Region, ...], Field(min_length=1, max_length=1_000)] = assumed(
        (Region(end_fraction=0.1, weight_ratio=8.0), Region(start_fraction=0.1, weight_ratio=2.0)),
        "Four of five requests on a tenth of the space.",
        title="Regions",
        extra=weighed_by("weight_ratio"),
    )

    @field_validator("regions")
    @classmethod
    def _one_is_chosen(cls, value: tuple[Region, ...]) -> tuple[Region, ...]:
        if not any(region.weight_ratio for region in value):
            raise refusal("weights", "At least one region needs a weight above 0.")
        return value


class SequentialAddresses(Params):
    """Runs: each request follows the last one with a given chance."""

    kind: Literal["sequential"] = Field(
        default="sequential", json_schema_extra=named(sequential="Sequential runs")
    )
    continue_fraction: Fraction = assumed(
        0.9, "Chance that a request follows the last one.", title="Follow the last one"
    )


Arrivals = Annotated[
    ExponentialArrivals | ParetoArrivals | BurstyArrivals | ClosedArrivals,
    Field(discriminator="kind"),
]
Addresses = Annotated[
    UniformAddresses | ZipfAddresses | RegionAddresses | SequentialAddresses,
    Field(discriminator="kind"),
]


class SyntheticWorkload(Params):
    """Random requests."""

    kind: Literal["synthetic"] = "synthetic"
    arrivals: Arrivals = ExponentialArrivals()
    addresses: Addresses = Field(default=UniformAddresses(), title="Places")
    requests_count: Annotated[CountFromOne, Field(le=20_000_000)] = assumed(
        200_000, "Requests of a run; the papers take a million.", title="Requests"
    )
    read_fraction: Fraction = assumed(1.0, "Share of requests that read.", title="Reads")
    size_bytes: RequestBytes = assumed(
        8192,
        "Size of every request; not used with a list of sizes.",
        title="Size",
        extra=shown_when(sizes=False),
    )
    sizes: Sizes = Field(
        default=(), title="Several sizes", description="By weight; empty: all of one size."
    )
    write_sizes: Sizes = Field(
        default=(), title="Sizes of writes", description="By weight; empty: as of reads."
    )

    _some_weight = field_validator("sizes", "write_sizes")(some_weight)


class TraceWorkload(Params):
    """Requests as recorded, in the document itself."""

    kind: Literal["trace"] = "trace"
    starts_ms: tuple[TraceMs, ...] = Field(min_length=1, max_length=100_000)
    sectors: Annotated[tuple[Annotated[Whole, Field(ge=0)], ...], Field(max_length=100_000)]
    sectors_count: Annotated[tuple[RequestSectors, ...], Field(max_length=100_000)]
    writes: Annotated[tuple[bool, ...], Field(max_length=100_000)]
    devices: Annotated[tuple[Annotated[Count, Field(lt=4096)], ...], Field(max_length=100_000)] = (
        Field(default=(), description="Device of each request; empty: all of one.")
    )
    time_ratio: Annotated[Ratio, Field(le=1e6)] = assumed(
        1.0, "Stretches the times between requests."
    )

    @field_validator("starts_ms")
    @classmethod
    def _in_order(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        back = next((i for i, (a, b) in enumerate(pairwise(value), 1) if b < a), None)
        if back is not None:
            raise refusal("order", "Times may not fall from one request to the next.", at=(back,))
        return value

    @field_validator("writes")
    @classmethod
    def _same_length(cls, value: tuple[bool, ...], info: ValidationInfo) -> tuple[bool, ...]:
        lengths = {len(info.data.get(name, ())) for name in ("starts_ms", "sectors")}
        lengths |= {len(value), len(info.data.get("sectors_count", ()))}
        if len(lengths) > 1:
            raise refusal("lengths_differ", "Every column of the trace needs the same length.")
        return value

    @field_validator("devices")
    @classmethod
    def _of_every_request(cls, value: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        if value and len(value) != len(info.data.get("starts_ms", value)):
            raise refusal("lengths_differ", "Every column of the trace needs the same length.")
        return value


class Replay(Params):
    """How a trace is put to the array."""

    timing: Literal["recorded", "scaled", "closed"] = Field(
        default="recorded",
        title="Played",
        json_schema_extra=named(
            recorded="At the recorded times",
            scaled="At stretched times",
            closed="When the last one is done",
        ),
        description="Requests at their times, at stretched times, or when an earlier one is done.",
    )
    time_ratio: Annotated[Real, Field(gt=0, json_schema_extra={"unit": "ratio"})] = assumed(
        1.0,
        "Times between requests over the recorded ones; 0.5 doubles the load.",
        title="Time scale",
        extra=shown_when(timing=("scaled",)),
    )
    users_count: Annotated[CountFromOne, Field(le=100_000)] = assumed(
        1,
        "Requests that are under way at the same time.",
        title="Queue depth",
        extra={"unit": "requests"} | shown_when(timing=("closed",)),
    )
    think_ms: DurationMs | None = Field(
        default=None,
        title="Think time",
        description="After a request; empty: the recorded gap.",
        json_schema_extra=when_empty("as recorded") | shown_when(timing=("closed",)),
    )
    devices: Literal["side_by_side", "folded"] = Field(
        default="side_by_side",
        title="Several devices",
        json_schema_extra=named(side_by_side="One after another", folded="Overlay"),
        description="Several devices on one array: one after another, or overlaid.",
    )


class YearTerms(Params):
    """What turns a run into a year's dollars and the chance of losing data."""

    energy_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = assumed(0.10, "Price of energy.")
    service_years: Annotated[DurationYears, Field(le=50)] = assumed(
        5.0, "Time over which the drives are paid for, and for which a loss is foretold."
    )
    repair_h: Annotated[DurationH, Field(gt=0, le=87_600)] | None = Field(
        default=None,
        title="Time to repair",
        description="Until a lost disk is rebuilt; empty: as the run's rebuild took, else its size "
        "at the rate of a rebuild, after the wait for a drive.",
    )
    replacement_h: DurationH = assumed(
        24.0, "Until a drive without a spare is replaced.", low=4.0, high=72.0
    )
    spares_count: Annotated[Count, Field(le=DISKS_MAX)] = assumed(
        0, "Drives that take a lost one's place at once; they idle, or sleep, until then."
    )


Workload = Annotated[SyntheticWorkload | TraceWorkload, Field(discriminator="kind")]
