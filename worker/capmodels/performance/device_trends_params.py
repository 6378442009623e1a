"""Inputs and results of trends of devices."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, field_validator

from capmodels.forms import AS_TABLE
from capmodels.spec import Params, Result, assumed, blank, default, derived, preset, refusal
from capmodels.told import Told
from capmodels.units import CountFromOne, Fraction, PowerW, Real, of_unit

KIB = 1024

PositiveMips = Annotated[Real, of_unit("MIPS", gt=0)]
MipsPerW = Annotated[Real, of_unit("MIPS/W", gt=0)]
MbPerS = Annotated[Real, of_unit("MB/s", gt=0)]
MbPerJ = Annotated[Real, of_unit("MB/J", gt=0)]
Rpm = Annotated[Real, of_unit("rpm", gt=0)]
PositiveW = Annotated[PowerW, Field(gt=0)]
SizeBytes = Annotated[Real, of_unit("B", gt=0)]
DelayNs = Annotated[Real, of_unit("ns", gt=0)]
PerJ = Annotated[Real, of_unit("1/J", ge=0)]
Slope = Annotated[Real, of_unit("1")]


class Processor(Params):
    """A processor: how much it does when its caches hold all, and what it draws."""

    name: str = Field(title="Processor", min_length=1, max_length=80)
    speed_mips: PositiveMips = Field(description="All cores, an instruction in a cycle.")
    power_w: PositiveW = Field(description="Design power of the package.")


class Disk(Params):
    """A disk: how fast it reads in order, and what it draws meanwhile."""

    name: str = Field(title="Disk", min_length=1, max_length=80)
    throughput_mb_per_s: MbPerS = Field(title="Reads", description="Sequential, outer tracks.")
    power_w: PositiveW = Field(description="While it reads.")
    rotation_rpm: Rpm | None = blank("Empty for flash.", title="Turns")
    form_factor: str = preset("3.5 inch", "Width of the drive.", title="Width", max_length=40)


class CacheLevel(Params):
    """A cache of one core: up to which working set it serves, and how fast."""

    size_bytes: SizeBytes = Field(description="Working set that it holds.")
    access_ns: DelayNs = Field(description="Time of an access that hits it.")


class Platform(Params):
    """A processor whose speed depends on where the working set lies."""

    name: str = Field(min_length=1, max_length=80)
    cores_count: CountFromOne
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


PROCESSORS = _processors(
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
            CacheLevel(size_bytes=24.0 * KIB, access_ns=1.8),
            CacheLevel(size_bytes=512.0 * KIB, access_ns=9.0),
        ),
        memory_ns=90.0,
    ),
    Platform(
        name="Four fast cores, large caches",
        cores_count=4,
        power_w=130.0,
        caches=(
            CacheLevel(size_bytes=32.0 * KIB, access_ns=1.5),
            CacheLevel(size_bytes=256.0 * KIB, access_ns=3.8),
            CacheLevel(size_bytes=8_192.0 * KIB, access_ns=14.0),
        ),
        memory_ns=65.0,
    ),
)


class DeviceTrendsParams(Params):
    """Processors and disks to set side by side, and platforms with their caches."""

    model_config = ConfigDict(validate_default=True)

    processors: Annotated[tuple[Processor, ...], Field(max_length=200)] = derived(
        PROCESSORS,
        "Speed counts an instruction in a cycle of every core; power is the package's "
        "design power, without memory, network and disks.",
        source="vendors' cores, clocks and design power; an instruction in a cycle is ours",
        as_of="2024",
        title="Processors compared",
        extra=AS_TABLE,
    )
    disks: Annotated[tuple[Disk, ...], Field(max_length=200)] = default(
        _DISKS,
        "Sequential reads of the outer tracks, and power meanwhile.",
        source="drives of the catalogue, from data sheets",
        as_of="2020",
        title="Disks compared",
        extra=AS_TABLE,
    )
    platforms: Annotated[tuple[Platform, ...], Field(max_length=50)] = assumed(
        _PLATFORMS, "Two platforms whose caches differ, as in the thesis' argument."
    )
    working_sets_count: Annotated[CountFromOne, Field(ge=2, le=400)] = assumed(
        49, "Working sets from 4 KiB to 64 MiB."
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


class DeviceTrendsResult(Told):
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
    flips_count: Annotated[int, of_unit("count", strict=True, ge=0)]
    first_share_fraction: Fraction
