"""What a fit to a recorded trace takes and says."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.formats.trace_store import TraceRef
from capmodels.spec import (
    Params,
    Result,
    assumed,
    refusal,
)
from capmodels.storage.drive.drives import ULTRASTAR_15K73, Drive, PositiveRpm
from capmodels.storage.drive.seek import three_point_ms
from capmodels.storage.drive.service import revolution_ms, transfer_ms
from capmodels.storage.drive.times import seek_curve
from capmodels.storage.simulator.params import Scheduler
from capmodels.told import Told
from capmodels.units import Count, DurationMs, DurationS, Fraction, Ratio, Real, Whole, of_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Sector = Annotated[Whole, of_unit("count", ge=0)]
Sectors = Annotated[Whole, of_unit("count", ge=1, le=1_000_000)]
Pauses = Literal["after", "before", "untold"]
ErrorFraction = Annotated[Real, of_unit("fraction")]
Percent = Annotated[Real, of_unit("ratio", gt=0, lt=100)]

# A drive's memory is fitted to so many requests of a half. So many writes it may hold and sort,
# beside what the sheet says; 1: they are put on the platter as they come.
USED_MAX = 20_000
HELD_COUNTS = (256, 32, 8, 4, 2, 1)

_SAMPLE_OVERHEAD_MS = 0.5
_SAMPLE_COUNT = 240
_SAMPLE_SECTORS = 16
_GOLDEN, _SILVER = 0.6180339887498949, 0.4142135623730951
_DISTANCE_SECTORS = ULTRASTAR_15K73.capacity_gb * 1e9 / 512


class ServedRequests(Params):
    """Requests in order of arrival, and how long each took."""

    kind: Literal["requests"] = "requests"
    times_s: tuple[DurationS, ...] = Field(min_length=2, max_length=20_000)
    sectors: Annotated[tuple[Sector, ...], Field(max_length=20_000)] = Field(
        description="First sector of each, of 512 bytes."
    )
    sectors_count: Annotated[tuple[Sectors, ...], Field(max_length=20_000)]
    writes: Annotated[tuple[bool, ...], Field(max_length=20_000)]
    responses_ms: Annotated[tuple[DurationMs, ...], Field(max_length=20_000)]

    @field_validator("times_s")
    @classmethod
    def _in_order(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        back = next((i for i, (a, b) in enumerate(pairwise(value), 1) if b < a), None)
        if back is not None:
            raise refusal("order", "Times may not fall from one request to the next.", at=(back,))
        return value

    @field_validator("sectors", "sectors_count", "writes", "responses_ms")
    @classmethod
    def _as_many(cls, value: tuple[object, ...], info: ValidationInfo) -> tuple[object, ...]:
        times = info.data.get("times_s")
        if times is not None and len(times) != len(value):
            raise refusal("lengths_differ", "Give one value for each time.")
        return value


class RecordedRequests(Params):
    """An uploaded trace with response times; of several devices the one with most requests."""

    kind: Literal["trace"] = "trace"
    trace: TraceRef


def _sample() -> ServedRequests:
    """Reads of the default drive, seek and rotation as its sheet says, with a known overhead."""
    drive = ULTRASTAR_15K73
    curve = seek_curve(drive)
    assert curve is not None
    turn = revolution_ms(drive.speed_rpm)
    sectors, responses, last = [], [], 0
    for i in range(_SAMPLE_COUNT):
        sector = int((i * _GOLDEN) % 1.0 * (_DISTANCE_SECTORS - _SAMPLE_SECTORS))
        seek = three_point_ms(curve, abs(sector - last) / _DISTANCE_SECTORS)
        size = transfer_ms(_SAMPLE_SECTORS * 512, drive.outer_mb_per_s)
        sectors.append(sector)
        responses.append(seek + (i * _SILVER) % 1.0 * turn + size + _SAMPLE_OVERHEAD_MS)
        last = sector + _SAMPLE_SECTORS
    return ServedRequests(
        times_s=tuple(0.05 * i for i in range(_SAMPLE_COUNT)),
        sectors=tuple(sectors),
        sectors_count=(_SAMPLE_SECTORS,) * _SAMPLE_COUNT,
        writes=(False,) * _SAMPLE_COUNT,
        responses_ms=tuple(responses),
    )


class CalibrateTraceParams(Params):
    """A drive as its data sheet has it, and what was recorded of it."""

    drive: Drive = ULTRASTAR_15K73
    demand: Annotated[ServedRequests | RecordedRequests, Field(discriminator="kind")] = assumed(
        _sample(), "Reads of the default drive with an overhead of half a millisecond."
    )


class ClassFit(Result):
    """Requests of one direction, near the one before or not."""

    way: Literal["read", "write"]
    sequential: bool = Field(description="They begin where the request before ended.")
    requests_count: Count
    path: Literal["platter", "buffer"] = Field(
        description="Platter: seek, turn and transfer; buffer: a constant and the size."
    )
    overhead_ms: Annotated[Real, of_unit("ms")] = Field(
        description="What was fitted, on the first half."
    )


class TracksFit(Result):
    """Platter and cache of a drive whose tracks are known, by the first half of the trace."""

    speed_rpm: PositiveRpm
    head_skew_ms: DurationMs
    cylinder_skew_ms: DurationMs
    agreement_fraction: Fraction = Field(
        description="Of when reads ended with the angles of their sectors; 1: exactly."
    )
    found_skews: bool = Field(
        description="Speed and skews were found: reads do not agree with the described ones."
    )
    follows_angle: bool = Field(description="Reads agree, so that the angle is followed.")
    pauses: Pauses = Field(
        description="Where pauses come that the trace has after requests; untold: taken so."
    )
    ahead_to_track_end: bool = Field(description="It reads ahead no further than the track.")
    hits_read_ahead: bool = Field(description="A hit makes it read on.")
    keeps_passing_sectors: bool = Field(description="What passes while the head waits is kept.")
    drops_delivered: bool = Field(description="What a run of reads has delivered is not kept.")
    ahead_in_runs: bool = Field(description="It reads ahead only after reads that follow on.")
    takes_whole_track: bool = Field(description="It reads a track in any order.")
    written_ends: Literal["overlap", "nothing", "oldest"] = Field(
        description="What a write makes the drive forget."
    )
    stream_hold_ms: DurationMs | None = Field(
        description="Pause after which a run of reads costs more; empty: none."
    )
    ahead_lost_fraction: Fraction = Field(description="Misses after which it does not read ahead.")


class QuantilePair(Result):
    """A percentile of the second half, measured and modelled."""

    percent_ratio: Percent
    measured_ms: DurationMs
    modelled_ms: DurationMs


class ReplayFit(Result):
    """The second half at its recorded times, its requests waiting for each other."""

    scheduler: Scheduler = Field(
        description="Order in which the drive takes its queue: of all that storage.array knows, "
        "the nearest on the first half."
    )
    requests_count: Count
    measured_mean_ms: DurationMs
    modelled_mean_ms: DurationMs = Field(description="Of the drive returned, in storage.array.")
    error_fraction: ErrorFraction


class CalibrateTraceResult(Told):
    """The fitted drive, and the demerit figures."""

    drive: Drive
    requests_count: Count = Field(description="Of the busiest device.")
    alone_count: Count = Field(description="Of these, those that found the drive idle.")
    alone_fraction: Fraction
    classes: tuple[ClassFit, ...]
    quantiles: tuple[QuantilePair, ...]
    measured_mean_ms: DurationMs
    modelled_mean_ms: DurationMs
    demerit_fraction: Ratio = Field(description="Of the second half, not used for the fit.")
    fitted_demerit_fraction: Ratio = Field(description="Of the first half, used for the fit.")
    sheet_demerit_fraction: Ratio = Field(
        description="Of the second half, by the data sheet alone."
    )
    replay: ReplayFit | None = Field(
        description="Mean response with queues; empty where hardly any request waited."
    )
    tracks: TracksFit | None = Field(
        description="Empty where the tracks of the drive are not described."
    )


@dataclass(frozen=True)
class Fit:
    """A fitted drive, and the times of the second half, the modelled ones some times as many."""

    drive: Drive
    classes: tuple[ClassFit, ...]
    measured_ms: NDArray[np.float64]
    modelled_ms: NDArray[np.float64]
    fitted_demerit: float
    sheet_demerit: float
    tracks: TracksFit | None = None
