"""Disks that pick from their queue: shortest seek first, or LOOK. An event for every end. [ms]

The layouts put a request's operations to the disks as they do on the fast way; here the disks
let them wait, and the request's slot counts which are still open.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

from capmodels.storage import array_slots as k
from capmodels.storage import copies_slots as c
from capmodels.storage.array_kernel import finish, first_user
from capmodels.storage.copying_kernel import (
    end_epoch,
    end_woken,
    epoch_begins,
    piece_done,
    start_pieces,
)
from capmodels.storage.device_kernel import operate
from capmodels.storage.layout_kernel import to_disks
from capmodels.storage.parity_kernel import parity_write_again

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.array_slots import Machine

_RECORD = k.machine_dtype()
_BEHIND = 1e12


@njit(cache=True)
def pick(m: Machine, d: int) -> int:
    """The waiting operation that a disk takes next, -1 without one; of one cylinder by sector."""
    best, best_cost = -1, math.inf
    head = m.now[d, k.HEAD]
    heading = -1.0 if m.now[d, k.HEADING] == 1 else 1.0
    look = m.plan[k.SCHEDULER] == k.LOOK
    for i in range(m.tally[k.WAITING]):
        if m.waiting[i, k.DISK] != d:
            continue
        ahead = (m.waiting[i, k.PLACE] - head) * heading
        cost = abs(ahead)
        if look and ahead < 0:
            # Behind the head: served on the way back, nearest of these last among all.
            cost += _BEHIND
        if m.plan[k.SCHEDULER] == k.FCFS_BY_EVENT:
            cost = m.waiting[i, k.NUMBER]
        first = best >= 0 and m.waiting[i, k.SECTOR] < m.waiting[best, k.SECTOR]
        if cost < best_cost or (cost == best_cost and first):
            best, best_cost = i, cost
    if best >= 0 and look and best_cost >= _BEHIND:
        m.now[d, k.HEADING] = 1.0 - m.now[d, k.HEADING]
    return best


@njit(cache=True)
def take(m: Machine, d: int, rng: np.random.Generator) -> None:
    """Start the next operation of a disk that is free."""
    i = pick(m, d)
    one = m.waiting[i]
    write = one[k.SIZE] < 0
    op = (int(one[k.SECTOR]), int(abs(one[k.SIZE])), write, one[k.EXTRA])
    m.now[d, k.SLOT] = one[k.OF_SLOT]
    left = m.tally[k.WAITING] - 1
    m.tally[k.WAITING] = left
    for column in range(k.WAITING_COUNT):
        m.waiting[i, column] = m.waiting[left, column]
    m.copying[c.OWN] = 1 if m.now[d, k.SLOT] < 0 else 0
    answered, end = operate(m, d, m.now[d, k.FREE], op, rng)
    m.copying[c.OWN] = 0
    m.now[d, k.ANSWER] = answered
    m.now[d, k.FREE] = end
    m.now[d, k.IN_SERVICE] = 1.0


@njit(cache=True)
def complete(m: Machine, d: int, warm: float, think: float, rng: np.random.Generator) -> None:
    """End the operation in service at a disk; its request may go on, or be done."""
    slot = int(m.now[d, k.SLOT])
    m.now[d, k.IN_SERVICE] = 0.0
    m.now[d, k.QUEUED] += m.now[d, k.FREE]
    m.ends[d, 0] += 1
    if slot < 0:
        piece_done(m, d, rng)
        return
    one = m.slots[slot]
    one[k.OPEN] -= 1
    one[k.ANSWERED] = max(one[k.ANSWERED], m.now[d, k.ANSWER])
    if one[k.OPEN] == 0:
        go_on(m, slot, m.now[d, k.FREE], (warm, think), rng)


@njit(cache=True)
def go_on(m: Machine, slot: int, t: float, how: k.Op, rng: np.random.Generator) -> None:
    """Start a request's second phase at ``t``, or count it."""
    warm, think = how
    one = m.slots[slot]
    if one[k.SECOND_SECTORS] > 0:
        op = (int(one[k.SECOND_SECTOR]), int(one[k.SECOND_SECTORS]), True, 0.0)
        one[k.SECOND_SECTORS] = 0
        m.tally[k.REQUEST] = slot
        parity_write_again(m, t, op, rng)
        if one[k.OPEN] > 0:
            return
    m.tally[k.SLOTS_USED] -= 1
    m.free_slots[m.tally[k.SLOTS_USED]] = slot
    finish(m, one[k.ARRIVED], one[k.ANSWERED], (one[k.IS_WRITE] == 1, warm, think))


@njit(cache=True)
def first_event(m: Machine) -> tuple[int, float]:
    """The disk at which something happens first, and when; -1 when nothing is to happen."""
    best, at = -1, math.inf
    for d in range(m.plan[k.DISKS]):
        if m.ends[d, 1] > m.ends[d, 0] and m.now[d, k.FREE] < at:
            best, at = d, m.now[d, k.FREE]
    return best, at


@njit(cache=True)
def run_until(m: Machine, t: float, warm: float, think: float, rng: np.random.Generator) -> None:
    """Let the disks work off their queues up to ``t``."""
    while True:
        d, at = first_event(m)
        if 0 < m.epoch[c.END_MS] <= min(at, t):
            at = m.epoch[c.END_MS]
            end_epoch(m, at)
            start_pieces(m, at, rng)
            continue
        if d < 0 or at > t:
            return
        if m.now[d, k.IN_SERVICE] == 1:
            complete(m, d, warm, think, rng)
        else:
            take(m, d, rng)


@njit(cache=True)
def put(m: Machine, t: float, op: k.Op, how: k.Op, rng: np.random.Generator) -> None:
    """Put a request (sector, sectors, write) to the disks."""
    used = m.tally[k.SLOTS_USED]
    if used >= k.PENDING_MAX:
        m.tally[k.OVERFLOW] = 1
        return
    slot = m.free_slots[used]
    m.tally[k.SLOTS_USED] = used + 1
    one = m.slots[slot]
    one[k.ARRIVED] = one[k.ANSWERED] = t
    one[k.OPEN] = one[k.SECOND_SECTORS] = 0
    one[k.IS_WRITE] = 1.0 if op[2] else 0.0
    m.tally[k.REQUEST] = slot
    _end, more = to_disks(m, t, (op[0], op[1], op[2], 0.0), rng)
    if more:
        one[k.SECOND_SECTOR], one[k.SECOND_SECTORS] = op[0], op[1]
    if one[k.OPEN] == 0:
        go_on(m, slot, t, how, rng)
    if m.copying[c.ON] == 1:
        epoch_begins(m, t)
        end_woken(m, t)
        start_pieces(m, t, rng)


@njit(cache=True)
def sorted_queues(
    machine: NDArray[np.uint8],
    at: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: float,
    rng: np.random.Generator,
) -> int:
    """As ``array_kernel.open_loop``, without a cache, for disks that sort their queues."""
    m = machine.view(_RECORD)[0]
    for i in range(at.size):
        run_until(m, at[i], warm, 0.0, rng)
        put(m, at[i], (ops[i, 0], ops[i, 1], ops[i, 2] == 1), (warm, 0.0), rng)
        if m.tally[k.OVERFLOW] == 1:
            return i + 1
    return at.size


@njit(cache=True)
def sorted_closed(
    machine: NDArray[np.uint8],
    thinks: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: int,
    rng: np.random.Generator,
) -> float:
    """As ``array_kernel.closed_loop``, for disks that sort their queues; the last start. [ms]

    Think times go to requests in the order in which these end: one that waited for its own
    would be long more often than not.
    """
    m = machine.view(_RECORD)[0]
    t = 0.0
    thought = 0
    for i in range(thinks.size):
        since = math.inf if i < warm else 0.0
        while True:
            d, at = first_event(m)
            if m.tally[k.USERS_READY] > 0 and (d < 0 or m.users[0] < at):
                break
            ready = m.tally[k.USERS_READY]
            run_until(m, at, since, thinks[thought % thinks.size], rng)
            thought += m.tally[k.USERS_READY] - ready
        t = max(first_user(m), t)
        put(m, t, (ops[i, 0], ops[i, 1], ops[i, 2] == 1), (since, thinks[i]), rng)
        if m.tally[k.OVERFLOW] == 1:
            return t
    return t


@njit(cache=True)
def end_queues(machine: NDArray[np.uint8], warm: float, rng: np.random.Generator) -> None:
    """Work off every queue at the end of a run; an epoch that is not over stays so."""
    m = machine.view(_RECORD)[0]
    m.epoch[c.END_MS] = 0.0
    run_until(m, math.inf, warm, 0.0, rng)
