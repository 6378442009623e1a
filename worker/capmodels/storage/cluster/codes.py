"""Erasure codes: what they survive, what a repair reads, and what they cost in space.

k data and m parity shards (Reed and Solomon); replication is one data shard and copies of it. Local
groups (LRC, Huang et al., USENIX ATC 2012) add a parity to each of l groups of data shards: a lost
shard is then repaired from its group alone.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from capmodels.amounts import Amount


class Code(NamedTuple):
    """A code by its numbers of shards; ``local_count`` groups have a parity of their own."""

    data_count: int
    parity_count: int
    local_count: int = 0

    @property
    def shards_count(self) -> int:
        """Shards of a stripe."""
        return self.data_count + self.parity_count + self.local_count

    @property
    def repair_reads(self) -> float:
        """Shards that are read to write one lost shard anew, the mean over all shards.

        A shard of a local group takes the others of its group, a parity over all all of the data.
        """
        if self.local_count == 0:
            return self.data_count
        local = sum((size + 1) * size for size in self.data_of_groups)
        return (local + self.parity_count * self.data_count) / self.shards_count

    @property
    def data_of_groups(self) -> list[int]:
        """Data shards of each local group."""
        each, more = divmod(self.data_count, self.local_count)
        return [each + (1 if i < more else 0) for i in range(self.local_count)]

    @property
    def survives_any(self) -> int:
        """Lost shards of any pattern that are survived; with local groups one more."""
        return self.parity_count + (1 if self.local_count else 0)

    @property
    def survives_most(self) -> int:
        """Lost shards of the best pattern that are survived."""
        return self.parity_count + self.local_count


@lru_cache(maxsize=256)
def decodable_fraction(code: Code, lost: int) -> float:
    """Share of the patterns of so many lost shards that can be decoded.

    Each local parity makes up for one lost shard of its group; what is left over has to be within
    the global parities, as it is where the code recovers all that its shape allows.

    >>> round(decodable_fraction(Code(12, 2, 2), 4), 2)
    0.86
    """
    if lost <= code.parity_count or code.local_count == 0:
        return 1.0 if lost <= code.parity_count else 0.0
    # Patterns by shards lost in all, and by those that the global parities have to make up for.
    found = {(0, 0): 1}
    for size in code.data_of_groups:
        found = _with_group(found, size + 1, spared=1)
    found = _with_group(found, code.parity_count, spared=0)
    good = sum(n for (all_lost, left), n in found.items() if all_lost == lost and left <= code[1])
    return good / math.comb(code.shards_count, lost)


def _with_group(
    found: dict[tuple[int, int], int], size: int, *, spared: int
) -> dict[tuple[int, int], int]:
    more: dict[tuple[int, int], int] = {}
    for (lost, left), ways in found.items():
        for here in range(size + 1):
            key = lost + here, left + max(here - spared, 0)
            more[key] = more.get(key, 0) + ways * math.comb(size, here)
    return more


def survival_steps(code: Code) -> tuple[float, ...]:
    """Chance that a pattern can be decoded given that one with a shard less could."""
    shares = [decodable_fraction(code, lost) for lost in range(code.survives_most + 1)]
    return (1.0, *(after / before for before, after in pairwise(shares)))


def room_fraction(nodes_count: int, domains_count: int, shards_count: int) -> float:
    """Share of all nodes' room that data can take, where a domain holds one shard of a group.

    Domains differ by a node where they do not share the nodes evenly. A larger one takes a shard of
    every group at most, so that it is not filled where the others hold fewer than that asks for.

    >>> room_fraction(13, 4, 4)
    0.9230769230769231
    """
    each, larger = divmod(nodes_count, domains_count)
    if larger == 0 or (each + 1) * shards_count <= nodes_count:
        return 1.0
    smaller = (domains_count - larger) * each
    return smaller * shards_count / (shards_count - larger) / nodes_count


def larger_share(nodes_count: int, domains_count: int, shards_count: int) -> float:
    """Share of so many shards of each group that is in domains with a node more than the others.

    In proportion to their nodes, as far as one shard of each group allows.

    >>> larger_share(5, 4, 3)
    0.3333333333333333
    """
    each, larger = divmod(nodes_count, domains_count)
    return min(larger * (each + 1) / nodes_count, larger / shards_count)


def away_fraction(nodes_count: Amount, drives_per_node_count: float, *, apart: bool) -> Amount:
    """Share of a request's other shards that are on other nodes than the one that serves it.

    All of them where no two shards share a node, those on other nodes' drives where they may.
    """
    if apart or drives_per_node_count == 1:
        return 1.0
    return 1 - (drives_per_node_count - 1) / (nodes_count * drives_per_node_count - 1)


def together_fraction(domains_count: int, parts_count: int, shards_count: int) -> float:
    """Chance that all shards of a group, each in another domain, are in one node, or one site.

    >>> together_fraction(40, 2, 2)
    0.48717948717948717
    """
    each, count = domains_count / parts_count, min(shards_count, domains_count)
    return math.prod(max(each - nth, 0.0) / (domains_count - nth) for nth in range(1, count))
