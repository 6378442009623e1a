"""An array: which disks a request takes, and when the last of them is done. [ms]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.copies_kernel import write_later
from capmodels.storage.simulator.device_kernel import pop_done, serve
from capmodels.storage.simulator.op_kernel import all_disks, phase
from capmodels.storage.simulator.parity_kernel import read_parity, write_parity
from capmodels.storage.simulator.place_kernel import place_on_tracks
from capmodels.storage.simulator.power_states_kernel import is_awake, sleep_rank, wake

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine


@kernel
def left_of(m: Machine, first: int, last: int) -> int:
    """How many disks of [first, last) are not lost."""
    count = last - first
    if m.plan[k.LOST_COUNT] > 0:
        for d in range(first, last):
            if m.now[d, k.LOST] == 1:
                count -= 1
    return count


@kernel
def nth_left(m: Machine, first: int, last: int, number: int) -> int:
    """Disk ``number``, from 0, of those of [first, last) that are not lost."""
    if m.plan[k.LOST_COUNT] == 0:
        return first + number
    for d in range(first, last):
        if m.now[d, k.LOST] == 0:
            if number == 0:
                return d
            number -= 1
    return -1


@kernel
def shortest(m: Machine, first: int, last: int, t: float, awake_only: bool) -> int:
    """First disk of [first, last) with the shortest queue, -1 when none is fit."""
    best, best_queue = -1, 1 << 62
    for d in range(first, last):
        if m.now[d, k.LOST] == 1:
            continue
        queue = pop_done(m, d, t)
        if queue < best_queue and (not awake_only or is_awake(m, d, t)):
            best, best_queue = d, queue
    return best


@kernel
def open_another(m: Machine, first: int, last: int, t: float) -> int:
    """Start waking one sleeping disk unless enough are waking; return it or -1."""
    waking, best, best_rank = 0, -1, 9
    for d in range(first, last):
        if m.now[d, k.LOST] == 1:
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


@kernel
def expected(m: Machine, d: int, t: float, queue: int) -> float:
    """Expected response of a request that joins a disk. [ms]"""
    wait = max(m.now[d, k.FREE] - t, 0.0) + m.par[d, k.MEAN_SERVICE]
    if m.plan[k.SCHEDULER] != k.FCFS:
        wait += max(queue - 1, 0) * m.par[d, k.MEAN_SERVICE]
    return wait


@kernel
def primary_first(m: Machine, first: int, last: int, t: float) -> int:
    """Fill one disk up to the threshold, then open the next (Papathanasiou and Scott 2004)."""
    by_time = m.plan[k.DISPATCH] == k.RESPONSE_TIME
    for d in range(first, last):
        if m.now[d, k.LOST] == 1:
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


@kernel
def shortest_waking(m: Machine, first: int, last: int, t: float) -> int:
    """Among the disks that are waking, the one with the shortest queue; else any."""
    best, best_queue = -1, 1 << 62
    for d in range(first, last):
        if m.now[d, k.LOST] == 0 and m.now[d, k.READY] > t:
            queue = m.ends[d, 1] - m.ends[d, 0]
            if queue < best_queue:
                best, best_queue = d, queue
    return best if best >= 0 else shortest(m, first, last, t, False)


@kernel
def nearest(m: Machine, first: int, last: int, sector: int) -> int:
    """The disk whose head is nearest to a sector."""
    place = sector / m.par[first, k.SECTORS]
    if m.plan[k.TRACKS] > 0:
        place = float(place_on_tracks(m, sector)[1])
    best, best_distance = -1, math.inf
    for d in range(first, last):
        distance = abs(place - m.now[d, k.HEAD])
        if m.now[d, k.LOST] == 0 and distance < best_distance:
            best, best_distance = d, distance
    return best


@kernel
def round_robin(m: Machine, first: int, last: int) -> int:
    """The next disk in turn."""
    turn = m.tally[k.NEXT_ROBIN] % left_of(m, first, last)
    m.tally[k.NEXT_ROBIN] += 1
    return nth_left(m, first, last, turn)


@kernel
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
    return nth_left(m, first, last, int(rng.random() * left_of(m, first, last)))


@kernel
def write_all(m: Machine, group: k.Op, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Write every copy; sleeping ones later when writes are lazy. Returns the last end. [ms]"""
    first, last = group
    lazy = m.plan[k.LAZY_WRITES] == 1
    done = t
    awake = 0
    for d in range(first, last):
        if m.now[d, k.LOST] == 1:
            continue
        pop_done(m, d, t)
        if lazy and not is_awake(m, d, t) and m.now[d, k.READY] <= t:
            m.now[d, k.LAZY] += 1.0
            write_later(m, d, op[0], op[1])
            continue
        awake += 1
        done = max(done, serve(m, d, t, op, rng))
    if awake == 0:
        d = nth_left(m, first, last, 0)
        m.now[d, k.LAZY] -= 1.0
        done = serve(m, d, t, op, rng)
    return done


@kernel
def copies(m: Machine, group: k.Op, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """A request to a set of copies. Returns its end. [ms]"""
    if op[2]:
        return write_all(m, group, t, op, rng)
    d = choose(m, group, t, op[0], rng)
    return serve(m, d, t, op, rng)


@kernel
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


@kernel
def to_disks(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> k.Op:
    """A request to the disks (sector, sectors, write, extra): its end, and whether more comes."""
    layout = m.plan[k.LAYOUT]
    if layout == k.SINGLE:
        return serve(m, all_disks(m)[0], t, op, rng), False
    if layout == k.MIRROR:
        return copies(m, all_disks(m), t, op, rng), False
    if layout in (k.PARITY, k.DECLUSTERED):
        if op[2]:
            return write_parity(m, t, op, phase(1), rng)
        return read_parity(m, t, op, rng), False
    return striped(m, t, op, rng), False
