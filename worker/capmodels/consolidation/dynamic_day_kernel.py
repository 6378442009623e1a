"""The loop over a day's steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.consolidation.dynamic_kernel import (
    advance,
    finish_moves,
    first_placement,
    read_requests,
    remember,
    start_moves,
)
from capmodels.consolidation.dynamic_moves_kernel import plan_moves
from capmodels.consolidation.dynamic_state import (
    COPY_S,
    ENERGY_J,
    SWITCHES,
    World,
    new_plan,
    new_state,
    new_tallies,
)
from capmodels.consolidation.overload_kernel import THR
from capmodels.consolidation.selection_kernel import MC
from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import Hosts, Machines

# The public simulator's shortest time between events: its clock starts there.
START_S = 0.1


@kernel
def run_steps(
    world: World,
    draws: NDArray[np.float64],
    clock: NDArray[np.float64],
    series: NDArray[np.float64],
) -> int:
    """Run a step for each row of ``draws``; return how many were run before the end.

    ``clock`` holds the present step's time, the time of the last accounting and the trace's
    end; it is moved on. ``series`` gets a row a step: seconds, joules since the step
    before, hosts on, moves.
    """
    step_s, used, totals = world.settings[3], world.state.used_mips, world.tallies.totals
    on = world.state.occupancy > 0
    for step in range(len(draws)):
        at_s = clock[0] + step_s
        if at_s > clock[2]:
            return step
        read_requests(world.state, world.machines, at_s, step_s)
        energy = advance(world.hosts, world.state, world.tallies, at_s, at_s - clock[1])
        clock[0] = clock[1] = at_s
        moves = 0
        if world.policy[2] == 1:
            moves = _move(world, draws[step], at_s)
        series[step, 0] = at_s
        series[step, 2] = np.sum(used > 0)
        totals[SWITCHES] += _switched_on(used, on)
        series[step, 3] = moves
        if moves > 0:
            energy += _copy(world, moves, clock, step_s)
        series[step, 1] = energy
        totals[ENERGY_J] += energy
    return len(draws)


@kernel
def _switched_on(used_mips: NDArray[np.float64], on: NDArray[np.bool_]) -> int:
    """Count hosts that are on and were off; ``on`` is brought up to date."""
    count = 0
    for host in range(len(on)):
        now = used_mips[host] > 0
        if now and not on[host]:
            count += 1
        on[host] = now
    return count


@kernel
def _move(world: World, draws: NDArray[np.float64], at_s: float) -> int:
    if world.policy[0] != THR or world.policy[1] == MC:
        remember(world.state, world.machines)
    moves = plan_moves(world, draws)
    start_moves(world, moves, at_s)
    return moves


@kernel
def _copy(world: World, moves: int, clock: NDArray[np.float64], step_s: float) -> float:
    """Let the step's copies end, each group of equal length at its time. [J]"""
    hosts, machines, state, plan = world.hosts, world.machines, world.state, world.plan
    ready = np.empty(moves + 1)
    for move in range(moves):
        # Half of the network is left to the machines' own traffic.
        rate = hosts.network_mb_per_s[plan.targets[move]] / 2
        ready[move + 1] = machines.ram_mb[plan.moved[move]] / rate
        world.tallies.totals[COPY_S] += ready[move + 1]
    energy, before = 0.0, 0.0
    for length in np.sort(ready[1:]):
        if length == before:
            continue
        before = length
        at_s = clock[0] + length
        if at_s > clock[2]:
            break
        ready[0] = length
        read_requests(state, machines, at_s, step_s)
        energy += advance(hosts, state, world.tallies, at_s, at_s - clock[1])
        clock[1] = at_s
        finish_moves(state, plan, moves, ready)
        advance(hosts, state, world.tallies, at_s, 0.0)
    return energy


def simulate_day(
    hosts: Hosts,
    machines: Machines,
    *,
    policy: NDArray[np.int64],
    settings: NDArray[np.float64],
    draws: NDArray[np.float64],
    end_s: float,
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Place the machines and run all steps, at most one for each row of ``draws``.

    Return how many machines found a place (fewer than all: nothing was run), the totals
    and the series, shape (steps, 4).
    """
    size = len(hosts.total_mips), len(machines.mips)
    state, tallies = new_state(*size), new_tallies(*size)
    plan = new_plan(hosts, size[1])
    placed = first_placement(hosts, machines, state, plan.twin, bool(policy[2]))
    series = np.zeros((len(draws), 4))
    if placed < size[1]:
        return placed, tallies.totals, series[:0]
    world = World(hosts, machines, state, tallies, plan, policy, settings)
    done = run_steps(world, draws, np.array([START_S, 0.0, end_s]), series)
    return placed, tallies.totals, series[:done]
