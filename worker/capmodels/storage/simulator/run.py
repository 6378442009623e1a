"""Runs of the array simulator: chunks of requests in, counts and energies out."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from capmodels.rng import streams
from capmodels.storage.drive.service import BYTES_PER_SECTOR, MS_PER_S
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.build import BLOCKS_MAX, array_sectors, build, by_events
from capmodels.storage.simulator.cache_kernel import BLOCK, DIRTY_HEAD
from capmodels.storage.simulator.copies import copied, merged_copies
from capmodels.storage.simulator.copies_slots import TABLE_FULL
from capmodels.storage.simulator.end_kernel import book_end
from capmodels.storage.simulator.fast_kernel import fast_loop
from capmodels.storage.simulator.layout import DECLUSTERED
from capmodels.storage.simulator.loop_kernel import closed_loop, end_run, open_loop
from capmodels.storage.simulator.pending_kernel import REBUILD
from capmodels.storage.simulator.per_year import spares_wake_s
from capmodels.storage.simulator.queue_kernel import end_queues, sorted_closed, sorted_queues
from capmodels.storage.simulator.request_sizes import most_bytes
from capmodels.storage.simulator.short_way import takes_short_way
from capmodels.storage.simulator.spread import streams_count
from capmodels.storage.simulator.timeline_kernel import energies_at
from capmodels.storage.simulator.workload_draw import Draw, random_fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from capmodels.storage.simulator.build import Run
    from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload
    from capmodels.storage.simulator.track_map import TrackMap
    from capmodels.storage.simulator.workload_draw import Chunk

BATCHES_COUNT = 20
WARM_UP_FRACTION = 0.02
_CHUNK_MAX = 1 << 15
# Student's t, 97.5%, 19 degrees of freedom.
T_19 = 2.093


def _silent(_fraction: float, _message: str) -> None:
    pass


@dataclass
class Outcome:
    """What one run, or several runs together, came to. Arrays as in ``machine_dtype``."""

    end_ms: float
    time_ms: NDArray[np.float64]
    energy_mj: NDArray[np.float64]
    count: NDArray[np.int64]
    tally: NDArray[np.int64]
    histogram: NDArray[np.int64]
    response: NDArray[np.float64]
    batches: NDArray[np.float64]  # (batches, 2) requests, sum of responses
    # Of each replicate (pieces, 1 + 6), time and energy by state, cumulated.
    timelines: tuple[NDArray[np.float64], ...]
    taken: int
    bytes_moved: float
    area_ms: float = 0.0
    overflow: bool = False
    means_grow: bool = field(default=False)
    stopped: bool = False
    folded: bool = False
    copies: NDArray[np.int64] | None = None  # per disk, as ``simulator.copies.COLUMNS``
    copies_full: bool = False  # the pool of copies had no entry left
    # (devices, 3) time of operations from arrival to end, of seeks, of waits for the platter
    waits_ms: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    rebuilt_ms: float = 0.0  # until the spare's last piece
    dirty_blocks: int = 0  # left in the cache at the end
    random_fraction: float = 1.0  # of the requests

    def merged(self, other: Outcome) -> Outcome:
        """Return both runs as one: times, energies and counts added."""
        return Outcome(
            end_ms=self.end_ms + other.end_ms,
            time_ms=self.time_ms + other.time_ms,
            energy_mj=self.energy_mj + other.energy_mj,
            count=_merged_counts(self.count, other.count),
            tally=self.tally + other.tally,
            histogram=self.histogram + other.histogram,
            response=_merged_responses(self.response, other.response),
            batches=np.concatenate([self.batches, other.batches]),
            timelines=(*self.timelines, *other.timelines),
            taken=self.taken + other.taken,
            bytes_moved=self.bytes_moved + other.bytes_moved,
            area_ms=self.area_ms + other.area_ms,
            overflow=self.overflow or other.overflow,
            means_grow=self.means_grow or other.means_grow,
            stopped=self.stopped or other.stopped,
            copies=merged_copies(self.copies, other.copies),
            copies_full=self.copies_full or other.copies_full,
            waits_ms=self.waits_ms + other.waits_ms,
            rebuilt_ms=self.rebuilt_ms + other.rebuilt_ms,
            dirty_blocks=self.dirty_blocks + other.dirty_blocks,
            random_fraction=self.random_fraction,
        )


def _merged_counts(one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    total = one + two
    total[:, k.MAX_QUEUE] = np.maximum(one[:, k.MAX_QUEUE], two[:, k.MAX_QUEUE])
    return total


def _merged_responses(one: NDArray[np.float64], two: NDArray[np.float64]) -> NDArray[np.float64]:
    total = one + two
    total[:, k.LARGEST] = np.maximum(one[:, k.LARGEST], two[:, k.LARGEST])
    return total


class Runner:
    """Feeds chunks to the kernels and keeps what the batches and the timeline need."""

    def __init__(
        self, design: ArrayDesign, rng: np.random.Generator, *, users: int, total: int
    ) -> None:
        """``total`` requests are expected; ``users`` 0 means an open system."""
        self.design, self.rng, self.users, self.total = design, rng, users, total
        self.waking_ms = 0.0
        self.sorts = by_events(design)
        self.short = not users and takes_short_way(design)
        self.scratch = np.empty((3, 0))
        self.batches: list[tuple[float, float]] = []
        self.pieces: list[NDArray[np.float64]] = []
        self.taken, self.sectors_moved = 0, 0
        self.clock_ms, self.warm_ms = 0.0, math.inf
        self.warm_count = int(total * WARM_UP_FRACTION)
        self.stopped = False
        self.sectors_asked: int | None = None
        self.random_fraction = 1.0

    def start(self, track_map: TrackMap | None) -> Run:
        """Build the machine and put in what is there from the start."""
        run = build(
            self.design,
            users=self.users,
            track_map=track_map,
            touched_blocks=self._touched_blocks(),
        )
        m = run.record
        m["tally"][k.USERS_READY] = self.users
        m["share"][k.WAKING] = self.waking_ms
        layout = self.design.layout
        if layout.failed_disk_count and layout.rebuild_mb_per_s is not None:
            # Of a declustered array many pieces begin, each where the last one ended.
            spread = layout.kind in DECLUSTERED
            first, many = (-1.0, streams_count(layout)) if spread else (0.0, 1)
            begins = 0.0 if spread else spares_wake_s(self.design) * MS_PER_S
            m["pending"][:many] = (begins, REBUILD, first, m["plan"][k.REBUILD_SECTORS], -1.0)
            m["tally"][k.PENDING] = many
        return run

    def _touched_blocks(self) -> int:
        """Blocks of the cache that all requests together can touch."""
        cache = self.design.cache
        if cache is None or self.sectors_asked is None:
            return BLOCKS_MAX
        return self.sectors_asked * 512 // cache.block_bytes + 2 * self.total

    def feed(self, run: Run, at: NDArray[np.float64], ops: NDArray[np.int64]) -> bool:
        """Run one chunk; False when a queue overflowed and the run has to stop."""
        m = run.record
        if self.users:
            warm = max(self.warm_count - self.taken, 0)
            self.clock_ms = self._feed_closed(run, at, ops, warm)
            done = at.size
        else:
            done = self._feed_open(run, at, ops)
            self.clock_ms = float(at[done - 1])
        self.taken += done
        self.sectors_moved += int(ops[:done, 1].sum())
        if self.warm_ms == math.inf and self.taken >= self.warm_count:
            self.warm_ms = self.clock_ms
        self.batches.append((float(m["batch"][0]), float(m["batch"][1])))
        m["batch"][:] = 0.0
        self._snap(run)
        return not m["tally"][k.OVERFLOW]

    def _feed_closed(
        self, run: Run, at: NDArray[np.float64], ops: NDArray[np.int64], warm: int
    ) -> float:
        if self.sorts:
            return float(sorted_closed(run.machine, run.held, at, ops, warm, self.rng))
        return float(closed_loop(run.machine, run.held, at, ops, warm, self.rng))

    def _feed_open(self, run: Run, at: NDArray[np.float64], ops: NDArray[np.int64]) -> int:
        if self.sorts:
            return int(sorted_queues(run.machine, run.held, at, ops, self.warm_ms, self.rng))
        if self.short:
            return self._feed_short(run, at, ops)
        return int(open_loop(run.machine, run.held, at, ops, self.warm_ms, self.rng))

    def _feed_short(self, run: Run, at: NDArray[np.float64], ops: NDArray[np.int64]) -> int:
        copies = 1 if self.design.layout.kind == "single" else self.design.layout.disks_count
        extra = int(ops[:, 2].sum()) * (copies - 1) if copies > 1 else 0
        draws = self.rng.random(at.size + extra)
        if self.scratch.shape[1] < at.size:
            self.scratch = np.empty((3, at.size))
        return int(fast_loop(run.machine, at, ops, self.warm_ms, draws, self.scratch))

    def _snap(self, run: Run) -> None:
        self.pieces.append(
            np.concatenate([[self.clock_ms], energies_at(run.machine, self.clock_ms)])
        )

    def finish(self, run: Run) -> Outcome:
        """End the run and return its outcome."""
        m = run.record
        if self.sorts:
            end_queues(run.machine, run.held, self.warm_ms, self.rng)
        if self.short:  # it leaves nothing pending
            end = book_end(run.machine, self.clock_ms)
        else:
            end = end_run(run.machine, run.held, self.clock_ms, self.warm_ms, self.rng)
        devices = int(m["plan"][k.DEVICES])
        batches = _batches(np.array(self.batches))
        last = np.concatenate([[end], m["energy_mj"][:devices].sum(axis=0)])
        return Outcome(
            end_ms=float(end),
            time_ms=m["time_ms"][:devices].copy(),
            energy_mj=m["energy_mj"][:devices].copy(),
            count=m["count"][:devices].copy(),
            tally=m["tally"].copy(),
            histogram=m["histogram"].copy(),
            response=m["response"].copy(),
            batches=batches,
            timelines=(np.array([*self.pieces, last]),),
            taken=self.taken,
            bytes_moved=self.sectors_moved * 512.0,
            overflow=bool(m["tally"][k.OVERFLOW]),
            means_grow=_means_grow(batches),
            stopped=self.stopped,
            copies=None if self.design.copies is None else copied(m),
            copies_full=bool(m["copying"][TABLE_FULL]),
            waits_ms=m["now"][:devices, k.QUEUED : k.TURNING + 1].copy(),
            rebuilt_ms=float(m["share"][k.REBUILT_AT]),
            random_fraction=self.random_fraction,
            dirty_blocks=int(run.held.links[DIRTY_HEAD, BLOCK]),
        )


def _batches(pieces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring the chunks' sums together to at most 20 batches of about equal size."""
    pieces = pieces[pieces[:, 0] > 0]
    groups = np.array_split(pieces, min(BATCHES_COUNT, max(len(pieces), 1)))
    return np.array([group.sum(axis=0) for group in groups])


def _means_grow(batches: NDArray[np.float64]) -> bool:
    """Whether the mean response rises from batch to batch through the last half, and much."""
    half = batches[len(batches) // 2 :]
    half = half[half[:, 0] > 0]
    if len(half) < 5:
        return False
    means = half[:, 1] / half[:, 0]
    return bool((np.diff(means) > 0).all() and means[-1] > 1.5 * means[0])


def chunk_size(total: int) -> int:
    """Requests of a chunk: at least three chunks a batch, at most what keeps memory small."""
    return max(1, min(_CHUNK_MAX, total // (3 * BATCHES_COUNT)))


def run_chunks(
    runner: Runner,
    chunks: Iterable[Chunk],
    *,
    track_map: TrackMap | None = None,
    report: Callable[[float, str], None] = _silent,
    stop_ci_fraction: float = 0.0,
) -> Outcome:
    """Run all chunks, or until the mean's interval is narrower than asked for."""
    run = runner.start(track_map)
    for at, ops in chunks:
        if not runner.feed(run, at, ops):
            break
        report(min(runner.taken / runner.total, 1.0), "Simulating requests")
        if stop_ci_fraction > 0 and _narrow(runner, stop_ci_fraction):
            runner.stopped = runner.taken < runner.total
            break
    return runner.finish(run)


def _narrow(runner: Runner, wanted: float) -> bool:
    if len(runner.batches) < 2 * BATCHES_COUNT:
        return False
    mean, half = mean_interval_ms(_batches(np.array(runner.batches)))
    return half is not None and half <= wanted * mean


def mean_interval_ms(batches: NDArray[np.float64]) -> tuple[float, float | None]:
    """Mean response, and half of its 95% interval by batch means. [ms]"""
    total = batches.sum(axis=0)
    mean = float(total[1] / total[0]) if total[0] else 0.0
    if len(batches) < BATCHES_COUNT:
        return mean, None
    means = batches[:, 1] / np.maximum(batches[:, 0], 1)
    return mean, float(T_19 * means.std(ddof=1) / math.sqrt(len(means)))


def run_synthetic(
    design: ArrayDesign,
    work: SyntheticWorkload,
    *,
    seed: int,
    report: Callable[[float, str], None] = _silent,
    stop_ci_fraction: float = 0.0,
) -> Outcome:
    """One replicate of a synthetic workload."""
    rngs = streams(seed, 4)
    closed = work.arrivals if work.arrivals.kind == "closed" else None
    users = closed.users_count if closed else 0
    runner = Runner(design, rngs[2], users=users, total=work.requests_count)
    # With others under way a host stays awake.
    runner.waking_ms = closed.wake_ms if closed and users == 1 else 0.0
    runner.random_fraction = random_fraction(work)
    draw = Draw(work, array_sectors(design), [rngs[0], rngs[1], rngs[3]])
    most = most_bytes(draw.mixes, work.read_fraction, work.requests_count)
    runner.sectors_asked = -(-most // BYTES_PER_SECTOR)
    return run_chunks(
        runner,
        draw.chunks(chunk_size(work.requests_count)),
        report=report,
        stop_ci_fraction=stop_ci_fraction,
    )


def replicate(
    design: ArrayDesign,
    work: SyntheticWorkload,
    *,
    seed: int,
    index: int,
    report: Callable[[float, str], None] = _silent,
    stop_ci_fraction: float = 0.0,
) -> Outcome:
    """Replicate ``index`` of a seed: it depends on these two alone, not on how many there are."""
    child = np.random.SeedSequence(seed, spawn_key=(index,))
    return run_synthetic(
        design,
        work,
        seed=int(child.generate_state(1, dtype=np.uint64)[0]),
        report=report,
        stop_ci_fraction=stop_ci_fraction,
    )
