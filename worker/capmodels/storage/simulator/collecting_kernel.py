"""Flash that collects valid data before it erases, and writes that outgrow an SLC cache. [ms]

A channel owes the moving of what is valid in a block whenever so much has been written that a block
is needed. It moves while it rests, and beside writes, which then take twice their share of it. A
read whose channel moves data waits for the rest of the present step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine

# Of ``owed``: to be moved for a block that is not needed yet, now, and sectors written for it.
COMING, NOW, WRITTEN = range(3)
_SHARE_BESIDE_WRITES = 2.0


@kernel
def rested(m: Machine, d: int, channel: int, start: float) -> float:
    """What a channel still has to move at ``start``, when it has rested until then. [ms]"""
    return max(m.owed[d, channel, NOW] - max(start - m.channels[d, channel], 0.0), 0.0)


@kernel
def any_read_waits(m: Machine, d: int, start: float, rng: np.random.Generator) -> float:
    """How long a read waits for its data's channel, any of them, to end a step. [ms]"""
    return read_waits(m, d, int(rng.random() * m.par[d, k.CHANNELS]), start, rng)


@kernel
def read_waits(m: Machine, d: int, channel: int, start: float, rng: np.random.Generator) -> float:
    """How long a read waits for a channel to end a step of moving. [ms]"""
    left = rested(m, d, channel, start)
    return rng.random() * min(left, m.par[d, k.MOVE_STEP]) if left > 0 else 0.0


@kernel
def write_holds(m: Machine, d: int, channel: int, op: k.Op, times: k.Op) -> float:
    """How long a write (start, time of a channel) holds its channel, moving beside it. [ms]"""
    start, held = times
    p, owed = m.par[d], m.owed[d, channel]
    own = held * p[k.OWN_SHARE]
    moving = own * p[k.MOVED_RATIO]
    left = rested(m, d, channel, start)
    beside = min(left, _SHARE_BESIDE_WRITES * moving)
    owed[NOW] = left - beside
    owed[COMING] += moving
    owed[WRITTEN] += op[1]
    if owed[WRITTEN] >= p[k.BLOCK_WRITES]:
        owed[NOW] += owed[COMING]
        owed[COMING] = owed[WRITTEN] = 0.0
    return own + beside


@kernel
def past_cache_ms(m: Machine, d: int, start: float, sectors: int) -> float:
    """How long a write holds its channel because the SLC cache is full; 0: it is not. [ms]

    The cache is emptied while the drive has nothing else to do, at the rate of what is behind it.
    """
    p = m.par[d]
    rest = max(start - m.now[d, k.FREE], 0.0)
    used = max(m.now[d, k.SLC_USED] - rest * p[k.CHANNELS] / p[k.PAST_SLC_MS_PER_SECTOR], 0.0)
    full = used + sectors > p[k.SLC_SECTORS]
    m.now[d, k.SLC_USED] = used if full else used + sectors
    return sectors * p[k.PAST_SLC_MS_PER_SECTOR] if full else 0.0


@kernel
def flash_by_fill(
    m: Machine, d: int, channel: int, op: k.Op, times: k.Op, rng: np.random.Generator
) -> tuple[float, float]:
    """Answer and time of a channel (start, answer, held) of a drive that collects or caches."""
    start, answer, held = times
    p = m.par[d]
    if not op[2]:
        wait = any_read_waits(m, d, start, rng) if p[k.MOVED_RATIO] > 0 else 0.0
        return answer + wait, held
    if p[k.PAST_SLC_MS_PER_SECTOR] > 0:
        held = max(held, past_cache_ms(m, d, start, op[1]))
    if p[k.BLOCK_WRITES] > 0:
        held = max(write_holds(m, d, channel, op, (start, held)), min(answer, held))
    # Without a buffer of its own a write is answered when its channel is done.
    return (answer if p[k.WRITE_HOLD] > 0 else held), held
