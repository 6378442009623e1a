"""Where the shards of placement groups lie: drawn by hash, one to a failure domain.

Each candidate draws ln(u) / weight from a hash of its own number and the group's; the largest wins
(straw2 of Ceph's CRUSH, Weil et al., SC 2006, and its revision of 2014). A drive that is added or
lost moves the groups that it wins or held, and no others.
"""

from __future__ import annotations

import math
from typing import NamedTuple

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def hashed(*numbers: int) -> int:
    """64 bits from numbers, each mixed in by SplitMix64 (Steele, Lea and Flood 2014)."""
    found = 0
    for number in numbers:
        found = (found ^ (number & _MASK)) + _GOLDEN & _MASK
        found = (found ^ (found >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        found = (found ^ (found >> 27)) * 0x94D049BB133111EB & _MASK
        found ^= found >> 31
    return found


class Shelf(NamedTuple):
    """Where drives are: ``domains`` of equal ``drives_each``, by number."""

    domains_count: int
    drives_each: int


def draw(group: int, candidate: int, weight: float) -> float:
    """What a candidate draws for a group; the largest of all is chosen."""
    if weight <= 0:
        return -math.inf
    return math.log((hashed(group, candidate) + 1) / (_MASK + 2)) / weight


def drives_of(
    group: int, shelf: Shelf, shards: int, lost: frozenset[int] = frozenset()
) -> tuple[int, ...]:
    """Drives of a placement group, one in each of so many domains, best draw first.

    A domain weighs as many drives as it has left. Where fewer domains than shards are left, there
    are as many drives as domains.
    """
    left = [
        sum(domain * shelf.drives_each + i not in lost for i in range(shelf.drives_each))
        for domain in range(shelf.domains_count)
    ]
    order = sorted(
        (domain for domain in range(shelf.domains_count) if left[domain]),
        key=lambda domain: -draw(group, -1 - domain, left[domain]),
    )
    found = []
    for domain in order[:shards]:
        first = domain * shelf.drives_each
        drives = [d for d in range(first, first + shelf.drives_each) if d not in lost]
        found.append(max(drives, key=lambda drive: draw(group, drive, 1.0)))
    return tuple(found)
