"""Work per joule of processors and disks against their speed, and the cache-size flip.

After Vasudevan 2010 (FAWN thesis proposal), section 2: slow processors do more work per joule
than fast ones until what they draw beside the core counts, small slow disks move more bytes per
joule, and of two processors the better one alternates with the working set's size, as it fits
one cache after the other.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import ConfigDict, Field, field_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    refusal,
)
from capmodels.units import CountFromOne, Fraction, PowerW, Real

_THESIS = "Vasudevan 2010, section 2"
_KIB = 1024

PositiveMips = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "MIPS"})]
MipsPerW = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "MIPS/W"})]
MbPerS = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "MB/s"})]
MbPerJ = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "MB/J"})]
Rpm = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "rpm"})]
PositiveW = Annotated[PowerW, Field(gt=0)]
SizeBytes = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "B"})]
DelayNs = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "ns"})]
PerJ = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "1/J"})]
Slope = Annotated[Real, Field(json_schema_extra={"unit": "1"})]


class Processor(Params):
    """A processor: how much it does when its caches hold all, and what it draws."""

    name: str = Field(min_length=1, max_length=80)
    speed_mips: PositiveMips = Field(description="All cores, an instruction in a cycle.")
    power_w: PositiveW = Field(description="Design power of the package.")


class Disk(Params):
    """A disk: how fast it reads in order, and what it draws meanwhile."""

    name: str = Field(min_length=1, max_length=80)
    throughput_mb_per_s: MbPerS = Field(description="Sequential reads, outer tracks.")
    power_w: PositiveW = Field(description="While it reads.")
    rotation_rpm: Rpm | None = Field(default=None, description="Empty for flash.")
    form_factor: str = Field(default="3.5 inch", max_length=40, description="Width of the drive.")


class CacheLevel(Params):
    """A cache of one core: up to which working set it serves, and how fast."""

    size_bytes: SizeBytes = Field(description="Working set that it holds.")
    access_ns: DelayNs = Field(description="Time of an access that hits it.")


class Platform(Params):
    """A processor whose speed depends on where the working set lies."""

    name: str = Field(min_length=1, max_length=80)
    cores_count: CountFromOne = Field(title="Cores")
    power_w: PositiveW = Field(description="Of the whole node under load.")
    caches: tuple[CacheLevel, ...] = Field(min_length=1, max_length=6)
    memory_ns: DelayNs = Field(description="An access to memory.")

    @field_validator("caches")
    @classmethod
    def _sizes_rise(cls, value: tuple[CacheLevel, ...]) -> tuple[CacheLevel, ...]:
        for place in range(1, len(value)):
            if value[place].size_bytes <= value[place - 1].size_bytes:
                raise refusal(
                    "not_rising", "Enter the caches from small to large.", at=(place, "size_bytes")
                )
        return value


def _processors(*rows: tuple[str, float, float]) -> tuple[Processor, ...]:
    return tuple(Processor(name=name, speed_mips=mips, power_w=watts) for name, mips, watts in rows)


_PROCESSORS = _processors(
    ("Atom Z500, 1 x 0.8 GHz (2008)", 800.0, 0.65),
    ("Atom N570, 2 x 1.66 GHz (2011)", 3_320.0, 8.5),
    ("Core i7-920, 4 x 2.66 GHz (2008)", 10_640.0, 130.0),
    ("Xeon L5640, 6 x 2.26 GHz (2010)", 13_560.0, 60.0),
    ("Xeon E5-2660, 8 x 2.2 GHz (2012)", 17_600.0, 95.0),
    ("Xeon Platinum 8180, 28 x 2.5 GHz (2017)", 70_000.0, 205.0),
    ("EPYC 7742, 64 x 2.25 GHz (2019)", 144_000.0, 225.0),
    ("EPYC 9654, 96 x 2.4 GHz (2022)", 230_400.0, 360.0),
    ("EPYC 9965, 192 x 2.25 GHz (2024)", 432_000.0, 500.0),
)
_DISKS = tuple(
    Disk(name=name, throughput_mb_per_s=rate, power_w=watts, rotation_rpm=rpm, form_factor=inch)
    for name, rate, watts, rpm, inch in (
        ("Seagate ST320LT030", 100.0, 1.3, 5_400.0, "2.5 inch"),
        ("Hitachi Travelstar 7K320", 85.0, 2.2, 7_200.0, "2.5 inch"),
        ("WD Red WD40EFRX", 150.0, 4.5, 5_400.0, "3.5 inch"),
        ("Seagate Barracuda ST3500320AS", 105.0, 11.16, 7_200.0, "3.5 inch"),
        ("Seagate Constellation ES.2 3 TB", 155.0, 11.33, 7_200.0, "3.5 inch"),
        ("WD Ultrastar HC550 16 TB", 262.0, 6.5, 7_200.0, "3.5 inch"),
        ("WD Raptor WD740GD", 72.0, 8.4, 10_000.0, "3.5 inch"),
        ("Seagate Savvio 10K.6", 172.0, 7.33, 10_000.0, "2.5 inch"),
        ("Seagate Exos 15E900", 300.0, 7.6, 15_000.0, "2.5 inch"),
        ("IBM Ultrastar 15K73", 129.0, 15.6, 15_037.0, "3.5 inch"),
    )
)
_PLATFORMS = (
    Platform(
        name="Two slow cores, small caches",
        cores_count=2,
        power_w=28.0,
        caches=(
            CacheLevel(size_bytes=24.0 * _KIB, access_ns=1.8),
            CacheLevel(size_bytes=512.0 * _KIB, access_ns=9.0),
        ),
        memory_ns=90.0,
    ),
    Platform(
        name="Four fast cores, large caches",
        cores_count=4,
        power_w=130.0,
        caches=(
            CacheLevel(size_bytes=32.0 * _KIB, access_ns=1.5),
            CacheLevel(size_bytes=256.0 * _KIB, access_ns=3.8),
            CacheLevel(size_bytes=8_192.0 * _KIB, access_ns=14.0),
        ),
        memory_ns=65.0,
    ),
)


class DeviceTrendsParams(Params):
    """Processors and disks to set side by side, and platforms with their caches."""

    model_config = ConfigDict(validate_default=True)

    processors: Annotated[tuple[Processor, ...], Field(max_length=200)] = default(
        _PROCESSORS,
        source="vendors' cores, clocks and design power; an instruction in a cycle is ours",
        as_of="2024",
        quality="derived",
        description="Add or change any.",
    )
    disks: Annotated[tuple[Disk, ...], Field(max_length=200)] = default(
        _DISKS,
        source="drives of the catalogue, from data sheets",
        as_of="2020",
        description="Add or change any.",
    )
    platforms: Annotated[tuple[Platform, ...], Field(max_length=50)] = assumed(
        _PLATFORMS, "Two platforms whose caches differ, as in the thesis' argument."
    )
    working_sets_count: Annotated[CountFromOne, Field(ge=2, le=400)] = assumed(
        49, "Working sets from 4 KiB to 64 MiB.", title="Working sets"
    )

    @field_validator("processors", "disks", "platforms")
    @classmethod
    def _some(cls, value: tuple[object, ...]) -> tuple[object, ...]:
        if not value:
            raise refusal("too_short", "Enter at least one.")
        return value


class ProcessorPoint(Result):
    """A processor in the figure."""

    name: str
    speed_mips: PositiveMips
    efficiency_mips_per_w: MipsPerW


class DiskPoint(Result):
    """A disk in the figure."""

    name: str
    throughput_mb_per_s: MbPerS
    efficiency_mb_per_j: MbPerJ
    rotation_rpm: Rpm | None
    form_factor: str


class FlipPoint(Result):
    """Accesses per joule of each platform at a working set, and the best platform."""

    working_set_bytes: SizeBytes
    accesses_per_j: tuple[PerJ, ...]
    best: str


class DeviceTrendsResult(Result):
    """The figure: points, the trend's slopes, who wins, and where the platforms flip.

    A slope is of the logarithm of work per joule against the logarithm of speed: -1 would be
    speed bought at its full price in efficiency, 0 at none.
    """

    processors: tuple[ProcessorPoint, ...]
    disks: tuple[DiskPoint, ...]
    processor_slope_ratio: Slope | None
    disk_slope_ratio: Slope | None
    best_processor: str
    best_disk: str
    flips: tuple[FlipPoint, ...]
    flips_count: Annotated[int, Field(strict=True, ge=0, json_schema_extra={"unit": "count"})]
    first_share_fraction: Fraction


def log_slope(pairs: list[tuple[float, float]]) -> float | None:
    """Slope of the least-squares line through the logarithms; None where speeds are alike.

    >>> log_slope([(1.0, 1.0), (10.0, 0.1)])
    -1.0
    """
    xs, ys = [math.log(x) for x, _ in pairs], [math.log(y) for _, y in pairs]
    middle_x, middle_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    spread = math.fsum((x - middle_x) ** 2 for x in xs)
    if spread < 1e-12:
        return None
    both = zip(xs, ys, strict=True)
    return round(math.fsum((x - middle_x) * (y - middle_y) for x, y in both) / spread, 12)


def accesses_per_j(platform: Platform, working_set_bytes: float) -> float:
    """Random accesses within a working set per joule, all cores at work. [1/J]

    A level serves the share of the working set that it holds beyond the level before it.
    """
    served, mean_ns = 0.0, 0.0
    for level in platform.caches:
        share = min(1.0, level.size_bytes / working_set_bytes)
        mean_ns += max(0.0, share - served) * level.access_ns
        served = max(served, share)
    mean_ns += (1.0 - served) * platform.memory_ns
    return platform.cores_count / (mean_ns * 1e-9 * platform.power_w)


def _flips(params: DeviceTrendsParams) -> tuple[FlipPoint, ...]:
    low, high = math.log2(4 * _KIB), math.log2(64 * _KIB * _KIB)
    steps = params.working_sets_count - 1
    points = []
    for step in range(steps + 1):
        size = 2.0 ** (low + (high - low) * step / steps)
        rates = tuple(accesses_per_j(platform, size) for platform in params.platforms)
        best = params.platforms[rates.index(max(rates))].name
        points.append(FlipPoint(working_set_bytes=size, accesses_per_j=rates, best=best))
    return tuple(points)


def _run(params: DeviceTrendsParams, _context: Context) -> DeviceTrendsResult:
    processors = tuple(
        ProcessorPoint(
            name=one.name,
            speed_mips=one.speed_mips,
            efficiency_mips_per_w=one.speed_mips / one.power_w,
        )
        for one in params.processors
    )
    disks = tuple(
        DiskPoint(
            name=one.name,
            throughput_mb_per_s=one.throughput_mb_per_s,
            efficiency_mb_per_j=one.throughput_mb_per_s / one.power_w,
            rotation_rpm=one.rotation_rpm,
            form_factor=one.form_factor,
        )
        for one in params.disks
    )
    flips = _flips(params)
    turns = sum(flips[at].best != flips[at - 1].best for at in range(1, len(flips)))
    return DeviceTrendsResult(
        processors=processors,
        disks=disks,
        processor_slope_ratio=log_slope(
            [(one.speed_mips, one.efficiency_mips_per_w) for one in processors]
        ),
        disk_slope_ratio=log_slope(
            [(one.throughput_mb_per_s, one.efficiency_mb_per_j) for one in disks]
        ),
        best_processor=max(processors, key=lambda one: one.efficiency_mips_per_w).name,
        best_disk=max(disks, key=lambda one: one.efficiency_mb_per_j).name,
        flips=flips,
        flips_count=turns,
        first_share_fraction=sum(one.best == params.platforms[0].name for one in flips)
        / len(flips),
    )


def _default() -> DeviceTrendsResult:
    return _run(DeviceTrendsParams(), Context())


def _best_disk() -> str:
    best = max(_default().disks, key=lambda one: one.efficiency_mb_per_j)
    return f"{best.form_factor}, {best.rotation_rpm or 0:,.0f} rpm"


def _ratio_of(first: str, second: str) -> float:
    by_name = {one.name.split(",")[0]: one.efficiency_mips_per_w for one in _default().processors}
    return by_name[first] / by_name[second]


SPEC = ModelSpec(
    id="performance.device_trends",
    version="1.0.0",
    title="Trends of devices: work per joule against speed",
    summary="Instructions per joule of processors and megabytes per joule of disks against their "
    "speed, and how the better of two processors alternates with the size of the working set.",
    params=DeviceTrendsParams,
    result=DeviceTrendsResult,
    run=_run,
    points=lambda params: params.working_sets_count,
    citations=(
        Citation(
            text="V. Vasudevan, Energy-Efficient Data-intensive Computing with a Fast Array of "
            "Wimpy Nodes, thesis proposal, Carnegie Mellon University, October 2010",
            section="2",
        ),
    ),
    formulas=(
        Formula(
            id="efficiency",
            text="MIPS/W = speed / power; MB/J = throughput / power",
            source=_THESIS,
        ),
        Formula(
            id="slope",
            text="slope of ln(work per joule) on ln(speed), least squares",
            source="ours",
        ),
        Formula(
            id="flip",
            text="accesses/J = cores / (P sum over levels of share * t), share of the working set "
            "that a level holds beyond the level before it",
            source=f"ours, for the argument of {_THESIS}",
        ),
    ),
    checks=(
        Check(
            id="FT1",
            title="Disk that moves most bytes per joule",
            source=f"{_THESIS}: 2.5-inch drives of 5,400 rpm are best",
            published="2.5 inch, 5,400 rpm",
            compute=_best_disk,
        ),
        Check(
            id="FT2",
            title="A slow in-order core does over ten times the work per joule of a fast quad core",
            source=f"{_THESIS}: above 1,000 against about 100 million instructions per joule",
            published=True,
            compute=lambda: _ratio_of("Atom Z500", "Core i7-920") > 10,
        ),
        Check(
            id="FT3",
            title="The better of two platforms alternates as the working set grows",
            source=f"{_THESIS}, on cache sizes",
            published=True,
            compute=lambda: _default().flips_count >= 2,
            note="Platforms and their times are ours.",
        ),
    ),
    limits=(
        "An instruction in a cycle flatters wide cores less than narrow ones; MIPS of different "
        "instruction sets are not the same work.",
        "Design power is not what a processor draws, and leaves out memory, network and disks: "
        "see fixed power.",
        "A disk's megabytes per joule say nothing of its capacity or of seeks.",
    ),
)
