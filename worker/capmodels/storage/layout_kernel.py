"""An array: which disks a request takes, and when the last of them is done. [ms]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

from capmodels.storage import array_slots as k
from capmodels.storage.device_kernel import is_awake, pop_done, serve, sleep_rank, wake
from capmodels.storage.place_kernel import place_on_tracks

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.array_slots import Machine


@njit(cache=True)
def shortest(m: Machine, first: int, last: int, t: float, awake_only: bool) -> int:
    """First disk of [first, last) with the shortest queue, -1 when none is fit."""
    best, best_queue = -1, 1 << 62
    for d in range(first, last):
        if d == m.plan[k.FAILED]:
            continue
        queue = pop_done(m, d, t)
        if queue < best_queue and (not awake_only or is_awake(m, d, t)):
            best, best_queue = d, queue
    return best


@njit(cache=True)
def open_another(m: Machine, first: int, last: int, t: float) -> int:
    """Start waking one sleeping disk unless enough are waking; return it or -1."""
    waking, best, best_rank = 0, -1, 9
    for d in range(first, last):
        if d == m.plan[k.FAILED]:
            continue
        if m.now[d, k.READY] > t:
            waking += 1
        elif not is_awake(m, d, t):
            rank = sleep_rank(m, d, t)
            if rank < best_rank:
                best, best_rank = d, rank
    if best < 0 or waking >= m.plan[k.MAX_WAKES]:
        return -1
    wake(m, best, t)
    return best


@njit(cache=True)
def expected(m: Machine, d: int, t: float, queue: int) -> float:
    """Expected response of a request that joins a disk. [ms]"""
    wait = max(m.now[d, k.FREE] - t, 0.0) + m.par[d, k.MEAN_SERVICE]
    if m.plan[k.SCHEDULER] != k.FCFS:
        wait += max(queue - 1, 0) * m.par[d, k.MEAN_SERVICE]
    return wait


@njit(cache=True)
def primary_first(m: Machine, first: int, last: int, t: float) -> int:
    """Fill one disk up to the threshold, then open the next (Papathanasiou and Scott 2004)."""
    by_time = m.plan[k.DISPATCH] == k.RESPONSE_TIME
    for d in range(first, last):
        if d == m.plan[k.FAILED]:
            continue
        queue = pop_done(m, d, t)
        if not is_awake(m, d, t):
            continue
        if by_time:
            if queue == 0 or expected(m, d, t, queue) < m.share[k.RESPONSE_MAX]:
                return d
        elif queue < m.plan[k.THRESHOLD]:
            return d
    opened = open_another(m, first, last, t)
    if opened >= 0 and m.plan[k.WAKE_BINDING] == 1:
        return opened
    best = shortest(m, first, last, t, True)
    return best if best >= 0 else shortest_waking(m, first, last, t)


@njit(cache=True)
def shortest_waking(m: Machine, first: int, last: int, t: float) -> int:
    """Among the disks that are waking, the one with the shortest queue; else any."""
    best, best_queue = -1, 1 << 62
    for d in range(first, last):
        if d != m.plan[k.FAILED] and m.now[d, k.READY] > t:
            queue = m.ends[d, 1] - m.ends[d, 0]
            if queue < best_queue:
                best, best_queue = d, queue
    return best if best >= 0 else shortest(m, first, last, t, False)


@njit(cache=True)
def nearest(m: Machine, first: int, last: int, sector: int) -> int:
    """The disk whose head is nearest to a sector."""
    place = sector / m.par[first, k.SECTORS]
    if m.plan[k.TRACKS] > 0:
        place = float(place_on_tracks(m, sector)[1])
    best, best_distance = -1, math.inf
    for d in range(first, last):
        distance = abs(place - m.now[d, k.HEAD])
        if d != m.plan[k.FAILED] and distance < best_distance:
            best, best_distance = d, distance
    return best


@njit(cache=True)
def round_robin(m: Machine, first: int, last: int) -> int:
    """The next disk in turn."""
    width = last - first
    d = first + m.tally[k.NEXT_ROBIN] % width
    m.tally[k.NEXT_ROBIN] += 1
    return first + (d - first + 1) % width if d == m.plan[k.FAILED] else d


@njit(cache=True)
def choose(m: Machine, group: k.Op, t: float, sector: int, rng: np.random.Generator) -> int:
    """The copy that serves a read, of the disks [first, last)."""
    first, last = group
    way = m.plan[k.DISPATCH]
    if way in (k.PRIMARY_FIRST, k.RESPONSE_TIME):
        return primary_first(m, first, last, t)
    if way == k.SHORTEST:
        return shortest(m, first, last, t, False)
    if way == k.NEAREST:
        return nearest(m, first, last, sector)
    if way == k.ROUND_ROBIN:
        return round_robin(m, first, last)
    d = first + int(rng.random() * (last - first))
    return first + (d - first + 1) % (last - first) if d == m.plan[k.FAILED] else d


@njit(cache=True)
def write_all(m: Machine, group: k.Op, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Write every copy; sleeping ones later when writes are lazy. Returns the last end. [ms]"""
    first, last = group
    lazy = m.plan[k.LAZY_WRITES] == 1
    done = t
    awake = 0
    for d in range(first, last):
        if d == m.plan[k.FAILED]:
            continue
        pop_done(m, d, t)
        if lazy and not is_awake(m, d, t) and m.now[d, k.READY] <= t:
            m.now[d, k.LAZY] += 1.0
            continue
        awake += 1
        done = max(done, serve(m, d, t, op, rng))
    if awake == 0:
        d = first if first != m.plan[k.FAILED] else first + 1
        m.now[d, k.LAZY] -= 1.0
        done = serve(m, d, t, op, rng)
    return done


@njit(cache=True)
def copies(m: Machine, group: k.Op, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """A request to a set of copies. Returns its end. [ms]"""
    if op[2]:
        return write_all(m, group, t, op, rng)
    d = choose(m, group, t, op[0], rng)
    return serve(m, d, t, op, rng)


@njit(cache=True)
def striped(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """A request to RAID-0, RAID-10 or disks one after another. Returns its end. [ms]"""
    sector, left, write, extra = op
    chunk = m.plan[k.CHUNK]
    width = m.plan[k.DISKS]
    pairs = m.plan[k.LAYOUT] == k.RAID10
    columns = width // 2 if pairs else width
    done = t
    while left > 0:
        number, offset = divmod(sector, chunk)
        size = min(left, chunk - offset)
        column = number % columns
        place = (number // columns) * chunk + offset
        if m.plan[k.LAYOUT] == k.CONCAT:
            column, place = number % width, offset
        one = (place, size, write, extra)
        if pairs:
            end = copies(m, (2 * column, 2 * column + 2), t, one, rng)
        else:
            end = serve(m, column, t, one, rng)
        done = max(done, end)
        sector += size
        left -= size
    return done


@njit(cache=True)
def parity_disk(stripe: int, width: int) -> int:
    """Disk with the first parity of a stripe, left-symmetric as Linux md has it."""
    return width - 1 - stripe % width


@njit(cache=True)
def parity_place(number: int, width: int, parities: int) -> tuple[int, int]:
    """Disk and stripe of a data chunk; the data follow the parity round."""
    stripe, index = divmod(number, width - parities)
    return (parity_disk(stripe, width) + parities + index) % width, stripe


@njit(cache=True)
def read_parity(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """A read of a RAID-5 or RAID-6; a lost chunk is read from the survivors. [ms]"""
    sector, left, write, extra = op
    chunk, width, parities = m.plan[k.CHUNK], m.plan[k.DISKS], m.plan[k.PARITIES]
    done = t
    while left > 0:
        number, offset = divmod(sector, chunk)
        size = min(left, chunk - offset)
        d, stripe = parity_place(number, width, parities)
        one = (stripe * chunk + offset, size, write, extra)
        if d == m.plan[k.FAILED]:
            m.tally[k.LOST_READS] += 1
            for other in range(width - parities + 1):
                survivor = (d + 1 + other) % width
                if survivor != d:
                    done = max(done, serve(m, survivor, t, one, rng))
        else:
            done = max(done, serve(m, d, t, one, rng))
        sector += size
        left -= size
    return done


@njit(cache=True)
def writes_whole(m: Machine, stripe: k.Op) -> int:
    """How a write to a stripe goes: 0 full, 1 read-modify-write, 2 reconstruct, 3 plain."""
    touched, covered, data_lost, parity_lost = stripe
    data = m.plan[k.DISKS] - m.plan[k.PARITIES]
    if covered == data * m.plan[k.CHUNK]:
        return 0
    if parity_lost and m.plan[k.PARITIES] == 1:
        return 3
    if data_lost:
        return 2
    modify = 2 * (touched + m.plan[k.PARITIES])
    if modify <= m.plan[k.DISKS] or m.plan[k.FAILED] >= 0 or touched == data:
        return 1
    return 2


@njit(cache=True)
def between_ms(m: Machine, d: int, sectors: int) -> float:
    """What a small write adds to a write in place: a turn, or a flash drive's read. [ms]"""
    p = m.par[d]
    if p[k.IS_SSD] == 1:
        return float(p[k.READ_LATENCY] + sectors * p[k.READ_MS_PER_SECTOR])
    return float(p[k.TURN])


@njit(cache=True)
def write_stripe(m: Machine, t: float, op: k.Op, step: int, rng: np.random.Generator) -> k.Op:
    """One phase of a write inside one stripe: its end, and whether a second phase follows."""
    sector, size, _write, _extra = op
    chunk, width, parities = m.plan[k.CHUNK], m.plan[k.DISKS], m.plan[k.PARITIES]
    data = width - parities
    stripe = sector // (chunk * data)
    parity = parity_disk(stripe, width)
    low = sector // chunk - stripe * data
    high = (sector + size - 1) // chunk - stripe * data
    failed = m.plan[k.FAILED]
    lost = (failed - parity - parities) % width if failed >= 0 else -1
    way = writes_whole(m, (high - low + 1, size, low <= lost <= high, failed == parity))
    two_phases = way == 2 or (way == 1 and m.plan[k.LOCKED_RMW] == 0)
    done = t
    for index in range(width):
        d = (parity + parities + index) % width
        if d == failed:
            continue
        is_written = low <= index <= high or (index >= data and way != 3)
        reads = (way == 2 and index < data and not is_written) or (way == 1 and is_written)
        first_only = two_phases and step == 1
        if not (reads if first_only else is_written):
            continue
        place, length = stripe * chunk, chunk
        if low == high:
            place, length = stripe * chunk + sector % chunk, size
        extra = between_ms(m, d, length) if way == 1 and not two_phases else 0.0
        m.tally[k.PARITY_OPS] += 2 if extra > 0 else 1
        done = max(done, serve(m, d, t, (place, length, not first_only, extra), rng))
    return done, two_phases


@njit(cache=True)
def write_parity(m: Machine, t: float, op: k.Op, step: int, rng: np.random.Generator) -> k.Op:
    """One phase of a write to RAID-5 or RAID-6: its end, and whether a second one follows."""
    sector, left, write, extra = op
    row = m.plan[k.CHUNK] * (m.plan[k.DISKS] - m.plan[k.PARITIES])
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


@njit(cache=True)
def parity_write_again(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """The second phase of a write: only the stripes that need one. Returns its end. [ms]"""
    sector, left, write, extra = op
    row = m.plan[k.CHUNK] * (m.plan[k.DISKS] - m.plan[k.PARITIES])
    done = t
    while left > 0:
        size = min(left, row - sector % row)
        if needs_second(m, sector, size):
            end, _more = write_stripe(m, t, (sector, size, write, extra), 2, rng)
            done = max(done, end)
        sector += size
        left -= size
    return done


@njit(cache=True)
def needs_second(m: Machine, sector: int, size: int) -> bool:
    """Whether a write inside one stripe goes in two phases."""
    chunk, width, parities = m.plan[k.CHUNK], m.plan[k.DISKS], m.plan[k.PARITIES]
    data = width - parities
    stripe = sector // (chunk * data)
    low = sector // chunk - stripe * data
    high = (sector + size - 1) // chunk - stripe * data
    failed = m.plan[k.FAILED]
    parity = parity_disk(stripe, width)
    lost = (failed - parity - parities) % width if failed >= 0 else -1
    way = writes_whole(m, (high - low + 1, size, low <= lost <= high, failed == parity))
    return way == 2 or (way == 1 and m.plan[k.LOCKED_RMW] == 0)


@njit(cache=True)
def to_disks(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> k.Op:
    """A request to the disks (sector, sectors, write, extra): its end, and whether more comes."""
    layout = m.plan[k.LAYOUT]
    if layout == k.SINGLE:
        return serve(m, 0, t, op, rng), False
    if layout == k.MIRROR:
        return copies(m, (0, m.plan[k.DISKS]), t, op, rng), False
    if layout == k.PARITY:
        if op[2]:
            return write_parity(m, t, op, 1, rng)
        return read_parity(m, t, op, rng), False
    return striped(m, t, op, rng), False
