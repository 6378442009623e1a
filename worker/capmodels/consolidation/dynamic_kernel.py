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
from numba import njit

from capmodels.consolidation.dynamic_state import (
    ASKED,
    GIVEN,
    HISTORY_LENGTH,
    MIGRATION_LOSS,
    MIGRATIONS,
    ON_S,
    SHORT_S,
)
from capmodels.consolidation.overload_kernel import THR, is_overloaded
from capmodels.consolidation.selection_kernel import select

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import Hosts, Machines, Plan, State, Tallies, World

_NOT_FOUND = -1


@njit(cache=True)
def power_at_w(table: NDArray[np.float64], utilization: float) -> float:
    """Power between eleven measured points. [W]

    In the simulator's order of operations: like hosts rise by amounts that differ in the
    last bits only, and those decide between them.
    """
    share = min(utilization, 1.0)
    if share % 0.1 == 0:
        return float(table[int(share * 10)])
    low, high = math.floor(share * 10), math.ceil(share * 10)
    slope = (table[high] - table[low]) / 10
    return float(table[low] + slope * (share - low / 10) * 100)


@njit(cache=True)
def read_requests(state: State, machines: Machines, at_s: float, step_s: float) -> None:
    """Set what every machine asks for at a moment, straight between the trace's points."""
    low = math.floor(at_s / step_s)
    past_s = at_s - low * step_s
    trace = machines.utilization_fraction
    high = min(low + 1, trace.shape[1] - 1)
    for machine in range(trace.shape[0]):
        slope = (trace[machine, high] - trace[machine, low]) / step_s
        share = trace[machine, low] + slope * past_s
        state.request_mips[machine] = share * machines.mips[machine]


@njit(cache=True)
def first_placement(hosts: Hosts, machines: Machines, state: State, power_aware: bool) -> int:
    """Place every machine by the most it may ask and its memory.

    Power-aware: where power rises least; otherwise the first host that has room. No load
    is measured yet, so no threshold can refuse. Return how many machines found a place
    before one did not.
    """
    asked = np.zeros(len(hosts.total_mips))
    memory = np.zeros(len(hosts.total_mips))
    for machine in range(len(machines.mips)):
        mips, ram = machines.mips[machine], machines.ram_mb[machine]
        best, best_rise = _NOT_FOUND, np.inf
        for host in range(len(asked)):
            fits = hosts.core_mips[host] >= mips and hosts.total_mips[host] - asked[host] >= mips
            if not fits or hosts.ram_mb[host] - memory[host] < ram:
                continue
            if not power_aware:
                best = host
                break
            after = (asked[host] + mips) / hosts.total_mips[host]
            rise = power_at_w(hosts.power_w[host], after) - hosts.power_w[host, 0]
            if rise < best_rise:
                best, best_rise = host, rise
        if best == _NOT_FOUND:
            return machine
        _join(state, best, machine, False)
        state.host[machine] = best
        asked[best] += mips
        memory[best] += ram
    return len(machines.mips)


@njit(cache=True)
def _join(state: State, host: int, machine: int, arriving: bool) -> None:
    place = state.occupancy[host]
    state.members[host, place] = machine
    state.arriving[host, place] = arriving
    state.occupancy[host] = place + 1


@njit(cache=True)
def _leave(state: State, host: int, machine: int) -> None:
    last = state.occupancy[host] - 1
    place = 0
    while state.members[host, place] != machine:
        place += 1
    for later in range(place, last):
        state.members[host, later] = state.members[host, later + 1]
        state.arriving[host, later] = state.arriving[host, later + 1]
    state.occupancy[host] = last


@njit(cache=True)
def _note_machine(tallies: Tallies, machine: int, at_s: float) -> None:
    before = tallies.machine_at_s[machine]
    if before >= 0 and at_s > before:
        span = at_s - before
        asked, given = tallies.machine_asked_mips[machine], tallies.machine_given_mips[machine]
        tallies.totals[ASKED] += asked * span
        tallies.totals[GIVEN] += given * span
        if tallies.machine_moving[machine]:
            tallies.totals[MIGRATION_LOSS] += (asked - given) * span
    tallies.machine_at_s[machine] = at_s


@njit(cache=True)
def _note_host(tallies: Tallies, host: int, at_s: float, used: float, asked: float) -> None:
    before = tallies.host_at_s[host]
    if before >= 0:
        tallies.totals[ON_S] += at_s - before
        if tallies.host_short[host]:
            tallies.totals[SHORT_S] += at_s - before
    # A host without load is off and no longer counts.
    tallies.host_at_s[host] = at_s if used > 0 else -1.0
    tallies.host_short[host] = used < asked


@njit(cache=True)
def _needed_mips(state: State, host: int, core_mips: float) -> float:
    needed = 0.0
    for place in range(state.occupancy[host]):
        ask = min(state.request_mips[state.members[host, place]], core_mips)
        needed += ask * 0.1 if state.arriving[host, place] else ask
    return needed


@njit(cache=True)
def share_out(hosts: Hosts, state: State, tallies: Tallies, host: int, at_s: float) -> None:
    """Give a host's machines what they ask, or all of it in proportion, and note it."""
    core = hosts.core_mips[host]
    needed = _needed_mips(state, host, core)
    short = needed > hosts.total_mips[host]
    scale = hosts.total_mips[host] / needed if short else 1.0
    used = asked = 0.0
    for place in range(state.occupancy[host]):
        machine = state.members[host, place]
        request = state.request_mips[machine]
        arriving, moving = state.arriving[host, place], state.moving[machine]
        given = min(request, core)
        if arriving:
            given *= 0.1
        given *= scale
        if moving and not arriving:
            given *= 0.9
        if short:
            given = math.floor(given)
        asked += request
        if arriving:
            used += given
            continue
        _note_machine(tallies, machine, at_s)
        tallies.machine_given_mips[machine] = given
        tallies.machine_asked_mips[machine] = request
        tallies.machine_moving[machine] = moving
        used += given / 0.9 if moving else given
    state.used_before_mips[host] = state.used_mips[host]
    state.used_mips[host] = used
    _note_host(tallies, host, at_s, used, asked)


@njit(cache=True)
def advance(hosts: Hosts, state: State, tallies: Tallies, at_s: float, span_s: float) -> float:
    """Bring every host to a moment; return the energy since the last one. [J]"""
    energy = 0.0
    for host in range(len(hosts.total_mips)):
        if state.occupancy[host] == 0 and state.used_mips[host] == 0:
            state.used_before_mips[host] = 0.0
            continue
        share_out(hosts, state, tallies, host, at_s)
        before = state.used_before_mips[host]
        if span_s > 0 and before > 0:
            total = hosts.total_mips[host]
            start = power_at_w(hosts.power_w[host], before / total)
            end = power_at_w(hosts.power_w[host], state.used_mips[host] / total)
            energy += (start + end) / 2 * span_s
    _drop_idle(state)
    return energy


@njit(cache=True)
def _drop_idle(state: State) -> None:
    for host in range(len(state.occupancy)):
        place = 0
        while place < state.occupancy[host]:
            machine = state.members[host, place]
            if state.request_mips[machine] == 0 and not state.moving[machine]:
                _leave(state, host, machine)
                state.host[machine] = _NOT_FOUND
            else:
                place += 1


@njit(cache=True)
def remember(state: State, machines: Machines) -> None:
    """Put the present utilization at the head of every machine's history."""
    for machine in range(len(state.request_mips)):
        for place in range(HISTORY_LENGTH - 1, 0, -1):
            state.history[machine, place] = state.history[machine, place - 1]
        state.history[machine, 0] = state.request_mips[machine] / machines.mips[machine]
        state.history_count[machine] = min(state.history_count[machine] + 1, HISTORY_LENGTH)


@njit(cache=True)
def _recount(world: World, host: int) -> None:
    plan = world.plan
    plan.request_mips[host] = plan.reserved_mips[host] = plan.largest_ram_mb[host] = 0.0
    plan.history[host, :] = 0.0
    for place in range(plan.occupancy[host]):
        _count_in(world, host, plan.members[host, place])


@njit(cache=True)
def _count_in(world: World, host: int, machine: int) -> None:
    hosts, machines, state, plan = world.hosts, world.machines, world.state, world.plan
    request = state.request_mips[machine]
    plan.request_mips[host] += request
    plan.reserved_mips[host] += min(request, hosts.core_mips[host])
    plan.largest_ram_mb[host] = max(plan.largest_ram_mb[host], machines.ram_mb[machine])
    # The load that the host would have had, had its machines always been on it.
    weight = machines.mips[machine] / hosts.total_mips[host]
    for place in range(state.history_count[machine]):
        plan.history[host, place] += state.history[machine, place] * weight


@njit(cache=True)
def _add(world: World, host: int, machine: int) -> None:
    plan = world.plan
    plan.members[host, plan.occupancy[host]] = machine
    plan.occupancy[host] += 1
    _count_in(world, host, machine)


@njit(cache=True)
def _take(world: World, host: int, place: int) -> None:
    plan = world.plan
    plan.occupancy[host] -= 1
    for later in range(place, plan.occupancy[host]):
        plan.members[host, later] = plan.members[host, later + 1]
    _recount(world, host)


@njit(cache=True)
def over_with(world: World, host: int, machine: int) -> bool:
    """Say whether a host, as planned and with one machine more, would be overloaded.

    ``machine`` is negative for the host as it is planned.
    """
    hosts, machines, state, plan = world.hosts, world.machines, world.state, world.plan
    policy, settings = world.policy, world.settings
    asked, largest = plan.request_mips[host], plan.largest_ram_mb[host]
    if machine >= 0:
        asked += state.request_mips[machine]
        largest = max(largest, machines.ram_mb[machine])
    utilization = asked / hosts.total_mips[host]
    if policy[0] == THR:
        return utilization > settings[0]
    history = plan.history[host].copy()
    if machine >= 0:
        weight = machines.mips[machine] / hosts.total_mips[host]
        history += state.history[machine] * weight
    steps = math.ceil(largest / (hosts.network_mb_per_s[host] / 2) / settings[3])
    return is_overloaded(policy[0], utilization, history, settings, steps)


@njit(cache=True)
def best_host(world: World, machine: int, open_hosts: NDArray[np.int64]) -> int:
    """Host whose power rises least by taking a machine, of those it would not overload."""
    hosts, state, plan = world.hosts, world.state, world.plan
    request = state.request_mips[machine]
    best, best_rise = _NOT_FOUND, np.inf
    for host in open_hosts:
        total = hosts.total_mips[host]
        room = max(total - plan.reserved_mips[host], 0.0)
        if hosts.core_mips[host] < request or room < request:
            continue
        after = (plan.reserved_mips[host] + request) / total
        rise = power_at_w(hosts.power_w[host], after) - plan.power_now_w[host]
        if rise >= best_rise:
            continue
        if plan.reserved_mips[host] > 0 and over_with(world, host, machine):
            continue
        best, best_rise = host, rise
    return best


@njit(cache=True)
def _busiest_first(state: State, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    order = np.argsort(-state.request_mips[chosen], kind="mergesort")
    return chosen[order]


@njit(cache=True)
def relieve(world: World, draws: NDArray[np.float64]) -> int:
    """Move machines off overloaded hosts; return how many moves are planned."""
    hosts, machines, state, plan = world.hosts, world.machines, world.state, world.plan
    chosen = np.empty(len(machines.mips), np.int64)
    picked = 0
    for host in range(len(hosts.total_mips)):
        if not plan.over[host]:
            continue
        while plan.occupancy[host] > 0:
            members = plan.members[host, : plan.occupancy[host]].copy()
            place = select(world.policy[1], members, state, machines, draws[picked % len(draws)])
            chosen[picked] = members[place]
            picked += 1
            _take(world, host, place)
            if not over_with(world, host, -1):
                break
    # Hosts that are off may be switched on for these.
    open_hosts = np.flatnonzero(~plan.over)
    moves = 0
    for machine in _busiest_first(state, chosen[:picked]):
        target = best_host(world, machine, open_hosts)
        if target != _NOT_FOUND:
            _add(world, target, machine)
            plan.moved[moves], plan.targets[moves] = machine, target
            moves += 1
    return moves


@njit(cache=True)
def _least_used(world: World) -> int:
    hosts, state, plan = world.hosts, world.state, world.plan
    best, best_share = _NOT_FOUND, 1.0
    for host in range(len(hosts.total_mips)):
        share = state.used_mips[host] / hosts.total_mips[host]
        if not plan.no_source[host] and 0 < share < best_share:
            best, best_share = host, share
    return best


@njit(cache=True)
def drain(world: World, moves: int) -> int:
    """Empty hosts from the least used on, where all machines fit elsewhere."""
    state, plan = world.state, world.plan
    while True:
        source = _least_used(world)
        if source == _NOT_FOUND:
            return moves
        plan.no_source[source] = plan.shut[source] = True
        leaving = _busiest_first(state, plan.members[source, : plan.occupancy[source]].copy())
        open_hosts = np.flatnonzero(~plan.shut)
        start = moves
        for machine in leaving:
            target = best_host(world, machine, open_hosts)
            if target == _NOT_FOUND:
                moves = _undo(world, start, moves)
                break
            _add(world, target, machine)
            plan.moved[moves], plan.targets[moves] = machine, target
            moves += 1
        for move in range(start, moves):
            plan.no_source[plan.targets[move]] = True


@njit(cache=True)
def _undo(world: World, start: int, moves: int) -> int:
    plan = world.plan
    for move in range(start, moves):
        host = plan.targets[move]
        place = 0
        while plan.members[host, place] != plan.moved[move]:
            place += 1
        _take(world, host, place)
    return start


@njit(cache=True)
def plan_moves(world: World, draws: NDArray[np.float64]) -> int:
    """Decide the moves of one step; return how many."""
    hosts, state, plan = world.hosts, world.state, world.plan
    for host in range(len(hosts.total_mips)):
        count = state.occupancy[host]
        plan.occupancy[host] = count
        plan.members[host, :count] = state.members[host, :count]
        _recount(world, host)
        # Power before a move is that of the load last measured, as in the simulator.
        share = state.used_mips[host] / hosts.total_mips[host]
        plan.power_now_w[host] = power_at_w(hosts.power_w[host], share)
        plan.over[host] = count > 0 and over_with(world, host, -1)
    moves = relieve(world, draws)
    for host in range(len(hosts.total_mips)):
        plan.shut[host] = plan.no_source[host] = plan.over[host] or state.used_mips[host] == 0
    return drain(world, moves)


@njit(cache=True)
def start_moves(world: World, moves: int, at_s: float) -> None:
    """Begin to copy: the target sets a tenth aside, the source gives a tenth less."""
    hosts, state, tallies, plan = world.hosts, world.state, world.tallies, world.plan
    touched = np.zeros(len(hosts.total_mips), np.bool_)
    for move in range(moves):
        machine, target = plan.moved[move], plan.targets[move]
        state.moving[machine] = True
        _join(state, target, machine, True)
        touched[target] = touched[state.host[machine]] = True
    for host in range(len(touched)):
        if touched[host]:
            share_out(hosts, state, tallies, host, at_s)
    tallies.totals[MIGRATIONS] += moves


@njit(cache=True)
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
