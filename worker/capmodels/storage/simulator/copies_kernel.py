"""Copies in free space, what is decided: which blocks are copied where, and who reads them.

After Huang 2006, sections 5.3 and 5.4. Entries of the pool are found by disk and block; those of
a region are linked in the order of their places, so that its gaps are seen and it can be dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.ordering_kernel import in_order
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.simulator.slots import Machine

_MASK = c.TABLE_SIZE - 1
_HASH = 0x9E3779B97F4A7C1


@kernel
def key_of(d: int, block: int) -> int:
    """One number for a block of a disk."""
    return block * 128 + d


@kernel
def slot_of(m: Machine, key: int) -> int:
    """Place in the table at which a block is, or would be put."""
    slot = ((key * _HASH) >> 17) & _MASK
    while m.replica_table[slot] != 0 and m.replicas[m.replica_table[slot], c.KEY] != key:
        slot = (slot + 1) & _MASK
    return slot


@kernel
def entry_of(m: Machine, d: int, block: int) -> int:
    """Entry of a block, 0 when it has none."""
    return int(m.replica_table[slot_of(m, key_of(d, block))])


@kernel
def empty_slot(m: Machine, slot: int) -> None:
    """Empty a place of the table and move up those that were pushed past it."""
    hole = slot
    here = (slot + 1) & _MASK
    while m.replica_table[here] != 0:
        home = ((m.replicas[m.replica_table[here], c.KEY] * _HASH) >> 17) & _MASK
        if ((here - home) & _MASK) >= ((here - hole) & _MASK):
            m.replica_table[hole] = m.replica_table[here]
            hole = here
        here = (here + 1) & _MASK
    m.replica_table[hole] = 0


@kernel
def new_entry(m: Machine) -> int:
    """An entry of the pool that is free, 0 when there is none."""
    entry = m.copying[c.FREE_ENTRY]
    if entry != 0:
        m.copying[c.FREE_ENTRY] = m.replica_links[entry, c.NEXT]
        return int(entry)
    if m.copying[c.USED] + 1 >= c.REPLICAS_MAX:
        m.copying[c.TABLE_FULL] = 1
        return 0
    m.copying[c.USED] += 1
    return int(m.copying[c.USED])


@kernel
def give_back(m: Machine, entry: int) -> None:
    """Return an entry to the pool."""
    m.replica_links[entry, c.NEXT] = m.copying[c.FREE_ENTRY]
    m.copying[c.FREE_ENTRY] = entry


@kernel
def unlink(m: Machine, ends: NDArray[np.int64], entry: int) -> None:
    """Take an entry out of the list between ``ends``."""
    before, after = m.replica_links[entry, c.PREVIOUS], m.replica_links[entry, c.NEXT]
    if before != 0:
        m.replica_links[before, c.NEXT] = after
    else:
        ends[c.FIRST] = after
    if after != 0:
        m.replica_links[after, c.PREVIOUS] = before
    else:
        ends[c.LAST] = before


@kernel
def link_after(m: Machine, ends: NDArray[np.int64], before: int, entry: int) -> None:
    """Put an entry behind another one of the list between ``ends``, or at its start (0)."""
    if before != 0:
        after = m.replica_links[before, c.NEXT]
        m.replica_links[before, c.NEXT] = entry
    else:
        after = ends[c.FIRST]
        ends[c.FIRST] = entry
    m.replica_links[entry, c.PREVIOUS] = before
    m.replica_links[entry, c.NEXT] = after
    if after != 0:
        m.replica_links[after, c.PREVIOUS] = entry
    else:
        ends[c.LAST] = entry


@kernel
def region_of(m: Machine, block: int) -> int:
    """Region of a disk that holds a block."""
    return min(block // m.copying[c.REGION_BLOCKS], m.copying[c.REGIONS] - 1)


@kernel
def row_of(m: Machine, d: int, region: int) -> int:
    """Row of ``regions`` for a region of a disk."""
    return d * m.copying[c.REGIONS] + region


@kernel
def spare_of(m: Machine, region: int) -> tuple[int, int]:
    """First block and number of blocks that files leave free at the end of a region."""
    start = region * m.copying[c.REGION_BLOCKS]
    if region == m.copying[c.REGIONS] - 1:
        spare = m.copying[c.LAST_SPARE]
        return m.copying[c.DISK_BLOCKS] - spare, spare
    spare = m.copying[c.SPARE]
    return start + m.copying[c.REGION_BLOCKS] - spare, spare


@kernel
def free_share(m: Machine, d: int, more: int) -> float:
    """Share of a disk that neither files nor copies take, with so many blocks ``more`` free."""
    return (m.layers[d, c.FREE] + more) * c.BLOCK_SECTORS / m.copying[c.DISK_SECTORS]


@kernel
def count_use(m: Machine, d: int, block: int) -> None:
    """Count an operation for the region of a block, and the regions in the order of first use."""
    region = region_of(m, block)
    row = row_of(m, d, region)
    if m.regions[row, c.IO] == 0:
        m.regions[row_of(m, d, m.layers[d, c.TOUCHED]), c.ORDER] = region
        m.layers[d, c.TOUCHED] += 1
    m.regions[row, c.IO] += 1


@kernel
def see(m: Machine, d: int, block: int) -> None:
    """Remember a block that was read, unless it is known."""
    key = key_of(d, block)
    slot = slot_of(m, key)
    if m.replica_table[slot] != 0:
        return
    entry = new_entry(m)
    if entry == 0:
        m.layers[d, c.NO_ROOM] += 1
        return
    m.replica_table[slot] = entry
    m.replicas[entry, c.KEY] = key
    m.replicas[entry, c.PLACE] = c.SEEN_ONLY
    link_after(m, m.layers[d], m.layers[d, c.LAST], entry)
    m.layers[d, c.SEEN] += 1


@kernel
def drop(m: Machine, d: int, entry: int) -> bool:
    """Forget a block; whether it had a copy, whose place is free again."""
    empty_slot(m, slot_of(m, m.replicas[entry, c.KEY]))
    place = m.replicas[entry, c.PLACE]
    if place == c.SEEN_ONLY:
        unlink(m, m.layers[d], entry)
        m.layers[d, c.SEEN] -= 1
        give_back(m, entry)
        return False
    row = row_of(m, d, region_of(m, place))
    unlink(m, m.regions[row], entry)
    m.regions[row, c.PLACED] -= 1
    m.layers[d, c.FREE] += 1
    if m.replica_links[entry, c.USES] == c.UNWRITTEN:
        # It stands in the list of writes still, and goes when its turn comes.
        m.replicas[entry, c.PLACE] = c.GONE
    else:
        m.layers[d, c.LIVE] -= 1
        give_back(m, entry)
    return True


@kernel
def whole_copy(m: Machine, d: int, first: int, last: int) -> int:
    """Block at which the copies of all blocks start, -1 when not all have one in one piece."""
    start = -1
    for block in range(first, last + 1):
        entry = entry_of(m, d, block)
        if entry == 0 or m.replicas[entry, c.PLACE] < 0:
            return -1
        if m.replica_links[entry, c.USES] == c.UNWRITTEN:
            return -1
        if start < 0:
            start = m.replicas[entry, c.PLACE]
        elif m.replicas[entry, c.PLACE] != start + block - first:
            return -1
    return int(start)


@kernel
def turned(m: Machine, d: int, sector: int, sectors: int, write: bool) -> int:
    """Where an operation starts: a read at a copy of all of it that is nearer to the head.

    A write makes the copies of its blocks invalid; they are never brought up to date.
    """
    first, last = sector // c.BLOCK_SECTORS, (sector + sectors - 1) // c.BLOCK_SECTORS
    if write:
        count_use(m, d, first)
        invalidate(m, d, first, last)
        return sector
    m.layers[d, c.READS] += 1
    place = whole_copy(m, d, first, last)
    if place >= 0:
        start = place * c.BLOCK_SECTORS + sector % c.BLOCK_SECTORS
        head = max(int(m.now[d, k.LAST_END]), 0)
        if abs(start - head) < abs(sector - head):
            m.layers[d, c.HITS] += 1
            count_use(m, d, place)
            use(m, d, first, last)
            return start
    count_use(m, d, first)
    for block in range(first, last + 1):
        see(m, d, block)
    return sector


@kernel
def use(m: Machine, d: int, first: int, last: int) -> None:
    """Note that the copies of these blocks were used."""
    for block in range(first, last + 1):
        entry = entry_of(m, d, block)
        m.layers[d, c.CLOCK] += 1
        m.replicas[entry, c.USED_AT] = m.layers[d, c.CLOCK]
        m.replica_links[entry, c.USES] = min(m.replica_links[entry, c.USES] + 1, c.USES_MAX)


@kernel
def invalidate(m: Machine, d: int, first: int, last: int) -> None:
    """Forget what is known of these blocks, and drop their copies."""
    for block in range(first, last + 1):
        entry = entry_of(m, d, block)
        if entry != 0 and drop(m, d, entry):
            m.layers[d, c.INVALIDATED] += 1


@kernel
def fill(m: Machine, d: int, row: int, before: int, gap: tuple[int, int]) -> None:
    """Place the next blocks of the list into a gap (first place, blocks) behind an entry."""
    layer = m.layers[d]
    for place in range(gap[0], gap[0] + gap[1]):
        entry = layer[c.FIRST]
        unlink(m, layer, entry)
        link_after(m, m.regions[row], before, entry)
        before = entry
        layer[c.CLOCK] += 1
        m.replicas[entry, c.PLACE] = place
        m.replicas[entry, c.USED_AT] = layer[c.CLOCK]
        m.replica_links[entry, c.USES] = c.UNWRITTEN
        m.replica_links[entry, c.NEXT_WRITE] = 0
        if layer[c.FIRST_WRITE] == 0:
            layer[c.FIRST_WRITE] = entry
        else:
            m.replica_links[layer[c.LAST_WRITE], c.NEXT_WRITE] = entry
        layer[c.LAST_WRITE] = entry
    layer[c.SEEN] -= gap[1]
    layer[c.FREE] -= gap[1]
    m.regions[row, c.PLACED] += gap[1]


@kernel
def fill_gaps(m: Machine, d: int, region: int, wanted: int) -> int:
    """Place up to ``wanted`` blocks into the gaps of a region, long ones first; how many."""
    row = row_of(m, d, region)
    edge, spare = spare_of(m, region)
    end = edge + spare
    gaps = np.empty((m.regions[row, c.PLACED] + 1, 3), np.int64)
    count, before, entry = 0, 0, m.regions[row, c.FIRST]
    while True:
        place = m.replicas[entry, c.PLACE] if entry != 0 else end
        if place > edge:
            gaps[count, 0], gaps[count, 1], gaps[count, 2] = edge, place - edge, before
            count += 1
        if entry == 0:
            break
        edge, before, entry = place + 1, entry, m.replica_links[entry, c.NEXT]
    placed = 0
    for i in in_order(-gaps[:count, 1]):
        size = min(gaps[i, 1], wanted - placed)
        fill(m, d, row, gaps[i, 2], (gaps[i, 0], size))
        placed += size
    return placed


@kernel
def place_in(m: Machine, d: int, region: int, wanted: int) -> int:
    """Place up to ``wanted`` blocks in the free space of a region; how many found room."""
    row = row_of(m, d, region)
    start, spare = spare_of(m, region)
    if wanted <= 0 or m.regions[row, c.PLACED] >= spare:
        return 0
    last = m.regions[row, c.LAST]
    edge = m.replicas[last, c.PLACE] + 1 if last != 0 else start
    tail = start + spare - edge
    if tail <= edge - start - m.regions[row, c.PLACED]:
        return fill_gaps(m, d, region, wanted)
    # What is left behind the last copy is longer than all gaps together: no need to look.
    size = min(tail, wanted)
    fill(m, d, row, last, (edge, size))
    if size == wanted or m.regions[row, c.PLACED] == spare:
        return int(size)
    return int(size) + fill_gaps(m, d, region, wanted - size)


@kernel
def place_near(m: Machine, d: int, hot: int, wanted: int) -> int:
    """As ``place_in``, in the regions within 5% of the disk, those with more room first."""
    count = m.copying[c.REGIONS]
    reach = max(int(count * c.NEIGHBOR_FRACTION), 1)
    low, high = max(hot - reach, 0), min(hot + reach + 1, count)
    room = np.empty(high - low, np.int64)
    for region in range(low, high):
        room[region - low] = spare_of(m, region)[1] - m.regions[row_of(m, d, region), c.PLACED]
    placed = 0
    for i in in_order(-room):
        if placed == wanted:
            break
        if low + i != hot:
            placed += place_in(m, d, low + i, wanted - placed)
    return placed


@kernel
def hottest(m: Machine, d: int) -> int:
    """Region with the most operations of the epoch, of several the one used first."""
    best, most = -1, 0
    for i in range(m.layers[d, c.TOUCHED]):
        region = m.regions[row_of(m, d, i), c.ORDER]
        if m.regions[row_of(m, d, region), c.IO] > most:
            best, most = region, m.regions[row_of(m, d, region), c.IO]
    return best


@kernel
def forget_seen(m: Machine, d: int, region: int) -> None:
    """Forget blocks that were read: those of a region, or all (-1)."""
    entry = m.layers[d, c.FIRST]
    while entry != 0:
        after = m.replica_links[entry, c.NEXT]
        if region < 0 or region_of(m, m.replicas[entry, c.KEY] >> 7) == region:
            drop(m, d, entry)
        entry = after


@kernel
def close_epoch(m: Machine, d: int) -> int:
    """Give what was read outside the hot region a place in it or near it; how many blocks."""
    layer = m.layers[d]
    suspend_or_resume(m, d)
    hot = hottest(m, d)
    placed = 0
    if hot >= 0:
        forget_seen(m, d, hot)
        room = (free_share(m, d, 0) - c.LOW_FRACTION) * m.copying[c.DISK_SECTORS]
        wanted = min(layer[c.SEEN], max(int(room / c.BLOCK_SECTORS), 0))
        if layer[c.SUSPENDED] == 1:
            wanted = 0
        placed = place_in(m, d, hot, wanted)
        if placed < wanted:
            placed += place_near(m, d, hot, wanted - placed)
        layer[c.NO_ROOM] += layer[c.SEEN]
    forget_seen(m, d, -1)
    for i in range(layer[c.TOUCHED]):
        m.regions[row_of(m, d, m.regions[row_of(m, d, i), c.ORDER]), c.IO] = 0
    layer[c.TOUCHED] = 0
    return placed


@kernel
def suspend_or_resume(m: Machine, d: int) -> None:
    """Stop copying below the low watermark, and start again from the high one on."""
    share = free_share(m, d, 0)
    if share < c.LOW_FRACTION:
        m.layers[d, c.SUSPENDED] = 1
    elif share >= c.HIGH_FRACTION:
        m.layers[d, c.SUSPENDED] = 0


@kernel
def occupy(m: Machine, d: int, blocks: int) -> None:
    """Files take (or, below 0, give back) so much free space; copies make room."""
    m.layers[d, c.FREE] -= blocks
    m.layers[d, c.TAKEN] += blocks
    share = free_share(m, d, 0)
    if share < c.CRITICAL_FRACTION:
        for region in range(m.copying[c.REGIONS]):
            if free_share(m, d, 0) >= c.LOW_FRACTION:
                break
            drop_region(m, d, region)
    elif share < c.LOW_FRACTION:
        drop_cold(m, d)
    suspend_or_resume(m, d)


@kernel
def drop_region(m: Machine, d: int, region: int) -> None:
    """Drop every copy that lies in a region."""
    row = row_of(m, d, region)
    while m.regions[row, c.FIRST] != 0:
        drop(m, d, m.regions[row, c.FIRST])
        m.layers[d, c.RECLAIMED] += 1


@kernel
def drop_cold(m: Machine, d: int) -> None:
    """Drop the copies used least often, of these least recently, up to the low watermark."""
    keys = np.empty(m.copying[c.USED], np.int64)
    entries = np.empty(m.copying[c.USED], np.int64)
    count = 0
    for region in range(m.copying[c.REGIONS]):
        entry = m.regions[row_of(m, d, region), c.FIRST]
        while entry != 0:
            uses = np.int64(m.replica_links[entry, c.USES] + 1)
            keys[count], entries[count] = (uses << 40) | m.replicas[entry, c.USED_AT], entry
            count += 1
            entry = m.replica_links[entry, c.NEXT]
    needed = 0
    while needed < count and free_share(m, d, needed) < c.LOW_FRACTION:
        needed += 1
    if needed == 0:
        return
    limit = np.sort(keys[:count])[needed - 1]
    for i in range(count):
        if keys[i] <= limit:
            drop(m, d, entries[i])
            m.layers[d, c.RECLAIMED] += 1


@kernel
def next_piece(m: Machine, d: int) -> tuple[int, int]:
    """The next copies to write in one operation: first sector and sectors, 0 for none."""
    layer = m.layers[d]
    while layer[c.FIRST_WRITE] != 0 and m.replicas[layer[c.FIRST_WRITE], c.PLACE] == c.GONE:
        leave_writes(m, d)
    entry = layer[c.FIRST_WRITE]
    first = m.replicas[entry, c.PLACE]
    count = 0
    while entry != 0 and count < c.PIECE_BLOCKS and m.replicas[entry, c.PLACE] == first + count:
        count += 1
        entry = m.replica_links[entry, c.NEXT_WRITE]
    layer[c.FLIGHT] = count
    return first * c.BLOCK_SECTORS, count * c.BLOCK_SECTORS


@kernel
def leave_writes(m: Machine, d: int) -> None:
    """Take the first entry off the list of writes; it is a copy now unless it has gone."""
    layer = m.layers[d]
    entry = layer[c.FIRST_WRITE]
    layer[c.FIRST_WRITE] = m.replica_links[entry, c.NEXT_WRITE]
    if m.replicas[entry, c.PLACE] == c.GONE:
        give_back(m, entry)
    else:
        m.replica_links[entry, c.USES] = 0
        layer[c.LIVE] += 1


@kernel
def piece_written(m: Machine, d: int) -> None:
    """The copies of the write that was under way can be read from now on."""
    layer = m.layers[d]
    layer[c.WRITES] += 1
    layer[c.COPIED] += layer[c.FLIGHT]
    for _ in range(layer[c.FLIGHT]):
        leave_writes(m, d)
    layer[c.FLIGHT] = 0


@kernel
def write_later(m: Machine, d: int, sector: int, sectors: int) -> None:
    """A sleeping disk will be written to: its copies of these blocks are invalid from now on."""
    if m.layers[d, c.HAS_LAYER] == 1:
        invalidate(m, d, sector // c.BLOCK_SECTORS, (sector + sectors - 1) // c.BLOCK_SECTORS)
