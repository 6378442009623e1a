"""RAID-5, RAID-6 and triple parity, declustered too: reads of lost chunks, ways to write. [ms]

With the first parity a lost chunk is the sum of the others; with the second as well any two can be
worked out (Anvin, The mathematics of RAID-6), with a third any three (Leventhal 2009). So N - 2
disks tell all of a RAID-6, N - 1 of a RAID-5. A write that is not of a whole stripe goes the way
that reads fewer chunks, of those that are possible, as Linux md weighs them (drivers/md/raid5.c):

* read, modify, write: old data of the chunks written, and the parities; none of those may be lost.
* reconstruct: the other data chunks, so that parities are worked out anew; none may be lost.
* read all: N - 2 chunks (RAID-5: N - 1), what is lost worked out from them; always possible.
* plain: where no parity of a stripe is left there is nothing to keep up to date.

Lost disks are left out. Where md reads all N - 1 survivors of a RAID-6, and in the same way for one
lost chunk, we read what suffices: the second parity is left, or the first when that is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import serve
from capmodels.storage.simulator.op_kernel import phase
from capmodels.storage.simulator.spread_kernel import spread_member

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine

# How a write to a stripe goes.
FULL, MODIFY, RECONSTRUCT, READ_ALL, PLAIN = range(5)


@kernel
def parity_disk(stripe: int, width: int) -> int:
    """Disk with the first parity of a stripe, left-symmetric as Linux md has it."""
    return width - 1 - stripe % width


@kernel
def parity_member(stripe: int, index: int, width: int, parities: int) -> int:
    """Disk of a stripe's chunk; the data follow the parities round, which come last by number."""
    return (parity_disk(stripe, width) + parities + index) % width


@kernel
def member(m: Machine, stripe: int, index: int) -> tuple[int, int]:
    """Disk of a stripe's chunk, and the chunk's number there; data come first, then parities."""
    if m.plan[k.LAYOUT] == k.DECLUSTERED:
        return spread_member(m, stripe, index)
    return parity_member(stripe, index, m.plan[k.WIDTH], m.plan[k.PARITIES]), stripe


@kernel
def read_parity(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """A read of a RAID-5 or RAID-6, stripe by stripe; lost chunks from the survivors. [ms]"""
    sector, left, _write, extra = op
    row = m.plan[k.CHUNK] * (m.plan[k.WIDTH] - m.plan[k.PARITIES])
    done = t
    while left > 0:
        size = min(left, row - sector % row)
        done = max(done, read_stripe(m, t, (sector, size, False, extra), rng))
        sector += size
        left -= size
    return done


@kernel
def read_stripe(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """A read inside one stripe; where a chunk of it is lost, of as many others as hold data. [ms]

    Chunks that are read anyway are read once: of a whole stripe without one of its data only a
    parity comes in its place. With one disk of a RAID-6 lost, that is never the second parity.
    """
    sector, size, write, extra = op
    chunk, width = m.plan[k.CHUNK], m.plan[k.WIDTH]
    needed = width - m.plan[k.PARITIES]
    stripe, within = divmod(sector, chunk * needed)
    low, high = within // chunk, (within + size - 1) // chunk
    begin, end = chunk, 0  # of what the lost chunks have to be worked out of
    if m.plan[k.LOST_COUNT] > 0:
        for index in range(low, high + 1):
            if m.now[member(m, stripe, index)[0], k.LOST] == 1:
                m.tally[k.LOST_READS] += 1
                begin = min(begin, max(within - index * chunk, 0))
                end = max(end, min(within + size - index * chunk, chunk))
    done = t
    for index in range(low, high + 1) if end == 0 else range(width):
        d, place = member(m, stripe, index)
        if needed == 0 or m.now[d, k.LOST] == 1:
            continue
        needed -= 1
        first, last = begin, end
        if low <= index <= high:
            first = min(first, max(within - index * chunk, 0))
            last = max(last, min(within + size - index * chunk, chunk))
        one = (place * chunk + first, last - first, write, extra)
        done = max(done, serve(m, d, t, one, rng))
    return done


@kernel
def losses_in(m: Machine, stripe: int, low: int, high: int) -> tuple[int, int, int]:
    """Lost chunks of a stripe: among the data ``low`` to ``high``, other data, parities."""
    width, parities = m.plan[k.WIDTH], m.plan[k.PARITIES]
    written = others = checks = 0
    for index in range(width):
        if m.now[member(m, stripe, index)[0], k.LOST] == 0:
            continue
        if index >= width - parities:
            checks += 1
        elif low <= index <= high:
            written += 1
        else:
            others += 1
    return written, others, checks


@kernel
def cheaper_way(touched: int, data: int, parities: int) -> int:
    """Read-modify-write or reconstruct: the one that reads fewer chunks of a stripe in order."""
    if touched == data or touched + parities <= data - touched:
        return MODIFY
    return RECONSTRUCT


@kernel
def degraded_way(m: Machine, stripe: int, low: int, high: int) -> k.Op:
    """How a part of a stripe is written with disks lost, and how many parities that reads."""
    data = m.plan[k.WIDTH] - m.plan[k.PARITIES]
    written, others, checks = losses_in(m, stripe, low, high)
    touched, left = high - low + 1, m.plan[k.PARITIES] - checks
    if left == 0:
        return PLAIN, 0
    if written > 0:
        if others > 0 or touched == data:
            return READ_ALL, written + others
        return RECONSTRUCT, 0
    if others > 0:
        # To read all takes as many chunks as there are data.
        return (READ_ALL, others) if data < touched + left else (MODIFY, left)
    way = cheaper_way(touched, data, left)
    return way, left if way == MODIFY else 0


@kernel
def way_to_write(m: Machine, sector: int, size: int) -> k.Op:
    """How a write inside one stripe goes, and how many parities it reads first."""
    chunk, width, parities = m.plan[k.CHUNK], m.plan[k.WIDTH], m.plan[k.PARITIES]
    data = width - parities
    if size == data * chunk:
        return FULL, 0
    stripe = sector // (chunk * data)
    low = sector // chunk - stripe * data
    high = (sector + size - 1) // chunk - stripe * data
    if m.plan[k.LOST_COUNT] > 0:
        return degraded_way(m, stripe, low, high)
    way = cheaper_way(high - low + 1, data, parities)
    return way, parities if way == MODIFY else 0


@kernel
def has_two_phases(m: Machine, way: int) -> bool:
    """Whether reads come first and writes when they are done, not both in one go."""
    return bool(way in (RECONSTRUCT, READ_ALL) or (way == MODIFY and m.plan[k.LOCKED_RMW] == 0))


@kernel
def reads_data(way: int, is_written: bool) -> bool:
    """Whether a way to write reads a data chunk first."""
    if way == MODIFY:
        return is_written
    return way == READ_ALL or (way == RECONSTRUCT and not is_written)


@kernel
def between_ms(m: Machine, d: int, sectors: int) -> float:
    """What a small write adds to a write in place: a turn, or a flash drive's read. [ms]"""
    p = m.par[d]
    if p[k.IS_SSD] == 1:
        together = p[k.READ_HOLD] > 0 or p[k.DIE_SECTORS] > 0
        at_once = p[k.CHANNELS] if together else 1.0
        return float(p[k.READ_LATENCY] + sectors * p[k.READ_MS_PER_SECTOR] / at_once)
    return float(p[k.TURN])


@kernel
def part_of(chunk: int, sector: int, size: int, nth: int) -> tuple[int, int]:
    """Where a write inside a stripe begins on a disk, and its sectors there.

    ``nth`` counts the chunks written from 0 on; -1: what the parities have to follow, all sectors
    that any chunk changes.
    """
    first = sector % chunk
    last = first + size
    if nth >= 0:
        start = max(first - nth * chunk, 0)
        return start, min(last - nth * chunk, chunk) - start
    if last <= chunk:
        return first, size
    return 0, min(size, chunk)


@kernel
def write_stripe(m: Machine, t: float, op: k.Op, step: int, rng: np.random.Generator) -> k.Op:
    """One phase of a write inside one stripe: its end, and whether a second phase follows.

    Of each chunk only what changes is read and written, of the parities as much as any chunk.
    """
    sector, size, _write, _extra = op
    chunk, width, parities = m.plan[k.CHUNK], m.plan[k.WIDTH], m.plan[k.PARITIES]
    data = width - parities
    stripe = sector // (chunk * data)
    low = sector // chunk - stripe * data
    high = (sector + size - 1) // chunk - stripe * data
    way, parities_read = way_to_write(m, sector, size)
    two_phases = has_two_phases(m, way)
    first_only = two_phases and step == 1
    done = t
    for index in range(width):
        d, place = member(m, stripe, index)
        if m.now[d, k.LOST] == 1:
            continue
        is_written = low <= index <= high or (index >= data and way != PLAIN)
        reads = reads_data(way, is_written)
        if index >= data:
            reads = parities_read > 0
            parities_read -= 1
        if not (reads if first_only else is_written):
            continue
        nth = index - low if low <= index <= high and not (first_only and way == READ_ALL) else -1
        offset, length = part_of(chunk, sector, size, nth)
        extra = between_ms(m, d, length) if way == MODIFY and not two_phases else 0.0
        m.tally[k.PARITY_OPS] += 2 if extra > 0 else 1
        done = max(
            done, serve(m, d, t, (place * chunk + offset, length, not first_only, extra), rng)
        )
    return done, two_phases


@kernel
def write_parity(m: Machine, t: float, op: k.Op, step: int, rng: np.random.Generator) -> k.Op:
    """One phase of a write to RAID-5 or RAID-6: its end, and whether a second one follows."""
    sector, left, write, extra = op
    row = m.plan[k.CHUNK] * (m.plan[k.WIDTH] - m.plan[k.PARITIES])
    done, again = t, False
    while left > 0:
        size = min(left, row - sector % row)
        end, more = write_stripe(m, t, (sector, size, write, extra), step, rng)
        if step == 1 or more:
            done = max(done, end)
        again = again or more
        sector += size
        left -= size
    return done, again


@kernel
def parity_write_again(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """The second phase of a write: only the stripes that need one. Returns its end. [ms]"""
    sector, left, write, extra = op
    row = m.plan[k.CHUNK] * (m.plan[k.WIDTH] - m.plan[k.PARITIES])
    done = t
    while left > 0:
        size = min(left, row - sector % row)
        if has_two_phases(m, way_to_write(m, sector, size)[0]):
            end, _more = write_stripe(m, t, (sector, size, write, extra), phase(2), rng)
            done = max(done, end)
        sector += size
        left -= size
    return done
