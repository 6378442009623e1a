"""Dies of a solid-state drive that have the data of reads, behind a link. [ms]

A request passes the link when it comes, first come, first served; a read then waits for its dies.
Whether the link comes before dies or after them makes no difference to how long a request takes
around a closed loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.collecting_kernel import read_waits

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine

_SCATTER, _LOW_BITS = 2_654_435_761, 16


@kernel
def through_link(m: Machine, d: int, t: float, op: k.Op) -> float:
    """When an operation that comes at ``t`` has passed the drive's link. [ms]"""
    p = m.par[d]
    own, pace = p[k.LINK_READ], p[k.READ_MS_PER_SECTOR]
    if op[2]:
        own, pace = p[k.LINK_WRITE], p[k.WRITE_MS_PER_SECTOR]
    passed = max(t, m.now[d, k.LINK_FREE]) + own + op[1] * pace / p[k.CHANNELS]
    m.now[d, k.LINK_FREE] = passed
    return float(passed)


@kernel
def die_of(page: int, dies: int) -> int:
    """The die of a page: in turn, from another one on in every round, as no stride meets one."""
    return (page + ((page // dies * _SCATTER) >> _LOW_BITS)) % dies


@kernel
def read_dies(
    m: Machine, d: int, t: float, op: k.Op, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Read from the dies at ``t``: when answered, when all are free, their time in sum. [ms]"""
    p = m.par[d]
    dies = int(p[k.CHANNELS])
    pages = int(-(-op[1] // p[k.DIE_SECTORS]))
    first = die_of(int(op[0] // p[k.DIE_SECTORS]), dies)
    each = max(p[k.READ_LATENCY], p[k.READ_HOLD])
    answered, last, held = t, t, 0.0
    for nth in range(min(pages, dies)):
        die = (first + nth) % dies
        start = max(t, m.channels[d, die])
        wait = read_waits(m, d, die, start, rng) if p[k.MOVED_RATIO] > 0 else 0.0
        hold = each * ((pages - nth + dies - 1) // dies)
        answered = max(answered, start + wait + hold - each + p[k.READ_LATENCY])
        m.channels[d, die] = start + hold
        last = max(last, start + hold)
        held += hold
    return answered + op[3], last, held
