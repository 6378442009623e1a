"""Fits a disk whose own memory answers: reads that it has read ahead, writes before the platter.

Classes of requests of which most take less than seek, turn and transfer alone speak of a memory:
of the rate of its bus and of an overhead, by their medians. Candidates differ in how far they read
ahead, whether they answer writes early, how many of these then wait in memory to be sorted, and in
their seeks. Each is run by ``storage.array`` over the first half, request by request, and where
requests wait for each other, at their times; the one that does best there is kept.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.rng import streams
from capmodels.storage.calibration.alone import LEAST_OF_A_CLASS, ROUNDED_S
from capmodels.storage.calibration.array_answers import alone_in, ops_of, within
from capmodels.storage.calibration.mechanics import demerit_fraction
from capmodels.storage.calibration.replay_fit import BOUNDS, has_waits, replayed_in
from capmodels.storage.calibration.trace_params import HELD_COUNTS, USED_MAX
from capmodels.storage.drive.drives import DriveBuffer
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.queue_kernel import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.spec import Context
    from capmodels.storage.calibration.alone import Alone
    from capmodels.storage.drive.drives import HardDisk, ThreePointSeek

    Floats = NDArray[np.float64]

_RUNS = 4  # from other angles
# Read ahead at most, beside what the sheet says. [B]
_AHEAD = (0, 1 << 20, 8 << 20)
_LEAST_SEEK_MS = 0.05
# Of the mean seek, how much shorter all seeks may be; below 0: longer.
_SHARES = tuple(parts / 32 for parts in range(-4, 17))
# What is nearer by less may be so by chance.
_ABOUT = 1.02
_SLOPES_MAX = 1000
_TRYING = "Trying what the drive's memory does"


class MemoryFit(NamedTuple):
    """The drive that does best on the first half, and what it answers of the second. [ms]"""

    drive: HardDisk
    answered: frozenset[tuple[bool, bool]]  # classes (write, sequential) that the memory answers
    fitted_demerit: float
    measured_ms: Floats
    modelled_ms: Floats
    sheet_ms: Floats


def memory_fit(
    sheet: HardDisk,
    plain: HardDisk,
    alone: Alone,
    bare: Floats,
    requests: BlockRequests,
    context: Context,
) -> MemoryFit | None:
    """Fit what a disk's memory does; None where there is none, and no request speaks of one.

    ``plain`` is the drive fitted by seeks, turns and overheads alone, ``bare`` what requests take
    without overheads, at several angles each.
    """
    middle = len(alone.row) // 2
    first, second = alone.part(slice(0, middle)), alone.part(slice(middle, None))
    held = _held(first, bare[:middle])
    found = list(_candidates(sheet, plain, _beyond_ms(first, bare[:middle]), held))
    if sheet.buffer is None and not found:
        return None
    fitted, judged = (_half(part, requests) for part in (first, second))
    runs = itertools.count(1)
    runs_count = 2 + len(found) + len(_SHARES) * (1 + len(HELD_COUNTS))

    def off(drive: HardDisk) -> float:
        context.report(min(next(runs) / runs_count, 1.0), _TRYING)
        return demerit_fraction(fitted.service_ms, fitted.run_ms(drive, context.seed))

    best = _first_near([plain, *found], off)
    if best.buffer is None:
        return None
    answered = _answered(best.buffer, [] if best is plain else held)
    waits = has_waits(requests)

    def off_and_waits(drive: HardDisk) -> float:
        waiting = _waits_ratio(drive, requests, context.seed) if waits else 1.0
        return math.hypot(off(drive), math.log(waiting))

    holding = (near for one in _holding(best) for near in _nearer(one))
    best = min([*holding, sheet], key=off_and_waits)
    if best is sheet:
        if sheet.buffer is None:
            return None
        answered = _answered(sheet.buffer, held)
    modelled, by_sheet = (judged.run_ms(drive, context.seed) for drive in (best, sheet))
    return MemoryFit(best, answered, off(best), judged.service_ms, modelled, by_sheet)


def _first_near(drives: Iterable[HardDisk], off: Callable[[HardDisk], float]) -> HardDisk:
    """The first of several drives that are about as near as the nearest."""
    tried = [(off(drive), drive) for drive in drives]
    least = min(error for error, _ in tried)
    return next(drive for error, drive in tried if error <= least * _ABOUT)


def _waits_ratio(drive: HardDisk, requests: BlockRequests, seed: int) -> float:
    """Mean response of the first half at its times, over the measured one; 1 where that is 0."""
    rows = slice(0, min(len(requests.time_s) // 2, USED_MAX))
    _, measured, ours = replayed_in(drive, requests, rows, seed, BOUNDS)
    return ours / measured if measured > 0 else 1.0


def _answered(buffer: DriveBuffer, held: list[_Held]) -> frozenset[tuple[bool, bool]]:
    """Classes that a memory answers: all writes or none, reads that seemed so if it reads ahead."""
    reads = {(False, one.sequential) for one in held if not one.write and buffer.ahead_bytes}
    return frozenset(reads | ({(True, False), (True, True)} if buffer.writes_behind else set()))


class _Held(NamedTuple):
    """What the memory seems to answer of a class of requests."""

    write: bool
    sequential: bool
    sizes_bytes: Floats
    service_ms: Floats

    @property
    def per_byte_ms(self) -> float:
        """Repeated medians of slopes (Siegel 1982): half may be served by the platter; or 0."""
        from scipy.stats import siegelslopes

        if not np.ptp(self.sizes_bytes):
            return 0.0
        used = slice(0, _SLOPES_MAX)
        return max(float(siegelslopes(self.service_ms[used], self.sizes_bytes[used]).slope), 0.0)


def _held(first: Alone, bare: Floats) -> list[_Held]:
    """Classes of which most take less than the platter does; no other reads than sequential ones.

    Those that take less than by the sheet speak of its seeks.
    """
    found = []
    for write, sequential in ((False, True), (True, False), (True, True)):
        rows = (first.write == write) & (first.sequential == sequential)
        if rows.sum() < LEAST_OF_A_CLASS:
            continue
        service = first.service_ms[rows]
        if np.median(service) < np.median(bare[rows]):
            found.append(_Held(write, sequential, first.size_bytes[rows], service))
    return found


def _candidates(
    sheet: HardDisk, plain: HardDisk, beyond_ms: float | None, held: list[_Held]
) -> Iterator[HardDisk]:
    """Drives with a memory that answers the classes that seem to be answered by one."""
    if not held:
        return
    buffer = sheet.buffer or DriveBuffer()
    rates = [1 / one.per_byte_ms / 1000 for one in held if one.per_byte_ms > 0]
    bus = float(np.median(rates)) if rates else buffer.bus_mb_per_s
    rest = [one.service_ms - one.sizes_bytes / bus / 1000 for one in held]
    overhead = max(float(np.median(np.concatenate(rest))), 0.0)
    base = plain.model_copy(update={"overhead_ms": overhead})
    if beyond_ms is not None and plain.seek.kind == "three_point":
        more = max(beyond_ms - overhead, _LEAST_SEEK_MS - plain.seek.min_ms)
        base = base.model_copy(update={"seek": _later(plain.seek, more)})
    if any(one.write and not one.sequential for one in held):
        # What the platter takes beyond a read for them is not seen.
        base = base.model_copy(update={"write_settle_ms": sheet.write_settle_ms})
    early = sorted({buffer.writes_behind, buffer.writes_behind or any(one.write for one in held)})
    for behind, ahead in itertools.product(early, sorted({buffer.ahead_bytes, *_AHEAD})):
        memory = {
            "bus_mb_per_s": bus,
            "writes_behind": behind,
            "ahead_bytes": ahead,
            "segment_bytes": max(buffer.segment_bytes, 2 * ahead),
        }
        yield base.model_copy(update={"buffer": buffer.model_copy(update=memory)})


def _beyond_ms(first: Alone, bare: Floats) -> float | None:
    """What reads of the platter take beyond seek, turn and transfer; None of too few."""
    rows = ~first.write & ~first.sequential
    if rows.sum() < LEAST_OF_A_CLASS:
        return None
    return float(first.service_ms[rows].mean() - bare[rows].mean())


def _holding(drive: HardDisk) -> Iterator[HardDisk]:
    """The drive, and with other counts of writes held in its memory if it answers them early."""
    yield drive
    buffer = drive.buffer
    if buffer is None or not buffer.writes_behind:
        return
    for count in HELD_COUNTS:
        if count != buffer.held_writes_count:
            memory = buffer.model_copy(update={"held_writes_count": count})
            yield drive.model_copy(update={"buffer": memory})


def _nearer(drive: HardDisk) -> Iterator[HardDisk]:
    """The drive with other seeks: reads that wait for writes behind seem to seek longer."""
    seek = drive.seek
    if seek.kind != "three_point":
        yield drive
        return
    for share in _SHARES:
        less = min(share * seek.avg_ms, seek.min_ms - _LEAST_SEEK_MS)
        yield drive.model_copy(update={"seek": _later(seek, -less)})
        if less < share * seek.avg_ms:
            return


def _later(seek: ThreePointSeek, more_ms: float) -> ThreePointSeek:
    times = {name: getattr(seek, name) + more_ms for name in ("min_ms", "avg_ms", "max_ms")}
    return seek.model_copy(update=times)


class _Half(NamedTuple):
    """Requests of a half, and which of them found the drive idle, as measured."""

    pauses_ms: Floats  # since all before were answered
    ops: NDArray[np.int64]
    rows: NDArray[np.int64]
    service_ms: Floats

    def run_ms(self, drive: HardDisk, seed: int) -> Floats:
        """Responses of those that found the drive idle, as ``storage.array`` has them. [ms]

        Of each of several runs of all requests one by one, with the pauses that were measured: an
        array behind the trace may have served at once what one drive serves in turn.
        """
        # Of one request at a time a queue's order is of no account: one with events is asked.
        design = alone_in(drive, scheduler="look")
        ops = within(self.ops, design)
        runs = []
        for rng in streams(seed, _RUNS):
            run = build(design, users=0)
            runs.append(one_by_one(run.machine, run.held, self.pauses_ms, ops, rng)[self.rows])
        return np.concatenate(runs)


def _half(part: Alone, requests: BlockRequests) -> _Half:
    assert requests.response_s is not None
    start = int(part.row[0])
    kept = part.row - start < USED_MAX
    rows = part.row[kept] - start
    span = slice(start, start + int(rows[-1]) + 1)
    arrived = requests.time_s[span].astype(np.float64) * 1000.0
    done = np.maximum.accumulate(arrived + requests.response_s[span].astype(np.float64) * 1000.0)
    since_ms = np.append(0.0, arrived[1:] - done[:-1])
    pauses = np.where(since_ms > ROUNDED_S * 1000, since_ms, 0.0)
    return _Half(pauses, ops_of(requests, span), rows, part.service_ms[kept])
