"""Disks that pick from their queue: shortest seek first, or LOOK. An event for every end. [ms]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

from capmodels.storage import array_slots as k
from capmodels.storage.array_kernel import record
from capmodels.storage.device_kernel import (
    account,
    head_after,
    place_on_tracks,
    service,
    sleeps_after,
    wake,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.array_slots import Machine

_RECORD = k.machine_dtype()
# Waiting operations stand in ``pending``; the size of a write is negative.
DISK, PLACE, SECTOR, SIZE, ARRIVED = range(5)
UP, DOWN = 1.0, -1.0


@njit(cache=True)
def place_of(m: Machine, d: int, sector: int) -> float:
    """Where the head has to be for a sector, in the unit of ``HEAD``."""
    if m.plan[k.TRACKS] > 0:
        return float(place_on_tracks(m, sector)[1])
    return sector / m.par[d, k.SECTORS]


@njit(cache=True)
def pick(m: Machine, d: int) -> int:
    """The waiting operation that a disk takes next, -1 without one."""
    best, best_cost = -1, math.inf
    head = m.now[d, k.HEAD]
    heading = UP if m.now[d, k.LAZY] >= 0 else DOWN
    for i in range(m.tally[k.PENDING]):
        if m.pending[i, DISK] != d:
            continue
        ahead = (m.pending[i, PLACE] - head) * heading
        cost = abs(ahead)
        if m.plan[k.SCHEDULER] == k.LOOK and ahead < 0:
            # Behind the head: served on the way back, nearest of these last among all.
            cost += 1e12
        if m.plan[k.SCHEDULER] == k.FCFS:
            cost = m.pending[i, ARRIVED]
        if cost < best_cost:
            best, best_cost = i, cost
    if best >= 0 and best_cost >= 1e12 and m.plan[k.SCHEDULER] == k.LOOK:
        m.now[d, k.LAZY] = -heading
    return best


@njit(cache=True)
def take(m: Machine, d: int, t: float, warm: float, rng: np.random.Generator) -> bool:
    """Start the next operation of an idle disk at ``t``; False when none waits."""
    i = pick(m, d)
    if i < 0:
        return False
    write = m.pending[i, SIZE] < 0
    op = (int(m.pending[i, SECTOR]), int(abs(m.pending[i, SIZE])), write)
    arrived = m.pending[i, ARRIVED]
    left = m.tally[k.PENDING] - 1
    m.tally[k.PENDING] = left
    for column in range(5):
        m.pending[i, column] = m.pending[left, column]
    seek, rest = service(m, d, op, t, rng)
    head_after(m, d, op)
    account(m, d, (op[0], op[1], write, 0.0), seek, rest)
    m.now[d, k.FREE] = t + seek + rest
    if arrived >= warm:
        record(m, write, t + seek + rest - arrived)
    return True


@njit(cache=True)
def run_until(m: Machine, t: float, warm: float, rng: np.random.Generator) -> None:
    """Let every disk work off its queue up to ``t``."""
    for d in range(m.plan[k.DISKS]):
        while m.now[d, k.FREE] <= t:
            if not take(m, d, m.now[d, k.FREE], warm, rng):
                break


@njit(cache=True)
def join_queue(m: Machine, d: int, t: float, op: k.Op) -> None:
    """Let an operation (sector, sectors, write) wait at a disk; an idle one is made ready."""
    i = m.tally[k.PENDING]
    if i + 1 >= k.PENDING_MAX:
        m.tally[k.OVERFLOW] = 1
        return
    if m.now[d, k.FREE] < t:
        if t - m.now[d, k.FREE] >= sleeps_after(m, d):
            lazy = m.now[d, k.LAZY]
            m.now[d, k.LAZY] = 0.0
            wake(m, d, t)
            m.now[d, k.LAZY] = lazy
        else:
            m.time_ms[d, k.IDLE] += t - m.now[d, k.FREE]
            m.energy_mj[d, k.IDLE] += (t - m.now[d, k.FREE]) * m.par[d, k.P_IDLE]
            m.now[d, k.FREE] = t
    m.pending[i, DISK] = d
    m.pending[i, PLACE] = place_of(m, d, op[0])
    m.pending[i, SECTOR] = op[0]
    m.pending[i, SIZE] = -op[1] if op[2] else op[1]
    m.pending[i, ARRIVED] = t
    m.tally[k.PENDING] = i + 1
    m.count[d, k.MAX_QUEUE] = max(m.count[d, k.MAX_QUEUE], i + 1)


@njit(cache=True)
def sorted_queues(
    machine: NDArray[np.uint8],
    at: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: float,
    rng: np.random.Generator,
) -> int:
    """As ``array_kernel.open_loop`` for a single disk or RAID-0 with a sorted queue.

    A request goes to the disk that holds its first sector.
    """
    m = machine.view(_RECORD)[0]
    chunk, width = m.plan[k.CHUNK], m.plan[k.DISKS]
    for i in range(at.size):
        run_until(m, at[i], warm, rng)
        number, offset = divmod(ops[i, 0], chunk)
        place = ops[i, 0] if width == 1 else (number // width) * chunk + offset
        d = 0 if width == 1 else number % width
        join_queue(m, d, at[i], (place, ops[i, 1], ops[i, 2] == 1))
        if m.tally[k.OVERFLOW] == 1:
            return i + 1
    return at.size


@njit(cache=True)
def end_queues(machine: NDArray[np.uint8], warm: float, rng: np.random.Generator) -> None:
    """Work off every queue at the end of a run."""
    run_until(machine.view(_RECORD)[0], math.inf, warm, rng)
