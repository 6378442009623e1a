"""Replay of recorded requests on an array: as recorded, by scaled times, or in a closed loop.

A recording is read twice, once for its extent and once to be replayed, in pieces: what is held at
a time does not grow with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from capmodels.rng import streams
from capmodels.storage.simulator.build import array_sectors
from capmodels.storage.simulator.run import Runner, chunk_size, run_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from capmodels.storage.simulator.params import ArrayDesign, Replay, TraceWorkload
    from capmodels.storage.simulator.run import Outcome
    from capmodels.storage.simulator.track_map import TrackMap
    from capmodels.storage.simulator.workload_draw import Chunk

_PIECE_REQUESTS = 1 << 16


class Requests(NamedTuple):
    """Columns of a trace, all of one length; blocks of 512 bytes."""

    time_s: NDArray[np.float64]
    device: NDArray[np.int32]
    block_lba: NDArray[np.int64]
    size_blocks: NDArray[np.int32]
    is_read: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Recording:
    """Requests in pieces of any length, which can be read again from their start."""

    pieces: Callable[[], Iterator[Requests]]


class Extent(NamedTuple):
    """What a recording comes to. By device: the largest place, and the end of what is used."""

    requests_count: int
    first_s: float
    sectors_asked: int
    largest: NDArray[np.int64]
    used: NDArray[np.int64]


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


def in_memory(trace: Requests) -> Recording:
    """Return columns in memory as a recording."""
    pieces = [rows(trace, part) for part in _slices(len(trace.time_s), _PIECE_REQUESTS)]
    return Recording(lambda: iter(pieces))


def rows(trace: Requests, part: slice) -> Requests:
    """Some requests of a trace, not copied."""
    columns: tuple[Any, ...] = trace
    return Requests(*(column[part] for column in columns))


def _glued(one: Requests, two: Requests) -> Requests:
    columns: tuple[Any, ...] = tuple(zip(one, two, strict=True))
    return Requests(*(np.concatenate(pair) for pair in columns))


def _slices(count: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, count)) for start in range(0, count, step))


def extent_of(recording: Recording) -> Extent:
    """Read a recording once and return its extent."""
    count, first, asked = 0, 0.0, 0
    largest, used = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for piece in recording.pieces():
        if not count and len(piece.time_s):
            first = float(piece.time_s[0])
        more = int(np.max(piece.device, initial=0)) + 1 - len(used)
        if more > 0:
            largest, used = (np.append(x, np.zeros(more, dtype=np.int64)) for x in (largest, used))
        np.maximum.at(largest, piece.device, piece.block_lba)
        np.maximum.at(used, piece.device, piece.block_lba + piece.size_blocks)
        count += len(piece.time_s)
        asked += int(piece.size_blocks.sum(dtype=np.int64))
    return Extent(count, first, asked, largest, used)


def device_offsets(extent: Extent, terms: Replay) -> NDArray[np.int64]:
    """First sector in the array of each device of a trace, by its number.

    Side by side a device takes what it is seen to use, from its sector 0 to its last one;
    folded, all of them lie on top of each other.
    """
    if terms.devices == "folded":
        return np.zeros(len(extent.used), dtype=np.int64)
    return np.concatenate([[0], np.cumsum(extent.used)[:-1]])


def folds(extent: Extent, terms: Replay, size: int) -> bool:
    """Whether a trace reaches beyond the array, so that places fall on top of others."""
    return int((extent.largest + device_offsets(extent, terms)).max()) > size


def even_pieces(pieces: Iterable[Requests], step: int) -> Iterator[Requests]:
    """Yield the same requests in pieces of one length, the last one shorter."""
    left: Requests | None = None
    for piece in pieces:
        whole = piece if left is None else _glued(left, piece)
        count = len(whole.time_s)
        full = count - count % step
        yield from (rows(whole, part) for part in _slices(full, step))
        left = rows(whole, slice(full, count))
    if left is not None and len(left.time_s):
        yield left


def trace_chunks(
    recording: Recording, extent: Extent, terms: Replay, *, size: int, step: int
) -> Iterator[Chunk]:
    """Yield the requests for an array of ``size`` sectors, ``step`` at a time.

    Times are arrivals in ms, never falling; in a closed loop, the think time after a request.
    """
    offsets = device_offsets(extent, terms)
    ratio = terms.time_ratio if terms.timing == "scaled" else 1.0
    clock = 0.0
    end: list[Requests | None] = [None]
    for piece, after in pairwise(chain(even_pieces(recording.pieces(), step), end)):
        if piece is None:
            return
        sectors = np.maximum(piece.size_blocks.astype(np.int64), 1)
        ops = np.empty((len(sectors), 3), dtype=np.int64)
        ops[:, 1] = np.minimum(sectors, size)
        places = piece.block_lba + offsets[piece.device]
        ops[:, 0] = places % np.maximum(size - ops[:, 1] + 1, 1)
        ops[:, 2] = ~piece.is_read
        if terms.timing == "closed":
            yield _thinks_ms(piece, after, terms), ops
            continue
        at = (piece.time_s.astype(np.float64) - extent.first_s) * 1000.0 * ratio
        at = np.maximum.accumulate(np.maximum(at, clock))
        clock = float(at[-1])
        yield at, ops


def _thinks_ms(piece: Requests, after: Requests | None, terms: Replay) -> NDArray[np.float64]:
    """Think time after each request: as given, or the recorded gap to the next one."""
    if terms.think_ms is not None:
        return np.full(len(piece.time_s), terms.think_ms)
    last = piece.time_s[-1:] if after is None else after.time_s[:1]
    times = np.concatenate([piece.time_s, last]).astype(np.float64)
    return np.maximum(np.diff(times), 0.0) * 1000.0


def run_trace(
    design: ArrayDesign,
    recording: Recording,
    terms: Replay,
    *,
    seed: int,
    report: Callable[[float, str], None] = lambda _fraction, _text: None,
    stop_ci_fraction: float = 0.0,
) -> Outcome:
    """Replay of a recording on an array; of its first part when the interval is narrow by then."""
    users = terms.users_count if terms.timing == "closed" else 0
    extent = extent_of(recording)
    runner = Runner(design, streams(seed, 1)[0], users=users, total=extent.requests_count)
    size = array_sectors(design)
    runner.sectors_asked = extent.sectors_asked
    step = chunk_size(extent.requests_count)
    chunks = trace_chunks(recording, extent, terms, size=size, step=step)
    outcome = run_chunks(runner, chunks, report=report, stop_ci_fraction=stop_ci_fraction)
    outcome.folded = folds(extent, terms, size)
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
    pieces = ((at[part], ops[part]) for part in _slices(at.size, step))
    return run_chunks(runner, pieces, track_map=track_map)
