"""The loop over accesses: ranks wake, serve, rest, and are put to sleep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.memory.rank_state import (
    ACCESSES,
    ASLEEP_SINCE,
    AT,
    BUS,
    BUSY,
    DELAYED_POWERDOWN,
    DELAYED_SELF_REFRESH,
    IDLE,
    IDLES,
    NEXT_SWITCH,
    NEXT_TICK,
    OUTSIDE,
    POWERDOWN,
    PROCESS,
    PROMPT,
    READY,
    RESIDENCY,
    RESPONSE,
    REST,
    SEEN,
    SELF_REFRESH,
    STANDBY,
    STATE,
    SWITCH,
    THRESHOLD,
    Ranks,
    Rules,
    World,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@kernel
def advance(times: Floats, wholes: Ints, rank: int, at_ns: float) -> None:
    """Charge a rank's time up to now: standby while it is busy, then its state."""
    start, busy = times[rank, AT], times[rank, BUSY]
    if busy > start:
        end = min(at_ns, busy)
        if end > start:
            times[rank, RESIDENCY + STANDBY] += end - start
            start = end
    if at_ns > start:
        times[rank, RESIDENCY + wholes[rank, STATE]] += at_ns - start
        start = at_ns
    times[rank, AT] = start


@kernel
def leave_sleep(rules: Rules, ranks: Ranks, rank: int, at_ns: float) -> None:
    """End a rank's self-refresh: its module slept since the last of its ranks fell asleep."""
    dimm = rank // rules.per_dimm
    first = dimm * rules.per_dimm
    since = 0.0
    for other in range(first, first + rules.per_dimm):
        since = max(since, ranks.times[other, ASLEEP_SINCE])
    if since < at_ns:
        ranks.dimm_asleep[dimm] += at_ns - since
    ranks.times[rank, ASLEEP_SINCE] = np.inf


@kernel
def fall_asleep(times: Floats, wholes: Ints, at_ns: float) -> None:
    """Begin a rank's self-refresh now, or when it is no longer busy."""
    if wholes[STATE] != SELF_REFRESH:
        wholes[STATE] = SELF_REFRESH
        times[ASLEEP_SINCE] = max(at_ns, times[BUSY])


@kernel
def _leave_for_access(rules: Rules, ranks: Ranks, rank: int, at_ns: float) -> None:
    """An access finds its rank in self-refresh: its module's sleep ends."""
    leave_sleep(rules, ranks, rank, at_ns)
    if rules.directed:
        ranks.wholes[rank, OUTSIDE] += 1


@kernel
def _exit(
    state: int, ready_ns: float, at_ns: float, powerdown_ns: float, asleep_ns: float
) -> tuple[float, int]:
    """When an idle rank is ready, and the column that counts what it waits for."""
    if state == SELF_REFRESH:
        return at_ns + asleep_ns, DELAYED_SELF_REFRESH
    if ready_ns > at_ns:
        # Woken by the system at the switch, not yet there.
        return ready_ns, DELAYED_SELF_REFRESH
    if state == POWERDOWN:
        return at_ns + powerdown_ns, DELAYED_POWERDOWN
    return ready_ns, PROMPT


@kernel
def tick(rules: Rules, ranks: Ranks, at_ns: float) -> None:
    """End a refresh interval: thresholds move, ranks idle for longer go to self-refresh."""
    step = rules.interval_ns
    times, wholes = ranks.times, ranks.wholes
    for rank in range(len(times)):
        threshold = times[rank, THRESHOLD]
        if wholes[rank, SEEN] > 0:
            threshold = min(rules.threshold_most_ns, threshold + wholes[rank, SEEN] * step)
        elif threshold < step:
            threshold /= 2
        else:
            threshold -= step
        times[rank, THRESHOLD] = threshold
        wholes[rank, SEEN] = 0
        idle = at_ns - times[rank, BUSY]
        if wholes[rank, STATE] != SELF_REFRESH and idle >= 0 and idle > threshold:
            advance(times, wholes, rank, at_ns)
            fall_asleep(times[rank], wholes[rank], at_ns)


@kernel
def switch(world: World, at_ns: float, process: int) -> None:
    """Another process runs: its ranks wake (PAVM), or its history returns (HW-SW)."""
    rules, ranks, processes = world.rules, world.ranks, world.processes
    before = world.places[PROCESS]
    for rank in range(len(ranks.times)):
        advance(ranks.times, ranks.wholes, rank, at_ns)
        times, wholes = ranks.times[rank], ranks.wholes[rank]
        active = processes.active[process, rank]
        if rules.keeps_history:
            if before >= 0:
                processes.threshold[before, rank] = times[THRESHOLD]
                processes.seen[before, rank] = wholes[SEEN]
            times[THRESHOLD] = processes.threshold[process, rank]
            wholes[SEEN] = processes.seen[process, rank]
        elif active:
            if wholes[STATE] == SELF_REFRESH:
                leave_sleep(rules, ranks, rank, at_ns)
                times[READY] = at_ns + rules.self_refresh_exit_ns
            wholes[STATE] = wholes[REST] = rules.awake
        else:
            wholes[REST] = SELF_REFRESH
        if not active:
            fall_asleep(times, wholes, at_ns)
    world.places[PROCESS] = process


@kernel
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
            tick(world.rules, world.ranks, clock[NEXT_TICK])
            clock[NEXT_TICK] += world.rules.interval_ns


@kernel
def serve(world: World, times_ns: Floats, ranks: NDArray[np.int16]) -> None:
    """Serve accesses in order of time.

    The work of an access stands here and not in functions: handing arrays to a function
    costs more than the work.
    """
    rules, clock, all_ranks = world.rules, world.clock, world.ranks
    times, wholes = all_ranks.times, all_ranks.wholes
    down_ns, asleep_ns = rules.powerdown_exit_ns, rules.self_refresh_exit_ns
    due = min(clock[NEXT_TICK], clock[NEXT_SWITCH])
    for place in range(len(times_ns)):
        at_ns, rank = times_ns[place], ranks[place]
        if due <= at_ns:
            run_events(world, at_ns)
            due = min(clock[NEXT_TICK], clock[NEXT_SWITCH])
        state, ready = wholes[rank, STATE], times[rank, READY]
        start, busy = times[rank, AT], times[rank, BUSY]
        times[rank, RESIDENCY + STANDBY] += max(0.0, min(at_ns, busy) - start)
        times[rank, RESIDENCY + state] += max(0.0, at_ns - max(start, busy))
        times[rank, AT] = at_ns
        if at_ns >= busy:
            if state == SELF_REFRESH:
                _leave_for_access(rules, all_ranks, rank, at_ns)
            ready, waited_for = _exit(state, ready, at_ns, down_ns, asleep_ns)
            times[rank, READY] = ready
            times[rank, IDLE] += at_ns - busy
            wholes[rank, IDLES] += 1
            wholes[rank, waited_for] += 1
        start = max(at_ns, ready, times[rank, BUS])
        busy = max(busy, start + rules.rank_busy_ns)
        times[rank, BUS], times[rank, BUSY] = start + rules.issue_ns, busy
        times[rank, RESPONSE] += start + rules.rank_busy_ns - at_ns
        wholes[rank, STATE] = rest = wholes[rank, REST]
        times[rank, ASLEEP_SINCE] = busy if rest == SELF_REFRESH else np.inf
        wholes[rank, ACCESSES] += 1
        wholes[rank, SEEN] += 1


@kernel
def settle(world: World, at_ns: float) -> None:
    """Bring events, times in each state and modules' sleep up to now."""
    run_events(world, at_ns)
    rules, ranks = world.rules, world.ranks
    for rank in range(len(ranks.times)):
        advance(ranks.times, ranks.wholes, rank, at_ns)
    for dimm in range(len(ranks.dimm_asleep)):
        first, last = dimm * rules.per_dimm, (dimm + 1) * rules.per_dimm
        since = ranks.times[first:last, ASLEEP_SINCE].max()
        if since < at_ns:
            ranks.dimm_asleep[dimm] += at_ns - since
            ranks.times[first:last, ASLEEP_SINCE] = at_ns
