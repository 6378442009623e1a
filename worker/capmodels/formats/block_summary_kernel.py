"""One pass over block requests: gaps, runs, sizes, rate, and which blocks are touched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAP_BINS_PER_OCTAVE = 4
GAP_OCTAVES = 48
GAP_BINS = GAP_BINS_PER_OCTAVE * GAP_OCTAVES
# Sizes are counted by sectors of 512 bytes up to 4 MiB, longer ones together.
SIZE_SECTORS_MAX = 8192
RATE_BINS = 1 << 14
DAYS_MAX = 4096
DAY_S = 86_400.0
TABLE_SLOTS = 1 << 21
_TABLE_FULL = TABLE_SLOTS // 2
_BLOCK_SECTORS = 8
_SPREAD_MAX = 4096

FIRST_S, LAST_S, GAP_SUM_S, GAP_SQUARE_S2, RATE_WIDTH_S, LATEST_S = range(6)
REQUESTS, READS, READ_SECTORS, WRITE_SECTORS, SEQUENTIAL, GAPS, BACKWARDS, LEVEL, USED = range(9)


class Sums(NamedTuple):
    """What a summary keeps, of fixed size however long the trace is."""

    times: NDArray[np.float64]
    counts: NDArray[np.int64]
    gap_counts: NDArray[np.int64]
    gap_time_s: NDArray[np.float64]
    sizes: NDArray[np.int64]
    rate: NDArray[np.int64]
    rate_reads: NDArray[np.int64]
    ends: NDArray[np.int64]
    keys: NDArray[np.int64]
    days: NDArray[np.int32]
    day_blocks: NDArray[np.float64]


class Piece(NamedTuple):
    """Requests with dense device numbers and sizes in sectors."""

    at_s: NDArray[np.float64]
    device: NDArray[np.int64]
    sector: NDArray[np.int64]
    sectors: NDArray[np.int64]
    write: NDArray[np.bool_]


def empty_sums(devices: int) -> Sums:
    """Return the sums of no request. ``rate`` starts with bins of 10 ms."""
    times = np.zeros(6)
    times[RATE_WIDTH_S] = 0.01
    return Sums(
        times,
        np.zeros(9, dtype=np.int64),
        np.zeros(GAP_BINS, dtype=np.int64),
        np.zeros(GAP_BINS),
        np.zeros(SIZE_SECTORS_MAX + 2, dtype=np.int64),
        np.zeros(RATE_BINS, dtype=np.int64),
        np.zeros(RATE_BINS, dtype=np.int64),
        np.full(devices, -1, dtype=np.int64),
        np.full(TABLE_SLOTS, -1, dtype=np.int64),
        np.zeros(TABLE_SLOTS, dtype=np.int32),
        np.zeros(DAYS_MAX),
    )


@njit(cache=True)
def _mixed(key: int) -> np.uint64:
    """Mix a key so that every bit counts (splitmix64's finalizer)."""
    h = np.uint64(key)
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@njit(cache=True)
def _is_sampled(h: np.uint64, level: int) -> bool:
    return (h & np.uint64((1 << level) - 1)) == np.uint64(0)


@njit(cache=True)
def _slot(keys: NDArray[np.int64], key: int, h: np.uint64) -> np.int64:
    """Place of a key in the table, or of the free slot for it."""
    mask = TABLE_SLOTS - 1
    here = np.int64(h >> np.uint64(43)) & mask
    while keys[here] != -1 and keys[here] != key:
        here = (here + 1) & mask
    return here


@njit(cache=True)
def _halve(sums: Sums) -> None:
    """Keep every second block: the table never grows, the count stays unbiased."""
    old = sums.keys[sums.keys != -1]
    old_days = sums.days[sums.keys != -1]
    sums.counts[LEVEL] += 1
    sums.keys[:] = -1
    used = 0
    for place in range(old.size):
        h = _mixed(old[place])
        if _is_sampled(h, sums.counts[LEVEL]):
            here = _slot(sums.keys, old[place], h)
            sums.keys[here], sums.days[here] = old[place], old_days[place]
            used += 1
    sums.counts[USED] = used


@njit(cache=True)
def _touch(sums: Sums, key: int, day: int) -> None:
    """Note that a block is touched on a day."""
    h = _mixed(key)
    if not _is_sampled(h, sums.counts[LEVEL]):
        return
    here = _slot(sums.keys, key, h)
    if sums.keys[here] == -1:
        sums.keys[here] = key
        sums.counts[USED] += 1
    elif sums.days[here] >= day + 1:
        return
    sums.days[here] = day + 1
    sums.day_blocks[min(day, DAYS_MAX - 1)] += 1 << sums.counts[LEVEL]
    if sums.counts[USED] > _TABLE_FULL:
        _halve(sums)


@njit(cache=True)
def _gap(sums: Sums, at_s: float) -> None:
    """Count the gap before a request."""
    gap = at_s - sums.times[LAST_S]
    if gap < 0.0:
        sums.counts[BACKWARDS] += 1
        gap = 0.0
    sums.times[GAP_SUM_S] += gap
    sums.times[GAP_SQUARE_S2] += gap * gap
    place = 0
    if gap > 1e-6:
        place = min(int(math.log2(gap * 1e6) * GAP_BINS_PER_OCTAVE) + 1, GAP_BINS - 1)
    sums.gap_counts[place] += 1
    sums.gap_time_s[place] += gap
    sums.counts[GAPS] += 1


@njit(cache=True)
def _rate(sums: Sums, since_s: float, write: bool) -> None:
    """Count a request in its bin of time; bins double when there are too few of them."""
    place = int(since_s / sums.times[RATE_WIDTH_S])
    while place >= RATE_BINS:
        for counts in (sums.rate, sums.rate_reads):
            for here in range(RATE_BINS // 2):
                counts[here] = counts[2 * here] + counts[2 * here + 1]
            counts[RATE_BINS // 2 :] = 0
        sums.times[RATE_WIDTH_S] *= 2.0
        place = int(since_s / sums.times[RATE_WIDTH_S])
    sums.rate[place] += 1
    if not write:
        sums.rate_reads[place] += 1


@njit(cache=True)
def _place(sums: Sums, piece: Piece, row: int, day: int) -> None:
    """Count a request's size, whether it follows the last one, and its blocks."""
    device, sector = piece.device[row], piece.sector[row]
    sectors = max(piece.sectors[row], 1)
    sums.sizes[min(sectors, SIZE_SECTORS_MAX + 1)] += 1
    sums.counts[WRITE_SECTORS if piece.write[row] else READ_SECTORS] += sectors
    if sums.ends[device] == sector:
        sums.counts[SEQUENTIAL] += 1
    sums.ends[device] = sector + sectors
    first = sector // _BLOCK_SECTORS
    last = min((sector + sectors - 1) // _BLOCK_SECTORS, first + _SPREAD_MAX - 1)
    for block in range(first, last + 1):
        _touch(sums, block + (device << 44), day)


@njit(cache=True)
def add_requests(sums: Sums, piece: Piece) -> None:
    """Add requests, in order."""
    for row in range(piece.at_s.size):
        at_s = piece.at_s[row]
        if sums.counts[REQUESTS] == 0:
            sums.times[FIRST_S] = sums.times[LATEST_S] = at_s
        else:
            _gap(sums, at_s)
        sums.times[LAST_S] = at_s
        sums.times[LATEST_S] = max(sums.times[LATEST_S], at_s)
        since_s = max(at_s - sums.times[FIRST_S], 0.0)
        sums.counts[REQUESTS] += 1
        if not piece.write[row]:
            sums.counts[READS] += 1
        _rate(sums, since_s, piece.write[row])
        _place(sums, piece, row, int(since_s / DAY_S))


def warm() -> None:
    """Compile before the first file waits for it."""
    one = np.zeros(1, dtype=np.int64)
    add_requests(empty_sums(1), Piece(np.zeros(1), one, one, one + 8, one > 0))
