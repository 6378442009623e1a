"""Least-recently-used stack distances of block accesses, all of them or a sample of the blocks.

Mattson et al. 1970 with the counting tree of Bennett and Kruskal 1975; blocks are sampled by
their hash as in SHARDS (Waldspurger et al. 2015), so that every access of a kept block is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A block is kept when its hash of 24 bits lies below the threshold.
HASH_BITS = 24
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_HALF, _REST = np.uint64(32), np.uint64(64 - HASH_BITS)


@kernel
def hash_of(block: int) -> int:
    """Hash of a block's number, evenly spread over ``HASH_BITS`` bits."""
    mixed = np.uint64(block) * _FIRST
    mixed = (mixed ^ (mixed >> _HALF)) * _SECOND
    return int((mixed ^ (mixed >> _HALF)) >> _REST)


@kernel
def kept_count(first: NDArray[np.int64], last: NDArray[np.int64], threshold: int) -> int:
    """Accesses that a sample keeps of requests over the blocks ``first`` to ``last``."""
    count = 0
    for i in range(first.size):
        for block in range(first[i], last[i] + 1):
            if hash_of(block) < threshold:
                count += 1
    return count


@kernel
def kept_accesses(
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    threshold: int,
    blocks: NDArray[np.int64],
    requests: NDArray[np.int64],
) -> None:
    """Write the block and the request of each kept access, in order."""
    count = 0
    for i in range(first.size):
        for block in range(first[i], last[i] + 1):
            if hash_of(block) < threshold:
                blocks[count] = block
                requests[count] = i
                count += 1


@kernel
def _add(tree: NDArray[np.int32], place: int, amount: int) -> None:
    while place < tree.size:
        tree[place] += amount
        place += place & -place


@kernel
def _sum(tree: NDArray[np.int32], place: int) -> int:
    total = 0
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total


@kernel
def stack_distances(blocks: NDArray[np.int64], distinct: int) -> NDArray[np.int64]:
    """Other blocks touched since the last access of the same block; -1 for its first access.

    ``blocks`` are numbered from 0 to ``distinct`` - 1. A least-recently-used cache of C blocks
    hits when the distance is below C.
    """
    distances = np.empty(blocks.size, dtype=np.int64)
    tree = np.zeros(blocks.size + 1, dtype=np.int32)
    last = np.zeros(distinct, dtype=np.int64)
    seen = 0
    for i in range(blocks.size):
        before = last[blocks[i]]
        if before == 0:
            distances[i] = -1
            seen += 1
        else:
            distances[i] = seen - _sum(tree, before)
            _add(tree, before, -1)
        _add(tree, i + 1, 1)
        last[blocks[i]] = i + 1
    return distances
