"""Which machines move in a step: off overloaded hosts, and off the least used ones.

After Beloglazov and Buyya 2012, sections 5 and 4.4; see ``dynamic_kernel`` for what follows the
authors' simulator. Each function reads the arrays that it needs off the world before its loops:
to hold a tuple of arrays, or to read it in a loop, costs more than the work.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.consolidation.dynamic_kernel import power_at_w
from capmodels.consolidation.dynamic_state import HISTORY_LENGTH
from capmodels.consolidation.overload_kernel import THR, is_overloaded
from capmodels.consolidation.selection_kernel import select
from capmodels.kernel import kernel
from capmodels.ordering_kernel import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import World

_NOT_FOUND = -1


@kernel(error_model="numpy", inline="always")
def _recount(world: World, host: int) -> None:
    members, history = world.plan.members, world.plan.history
    world.plan.request_mips[host] = 0.0
    world.plan.reserved_mips[host] = 0.0
    world.plan.largest_ram_mb[host] = 0.0
    for step in range(HISTORY_LENGTH):
        history[host, step] = 0.0
    for place in range(world.plan.occupancy[host]):
        _count_in(world, host, members[host, place])


@kernel(error_model="numpy", inline="always")
def _count_in(world: World, host: int, machine: int) -> None:
    request = world.state.request_mips[machine]
    largest = world.plan.largest_ram_mb
    world.plan.request_mips[host] += request
    world.plan.reserved_mips[host] += min(request, world.hosts.core_mips[host])
    largest[host] = max(largest[host], world.machines.ram_mb[machine])
    # The load that the host would have had, had its machines always been on it.
    weight = world.machines.mips[machine] / world.hosts.total_mips[host]
    joint, own = world.plan.history, world.state.history
    for place in range(world.state.history_count[machine]):
        joint[host, place] += own[machine, place] * weight


@kernel(error_model="numpy", inline="always")
def _add(world: World, host: int, machine: int) -> None:
    occupancy = world.plan.occupancy
    world.plan.members[host, occupancy[host]] = machine
    world.plan.held_ram_mb[host] += world.machines.ram_mb[machine]
    occupancy[host] += 1
    _count_in(world, host, machine)


@kernel(error_model="numpy", inline="always")
def _take(world: World, host: int, place: int) -> None:
    members, occupancy = world.plan.members, world.plan.occupancy
    occupancy[host] -= 1
    for later in range(place, occupancy[host]):
        members[host, later] = members[host, later + 1]
    _recount(world, host)


@kernel(error_model="numpy", inline="always")
def is_over(world: World, host: int) -> bool:
    """Say whether a host, as planned, is overloaded."""
    policy, settings = world.policy[0], world.settings
    utilization = world.plan.request_mips[host] / world.hosts.total_mips[host]
    if policy == THR:
        return utilization > settings[0]
    history = world.plan.history[host]
    largest, network = world.plan.largest_ram_mb[host], world.hosts.network_mb_per_s[host]
    steps = copy_steps(largest, network, settings[3])
    return is_overloaded(policy, utilization, history, settings, steps)


@kernel(error_model="numpy", inline="always")
def copy_steps(ram_mb: float, network_mb_per_s: float, step_s: float) -> float:
    """Steps that a copy takes over half the network."""
    return float(math.ceil(ram_mb / (network_mb_per_s / 2) / step_s))


@kernel(error_model="numpy", inline="always")
def over_with(world: World, host: int, machine: int) -> bool:
    """Say whether a host with history would be overloaded with one machine more."""
    settings, total = world.settings, world.hosts.total_mips[host]
    asked = world.plan.request_mips[host] + world.state.request_mips[machine]
    weight = world.machines.mips[machine] / total
    joint, own, scratch = world.plan.history, world.state.history, world.plan.scratch
    for place in range(HISTORY_LENGTH):
        scratch[place] = joint[host, place] + own[machine, place] * weight
    largest = max(world.plan.largest_ram_mb[host], world.machines.ram_mb[machine])
    steps = copy_steps(largest, world.hosts.network_mb_per_s[host], settings[3])
    return is_overloaded(world.policy[0], asked / total, scratch, settings, steps)


@kernel(error_model="numpy", inline="always")
def best_host(world: World, machine: int, open_count: int) -> int:
    """Host whose power rises least by taking a machine, of those it would not overload.

    Of the first ``open_count`` of the plan's open hosts, which stand by index.
    """
    cores, totals, tables = world.hosts.core_mips, world.hosts.total_mips, world.hosts.power_w
    open_hosts, reserved_mips = world.plan.open_hosts, world.plan.reserved_mips
    now_w, asked_mips = world.plan.power_now_w, world.plan.request_mips
    request = world.state.request_mips[machine]
    fixed, threshold = world.policy[0] == THR, world.settings[0]
    limited, needs = world.policy[3] == 1, world.machines.ram_mb[machine]
    rams, held = world.hosts.ram_mb, world.plan.held_ram_mb
    best, best_rise = _NOT_FOUND, np.inf
    for place in range(open_count):
        host = open_hosts[place]
        total, reserved = totals[host], reserved_mips[host]
        if cores[host] < request or max(total - reserved, 0.0) < request:
            continue
        if limited and held[host] + needs > rams[host]:
            continue
        rise = power_at_w(tables, host, (reserved + request) / total) - now_w[host]
        if rise >= best_rise:
            continue
        if reserved > 0:
            if fixed and (asked_mips[host] + request) / total > threshold:
                continue
            if not fixed and over_with(world, host, machine):
                continue
        best, best_rise = host, rise
    return best


@kernel(error_model="numpy", inline="always")
def _busiest_first(requests: NDArray[np.float64], chosen: NDArray[np.int64]) -> None:
    """Order machines by what they ask, the first of equals first; most are few."""
    for place in range(1, len(chosen)):
        machine = chosen[place]
        request = requests[machine]
        before = place - 1
        while before >= 0 and requests[chosen[before]] < request:
            chosen[before + 1] = chosen[before]
            before -= 1
        chosen[before + 1] = machine


@kernel(error_model="numpy", inline="always")
def _move_to(world: World, machine: int, target: int, move: int) -> None:
    """Plan a move, and keep what the target was before it."""
    world.plan.moved[move] = machine
    world.plan.targets[move] = target
    kept_mips, kept, joint = world.plan.kept_mips, world.plan.kept_history, world.plan.history
    kept_mips[move, 0] = world.plan.request_mips[target]
    kept_mips[move, 1] = world.plan.reserved_mips[target]
    world.plan.kept_ram_mb[move] = world.plan.largest_ram_mb[target]
    for place in range(HISTORY_LENGTH):
        kept[move, place] = joint[target, place]
    _add(world, target, machine)


@kernel(error_model="numpy", inline="always")
def _undo(world: World, start: int, moves: int) -> int:
    """Take back planned moves, the last first."""
    targets, kept_mips = world.plan.targets, world.plan.kept_mips
    kept, joint = world.plan.kept_history, world.plan.history
    for move in range(moves - 1, start - 1, -1):
        target = targets[move]
        world.plan.occupancy[target] -= 1
        world.plan.held_ram_mb[target] -= world.machines.ram_mb[world.plan.moved[move]]
        world.plan.request_mips[target] = kept_mips[move, 0]
        world.plan.reserved_mips[target] = kept_mips[move, 1]
        world.plan.largest_ram_mb[target] = world.plan.kept_ram_mb[move]
        for place in range(HISTORY_LENGTH):
            joint[target, place] = kept[move, place]
    return start


@kernel(error_model="numpy")
def _select_all(world: World, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Take machines off overloaded hosts, until they are not; return them in that order."""
    over, occupancy, members = world.plan.over, world.plan.occupancy, world.plan.members
    chosen = np.empty(len(world.machines.mips), np.int64)
    picked = 0
    for host in range(len(over)):
        if not over[host]:
            continue
        while occupancy[host] > 0:
            those = members[host, : occupancy[host]].copy()
            draw = draws[picked % len(draws)]
            place = select(world.policy[1], those, world.state, world.machines, draw)
            chosen[picked] = those[place]
            picked += 1
            _take(world, host, place)
            if not is_over(world, host):
                break
    return chosen[:picked]


@kernel(error_model="numpy")
def _open_for_relief(world: World) -> int:
    """Open all hosts that are not overloaded, of those off the first of each kind."""
    occupancy, over, twin = world.plan.occupancy, world.plan.over, world.plan.twin
    open_hosts, off, used = world.plan.open_hosts, world.plan.off, world.state.used_mips
    count = 0
    for host in range(len(over)):
        off[host] = occupancy[host] == 0 and used[host] == 0 and not over[host]
        other = twin[host]
        if over[host] or (off[host] and other >= 0 and off[other]):
            continue
        open_hosts[count] = host
        count += 1
    return count


@kernel(error_model="numpy")
def _open_next(world: World, host: int, count: int) -> int:
    """Open the host that stood behind one that is off no longer, at its place."""
    twin, open_hosts, off = world.plan.twin, world.plan.open_hosts, world.plan.off
    for other in range(host + 1, len(twin)):
        if twin[other] != host:
            continue
        if not off[other]:
            return count
        place = count
        while place > 0 and open_hosts[place - 1] > other:
            open_hosts[place] = open_hosts[place - 1]
            place -= 1
        open_hosts[place] = other
        return count + 1
    return count


@kernel(error_model="numpy")
def relieve(world: World, draws: NDArray[np.float64]) -> int:
    """Move machines off overloaded hosts; return how many moves are planned."""
    chosen, off = _select_all(world, draws), world.plan.off
    _busiest_first(world.state.request_mips, chosen)
    # Hosts that are off may be switched on for these.
    open_count, moves = _open_for_relief(world), 0
    for machine in chosen:
        target = best_host(world, machine, open_count)
        if target == _NOT_FOUND:
            continue
        _move_to(world, machine, target, moves)
        moves += 1
        if off[target]:
            off[target] = False
            open_count = _open_next(world, target, open_count)
    return moves


@kernel(error_model="numpy")
def _least_used_first(world: World) -> NDArray[np.int64]:
    """Hosts on and not full that may be drained, by the share that is used."""
    used, total, no_source = world.state.used_mips, world.hosts.total_mips, world.plan.no_source
    candidates, shares, count = np.empty(len(used), np.int64), np.empty(len(used)), 0
    for host in range(len(used)):
        share = used[host] / total[host]
        if not no_source[host] and 0 < share < 1:
            candidates[count], shares[count] = host, share
            count += 1
    return candidates[in_order(shares[:count])]


@kernel(error_model="numpy", inline="always")
def _close(open_hosts: NDArray[np.int64], host: int, count: int) -> int:
    """Take a host off the open ones, if it is among them."""
    place = 0
    while place < count and open_hosts[place] < host:
        place += 1
    if place == count or open_hosts[place] != host:
        return count
    for later in range(place, count - 1):
        open_hosts[later] = open_hosts[later + 1]
    return count - 1


@kernel(error_model="numpy")
def drain(world: World, moves: int) -> int:
    """Empty hosts from the least used on, where all machines fit elsewhere."""
    no_source, open_hosts, targets = world.plan.no_source, world.plan.open_hosts, world.plan.targets
    members, occupancy = world.plan.members, world.plan.occupancy
    shut, open_count = world.plan.shut, 0
    for host in range(len(shut)):
        if not shut[host]:
            open_hosts[open_count] = host
            open_count += 1
    for source in _least_used_first(world):
        if no_source[source]:
            continue
        no_source[source] = True
        open_count = _close(open_hosts, source, open_count)
        leaving = members[source, : occupancy[source]].copy()
        _busiest_first(world.state.request_mips, leaving)
        start = moves
        for machine in leaving:
            target = best_host(world, machine, open_count)
            if target == _NOT_FOUND:
                moves = _undo(world, start, moves)
                break
            _move_to(world, machine, target, moves)
            moves += 1
        for move in range(start, moves):
            no_source[targets[move]] = True
    return moves


@kernel(error_model="numpy")
def plan_moves(world: World, draws: NDArray[np.float64]) -> int:
    """Decide the moves of one step; return how many."""
    used, totals, tables = world.state.used_mips, world.hosts.total_mips, world.hosts.power_w
    over, now_w = world.plan.over, world.plan.power_now_w
    members, planned = world.state.members, world.plan.members
    held, rams = world.plan.held_ram_mb, world.machines.ram_mb
    for host in range(len(totals)):
        count = world.state.occupancy[host]
        world.plan.occupancy[host] = count
        held[host] = 0.0
        for place in range(count):
            planned[host, place] = members[host, place]
            held[host] += rams[members[host, place]]
        _recount(world, host)
        # Power before a move is that of the load last measured, as in the simulator.
        now_w[host] = power_at_w(tables, host, used[host] / totals[host])
        over[host] = count > 0 and is_over(world, host)
    moves = relieve(world, draws)
    for host in range(len(totals)):
        world.plan.shut[host] = over[host] or used[host] == 0
        world.plan.no_source[host] = world.plan.shut[host]
    return drain(world, moves)
