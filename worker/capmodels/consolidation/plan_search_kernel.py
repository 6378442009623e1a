"""Our planner for hundreds of applications: fill, close servers, repair, descend.

Fill the servers that cost least for what they hold; then close one server after the other,
spread its blocks over the rest and repair what is too full by a tabu search over moves and
swaps; at last descend on watts, and deal what two servers hold anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.consolidation.plan_kernel import may_stand, overflow, put, server_w, stay_w
from capmodels.consolidation.plan_pairs_kernel import deal_pairs
from capmodels.kernel import kernel
from capmodels.ordering_kernel import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.consolidation.plan_kernel import Floats, Ints, Problem

    Bools = NDArray[np.bool_]

_SLACK = 1e-9
_SWEEPS = 30
_TENURE = 12
# Share of the effort that one attempt to close a server may take.
_ATTEMPTS = 8
# Orders from which a first placement is tried.
_STARTS = 8
# Blocks times servers up to which every step of the effort shakes the placement once; up to
# which what two servers hold is dealt anew.
_SMALL, _LARGE = 60, 4_000


@kernel
def _value(problem: Problem, server: int) -> float:
    """Full power of a server for what it holds; the least is filled first."""
    holds, drawn = 0.0, problem.idle_w[server] + problem.wake_w[server]
    for resource in range(problem.limit.shape[1]):
        holds += problem.limit[server, resource]
        drawn += problem.power_w[server, resource]
    return drawn / max(holds, 1e-12)


@kernel
def _tightness(problem: Problem, server: int, load: Floats, demand: Floats) -> float:
    """How badly a demand matches the room that is left; the least fits best."""
    total, room = 0.0, 0.0
    for resource in range(len(load)):
        limit = problem.limit[server, resource]
        left = (limit - load[resource] - demand[resource]) / limit
        total += left * left
        room += left
    return total - room * room / len(load) + 0.3 * room


@kernel
def _best_fit(
    problem: Problem, block: int, load: Floats, place: Ints, ranks: Ints, opened: int
) -> int:
    """Rank of the open server that a block matches best, else of the first other; -1: none."""
    best, least = -1, np.inf
    demand = problem.demand[block]
    for rank in range(len(ranks)):
        server = ranks[rank]
        if rank >= opened and best >= 0:
            break
        if not may_stand(problem, block, server, place):
            continue
        if overflow(problem, server, load, demand, 1.0) > _SLACK:
            continue
        tight = _tightness(problem, server, load[server], demand)
        if tight < least:
            best, least = rank, tight
    return best


@kernel
def _keep(place: Ints, load: Floats, trial: Ints, held: Floats) -> None:
    """Take a trial over."""
    for block in range(len(place)):
        place[block] = trial[block]
    for server in range(load.shape[0]):
        for resource in range(load.shape[1]):
            load[server, resource] = held[server, resource]


@kernel
def fill(problem: Problem, order: Ints, load: Floats, place: Ints, ranks: Ints) -> int:
    """Place blocks in order on the best match of the open servers; return how many stand."""
    opened, stood = 0, 0
    for block in order:
        rank = _best_fit(problem, block, load, place, ranks, opened)
        if rank < 0:
            continue
        opened = max(opened, rank + 1)
        place[block] = ranks[rank]
        put(problem, load, block, ranks[rank], 1.0)
        stood += 1
    return stood


@kernel
def _swap_stands(problem: Problem, one: int, other: int, place: Ints) -> bool:
    here, there = place[one], place[other]
    place[one] = place[other] = -1
    stands = may_stand(problem, one, there, place)
    if stands:
        place[one] = there
        stands = may_stand(problem, other, here, place)
    place[one], place[other] = here, there
    return stands


@kernel
def _try_moves(
    problem: Problem, state: tuple[Ints, Floats, Floats, Bools], block: int, step: int, tabu: Ints
) -> tuple[float, int]:
    """Best move of a block off its server: change of overflow, and where to."""
    place, load, over, is_open = state
    source, demand = place[block], problem.demand[block]
    leaves = overflow(problem, source, load, demand, -1.0) - over[source]
    best, target = np.inf, -1
    for server in range(len(is_open)):
        if not is_open[server] or server == source or tabu[block, server] > step:
            continue
        change = leaves + overflow(problem, server, load, demand, 1.0) - over[server]
        if change < best and may_stand(problem, block, server, place):
            best, target = change, server
    return best, target


@kernel
def _try_swaps(
    problem: Problem, state: tuple[Ints, Floats, Floats, Bools], block: int, step: int, tabu: Ints
) -> tuple[float, int]:
    """Best exchange of a block with one on another server."""
    place, load, over, is_open = state
    source, best, partner = place[block], np.inf, -1
    change_of = np.empty(load.shape[1])
    for other in range(len(place)):
        there = place[other]
        if there == source or not is_open[there]:
            continue
        if tabu[block, there] > step or tabu[other, source] > step:
            continue
        for resource in range(len(change_of)):
            gap = problem.demand[other, resource] - problem.demand[block, resource]
            change_of[resource] = gap
        change = overflow(problem, source, load, change_of, 1.0) - over[source]
        if change >= best:
            continue
        change += overflow(problem, there, load, change_of, -1.0) - over[there]
        if change < best and _swap_stands(problem, block, other, place):
            best, partner = change, other
    return best, partner


@kernel
def _shift(problem: Problem, place: Ints, load: Floats, block: int, target: int) -> None:
    put(problem, load, block, place[block], -1.0)
    put(problem, load, block, target, 1.0)
    place[block] = target


@kernel
def repair(
    problem: Problem, place: Ints, load: Floats, is_open: Bools, effort: int, draws: Floats
) -> int:
    """Move and swap until no server is too full; return the steps left, 0 if it failed."""
    servers = len(is_open)
    over = np.zeros(servers)
    nothing = np.zeros(load.shape[1])
    for server in range(servers):
        over[server] = overflow(problem, server, load, nothing, 0.0)
    tabu = np.zeros((len(place), servers), np.int64)
    state = (place, load, over, is_open)
    for step in range(1, effort + 1):
        source = _too_full(over, draws[step % len(draws)])
        if source < 0:
            return effort - step + 1
        who, target, partner = _best_step(problem, state, source, step, tabu)
        if who < 0:
            continue
        tabu[who, source] = step + _TENURE
        if partner >= 0:
            tabu[partner, target] = step + _TENURE
            _shift(problem, place, load, partner, source)
        _shift(problem, place, load, who, target)
        for server in (source, target):
            over[server] = overflow(problem, server, load, nothing, 0.0)
    return 0


@kernel
def _best_step(
    problem: Problem, state: tuple[Ints, Floats, Floats, Bools], source: int, step: int, tabu: Ints
) -> tuple[int, int, int]:
    """Block that leaves a server with most gain, where to, and for which one (-1: none)."""
    place = state[0]
    best, who, target, partner = np.inf, -1, -1, -1
    for block in range(len(place)):
        if place[block] != source:
            continue
        change, to = _try_moves(problem, state, block, step, tabu)
        if change < best:
            best, who, target, partner = change, block, to, -1
        change, other = _try_swaps(problem, state, block, step, tabu)
        if change < best:
            best, who, target, partner = change, block, place[other], other
    return who, target, partner


@kernel
def _too_full(over: Floats, draw: float) -> int:
    count = 0
    for server in range(len(over)):
        count += over[server] > 0
    if count == 0:
        return -1
    wanted = int(draw * count)
    for server in range(len(over)):
        if over[server] > 0:
            if wanted == 0:
                return server
            wanted -= 1
    return -1


@kernel
def cost_of(problem: Problem, place: Ints, load: Floats) -> float:
    """Watts of a placement, moves included; infinite when a server is too full."""
    total = 0.0
    on = np.zeros(len(load), np.bool_)
    for block in range(len(place)):
        on[place[block]] = True
        if problem.stay[block] >= 0 and problem.stay[block] != place[block]:
            total += problem.move_w[block]
    for server in range(len(load)):
        if on[server]:
            total += server_w(problem, server, load[server])
    return total


@kernel
def close_servers(
    problem: Problem, place: Ints, load: Floats, floor_w: float, effort: int, draws: Floats
) -> None:
    """Empty one server after the other while that saves watts and the rest can hold it.

    No placement costs less than ``floor_w``: a closing that would is not tried.
    """
    servers = len(load)
    is_open = np.zeros(servers, np.bool_)
    for block in range(len(place)):
        is_open[place[block]] = True
    failed = np.zeros(servers, np.int64)
    least = cost_of(problem, place, load)
    while effort > 0:
        victim = _victim(problem, load, is_open, failed)
        if victim < 0 or least - problem.idle_w[victim] < floor_w - _SLACK:
            return
        trial, held = place.copy(), load.copy()
        is_open[victim] = False
        if np.any(is_open) and _spread(problem, trial, held, is_open, victim):
            allowance = max(1, effort // _ATTEMPTS)
            left = repair(problem, trial, held, is_open, allowance, draws)
            effort -= allowance - left if left > 0 else allowance
            cost = cost_of(problem, trial, held) if left > 0 else np.inf
            if cost < least - _SLACK:
                least = cost
                _keep(place, load, trial, held)
                failed[:] = 0
                continue
        is_open[victim] = True
        failed[victim] = 1


@kernel
def _victim(problem: Problem, load: Floats, is_open: Bools, failed: Ints) -> int:
    """Open server that wastes most: dearest for what it holds."""
    best, most = -1, -1.0
    for server in range(len(load)):
        if not is_open[server] or failed[server] > 0:
            continue
        share = 0.0
        for resource in range(load.shape[1]):
            share += load[server, resource] / problem.limit[server, resource]
        waste = (problem.idle_w[server] + 1e-6) / max(share, 1e-6)
        if waste > most:
            best, most = server, waste
    return best


@kernel
def _spread(problem: Problem, place: Ints, load: Floats, is_open: Bools, victim: int) -> bool:
    """Put a server's blocks where they overfill least; False when one may stand nowhere.

    A victim of -1 stands for the blocks that have no place yet.
    """
    for block in range(len(place)):
        if place[block] != victim:
            continue
        server = _least_too_full(problem, block, place, load, is_open)
        if server < 0:
            return False
        place[block] = server
        put(problem, load, block, server, 1.0)
    if victim >= 0:
        load[victim] = 0.0
    return True


@kernel
def _least_too_full(problem: Problem, block: int, place: Ints, load: Floats, is_open: Bools) -> int:
    best, least = -1, np.inf
    demand = problem.demand[block]
    nothing = np.zeros(load.shape[1])
    for server in range(len(load)):
        if not is_open[server] or not may_stand(problem, block, server, place):
            continue
        here = overflow(problem, server, load, nothing, 0.0)
        tight = overflow(problem, server, load, demand, 1.0) - here
        if tight <= 0:
            tight = 1e-6 * _tightness(problem, server, load[server], demand) - 1.0
        if tight < least:
            best, least = server, tight
    return best


@kernel
def descend(problem: Problem, place: Ints, load: Floats) -> None:
    """Take every move that lowers watts, then every swap, until none does."""
    cost = np.zeros(len(load))
    on = np.zeros(len(load), np.int64)
    for block in range(len(place)):
        on[place[block]] += 1
    for server in range(len(load)):
        if on[server] > 0:
            cost[server] = server_w(problem, server, load[server])
    for _ in range(_SWEEPS):
        better = False
        for block in range(len(place)):
            better |= _better_move(problem, place, load, cost, on, block)
        for block in range(len(place)):
            better |= _better_swap(problem, place, load, cost, block)
        if not better:
            return


@kernel
def _better_move(
    problem: Problem, place: Ints, load: Floats, cost: Floats, on: Ints, block: int
) -> bool:
    source, demand = place[block], problem.demand[block]
    left = server_w(problem, source, load[source] - demand) if on[source] > 1 else 0.0
    base = left - cost[source] - stay_w(problem, block, source)
    best, target = -1e-9, -1
    for server in range(len(load)):
        if server == source:
            continue
        gain = base + server_w(problem, server, load[server] + demand) - cost[server]
        gain += stay_w(problem, block, server)
        if gain < best and may_stand(problem, block, server, place):
            best, target = gain, server
    if target < 0:
        return False
    _shift(problem, place, load, block, target)
    on[source] -= 1
    on[target] += 1
    cost[source] = left
    cost[target] = server_w(problem, target, load[target])
    return True


@kernel
def _better_swap(problem: Problem, place: Ints, load: Floats, cost: Floats, block: int) -> bool:
    source = place[block]
    for other in range(len(place)):
        there = place[other]
        if there == source:
            continue
        gap = problem.demand[other] - problem.demand[block]
        here_w = server_w(problem, source, load[source] + gap)
        gain = here_w - cost[source] - stay_w(problem, block, source)
        gain += stay_w(problem, block, there) + stay_w(problem, other, source)
        gain -= stay_w(problem, other, there) + cost[there]
        if gain >= 0:
            continue
        there_w = server_w(problem, there, load[there] - gap)
        if gain + there_w < -1e-9 and _swap_stands(problem, block, other, place):
            _shift(problem, place, load, block, there)
            _shift(problem, place, load, other, source)
            cost[source], cost[there] = here_w, there_w
            return True
    return False


@kernel
def stand_all(
    problem: Problem, order: Ints, load: Floats, place: Ints, effort: int, draws: Floats
) -> bool:
    """Place every block within the limits: fill, then repair, from several orders."""
    servers = len(load)
    values = np.array([_value(problem, server) for server in range(servers)])
    ranks = in_order(values)
    is_open = np.ones(servers, np.bool_)
    for start in range(_STARTS):
        place[:], load[:] = -1, 0.0
        # Each start but the first leans on chance for the order of the blocks.
        shaken = draws[(np.arange(len(order)) + start * len(order)) % len(draws)]
        keys = np.arange(len(order)) + start * shaken * len(order)
        if fill(problem, order[in_order(keys)], load, place, ranks) == len(order):
            return True
        if _spread(problem, place, load, is_open, -1) and (
            repair(problem, place, load, is_open, max(1, effort), draws) > 0
        ):
            return True
    return False


@kernel
def search(
    problem: Problem, order: Ints, floor_w: float, effort: int, draws: Floats
) -> tuple[bool, Ints]:
    """Return whether all blocks found a place, and the placement."""
    servers, width = problem.limit.shape
    load = np.zeros((servers, width))
    place = np.full(len(order), -1, np.int64)
    if not stand_all(problem, order, load, place, effort, draws):
        return False, place
    close_servers(problem, place, load, floor_w, effort, draws)
    descend(problem, place, load)
    size = len(order) * servers
    if size <= _LARGE:
        deal_pairs(problem, place, load, draws)
        shake(problem, place, load, effort * _SMALL // max(_SMALL, size), draws)
    return True, place


@kernel
def shake(problem: Problem, place: Ints, load: Floats, rounds: int, draws: Floats) -> None:
    """Empty a few servers, place their blocks by chance and descend again; keep what is cheaper."""
    least, turn = cost_of(problem, place, load), 0
    for _ in range(rounds):
        trial, held = place.copy(), load.copy()
        emptied = 1 + int(4 * draws[turn % len(draws)])
        for _ in range(emptied):
            turn += 1
            victim = trial[int(draws[turn % len(draws)] * len(trial))]
            if victim >= 0:
                trial[trial == victim] = -1
                held[victim] = 0.0
        turn += 1
        if not _place_cheaply(problem, trial, held, turn, draws):
            continue
        descend(problem, trial, held)
        deal_pairs(problem, trial, held, draws)
        cost = cost_of(problem, trial, held)
        if cost < least - _SLACK:
            least = cost
            _keep(place, load, trial, held)


@kernel
def _place_cheaply(problem: Problem, place: Ints, load: Floats, turn: int, draws: Floats) -> bool:
    """Place what stands nowhere, in an order by chance, each where it adds least watts."""
    missing = np.flatnonzero(place < 0)
    keys = draws[(turn + np.arange(len(missing))) % len(draws)]
    for block in missing[in_order(keys)]:
        best, least = -1, np.inf
        for server in range(len(load)):
            if not may_stand(problem, block, server, place):
                continue
            added = server_w(problem, server, load[server] + problem.demand[block])
            if np.any(place == server):
                added -= server_w(problem, server, load[server])
            added += stay_w(problem, block, server)
            if added < least:
                best, least = server, added
        if best < 0:
            return False
        place[block] = best
        put(problem, load, block, best, 1.0)
    return True
