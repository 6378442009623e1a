"""A drive's parameters from measured latencies by queue depth, and how well they then fit.

Demerit figure after Ruemmler and Wilkes 1994: root-mean-square distance between the distributions
of measured and modelled times, as a share of the measured mean.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field, field_validator

from capmodels.errors import ModelError
from capmodels.numbers import percent
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    default,
    preset,
    refusal,
)
from capmodels.storage.calibration.calibration_told import drive_told
from capmodels.storage.calibration.depth_fits import DepthFit, asked_by, depth_demerit, fit_of
from capmodels.storage.calibration.depth_rows import DepthRow, Way
from capmodels.storage.calibration.flash_fit import fit_flash
from capmodels.storage.calibration.one_state import TIMED_OUT, Used, of_one_state
from capmodels.storage.calibration.queue_fit import (
    HELD,
    Order,
    fit_held,
    fit_queue,
    held_latency_ms,
    latency_ms,
)
from capmodels.storage.calibration.single_fit import (
    QUANTILES_COUNT,
    best_stretch,
    demerit,
    disk_quantiles_ms,
    mean_ms,
    stretched,
    with_overhead,
)
from capmodels.storage.drive.drives import Drive, DriveBuffer, HardDisk, SolidState
from capmodels.storage.drive.measured import SIGNED_MS_MAX
from capmodels.storage.drive.times import read_answer_ms
from capmodels.told import Told
from capmodels.units import CountFromOne, DurationMs, RatePerS, Ratio, Whole, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.storage.calibration.flash_fit import FlashFit
    from capmodels.storage.calibration.one_state import Steady
    from capmodels.storage.calibration.queue_fit import QueueFit

SizeBytes = Annotated[Whole, of_unit("B", ge=512)]

# Of a read's time, below which a write cannot have reached the platter.
_FROM_MEMORY = 0.6
_IN_MEMORY = "The drive's own memory took these writes: the run was too short to fill it."
_FIO = "fio results collected by their testers: 4 KiB random, one job, on a SATA port"
_DEPTHS = (1, 2, 4, 8, 16, 32, 64)
_PM883_READ = (0.1033, 0.1063, 0.1126, 0.1468, 0.2986, 0.6047, 1.2162)
_PM883_READ_PER_S = (8707, 17000, 32972, 51642, 52211, 52296, 52296)
_PM883_WRITE = (0.0383, 0.0374, 0.0707, 0.1498, 0.3095, 0.6281, 1.2656)
_PM883_WRITE_PER_S = (18985, 43098, 50205, 50214, 50083, 50221, 50212)


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
            DepthRow(way=way, depth_count=depth, latency_ms=latency, rate_per_s=rate)
            for way, latencies, rates in (
                ("read", _PM883_READ, _PM883_READ_PER_S),
                ("write", _PM883_WRITE, _PM883_WRITE_PER_S),
            )
            for depth, latency, rate in zip(_DEPTHS, latencies, rates, strict=True)
        ),
        "One row for each direction and depth.",
        source=_FIO,
        as_of="2019-09-13",
        quality="measured",
    )
    size_bytes: SizeBytes = default(4096, source=_FIO, as_of="2019-09-13", quality="measured")
    fit_seeks: bool = preset(
        False,
        "Stretch a disk's seeks too, when only part of it was measured or its sheet "
        "is not to be trusted; otherwise the overhead alone is fitted. Kept unless depths that "
        "are held back are then met worse.",
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


class CalibrateDriveResult(Told):
    """The fitted drive, each depth, and the demerit figures."""

    drive: Drive
    channels_count: CountFromOne = Field(description="Requests that it serves at once.")
    waits_for_dies: bool = Field(
        description="Whether a read waits for the die that has its data, of as many as it serves "
        "at once, behind one link; else any free channel serves it."
    )
    queue_count: CountFromOne | None = Field(
        description="Requests that are sorted at a time; 1: none are; empty: all that wait, or not "
        "told, or a drive without an arm."
    )
    queue_order: Order | None = Field(
        description="How a disk's reads are taken: first come, upwards by sector in the host "
        "(clook), or by position in the drive (sptf); empty: not told, or no arm."
    )
    held_writes_count: CountFromOne | None = Field(
        description="Writes that the disk's memory holds and sorts by position; empty: it answers "
        "a write from the platter, or that is not told."
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
    states = {"read": of_one_state("read", reads), "write": of_one_state("write", writes)}
    flash = fit_flash(drive, params.size_bytes, states["read"], states["write"])
    depths = tuple(_flash_depth(row, flash, states[row.way]) for row in [*reads, *writes])
    single = next((row for row in reads if row.depth_count == 1 and row.percentiles), None)
    before = read_answer_ms(drive, params.size_bytes)
    alone, write = flash.reads.alone_ms, flash.writes
    single_ms = alone + states["read"].wake_ms
    return _told(
        drive,
        drive=flash.drive,
        channels_count=flash.drive.channels_count,
        waits_for_dies=flash.drive.dies is not None,
        queue_count=None,
        queue_order=None,
        held_writes_count=None,
        read_service_ms=alone,
        write_service_ms=write.alone_ms if write else None,
        max_read_per_s=flash.reads.most_per_ms * 1000,
        max_write_per_s=write.most_per_ms * 1000 if write else None,
        depths=depths,
        depth_demerit_fraction=depth_demerit(depths, "read") or 0.0,
        write_depth_demerit_fraction=depth_demerit(depths, "write"),
        demerit_fraction=None if single is None else demerit(single, [single_ms]),
        sheet_demerit_fraction=None if single is None else demerit(single, [before]),
        notes=(*states["read"].notes, *states["write"].notes, *_unwritten(flash.drive, writes)),
    )


def _told(sheet: Drive, **found: Any) -> CalibrateDriveResult:
    return CalibrateDriveResult(**{**found, **drive_told(sheet, found)})


def _flash_depth(row: DepthRow, flash: FlashFit, state: Steady) -> DepthFit:
    unused, fit = state.unused.get(row.depth_count), flash.loop(row.way)
    wake = state.wake_ms if row.depth_count == 1 else 0.0
    drive_ms = None if unused else flash.at(row.way, row.depth_count)
    modelled = None if drive_ms is None else drive_ms + wake
    found = fit_of(row, modelled, unused)
    asked = None
    if fit is not None and found.modelled_ms is not None:
        asked = asked_by(row.depth_count, fit.host.own_at(row.depth_count), wake)
    return found.model_copy(update={"wake_ms": wake, "arrivals": asked})


def _unwritten(drive: SolidState, writes: list[DepthRow]) -> list[str]:
    """What of a drive whose writes were not measured is of its sheet."""
    if writes:
        return []
    whole = drive.write_mb_per_s * drive.channels_count
    return [
        f"No writes were measured: their latency is the data sheet's, with {drive.channels_count} "
        f"at once of {drive.write_mb_per_s:,.4g} MB/s each, {whole:,.4g} MB/s in all. Add rows of "
        "writes, or enter their rate."
    ]


def _used(rows: list[DepthRow]) -> list[Used]:
    """The rows that tell something, with their means."""
    means = [(row.depth_count, mean_ms(row)) for row in rows]
    return [Used(depth, mean) for depth, mean in means if mean is not None]


class _Writes(NamedTuple):
    """The disk with what its writes tell, and their mean by depth. [ms]"""

    drive: HardDisk
    held_count: int | None
    latency_ms: dict[int, float]
    unused: str | None = None


def _disk_writes(
    drive: HardDisk,
    size_bytes: int,
    writes: list[DepthRow],
    reads: QueueFit | None,
    read_ms: float,
) -> _Writes:
    """Fit the writes: settling and the reads' order, or as many as the drive's memory sorts."""
    used = _used(writes)
    if used and used[0].depth_count == 1 and used[0].latency_ms >= _FROM_MEMORY * read_ms:
        settle = min(used[0].latency_ms - read_ms, SIGNED_MS_MAX)
        order, queue = (reads.order, reads.queue_count) if reads else ("fcfs", 1)
        settled = drive.model_copy(update={"write_settle_ms": settle})
        known = {
            row.depth_count: row.depth_count * settle
            + latency_ms(drive, size_bytes, depth=row.depth_count, queue=queue, order=order)
            for row in used
        }
        return _Writes(settled, None, {**known, 1: read_ms + settle})
    # More than any memory sorts was taken by it, in a run that did not fill it.
    least_ms = held_latency_ms(drive, size_bytes, depth=1, held=HELD[-1]) / 2
    used = [row for row in used if row.latency_ms >= row.depth_count * least_ms]
    if not used:
        return _Writes(drive, None, {}, _IN_MEMORY)
    held = fit_held(drive, size_bytes, [row[:2] for row in used])
    known = {
        row.depth_count: held_latency_ms(drive, size_bytes, depth=row.depth_count, held=held)
        for row in used
    }
    memory = (drive.buffer or DriveBuffer()).model_copy(
        update={"writes_behind": True, "held_writes_count": held}
    )
    return _Writes(drive.model_copy(update={"buffer": memory}), held, known, _IN_MEMORY)


def _hard_disk(params: CalibrateDriveParams, drive: HardDisk) -> CalibrateDriveResult:
    """Fit the overhead on single reads, seeks when asked to, and order and memory on the others.

    Rotation is the sheet's.
    """
    reads = _of(params.rows, "read")
    single = reads[0]
    if single.depth_count != 1 or mean_ms(single) is None:
        message = "A disk is calibrated on reads at depth 1. Enter that row."
        raise ModelError(message)
    sheet = disk_quantiles_ms(drive, params.size_bytes)
    deep = [row[:2] for row in _used(reads)]
    fitted, ours = with_overhead(drive, single, params.size_bytes)
    notes: tuple[str, ...] = ()
    if params.fit_seeks and single.percentiles:
        wide = stretched(drive, best_stretch(drive, single, params.size_bytes))
        other, others = with_overhead(wide, single, params.size_bytes)
        before, after = (_held_back_error(one, params.size_bytes, deep) for one in (fitted, other))
        if after <= before:
            fitted, ours = other, others
        else:
            notes = (
                "The seeks stay as the sheet has them: stretched ones miss depths that were held "
                f"back by {percent(after)}, in place of {percent(before)}.",
            )
    service = math.fsum(ours) / QUANTILES_COUNT
    queue = fit_queue(fitted, params.size_bytes, deep)
    writes = _of(params.rows, "write")
    written = _disk_writes(fitted, params.size_bytes, writes, queue, service)
    known = {1: service, **(queue.latency_ms if queue else {})}
    depths = (
        *(fit_of(row, known.get(row.depth_count)) for row in reads),
        *(_write_depth(row, written) for row in writes),
    )
    one_ms = written.latency_ms.get(1)
    quickest = min((time / depth for depth, time in written.latency_ms.items()), default=None)
    return _told(
        drive,
        drive=written.drive,
        channels_count=1,
        waits_for_dies=False,
        queue_count=queue.queue_count if queue else None,
        queue_order=queue.order if queue else None,
        held_writes_count=written.held_count,
        read_service_ms=service,
        write_service_ms=one_ms,
        max_read_per_s=max(depth * 1000 / time for depth, time in known.items()),
        max_write_per_s=None if quickest is None else 1000 / quickest,
        depths=depths,
        depth_demerit_fraction=depth_demerit(depths, "read") or 0.0,
        write_depth_demerit_fraction=depth_demerit(depths, "write"),
        demerit_fraction=demerit(single, ours) if single.percentiles else None,
        sheet_demerit_fraction=demerit(single, sheet) if single.percentiles else None,
        notes=notes,
    )


def _held_back_error(drive: HardDisk, size_bytes: int, rows: Sequence[tuple[int, float]]) -> float:
    """How far a disk misses depths that its order was not fitted to: RMS of logarithms.

    Every other depth above 1 is held back, the second first; 0 where there are fewer than two.
    """
    deep = [row for row in rows if row[0] > 1]
    queue = fit_queue(drive, size_bytes, deep[::2])
    held = deep[1::2]
    if queue is None or not held:
        return 0.0
    errors = (
        latency_ms(drive, size_bytes, depth=depth, queue=queue.queue_count, order=queue.order)
        / measured
        for depth, measured in held
    )
    return math.sqrt(math.fsum(math.log(ratio) ** 2 for ratio in errors) / len(held))


def _write_depth(row: DepthRow, written: _Writes) -> DepthFit:
    modelled = written.latency_ms.get(row.depth_count)
    return fit_of(row, modelled, written.unused if modelled is None else None)


def _run(params: CalibrateDriveParams, _context: Context) -> CalibrateDriveResult:
    if params.drive.kind == "hdd":
        return _hard_disk(params, params.drive)
    if not _used(_of(params.rows, "read")):
        raise ModelError(TIMED_OUT)
    return _solid_state(params, params.drive)


# WD Raptor WD740GD by its data sheet, and its single reads as fio measured them.
RAPTOR = {
    "kind": "hdd", "name": "WD Raptor 74 GB", "capacity_gb": 74.0, "speed_rpm": 10_000.0,
    "seek": {"kind": "three_point", "min_ms": 0.6, "avg_ms": 4.5, "max_ms": 10.2},
    "overhead_ms": 0.3, "outer_mb_per_s": 72.0, "inner_mb_per_s": 54.0, "active_w": 8.4,
    "idle_w": 7.9,
}  # fmt: skip


_CHECKS = (
    Check(
        "pm883-rate",
        "Samsung PM883 behind a SATA port: small reads a second at depth 64",
        52_296.0,
        lambda: _run(CalibrateDriveParams(), Context()).max_read_per_s,
        source=_FIO,
        tolerance=500.0,
        unit="1/s",
        params=dict,
        kind="fitted",
        tests="storage.calibration.calibrate_drive.CalibrateDriveParams.rows",
        fitted_to="The rates of this drive at every depth, this one among them.",
        wider="Within a hundredth.",
    ),
)

SPEC = ModelSpec(
    id="storage.calibrate_drive",
    version="3.8.0",
    title="Drive from measurements",
    summary="Fits a drive to measured latencies by queue depth: how many requests it serves at "
    "once and how long one takes, dies that reads wait for, or a disk's overhead, with the demerit "
    "figure.",
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
            "latency",
            "latency at depth q = max(alone, q / ceiling - host), by direction; host = q / rate - "
            "latency, at other depths straight in log q",
            "Little's law; a channel is held for channels / ceiling",
        ),
        Formula(
            "waits",
            "writes answered later in company, at depth q: alone + (q - 1) wait instead of alone",
            "ours; taken where it halves what the first law misses four rows or more by; what is "
            "said is of the loop followed write by write, each after those without an answer",
        ),
        Formula(
            "waking",
            "latency at depth 1 = alone + waking; waking = host's own time at depth 1 - the median "
            "of deeper rows', where the host asks for 80% of its time at the deepest",
            "ours: a processor that slept is as late for the answer as with the next request; "
            "Linux kernel, CPU Idle Time Management",
        ),
        Formula(
            "stalls",
            "where the shallowest row has a mean of two medians or more: alone = its median, "
            "all rows on the ceiling",
            "a buffer that answers at once until it is full, then at flash's rate",
        ),
        Formula(
            "dies",
            "reads of a drive with dies, at depth q: mean of a closed loop of q through one "
            "link, a die drawn for each, and the host, all times constant",
            "a closed queueing network, followed request by request; taken where it halves "
            "what the first law misses the rows by",
        ),
        Formula(
            "demerit",
            "demerit = RMS(measured - modelled percentile) / measured mean",
            "Ruemmler and Wilkes 1994",
        ),
        Formula(
            "disk",
            "disk at depth q: q x (fixed + reach of the order's next); writes behind: "
            "q x (fixed + reach of the next of those held), whatever q",
            "Little's law; Seltzer, Chen and Ousterhout 1990",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "A drive that buffers writes holds a channel for longer than it takes to answer; how deep "
        "its buffer is does not show in mean latencies.",
        "Dies are found from the bend of the reads between alone and ceiling, from three rows on; "
        "a ceiling that falls with depth, or a first row slower than the second, tells none.",
        "A host whose one thread limits the requests hides the drive's ceiling and its bend; what "
        "its waking adds at depth 1 is told by that row and two deeper ones with their rates only.",
        "Rows that take more a second than deeper ones, or longer alone than with company, are not "
        "of the drive in one state: they are told and left out. Half of a file may not show it.",
        "Percentiles above 99 are left out: in them the measuring host shows as much as the drive.",
        "A disk's order is what fits its reads above depth one best: first come, upwards by sector "
        "or by position in a queue of a power of two; simulate it with that order and queue.",
        "A disk whose memory answers writes holds it full: the rate of a run without end.",
    ),
)
