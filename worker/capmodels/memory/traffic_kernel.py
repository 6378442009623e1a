"""Streams of accesses, made chunk by chunk from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.kernel import kernel
from capmodels.memory.states import LINE_BYTES
from capmodels.memory.traffic import (
    BurstTraffic,
    MixTraffic,
    NoTraffic,
    PeriodicTraffic,
    PoissonTraffic,
    TraceTraffic,
    TwoProcessTraffic,
    processes_of,
)
from capmodels.memory.traffic_trace import read_trace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from capmodels.memory.traffic import ProcessKind

    Floats = NDArray[np.float64]
    Ranks = NDArray[np.int16]
    Chunk = tuple[Floats, Ranks]

CHUNK = 1 << 18
# Of the mean gap, so that a cluster leaves room for a pause.
_CLUSTER_GAP_MOST = 0.8


class Stream(NamedTuple):
    """Who runs when, which ranks hold the pages of each, and the accesses, by chunk."""

    switch_ns: Floats
    process: NDArray[np.int64]
    active: NDArray[np.bool_]
    share: Floats
    chunks: Iterator[Chunk]


class Scene(NamedTuple):
    """What all streams need: ranks, interleaving, duration, and the seed's generators."""

    ranks: int
    rank_bytes: int
    spread: bool
    hot_ranks: int
    migrate_fraction: float
    horizon_ns: float
    generators: list[np.random.Generator]


def make_stream(traffic: object, scene: Scene) -> Stream:
    """Return the stream of accesses of a traffic. Times in ns, below the horizon."""
    if isinstance(traffic, MixTraffic):
        return _mix(traffic, scene)
    if isinstance(traffic, TwoProcessTraffic):
        return _two_processes(traffic, scene)
    if isinstance(traffic, NoTraffic):
        return _none(traffic, scene)
    if isinstance(traffic, TraceTraffic):
        return _trace(traffic, scene)
    chunks: Iterator[Chunk]
    if isinstance(traffic, PoissonTraffic):
        chunks = _poisson(traffic, scene)
    elif isinstance(traffic, BurstTraffic):
        chunks = _bursts(traffic, scene)
    else:
        assert isinstance(traffic, PeriodicTraffic)
        chunks = _periodic(traffic, scene)
    active = np.ones((1, scene.ranks), bool)
    return Stream(np.zeros(1), np.zeros(1, np.int64), active, np.ones(1), chunks)


def page_homes(traffic: PoissonTraffic, scene: Scene) -> NDArray[np.int16]:
    """Rank of each page, the most used first; some moved from cold ranks to hot ones.

    Pages are placed at random. The budget is spent on the most used pages found on cold
    ranks, each to a random hot rank (section 4.4, with true counts).
    """
    draw = scene.generators[0]
    homes = draw.integers(0, scene.ranks, traffic.pages_count).astype(np.int16)
    budget = int(scene.migrate_fraction * traffic.pages_count)
    moved = np.flatnonzero(homes >= scene.hot_ranks)[:budget]
    homes[moved] = draw.integers(0, scene.hot_ranks, len(moved))
    return homes


def _poisson(traffic: PoissonTraffic, scene: Scene) -> Iterator[Chunk]:
    homes, draw = page_homes(traffic, scene), scene.generators[1]
    points = [(0.0, 0.0), *((p.accesses_fraction, p.pages_fraction) for p in traffic.skew)]
    shares = np.array([*points, (1.0, 1.0)])
    mean_ns, at_ns = 1e9 / traffic.rate_per_s, 0.0
    while at_ns < scene.horizon_ns:
        left = int((scene.horizon_ns - at_ns) / mean_ns) + 1000
        size = min(CHUNK, left)
        times = at_ns + np.cumsum(draw.exponential(mean_ns, size))
        at_ns = float(times[-1])
        if scene.spread:
            ranks = draw.integers(0, scene.ranks, size).astype(np.int16)
        else:
            place = np.interp(draw.random(size), shares[:, 0], shares[:, 1])
            pages = (place * traffic.pages_count).astype(np.int64)
            ranks = homes[np.minimum(pages, traffic.pages_count - 1)]
        kept = np.searchsorted(times, scene.horizon_ns)
        yield times[:kept], ranks[:kept]


def _bursts(traffic: BurstTraffic, scene: Scene) -> Iterator[Chunk]:
    lines = np.arange(traffic.lines_count, dtype=np.float64)
    ranks = (lines % (scene.ranks if scene.spread else 1)).astype(np.int16)
    period = traffic.period_ms * 1e6
    for burst in range(int(np.ceil(scene.horizon_ns / period))):
        times = burst * period + lines * traffic.gap_ns
        kept = np.searchsorted(times, scene.horizon_ns)
        yield times[:kept], ranks[:kept]


def _periodic(traffic: PeriodicTraffic, scene: Scene) -> Iterator[Chunk]:
    count = int(np.ceil(scene.horizon_ns / traffic.gap_ns - 1e-9))
    for first in range(0, count, CHUNK):
        places = np.arange(first, min(count, first + CHUNK), dtype=np.float64)
        yield places * traffic.gap_ns, np.zeros(len(places), np.int16)


def _two_processes(traffic: TwoProcessTraffic, scene: Scene) -> Stream:
    quantum = traffic.quantum_ms * 1e6
    turns = int(np.ceil(scene.horizon_ns / quantum - 1e-9))

    def chunks() -> Iterator[Chunk]:
        lines = int((quantum - 1e-6) / traffic.gap_ns)
        for turn in range(0, turns, 2):
            for first in range(1, lines + 1, CHUNK):
                places = np.arange(first, min(lines + 1, first + CHUNK), dtype=np.float64)
                times = turn * quantum + places * traffic.gap_ns
                kept = np.searchsorted(times, scene.horizon_ns)
                yield times[:kept], np.zeros(kept, np.int16)

    active = np.zeros((2, scene.ranks), bool)
    active[:, 0] = True
    starts = np.arange(turns, dtype=np.float64) * quantum
    return Stream(starts, np.arange(turns) % 2, active, np.full(2, 0.5), chunks())


def _none(traffic: NoTraffic, scene: Scene) -> Stream:
    quantum = traffic.quantum_ms * 1e6
    turns = int(np.ceil(scene.horizon_ns / quantum - 1e-9))
    starts = np.arange(turns, dtype=np.float64) * quantum
    kinds = len(traffic.active_ranks_count)
    sizes = np.array(traffic.active_ranks_count)
    active = np.arange(scene.ranks)[None, :] < sizes[:, None]
    turn = np.arange(turns) % kinds
    return Stream(starts, turn, active, np.full(kinds, 1 / kinds), iter(()))


def _trace(traffic: TraceTraffic, scene: Scene) -> Stream:
    trace = read_trace(traffic.csv)
    times, process = np.array(trace.at_ns), np.array(trace.process)
    address = np.array(trace.address)
    unit = LINE_BYTES if scene.spread else scene.rank_bytes
    ranks = (address // unit % scene.ranks).astype(np.int16)
    kinds = int(process.max()) + 1
    active = np.zeros((kinds, scene.ranks), bool)
    active[process, ranks] = True
    first = np.flatnonzero(np.diff(process, prepend=-1))
    starts = times[first].copy()
    starts[0] = 0.0
    lengths = np.diff(starts, append=max(scene.horizon_ns, float(times[-1])))
    share = np.bincount(process[first], lengths, kinds) / max(lengths.sum(), 1e-9)
    kept = np.searchsorted(times, scene.horizon_ns)
    return Stream(starts, process[first], active, share, iter([(times[:kept], ranks[:kept])]))


def _schedule(kinds: tuple[ProcessKind, ...], scene: Scene) -> tuple[Floats, NDArray[np.int64]]:
    """Start and process of every turn: processes by weight, each for its quantum."""
    weights = np.array([kind.switches_count for kind in kinds], float)
    quanta = np.array([kind.quantum_ms for kind in kinds]) * 1e6
    chance = weights / weights.sum()
    turns = int(np.ceil(scene.horizon_ns / quanta.min())) + 1
    process = scene.generators[0].choice(len(kinds), turns, p=chance)
    starts = np.concatenate([[0.0], np.cumsum(quanta[process])])
    used = int(np.searchsorted(starts[:-1], scene.horizon_ns))
    return starts[: used + 1], process[:used]


def _mix(traffic: MixTraffic, scene: Scene) -> Stream:
    kinds = processes_of(traffic)
    draw = scene.generators[0]
    members = np.zeros((len(kinds), scene.ranks), np.int64)
    active = np.zeros((len(kinds), scene.ranks), bool)
    sizes = np.array([min(kind.active_ranks_count, scene.ranks) for kind in kinds])
    for place, size in enumerate(sizes):
        members[place, :size] = np.sort(draw.choice(scene.ranks, size, replace=False))
        active[place, members[place, :size]] = True
    if scene.spread:
        active[:] = True
    starts, process = _schedule(kinds, scene)
    ends = np.minimum(starts[1:], scene.horizon_ns)
    rates = np.array([kind.rate_per_s for kind in kinds]) * 1e-9
    lengths = ends - starts[:-1]
    share = np.bincount(process, lengths, len(kinds)) / lengths.sum()
    lines = (traffic.cluster_lines_from_count, traffic.cluster_lines_to_count)
    gaps = np.minimum(traffic.cluster_gap_ns, _CLUSTER_GAP_MOST / np.maximum(rates, 1e-12))
    pauses = sum(lines) / 2 * (1 / np.maximum(rates, 1e-12) - gaps)
    spread = scene.ranks if scene.spread else 0
    plan = MixPlan(
        starts, ends, process, rates, gaps, pauses, members, sizes, np.array(lines), spread
    )
    chunks = _mix_chunks(plan, scene.generators[1])
    return Stream(starts[:-1], process, active, share, chunks)


class MixPlan(NamedTuple):
    """Turns of processes, and how each reads: gaps in a cluster, pauses between them. [ns]"""

    starts: Floats
    ends: Floats
    process: NDArray[np.int64]
    rates: Floats
    gaps: Floats
    pauses: Floats
    members: NDArray[np.int64]
    sizes: NDArray[np.int64]
    lines: NDArray[np.int64]
    spread: int


def _mix_chunks(plan: MixPlan, generator: np.random.Generator) -> Iterator[Chunk]:
    # The turn, its time, lines left of the cluster, the cluster's rank.
    cursor = np.array([0.0, plan.starts[0], 0.0, 0.0])
    while cursor[0] < len(plan.process):
        times, ranks = np.empty(CHUNK), np.empty(CHUNK, np.int16)
        # Three draws a cluster, and a cluster has a line at least.
        draws = generator.random(3 * (CHUNK // int(plan.lines[0]) + 1))
        count = fill_mix(plan, draws, cursor, times, ranks)
        yield times[:count], ranks[:count]


@kernel
def fill_mix(
    plan: MixPlan,
    draws: Floats,
    cursor: Floats,
    times: Floats,
    ranks: Ranks,
) -> int:
    """Fill accesses until a turn's end, the chunk's, or the draws'; return how many."""
    count, used, turn = 0, 0, int(cursor[0])
    lines, spread = plan.lines, plan.spread
    at_ns, left, rank = cursor[1], int(cursor[2]), int(cursor[3])
    while turn < len(plan.process) and count < len(times):
        kind = plan.process[turn]
        if left == 0:
            if used + 3 > len(draws):
                break
            at_ns -= np.log(1.0 - draws[used]) * plan.pauses[kind]
            left = lines[0] + int(draws[used + 1] * (lines[1] - lines[0] + 1))
            rank = plan.members[kind, int(draws[used + 2] * plan.sizes[kind])]
            if spread > 0:
                rank = int(draws[used + 2] * spread)
            used += 3
        at_ns += plan.gaps[kind]
        if at_ns >= plan.ends[turn] or plan.rates[kind] <= 0:
            turn, left = turn + 1, 0
            at_ns = plan.starts[turn]
            continue
        times[count], ranks[count] = at_ns, rank
        if spread > 0:
            rank = (rank + 1) % spread
        count, left = count + 1, left - 1
    cursor[0], cursor[1], cursor[2], cursor[3] = turn, at_ns, left, rank
    return count
