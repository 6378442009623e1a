"""A rebuild: what is lost is read from the survivors and written to spares, in one pass. [ms]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import serve
from capmodels.storage.simulator.layout_kernel import left_of, nth_left
from capmodels.storage.simulator.op_kernel import all_disks, reading, writing
from capmodels.storage.simulator.pending_kernel import REBUILD, WRITE_PIECE, later
from capmodels.storage.simulator.spread_kernel import (
    next_piece,
    piece_ends,
    read_spread,
    write_spread,
)

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine


@kernel
def read_piece(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Read a piece (sector, sectors) of what is lost from the survivors; return the end. [ms]

    Of a RAID-10 from each partner, of other copies from the first one left. Of a parity array
    from as many disks as hold data in a stripe: a RAID-6 with one disk lost has one more, and
    survivors are left out in turn, as each would be in its share of the stripes.
    """
    if m.plan[k.LAYOUT] == k.DECLUSTERED:
        return read_spread(m, t, op, rng)
    first, width = all_disks(m)
    one = reading(op[0], op[1])
    if m.plan[k.LAYOUT] == k.MIRROR:
        return serve(m, nth_left(m, first, width, first), t, one, rng)
    spared, left = m.plan[k.PARITIES] - m.plan[k.LOST_COUNT], left_of(m, first, width)
    turn = op[0] // m.plan[k.REBUILD_SECTORS] % left
    done = t
    number = -1
    for d in range(width):
        if m.now[d, k.LOST] == 1:
            continue
        number += 1
        if (number - turn) % left < spared:
            continue
        if m.plan[k.LAYOUT] == k.PARITY or m.now[d ^ 1, k.LOST] == 1:
            done = max(done, serve(m, d, t, one, rng))
    return done


@kernel
def spares_free(m: Machine) -> float:
    """When every spare is done. [ms]"""
    free = 0.0
    for d in range(m.plan[k.DISKS]):
        if m.now[d, k.LOST] == 1:
            free = max(free, m.now[d, k.FREE])
    return free


@kernel
def write_piece(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> None:
    """Write a piece (sector, sectors) to every spare."""
    if m.plan[k.LAYOUT] == k.DECLUSTERED:
        write_spread(m, t, op, rng)
        return
    for d in range(m.plan[k.DISKS]):
        if m.now[d, k.LOST] == 1:
            serve(m, d, t, writing(op[0], op[1]), rng)
    m.tally[k.REBUILT_SECTORS] += op[1]


@kernel
def join(m: Machine) -> None:
    """Let the spares take the places of the lost disks."""
    for d in range(m.plan[k.DISKS]):
        m.now[d, k.LOST] = 0.0
    m.plan[k.LOST_COUNT] = 0


@kernel
def spread_step(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> None:
    """Read a piece of a declustered array, to be written when it is read; below 0: begin one."""
    if op[0] < 0:
        next_piece(m, t)
        return
    later(m, read_spread(m, t, op, rng), WRITE_PIECE, op, -1.0)


@kernel
def rebuild_step(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> None:
    """Read the next piece from the survivors, write it to the spares, plan the piece after.

    The piece after is read while this one is written, and not before the one before is. When
    all are written the spares take the lost disks' places.
    """
    if m.plan[k.LAYOUT] == k.DECLUSTERED:
        spread_step(m, t, op, rng)
        return
    size = min(op[1], int(m.par[0, k.SECTORS]) - op[0])
    if size <= 0:
        join(m)
        return
    done = read_piece(m, t, (op[0], size), rng)
    begun = max(done, spares_free(m))
    write_piece(m, begun, (op[0], size), rng)
    written = spares_free(m)
    m.share[k.REBUILT_AT] = written
    after = op[0] + size
    at = max(begun, t + m.share[k.REBUILD_GAP])
    if after >= m.par[0, k.SECTORS]:
        at = written
    later(m, at, REBUILD, (after, op[1]), -1.0)


@kernel
def piece_read(m: Machine, began: float, t: float, op: k.Op) -> None:
    """At disks that sort, a piece (sector, sectors) has been read: plan what follows.

    ``began`` is when the read was put to the disks. The last piece has none after it.
    """
    if m.plan[k.LAYOUT] == k.DECLUSTERED:
        later(m, t, WRITE_PIECE, op, -1.0)
        return
    begun = max(t, spares_free(m))
    later(m, begun, WRITE_PIECE, op, -1.0)
    after = op[0] + op[1]
    if after < m.par[0, k.SECTORS]:
        at = max(begun, began + m.share[k.REBUILD_GAP])
        later(m, at, REBUILD, (after, m.plan[k.REBUILD_SECTORS]), -1.0)


@kernel
def piece_on_spares(m: Machine, t: float, op: k.Op) -> None:
    """At disks that sort, a piece (sector, sectors) has been written; after the last one join."""
    if m.plan[k.LAYOUT] == k.DECLUSTERED:
        piece_ends(m, t)
        return
    m.share[k.REBUILT_AT] = t
    if op[0] + op[1] >= m.par[0, k.SECTORS]:
        join(m)
