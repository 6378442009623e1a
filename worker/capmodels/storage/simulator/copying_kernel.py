"""Copies in free space, when it is decided and how they are written: epochs, and own writes. [ms]

Every disk decides at the end of an epoch. One that sleeps there is not woken: its epoch goes on,
and ends when it next wakes. Copies go to a disk piece by piece, each at the end of its queue when
the one before is done; nobody waits for them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.copies_kernel import close_epoch, next_piece, occupy, piece_written
from capmodels.storage.simulator.device_kernel import is_gone, pop_done, serve
from capmodels.storage.simulator.op_kernel import writing
from capmodels.storage.simulator.pending_kernel import COPY, EPOCH, later
from capmodels.storage.simulator.power_states_kernel import is_awake

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine


@kernel
def epoch_begins(m: Machine, t: float) -> bool:
    """Whether a request at ``t`` is the first of an epoch, whose end is set then."""
    if m.epoch[c.END_MS] > 0:
        return False
    length = m.epoch[c.LENGTH_MS]
    m.epoch[c.END_MS] = (math.floor(t / length) + 1) * length
    return True


@kernel
def is_up(m: Machine, d: int, t: float) -> bool:
    """Whether a disk is awake or waking."""
    pop_done(m, d, t)
    return bool(m.now[d, k.READY] > t) or is_awake(m, d, t)


@kernel
def decide(m: Machine, d: int, t: float) -> None:
    """End a disk's epoch: files have grown, copies are placed."""
    grown = int(t * m.epoch[c.FILES_BLOCKS_PER_MS]) - m.layers[d, c.TAKEN]
    if grown > 0:
        occupy(m, d, grown)
    close_epoch(m, d)


@kernel
def end_epoch(m: Machine, t: float) -> None:
    """End the epoch of every disk that does not sleep."""
    m.epoch[c.END_MS] = 0.0
    for d in range(m.plan[k.DISKS]):
        if m.layers[d, c.HAS_LAYER] == 0 or is_gone(m, d):
            continue
        if is_up(m, d, t):
            decide(m, d, t)
        elif m.layers[d, c.DUE] == 0:
            m.layers[d, c.DUE] = 1
            m.copying[c.DUE_DISKS] += 1


@kernel
def end_woken(m: Machine, t: float) -> None:
    """End the epoch of disks that slept at its end and have woken."""
    if m.copying[c.DUE_DISKS] == 0:
        return
    for d in range(m.plan[k.DISKS]):
        if m.layers[d, c.DUE] == 1 and is_up(m, d, t):
            m.layers[d, c.DUE] = 0
            m.copying[c.DUE_DISKS] -= 1
            decide(m, d, t)


@kernel
def may_start(m: Machine, d: int) -> bool:
    """Whether a disk has copies to write and is not at it; it is then."""
    if m.layers[d, c.FIRST_WRITE] == 0 or m.layers[d, c.BUSY] == 1:
        return False
    m.layers[d, c.BUSY] = 1
    return True


@kernel
def copy_piece(m: Machine, d: int, t: float, rng: np.random.Generator) -> float:
    """Put the next piece into a disk's queue; its end, or -1 when there is none. [ms]

    On a disk that sorts its queue the end is not known yet, and ``t`` is returned.
    """
    sector, sectors = next_piece(m, d)
    if sectors == 0:
        m.layers[d, c.BUSY] = 0
        return -1.0
    m.copying[c.OWN] = 1
    m.tally[k.REQUEST] = -1
    end = serve(m, d, t, writing(sector, sectors), rng)
    m.copying[c.OWN] = 0
    if m.plan[k.SCHEDULER] == k.FCFS:
        # Whatever is served from now on comes after it.
        piece_written(m, d)
    return float(end)


@kernel
def plan_pieces(m: Machine, t: float) -> None:
    """Let disks begin to write the copies that were decided on."""
    for d in range(m.plan[k.DISKS]):
        if may_start(m, d):
            later(m, t, COPY, (d, 0), -1.0)


@kernel
def watch(m: Machine, t: float) -> None:
    """Look after a request at ``t`` whether an epoch began with it, or it woke a disk."""
    if epoch_begins(m, t):
        later(m, m.epoch[c.END_MS], EPOCH, (0, 0), -1.0)
    end_woken(m, t)
    plan_pieces(m, t)


@kernel
def copy_step(m: Machine, kind: int, t: float, d: int, rng: np.random.Generator) -> None:
    """The end of an epoch, or the next piece of a disk's copies; more follows when it is done."""
    if kind == EPOCH:
        end_epoch(m, t)
        plan_pieces(m, t)
        return
    end = copy_piece(m, d, t, rng)
    if end >= 0:
        later(m, end, COPY, (d, 0), -1.0)


@kernel
def start_pieces(m: Machine, t: float, rng: np.random.Generator) -> None:
    """Let disks that sort their queues begin to write what was decided."""
    for d in range(m.plan[k.DISKS]):
        if may_start(m, d):
            copy_piece(m, d, t, rng)


@kernel
def piece_done(m: Machine, d: int, rng: np.random.Generator) -> None:
    """A disk that sorts its queue has written a piece: on to the next one."""
    piece_written(m, d)
    copy_piece(m, d, m.now[d, k.FREE], rng)
