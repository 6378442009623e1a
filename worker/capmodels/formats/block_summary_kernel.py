"""One pass over block requests: gaps, runs, sizes, rate, and which blocks are touched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.kernel import kernel

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


@kernel(inline="always")
def _mixed(key: int) -> np.uint64:
    """Mix a key so that every bit counts (splitmix64's finalizer)."""
    h = np.uint64(key)
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@kernel(inline="always")
def _is_sampled(h: np.uint64, level: int) -> bool:
    return (h & np.uint64((1 << level) - 1)) == np.uint64(0)


@kernel(inline="always")
def _slot(keys: NDArray[np.int64], key: int, h: np.uint64) -> np.int64:
    """Place of a key in the table, or of the free slot for it."""
    mask = TABLE_SLOTS - 1
    here = np.int64(h >> np.uint64(43)) & mask
    while keys[here] != -1 and keys[here] != key:
        here = (here + 1) & mask
    return here


@kernel
def _halve(keys: NDArray[np.int64], days: NDArray[np.int32], level: int) -> int:
    """Keep every second block: the table never grows, the count stays unbiased.

    Returns how many are kept.
    """
    taken = keys != -1
    old, old_days = keys[taken], days[taken]
    keys[:] = -1
    used = 0
    for place in range(old.size):
        h = _mixed(old[place])
        if _is_sampled(h, level):
            here = _slot(keys, old[place], h)
            keys[here], days[here] = old[place], old_days[place]
            used += 1
    return used


@kernel
def _add_blocks(sums: Sums, piece: Piece) -> None:
    """Note which blocks are touched on which day."""
    # Out of the tuples: taking an array from one in every turn costs more than the turn.
    keys, days, day_blocks, counts = sums.keys, sums.days, sums.day_blocks, sums.counts
    at_s, devices, places, lengths = piece.at_s, piece.device, piece.sector, piece.sectors
    first_s = sums.times[FIRST_S]
    level, used = counts[LEVEL], counts[USED]
    for row in range(at_s.size):
        day = min(int(max(at_s[row] - first_s, 0.0) / DAY_S), DAYS_MAX - 1)
        first = places[row] // _BLOCK_SECTORS
        last = (places[row] + max(lengths[row], 1) - 1) // _BLOCK_SECTORS
        device = devices[row] << 44
        for block in range(first, min(last, first + _SPREAD_MAX - 1) + 1):
            key = block + device
            h = _mixed(key)
            if not _is_sampled(h, level):
                continue
            here = _slot(keys, key, h)
            new = keys[here] == -1
            if not new and days[here] > day:
                continue
            keys[here], days[here] = key, day + 1
            day_blocks[day] += 1 << level
            used += new
            if used > _TABLE_FULL:
                level += 1
                used = _halve(keys, days, level)
    counts[LEVEL], counts[USED] = level, used


@kernel
def _add_gaps(at_s: NDArray[np.float64], sums: Sums, first: int) -> None:
    """Count the gaps before the requests from the ``first``-th on."""
    times, counts, gap_counts, gap_time_s = (
        sums.times,
        sums.counts,
        sums.gap_counts,
        sums.gap_time_s,
    )
    last_s = times[LAST_S]
    for row in range(first, at_s.size):
        gap = at_s[row] - last_s
        last_s = at_s[row]
        if gap < 0.0:
            counts[BACKWARDS] += 1
            gap = 0.0
        times[GAP_SUM_S] += gap
        times[GAP_SQUARE_S2] += gap * gap
        place = 0
        if gap > 1e-6:
            place = min(int(math.log2(gap * 1e6) * GAP_BINS_PER_OCTAVE) + 1, GAP_BINS - 1)
        gap_counts[place] += 1
        gap_time_s[place] += gap
        times[LATEST_S] = max(times[LATEST_S], last_s)
    times[LAST_S] = last_s
    counts[GAPS] += at_s.size - first


@kernel
def _double(counts: NDArray[np.int64]) -> None:
    """Join each two bins."""
    half = counts.size // 2
    for here in range(half):
        counts[here] = counts[2 * here] + counts[2 * here + 1]
    counts[half:] = 0


@kernel
def _add_rates(sums: Sums, at_s: NDArray[np.float64], write: NDArray[np.bool_]) -> None:
    """Count requests by bin of time; bins double when there are too few of them."""
    rate, reads = sums.rate, sums.rate_reads
    first_s, width_s = sums.times[FIRST_S], sums.times[RATE_WIDTH_S]
    for row in range(at_s.size):
        since_s = max(at_s[row] - first_s, 0.0)
        while since_s >= width_s * RATE_BINS:
            _double(rate)
            _double(reads)
            width_s *= 2.0
        place = min(int(since_s / width_s), RATE_BINS - 1)
        rate[place] += 1
        reads[place] += not write[row]
    sums.times[RATE_WIDTH_S] = width_s


@kernel
def _add_sizes(sums: Sums, piece: Piece) -> None:
    """Count sizes, data and requests that follow the last one of their device."""
    sizes, ends, counts = sums.sizes, sums.ends, sums.counts
    devices, places, lengths, write = piece.device, piece.sector, piece.sectors, piece.write
    for row in range(places.size):
        sectors = max(lengths[row], 1)
        sizes[min(sectors, SIZE_SECTORS_MAX + 1)] += 1
        counts[WRITE_SECTORS if write[row] else READ_SECTORS] += sectors
        counts[READS] += not write[row]
        counts[SEQUENTIAL] += ends[devices[row]] == places[row]
        ends[devices[row]] = places[row] + sectors


@kernel
def add_requests(sums: Sums, piece: Piece) -> None:
    """Add requests, in order."""
    if not piece.at_s.size:
        return
    first = 0
    if sums.counts[REQUESTS] == 0:
        first = 1
        at_s = piece.at_s[0]
        sums.times[FIRST_S] = sums.times[LAST_S] = sums.times[LATEST_S] = at_s
    sums.counts[REQUESTS] += piece.at_s.size
    _add_gaps(piece.at_s, sums, first)
    _add_rates(sums, piece.at_s, piece.write)
    _add_sizes(sums, piece)
    _add_blocks(sums, piece)


def warm() -> None:
    """Compile before the first file waits for it."""
    one = np.zeros(1, dtype=np.int64)
    add_requests(empty_sums(1), Piece(np.zeros(1), one, one, one + 8, one > 0))
