"""Plans for few applications: the published greedy rule, all placements, and planner v2."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.consolidation.plan_instance import (
    SLACK,
    cost_w,
    degradation,
    fits,
    is_valid,
    loads_of,
    moves_w,
    total_w,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.consolidation.plan_instance import Instance

# How dear a server is that is too slow or too full: so that the way to a better placement
# may lead through it, and so that nothing is worth it.
_SOFT, _HARD = 10.0, 1e6
_BETTER = 1e-9


class TooLarge(Exception):
    """An application alone exceeds the box."""

    def __init__(self, block: int) -> None:
        """Keep which block it is."""
        self.block = block
        super().__init__()


def distance(box: Sequence[float], load: Sequence[float]) -> float:
    """Room that a load leaves in a box: their Euclidean distance.

    >>> distance((80.0, 50.0), (40.0, 10.0))
    56.568542494923804
    """
    return math.dist(box, load)


def greedy2008(instance: Instance, box: Sequence[float]) -> list[int] | None:
    """Place requests as published: each where the summed room stays largest.

    When none of the servers that are on has room, one more is switched on and all requests
    are placed anew, in order. None when the servers do not suffice.

    Raises
    ------
    TooLarge
        When an application exceeds the box alone.
    """
    for place, block in enumerate(instance.blocks):
        if not _inside(box, block.demand):
            raise TooLarge(place)
    for count in range(1, len(instance.servers) + 1):
        placement = _greedy_on(instance, box, count)
        if placement is not None:
            return placement
    return None


def _inside(box: Sequence[float], load: Sequence[float]) -> bool:
    return all(part <= most + SLACK for part, most in zip(load, box, strict=True))


def roomiest(
    box: Sequence[float], loads: Sequence[Sequence[float]], demand: Sequence[float]
) -> int | None:
    """Server on which a request leaves the largest sum of room; None where it fits on none.

    >>> roomiest((80.0, 50.0), [(30.0, 30.0), (40.0, 10.0)], (10.0, 10.0))
    0
    """
    best, best_room = None, -math.inf
    rooms = [distance(box, load) for load in loads]
    for server, load in enumerate(loads):
        after = [a + b for a, b in zip(load, demand, strict=True)]
        if not _inside(box, after):
            continue
        room = math.fsum(rooms) - rooms[server] + distance(box, after)
        if room > best_room + SLACK:
            best, best_room = server, room
    return best


def _greedy_on(instance: Instance, box: Sequence[float], count: int) -> list[int] | None:
    loads = [[0.0] * len(box) for _ in range(count)]
    placement = []
    for block in instance.blocks:
        best = roomiest(box, loads, block.demand)
        if best is None:
            return None
        placement.append(best)
        loads[best] = [a + b for a, b in zip(loads[best], block.demand, strict=True)]
    return placement


def server_classes(instance: Instance) -> list[int]:
    """Number servers so that equal numbers may be exchanged for each other."""
    domains = any(what > 0 for _, _, what in instance.conflicts)
    if instance.has_current or domains:
        return list(range(len(instance.servers)))
    seen: dict[tuple[object, ...], int] = {}
    classes = []
    for server, kind in enumerate(instance.servers):
        allowed = tuple(block.allowed[server] for block in instance.blocks)
        classes.append(seen.setdefault((kind, allowed), len(seen)))
    return classes


def exhaustive(instance: Instance) -> list[int] | None:
    """Cheapest valid placement of all; branches dearer than the best so far are left.

    Power and degradation never fall with load, so a part of a placement is a bound.
    """
    classes = server_classes(instance)
    best: list[int] | None = None
    best_w = math.inf
    stack: list[list[int]] = [[]]
    while stack:
        part = stack.pop()
        cost = _part_w(instance, part)
        if cost >= best_w - _BETTER:
            continue
        if len(part) == len(instance.blocks):
            if is_valid(instance, part):
                best, best_w = part, cost
            continue
        stack.extend([*part, server] for server in _choices(instance, classes, part))
    return best


def _choices(instance: Instance, classes: Sequence[int], part: list[int]) -> Iterator[int]:
    tried: set[int] = set()
    for server, group in enumerate(classes):
        if not instance.blocks[len(part)].allowed[server]:
            continue
        if server not in part:
            if group in tried:
                continue
            tried.add(group)
        yield server


def _part_w(instance: Instance, part: list[int]) -> float:
    """Cost of a partial placement; infinite when a server is overloaded already."""
    loads: dict[int, list[float]] = {}
    for block, server in zip(instance.blocks, part, strict=False):
        load = loads.setdefault(server, [0.0] * len(block.demand))
        for resource, demand in enumerate(block.demand):
            load[resource] += demand
    total = 0.0
    for server, load in loads.items():
        if not fits(instance, server, load):
            return math.inf
        total += cost_w(instance, server, load)
    moved = sum(
        block.move_j / instance.hold_s
        for block, server in zip(instance.blocks, part, strict=False)
        if block.current not in (None, server)
    )
    return total + moved


def planner_v2(instance: Instance) -> list[int] | None:
    """For every number of servers: two starts, steepest descent over moves and swaps.

    A descent that ends where a server is too full goes on with what is too full first.
    """
    best: list[int] | None = None
    best_w = math.inf
    for count in range(1, len(instance.servers) + 1):
        for start in (_worst_fit(instance, count), _cheapest(instance, count)):
            placement = _descend(instance, start, count, _SOFT)
            if not is_valid(instance, placement):
                placement = _descend(instance, placement, count, _HARD)
            if is_valid(instance, placement):
                cost = total_w(instance, placement)
                if cost < best_w - _BETTER:
                    best, best_w = placement, cost
    return best


def _by_size(instance: Instance) -> list[int]:
    count = range(len(instance.blocks))
    return sorted(count, key=lambda index: -max(instance.blocks[index].demand))


def _with(load: Sequence[float], demand: Sequence[float], sign: float = 1.0) -> list[float]:
    return [a + sign * b for a, b in zip(load, demand, strict=True)]


def _worst_fit(instance: Instance, count: int) -> list[int]:
    loads = [[0.0] * len(instance.kinds[0].curves) for _ in range(count)]
    placement = [0] * len(instance.blocks)
    for index in _by_size(instance):
        demand = instance.blocks[index].demand
        server = min(range(count), key=lambda at: max(_with(loads[at], demand)))
        placement[index] = server
        loads[server] = _with(loads[server], demand)
    return placement


def _cheapest(instance: Instance, count: int) -> list[int]:
    loads = [[0.0] * len(instance.kinds[0].curves) for _ in range(count)]
    placement = [0] * len(instance.blocks)
    for index in _by_size(instance):
        demand = instance.blocks[index].demand

        def marginal(at: int, demand: Sequence[float] = demand) -> float:
            before = cost_w(instance, at, loads[at]) if any(loads[at]) else 0.0
            return _soft_w(instance, at, _with(loads[at], demand)) - before

        server = min(range(count), key=marginal)
        placement[index] = server
        loads[server] = _with(loads[server], demand)
    return placement


def _soft_w(
    instance: Instance, server: int, load: Sequence[float], penalty: float = _SOFT
) -> float:
    """Cost of a server, raised where it is slower or fuller than allowed."""
    if not any(load):
        return 0.0
    kind = instance.kind(server)
    over = max(0.0, degradation(kind, load) - instance.tolerance)
    full = sum(
        max(0.0, demand / curve.capacity_ratio - curve.limit_fraction)
        for curve, demand in zip(kind.curves, load, strict=True)
    )
    return cost_w(instance, server, load) * (1 + penalty * (over + 10 * full))


def _place_w(instance: Instance, placement: Sequence[int]) -> float:
    """Penalty for blocks that stand where they must not, and the moves."""
    wrong = sum(
        not block.allowed[server] for block, server in zip(instance.blocks, placement, strict=True)
    )
    wrong += sum(
        instance.domains[what][placement[one]] == instance.domains[what][placement[other]]
        for one, other, what in instance.conflicts
    )
    return 1e6 * wrong + moves_w(instance, placement)


def _descend(instance: Instance, start: list[int], count: int, penalty: float) -> list[int]:
    placement = list(start)
    while True:
        loads = loads_of(instance, placement)
        base = [_soft_w(instance, at, loads[at], penalty) for at in range(count)]
        here = _place_w(instance, placement)
        best, best_gain = None, _BETTER
        for other in _neighbours(placement, count):
            touched = {a for a, b in zip(placement, other, strict=True) if a != b}
            touched |= {b for a, b in zip(placement, other, strict=True) if a != b}
            after = loads_of(instance, other)
            gain = here - _place_w(instance, other)
            gain += sum(base[at] - _soft_w(instance, at, after[at], penalty) for at in touched)
            if gain > best_gain:
                best, best_gain = other, gain
        if best is None:
            return placement
        placement = best


def _neighbours(placement: list[int], count: int) -> Iterator[list[int]]:
    for index, server in enumerate(placement):
        for target in range(count):
            if target != server:
                yield [*placement[:index], target, *placement[index + 1 :]]
        for later in range(index + 1, len(placement)):
            if placement[later] != server:
                other = list(placement)
                other[index], other[later] = other[later], other[index]
                yield other
