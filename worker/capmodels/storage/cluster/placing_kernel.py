"""Where shards lie, as in ``placement``, of many groups at once; where lost ones are rebuilt."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GOLDEN, _FIRST, _SECOND = (
    np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_WHOLE = 2.0**64 + 1


@kernel
def mixed(found: np.uint64) -> np.uint64:
    """One step of SplitMix64, as in ``placement.hashed``."""
    found = found + _GOLDEN
    found = (found ^ (found >> _30)) * _FIRST
    found = (found ^ (found >> _27)) * _SECOND
    return found ^ (found >> _31)


@kernel
def draw(group: int, candidate: int, weight: float) -> float:
    """What a candidate draws for a group, as ``placement.draw``."""
    if weight <= 0:
        return -math.inf
    hashed = mixed(mixed(np.uint64(group)) ^ np.uint64(candidate))
    return math.log((float(hashed) + 1) / _WHOLE) / weight


@kernel
def best_drive(group: int, domain: int, first: NDArray[np.int64], lost: NDArray[np.uint8]) -> int:
    """The drive of a domain that wins a group; its drives are those from ``first[domain]`` on."""
    found, most = -1, -math.inf
    for drive in range(first[domain], first[domain + 1]):
        drawn = -math.inf if lost[drive] else draw(group, drive, 1.0)
        if drawn > most:
            found, most = drive, drawn
    return found


@kernel
def placed(
    groups: int, shards: int, first: NDArray[np.int64], lost: NDArray[np.uint8]
) -> NDArray[np.int32]:
    """Drives of each group's shards, one in a domain, best draw first; shape (groups, shards)."""
    domains = first.size - 1
    found = np.empty((groups, shards), dtype=np.int32)
    drawn = np.empty(domains)
    for group in range(groups):
        for domain in range(domains):
            left = 0
            for drive in range(first[domain], first[domain + 1]):
                left += lost[drive] == 0
            drawn[domain] = draw(group, -1 - domain, float(left))
        for shard in range(shards):
            domain = int(np.argmax(drawn))
            drawn[domain] = -math.inf
            found[group, shard] = best_drive(group, domain, first, lost)
    return found


@kernel
def free_domain(
    group: int, held: NDArray[np.int32], first: NDArray[np.int64], lost: NDArray[np.uint8]
) -> int:
    """The domain without a shard of the group that wins it, -1 where there is none."""
    most, chosen = -math.inf, -1
    for domain in range(first.size - 1):
        left = 0
        for drive in range(first[domain], first[domain + 1]):
            left += lost[drive] == 0
        for drive in held:
            if first[domain] <= drive < first[domain + 1] and not lost[drive]:
                left = 0
        drawn = draw(group, -1 - domain, float(left))
        if drawn > most:
            most, chosen = drawn, domain
    return chosen


@kernel
def rebuilt(
    found: NDArray[np.int32], first: NDArray[np.int64], lost: NDArray[np.uint8]
) -> NDArray[np.int32]:
    """Drives of each group once what was lost is rebuilt: in domains that hold none of its shards.

    Where there is no such domain, on what replaces the lost drive.
    """
    after = found.copy()
    for group in range(found.shape[0]):
        for shard in range(found.shape[1]):
            if lost[found[group, shard]]:
                domain = free_domain(group, after[group], first, lost)
                if domain >= 0:
                    after[group, shard] = best_drive(group, domain, first, lost)
    return after
