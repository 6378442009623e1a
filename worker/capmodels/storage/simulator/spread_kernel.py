"""A declustered array: which disk holds what, and how what is lost comes back. [ms]

See ``spread`` for the layout. A rebuild reads pieces of stripes from the disks that are left and
writes them to the spare room of the same rows, many at once, in order of their place on the disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import serve
from capmodels.storage.simulator.op_kernel import reading, writing
from capmodels.storage.simulator.pending_kernel import REBUILD, later

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine


@kernel
def disk_at(m: Machine, part: int, column: int) -> int:
    """The disk of a column in a slice of rows."""
    turn, order = divmod(part, k.ORDERS)
    return (m.orders[order, column] + turn) % m.plan[k.DISKS]


@kernel
def column_of(m: Machine, part: int, d: int) -> int:
    """The column of a disk in a slice of rows."""
    for column in range(m.plan[k.DISKS]):
        if disk_at(m, part, column) == d:
            return column
    return -1


@kernel
def spare_of(m: Machine, part: int, d: int) -> int:
    """The disk with the spare room that takes what a lost one held in a slice."""
    before = 0
    for other in range(d):
        if m.now[other, k.LOST] == 1 and column_of(m, part, other) < m.plan[k.COLUMNS]:
            before += 1
    for column in range(m.plan[k.COLUMNS], m.plan[k.DISKS]):
        spare = disk_at(m, part, column)
        if m.now[spare, k.LOST] == 1:
            continue
        if before == 0:
            return spare
        before -= 1
    return -1


@kernel
def spread_member(m: Machine, stripe: int, index: int) -> tuple[int, int]:
    """Disk of a stripe's chunk, and the chunk's number there; data come first, then parities."""
    block, inside = divmod(stripe, m.plan[k.ROW_CHUNKS])
    part, group = divmod(block, m.plan[k.SLICE_GROUPS])
    place = group * m.plan[k.WIDTH] + (index + inside) % m.plan[k.WIDTH]
    row, column = divmod(place, m.plan[k.COLUMNS])
    d = disk_at(m, part, column)
    if m.plan[k.SPARED] == 1 and m.now[d, k.LOST] == 1:
        d = spare_of(m, part, d)
    return d, (part * m.plan[k.SLICE_ROWS] + row) * m.plan[k.ROW_CHUNKS] + inside


@kernel
def row_sectors(m: Machine) -> int:
    """Sectors of a disk that stay together."""
    return m.plan[k.ROW_CHUNKS] * m.plan[k.CHUNK]


@kernel
def group_at(m: Machine, row: int, d: int) -> tuple[int, int]:
    """Slice of a row of the disks, and the group of a disk there; -1 where its room is spare."""
    part, inside = divmod(row, m.plan[k.SLICE_ROWS])
    column = column_of(m, part, d)
    if column >= m.plan[k.COLUMNS]:
        return part, -1
    return part, (inside * m.plan[k.COLUMNS] + column) // m.plan[k.WIDTH]


@kernel
def is_hurt(m: Machine, row: int) -> bool:
    """Whether a lost disk held anything in a row."""
    for d in range(m.plan[k.DISKS]):
        if m.now[d, k.LOST] == 1 and group_at(m, row, d)[1] >= 0:
            return True
    return False


@kernel
def next_piece(m: Machine, t: float) -> None:
    """Plan the next piece, at ``t`` or when its turn comes, if there is one."""
    row = row_sectors(m)
    rows = int(m.par[0, k.SECTORS]) // (row * m.plan[k.SLICE_ROWS]) * m.plan[k.SLICE_ROWS]
    sector = m.tally[k.NEXT_SECTOR]
    while sector % row == 0 and sector < rows * row and not is_hurt(m, sector // row):
        sector += row
    m.tally[k.NEXT_SECTOR] = sector
    if sector >= rows * row:
        if m.tally[k.PIECES_DONE] == m.tally[k.NEXT_PIECE]:
            m.plan[k.SPARED] = 1
            m.plan[k.LOST_COUNT] = 0
        return
    size = min(m.plan[k.REBUILD_SECTORS], row - sector % row)
    at = max(t, m.tally[k.NEXT_PIECE] * m.share[k.REBUILD_GAP])
    m.tally[k.NEXT_SECTOR] += size
    m.tally[k.NEXT_PIECE] += 1
    later(m, at, REBUILD, (sector, size), -1.0)


@kernel
def read_group(m: Machine, t: float, group: k.Op, op: k.Op, rng: np.random.Generator) -> float:
    """Read a piece of a group (slice, number) from as many disks as it has data; the end. [ms]"""
    part, number = group
    width, row = m.plan[k.WIDTH], row_sectors(m)
    needed = width - m.plan[k.PARITIES]
    turn = op[0] // m.plan[k.REBUILD_SECTORS]
    done = t
    for i in range(width):
        place = number * width + (i + turn) % width
        inside, column = divmod(place, m.plan[k.COLUMNS])
        d = disk_at(m, part, column)
        if needed == 0 or m.now[d, k.LOST] == 1:
            continue
        needed -= 1
        sector = (part * m.plan[k.SLICE_ROWS] + inside) * row + op[0] % row
        done = max(done, serve(m, d, t, reading(sector, op[1]), rng))
    return done


@kernel
def read_spread(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Read what a piece (sector, sectors) of the lost disks is worked out from; the end. [ms]"""
    done, row = t, op[0] // row_sectors(m)
    for d in range(m.plan[k.DISKS]):
        if m.now[d, k.LOST] == 0:
            continue
        part, number = group_at(m, row, d)
        known = number < 0
        for other in range(d):
            if m.now[other, k.LOST] == 1 and group_at(m, row, other)[1] == number:
                known = True
        if not known:
            done = max(done, read_group(m, t, (part, number), op, rng))
    return done


@kernel
def write_spread(m: Machine, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Write a piece (sector, sectors) of each lost disk to spare room; the end. [ms]"""
    done, row = t, op[0] // row_sectors(m)
    for d in range(m.plan[k.DISKS]):
        if m.now[d, k.LOST] == 0:
            continue
        part, number = group_at(m, row, d)
        if number >= 0:
            m.tally[k.REBUILT_SECTORS] += op[1]
            spare = spare_of(m, part, d)
            done = max(done, serve(m, spare, t, writing(op[0], op[1]), rng))
    return done


@kernel
def piece_ends(m: Machine, t: float) -> None:
    """Count a piece that has been written, and go on to the next."""
    m.share[k.REBUILT_AT] = max(m.share[k.REBUILT_AT], t)
    m.tally[k.PIECES_DONE] += 1
    next_piece(m, t)
