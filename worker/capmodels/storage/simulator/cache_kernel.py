"""The blocks that a cache holds: least recently used, clean and dirty lists, hash by number.

Entries 0 and 1 of ``links`` head the clean and the dirty list. Columns: newer, older, block, dirty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Held

NEWER, OLDER, BLOCK, DIRTY = range(4)
CLEAN_HEAD, DIRTY_HEAD = 0, 1


@kernel
def slot_of(held: Held, block: int) -> int:
    """Place in the table at which a block is, or would be put."""
    mask = held.table.size - 1
    slot = ((block * 0x9E3779B97F4A7C1) >> 17) & mask
    while held.table[slot] != 0 and held.links[held.table[slot], BLOCK] != block:
        slot = (slot + 1) & mask
    return slot


@kernel
def unlink(held: Held, entry: int) -> None:
    """Take an entry out of its list."""
    newer, older = held.links[entry, NEWER], held.links[entry, OLDER]
    held.links[newer, OLDER] = older
    held.links[older, NEWER] = newer


@kernel
def link_newest(held: Held, entry: int, head: int) -> None:
    """Put an entry at the young end of a list."""
    oldest_side = held.links[head, OLDER]
    held.links[entry, OLDER] = oldest_side
    held.links[entry, NEWER] = head
    held.links[oldest_side, NEWER] = entry
    held.links[head, OLDER] = entry


@kernel
def remove_slot(held: Held, slot: int) -> None:
    """Empty a place of the table and move up those that were pushed past it."""
    mask = held.table.size - 1
    hole = slot
    here = (slot + 1) & mask
    while held.table[here] != 0:
        home = ((held.links[held.table[here], BLOCK] * 0x9E3779B97F4A7C1) >> 17) & mask
        if ((here - home) & mask) >= ((here - hole) & mask):
            held.table[hole] = held.table[here]
            hole = here
        here = (here + 1) & mask
    held.table[hole] = 0


@kernel
def used(held: Held) -> int:
    """Blocks held."""
    return held.links[CLEAN_HEAD, BLOCK] + held.links[DIRTY_HEAD, BLOCK]


@kernel
def touch(held: Held, block: int) -> bool:
    """Whether a block is held; if so it becomes the youngest of its list."""
    entry = held.table[slot_of(held, block)]
    if entry == 0:
        return False
    unlink(held, entry)
    link_newest(held, entry, DIRTY_HEAD if held.links[entry, DIRTY] else CLEAN_HEAD)
    return True


@kernel
def insert(held: Held, block: int, dirty: bool) -> int:
    """Hold a block; return the number of a dirty block that had to go, or -1.

    The oldest clean block goes first. A free entry is found in the list of the hole: entries
    are numbered from 2 and never given back, only reused.
    """
    slot = slot_of(held, block)
    entry = held.table[slot]
    evicted = -1
    head = DIRTY_HEAD if dirty else CLEAN_HEAD
    if entry != 0:
        unlink(held, entry)
        held.links[DIRTY_HEAD if held.links[entry, DIRTY] else CLEAN_HEAD, BLOCK] -= 1
    elif used(held) < held.links.shape[0] - 2:
        entry = 2 + used(held)
        held.table[slot] = entry
    else:
        victims = CLEAN_HEAD if held.links[CLEAN_HEAD, BLOCK] > 0 else DIRTY_HEAD
        entry = held.links[victims, NEWER]
        if victims == DIRTY_HEAD:
            evicted = held.links[entry, BLOCK]
        remove_slot(held, slot_of(held, held.links[entry, BLOCK]))
        unlink(held, entry)
        held.links[victims, BLOCK] -= 1
        slot = slot_of(held, block)
        held.table[slot] = entry
    held.links[entry, BLOCK] = block
    held.links[entry, DIRTY] = 1 if dirty else 0
    held.links[head, BLOCK] += 1
    link_newest(held, entry, head)
    return evicted


@kernel
def make_clean(held: Held, block: int) -> bool:
    """Turn a dirty block clean, the youngest of the clean ones; False when it is not dirty."""
    entry = held.table[slot_of(held, block)]
    if entry == 0 or held.links[entry, DIRTY] == 0:
        return False
    unlink(held, entry)
    held.links[DIRTY_HEAD, BLOCK] -= 1
    held.links[entry, DIRTY] = 0
    held.links[CLEAN_HEAD, BLOCK] += 1
    link_newest(held, entry, CLEAN_HEAD)
    return True


@kernel
def clean_run(held: Held, chunk: int) -> tuple[int, int]:
    """Turn the oldest dirty block clean, and the dirty ones next to it in its chunk.

    Returns the first block and their number, 0 when none is dirty.
    """
    if held.links[DIRTY_HEAD, BLOCK] == 0:
        return 0, 0
    oldest = held.links[held.links[DIRTY_HEAD, NEWER], BLOCK]
    make_clean(held, oldest)
    low = high = oldest
    while low % chunk != 0 and make_clean(held, low - 1):
        low -= 1
    while (high + 1) % chunk != 0 and make_clean(held, high + 1):
        high += 1
    return low, high - low + 1
