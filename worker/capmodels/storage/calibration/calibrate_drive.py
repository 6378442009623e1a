"""A drive's parameters from measured latencies by queue depth, and how well they then fit.

Demerit figure after Ruemmler and Wilkes 1994: root-mean-square distance between the distributions
of measured and modelled times, as a share of the measured mean.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, field_validator

from capmodels.errors import ModelError
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
    refusal,
)
from capmodels.storage.calibration.loop_fit import LoopFit, channels_of, fit_loop
from capmodels.storage.calibration.queue_fit import fit_queue
from capmodels.storage.drive.drives import Drive, HardDisk, PositiveMs, SolidState
from capmodels.storage.drive.seek import three_point_ms
from capmodels.storage.drive.service import revolution_ms, transfer_ms
from capmodels.storage.drive.times import fixed_ms, read_answer_ms, seek_curve
from capmodels.units import CountFromOne, DurationMs, RatePerS, Ratio, Real, Whole

Percent = Annotated[Real, Field(gt=0, lt=100, json_schema_extra={"unit": "ratio"})]
SizeBytes = Annotated[Whole, Field(ge=512, json_schema_extra={"unit": "B"})]
ErrorFraction = Annotated[Real, Field(json_schema_extra={"unit": "fraction"})]
Way = Literal["read", "write"]

# Of a read's time, below which a write cannot have reached the platter.
_FROM_MEMORY = 0.6
_IN_MEMORY = "The drive answers writes from its own memory."
_HELD = "How many writes the drive holds and sorts is not told by their means."
_QUANTILES = 99
# Tails beyond this hold stalls of the host as well as the drive.
_PERCENT_MAX = 99.0
_FIO = "fio results collected by their testers: 4 KiB random, one job, on a SATA port"
_DEPTHS = (1, 2, 4, 8, 16, 32, 64)
_PM883_READ = (0.113, 0.116, 0.120, 0.153, 0.305, 0.610, 1.222)
_PM883_WRITE = (0.050, 0.044, 0.077, 0.157, 0.317, 0.635, 1.272)


class Percentile(Params):
    """Share of requests that took at most a time."""

    percent_ratio: Percent = Field(title="Percent")
    latency_ms: PositiveMs


class DepthRow(Params):
    """Requests of one size, so many of them outstanding at all times."""

    way: Way = "read"
    depth_count: Annotated[CountFromOne, Field(le=100_000)]
    latency_ms: PositiveMs = Field(description="Mean latency.")
    percentiles: tuple[Percentile, ...] = Field(default=(), max_length=200)


PM883 = SolidState(
    name="Samsung PM883 480 GB",
    capacity_gb=480.0,
    read_latency_ms=0.1,
    write_latency_ms=0.05,
    read_mb_per_s=550.0,
    write_mb_per_s=520.0,
    active_w=2.3,
    write_w=2.8,
    idle_w=1.2,
    endurance_tb=683.0,
    on_sale=False,
)


class CalibrateDriveParams(Params):
    """A drive as its data sheet has it, and what was measured."""

    drive: Drive = PM883
    rows: Annotated[tuple[DepthRow, ...], Field(max_length=200)] = default(
        tuple(
            DepthRow(way=way, depth_count=depth, latency_ms=latency)
            for way, latencies in (("read", _PM883_READ), ("write", _PM883_WRITE))
            for depth, latency in zip(_DEPTHS, latencies, strict=True)
        ),
        source=_FIO,
        as_of="2019-09-13",
        quality="measured",
        description="One row for each direction and depth.",
    )
    size_bytes: SizeBytes = default(4096, source=_FIO, as_of="2019-09-13", quality="measured")
    fit_seeks: bool = Field(
        default=False,
        description="Stretch a disk's seeks too, when only part of it was measured or its sheet "
        "is not to be trusted; otherwise the overhead alone is fitted.",
    )

    @field_validator("rows")
    @classmethod
    def _once(cls, value: tuple[DepthRow, ...]) -> tuple[DepthRow, ...]:
        if not any(row.way == "read" for row in value):
            raise refusal("missing", "Enter at least one row of reads.")
        seen = [(row.way, row.depth_count) for row in value]
        twice = next((i for i, key in enumerate(seen) if key in seen[:i]), None)
        if twice is not None:
            raise refusal("doubled", "This depth stands twice for one direction.", at=(twice,))
        return value


class DepthFit(Result):
    """One depth: measured, and as the fitted drive has it."""

    way: Way
    depth_count: CountFromOne
    measured_ms: DurationMs
    modelled_ms: DurationMs | None = Field(description="Empty where the row was not used.")
    error_fraction: ErrorFraction | None
    measured_per_s: RatePerS
    unused_reason: str | None = Field(description="Why the row was not used; empty: it was.")


class CalibrateDriveResult(Result):
    """The fitted drive, each depth, and the demerit figures."""

    drive: Drive
    channels_count: CountFromOne = Field(description="Requests that it serves at once.")
    queue_count: CountFromOne | None = Field(
        description="Requests that a disk sorts by position at a time; 1: it does not sort; empty: "
        "not told, or a drive without an arm."
    )
    read_service_ms: DurationMs = Field(description="One small read, alone.")
    write_service_ms: DurationMs | None
    max_read_per_s: RatePerS
    max_write_per_s: RatePerS | None
    depths: tuple[DepthFit, ...]
    depth_demerit_fraction: Ratio = Field(
        description="Root-mean-square error of the reads' mean latencies, over their mean."
    )
    write_depth_demerit_fraction: Ratio | None
    demerit_fraction: Ratio | None = Field(
        description="Of the distribution of single reads; empty without percentiles at depth 1."
    )
    sheet_demerit_fraction: Ratio | None = Field(
        description="The same of the drive as its data sheet has it."
    )


def _of(rows: tuple[DepthRow, ...], way: Way) -> list[DepthRow]:
    return sorted((row for row in rows if row.way == way), key=lambda row: row.depth_count)


def _solid_state(params: CalibrateDriveParams, drive: SolidState) -> CalibrateDriveResult:
    reads, writes = _of(params.rows, "read"), _of(params.rows, "write")
    fits = {"read": fit_loop(reads)}
    if writes:
        fits["write"] = fit_loop(writes)
    channels = channels_of(list(fits.values()))
    depths = tuple(_depth(row, fits[row.way].at(row.depth_count)) for row in [*reads, *writes])
    fitted = _fitted_ssd(drive, channels, fits, params.size_bytes)
    single = next((row for row in reads if row.depth_count == 1 and row.percentiles), None)
    before = read_answer_ms(drive, params.size_bytes)
    alone = fits["read"].alone_ms
    return CalibrateDriveResult(
        drive=fitted,
        channels_count=channels,
        queue_count=None,
        read_service_ms=alone,
        write_service_ms=fits["write"].alone_ms if writes else None,
        max_read_per_s=fits["read"].most_per_ms * 1000,
        max_write_per_s=fits["write"].most_per_ms * 1000 if writes else None,
        depths=depths,
        depth_demerit_fraction=depth_demerit(depths, "read"),
        write_depth_demerit_fraction=depth_demerit(depths, "write") if writes else None,
        demerit_fraction=None if single is None else demerit(single, [alone]),
        sheet_demerit_fraction=None if single is None else demerit(single, [before]),
    )


def _fitted_ssd(
    drive: SolidState, channels: int, fits: dict[str, LoopFit], size_bytes: int
) -> SolidState:
    """The drive that answers as was fitted, and holds its channels up to its ceiling.

    Its rates with all channels are kept.
    """
    update: dict[str, float | int] = {"channels_count": channels}
    for way, fit in fits.items():
        whole = getattr(drive, f"{way}_mb_per_s") * drive.channels_count
        # A channel's part of the whole rate; a ceiling of small requests may lie above it.
        rate = max(whole / channels, size_bytes * fit.most_per_ms / channels / 1000)
        passing = transfer_ms(size_bytes, rate) / channels
        update[f"{way}_mb_per_s"] = rate
        update[f"{way}_latency_ms"] = max(fit.alone_ms - passing, 0.0)
        update[f"{way}_hold_ms"] = channels / fit.most_per_ms
    return drive.model_copy(update=update)


def _depth(row: DepthRow, modelled_ms: float | None, unused_reason: str | None = None) -> DepthFit:
    error = None if modelled_ms is None else modelled_ms / row.latency_ms - 1
    return DepthFit(
        way=row.way,
        depth_count=row.depth_count,
        measured_ms=row.latency_ms,
        modelled_ms=modelled_ms,
        error_fraction=error,
        measured_per_s=row.depth_count * 1000 / row.latency_ms,
        unused_reason=unused_reason,
    )


def depth_demerit(depths: tuple[DepthFit, ...], way: Way) -> float:
    """Root-mean-square error of the mean latencies that are modelled, over their mean."""
    rows = [row for row in depths if row.way == way]
    known = [(row.measured_ms, row.modelled_ms) for row in rows if row.modelled_ms is not None]
    square = math.fsum((ours - theirs) ** 2 for theirs, ours in known) / len(known)
    return math.sqrt(square) / (math.fsum(theirs for theirs, _ours in known) / len(known))


def measured_quantile_ms(row: DepthRow, percent: float) -> float:
    """Measured time at a percentile, interpolated; level beyond the outermost ones. [ms]"""
    points = sorted((point.percent_ratio, point.latency_ms) for point in row.percentiles)
    points = [point for point in points if point[0] <= _PERCENT_MAX] or points[:1]
    before = points[0]
    for after in points:
        if percent <= after[0]:
            if after[0] == before[0]:
                return after[1]
            part = (percent - before[0]) / (after[0] - before[0])
            return before[1] + part * (after[1] - before[1])
        before = after
    return before[1]


def demerit(row: DepthRow, modelled_ms: list[float]) -> float:
    """Demerit figure of single requests, over the percentiles from 1 to 99.

    ``modelled_ms`` are 99 quantiles, or one time that every request takes.
    """
    theirs = [measured_quantile_ms(row, percent) for percent in range(1, _QUANTILES + 1)]
    ours = modelled_ms * _QUANTILES if len(modelled_ms) == 1 else modelled_ms
    square = math.fsum((a - b) ** 2 for a, b in zip(ours, theirs, strict=True)) / _QUANTILES
    return math.sqrt(square) / (math.fsum(theirs) / _QUANTILES)


def disk_quantiles_ms(drive: HardDisk, size_bytes: int) -> list[float]:
    """The percentiles from 1 to 99 of a random read: seek and rotation over a fine grid. [ms]

    Distances have density 2 (1 - u): equal shares lie at u = 1 - sqrt(1 - q).

    Raises
    ------
    ModelError
        When the seek curve is not one of three points.
    """
    curve = seek_curve(drive)
    if curve is None:
        message = "A disk is calibrated with a three-point seek curve. Enter one."
        raise ModelError(message)
    turn, steps = revolution_ms(drive.speed_rpm), 120
    fixed = fixed_ms(drive, size_bytes)
    seeks = [
        three_point_ms(curve, 1 - math.sqrt(1 - (i + 0.5) / steps)) + fixed for i in range(steps)
    ]
    times = sorted(seek + (j + 0.5) / steps * turn for seek in seeks for j in range(steps))
    return [times[round(percent / 100 * len(times))] for percent in range(1, _QUANTILES + 1)]


def _with_overhead(drive: HardDisk, row: DepthRow, size_bytes: int) -> tuple[HardDisk, list[float]]:
    """The disk with the overhead that gives the measured mean, and its percentiles. [ms]"""
    bare = disk_quantiles_ms(drive, size_bytes)
    if row.percentiles:
        theirs = math.fsum(measured_quantile_ms(row, p) for p in range(1, _QUANTILES + 1))
        shift = (theirs - math.fsum(bare)) / _QUANTILES
    else:
        shift = row.latency_ms - math.fsum(bare) / _QUANTILES
    overhead = max(drive.overhead_ms + shift, 0.0)
    moved = overhead - drive.overhead_ms
    return drive.model_copy(update={"overhead_ms": overhead}), [time + moved for time in bare]


def _stretched(drive: HardDisk, factor: float) -> HardDisk:
    """The disk with its seeks beyond the shortest one stretched."""
    seek = drive.seek
    assert seek.kind == "three_point"
    low = seek.min_ms
    scaled = {
        "avg_ms": low + factor * (seek.avg_ms - low),
        "max_ms": low + factor * (seek.max_ms - low),
    }
    return drive.model_copy(update={"seek": seek.model_copy(update=scaled)})


def _best_stretch(drive: HardDisk, row: DepthRow, size_bytes: int) -> float:
    """Factor of the seeks with the least demerit, by golden section between 0.3 and 1.7."""

    def cost(factor: float) -> float:
        return demerit(row, _with_overhead(_stretched(drive, factor), row, size_bytes)[1])

    golden = (math.sqrt(5) - 1) / 2
    low, high = 0.3, 1.7
    for _ in range(16):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if cost(left) < cost(right) else (left, high)
    return (low + high) / 2


def _hard_disk(params: CalibrateDriveParams, drive: HardDisk) -> CalibrateDriveResult:
    """Fit the overhead on single reads, seeks when asked to, and the queue on deeper reads.

    Rotation is the sheet's.
    """
    reads = _of(params.rows, "read")
    single = reads[0]
    if single.depth_count != 1:
        message = "A disk is calibrated on reads at depth 1. Enter that row."
        raise ModelError(message)
    sheet = disk_quantiles_ms(drive, params.size_bytes)
    fitted = drive
    if params.fit_seeks and single.percentiles:
        fitted = _stretched(drive, _best_stretch(drive, single, params.size_bytes))
    fitted, ours = _with_overhead(fitted, single, params.size_bytes)
    service = math.fsum(ours) / _QUANTILES
    writes = _of(params.rows, "write")
    alone = writes[0] if writes and writes[0].depth_count == 1 else None
    settle = _write_settle_ms(alone, service)
    if settle is not None:
        fitted = fitted.model_copy(update={"write_settle_ms": settle})
    write_service = None if settle is None else service + settle
    deeper = [(row.depth_count, row.latency_ms) for row in reads]
    queue = fit_queue(fitted, params.size_bytes, deeper)
    known = {1: service, **(queue.latency_ms if queue else {})}
    depths = (
        *(_disk_depth(row, known[row.depth_count]) for row in reads),
        *(_disk_depth(row, write_service if row is alone else None) for row in writes),
    )
    return CalibrateDriveResult(
        drive=fitted,
        channels_count=1,
        queue_count=queue.queue_count if queue else None,
        read_service_ms=service,
        write_service_ms=write_service,
        max_read_per_s=1000 / service,
        max_write_per_s=None if write_service is None else 1000 / write_service,
        depths=depths,
        depth_demerit_fraction=depth_demerit(depths, "read"),
        write_depth_demerit_fraction=None
        if write_service is None
        else depth_demerit(depths, "write"),
        demerit_fraction=demerit(single, ours) if single.percentiles else None,
        sheet_demerit_fraction=demerit(single, sheet) if single.percentiles else None,
    )


def _write_settle_ms(alone: DepthRow | None, read_ms: float) -> float | None:
    """What a single write takes beyond a read; None where the drive's memory answers it. [ms]"""
    if alone is None or alone.latency_ms < _FROM_MEMORY * read_ms:
        return None
    return alone.latency_ms - read_ms


def _disk_depth(row: DepthRow, modelled_ms: float | None) -> DepthFit:
    reason = None
    if modelled_ms is None:
        memory = row.way == "write" and row.depth_count == 1
        reason = _IN_MEMORY if memory else _HELD
    return _depth(row, modelled_ms, reason)


def _run(params: CalibrateDriveParams, _context: Context) -> CalibrateDriveResult:
    if params.drive.kind == "hdd":
        return _hard_disk(params, params.drive)
    return _solid_state(params, params.drive)


# WD Raptor WD740GD by its data sheet, and its single reads as fio measured them.
RAPTOR = {
    "kind": "hdd", "name": "WD Raptor 74 GB", "capacity_gb": 74.0, "speed_rpm": 10_000.0,
    "seek": {"kind": "three_point", "min_ms": 0.6, "avg_ms": 4.5, "max_ms": 10.2},
    "overhead_ms": 0.3, "outer_mb_per_s": 72.0, "inner_mb_per_s": 54.0, "active_w": 8.4,
    "idle_w": 7.9,
}  # fmt: skip
RAPTOR_READ = {
    "way": "read", "depth_count": 1, "latency_ms": 8.107,
    "percentiles": [
        {"percent_ratio": percent, "latency_ms": latency}
        for percent, latency in (
            (1.0, 3.228), (5.0, 4.358), (10.0, 5.079), (20.0, 5.997), (30.0, 6.783),
            (40.0, 7.373), (50.0, 7.963), (60.0, 8.585), (70.0, 9.241), (80.0, 10.027),
            (90.0, 10.945), (95.0, 11.731), (99.0, 13.304),
        )
    ],
}  # fmt: skip


def _raptor() -> CalibrateDriveResult:
    document = {"drive": RAPTOR, "rows": [RAPTOR_READ], "fit_seeks": True}
    return _run(CalibrateDriveParams.model_validate(document), Context())


_CHECKS = (
    Check(
        id="pm883-rate",
        title="Samsung PM883 behind a SATA port: small reads a second at depth 64",
        source=_FIO,
        published=52_296.0,
        tolerance=1_600.0,
        unit="1/s",
        compute=lambda: _run(CalibrateDriveParams(), Context()).max_read_per_s,
        params=dict,
    ),
    Check(
        id="raptor-demerit",
        title="WD Raptor, single reads: demerit, overhead and stretch of the seeks fitted",
        source=f"{_FIO}; aim of 3%",
        published=0.0,
        tolerance=0.03,
        unit="fraction",
        basis="derived",
        compute=lambda: _raptor().demerit_fraction or 0.0,
    ),
)

SPEC = ModelSpec(
    id="storage.calibrate_drive",
    version="2.1.0",
    title="Drive from measurements",
    summary="Fits a drive to measured latencies by queue depth: how many requests it serves at "
    "once and how long one takes, or a disk's overhead, with the demerit figure.",
    params=CalibrateDriveParams,
    result=CalibrateDriveResult,
    run=_run,
    points=lambda params: len(params.rows),
    citations=(
        Citation(
            text="C. Ruemmler, J. Wilkes, An Introduction to Disk Drive Modeling, IEEE Computer "
            "27(3), 1994"
        ),
    ),
    formulas=(
        Formula(
            id="latency",
            text="latency at depth q = max(alone, q / ceiling), by direction",
            source="Little's law; a channel is held for channels / ceiling",
        ),
        Formula(
            id="demerit",
            text="demerit = RMS(measured - modelled percentile) / measured mean",
            source="Ruemmler and Wilkes 1994",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "A drive that buffers writes holds a channel for longer than it takes to answer; how deep "
        "its buffer is does not show in mean latencies.",
        "Percentiles above 99 are left out: in them the measuring host shows as much as the drive.",
        "A disk's queue is the power of two that fits its reads above depth one best; simulate it "
        "with that queue, sorted by position. Writes above depth one are not fitted.",
    ),
)
