"""Requests of a synthetic workload, in chunks: times in ms, and (sector, sectors, write)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.drive.service import BYTES_PER_SECTOR
from capmodels.storage.simulator.request_sizes import mixes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from capmodels.storage.simulator.params import SyntheticWorkload, ZipfAddresses
    from capmodels.storage.simulator.request_sizes import Mix

    Chunk = tuple[NDArray[np.float64], NDArray[np.int64]]
    Floats = NDArray[np.float64]

_SCATTER = 2_654_435_761


def gaps_ms(work: SyntheticWorkload, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Gaps between arrivals, or think times of a closed loop. [ms]"""
    arrivals = work.arrivals
    if arrivals.kind == "pareto":
        least = arrivals.mean_ms * (arrivals.exponent - 1) / arrivals.exponent
        return least * (1.0 - rng.random(n)) ** (-1 / arrivals.exponent)
    if arrivals.kind == "mmpp":
        return np.empty(0)
    if arrivals.kind == "closed" and not arrivals.think_times_vary:
        return np.full(n, arrivals.think_ms)
    mean = arrivals.think_ms if arrivals.kind == "closed" else arrivals.mean_ms
    return rng.standard_exponential(n) * mean


@kernel
def mmpp_times(
    state: NDArray[np.float64], means: NDArray[np.float64], n: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Arrival times of a process with two rates; ``state`` holds time, phase, end of phase. [ms]

    ``means`` holds the mean gap of both phases, then the mean stay in both.
    """
    times = np.empty(n)
    for i in range(n):
        gap = rng.standard_exponential()
        while True:
            phase = int(state[1])
            reach = state[0] + gap * means[phase]
            if reach <= state[2]:
                state[0] = reach
                break
            gap -= (state[2] - state[0]) / means[phase]
            state[0] = state[2]
            state[1] = 1 - phase
            state[2] += rng.standard_exponential() * means[2 + 1 - phase]
        times[i] = state[0]
    return times


def zipf_blocks(terms: ZipfAddresses, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Block numbers by a continuous power law cut off at the number of blocks."""
    count, theta = float(terms.blocks_count), terms.exponent
    u = rng.random(n)
    if abs(theta - 1) < 1e-9:
        rank = count**u
    else:
        rank = ((count ** (1 - theta) - 1) * u + 1) ** (1 / (1 - theta))
    blocks = np.minimum(rank.astype(np.int64), terms.blocks_count) - 1
    if terms.sorted_by_popularity:
        return blocks
    return (np.maximum(blocks, 0) * _SCATTER) % terms.blocks_count


@kernel
def region_places(
    bounds: NDArray[np.float64], state: NDArray[np.int64], n: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Places as shares of the array; ``bounds`` rows: start, end, cumulated weight, stay."""
    places = np.empty(n)
    for i in range(n):
        here = state[0]
        if here < 0 or rng.random() >= bounds[here, 3]:
            pick = rng.random() * bounds[-1, 2]
            here = 0
            while bounds[here, 2] <= pick:
                here += 1
            state[0] = here
        places[i] = bounds[here, 0] + rng.random() * (bounds[here, 1] - bounds[here, 0])
    return places


@kernel
def follow(
    sectors: NDArray[np.int64], goes_on: NDArray[np.bool_], sizes: NDArray[np.int64], end: int
) -> None:
    """Turn random sectors into runs, in place: each goes on where the last one ended."""
    for i in range(1, sectors.size):
        if goes_on[i] and sectors[i - 1] + sizes[i - 1] + sizes[i] <= end:
            sectors[i] = sectors[i - 1] + sizes[i - 1]


def drawn_sizes(mix: Mix, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Sizes of n requests; a single size takes no draws. [sectors]"""
    sizes = np.array(mix.sizes_bytes, dtype=np.int64) // BYTES_PER_SECTOR
    if sizes.size == 1:
        return np.repeat(sizes, n)
    rank = np.searchsorted(np.cumsum(mix.shares), rng.random(n), side="right")
    return sizes[np.minimum(rank, sizes.size - 1)]


def random_fraction(work: SyntheticWorkload) -> float:
    """Share of requests that do not go on where the last one ended."""
    addresses = work.addresses
    return 1 - addresses.continue_fraction if addresses.kind == "sequential" else 1.0


class Draw:
    """Draws the requests of a workload chunk by chunk, each aspect from a stream of its own."""

    def __init__(
        self, work: SyntheticWorkload, sectors_count: int, rngs: list[np.random.Generator]
    ) -> None:
        """``rngs`` serve arrivals, addresses and sizes; ``sectors_count`` is the array's size."""
        self.work = work
        self.sectors_count = sectors_count
        self.arrivals, self.places, self.lengths = rngs
        self.mixes = mixes_of(work.size_bytes, work.sizes, work.write_sizes)
        self.clock_ms = 0.0
        self.mmpp = np.zeros(3)
        self.region = np.array([-1])

    def times(self, n: int) -> NDArray[np.float64]:
        """Arrival times of the next n requests, or think times of a closed loop. [ms]"""
        arrivals = self.work.arrivals
        if arrivals.kind == "mmpp":
            means = np.array(
                [
                    arrivals.quiet_mean_ms,
                    arrivals.busy_mean_ms,
                    arrivals.quiet_stay_ms,
                    arrivals.busy_stay_ms,
                ]
            )
            if self.mmpp[2] == 0:
                self.mmpp[2] = self.arrivals.standard_exponential() * arrivals.quiet_stay_ms
            return mmpp_times(self.mmpp, means, n, self.arrivals)
        gaps = gaps_ms(self.work, n, self.arrivals)
        if arrivals.kind == "closed":
            return gaps
        times: NDArray[np.float64] = np.cumsum(gaps)
        times += self.clock_ms
        self.clock_ms = float(times[-1])
        return times

    def spots(self, n: int) -> Floats:
        """Where the next n requests are asked for: block numbers, or shares of the array."""
        terms = self.work.addresses
        if terms.kind == "zipf":
            return zipf_blocks(terms, n, self.places).astype(np.float64)
        if terms.kind == "regions":
            weights = np.cumsum([region.weight_ratio for region in terms.regions])
            bounds = np.array(
                [
                    [r.start_fraction, r.end_fraction, weight, r.stay_fraction]
                    for r, weight in zip(terms.regions, weights, strict=True)
                ]
            )
            return region_places(bounds, self.region, n, self.places)
        return self.places.random(n)

    def sizes(self, writes: NDArray[np.bool_] | None, n: int) -> NDArray[np.int64]:
        """Sectors of each request; ``writes`` is None when all read."""
        reads, of_writes = self.mixes
        found = drawn_sizes(reads, n, self.lengths)
        if writes is not None and of_writes is not reads:
            found[writes] = drawn_sizes(of_writes, n, self.lengths)[writes]
        return found

    def sectors(self, spots: Floats, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        """First sectors, each aligned to its request's own size.

        Blocks of a popularity are as far apart as the largest request, so that one of any size
        finds its block at the same place.
        """
        cell = self.mixes.largest_bytes // BYTES_PER_SECTOR
        if self.mixes.is_one:
            sizes = np.array(cell)
        terms = self.work.addresses
        if terms.kind == "zipf":
            slots = max(self.sectors_count // cell, 1)
            width = max(slots // terms.blocks_count, 1)
            return spots.astype(np.int64) * width % slots * cell // sizes * sizes
        slots_of_each = np.maximum(self.sectors_count // sizes, 1)
        return (spots * slots_of_each).astype(np.int64) * sizes

    def chunks(self, chunk: int) -> Iterator[Chunk]:
        """Yield all requests, ``chunk`` at a time."""
        left = self.work.requests_count
        terms, share = self.work.addresses, self.work.read_fraction
        while left > 0:
            n = min(left, chunk)
            ops = np.empty((n, 3), dtype=np.int64)
            spots = self.spots(n)
            runs = self.places.random(n) if terms.kind == "sequential" else None
            writes = None if share == 1 else self.places.random(n) >= share
            ops[:, 1] = sizes = self.sizes(writes, n)
            ops[:, 0] = self.sectors(spots, sizes)
            if runs is not None and terms.kind == "sequential":
                goes_on = runs < terms.continue_fraction
                follow(ops[:, 0], goes_on, sizes, self.sectors_count)
            ops[:, 2] = 0 if writes is None else writes
            yield self.times(n), ops
            left -= n
