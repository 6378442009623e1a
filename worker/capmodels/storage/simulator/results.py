"""The fields of what a run of the array simulator answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.spec import Result
from capmodels.storage.simulator.copies import CopiesUse
from capmodels.storage.simulator.per_year import PerYear
from capmodels.storage.simulator.series import (
    CurvePoint,
    EnergyShare,
    PercentileInterval,
    PowerPiece,
)
from capmodels.storage.simulator.slots import State
from capmodels.told import Table, TableRow, Told
from capmodels.units import (
    Count,
    DurationMs,
    DurationS,
    EnergyJ,
    EnergyKwh,
    Fraction,
    PowerW,
    RatePerS,
    Real,
    ThroughputMbPerS,
)

SaturatedReason = Literal["queue_overflow", "utilization", "response_grows"]
Requests = Literal["all", "reads", "writes"]
Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]
MeanCount = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "count"})]
RatioFromOne = Annotated[Real, Field(ge=1, json_schema_extra={"unit": "ratio"})]
WrittenTb = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "TB"})]


class ArrayFigure(Result):
    """A figure of a run, as a row of a table has it."""

    id: str
    label: str
    unit: str
    value: Real | None
    text: str
    note: str | None
    """More about the value, or why there is none."""
    lower_is_better: bool | None


class FigureRow(TableRow):
    """A figure of arrays side by side: what stands under its cells, and which of them is best."""

    under: tuple[str | None, ...]
    hints: tuple[str | None, ...] = Field(description="Why a cell has no value.")
    best: str | None = Field(description="The letter of the array with the best value.")


class FiguresTable(Table):
    """Figures of arrays side by side, a column for each."""

    rows: tuple[FigureRow, ...]
    letters: tuple[str, ...] = Field(description="Of the arrays, in their order.")


class Responses(Result):
    """Response times of one kind of request; percentiles are withheld when they mean nothing."""

    requests: Requests
    requests_count: Count
    mean_ms: DurationMs | None
    sd_ms: DurationMs | None
    p50_ms: DurationMs | None
    p90_ms: DurationMs | None
    p95_ms: DurationMs | None
    p99_ms: DurationMs | None
    p999_ms: DurationMs | None
    max_ms: DurationMs | None


# Percentiles of `Responses` in the order of tables: field, share, label.
PERCENTILES = (
    ("p50_ms", 0.5, "p50"),
    ("p90_ms", 0.9, "p90"),
    ("p95_ms", 0.95, "p95"),
    ("p99_ms", 0.99, "p99"),
    ("p999_ms", 0.999, "p99.9"),
)


class StateUse(Result):
    """Time and energy of a device in one state."""

    state: State
    time_fraction: Fraction
    energy_j: EnergyJ


class DeviceUse(Result):
    """What one device did."""

    name: str
    power_w: PowerW
    utilization_fraction: Fraction
    states: tuple[StateUse, ...]
    spin_ups_count: Count
    low_power_wakes_count: Count
    reads_count: Count
    writes_count: Count
    read_tb: WrittenTb
    written_tb: WrittenTb
    max_queue_count: Count
    mean_queue_count: MeanCount = Field(
        description="Operations that wait or are served, over time."
    )
    seek_mean_ms: DurationMs | None = Field(description="Of an operation.")
    rotation_mean_ms: DurationMs | None = Field(description="Of an operation.")
    transfer_mean_ms: DurationMs | None = Field(
        description="Of an operation, with overhead and settling."
    )
    access_energy_j: EnergyJ | None = Field(
        description="Of an operation: seeks at their power, the rest of its time at the active one."
    )
    load_unloads_count: Count = Field(description="Times the heads came back from rest.")
    write_amplification_ratio: RatioFromOne | None
    years_to_rating_years: Years | None = Field(
        description="Until the rated starts and stops, or the rated writes, are used up."
    )


class CacheUse(Result):
    """What the cache did."""

    read_hits_count: Count
    read_misses_count: Count
    hit_fraction: Fraction | None
    fills_count: Count
    writes_count: Count
    plain_copies_count: Count
    destages_count: Count
    woken_destages_count: Count = Field(description="Destages because a disk had woken anyway.")
    written_tb: WrittenTb = Field(description="Written to the cache's device.")
    dirty_blocks_count: Count = Field(description="Not yet on the disks at the end of the run.")
    dirty_tb: WrittenTb


class ArrayMeasures(Result):
    """Response, power, energy and wear of an array under a workload."""

    duration_s: DurationS
    requests_count: Count
    power_w: PowerW
    energy_j: EnergyJ
    energy_kwh: EnergyKwh
    energy_per_1000_requests_j: EnergyJ
    responses: tuple[Responses, ...]
    mean_interval_low_ms: DurationMs | None
    mean_interval_high_ms: DurationMs | None
    percentile_intervals: tuple[PercentileInterval, ...] = Field(
        description="95%, by order statistics; empty when percentiles mean nothing."
    )
    cdf_response_ms: tuple[DurationMs, ...]
    cdf_fraction: tuple[Fraction, ...]
    throughput_per_s: RatePerS
    throughput_mb_per_s: ThroughputMbPerS
    mean_in_system_count: MeanCount
    saturated: bool
    saturated_reason: SaturatedReason | None
    devices: tuple[DeviceUse, ...]
    power_over_time: tuple[PowerPiece, ...] = Field(
        description="At most 300 pieces; of several runs the mean of those under way."
    )
    energy_by_cause: tuple[EnergyShare, ...]
    curve: tuple[CurvePoint, ...] = Field(description="Throughput against response, if asked for.")
    stopped_early: bool = Field(description="The mean's interval was narrow enough.")
    cache: CacheUse | None
    copies: CopiesUse | None
    buffer_hits_count: Count = Field(description="Reads that the drives' own buffers served.")
    parity_operations_count: Count
    reconstructed_reads_count: Count
    rebuild_mb_per_s: ThroughputMbPerS | None
    rebuild_s: DurationS | None
    per_year: PerYear
    warnings: tuple[Literal["few_requests", "saturated", "trace_folded"], ...]


class ArrayResult(ArrayMeasures, Told):
    """What was measured, and what it says; its notes are of the array."""

    withheld: str | None = Field(description="Why percentiles are withheld.")
    wear: str
