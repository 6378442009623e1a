"""What two servers hold, dealt anew between them in every way: the last step of our planner.

Moves and swaps alone cannot split a server in two, nor merge two into one where each move
alone makes both dearer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.consolidation.plan_kernel import may_stand, put, server_w, stay_w
from capmodels.kernel import kernel

if TYPE_CHECKING:
    from capmodels.consolidation.plan_kernel import Floats, Ints, Problem

# Ways to deal the blocks of two servers that are tried: two to this power.
_FREE_MAX = 10
_BETTER = 1e-9
_SWEEPS = 20


@kernel
def deal_pairs(problem: Problem, place: Ints, load: Floats, draws: Floats) -> None:
    """Deal every two servers anew while that saves watts; one of each kind may be off."""
    servers, turn = len(load), 0
    on = np.zeros(servers, np.int64)
    for server in place:
        on[server] += 1
    for _ in range(_SWEEPS):
        better = False
        for one in range(servers):
            for other in range(servers):
                if on[one] == 0 or not (
                    other > one if on[other] else _is_first(problem, on, other)
                ):
                    continue
                turn += 1
                free = _free_blocks(place, one, other, draws[turn % len(draws)])
                if _deal(problem, place, load, np.array([one, other]), free):
                    better = True
                    on[one], on[other] = np.sum(place == one), np.sum(place == other)
        if not better:
            return


@kernel
def _is_first(problem: Problem, on: Ints, server: int) -> bool:
    """Whether no server like this one that is off comes before it."""
    for before in range(server):
        if on[before] == 0 and problem.group[before] == problem.group[server]:
            return False
    return True


@kernel
def _free_blocks(place: Ints, one: int, other: int, draw: float) -> Ints:
    """Blocks of two servers; a random run of them where they are too many for all ways."""
    blocks = np.flatnonzero((place == one) | (place == other))
    if len(blocks) <= _FREE_MAX:
        return blocks
    first = int(draw * len(blocks))
    return np.roll(blocks, -first)[:_FREE_MAX]


@kernel
def _deal(problem: Problem, place: Ints, load: Floats, pair: Ints, free: Ints) -> bool:
    """Try every way; keep the cheapest that may stand. True when it saves watts."""
    held, count = load[pair], np.zeros(2, np.int64)
    for block in range(len(place)):
        count[0] += place[block] == pair[0]
        count[1] += place[block] == pair[1]
    stays = 0.0
    for block in free:
        stays += stay_w(problem, block, place[block])
    least = _pair_w(problem, pair, held, count) + stays - _BETTER
    kept = place[free].copy()
    best = kept.copy()
    for way in range(1, 1 << len(free)):
        # Gray's order: each way differs from the one before by one block.
        at = 0
        while way >> at & 1 == 0:
            at += 1
        block = free[at]
        source = 0 if place[block] == pair[0] else 1
        target = 1 - source
        stays += stay_w(problem, block, pair[target]) - stay_w(problem, block, pair[source])
        put(problem, held, block, source, -1.0)
        put(problem, held, block, target, 1.0)
        count[source] -= 1
        count[target] += 1
        place[block] = pair[target]
        cost = _pair_w(problem, pair, held, count) + stays
        if cost < least and _all_stand(problem, place, free):
            least = cost
            best = place[free].copy()
    is_better = False
    for at in range(len(free)):
        place[free[at]] = best[at]
        is_better |= best[at] != kept[at]
    for server in pair:
        load[server] = 0.0
        for block in range(len(place)):
            if place[block] == server:
                put(problem, load, block, server, 1.0)
    return bool(is_better)


@kernel
def _pair_w(problem: Problem, pair: Ints, held: Floats, count: Ints) -> float:
    total = 0.0
    for side in range(2):
        if count[side] > 0:
            total += server_w(problem, pair[side], held[side])
    return total


@kernel
def _all_stand(problem: Problem, place: Ints, free: Ints) -> bool:
    for block in free:  # noqa: SIM110 -- numba compiles no generator
        if not may_stand(problem, block, place[block], place):
            return False
    return True
