"""How a placement group loses data by drives and by nodes, racks or sites that hold several shards.

A state is how many parts of each size are lost, and how many shards beside them: what went with a
part comes back with it, at the part's time, and a part that is lost cannot be lost again.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.reliability.loss_chain import Chain

if TYPE_CHECKING:
    from collections.abc import Iterator

# More states than these are not followed: parts of a kind are then taken as alike, with the shards
# of the largest, and few shards are lost beside parts.
_STATES_MAX = 90

State = tuple[int, ...]


class Part(NamedTuple):
    """Parts that hold as many shards of a group: how many, their rate, time until one is whole."""

    parts_count: int
    rate_per_h: float
    shards_count: int
    whole_h: float


class Shards(NamedTuple):
    """A group: shards that are lost one by one, and what of lost ones can be decoded.

    ``survives`` and ``unreadable`` are as of ``loss_chain.Group``.
    """

    shards_count: int
    tolerated: int
    rate_per_h: float  # of a drive
    alone_per_h: float  # of parts that hold one shard, all together
    repair_h: float
    together_ratio: float
    survives: tuple[float, ...]
    unreadable: float = 0.0


def parts_chain(group: Shards, parts: tuple[Part, ...]) -> Chain:
    """The chain of a group whose parts hold several shards; the first state is that of no loss."""
    fatal = [one for one in parts if one.shards_count > group.tolerated]
    kinds = [one for one in parts if one.shards_count <= group.tolerated]
    beside = group.tolerated
    states = list(_states(group, kinds, beside))
    while len(states) > _STATES_MAX and beside > 1:
        beside //= 2
        states = list(_states(group, kinds, beside))
    place = {state: at for at, state in enumerate(states)}
    rates = [[0.0] * (len(states) + 1) for _ in states]
    for state, row in zip(states, rates, strict=True):
        row[-1] += sum(one.parts_count * one.rate_per_h for one in fatal)
        for rate, to in _steps(group, kinds, state):
            before, after = _lost(kinds, state), _lost(kinds, to)
            kept = _kept(group, before, after)
            if kept < 1:
                row[-1] += rate * (1 - kept)
            if kept > 0 and to in place:
                row[place[to]] += rate * kept
    last = group.unreadable if group.tolerated else 0.0
    at_start = (last if _lost(kinds, state) == group.tolerated else 0.0 for state in states)
    return Chain(tuple(map(tuple, rates)), tuple(at_start))


def _states(group: Shards, kinds: list[Part], beside: int) -> Iterator[State]:
    """What may be lost: parts of each kind, and shards beside them, none first."""
    for counts in itertools.product(
        *(range(min(one.parts_count, group.tolerated // one.shards_count) + 1) for one in kinds)
    ):
        left = group.tolerated - _lost(kinds, (*counts, 0))
        most = left if sum(counts) == 0 else min(left, beside)
        yield from ((*counts, shards) for shards in range(most + 1))


def _lost(kinds: list[Part], state: State) -> int:
    parts = zip(kinds, state, strict=False)
    return sum(one.shards_count * count for one, count in parts) + state[-1]


def _kept(group: Shards, before: int, after: int) -> float:
    """Chance that data outlast a step from so many lost shards to more; 1 of a step back."""
    if after <= before:
        return 1.0
    if after > group.tolerated:
        return 0.0
    read = 1 - group.unreadable if after == group.tolerated else 1.0
    return read * math.prod(group.survives[before + 1 : after + 1])


def _steps(group: Shards, kinds: list[Part], state: State) -> Iterator[tuple[float, State]]:
    """Rates of the losses and repairs of a state. [1/h]"""
    lost, single = _lost(kinds, state), state[-1]
    left = max(group.shards_count - lost, 0)
    crowd = group.together_ratio if lost else 1.0
    alone = left * group.rate_per_h * crowd + group.alone_per_h * left / group.shards_count
    yield alone, (*state[:-1], single + 1)
    if single:
        yield single / group.repair_h, (*state[:-1], single - 1)
    for at, one in enumerate(kinds):
        there = state[at]
        if there < one.parts_count:
            more = (one.parts_count - there) * one.rate_per_h
            yield more, (*state[:at], there + 1, *state[at + 1 :])
        if there:
            yield there / one.whole_h, (*state[:at], there - 1, *state[at + 1 :])
