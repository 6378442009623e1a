"""The simulator's loop: requests in order of time, cache above the disks, what comes later. [ms]

First-come disks need no event for a completion: it is known when the operation is queued. Only
what starts later than the request (second phases, cache fills, rebuild steps) waits in a heap.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.bins_kernel import bin_of
from capmodels.storage.simulator.cache_kernel import BLOCK, DIRTY_HEAD, clean_run, insert, touch
from capmodels.storage.simulator.controller_kernel import is_full, leaves, passed
from capmodels.storage.simulator.copying_kernel import copy_step, watch
from capmodels.storage.simulator.device_kernel import serve
from capmodels.storage.simulator.end_kernel import book_end
from capmodels.storage.simulator.layout_kernel import shortest, to_disks
from capmodels.storage.simulator.op_kernel import all_disks, writing
from capmodels.storage.simulator.parity_kernel import parity_write_again
from capmodels.storage.simulator.pending_kernel import (
    DESTAGE,
    FILL,
    FLUSH,
    REBUILD,
    SECOND_PHASE,
    WRITE_PIECE,
    drop_first,
    later,
)
from capmodels.storage.simulator.rebuild_kernel import rebuild_step
from capmodels.storage.simulator.spread_kernel import piece_ends, write_spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.simulator.slots import Held, Machine

# Passed as bytes: looking up the type of so large a record would take milliseconds at each call.
# Compiled kernels keep the record: touch this file when ``slots`` changes it.
_RECORD = k.machine_dtype()


@kernel
def user_ready(m: Machine, t: float) -> None:
    """A user of a closed loop is ready for a request at ``t``."""
    here = m.tally[k.USERS_READY]
    m.tally[k.USERS_READY] = here + 1
    while here > 0 and m.users[(here - 1) >> 1] > t:
        m.users[here] = m.users[(here - 1) >> 1]
        here = (here - 1) >> 1
    m.users[here] = t


@kernel
def first_user(m: Machine) -> float:
    """Take the user who is ready first."""
    first = m.users[0]
    left = m.tally[k.USERS_READY] - 1
    m.tally[k.USERS_READY] = left
    here, child = 0, 1
    while child < left:
        if child + 1 < left and m.users[child + 1] < m.users[child]:
            child += 1
        if m.users[child] >= m.users[left]:
            break
        m.users[here] = m.users[child]
        here = child
        child = 2 * here + 1
    m.users[here] = m.users[left]
    return first


@kernel
def record(m: Machine, write: bool, response: float) -> None:
    """Count a response."""
    row = 1 if write else 0
    m.histogram[row, bin_of(response)] += 1
    m.response[row, k.DONE] += 1
    m.response[row, k.SUM] += response
    m.response[row, k.SUM_SQUARES] += response * response
    m.response[row, k.LARGEST] = max(m.response[row, k.LARGEST], response)
    m.batch[0] += 1
    m.batch[1] += response


@kernel
def all_held(m: Machine, held: Held, op: k.Op, rng: np.random.Generator) -> bool:
    """Whether every block of a read is in the cache; or by chance, with a given hit share."""
    if m.plan[k.CACHE_LRU] == 0:
        return rng.random() < m.share[k.HIT_FRACTION]
    size = m.plan[k.BLOCK_SECTORS]
    found = True
    for block in range(op[0] // size, (op[0] + op[1] - 1) // size + 1):
        found = touch(held, block) and found
    return found


@kernel
def oldest_run(m: Machine, held: Held) -> k.Op:
    """Clean the oldest dirty block and its neighbors in a chunk: first sector, and sectors."""
    size = m.plan[k.BLOCK_SECTORS]
    first, count = clean_run(held, max(m.plan[k.CHUNK] // size, 1))
    return first * size, count * size


@kernel
def hold(m: Machine, held: Held, t: float, op: k.Op, dirty: bool) -> None:
    """Put a request's blocks into the cache; destage what had to go or is too much."""
    if m.plan[k.CACHE_LRU] == 0:
        return
    size = m.plan[k.BLOCK_SECTORS]
    for block in range(op[0] // size, (op[0] + op[1] - 1) // size + 1):
        gone = insert(held, block, dirty)
        if gone >= 0:
            later(m, t, DESTAGE, (gone * size, size), -1.0)
        if held.links[DIRTY_HEAD, BLOCK] > m.plan[k.DIRTY_MAX]:
            run = oldest_run(m, held)
            if run[1] > 0:
                later(m, t, DESTAGE, run, -1.0)


@kernel
def fill(m: Machine, held: Held, t: float, op: k.Op, rng: np.random.Generator) -> None:
    """Put blocks (sector, sectors) that were missed and read into the cache."""
    m.tally[k.CACHE_FILLS] += 1
    hold(m, held, t, op, False)
    serve(m, m.plan[k.CACHE_DEVICE], t, writing(op[0], op[1]), rng)


@kernel
def destage(m: Machine, held: Held, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Write blocks (sector, sectors) of the cache back to the disks; return the end. [ms]"""
    wakes = m.tally[k.WAKES]
    m.tally[k.DESTAGES] += 1
    end, more = to_disks(m, t, writing(op[0], op[1]), rng)
    if more:
        later(m, end, SECOND_PHASE, (op[0], op[1]), -1.0)
    flush_after_wake(m, held, t, wakes)
    return float(end)


@kernel
def flush_after_wake(m: Machine, held: Held, t: float, wakes: int) -> None:
    """When disks have woken since there were ``wakes``, write back what is dirty as well."""
    if m.tally[k.WAKES] == wakes or m.tally[k.FLUSHING] == 1 or m.plan[k.CACHE_LRU] == 0:
        return
    if held.links[DIRTY_HEAD, BLOCK] > 0:
        m.tally[k.FLUSHING] = 1
        later(m, t, FLUSH, (0, 0), -1.0)


@kernel
def flush_step(m: Machine, held: Held, t: float, rng: np.random.Generator) -> None:
    """Write back the oldest run of dirty blocks; the next one follows when it is done."""
    run = oldest_run(m, held)
    if run[1] == 0:
        m.tally[k.FLUSHING] = 0
        return
    m.tally[k.WOKEN_DESTAGES] += 1
    later(m, destage(m, held, t, run, rng), FLUSH, (0, 0), -1.0)


@kernel
def plain_copy(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Write one copy, without parity, to the awake disk with the shortest queue. [ms]"""
    first, last = all_disks(m)
    d = shortest(m, first, last, t, True)
    if d < 0:
        d = shortest(m, first, last, t, False)
    m.tally[k.PLAIN_COPIES] += 1
    place = op[0] // (m.plan[k.DISKS] - m.plan[k.PARITIES])
    m.copying[c.OWN] = 1
    end = serve(m, d, t, writing(place, op[1]), rng)
    m.copying[c.OWN] = 0
    return end


@kernel
def to_cache(m: Machine, held: Held, t: float, op: k.Op, rng: np.random.Generator) -> k.Op:
    """A request to the cached array: its end, and whether a second phase follows."""
    device = m.plan[k.CACHE_DEVICE]
    if not op[2]:
        if all_held(m, held, op, rng):
            m.tally[k.CACHE_READ_HITS] += 1
            return serve(m, device, t, op, rng), False
        m.tally[k.CACHE_READ_MISSES] += 1
        wakes = m.tally[k.WAKES]
        end, more = to_disks(m, t, op, rng)
        flush_after_wake(m, held, t, wakes)
        if m.plan[k.SCHEDULER] == k.FCFS:
            later(m, end, FILL, (op[0], op[1]), -1.0)
        else:
            m.slots[m.tally[k.REQUEST], k.FOLLOW] = FILL
        return end, more
    m.tally[k.CACHE_WRITES] += 1
    end = serve(m, device, t, op, rng)
    mode = m.plan[k.CACHE_MODE]
    if mode == k.WRITE_THROUGH:
        hold(m, held, t, op, False)
        below, more = to_disks(m, t, op, rng)
        return max(end, below), more
    hold(m, held, t, op, True)
    if mode == k.HP08_MIRROR:
        end = max(end, plain_copy(m, t, op, rng))
    return end, False


@kernel
def submit(m: Machine, held: Held, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Start a request at ``t``; return its end, or -1 when a second phase will tell. [ms]"""
    if m.plan[k.CACHE_MODE] == k.NO_CACHE:
        end, more = to_disks(m, t, op, rng)
    else:
        end, more = to_cache(m, held, t, op, rng)
    if m.copying[c.ON] == 1:
        watch(m, t)
    if more:
        came = m.share[k.CAME_AT] if m.plan[k.CONTROLLER] == 1 else t
        later(m, end, SECOND_PHASE, (op[0], op[1]), came)
        return -1.0
    return end


@kernel
def pass_on(
    m: Machine, held: Held, came: float, write: bool, how: k.Op, rng: np.random.Generator
) -> float:
    """When a request that came has passed the controller, what is pending until then done."""
    if m.plan[k.CONTROLLER] == 0:
        return came
    warm, think = how
    while is_full(m) and m.tally[k.PENDING] > 0:
        do_first(m, held, warm, think, rng)
    t = passed(m, came, write)
    while m.tally[k.PENDING] > 0 and m.pending[0, 0] <= t:
        do_first(m, held, warm, think, rng)
    m.share[k.CAME_AT] = came
    return t


@kernel
def do_first(m: Machine, held: Held, warm: float, think: float, rng: np.random.Generator) -> None:
    """Do the first piece of pending work."""
    t, kind = m.pending[0, 0], int(m.pending[0, 1])
    sector, sectors = int(m.pending[0, 2]), int(m.pending[0, 3])
    arrived = m.pending[0, 4]
    drop_first(m)
    if kind == SECOND_PHASE:
        end = parity_write_again(m, t, writing(sector, sectors), rng)
        if arrived >= 0:
            finish(m, arrived, end, (True, warm, think))
    elif kind == FILL:
        fill(m, held, t, (sector, sectors), rng)
    elif kind == DESTAGE:
        destage(m, held, t, (sector, sectors), rng)
    elif kind == FLUSH:
        flush_step(m, held, t, rng)
    elif kind == REBUILD:
        m.copying[c.OWN] = 1
        rebuild_step(m, t, (sector, sectors), rng)
        m.copying[c.OWN] = 0
    elif kind == WRITE_PIECE:
        m.copying[c.OWN] = 1
        piece_ends(m, write_spread(m, t, (sector, sectors), rng))
        m.copying[c.OWN] = 0
    else:
        copy_step(m, kind, t, sector, rng)


@kernel
def work_until(
    machine: NDArray[np.uint8], held: Held, t: float, warm: float, rng: np.random.Generator
) -> None:
    """Do what is pending up to ``t``, without a request."""
    m = machine.view(_RECORD)[0]
    while m.tally[k.PENDING] > 0 and m.pending[0, 0] <= t:
        do_first(m, held, warm, 0.0, rng)


@kernel
def finish(m: Machine, arrived: float, end: float, how: k.Op) -> None:
    """Record a response unless it is of the warm-up; a closed-loop user thinks again."""
    write, warm, think = how
    if m.plan[k.UNDER_WAY_MAX] > 0:
        leaves(m, end)
    waking = m.share[k.WAKING]
    if arrived >= warm:
        record(m, write, end - arrived + waking)
    if m.plan[k.USERS] > 0:
        user_ready(m, end + 2 * waking + think)


@kernel
def open_loop(
    machine: NDArray[np.uint8],
    held: Held,
    at: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: float,
    rng: np.random.Generator,
) -> int:
    """Requests ``ops`` (sector, sectors, write) at given times, shape (n,) and (n, 3).

    Returns how many were taken: fewer than n when a queue overflowed.
    """
    m = machine.view(_RECORD)[0]
    for i in range(at.size):
        t = at[i]
        while m.tally[k.PENDING] > 0 and m.pending[0, 0] <= t:
            do_first(m, held, warm, 0.0, rng)
        write = ops[i, 2] == 1
        start = pass_on(m, held, t, write, (warm, 0.0), rng)
        end = submit(m, held, start, (ops[i, 0], ops[i, 1], write, 0.0), rng)
        if end >= 0:
            finish(m, t, end, (write, warm, 0.0))
        if m.tally[k.OVERFLOW] == 1:
            return i + 1
    return at.size


@kernel
def closed_loop(
    machine: NDArray[np.uint8],
    held: Held,
    thinks: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: int,
    rng: np.random.Generator,
) -> float:
    """Requests ``ops`` by users who think in between; returns the last start. [ms]

    The first ``warm`` requests are not recorded.
    """
    m = machine.view(_RECORD)[0]
    t = 0.0
    for i in range(thinks.size):
        since = math.inf if i < warm else 0.0
        while m.tally[k.PENDING] > 0 and (
            m.tally[k.USERS_READY] == 0 or m.pending[0, 0] <= m.users[0]
        ):
            do_first(m, held, since, thinks[i], rng)
        t = first_user(m)
        write = ops[i, 2] == 1
        start = pass_on(m, held, t, write, (since, thinks[i]), rng)
        end = submit(m, held, start, (ops[i, 0], ops[i, 1], write, 0.0), rng)
        if end >= 0:
            finish(m, t, end, (write, since, thinks[i]))
        if m.tally[k.OVERFLOW] == 1:
            return t
    return t


@kernel
def end_run(
    machine: NDArray[np.uint8], held: Held, t: float, warm: float, rng: np.random.Generator
) -> float:
    """Finish what is pending, then book the idle time of every device; return the end. [ms]

    Nothing is woken at the end, and dirty blocks of a cache stay in it.
    """
    m = machine.view(_RECORD)[0]
    while m.tally[k.PENDING] > 0:
        if int(m.pending[0, 1]) >= REBUILD:
            drop_first(m)
        else:
            do_first(m, held, warm, 0.0, rng)
    return book_end(machine, t)
