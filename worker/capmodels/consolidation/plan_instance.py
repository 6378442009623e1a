"""The problem behind a plan: blocks of applications, servers, and what a load costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.consolidation.plan_params import (
        Application,
        Curve,
        Migration,
        PlanParams,
        ServerType,
    )

# What an equality of loads may miss by.
SLACK = 1e-9
_BITS_PER_BYTE = 8
_KINDS = ("server", "rack", "power_line")


@dataclass(frozen=True, slots=True)
class Block:
    """Applications that share a server, as one."""

    members: tuple[int, ...]
    demand: tuple[float, ...]
    allowed: tuple[bool, ...]
    current: int | None
    move_j: float


@dataclass(frozen=True, slots=True)
class Instance:
    """Blocks and servers; ``conflicts`` are (block, block, what must differ)."""

    blocks: tuple[Block, ...]
    kinds: tuple[ServerType, ...]
    servers: tuple[int, ...]
    domains: tuple[tuple[int, ...], ...]
    conflicts: tuple[tuple[int, int, int], ...]
    tolerance: float
    hold_s: float
    has_current: bool

    def kind(self, server: int) -> ServerType:
        """Kind of a server."""
        return self.kinds[self.servers[server]]

    def wake_w(self, server: int) -> float:
        """Energy of waking a server that is off today, spread over the plan's life. [W]"""
        if not self.has_current or any(block.current == server for block in self.blocks):
            return 0.0
        return self.kind(server).wake_j / self.hold_s


def move_s(migration: Migration, memory_gb: float) -> float:
    """Time of a pre-copy: memory over what the link has left beside rewritten pages. [s]"""
    left = migration.link_gbit_per_s * (1 - migration.dirty_fraction)
    return _BITS_PER_BYTE * memory_gb / left


def move_j(migration: Migration, memory_gb: float) -> float:
    """Energy of a pre-copy at both ends. [J]"""
    return 2 * migration.overhead_w * move_s(migration, memory_gb)


def memory_gb(params: PlanParams, app: Application) -> float:
    """Memory to copy, its own or the usual. [GB]"""
    return params.migration.memory_gb if app.memory_gb is None else app.memory_gb


def _groups(apps: Sequence[Application]) -> list[list[int]]:
    """Applications that must share a server, joined."""
    place = {app.id: index for index, app in enumerate(apps)}
    leader = list(range(len(apps)))

    def find(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    for index, app in enumerate(apps):
        for other in app.together_with:
            leader[find(place[other])] = find(index)
    groups: dict[int, list[int]] = {}
    for index in range(len(apps)):
        groups.setdefault(find(index), []).append(index)
    return list(groups.values())


def _block(params: PlanParams, members: list[int], servers: Sequence[int]) -> Block:
    apps = [params.applications[index] for index in members]
    current = params.current_server_count
    names = [params.servers[kind].name for kind in servers]
    return Block(
        members=tuple(members),
        demand=tuple(
            math.fsum(part) for part in zip(*(a.demand_fraction for a in apps), strict=True)
        ),
        allowed=tuple(
            all(not app.allowed or name in app.allowed for app in apps) for name in names
        ),
        current=None if current is None else current[members[0]],
        move_j=sum(move_j(params.migration, memory_gb(params, app)) for app in apps),
    )


def instance_of(params: PlanParams) -> Instance:
    """Return the problem that the params pose."""
    servers = [kind for kind, one in enumerate(params.servers) for _ in range(one.servers_count)]
    groups = _groups(params.applications)
    block_of = {index: number for number, group in enumerate(groups) for index in group}
    place = {app.id: index for index, app in enumerate(params.applications)}
    conflicts = {
        (*sorted((block_of[index], block_of[place[other]])), _KINDS.index(app.apart))
        for index, app in enumerate(params.applications)
        for other in app.apart_from
    }
    count = range(len(servers))
    return Instance(
        blocks=tuple(_block(params, group, servers) for group in groups),
        kinds=params.servers,
        servers=tuple(servers),
        domains=(
            tuple(count),
            tuple(index // params.servers_per_rack_count for index in count),
            tuple(index % params.power_lines_count for index in count),
        ),
        conflicts=tuple(sorted(conflicts)),  # type: ignore[arg-type] # sorted() gives a pair
        tolerance=math.inf if params.tolerance_ratio is None else params.tolerance_ratio,
        hold_s=params.hold_s,
        has_current=params.current_server_count is not None,
    )


def loads_of(instance: Instance, placement: Sequence[int]) -> list[list[float]]:
    """Demand on each server, by resource."""
    width = len(instance.kinds[0].curves)
    loads = [[0.0] * width for _ in instance.servers]
    for block, server in zip(instance.blocks, placement, strict=True):
        for resource, demand in enumerate(block.demand):
            loads[server][resource] += demand
    return loads


def used(curve: Curve, load: float) -> float:
    """Share of a resource in use."""
    return load / curve.capacity_ratio


def power_w(kind: ServerType, load: Sequence[float]) -> float:
    """Power of a server that is on. [W]"""
    total = kind.power_idle_w
    for curve, demand in zip(kind.curves, load, strict=True):
        share = used(curve, demand)
        total += curve.power_w * (2 * share - math.pow(share, curve.power_exponent))
    return total


def degradation(kind: ServerType, load: Sequence[float]) -> float:
    """How much longer work takes on a server. [ratio]"""
    return sum(
        curve.degradation_ratio * math.pow(used(curve, demand), curve.degradation_exponent)
        for curve, demand in zip(kind.curves, load, strict=True)
    )


def fits(instance: Instance, server: int, load: Sequence[float]) -> bool:
    """Whether a load respects a server's limits and the bound on slowing."""
    kind = instance.kind(server)
    within = all(
        used(curve, demand) <= curve.limit_fraction + SLACK
        for curve, demand in zip(kind.curves, load, strict=True)
    )
    return within and degradation(kind, load) <= instance.tolerance + SLACK


def cost_w(instance: Instance, server: int, load: Sequence[float]) -> float:
    """Power times lengthening, and the waking of a server. [W]"""
    kind = instance.kind(server)
    worked = power_w(kind, load) * (1 + degradation(kind, load))
    return worked + instance.wake_w(server)


def moves_w(instance: Instance, placement: Sequence[int]) -> float:
    """Energy of all moves, spread over the plan's life. [W]"""
    return sum(
        block.move_j / instance.hold_s
        for block, server in zip(instance.blocks, placement, strict=True)
        if block.current is not None and block.current != server
    )


def total_w(instance: Instance, placement: Sequence[int]) -> float:
    """What a whole placement costs. [W]"""
    loads, on = loads_of(instance, placement), set(placement)
    running = math.fsum(cost_w(instance, server, loads[server]) for server in sorted(on))
    return running + moves_w(instance, placement)


def is_valid(instance: Instance, placement: Sequence[int]) -> bool:
    """Whether a placement respects limits, allowed servers and what must be apart."""
    loads = loads_of(instance, placement)
    return (
        all(fits(instance, server, loads[server]) for server in set(placement))
        and all(
            block.allowed[server] for block, server in zip(instance.blocks, placement, strict=True)
        )
        and not any(
            instance.domains[what][placement[one]] == instance.domains[what][placement[other]]
            for one, other, what in instance.conflicts
        )
    )
