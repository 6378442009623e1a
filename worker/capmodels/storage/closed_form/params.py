"""What the closed forms of an array take and say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.spec import (
    Params,
    Result,
    assumed,
    default,
    refusal,
)
from capmodels.storage.closed_form.flash_use import DepthPoint, FlashUse
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, ULTRASTAR_15K73, Drive, HardDisk
from capmodels.storage.simulator.layout import LEAST_DISKS, DisksCount
from capmodels.storage.simulator.request_sizes import Sizes, some_weight
from capmodels.units import (
    CountFromOne,
    DurationMs,
    DurationS,
    Fraction,
    PowerW,
    RatePerS,
    Ratio,
    Real,
    UsdPerKwh,
    Whole,
)

SizeBytes = Annotated[Whole, Field(ge=512, json_schema_extra={"unit": "B"})]
TargetFraction = Annotated[Fraction, Field(gt=0)]
Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]
BusyCount = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "count"})]


class Replaced(Params):
    """Drives that the array would take the place of, none of which sleeps."""

    drive: HardDisk = ULTRASTAR_15K73
    disks_count: DisksCount = default(
        1, source="TR 837: a server disk for three laptop disks", title="How many"
    )

    @field_validator("drive")
    @classmethod
    def _three_point(cls, value: HardDisk) -> HardDisk:
        return _with_three_points(value)


class ArrayInstantParams(Params):
    """Equal disks and random requests."""

    drive: Drive = TRAVELSTAR_7K60
    layout: Literal[
        "mirrored_set",
        "raid0",
        "raid10",
        "raid5",
        "raid6",
        "raid7",
        "draid1",
        "draid2",
        "draid3",
    ] = "mirrored_set"
    disks_count: CountFromOne = default(3, source="TR 837: three for a server disk")
    arrival_rate_per_s: RatePerS = assumed(100.0, "Requests of all users.")
    read_fraction: Fraction = assumed(1.0, "Share of requests that read.")
    size_bytes: SizeBytes = assumed(8192, "Size of every request; not used with a list of sizes.")
    sizes: Sizes = Field(default=(), description="Sizes by weight; empty: all of one size.")
    write_sizes: Sizes = Field(default=(), description="Sizes of writes; empty: as of reads.")
    locked_updates: bool = Field(
        default=False,
        title="Small writes hold both disks",
        description="With parity: data and parity disk each read, turn once and write in one "
        "command; otherwise all read, and write once all have read.",
    )
    target_utilization_fraction: TargetFraction = assumed(
        0.7, "Load up to which disks are kept asleep."
    )
    replaces: Replaced | None = Field(
        default=None, description="Drives to compare with: what the swap saves, and when it pays."
    )
    energy_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = assumed(0.10, "Price of energy.")

    _some_weight = field_validator("sizes", "write_sizes")(some_weight)

    @field_validator("drive")
    @classmethod
    def _three_point(cls, value: Drive) -> Drive:
        return value if value.kind == "ssd" else _with_three_points(value)

    @field_validator("disks_count")
    @classmethod
    def _enough_disks(cls, value: int, info: ValidationInfo) -> int:
        layout = str(info.data.get("layout"))
        least = LEAST_DISKS.get(layout, 1)
        if value < least or (layout == "raid10" and value % 2):
            raise refusal(
                "disks_count",
                f"This layout needs at least {least} disks, RAID-10 an even number.",
            )
        return value


def _with_three_points(drive: HardDisk) -> HardDisk:
    if drive.seek.kind != "three_point":
        message = "The closed forms need a three-point seek curve."
        raise ValueError(message)
    return drive


class ArrayInstantResult(Result):
    """What can be said without a simulation."""

    service_mean_ms: DurationMs
    service_sd_ms: DurationMs
    max_rate_per_s: RatePerS
    utilization_ratio: Ratio
    carries_load: bool
    response_mean_ms: DurationMs | None = Field(
        description="Mean response with balanced disks; empty when overloaded, or for writes to "
        "more than one disk."
    )
    read_response_ms: DurationMs | None = Field(
        description="Mean response of reads, which wait for writes too, with balanced disks; empty "
        "when overloaded."
    )
    write_response_ms: DurationMs | None = Field(
        default=None,
        description="Mean response of small writes in two phases to disks with parity, up to a "
        "load of 0.7; empty for others.",
    )
    busy_count: BusyCount = Field(description="Disks busy at the same time, on average.")
    awake_count: CountFromOne
    always_on_w: PowerW
    one_awake_w: PowerW | None
    low_power_idle_s: DurationS | None = Field(description="Break-even idle time.")
    standby_s: DurationS | None = Field(description="Break-even idle time.")
    saved_w: Annotated[Real, Field(json_schema_extra={"unit": "W"})] | None = Field(
        description="Below the drives that it replaces; asleep where one awake is enough."
    )
    saved_usd_per_year: Annotated[Real, Field(json_schema_extra={"unit": "USD/yr"})] | None
    payback_years: Years | None = Field(
        description="Until the saved electricity has paid for the more expensive drives; empty: "
        "never."
    )
    by_depth: tuple[DepthPoint, ...] = Field(
        description="One drive alone, with more and more of these requests under way."
    )
    flash: FlashUse | None = Field(description="Of solid-state drives.")
