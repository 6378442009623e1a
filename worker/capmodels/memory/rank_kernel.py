"""The loop over accesses: ranks wake, serve, rest, and are put to sleep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from capmodels.memory.rank_state import (
    ACCESSES,
    DELAYED_POWERDOWN,
    DELAYED_SELF_REFRESH,
    IDLES,
    NEXT_SWITCH,
    NEXT_TICK,
    OUTSIDE,
    POWERDOWN,
    PROCESS,
    SELF_REFRESH,
    STANDBY,
    SWITCH,
    Ranks,
    Rules,
    World,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def advance(ranks: Ranks, rank: int, at_ns: float) -> None:
    """Charge a rank's time up to now: standby while it is busy, then its state."""
    start, busy = ranks.at[rank], ranks.busy[rank]
    if busy > start:
        end = min(at_ns, busy)
        if end > start:
            ranks.residency[rank, STANDBY] += end - start
            start = end
    if at_ns > start:
        ranks.residency[rank, ranks.state[rank]] += at_ns - start
        start = at_ns
    ranks.at[rank] = start


@njit(cache=True)
def leave_sleep(rules: Rules, ranks: Ranks, rank: int, at_ns: float) -> None:
    """End a rank's self-refresh: its module slept since the last of its ranks fell asleep."""
    dimm = rank // rules.per_dimm
    since = 0.0
    for other in range(dimm * rules.per_dimm, (dimm + 1) * rules.per_dimm):
        since = max(since, ranks.asleep_since[other])
    if since < at_ns:
        ranks.dimm_asleep[dimm] += at_ns - since
    ranks.asleep_since[rank] = np.inf


@njit(cache=True)
def fall_asleep(ranks: Ranks, rank: int, at_ns: float) -> None:
    """Begin self-refresh now, or when the rank is no longer busy."""
    if ranks.state[rank] != SELF_REFRESH:
        ranks.state[rank] = SELF_REFRESH
        ranks.asleep_since[rank] = max(at_ns, ranks.busy[rank])


@njit(cache=True)
def access(world: World, rank: int, at_ns: float) -> None:
    """Serve one access; the rank may have to wake first."""
    rules, ranks = world.rules, world.ranks
    advance(ranks, rank, at_ns)
    if at_ns >= ranks.busy[rank]:
        _wake_for(world, rank, at_ns)
    start = max(at_ns, ranks.ready[rank], ranks.bus[rank])
    ranks.bus[rank] = start + rules.issue_ns
    busy = max(ranks.busy[rank], start + rules.rank_busy_ns)
    ranks.busy[rank] = busy
    ranks.state[rank] = ranks.rest[rank]
    ranks.asleep_since[rank] = busy if ranks.rest[rank] == SELF_REFRESH else np.inf
    ranks.response[rank] += start + rules.rank_busy_ns - at_ns
    ranks.counts[rank, ACCESSES] += 1
    ranks.seen[rank] += 1


@njit(cache=True)
def _wake_for(world: World, rank: int, at_ns: float) -> None:
    rules, ranks, counts = world.rules, world.ranks, world.ranks.counts
    counts[rank, IDLES] += 1
    ranks.idle[rank] += at_ns - ranks.busy[rank]
    if ranks.state[rank] == SELF_REFRESH:
        leave_sleep(rules, ranks, rank, at_ns)
        ranks.ready[rank] = at_ns + rules.self_refresh_exit_ns
        counts[rank, DELAYED_SELF_REFRESH] += 1
        if rules.directed:
            counts[rank, OUTSIDE] += 1
    elif ranks.ready[rank] > at_ns:
        # Woken by the system at the switch, not yet there.
        counts[rank, DELAYED_SELF_REFRESH] += 1
    elif ranks.state[rank] == POWERDOWN:
        ranks.ready[rank] = at_ns + rules.powerdown_exit_ns
        counts[rank, DELAYED_POWERDOWN] += 1


@njit(cache=True)
def tick(world: World, at_ns: float) -> None:
    """End a refresh interval: thresholds move, ranks idle for longer go to self-refresh."""
    rules, ranks = world.rules, world.ranks
    step = rules.interval_ns
    for rank in range(len(ranks.at)):
        threshold = ranks.threshold[rank]
        if ranks.seen[rank] > 0:
            threshold = min(rules.threshold_most_ns, threshold + ranks.seen[rank] * step)
        elif threshold < step:
            threshold /= 2
        else:
            threshold -= step
        ranks.threshold[rank] = threshold
        ranks.seen[rank] = 0
        idle = at_ns - ranks.busy[rank]
        if ranks.state[rank] != SELF_REFRESH and idle >= 0 and idle > threshold:
            advance(ranks, rank, at_ns)
            fall_asleep(ranks, rank, at_ns)


@njit(cache=True)
def switch(world: World, at_ns: float, process: int) -> None:
    """Another process runs: its ranks wake (PAVM), or its history returns (HW-SW)."""
    rules, ranks, processes = world.rules, world.ranks, world.processes
    before = world.places[PROCESS]
    for rank in range(len(ranks.at)):
        advance(ranks, rank, at_ns)
        active = processes.active[process, rank]
        if rules.keeps_history:
            if before >= 0:
                processes.threshold[before, rank] = ranks.threshold[rank]
                processes.seen[before, rank] = ranks.seen[rank]
            ranks.threshold[rank] = processes.threshold[process, rank]
            ranks.seen[rank] = processes.seen[process, rank]
        elif active:
            if ranks.state[rank] == SELF_REFRESH:
                leave_sleep(rules, ranks, rank, at_ns)
                ranks.ready[rank] = at_ns + rules.self_refresh_exit_ns
            ranks.state[rank] = ranks.rest[rank] = rules.awake
        else:
            ranks.rest[rank] = SELF_REFRESH
        if not active:
            fall_asleep(ranks, rank, at_ns)
    world.places[PROCESS] = process


@njit(cache=True)
def run_events(world: World, at_ns: float) -> None:
    """Run the ends of intervals and the switches that are due; a switch goes first."""
    clock, places, processes = world.clock, world.places, world.processes
    while min(clock[NEXT_TICK], clock[NEXT_SWITCH]) <= at_ns:
        if clock[NEXT_SWITCH] <= clock[NEXT_TICK]:
            place = places[SWITCH]
            switch(world, clock[NEXT_SWITCH], processes.process[place])
            places[SWITCH] = place + 1
            more = place + 1 < len(processes.switch_ns)
            clock[NEXT_SWITCH] = processes.switch_ns[place + 1] if more else np.inf
        else:
            tick(world, clock[NEXT_TICK])
            clock[NEXT_TICK] += world.rules.interval_ns


@njit(cache=True)
def serve(world: World, times_ns: NDArray[np.float64], ranks: NDArray[np.int16]) -> None:
    """Serve accesses in order of time."""
    clock = world.clock
    for place in range(len(times_ns)):
        at_ns = times_ns[place]
        if clock[NEXT_TICK] <= at_ns or clock[NEXT_SWITCH] <= at_ns:
            run_events(world, at_ns)
        access(world, int(ranks[place]), at_ns)


@njit(cache=True)
def settle(world: World, at_ns: float) -> None:
    """Bring events, times in each state and modules' sleep up to now."""
    run_events(world, at_ns)
    rules, ranks = world.rules, world.ranks
    for rank in range(len(ranks.at)):
        advance(ranks, rank, at_ns)
    for dimm in range(len(ranks.dimm_asleep)):
        first, last = dimm * rules.per_dimm, (dimm + 1) * rules.per_dimm
        since = ranks.asleep_since[first:last].max()
        if since < at_ns:
            ranks.dimm_asleep[dimm] += at_ns - since
            ranks.asleep_since[first:last] = at_ns
