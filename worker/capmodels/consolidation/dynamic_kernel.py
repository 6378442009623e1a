"""A day of dynamic consolidation, step by step.

After Beloglazov and Buyya 2012. What the article leaves open follows the authors' public
simulator, whose figures for published traces this reproduces:

* the clock starts at 0.1 s, loads are read from the trace between its points, and the
  first step carries no energy, as no load stood before it;
* machines are placed at first by what they may ask at most, and by memory; later by what
  they ask, and memory no longer counts;
* a machine that asks for nothing at a step is gone for good;
* while a machine is copied, its host gives it 90% and the target sets 10% aside;
* an underloaded host is drained only if all its machines fit elsewhere, and a machine
  that has just been placed there may be moved on at once, which counts twice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.consolidation.dynamic_state import (
    ASKED,
    AT_S,
    GIVEN,
    HISTORY_LENGTH,
    LAST_ASKED,
    LAST_GIVEN,
    MIGRATION_LOSS,
    MIGRATIONS,
    ON_S,
    SHORT_S,
)
from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import Hosts, Machines, Plan, State, Tallies, World

_NOT_FOUND = -1


@kernel(error_model="numpy")
def power_at_w(tables: NDArray[np.float64], host: int, utilization: float) -> float:
    """Power of a host between its eleven measured points. [W]

    In the simulator's order of operations: like hosts rise by amounts that differ in the
    last bits only, and those decide between them.
    """
    share = min(utilization, 1.0)
    tenths = share * 10
    low = int(tenths)
    if tenths == low:
        return float(tables[host, low])
    slope = (tables[host, low + 1] - tables[host, low]) / 10
    return float(tables[host, low] + slope * (share - low / 10) * 100)


@kernel(error_model="numpy")
def read_requests(state: State, machines: Machines, at_s: float, step_s: float) -> None:
    """Set what every machine asks for at a moment, straight between the trace's points.

    After the last point it stays as it is there.
    """
    trace, mips, request = machines.utilization_fraction, machines.mips, state.request_mips
    last = trace.shape[1] - 1
    low = math.floor(at_s / step_s)
    past_s = at_s - low * step_s
    low, high = min(low, last), min(low + 1, last)
    for machine in range(trace.shape[0]):
        slope = (trace[machine, high] - trace[machine, low]) / step_s
        share = trace[machine, low] + slope * past_s
        request[machine] = share * mips[machine]


@kernel(error_model="numpy")
def first_placement(
    hosts: Hosts, machines: Machines, state: State, twin: NDArray[np.int64], power_aware: bool
) -> int:
    """Place every machine by the most it may ask and its memory.

    Power-aware: where power rises least; otherwise the first host that has room. No load
    is measured yet, so no threshold can refuse. An empty host behind an empty one of its
    kind is no better than that. Return how many machines found a place before one did not.
    """
    asked = np.zeros(len(hosts.total_mips))
    memory = np.zeros(len(hosts.total_mips))
    for machine in range(len(machines.mips)):
        mips, ram = machines.mips[machine], machines.ram_mb[machine]
        best, best_rise = _NOT_FOUND, np.inf
        for host in range(len(asked)):
            if state.occupancy[host] == 0 and twin[host] >= 0 and state.occupancy[twin[host]] == 0:
                continue
            fits = hosts.core_mips[host] >= mips and hosts.total_mips[host] - asked[host] >= mips
            if not fits or hosts.ram_mb[host] - memory[host] < ram:
                continue
            if not power_aware:
                best = host
                break
            after = (asked[host] + mips) / hosts.total_mips[host]
            rise = power_at_w(hosts.power_w, host, after) - hosts.power_w[host, 0]
            if rise < best_rise:
                best, best_rise = host, rise
        if best == _NOT_FOUND:
            return machine
        _join(state, best, machine, False)
        state.host[machine] = best
        asked[best] += mips
        memory[best] += ram
    return len(machines.mips)


@kernel(error_model="numpy", inline="always")
def _join(state: State, host: int, machine: int, arriving: bool) -> None:
    place = state.occupancy[host]
    state.members[host, place] = machine
    state.arriving[host, place] = arriving
    state.occupancy[host] = place + 1


@kernel(error_model="numpy")
def _leave(state: State, host: int, machine: int) -> None:
    last = state.occupancy[host] - 1
    place = 0
    while state.members[host, place] != machine:
        place += 1
    for later in range(place, last):
        state.members[host, later] = state.members[host, later + 1]
        state.arriving[host, later] = state.arriving[host, later + 1]
    state.occupancy[host] = last


@kernel(error_model="numpy", inline="always")
def _note_machine(
    totals: NDArray[np.float64],
    last: NDArray[np.float64],
    machine: int,
    moving: bool,
    at_s: float,
) -> None:
    before = last[machine, AT_S]
    if before >= 0 and at_s > before:
        span = at_s - before
        asked, given = last[machine, LAST_ASKED], last[machine, LAST_GIVEN]
        totals[ASKED] += asked * span
        totals[GIVEN] += given * span
        if moving:
            totals[MIGRATION_LOSS] += (asked - given) * span
    last[machine, AT_S] = at_s


@kernel(error_model="numpy", inline="always")
def _note_host(tallies: Tallies, host: int, at_s: float, used: float, asked: float) -> None:
    before = tallies.host_at_s[host]
    if before >= 0:
        tallies.totals[ON_S] += at_s - before
        if tallies.host_short[host]:
            tallies.totals[SHORT_S] += at_s - before
    # A host without load is off and no longer counts.
    tallies.host_at_s[host] = at_s if used > 0 else -1.0
    tallies.host_short[host] = used < asked


@kernel(error_model="numpy")
def share_out(
    hosts: Hosts, state: State, tallies: Tallies, wanted: NDArray[np.bool_], at_s: float
) -> None:
    """Give the machines of the hosts wanted what they ask, or all in proportion, and note it.

    Over all hosts at once, with arrays by their own names: to hand them over for each host,
    or to read them off a tuple in the loop, costs more than the work.
    """
    cores, capacity, occupancy = hosts.core_mips, hosts.total_mips, state.occupancy
    members, arrivals, requests = state.members, state.arriving, state.request_mips
    moves, used_mips, before_mips = state.moving, state.used_mips, state.used_before_mips
    totals, last, was_moving = tallies.totals, tallies.machine_last, tallies.machine_moving
    for host in range(len(capacity)):
        if not wanted[host]:
            continue
        core, count = cores[host], occupancy[host]
        needed = used = asked = 0.0
        for place in range(count):
            ask = min(requests[members[host, place]], core)
            needed += ask * 0.1 if arrivals[host, place] else ask
        short = needed > capacity[host]
        scale = capacity[host] / needed if short else 1.0
        for place in range(count):
            machine = members[host, place]
            request, arriving, moving = requests[machine], arrivals[host, place], moves[machine]
            given = _given(min(request, core), scale, arriving, moving, short)
            asked += request
            if arriving:
                used += given
                continue
            _note_machine(totals, last, machine, was_moving[machine], at_s)
            last[machine, LAST_GIVEN], last[machine, LAST_ASKED] = given, request
            was_moving[machine] = moving
            used += given / 0.9 if moving else given
        before_mips[host], used_mips[host] = used_mips[host], used
        _note_host(tallies, host, at_s, used, asked)


@kernel(error_model="numpy", inline="always")
def _given(ask: float, scale: float, arriving: bool, moving: bool, short: bool) -> float:
    """What a machine gets of what it asks. [MIPS]"""
    given = ask
    if arriving:
        given *= 0.1
    given *= scale
    if moving and not arriving:
        given *= 0.9
    return float(math.floor(given)) if short else given


@kernel(error_model="numpy")
def advance(hosts: Hosts, state: State, tallies: Tallies, at_s: float, span_s: float) -> float:
    """Bring every host to a moment; return the energy since the last one. [J]"""
    used, used_before = state.used_mips, state.used_before_mips
    tables, totals = hosts.power_w, hosts.total_mips
    wanted = (state.occupancy > 0) | (used != 0)
    share_out(hosts, state, tallies, wanted, at_s)
    energy = 0.0
    for host in range(len(totals)):
        before = used_before[host] if wanted[host] else 0.0
        used_before[host] = before
        if span_s > 0 and before > 0:
            start = power_at_w(tables, host, before / totals[host])
            end = power_at_w(tables, host, used[host] / totals[host])
            energy += (start + end) / 2 * span_s
    _drop_idle(state)
    return energy


@kernel(error_model="numpy")
def _drop_idle(state: State) -> None:
    members, occupancy = state.members, state.occupancy
    request, moving = state.request_mips, state.moving
    for host in range(len(occupancy)):
        place = 0
        while place < occupancy[host]:
            machine = members[host, place]
            if request[machine] == 0 and not moving[machine]:
                _leave(state, host, machine)
                state.host[machine] = _NOT_FOUND
            else:
                place += 1


@kernel(error_model="numpy")
def remember(state: State, machines: Machines) -> None:
    """Put the present utilization at the head of every machine's history."""
    history, count, request = state.history, state.history_count, state.request_mips
    mips = machines.mips
    for machine in range(len(request)):
        for place in range(HISTORY_LENGTH - 1, 0, -1):
            history[machine, place] = history[machine, place - 1]
        history[machine, 0] = request[machine] / mips[machine]
        count[machine] = min(count[machine] + 1, HISTORY_LENGTH)


@kernel(error_model="numpy")
def start_moves(world: World, moves: int, at_s: float) -> None:
    """Begin to copy: the target sets a tenth aside, the source gives a tenth less."""
    hosts, state, tallies, plan = world.hosts, world.state, world.tallies, world.plan
    touched = np.zeros(len(hosts.total_mips), np.bool_)
    for move in range(moves):
        machine, target = plan.moved[move], plan.targets[move]
        state.moving[machine] = True
        _join(state, target, machine, True)
        touched[target] = touched[state.host[machine]] = True
    share_out(hosts, state, tallies, touched, at_s)
    tallies.totals[MIGRATIONS] += moves


@kernel(error_model="numpy")
def finish_moves(state: State, plan: Plan, moves: int, ready_s: NDArray[np.float64]) -> None:
    """End the copies that take as long as the first entry of ``ready_s`` says."""
    for move in range(moves):
        if ready_s[move + 1] != ready_s[0]:
            continue
        machine, target = plan.moved[move], plan.targets[move]
        _leave(state, state.host[machine], machine)
        _leave(state, target, machine)
        _join(state, target, machine, False)
        state.host[machine] = target
        state.moving[machine] = False
