"""Disks that pick from their queue: shortest seek first, or LOOK. An event for every end. [ms]

The layouts put a request's operations to the disks as they do on the fast way; here the disks
let them wait, and the request's slot counts which are still open. What the array does for itself
(destages, pieces of a rebuild) has slots of its own; a cache's device serves first come, first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.controller_kernel import is_full, passed
from capmodels.storage.simulator.copying_kernel import (
    end_epoch,
    end_woken,
    epoch_begins,
    piece_done,
    start_pieces,
)
from capmodels.storage.simulator.device_kernel import hold_write, may_hold, operate
from capmodels.storage.simulator.layout_kernel import to_disks
from capmodels.storage.simulator.loop_kernel import (
    fill,
    finish,
    first_user,
    flush_after_wake,
    oldest_run,
    to_cache,
)
from capmodels.storage.simulator.op_kernel import reading, writing
from capmodels.storage.simulator.parity_kernel import parity_write_again
from capmodels.storage.simulator.pending_kernel import (
    DESTAGE,
    FILL,
    FLUSH,
    REBUILD,
    WRITE_PIECE,
    drop_first,
    later,
)
from capmodels.storage.simulator.pick_kernel import pick, pick_by_position, writes_now
from capmodels.storage.simulator.rebuild_kernel import (
    piece_on_spares,
    piece_read,
    read_piece,
    write_piece,
)
from capmodels.storage.simulator.spread_kernel import next_piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.simulator.slots import Held, Machine

_RECORD = k.machine_dtype()
_AT_ONCE_MS = 1e-6
# A request that nothing follows.
_NOTHING = -1


@kernel
def admit(m: Machine, d: int, how: k.Op, rng: np.random.Generator) -> None:
    """A held write is on the platter: the oldest one that waits for room takes its place."""
    t = m.now[d, k.FREE]
    m.now[d, k.HELD] -= 1
    first = -1
    for i in range(m.tally[k.WAITING]):
        if m.waiting[i, k.DISK] != d or m.waiting[i, k.OF_SLOT] < 0 or not may_hold(m, i):
            continue
        if first < 0 or m.waiting[i, k.NUMBER] < m.waiting[first, k.NUMBER]:
            first = i
    if first < 0:
        return
    slot = int(m.waiting[first, k.OF_SLOT])
    hold_write(m, first, t)
    m.slots[slot, k.OPEN] -= 1
    if m.slots[slot, k.OPEN] == 0:
        go_on(m, slot, t, how, rng)


@kernel
def take(m: Machine, d: int, rng: np.random.Generator) -> None:
    """Start the next operation of a disk that is free."""
    held = writes_now(m, d)
    by_position = held or m.plan[k.SCHEDULER] == k.SPTF
    i = pick_by_position(m, d, held, rng) if by_position else pick(m, d)
    m.now[d, k.WROTE] = 1.0 if held else 0.0
    one = m.waiting[i]
    write = one[k.SIZE] < 0
    op = (int(one[k.SECTOR]), int(abs(one[k.SIZE])), write, one[k.EXTRA])
    m.now[d, k.SLOT] = one[k.OF_SLOT]
    m.copying[c.OWN] = int(one[k.OWN_WORK])
    left = m.tally[k.WAITING] - 1
    m.tally[k.WAITING] = left
    for column in range(k.WAITING_COUNT):
        m.waiting[i, column] = m.waiting[left, column]
    answered, end = operate(m, d, m.now[d, k.FREE], op, rng)
    m.copying[c.OWN] = 0
    m.now[d, k.ANSWER] = answered
    m.now[d, k.FREE] = end
    m.now[d, k.IN_SERVICE] = 1.0


@kernel
def complete(m: Machine, d: int, how: k.Op, rng: np.random.Generator) -> None:
    """End the operation in service at a disk; its request may go on, or be done."""
    slot = int(m.now[d, k.SLOT])
    m.now[d, k.IN_SERVICE] = 0.0
    m.now[d, k.QUEUED] += m.now[d, k.FREE]
    m.ends[d, 0] += 1
    if slot == k.HELD_WRITE:
        admit(m, d, how, rng)
        return
    if slot < 0:
        piece_done(m, d, rng)
        return
    one = m.slots[slot]
    one[k.OPEN] -= 1
    one[k.ANSWERED] = max(one[k.ANSWERED], m.now[d, k.ANSWER])
    if one[k.OPEN] == 0:
        go_on(m, slot, m.now[d, k.FREE], how, rng)


@kernel
def go_on(m: Machine, slot: int, t: float, how: k.Op, rng: np.random.Generator) -> None:
    """Start a request's second phase at ``t``, or count it."""
    one = m.slots[slot]
    if one[k.FOLLOW] == FLUSH:
        # The next blocks go when these are read or written, a second phase beside them.
        one[k.FOLLOW] = DESTAGE
        later(m, t, FLUSH, (0, 0), -1.0)
    if one[k.SECOND_SECTORS] > 0:
        op = writing(int(one[k.SECOND_SECTOR]), int(one[k.SECOND_SECTORS]))
        one[k.SECOND_SECTORS] = 0
        m.tally[k.REQUEST] = slot
        parity_write_again(m, t, op, rng)
        if one[k.OPEN] > 0:
            return
    m.tally[k.SLOTS_USED] -= 1
    m.free_slots[m.tally[k.SLOTS_USED]] = slot
    close_slot(m, slot, t, how)


@kernel
def close_slot(m: Machine, slot: int, t: float, how: k.Op) -> None:
    """Count what is done at ``t``, and plan what follows it."""
    warm, think = how
    one = m.slots[slot]
    op = (int(one[k.FIRST_SECTOR]), int(one[k.SECTORS_COUNT]))
    follow = one[k.FOLLOW]
    if follow == FILL:
        later(m, t, FILL, op, -1.0)
    if follow in (_NOTHING, FILL):
        finish(m, one[k.ARRIVED], one[k.ANSWERED], (one[k.IS_WRITE] == 1, warm, think))
    elif follow == WRITE_PIECE:
        piece_read(m, one[k.ARRIVED], t, op)
    elif follow == REBUILD:
        piece_on_spares(m, t, op)


@kernel
def open_slot(m: Machine, t: float, op: k.Op, follow: int) -> bool:
    """Take a slot for a request (sector, sectors, write) at ``t``; False when none is left."""
    used = m.tally[k.SLOTS_USED]
    if used >= k.PENDING_MAX:
        m.tally[k.OVERFLOW] = 1
        return False
    slot = m.free_slots[used]
    m.tally[k.SLOTS_USED] = used + 1
    one = m.slots[slot]
    one[k.ARRIVED] = one[k.ANSWERED] = t
    one[k.OPEN] = one[k.SECOND_SECTORS] = 0
    one[k.IS_WRITE] = 1.0 if op[2] else 0.0
    one[k.FOLLOW] = follow
    one[k.FIRST_SECTOR], one[k.SECTORS_COUNT] = op[0], op[1]
    m.tally[k.REQUEST] = slot
    return True


@kernel
def put_pieces(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> None:
    """Put a piece of a rebuild (sector, sectors, write) to the survivors, or to the spares."""
    if not open_slot(m, t, op, REBUILD if op[2] else WRITE_PIECE):
        return
    m.copying[c.OWN] = 1
    if op[2]:
        write_piece(m, t, (op[0], op[1]), rng)
    else:
        read_piece(m, t, (op[0], op[1]), rng)
    m.copying[c.OWN] = 0


@kernel
def write_back(
    m: Machine, held: Held, t: float, op: k.Op, follow: int, rng: np.random.Generator
) -> None:
    """Write blocks (sector, sectors) of the cache back to the disks."""
    if not open_slot(m, t, writing(op[0], op[1])[:3], follow):
        return
    slot = m.tally[k.REQUEST]
    wakes = m.tally[k.WAKES]
    m.tally[k.DESTAGES] += 1
    _end, more = to_disks(m, t, writing(op[0], op[1]), rng)
    if more:
        m.slots[slot, k.SECOND_SECTOR] = op[0]
        m.slots[slot, k.SECOND_SECTORS] = op[1]
    flush_after_wake(m, held, t, wakes)


@kernel
def begin(m: Machine, held: Held, rng: np.random.Generator) -> None:
    """Do the first piece of pending work."""
    t, kind = m.pending[0, 0], int(m.pending[0, 1])
    op = (int(m.pending[0, 2]), int(m.pending[0, 3]))
    drop_first(m)
    if kind == FILL:
        fill(m, held, t, op, rng)
    elif kind == DESTAGE:
        write_back(m, held, t, op, DESTAGE, rng)
    elif kind == WRITE_PIECE:
        put_pieces(m, t, writing(op[0], op[1])[:3], rng)
    elif kind == REBUILD and op[0] < 0:
        next_piece(m, t)
    elif kind == REBUILD:
        size = min(op[1], int(m.par[0, k.SECTORS]) - op[0])
        put_pieces(m, t, reading(op[0], size)[:3], rng)
    else:
        run = oldest_run(m, held)
        if run[1] == 0:
            m.tally[k.FLUSHING] = 0
            return
        m.tally[k.WOKEN_DESTAGES] += 1
        write_back(m, held, t, run, FLUSH, rng)


@kernel
def first_event(m: Machine) -> tuple[int, float]:
    """The disk at which something happens first, and when; -1 when nothing is to happen."""
    best, at = -1, math.inf
    for d in range(m.plan[k.DISKS]):
        if m.ends[d, 1] > m.ends[d, 0] and m.now[d, k.FREE] < at:
            best, at = d, m.now[d, k.FREE]
    return best, at


@kernel
def next_event_ms(m: Machine) -> float:
    """When the next thing happens at a disk or in the array itself; without end when nothing."""
    _d, at = first_event(m)
    if m.tally[k.PENDING] > 0:
        at = min(at, m.pending[0, 0])
    return at


@kernel
def run_until(m: Machine, held: Held, t: float, how: k.Op, rng: np.random.Generator) -> None:
    """Let the disks work off their queues up to ``t``; without end, begin nothing new."""
    while True:
        d, at = first_event(m)
        works = m.tally[k.PENDING] > 0 and m.pending[0, 0] < at
        if works:
            at = m.pending[0, 0]
        if 0 < m.epoch[c.END_MS] <= min(at, t):
            at = m.epoch[c.END_MS]
            end_epoch(m, at)
            start_pieces(m, at, rng)
            continue
        if at > t or at == math.inf:
            return
        if works:
            if t == math.inf and m.pending[0, 1] >= REBUILD:
                drop_first(m)
            else:
                begin(m, held, rng)
        elif m.now[d, k.IN_SERVICE] == 1:
            complete(m, d, how, rng)
        else:
            take(m, d, rng)


@kernel
def pass_on(
    m: Machine, held: Held, came: float, write: bool, how: k.Op, rng: np.random.Generator
) -> float:
    """When a request that came has passed the controller, the disks brought up to then."""
    if m.plan[k.CONTROLLER] == 0:
        return came
    while is_full(m):
        at = next_event_ms(m)
        if at == math.inf:
            break
        run_until(m, held, at, how, rng)
    t = passed(m, came, write)
    run_until(m, held, t, how, rng)
    m.share[k.CAME_AT] = came
    return t


@kernel
def put(m: Machine, held: Held, t: float, op: k.Op, how: k.Op, rng: np.random.Generator) -> None:
    """Put a request (sector, sectors, write) to the cache, or to the disks."""
    if not open_slot(m, t, op, _NOTHING):
        return
    slot = m.tally[k.REQUEST]
    one = m.slots[slot]
    if m.plan[k.CONTROLLER] == 1:
        one[k.ARRIVED] = m.share[k.CAME_AT]
    if m.plan[k.CACHE_MODE] == k.NO_CACHE:
        end, more = to_disks(m, t, (op[0], op[1], op[2], 0.0), rng)
    else:
        end, more = to_cache(m, held, t, (op[0], op[1], op[2], 0.0), rng)
    one[k.ANSWERED] = max(one[k.ANSWERED], end)
    if more:
        one[k.SECOND_SECTOR], one[k.SECOND_SECTORS] = op[0], op[1]
    if one[k.OPEN] == 0:
        go_on(m, slot, t, how, rng)
    if m.copying[c.ON] == 1:
        epoch_begins(m, t)
        end_woken(m, t)
        start_pieces(m, t, rng)


@kernel
def sorted_queues(
    machine: NDArray[np.uint8],
    held: Held,
    at: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: float,
    rng: np.random.Generator,
) -> int:
    """As ``loop_kernel.open_loop``, for disks that sort their queues."""
    m = machine.view(_RECORD)[0]
    how = (warm, 0.0)
    for i in range(at.size):
        run_until(m, held, at[i], how, rng)
        t = pass_on(m, held, at[i], ops[i, 2] == 1, how, rng)
        put(m, held, t, (ops[i, 0], ops[i, 1], ops[i, 2] == 1), how, rng)
        if m.tally[k.OVERFLOW] == 1:
            return i + 1
    return at.size


@kernel
def one_by_one(
    machine: NDArray[np.uint8],
    held: Held,
    pauses: NDArray[np.float64],
    ops: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Responses of requests to a disk alone, each so long after the last one's answer. [ms]

    One that follows without a pause had come before: it is there before the disk that answered
    does anything else, and with a write that the disk's memory takes.
    """
    m = machine.view(_RECORD)[0]
    how = (-math.inf, 0.0)
    found = np.empty(pauses.size)
    t = answered = 0.0
    for i in range(pauses.size):
        if pauses[i] > 0:
            t = answered + pauses[i]
        run_until(m, held, t if pauses[i] > 0 else t - _AT_ONCE_MS, how, rng)
        taken = m.batch[1]
        put(m, held, t, (ops[i, 0], ops[i, 1], ops[i, 2] == 1), how, rng)
        in_memory = m.tally[k.SLOTS_USED] == 0
        while m.tally[k.SLOTS_USED] > 0:
            if m.now[0, k.IN_SERVICE] == 1:
                complete(m, 0, how, rng)
            else:
                take(m, 0, rng)
        found[i] = m.batch[1] - taken
        answered = t + found[i]
        if not in_memory:
            t = answered
    return found


@kernel
def sorted_closed(
    machine: NDArray[np.uint8],
    held: Held,
    thinks: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: int,
    rng: np.random.Generator,
) -> float:
    """As ``loop_kernel.closed_loop``, for disks that sort their queues; the last start. [ms]

    Think times go to requests in the order in which these end: one that waited for its own
    would be long more often than not.
    """
    m = machine.view(_RECORD)[0]
    t = 0.0
    thought = 0
    for i in range(thinks.size):
        since = math.inf if i < warm else 0.0
        while True:
            at = next_event_ms(m)
            if m.tally[k.USERS_READY] > 0 and m.users[0] < at:
                break
            ready = m.tally[k.USERS_READY]
            run_until(m, held, at, (since, thinks[thought % thinks.size]), rng)
            thought += m.tally[k.USERS_READY] - ready
        t = max(first_user(m), t)
        start = pass_on(m, held, t, ops[i, 2] == 1, (since, thinks[i]), rng)
        put(m, held, start, (ops[i, 0], ops[i, 1], ops[i, 2] == 1), (since, thinks[i]), rng)
        if m.tally[k.OVERFLOW] == 1:
            return t
    return t


@kernel
def end_queues(
    machine: NDArray[np.uint8], held: Held, warm: float, rng: np.random.Generator
) -> None:
    """Work off every queue at the end of a run; an epoch that is not over stays so."""
    m = machine.view(_RECORD)[0]
    m.epoch[c.END_MS] = 0.0
    run_until(m, held, math.inf, (warm, 0.0), rng)
