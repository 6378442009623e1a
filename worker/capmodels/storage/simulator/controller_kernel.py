"""A controller before the drives: its own time for each request, and how many it passes on. [ms]

Requests pass it one after another. One that finds as many under way as it passes on at once waits
in the host until the first of them is done.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Machine


@kernel
def first_done(m: Machine) -> int:
    """Of the requests under way, or places without one, the one that is done first."""
    best = 0
    for place in range(1, m.plan[k.UNDER_WAY_MAX]):
        if m.under_way[place] < m.under_way[best]:
            best = place
    return best


@kernel
def passed(m: Machine, t: float, write: bool) -> float:
    """When a request that the controller takes at ``t`` has passed it; its place is taken."""
    if m.plan[k.UNDER_WAY_MAX] > 0:
        place = first_done(m)
        t = max(t, m.under_way[place])
        # Until it is known when it is done.
        m.under_way[place] = math.inf
    t = max(t, m.share[k.CONTROLLER_FREE])
    t += m.share[k.CONTROLLER_WRITE if write else k.CONTROLLER_READ]
    m.share[k.CONTROLLER_FREE] = t
    return t


@kernel
def is_full(m: Machine) -> bool:
    """Whether no end is known of any request under way, and no place is left."""
    if m.plan[k.UNDER_WAY_MAX] == 0:
        return False
    return bool(m.under_way[first_done(m)] == math.inf)


@kernel
def leaves(m: Machine, end: float) -> None:
    """One of the requests under way is done at ``end``: which one makes no difference."""
    for place in range(m.plan[k.UNDER_WAY_MAX]):
        if m.under_way[place] == math.inf:
            m.under_way[place] = end
            return
