"""Which of its waiting operations a disk takes next: by seek, by sector, by position. [ms]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import may_hold, seek_at, turn_to_ms

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine

_BEHIND = 1e12
# More than the places of a disk, which are shares of it or cylinders.
_ROUND = 1e7


@kernel
def in_queue(m: Machine, d: int, i: int, last: float) -> bool:
    """Whether an operation is of a disk's queue, up to a number; a write may be in its memory."""
    here = m.waiting[i, k.DISK] == d and m.waiting[i, k.NUMBER] <= last
    return bool(here and (m.waiting[i, k.OF_SLOT] == -1 or not may_hold(m, i)))


@kernel
def last_sorted(m: Machine, d: int) -> float:
    """Number of the youngest operation that a disk holds; all wait there without a bound."""
    most = m.plan[k.QUEUE_MAX]
    if most == 0 or m.ends[d, 1] - m.ends[d, 0] <= most:
        return math.inf
    number = -1.0
    for _ in range(most):
        older = math.inf
        for i in range(m.tally[k.WAITING]):
            if not in_queue(m, d, i, math.inf):
                continue
            if number < m.waiting[i, k.NUMBER] < older:
                older = m.waiting[i, k.NUMBER]
        number = older
    return number


@kernel
def pick(m: Machine, d: int) -> int:
    """The waiting operation that a disk takes next, -1 without one; of one cylinder by sector."""
    best, best_cost = -1, math.inf
    head = m.now[d, k.HEAD]
    heading = -1.0 if m.now[d, k.HEADING] == 1 else 1.0
    look = m.plan[k.SCHEDULER] == k.LOOK
    last = last_sorted(m, d)
    for i in range(m.tally[k.WAITING]):
        if not in_queue(m, d, i, last):
            continue
        ahead = (m.waiting[i, k.PLACE] - head) * heading
        cost = abs(ahead)
        if look and ahead < 0:
            # Behind the head: served on the way back, nearest of these last among all.
            cost += _BEHIND
        if m.plan[k.SCHEDULER] == k.CLOOK:
            cost = ahead if ahead >= 0 else ahead + _ROUND
        if m.plan[k.SCHEDULER] == k.FCFS_BY_EVENT:
            cost = m.waiting[i, k.NUMBER]
        first = best >= 0 and m.waiting[i, k.SECTOR] < m.waiting[best, k.SECTOR]
        if cost < best_cost or (cost == best_cost and first):
            best, best_cost = i, cost
    if best >= 0 and look and best_cost >= _BEHIND:
        m.now[d, k.HEADING] = 1.0 - m.now[d, k.HEADING]
    return best


@kernel
def reach_ms(m: Machine, d: int, i: int, rng: np.random.Generator) -> tuple[float, float]:
    """Time in which the head is over a waiting operation's first sector, and its turn. [ms]

    Where no angle is followed the turn is drawn anew each time: between two picks a platter turns
    too far for what was drawn before to tell.
    """
    p, one = m.par[d], m.waiting[i]
    sector, write = int(one[k.SECTOR]), one[k.SIZE] < 0
    start = m.now[d, k.FREE]
    if sector == m.now[d, k.LAST_END] and m.plan[k.TRACKS] == 0:
        return 0.0, 0.0
    if m.plan[k.TRACKS] > 0:
        seek = m.seek_table[int(abs(one[k.PLACE] - m.now[d, k.HEAD]))]
    else:
        distance = abs(one[k.PLACE] - m.now[d, k.HEAD])
        seek = seek_at(m, d, distance, distance * p[k.SECTORS]) if distance > 0 else 0.0
    if write:
        seek = max(seek + p[k.SETTLE], 0.0)
    if m.plan[k.TRACKS] > 0 and p[k.PHASE] == 1:
        turn = turn_to_ms(m, d, sector, start, seek)
    else:
        turn = rng.random() * p[k.TURN]
    return seek + turn, turn


@kernel
def pick_by_position(m: Machine, d: int, held: bool, rng: np.random.Generator) -> int:
    """The waiting operation that the head reaches first, less what it has waited; -1 without one.

    Of those in the queue, or of the writes in the drive's memory.

    Shortest positioning time first (Seltzer, Chen and Ousterhout 1990; Jacobson and Wilkes 1991).
    """
    best, best_cost, best_turn = -1, math.inf, -1.0
    last = -1.0 if held else last_sorted(m, d)
    for i in range(m.tally[k.WAITING]):
        if held:
            if m.waiting[i, k.DISK] != d or m.waiting[i, k.OF_SLOT] != k.HELD_WRITE:
                continue
        elif not in_queue(m, d, i, last):
            continue
        cost, turn = reach_ms(m, d, i, rng)
        if not held:
            cost -= m.share[k.AGEING] * (m.now[d, k.FREE] - m.waiting[i, k.SINCE])
        if cost < best_cost:
            best, best_cost, best_turn = i, cost, turn
    m.now[d, k.CHOSEN] = best_turn
    return best


@kernel
def writes_now(m: Machine, d: int) -> bool:
    """Whether a disk puts a write of its memory on the platter next.

    It does when nothing else waits; with a full memory and a write that waits for room, when no
    other came before that one, or where the queue is sorted, in turns with the others.
    """
    if m.now[d, k.HELD] == 0:
        return False
    others = blocked = math.inf
    for i in range(m.tally[k.WAITING]):
        if m.waiting[i, k.DISK] != d:
            continue
        if in_queue(m, d, i, math.inf):
            others = min(others, m.waiting[i, k.NUMBER])
        elif m.waiting[i, k.OF_SLOT] >= 0:
            blocked = min(blocked, m.waiting[i, k.NUMBER])
    if m.plan[k.SCHEDULER] == k.FCFS_BY_EVENT:
        return blocked <= others
    return others == math.inf or (blocked < math.inf and m.now[d, k.WROTE] == 0)
