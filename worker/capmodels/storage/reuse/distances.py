"""What a trace's requests reuse: daily footprints, and hits by size of a cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests

SECTOR_BYTES = 512
DAY_S = 86_400.0


class Day(NamedTuple):
    """One day of a trace. [GB] ``new_gb`` is None for the first day."""

    footprint_gb: float
    new_gb: float | None
    read_gb: float
    written_gb: float
    written_footprint_gb: float


@dataclass(frozen=True)
class Reuse:
    """Kept accesses of a trace in order, and how far back each block was touched before."""

    sampled_fraction: float
    block_gb: float
    distances: NDArray[np.int64]  # -1: never before
    reads: NDArray[np.bool_]
    requests: NDArray[np.int64]  # the request of each access
    accesses_count: int  # of all blocks, kept or not
    reads_count: int
    days: tuple[Day, ...]
    footprint_gb: float

    def read_hit_fraction(self, cache_gb: float) -> float:
        """Share of read blocks that a least-recently-used cache of a size holds.

        A sample's missing accesses count as hits at no distance (SHARDS-adj): what a sample
        misses are mostly accesses of a few hot blocks.
        """
        if self.reads_count == 0:
            return 0.0
        hits = int((self._hits(cache_gb) & self.reads).sum())
        kept = int(self.reads.sum())
        expected = self.reads_count * self.sampled_fraction
        return min(max((hits + expected - kept) / expected, 0.0), 1.0)

    def missed_requests(self, cache_gb: float) -> NDArray[np.int64]:
        """Numbers of the requests of which a kept read block misses."""
        return np.unique(self.requests[~self._hits(cache_gb) & self.reads])

    def _hits(self, cache_gb: float) -> NDArray[np.bool_]:
        blocks = cache_gb / self.block_gb * self.sampled_fraction
        # A size that was a whole number of blocks stays one.
        return (self.distances >= 0) & (self.distances < round(blocks, 6))


def reuse_of(trace: BlockRequests, *, block_bytes: int, accesses_max_count: int) -> Reuse:
    """Stack distances and daily footprints of a trace's blocks.

    Blocks are sampled by their hash when there are more than ``accesses_max_count`` accesses:
    memory is about 50 bytes for each that is kept.
    """
    from capmodels.storage.reuse import distances_kernel as kernel

    order = np.argsort(trace.time_s, kind="stable")
    times = trace.time_s[order]
    first, last = _blocks(trace, order, block_bytes)
    widths = last - first + 1
    reads = trace.is_read[order]
    total = int(widths.sum())
    wanted = min(1.0, accesses_max_count / total)
    threshold = max(round(wanted * 2**kernel.HASH_BITS), 1)
    kept = kernel.kept_count(first, last, threshold)
    blocks, requests = np.empty(kept, dtype=np.int64), np.empty(kept, dtype=np.int64)
    kernel.kept_accesses(first, last, threshold, blocks, requests)
    names, numbers = np.unique(blocks, return_inverse=True)
    share = threshold / 2**kernel.HASH_BITS
    per_block_gb = block_bytes / 1e9
    day_numbers = (times // DAY_S).astype(np.int64)
    return Reuse(
        sampled_fraction=share,
        block_gb=per_block_gb,
        distances=kernel.stack_distances(numbers.astype(np.int64), names.size),
        reads=reads[requests],
        requests=requests,
        accesses_count=total,
        reads_count=int(widths[reads].sum()),
        days=_days(
            numbers,
            day_numbers[requests],
            reads[requests],
            moved_gb=_moved(day_numbers, trace.size_blocks[order], reads),
            gb_per_block=per_block_gb / share,
        ),
        footprint_gb=names.size * per_block_gb / share,
    )


def _blocks(
    trace: BlockRequests, order: NDArray[np.int64], block_bytes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last cache block of each request; each device has numbers of its own."""
    per_block = block_bytes // SECTOR_BYTES
    starts = trace.block_lba[order].astype(np.int64)
    ends = starts + np.maximum(trace.size_blocks[order].astype(np.int64), 1) - 1
    width = int(ends.max()) // per_block + 1
    base = trace.device[order].astype(np.int64) * width
    return base + starts // per_block, base + ends // per_block


def _moved(
    days: NDArray[np.int64], sizes: NDArray[np.int32], reads: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Data read and written on each day, shape (2, days). [GB]"""
    count = int(days[-1]) + 1
    gb = sizes.astype(np.float64) * (SECTOR_BYTES / 1e9)
    return np.array(
        [
            np.bincount(days, weights=np.where(mask, gb, 0.0), minlength=count)
            for mask in (reads, ~reads)
        ]
    )


def _days(
    blocks: NDArray[np.int64],
    days: NDArray[np.int64],
    reads: NDArray[np.bool_],
    *,
    moved_gb: NDArray[np.float64],
    gb_per_block: float,
) -> tuple[Day, ...]:
    count = moved_gb.shape[1]
    # Pairs of a block and a day, sorted: yesterday's pair of the same block is the one before.
    pairs = np.unique(blocks * (count + 1) + days + 1)
    of_day = pairs % (count + 1) - 1
    fresh = np.ones(pairs.size, dtype=np.bool_)
    fresh[1:] = np.diff(pairs) != 1
    written = np.unique((blocks * (count + 1) + days + 1)[~reads]) % (count + 1) - 1
    footprint, new, wrote = (
        np.bincount(part, minlength=count) * gb_per_block
        for part in (of_day, of_day[fresh], written)
    )
    return tuple(
        Day(
            footprint_gb=float(footprint[day]),
            new_gb=float(new[day]) if day else None,
            read_gb=float(moved_gb[0, day]),
            written_gb=float(moved_gb[1, day]),
            written_footprint_gb=float(wrote[day]),
        )
        for day in range(count)
    )
