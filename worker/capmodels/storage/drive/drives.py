"""Drives as the simulator and the closed forms take them, and those of the papers."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.forms import in_groups
from capmodels.spec import Params, assumed, blank, default, preset, refusal, refusals
from capmodels.storage.drive.dies import Dies
from capmodels.storage.drive.geometry import DiskGeometry, cylinders_of, geometry_faults
from capmodels.storage.drive.limits import CYLINDERS_MAX, TRACKS_MAX
from capmodels.storage.drive.measured import MeasuredRules, SignedMs
from capmodels.storage.drive.service import transfer_ms
from capmodels.units import (
    CountFromOne,
    DurationMs,
    DurationS,
    EnergyJ,
    Fraction,
    PowerW,
    Real,
    Usd,
    Whole,
    of_unit,
)

SEGMENTS_MAX = 64
HELD_WRITES_MAX = 4096
# Ten petabytes: no drive is larger.
PositiveGb = Annotated[Real, of_unit("GB", gt=0, le=1e7)]
PositiveRpm = Annotated[Real, of_unit("rpm", gt=0, le=1e6)]
PositiveMbPerS = Annotated[Real, of_unit("MB/s", gt=0)]
PerBit = Annotated[Real, of_unit("1/bit", ge=0, le=1)]
PositiveTb = Annotated[Real, of_unit("TB", gt=0)]
RatioFromOne = Annotated[Real, of_unit("ratio", ge=1)]
SpareFraction = Annotated[Fraction, Field(ge=0.01, le=0.9)]
FillFraction = Annotated[Fraction, Field(gt=0)]
BlockBytes = Annotated[Whole, of_unit("B", ge=4096, le=1 << 32, multiple_of=512)]
PositiveMs = Annotated[Real, of_unit("ms", gt=0)]
# No drive takes an hour to start or stop.
SpinS = Annotated[DurationS, Field(le=3600)]


class ThreePointSeek(Params):
    """Seek from a data sheet: single track, average, full stroke."""

    kind: Literal["three_point"] = "three_point"
    min_ms: DurationMs = Field(title="Shortest seek", description="Seek to the next track.")
    avg_ms: PositiveMs = Field(title="Mean seek", description="Average seek between random places.")
    max_ms: PositiveMs = Field(title="Longest seek", description="Seek over the full stroke.")


class TwoRegimeSeek(Params):
    """Square-root law up to a distance, a line beyond (Ruemmler and Wilkes 1994)."""

    kind: Literal["two_regime"] = "two_regime"
    cylinders_count: CountFromOne
    join_count: CountFromOne = Field(
        title="Line from", description="Cylinders from which the line holds."
    )
    near_ms: DurationMs = Field(
        title="Near: constant", description="Constant of the square-root law."
    )
    near_root_ms: DurationMs = Field(
        title="Near: per root", description="Its factor of the root of the distance."
    )
    far_ms: DurationMs = Field(title="Far: constant", description="Constant of the line.")
    far_slope_ms: DurationMs = Field(
        title="Far: per cylinder", description="Its factor of the distance."
    )


class TableSeek(Params):
    """Measured pairs of distance in cylinders and seek, interpolated."""

    kind: Literal["table"] = "table"
    cylinders_count: Annotated[CountFromOne, Field(lt=CYLINDERS_MAX)]
    distances_count: Annotated[tuple[CountFromOne, ...], Field(max_length=10_000)] = Field(
        min_length=2, description="Distances in cylinders, rising."
    )
    seeks_ms: Annotated[tuple[PositiveMs, ...], Field(max_length=10_000)] = Field(
        min_length=2, description="Seek over each of the distances."
    )

    @field_validator("distances_count")
    @classmethod
    def _rising(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if any(after <= before for before, after in pairwise(value)):
            raise refusal("order", "Distances have to rise.")
        return value

    @field_validator("seeks_ms")
    @classmethod
    def _one_each(cls, value: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        if len(value) != len(info.data.get("distances_count", value)):
            raise refusal("lengths_differ", "Enter one seek for each distance.")
        return value


class LogicalSeek(Params):
    """Seek by distance between logical sectors, the calibrated curve of Huang 2006."""

    kind: Literal["logical"] = "logical"


Seek = Annotated[
    ThreePointSeek | TwoRegimeSeek | TableSeek | LogicalSeek, Field(discriminator="kind")
]


class SleepState(Params):
    """A state of low power, and what going there and back takes."""

    power_w: PowerW
    down_j: EnergyJ = Field(title="Energy of going down")
    down_s: SpinS = Field(title="Time to go down")
    up_j: EnergyJ = Field(title="Energy of waking")
    up_s: SpinS = Field(title="Time to wake")


BufferBytes = Annotated[Whole, of_unit("B", ge=512, multiple_of=512)]
AheadBytes = Annotated[Whole, of_unit("B", ge=0, multiple_of=512)]


class DriveBuffer(Params):
    """A drive's own memory: it reads ahead after a miss, and may take writes before the platter."""

    segments_count: Annotated[CountFromOne, Field(le=SEGMENTS_MAX)] = assumed(
        16, "Stretches of data that it keeps."
    )
    segment_bytes: BufferBytes = assumed(262_144, "Size of one of them.")
    ahead_bytes: AheadBytes = assumed(131_072, "Read ahead at most.")
    bus_mb_per_s: PositiveMbPerS = assumed(
        600.0,
        "Rate at which the drive passes data on; SATA's 6 Gbit/s are 600 MB/s.",
        title="Bus rate",
    )
    writes_behind: bool = preset(False, "A write is answered before it is on the platter.")
    held_writes_count: Annotated[CountFromOne, Field(le=HELD_WRITES_MAX)] = assumed(
        1,
        "Writes behind: so many are held at once and put on the platter in the order that the head "
        "reaches them, when no read waits or the memory is full; 1: as they come.",
    )
    whole_tracks: bool = preset(
        False, "Reads a track in any order: all of it is held a turn after the head came."
    )

    @property
    def holds_writes(self) -> bool:
        """Whether writes wait in it and are sorted."""
        return self.writes_behind and self.held_writes_count > 1


class HardDisk(Params):
    """A disk drive."""

    # Name and kind are chosen with the drive; whether it is on sale has no effect on a run.
    model_config = in_groups(
        {
            "Capacity and price": ("capacity_gb", "price_usd"),
            "Seek and rotation": (
                "speed_rpm",
                "seek",
                "overhead_ms",
                "write_settle_ms",
                "same_cylinder_ms",
                "outer_mb_per_s",
                "inner_mb_per_s",
            ),
            "Tracks and measured costs": ("geometry", "measured"),
            "On-board cache": ("buffer",),
            "Power states and transitions": (
                "active_w",
                "idle_w",
                "seek_w",
                "low_power_idle",
                "standby",
            ),
            "Wear and failure": (
                "start_stop_rating_count",
                "unrecoverable_per_bit",
                "afr_fraction",
            ),
        }
    )

    kind: Literal["hdd"] = "hdd"
    name: str = "disk"
    capacity_gb: PositiveGb
    speed_rpm: PositiveRpm
    seek: Seek
    overhead_ms: DurationMs = assumed(0.3, "Controller time of a request.")
    write_settle_ms: SignedMs = assumed(
        0.0, "Added to the seek of a write; below 0 where writes settle faster than reads."
    )
    same_cylinder_ms: DurationMs = assumed(
        0.0, "To come onto a track of the cylinder where the arm is; counts where tracks are known."
    )
    outer_mb_per_s: PositiveMbPerS = Field(
        title="Outer rate", description="Rate of the outermost tracks."
    )
    inner_mb_per_s: PositiveMbPerS | None = blank(
        "Rate of the innermost tracks; empty: as the outermost.", title="Inner rate"
    )
    active_w: PowerW
    idle_w: PowerW
    seek_w: PowerW | None = blank("Power while seeking, if it differs.", title="Seeking")
    buffer: DriveBuffer | None = blank("Its own cache; empty: every request goes to the platter.")
    geometry: DiskGeometry | None = blank(
        "Zones and skews, where known: rates, seeks by cylinder and changes of track "
        "then follow from them. Empty: evenly from the outer to the inner rate.",
        title="Tracks",
    )
    measured: MeasuredRules | None = blank(
        "Overheads by kind of request and rules of its cache, as a calibration finds "
        "them; needs the tracks. Empty: one overhead, and the buffer as described.",
        title="As measured",
    )
    low_power_idle: SleepState | None = None
    standby: SleepState | None = None
    price_usd: Usd = assumed(0.0, "Price of one drive.")
    start_stop_rating_count: CountFromOne = default(
        50_000,
        "Starts and stops that it bears.",
        source="data sheets of server drives",
        title="Rated starts and stops",
    )
    unrecoverable_per_bit: PerBit = default(
        1e-14, source="data sheets of desktop drives", title="Unreadable bits"
    )
    afr_fraction: Fraction = default(
        0.017,
        source="Pinheiro et al. 2007, first year",
        low=0.0088,
        high=0.086,
        title="Annual failure rate",
    )
    on_sale: bool = False

    @field_validator("inner_mb_per_s")
    @classmethod
    def _inside_is_slower(cls, value: float | None, info: ValidationInfo) -> float | None:
        if value is not None and value > info.data.get("outer_mb_per_s", value):
            raise refusal("order", "The innermost tracks are the shortest: no faster than outside.")
        return value

    @field_validator("measured")
    @classmethod
    def _on_its_tracks(
        cls, value: MeasuredRules | None, info: ValidationInfo
    ) -> MeasuredRules | None:
        geometry = info.data.get("geometry")
        if value is None or "geometry" not in info.data:
            return value
        if geometry is None or cylinders_of(geometry) * geometry.surfaces_count > TRACKS_MAX:
            text = f"What was measured is of known tracks, {TRACKS_MAX:,} at most. Enter them."
            raise refusal("tracks", text)
        return value

    @field_validator("geometry")
    @classmethod
    def _tracks_of_this_drive(
        cls, value: DiskGeometry | None, info: ValidationInfo
    ) -> DiskGeometry | None:
        faults = [] if value is None else list(geometry_faults(value, info.data))
        if faults:
            raise refusals(faults)
        return value


class SlcCache(Params):
    """A part of the flash that takes writes with one bit a cell, until it is full."""

    size_gb: PositiveGb = Field(description="Of an empty drive; it shrinks as the drive fills.")
    least_gb: Annotated[Real, of_unit("GB", ge=0, le=1e7)] = assumed(
        0.0, "What is left of it when the drive is full."
    )
    past_mb_per_s: PositiveMbPerS = Field(
        title="Writes past the cache",
        description="Of the whole drive once the cache is full; it is emptied as fast while the "
        "drive rests.",
    )

    @field_validator("least_gb")
    @classmethod
    def _within(cls, value: float, info: ValidationInfo) -> float:
        if value > info.data.get("size_gb", value):
            raise refusal("order", "The cache of a full drive is no larger than of an empty one.")
        return value


class SolidState(Params):
    """A solid-state drive."""

    model_config = in_groups(
        {
            "Capacity and price": ("capacity_gb", "price_usd"),
            "Latency and channels": (
                "read_latency_ms",
                "write_latency_ms",
                "read_mb_per_s",
                "write_mb_per_s",
                "channels_count",
                "read_hold_ms",
                "write_hold_ms",
                "write_wait_ms",
                "dies",
            ),
            "Fill level": ("fill_fraction", "block_bytes", "move_step_ms", "slc"),
            "Power": ("active_w", "write_w", "idle_w"),
            "Wear and failure": (
                "endurance_tb",
                "endurance_of",
                "spare_fraction",
                "write_amplification_ratio",
                "unrecoverable_per_bit",
                "afr_fraction",
            ),
        }
    )

    kind: Literal["ssd"] = "ssd"
    name: str = "ssd"
    capacity_gb: PositiveGb
    read_latency_ms: DurationMs
    write_latency_ms: DurationMs
    read_mb_per_s: PositiveMbPerS = Field(title="Read rate", description="Of one channel.")
    write_mb_per_s: PositiveMbPerS = Field(title="Write rate", description="Of one channel.")
    channels_count: Annotated[CountFromOne, Field(le=256)] = assumed(
        1, "Requests that it serves at the same time."
    )
    read_hold_ms: DurationMs = assumed(
        0.0,
        "A read keeps its channel at least so long and is answered after its data have passed at "
        "the rate of all channels; 0: it is answered when its channel is done.",
    )
    write_hold_ms: DurationMs = assumed(
        0.0,
        "A write keeps its channel at least so long and is answered as soon as the drive's "
        "buffer has it, at the rate of all channels; 0: when its channel is done.",
    )
    write_wait_ms: DurationMs = assumed(
        0.0,
        "A write is answered so much later for each other one on its channels that has no answer "
        "when it comes; as long as it waits for a channel, it waits for them too.",
        title="Wait for another write",
    )
    dies: Dies | None = blank(
        "Its channels are dies, and a read waits for the one that has its data. "
        "Empty: any free channel serves it."
    )
    active_w: PowerW = Field(description="Power when every channel reads.")
    write_w: PowerW | None = blank("When every channel writes.")
    idle_w: PowerW
    price_usd: Usd = assumed(0.0, "Price of one drive.")
    endurance_tb: PositiveTb | None = blank("Data that may be written.")
    endurance_of: Literal["host", "flash"] = preset(
        "host",
        "host: random writes to the drive, as data sheets do; flash: what its cells "
        "take, moved data included. They differ where the spare flash is given.",
        title="Endurance counts",
    )
    spare_fraction: SpareFraction | None = blank(
        "Share of its flash beyond its capacity; it gives the write amplification. "
        "Empty: not known.",
        title="Spare flash",
    )
    fill_fraction: FillFraction | None = blank(
        "Share of its capacity that holds data, the rest trimmed: with the spare flash "
        "it says how much is moved before blocks are erased. Empty: full, what is moved being "
        "spread evenly over its writes.",
        title="Filled",
    )
    block_bytes: BlockBytes = assumed(
        16_777_216, "Filled: flash that is moved and erased as a whole.", title="Erase block"
    )
    move_step_ms: Annotated[DurationMs, Field(le=1000)] = assumed(
        2.0,
        "Filled: a channel that moves data lets a read pass after each step of this length.",
        low=0.5,
        high=10.0,
        title="Step of moving",
    )
    slc: SlcCache | None = blank("Empty: none, or within its write rate.", title="SLC cache")
    write_amplification_ratio: RatioFromOne | None = blank(
        "Flash written over data written, whatever the writes; empty: of random ones "
        "by the spare flash, else 1."
    )
    unrecoverable_per_bit: PerBit = default(
        1e-17, source="data sheets of server drives", title="Unreadable bits"
    )
    afr_fraction: Fraction = assumed(
        0.01, "Chance that a drive fails in a year.", title="Annual failure rate"
    )
    on_sale: bool = True

    @field_validator("dies")
    @classmethod
    def _several(cls, value: Dies | None, info: ValidationInfo) -> Dies | None:
        if value is not None and info.data.get("channels_count", 2) < 2:
            raise refusal("order", "A drive with dies has two channels or more.")
        return value

    @field_validator("fill_fraction")
    @classmethod
    def _with_spare(cls, value: float | None, info: ValidationInfo) -> float | None:
        if value is not None and info.data.get("spare_fraction", 1.0) is None:
            raise refusal("missing", "What is moved follows from the spare flash. Enter that too.")
        return value


Drive = Annotated[HardDisk | SolidState, Field(discriminator="kind")]


# TR837 tables 1 and 2. The server disk's overhead is fitted: with 8 KiB at 129 MB/s it makes the
# mean service 6.300 ms, as 1.00 request/s is 0.63% of its maximum in table 3.
ULTRASTAR_15K73 = HardDisk(
    name="Ultrastar 15K73",
    capacity_gb=73.9,
    speed_rpm=15_037.0,
    seek=ThreePointSeek(min_ms=0.6, avg_ms=3.9, max_ms=7.5),
    overhead_ms=0.4049 - transfer_ms(8192, 129.0),
    outer_mb_per_s=129.0,
    active_w=15.6,
    idle_w=12.0,
    price_usd=195.0,
    unrecoverable_per_bit=1e-15,
)
TRAVELSTAR_7K60 = HardDisk(
    name="Travelstar 7K60",
    capacity_gb=60.0,
    speed_rpm=7200.0,
    seek=ThreePointSeek(min_ms=1.0, avg_ms=10.0, max_ms=16.0),
    overhead_ms=0.3,
    outer_mb_per_s=48.0,
    active_w=2.5,
    idle_w=2.0,
    low_power_idle=SleepState(power_w=0.85, down_j=2.15, down_s=0.85, up_j=1.45, up_s=0.53),
    standby=SleepState(power_w=0.25, down_j=2.94, down_s=1.25, up_j=9.0, up_s=3.0),
    price_usd=210.0,
    start_stop_rating_count=300_000,
)
# HP08: powers are printed; the times are our choice for drives of that family.
ST3500320AS = HardDisk(
    name="Barracuda ST3500320AS",
    capacity_gb=500.0,
    speed_rpm=7200.0,
    seek=ThreePointSeek(min_ms=0.8, avg_ms=8.5, max_ms=16.0),
    overhead_ms=0.3,
    write_settle_ms=0.0,
    outer_mb_per_s=85.0,
    active_w=11.16,
    idle_w=7.96,
    standby=SleepState(power_w=0.8, down_j=10.0, down_s=1.5, up_j=150.0, up_s=10.0),
)
MTRON_3035 = SolidState(
    name="Mtron MSD-SATA3035",
    capacity_gb=32.0,
    read_latency_ms=0.1,
    write_latency_ms=0.2,
    read_mb_per_s=100.0,
    write_mb_per_s=80.0,
    active_w=2.43,
    idle_w=0.5,
    # 100,000 times its capacity.
    endurance_tb=3200.0,
    endurance_of="flash",
    on_sale=False,
)
WD_80GB = HardDisk(
    name="WD Caviar 80 GB",
    capacity_gb=78.15,
    speed_rpm=7200.0,
    seek=LogicalSeek(),
    overhead_ms=0.0,
    outer_mb_per_s=56.6,
    active_w=8.0,
    idle_w=8.0,
    seek_w=14.0,
)
