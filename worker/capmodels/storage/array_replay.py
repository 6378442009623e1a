"""Replay of recorded requests on an array: as recorded, by scaled times, or in a closed loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.rng import streams
from capmodels.storage.array_build import array_sectors
from capmodels.storage.array_run import Runner, chunk_size, run_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from capmodels.storage.array_run import Outcome
    from capmodels.storage.array_terms import ArrayDesign, Replay, TraceWorkload
    from capmodels.storage.track_map import TrackMap
    from capmodels.storage.workload_draw import Chunk


class Requests(NamedTuple):
    """Columns of a trace, all of one length; blocks of 512 bytes."""

    time_s: NDArray[np.float64]
    device: NDArray[np.int32]
    block_lba: NDArray[np.int64]
    size_blocks: NDArray[np.int32]
    is_read: NDArray[np.bool_]


def requests_of(work: TraceWorkload) -> Requests:
    """Return the columns of a trace that stands in the document."""
    n = len(work.starts_ms)
    return Requests(
        np.array(work.starts_ms) * work.time_ratio / 1000,
        np.array(work.devices or (0,) * n, dtype=np.int32),
        np.array(work.sectors, dtype=np.int64),
        np.array(work.sectors_count, dtype=np.int32),
        ~np.array(work.writes, dtype=np.bool_),
    )


def _pieces(count: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, count)) for start in range(0, count, step))


def device_offsets(trace: Requests, terms: Replay, *, step: int = 1 << 18) -> NDArray[np.int64]:
    """First sector in the array of each device of a trace, by its number.

    Side by side a device takes what it is seen to use, from its sector 0 to its last one;
    folded, all of them lie on top of each other.
    """
    devices = int(np.max(trace.device, initial=0)) + 1
    if terms.devices == "folded":
        return np.zeros(devices, dtype=np.int64)
    used = np.zeros(devices, dtype=np.int64)
    for part in _pieces(len(trace.time_s), step):
        ends = trace.block_lba[part] + trace.size_blocks[part]
        np.maximum.at(used, trace.device[part], ends)
    return np.concatenate([[0], np.cumsum(used)[:-1]])


def trace_chunks(trace: Requests, terms: Replay, size: int, step: int) -> Iterator[Chunk]:
    """Yield the requests for an array of ``size`` sectors, ``step`` at a time.

    Times are arrivals in ms, never falling; in a closed loop, the think time after a request.
    """
    count = len(trace.time_s)
    offsets = device_offsets(trace, terms)
    first = float(trace.time_s[0]) if count else 0.0
    ratio = terms.time_ratio if terms.timing == "scaled" else 1.0
    clock = 0.0
    for part in _pieces(count, step):
        sectors = np.maximum(trace.size_blocks[part].astype(np.int64), 1)
        ops = np.empty((len(sectors), 3), dtype=np.int64)
        ops[:, 1] = np.minimum(sectors, size)
        places = trace.block_lba[part] + offsets[trace.device[part]]
        ops[:, 0] = places % np.maximum(size - ops[:, 1] + 1, 1)
        ops[:, 2] = ~trace.is_read[part]
        at = (trace.time_s[part].astype(np.float64) - first) * 1000.0 * ratio
        at = np.maximum.accumulate(np.maximum(at, clock))
        clock = float(at[-1])
        if terms.timing == "closed":
            yield _thinks(trace, terms, part, first), ops
        else:
            yield at, ops


def _thinks(trace: Requests, terms: Replay, part: slice, first: float) -> NDArray[np.float64]:
    """Think time after each request: as given, or the recorded gap to the next one. [ms]"""
    if terms.think_ms is not None:
        return np.full(part.stop - part.start, terms.think_ms)
    times = trace.time_s[part.start : part.stop + 1].astype(np.float64) - first
    gaps = np.maximum(np.diff(times), 0.0) * 1000.0
    if len(gaps) < part.stop - part.start:
        gaps = np.append(gaps, 0.0)
    return gaps


def folds(trace: Requests, terms: Replay, size: int) -> bool:
    """Whether a trace reaches beyond the array, so that places fall on top of others."""
    offsets = device_offsets(trace, terms)
    ends = (
        int((trace.block_lba[part] + offsets[trace.device[part]]).max())
        for part in _pieces(len(trace.time_s), 1 << 18)
    )
    return max(ends, default=0) > size


def run_trace(
    design: ArrayDesign,
    trace: Requests,
    terms: Replay,
    *,
    seed: int,
    report: Callable[[float, str], None] = lambda _fraction, _text: None,
) -> Outcome:
    """Replay of a trace on an array."""
    users = terms.users_count if terms.timing == "closed" else 0
    count = len(trace.time_s)
    runner = Runner(design, streams(seed, 1)[0], users=users, total=count)
    size = array_sectors(design)
    runner.sectors_asked = sum(
        int(trace.size_blocks[part].sum(dtype=np.int64)) for part in _pieces(count, 1 << 18)
    )
    outcome = run_chunks(runner, trace_chunks(trace, terms, size, chunk_size(count)), report=report)
    outcome.folded = folds(trace, terms, size)
    return outcome


def replay(
    design: ArrayDesign,
    at: NDArray[np.float64],
    ops: NDArray[np.int64],
    *,
    seed: int,
    track_map: TrackMap | None = None,
) -> Outcome:
    """Replay of columns in memory: times in ms, and (sector, sectors, write)."""
    runner = Runner(design, streams(seed, 1)[0], users=0, total=at.size)
    step = chunk_size(at.size)
    pieces = ((at[part], ops[part]) for part in _pieces(at.size, step))
    return run_chunks(runner, pieces, track_map=track_map)
