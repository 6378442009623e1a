"""What a block trace is like: rate, mix, sizes, runs, footprint, gaps, bursts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from capmodels.formats.chunks import Requests

# Gaps by powers of two from a microsecond on.
GAP_BINS = 48
_BLOCK_SECTORS = 8
_DAY_S = 86_400.0


@dataclass
class Summary:
    """Sums over a trace; ``add`` takes it piece by piece."""

    requests_count: int = 0
    reads_count: int = 0
    bytes_total: int = 0
    sequential_count: int = 0
    first_s: float = math.inf
    last_s: float = -math.inf
    gaps: NDArray[np.int64] = field(default_factory=lambda: np.zeros(GAP_BINS, dtype=np.int64))
    gap_sum_s: float = 0.0
    gap_square_s2: float = 0.0
    gaps_count: int = 0
    backwards_count: int = 0
    sizes: dict[int, int] = field(default_factory=dict)
    per_second: dict[int, int] = field(default_factory=dict)
    per_day_blocks: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    devices: set[int] = field(default_factory=set)
    _last_at: float = math.nan
    _ends: dict[int, int] = field(default_factory=dict)

    def add(self, piece: Requests) -> None:
        """Add a piece of the trace, in order."""
        self.requests_count += len(piece.at_s)
        self.reads_count += int((~piece.write).sum())
        self.bytes_total += int(piece.size_bytes.sum())
        self.first_s = min(self.first_s, float(piece.at_s.min()))
        self.last_s = max(self.last_s, float(piece.at_s.max()))
        self._add_gaps(piece.at_s)
        self._add_runs(piece)
        self._add_footprint(piece)
        sizes, counts = np.unique(piece.size_bytes, return_counts=True)
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
            self.sizes[size] = self.sizes.get(size, 0) + count

    def _add_gaps(self, at_s: NDArray[np.float64]) -> None:
        before = at_s[:1] if math.isnan(self._last_at) else np.array([self._last_at])
        gaps = np.diff(np.concatenate([before, at_s]))
        if math.isnan(self._last_at):
            gaps = gaps[1:]
        self._last_at = float(at_s[-1])
        self.backwards_count += int((gaps < 0).sum())
        gaps = np.maximum(gaps, 0.0)
        self.gap_sum_s += float(gaps.sum())
        self.gap_square_s2 += float((gaps * gaps).sum())
        self.gaps_count += len(gaps)
        places = np.log2(np.maximum(gaps * 1e6, 1.0)).astype(np.int64)
        self.gaps += np.bincount(np.minimum(places, GAP_BINS - 1), minlength=GAP_BINS)
        seconds, counts = np.unique(np.floor(at_s).astype(np.int64), return_counts=True)
        for second, count in zip(seconds.tolist(), counts.tolist(), strict=True):
            self.per_second[second] = self.per_second.get(second, 0) + count

    def _add_runs(self, piece: Requests) -> None:
        for device in np.unique(piece.device).tolist():
            self.devices.add(device)
            mine = piece.device == device
            starts = piece.sector[mine]
            ends = starts + -(-piece.size_bytes[mine] // 512)
            before = np.concatenate([[self._ends.get(device, -1)], ends[:-1]])
            self.sequential_count += int((starts == before).sum())
            self._ends[device] = int(ends[-1])

    def _add_footprint(self, piece: Requests) -> None:
        """Blocks of 4 KiB touched on each day; a long request counts with all of its blocks."""
        first = piece.sector // _BLOCK_SECTORS
        last = (piece.sector + np.maximum(piece.size_bytes // 512, 1) - 1) // _BLOCK_SECTORS
        days = np.floor((piece.at_s - self.first_s) / _DAY_S).astype(np.int64)
        spread = np.minimum(last - first + 1, 4096)
        blocks = np.repeat(first, spread) + _ramp(spread)
        key = blocks + (np.repeat(piece.device.astype(np.int64), spread) << 44)
        owner = np.repeat(days, spread)
        for day in np.unique(days).tolist():
            new = np.unique(key[owner == day])
            old = self.per_day_blocks.get(day)
            self.per_day_blocks[day] = new if old is None else np.union1d(old, new)

    @property
    def duration_s(self) -> float:
        """From the first request to the last. [s]"""
        return max(self.last_s - self.first_s, 0.0)

    @property
    def rate_per_s(self) -> float:
        """Requests per second. [1/s]"""
        return self.requests_count / self.duration_s if self.duration_s else 0.0

    @property
    def read_fraction(self) -> float:
        """Share of requests that read."""
        return self.reads_count / max(self.requests_count, 1)

    @property
    def sequential_fraction(self) -> float:
        """Share of requests that start where the last one of their device ended."""
        return self.sequential_count / max(self.requests_count, 1)

    @property
    def gap_cv_ratio(self) -> float:
        """Coefficient of variation of the gaps: 1 for Poisson arrivals, above for bursts."""
        if self.gaps_count == 0 or self.gap_sum_s == 0:
            return 0.0
        mean = self.gap_sum_s / self.gaps_count
        variance = max(self.gap_square_s2 / self.gaps_count - mean * mean, 0.0)
        return math.sqrt(variance) / mean

    @property
    def peak_to_mean_ratio(self) -> float:
        """Requests of the busiest second over those of a mean second."""
        seconds = max(math.ceil(self.duration_s), 1)
        return max(self.per_second.values()) / (self.requests_count / seconds)

    @property
    def footprint_bytes(self) -> int:
        """Data touched at least once, in blocks of 4 KiB."""
        if not self.per_day_blocks:
            return 0
        blocks = np.unique(np.concatenate(list(self.per_day_blocks.values())))
        return len(blocks) * 4096

    def day_footprints_bytes(self) -> list[int]:
        """Data touched on each day, in order."""
        return [len(self.per_day_blocks[day]) * 4096 for day in sorted(self.per_day_blocks)]

    def size_quantile_bytes(self, fraction: float) -> int:
        """Size that a share of the requests does not exceed."""
        wanted, total = fraction * self.requests_count, 0
        for size in sorted(self.sizes):
            total += self.sizes[size]
            if total >= wanted:
                return size
        return 0


def _ramp(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, ... for each length, one after another."""
    ends = np.cumsum(lengths)
    whole: NDArray[np.int64] = np.arange(int(ends[-1]) if len(ends) else 0)
    whole -= np.repeat(ends - lengths, lengths)
    return whole


def summary_of(pieces: Iterable[Requests]) -> Summary:
    """Sum up a whole trace."""
    found = Summary()
    for piece in pieces:
        found.add(piece)
    return found
