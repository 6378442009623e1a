"""Sums over a block trace: rate, mix, sizes, runs, footprint, gaps, bursts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats import block_summary_kernel as kernel
from capmodels.formats.block_summary_kernel import Piece, add_requests, empty_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.chunks import Requests

SECTOR_BYTES, BLOCK_BYTES = 512, 4096
_RESPONSE_BINS_PER_DECADE = 50
_RESPONSE_DECADES = (-7, 3)  # 100 ns to 1,000 s


class BlockSums:
    """Sums over a trace; ``add`` takes it piece by piece, in memory of fixed size.

    The footprint is exact up to 4 GiB of touched blocks of 4 KiB; above, it counts a growing
    sample of them (Wegman's adaptive sampling), with a standard error of about 0.1%.
    """

    def __init__(self) -> None:
        """Start with no request."""
        self._sums = empty_sums(1)
        self._devices: dict[int, int] = {}
        bins = _RESPONSE_BINS_PER_DECADE * (_RESPONSE_DECADES[1] - _RESPONSE_DECADES[0])
        self._responses = np.zeros(bins, dtype=np.int64)
        self._response_sum_s = 0.0

    def add(self, piece: Requests) -> None:
        """Add a piece of the trace, in order."""
        device = self._dense(piece.device)
        sectors = -(-piece.size_bytes // SECTOR_BYTES)
        # Of one layout, else the kernel is compiled anew for each.
        given = (piece.at_s, device, piece.sector, sectors, piece.write)
        columns: list[Any] = [np.ascontiguousarray(column) for column in given]
        add_requests(self._sums, Piece(*columns))
        known = piece.response_s[piece.response_s > 0]
        if len(known):
            low = _RESPONSE_DECADES[0]
            places = ((np.log10(known) - low) * _RESPONSE_BINS_PER_DECADE).astype(np.int64)
            places = np.clip(places, 0, len(self._responses) - 1)
            self._responses += np.bincount(places, minlength=len(self._responses))
            self._response_sum_s += float(known.sum())

    def _dense(self, device: NDArray[np.int32]) -> NDArray[np.int64]:
        """Number devices from 0 in the order in which they appear."""
        if len(device) and (device == device[0]).all():
            place = self._number(int(device[0]))
            return np.full(len(device), place, dtype=np.int64)
        found, inverse = np.unique(device, return_inverse=True)
        numbers = np.array([self._number(number) for number in found.tolist()], dtype=np.int64)
        dense: NDArray[np.int64] = numbers[inverse]
        return dense

    def _number(self, device: int) -> int:
        place = self._devices.setdefault(device, len(self._devices))
        if place >= len(self._sums.ends):
            more = np.full(len(self._sums.ends), -1, dtype=np.int64)
            self._sums = self._sums._replace(ends=np.concatenate([self._sums.ends, more]))
        return place

    def _count(self, place: int) -> int:
        return int(self._sums.counts[place])

    @property
    def requests_count(self) -> int:
        """Requests so far."""
        return self._count(kernel.REQUESTS)

    @property
    def devices_count(self) -> int:
        """Devices that occur."""
        return len(self._devices)

    @property
    def read_bytes(self) -> int:
        """Data read, in whole sectors."""
        return self._count(kernel.READ_SECTORS) * SECTOR_BYTES

    @property
    def write_bytes(self) -> int:
        """Data written, in whole sectors."""
        return self._count(kernel.WRITE_SECTORS) * SECTOR_BYTES

    @property
    def backwards_count(self) -> int:
        """Requests that are earlier than the one before them."""
        return self._count(kernel.BACKWARDS)

    @property
    def duration_s(self) -> float:
        """From the first request to the last. [s]"""
        times = self._sums.times
        return float(times[kernel.LATEST_S] - times[kernel.FIRST_S])

    @property
    def rate_per_s(self) -> float:
        """Requests per second. [1/s]"""
        return self.requests_count / self.duration_s if self.duration_s else 0.0

    @property
    def read_fraction(self) -> float:
        """Share of requests that read."""
        return self._count(kernel.READS) / max(self.requests_count, 1)

    @property
    def sequential_fraction(self) -> float:
        """Share of requests that start where the last one of their device ended."""
        return self._count(kernel.SEQUENTIAL) / max(self.requests_count, 1)

    @property
    def gap_mean_s(self) -> float:
        """Mean time between two requests. [s]"""
        return float(self._sums.times[kernel.GAP_SUM_S]) / max(self._count(kernel.GAPS), 1)

    @property
    def gap_cv_ratio(self) -> float:
        """Coefficient of variation of the gaps: 1 for Poisson arrivals, above for bursts."""
        mean = self.gap_mean_s
        if mean == 0:
            return 0.0
        square = float(self._sums.times[kernel.GAP_SQUARE_S2]) / self._count(kernel.GAPS)
        return math.sqrt(max(square - mean * mean, 0.0)) / mean

    def rates(self, bins_max: int) -> tuple[float, NDArray[np.int64], NDArray[np.int64]]:
        """Return width of a bin [s], requests and reads in each, at most ``bins_max`` bins."""
        width = float(self._sums.times[kernel.RATE_WIDTH_S])
        used = int(self.duration_s / width) + 1
        step = -(-used // bins_max)
        return (
            width * step,
            _summed(self._sums.rate[:used], step),
            _summed(self._sums.rate_reads[:used], step),
        )

    @property
    def second_bins(self) -> tuple[float, NDArray[np.int64]]:
        """Requests in whole bins of a second, or of the shortest bins above it. [s]"""
        width = float(self._sums.times[kernel.RATE_WIDTH_S])
        step = max(round(1.0 / width), 1)
        whole = int(self.duration_s / (width * step)) * step
        return width * step, _summed(self._sums.rate[:whole], step)

    @property
    def peak_to_mean_ratio(self) -> float:
        """Requests of the busiest second (or bin above it) over those of a mean one."""
        _, counts = self.second_bins
        return float(counts.max() / counts.mean()) if len(counts) and counts.any() else 1.0

    @property
    def dispersion_ratio(self) -> float:
        """Variance over mean of the requests per second: 1 for Poisson arrivals."""
        _, counts = self.second_bins
        return float(counts.var() / counts.mean()) if len(counts) and counts.any() else 0.0

    @property
    def footprint_bytes(self) -> int:
        """Data touched at least once, in blocks of 4 KiB."""
        return self._count(kernel.USED) * BLOCK_BYTES << self._count(kernel.LEVEL)

    @property
    def footprint_is_exact(self) -> bool:
        """Whether every block was counted, not a sample of them."""
        return self._count(kernel.LEVEL) == 0

    def day_footprints_bytes(self) -> list[int]:
        """Data touched on each day from the first request on, in order."""
        days = min(int(self.duration_s / kernel.DAY_S) + 1, kernel.DAYS_MAX)
        return [int(blocks) * BLOCK_BYTES for blocks in self._sums.day_blocks[:days]]

    def sizes(self) -> list[tuple[int, int]]:
        """Sizes in bytes that occur, with their counts; all above 4 MiB as one."""
        found = np.flatnonzero(self._sums.sizes)
        return [(int(s) * SECTOR_BYTES, int(self._sums.sizes[s])) for s in found]

    def size_quantile_bytes(self, fraction: float) -> int:
        """Size that a share of the requests does not exceed."""
        total = 0
        for size, count in self.sizes():
            total += count
            if total >= fraction * self.requests_count:
                return size
        return 0

    def gap_bins(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Return the upper edge of each bin of gaps [s], counts, and time in them [s]."""
        octaves = np.arange(kernel.GAP_BINS) / kernel.GAP_BINS_PER_OCTAVE
        return 1e-6 * 2.0**octaves, self._sums.gap_counts, self._sums.gap_time_s

    def gap_quantile_s(self, fraction: float) -> float:
        """Gap that a share of the gaps does not exceed, to a bin of 19%. [s]"""
        edges, counts, _ = self.gap_bins()
        return _quantile(edges, counts, fraction)

    def idle_fraction(self, above_s: float) -> float:
        """Share of all time that lies in gaps longer than this."""
        edges, _, time_s = self.gap_bins()
        return float(time_s[edges > above_s].sum() / max(time_s.sum(), 1e-12))

    def response_bins(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the upper edge of each bin of response times [s] and the counts in them."""
        places = np.arange(1, len(self._responses) + 1) / _RESPONSE_BINS_PER_DECADE
        return 10.0 ** (_RESPONSE_DECADES[0] + places), self._responses

    def response(self) -> dict[str, float] | None:
        """Return mean and percentiles of the response times of the file, None without. [s]"""
        edges, counts = self.response_bins()
        if not counts.any():
            return None
        shares = {"p50_s": 0.5, "p95_s": 0.95, "p99_s": 0.99}
        found = {name: _quantile(edges, counts, share) for name, share in shares.items()}
        return {"mean_s": self._response_sum_s / int(counts.sum()), **found}


def _summed(counts: NDArray[np.int64], step: int) -> NDArray[np.int64]:
    if not len(counts):
        return counts
    found: NDArray[np.int64] = np.add.reduceat(counts, np.arange(0, len(counts), step))
    return found


def _quantile(edges: NDArray[np.float64], counts: NDArray[np.int64], fraction: float) -> float:
    total = counts.sum()
    if not total:
        return 0.0
    return float(edges[np.searchsorted(np.cumsum(counts), fraction * total)])
