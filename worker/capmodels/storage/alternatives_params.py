"""The input and the result of the comparison of ways to save a disk array's energy."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.spec import Params, Result, assumed, blank, default, preset, recalled, refusal
from capmodels.storage.drive.drives import (
    TRAVELSTAR_7K60,
    ULTRASTAR_15K73,
    HardDisk,
    PositiveRpm,
    SleepState,
)
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.request_sizes import RequestBytes
from capmodels.units import (
    CountFromOne,
    DurationMs,
    DurationS,
    Fraction,
    PowerW,
    RatePerS,
    Real,
    of_unit,
)

_TR837 = "TR 837"
# What the arrays that simulate an alternative put on one disk before the next one follows.
_CHUNK_BYTES = Layout().chunk_bytes
Kind = Literal["always_on", "laptop", "multi_speed", "idle_array", "concentrated"]
Rpm = Annotated[Real, of_unit("rpm", gt=0, le=50_000)]
Rate = Annotated[RatePerS, Field(gt=0, le=1e7)]
Exponent = Annotated[Real, of_unit("1", ge=0, lt=1)]
PowerExponent = Annotated[Real, of_unit("1", ge=1, le=4)]
Signed = Annotated[Real, of_unit("fraction")]
DrivesCount = Annotated[Real, of_unit("count", ge=0)]
StartsPerYear = Annotated[Real, of_unit("1/yr", ge=0)]
Years = Annotated[Real, of_unit("yr", ge=0)]


class AlternativesParams(Params):
    """A server's disks, what is asked of them, and what the alternatives are made of."""

    server_drive: HardDisk = ULTRASTAR_15K73
    disks_count: Annotated[CountFromOne, Field(le=1000)] = assumed(
        8, "Server disks that hold the data."
    )
    arrival_rate_per_s: Rate = assumed(80.0, "Random reads of all users.")
    size_bytes: RequestBytes = assumed(8192, "Size of every request.")
    popularity_exponent: Exponent = assumed(
        0.7,
        "0: every block equally popular; near 1: nearly all requests for a few.",
        low=0.0,
        high=0.95,
    )
    target_utilization_fraction: Annotated[Fraction, Field(gt=0)] = assumed(
        0.7, "Load up to which a disk is filled before the next one is used.", low=0.5, high=0.9
    )
    laptop_drive: HardDisk = TRAVELSTAR_7K60
    laptop_copies_count: Annotated[CountFromOne, Field(le=8)] = default(
        3, source=f"{_TR837}: three for a server disk", as_of="2004-05"
    )
    speeds_rpm: Annotated[tuple[Rpm, ...], Field(max_length=20)] = assumed(
        (3600.0, 5400.0, 7200.0, 9600.0, 12_000.0),
        "Lower speeds of a multi-speed disk.",
        source="our choice, between the slowest and the fastest that were sold",
    )
    speed_exponent: PowerExponent = recalled(
        2.8,
        "How the spindle's power follows its speed.",
        source="drag of spinning disks, as cited with DRPM",
        low=2.0,
        high=3.0,
    )
    electronics_fraction: Fraction = assumed(
        0.2, "Share of idle power that does not follow the speed.", low=0.1, high=0.4
    )
    cache_disks_count: CountFromOne = assumed(
        1, "Disks of an idle array that stay on and hold copies of what is popular."
    )
    sleeping: SleepState = preset(
        SleepState(power_w=2.0, down_j=60.0, down_s=10.0, up_j=450.0, up_s=25.0),
        "Standby of a server disk: 25 s to ready as TR 837 prints it, the rest our choice.",
    )
    standby_after_s: DurationS | None = blank(
        "Idle time before standby; empty: the break-even time."
    )

    @field_validator("server_drive", "laptop_drive")
    @classmethod
    def _room_for_a_chunk(cls, value: HardDisk) -> HardDisk:
        if value.capacity_gb * 1e9 < _CHUNK_BYTES:
            text = f"A chunk of {_CHUNK_BYTES:,} bytes does not fit on the drive."
            raise refusal("out_of_range", text, at=("capacity_gb",))
        return value

    @field_validator("cache_disks_count")
    @classmethod
    def _fewer(cls, value: int, info: ValidationInfo) -> int:
        if value > info.data.get("disks_count", value):
            raise refusal("too_many", "Enter at most as many cache disks as there are disks.")
        return value

    @field_validator("sleeping")
    @classmethod
    def _sleeps(cls, value: SleepState, info: ValidationInfo) -> SleepState:
        drive = info.data.get("server_drive")
        if drive is not None and value.power_w >= drive.idle_w:
            raise refusal(
                "out_of_range", "Standby must use less power than idling.", at=("power_w",)
            )
        return value


class AlternativeRow(Result):
    """One way, at this load."""

    kind: Kind
    sold: bool
    note: str | None
    drives_count: CountFromOne
    awake_count: DrivesCount = Field(description="Drives that spin, on the mean.")
    speed_rpm: PositiveRpm
    power_w: PowerW
    saved_fraction: Signed = Field(description="Of the power of server disks always on.")
    kwh_per_year: Annotated[Real, of_unit("kWh/yr", ge=0)]
    response_mean_ms: DurationMs | None = Field(description="Empty when overloaded.")
    starts_per_year: StartsPerYear | None = Field(
        description="Spin-ups of one sleeping drive; empty: see the simulation."
    )
    rating_years: Years | None = Field(description="Until its rated starts are used up.")
    proposed: bool = Field(description="Elsewhere, and not an array of a preset of its own.")
    sets_workload: bool = Field(description="The idea lies in what reaches the disks.")
    title: str
    about: str
    told: str = Field(description="Its drives, power and response in a line.")
    preset: str = Field(description="Params of the simulation, storage.array, as JSON.")


class AlternativesResult(Result):
    """All ways, and the one that uses the least power among those that meet the load."""

    rows: tuple[AlternativeRow, ...]
    least_power: Kind | None
