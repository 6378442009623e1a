"""Solid-state drives by themselves: wear of a load, sustained writes, response by queue depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, TypedDict

from pydantic import Field

from capmodels.spec import Result
from capmodels.storage.drive.service import MS_PER_S
from capmodels.storage.drive.wear import (
    amplification,
    drive_writes_per_day,
    endurance_used,
    sustained_write_mb_per_s,
)
from capmodels.storage.simulator.dies_loop import loop_ms, times_of
from capmodels.units import (
    BYTES_PER_MB,
    BYTES_PER_TB,
    HOURS_PER_YEAR,
    SECONDS_PER_HOUR,
    CountFromOne,
    DurationMs,
    RatePerS,
    Real,
    ThroughputMbPerS,
)

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import SolidState
    from capmodels.storage.simulator.request_sizes import Mixes

Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]
RatioFromOne = Annotated[Real, Field(ge=1, json_schema_extra={"unit": "ratio"})]
PerDay = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "1/day"})]

DEPTHS = tuple(1 << power for power in range(9))
_HOURS_PER_DAY = 24.0


class FlashUse(Result):
    """What random requests do to each solid-state drive of an array."""

    write_amplification_ratio: RatioFromOne
    drive_writes_per_day: PerDay = Field(description="Data written to a drive over its capacity.")
    wear_years: Years | None = Field(
        description="Until the rated writes are used up; empty: never, or none are rated."
    )
    sustained_write_mb_per_s: ThroughputMbPerS = Field(
        description="Random writes to one full drive without end."
    )
    read_response_one_die_ms: DurationMs | None = Field(
        description="Mean response of reads if only the channel that has the data can read them: "
        "the longest that they wait for writes. Empty when overloaded."
    )


class DepthPoint(Result):
    """One drive with so many of the requests always under way."""

    depth_count: CountFromOne
    response_ms: DurationMs
    requests_per_s: RatePerS
    throughput_mb_per_s: ThroughputMbPerS


class Loop(NamedTuple):
    """A request of the mix on one drive: to its answer, on its channel, its size."""

    alone_ms: float
    busy_ms: float
    size_bytes: float


class Wear(TypedDict):
    """Wear of one drive, as ``FlashUse`` has it."""

    write_amplification_ratio: float
    drive_writes_per_day: float
    wear_years: float | None
    sustained_write_mb_per_s: float


def wear_of(device: SolidState, *, written_mb_per_s: float, size_bytes: float) -> Wear:
    """Wear of one drive that takes so much, in random writes of a mean size."""
    written_tb_per_s = written_mb_per_s * BYTES_PER_MB / BYTES_PER_TB
    used = endurance_used(device, written_tb_per_s * SECONDS_PER_HOUR * HOURS_PER_YEAR)
    per_day = written_tb_per_s * SECONDS_PER_HOUR * _HOURS_PER_DAY
    return Wear(
        write_amplification_ratio=amplification(device),
        drive_writes_per_day=drive_writes_per_day(device, per_day),
        wear_years=1.0 / used if used > 0 else None,
        sustained_write_mb_per_s=sustained_write_mb_per_s(device, size_bytes),
    )


def by_depth_on_dies(drive: SolidState, mixes: Mixes, share: float) -> tuple[DepthPoint, ...]:
    """As ``by_depth``, of a drive with dies, a share of whose requests read."""
    reads, writes = mixes.reads.mean_bytes, mixes.writes.mean_bytes
    times = times_of(drive, reads, writes)
    size = share * reads + (1 - share) * writes
    dies = drive.channels_count
    return tuple(
        _point(depth, loop_ms(depth, dies, times, read_fraction=share), size) for depth in DEPTHS
    )


def _point(depth: int, response_ms: float, size_bytes: float) -> DepthPoint:
    rate = depth / response_ms * MS_PER_S
    return DepthPoint(
        depth_count=depth,
        response_ms=response_ms,
        requests_per_s=rate,
        throughput_mb_per_s=rate * size_bytes / BYTES_PER_MB,
    )


def by_depth(loop: Loop, channels: int) -> tuple[DepthPoint, ...]:
    """Response and rate of one drive by requests under way, the next one at once after each.

    R(q) = max(R(1), q S / c): the asymptotic bounds (Denning and Buzen 1978). Channels that take
    requests from one queue reach them: up to c requests none waits, beyond c no channel rests.
    """
    points = []
    for depth in DEPTHS:
        response_ms = max(loop.alone_ms, depth * loop.busy_ms / channels)
        points.append(_point(depth, response_ms, loop.size_bytes))
    return tuple(points)
