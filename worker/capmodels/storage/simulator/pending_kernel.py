"""Work that starts later than the request that it is of: a heap by time. [ms]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Machine

# Kinds of pending work. From REBUILD on it is not brought to its end with the run.
SECOND_PHASE, FILL, DESTAGE, COPY, WRITE_PIECE, REBUILD, FLUSH, EPOCH = range(8)


@kernel
def move(m: Machine, source: int, target: int) -> None:
    """Copy an entry of the heap of pending work."""
    for column in range(5):
        m.pending[target, column] = m.pending[source, column]


@kernel
def later(m: Machine, t: float, kind: int, op: k.Op, arrived: float) -> None:
    """Put work into the heap, to be done at ``t``."""
    here = m.tally[k.PENDING]
    if here >= k.PENDING_MAX:
        m.tally[k.OVERFLOW] = 1
        return
    m.tally[k.PENDING] = here + 1
    while here > 0 and m.pending[(here - 1) >> 1, 0] > t:
        move(m, (here - 1) >> 1, here)
        here = (here - 1) >> 1
    m.pending[here, 0] = t
    m.pending[here, 1] = kind
    m.pending[here, 2] = op[0]
    m.pending[here, 3] = op[1]
    m.pending[here, 4] = arrived


@kernel
def drop_first(m: Machine) -> None:
    """Take the first entry off the heap of pending work."""
    left = m.tally[k.PENDING] - 1
    m.tally[k.PENDING] = left
    here, child = 0, 1
    while child < left:
        if child + 1 < left and m.pending[child + 1, 0] < m.pending[child, 0]:
            child += 1
        if m.pending[child, 0] >= m.pending[left, 0]:
            break
        move(m, child, here)
        here = child
        child = 2 * here + 1
    move(m, left, here)
