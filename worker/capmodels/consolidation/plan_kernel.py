"""Compiled searches over placements: the exact one for few blocks, ours for hundreds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.plan_instance import Instance

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_SLACK = 1e-9


class Problem(NamedTuple):
    """An instance as arrays: n blocks, m servers, k resources."""

    demand: Floats  # (n, k)
    allowed: NDArray[np.bool_]  # (n, m)
    stay: Ints  # (n,) server today, -1 for none
    move_w: Floats  # (n,)
    idle_w: Floats  # (m,) waking included
    wake_w: Floats  # (m,)
    capacity: Floats  # (m, k)
    limit: Floats  # (m, k) in units of demand
    power_w: Floats  # (m, k)
    bend: Floats  # (m, k)
    slow: Floats  # (m, k)
    steep: Floats  # (m, k)
    inverse: Floats  # (m, k) one over the limit
    slows: bool  # whether any load lengthens work
    tolerance: float
    group: Ints  # (m,) exchangeable servers share a number
    domains: Ints  # (3, m)
    first: Ints  # (n + 1,) where a block's conflicts begin
    rival: Ints  # the other block
    what: Ints  # what must differ


def problem_of(instance: Instance, groups: list[int]) -> Problem:
    """Return an instance as arrays."""
    kinds = [instance.kind(server) for server in range(len(instance.servers))]

    def table(name: str) -> Floats:
        return np.array([[getattr(curve, name) for curve in kind.curves] for kind in kinds])

    rivals: list[list[tuple[int, int]]] = [[] for _ in instance.blocks]
    for one, other, what in instance.conflicts:
        rivals[one].append((other, what))
        rivals[other].append((one, what))
    flat = [pair for row in rivals for pair in row]
    wake = np.array([instance.wake_w(server) for server in range(len(kinds))])
    capacity = table("capacity_ratio")
    return Problem(
        demand=np.array([block.demand for block in instance.blocks], float),
        allowed=np.array([block.allowed for block in instance.blocks], bool),
        stay=np.array([-1 if b.current is None else b.current for b in instance.blocks], np.int64),
        move_w=np.array([block.move_j / instance.hold_s for block in instance.blocks]),
        idle_w=np.array([kind.power_idle_w for kind in kinds]),
        wake_w=wake,
        capacity=capacity,
        limit=table("limit_fraction") * capacity,
        power_w=table("power_w"),
        bend=table("power_exponent"),
        slow=table("degradation_ratio"),
        steep=table("degradation_exponent"),
        inverse=1.0 / (table("limit_fraction") * capacity),
        slows=bool(np.any(table("degradation_ratio") > 0)),
        tolerance=min(instance.tolerance, 1e300),
        group=np.array(groups, np.int64),
        domains=np.array(instance.domains, np.int64),
        first=np.cumsum([0, *(len(row) for row in rivals)]).astype(np.int64),
        rival=np.array([pair[0] for pair in flat], np.int64),
        what=np.array([pair[1] for pair in flat], np.int64),
    )


@kernel
def server_w(problem: Problem, server: int, load: Floats) -> float:
    """Power times lengthening of a server with a load; infinite beyond its limits. [W]"""
    drawn, longer = problem.idle_w[server], 0.0
    for resource in range(len(load)):
        if load[resource] > problem.limit[server, resource] + _SLACK:
            return np.inf
        share = max(load[resource], 0.0) / problem.capacity[server, resource]
        bend, slow = problem.bend[server, resource], problem.slow[server, resource]
        bent = share if bend == 1.0 else 2 * share - share**bend
        drawn += problem.power_w[server, resource] * bent
        if slow > 0:
            longer += slow * share ** problem.steep[server, resource]
    if longer > problem.tolerance + _SLACK:
        return np.inf
    return drawn * (1 + longer) + problem.wake_w[server]


@kernel
def may_stand(problem: Problem, block: int, server: int, place: Ints) -> bool:
    """Whether a block may stand on a server beside the blocks already placed."""
    if not problem.allowed[block, server]:
        return False
    for at in range(problem.first[block], problem.first[block + 1]):
        there, what = place[problem.rival[at]], problem.what[at]
        if there >= 0 and problem.domains[what, there] == problem.domains[what, server]:
            return False
    return True


@kernel
def stay_w(problem: Problem, block: int, server: int) -> float:
    """What moving a block to a server costs; nothing where it stands today. [W]"""
    stay = problem.stay[block]
    return problem.move_w[block] if stay >= 0 and stay != server else 0.0


@kernel
def least_added_w(problem: Problem) -> Floats:
    """Least power that each block adds wherever it stands, shape (n,). [W]"""
    count, servers = problem.allowed.shape
    least = np.full(count, np.inf)
    for block in range(count):
        for server in range(servers):
            if not problem.allowed[block, server]:
                continue
            added = 0.0
            for resource in range(problem.demand.shape[1]):
                share = problem.demand[block, resource] / problem.capacity[server, resource]
                # The slope at full load is the least of a concave curve.
                slope = 2.0 - problem.bend[server, resource]
                added += problem.power_w[server, resource] * slope * share
            least[block] = min(least[block], added)
    return least


@kernel
def _still_needed(problem: Problem, resource: int, rest: float, load: Floats, on: Ints) -> float:
    """Servers that must still be switched on for one resource; infinite when none is left."""
    free, most = 0.0, 0.0
    for server in range(len(on)):
        if on[server] > 0:
            free += problem.limit[server, resource] - load[server, resource]
        else:
            most = max(most, problem.limit[server, resource])
    short = rest - free
    if short <= _SLACK:
        return 0.0
    return float(np.ceil(short / most - _SLACK)) if most > 0 else np.inf


@kernel
def _more_servers_w(problem: Problem, rest: Floats, load: Floats, on: Ints) -> float:
    """Idle power of servers that must still be switched on for the rest of the demand. [W]"""
    needed = 0.0
    for resource in range(len(rest)):
        needed = max(needed, _still_needed(problem, resource, rest[resource], load, on))
    if needed == 0.0:
        return 0.0
    idle = np.inf
    for server in range(len(on)):
        if on[server] == 0:
            idle = min(idle, problem.idle_w[server])
    return needed * idle


@kernel
def exact_best(problem: Problem, order: Ints, start: Ints, start_w: float) -> Ints:
    """Cheapest placement of all, by depth-first branch and bound.

    ``order`` is the order in which blocks are placed, ``start`` a placement to beat (its
    cost infinite when there is none). Exact: nothing that could be cheaper is left out.
    """
    count, servers = problem.allowed.shape
    width = problem.demand.shape[1]
    best, best_w = start.copy(), start_w
    place = np.full(count, -1, np.int64)
    load = np.zeros((servers, width))
    on = np.zeros(servers, np.int64)
    cost = np.zeros(servers)
    rest, rest_w = _rests(problem, order)
    spent = np.zeros(count + 1)
    tried = np.full(count, -1, np.int64)
    depth = 0
    while depth >= 0:
        block = order[depth]
        if place[block] >= 0:
            _take_off(problem, block, place, load, on)
            _recost(problem, tried[depth], load, on, cost)
        server = _next_choice(problem, block, tried[depth], place, on)
        tried[depth] = server
        if server < 0:
            depth -= 1
            continue
        before = cost[server]
        _put_on(problem, block, server, place, load, on)
        _recost(problem, server, load, on, cost)
        spent[depth + 1] = spent[depth] + cost[server] - before + stay_w(problem, block, server)
        bound = spent[depth + 1] + rest_w[depth + 1]
        if bound >= best_w - 1e-7:
            continue
        if depth + 1 == count:
            best_w = spent[depth + 1]
            best[:] = place
            continue
        if bound + _more_servers_w(problem, rest[depth + 1], load, on) >= best_w - 1e-7:
            continue
        depth += 1
        tried[depth] = -1
    return best


@kernel
def _rests(problem: Problem, order: Ints) -> tuple[Floats, Floats]:
    count, width = problem.demand.shape
    least = least_added_w(problem)
    rest, rest_w = np.zeros((count + 1, width)), np.zeros(count + 1)
    for depth in range(count - 1, -1, -1):
        rest[depth] = rest[depth + 1] + problem.demand[order[depth]]
        rest_w[depth] = rest_w[depth + 1] + least[order[depth]]
    return rest, rest_w


@kernel
def _next_choice(problem: Problem, block: int, last: int, place: Ints, on: Ints) -> int:
    for server in range(last + 1, len(on)):
        if on[server] == 0 and _twin_before(problem, server, on):
            continue
        if may_stand(problem, block, server, place):
            return server
    return -1


@kernel
def _twin_before(problem: Problem, server: int, on: Ints) -> bool:
    for other in range(server):
        if on[other] == 0 and problem.group[other] == problem.group[server]:
            return True
    return False


@kernel
def _put_on(problem: Problem, block: int, server: int, place: Ints, load: Floats, on: Ints) -> None:
    place[block] = server
    load[server] += problem.demand[block]
    on[server] += 1


@kernel
def _take_off(problem: Problem, block: int, place: Ints, load: Floats, on: Ints) -> None:
    server = place[block]
    place[block] = -1
    on[server] -= 1
    load[server] -= problem.demand[block]
    if on[server] == 0:
        load[server] = 0.0


@kernel
def _recost(problem: Problem, server: int, load: Floats, on: Ints, cost: Floats) -> None:
    cost[server] = server_w(problem, server, load[server]) if on[server] > 0 else 0.0


@kernel
def put(problem: Problem, load: Floats, block: int, server: int, times: float) -> None:
    """Add a block's demand to a server, or with -1 take it off."""
    for resource in range(load.shape[1]):
        load[server, resource] += times * problem.demand[block, resource]


@kernel
def overflow(problem: Problem, server: int, load: Floats, demand: Floats, sign: float) -> float:
    """How far a server is beyond its limits with a demand added or taken; 0 when it fits.

    ``load`` holds all servers, shape (m, k). Slowness beyond the bound counts as a resource
    of its own.
    """
    over = 0.0
    for resource in range(load.shape[1]):
        here = load[server, resource] + sign * demand[resource]
        beyond = here * problem.inverse[server, resource] - 1.0
        if beyond > _SLACK:
            over += beyond + beyond * beyond
    if problem.slows:
        longer = 0.0
        for resource in range(load.shape[1]):
            here = max(load[server, resource] + sign * demand[resource], 0.0)
            share = here / problem.capacity[server, resource]
            steep = problem.steep[server, resource]
            longer += problem.slow[server, resource] * share**steep
        if longer > problem.tolerance + _SLACK:
            over += longer - problem.tolerance
    return over
