"""The end of a run: every device's idle time is booked up to one moment. [ms]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import follows_fill, is_gone
from capmodels.storage.simulator.power_states_kernel import close_gap, sleeps_after

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.simulator.slots import Machine

# Compiled kernels keep the record: touch this file when ``slots`` changes it.
_RECORD = k.machine_dtype()


@kernel
def last_end(m: Machine, t: float) -> float:
    """When the last device is done. [ms]"""
    for d in range(m.plan[k.DEVICES]):
        if m.par[d, k.CHANNELS] > 1:
            for c in range(int(m.par[d, k.CHANNELS])):
                t = max(t, m.channels[d, c])
        t = max(t, m.now[d, k.FREE])
    return t


@kernel
def settled(m: Machine, d: int, t: float) -> float:
    """When the transition that an idle device is in at ``t`` ends, else ``t``. [ms]"""
    p = m.par[d]
    asleep = m.now[d, k.FREE] + sleeps_after(m, d)
    if t < asleep:
        return t
    if p[k.T_LPI] >= 0:
        low = asleep + p[k.T_DOWN_LPI]
        if t < low:
            return low
        if p[k.T_STANDBY] < 0:
            return t
        asleep = max(low, m.now[d, k.FREE] + p[k.T_STANDBY])
        if t < asleep:
            return t
    return max(t, asleep + p[k.T_DOWN_STANDBY])


@kernel
def common_end(m: Machine, t: float) -> float:
    """First time from ``t`` on at which no device is in a transition. [ms]"""
    while True:
        end = t
        for d in range(m.plan[k.DEVICES]):
            if not is_gone(m, d):
                end = max(end, settled(m, d, end))
        if end == t:
            return end
        t = end


@kernel
def rests_at_the_end(m: Machine, d: int) -> bool:
    """Whether a device's idle time is what the others leave, as none is booked between requests."""
    return bool(m.par[d, k.CHANNELS] > 1) or follows_fill(m, d)


@kernel
def book_end(machine: NDArray[np.uint8], t: float) -> float:
    """Book the idle time of every device, with nothing pending; return the end. [ms]

    A transition that is under way there ends first, and the run with it, so that every device's
    states add up to the same time. A lost disk has none.
    """
    m = machine.view(_RECORD)[0]
    end = common_end(m, last_end(m, t))
    for d in range(m.plan[k.DEVICES]):
        if is_gone(m, d):
            continue
        if rests_at_the_end(m, d):
            rest = end - m.time_ms[d].sum()
            m.time_ms[d, k.IDLE] += rest
            m.energy_mj[d, k.IDLE] += rest * m.par[d, k.P_IDLE]
        else:
            m.now[d, k.FREE] = close_gap(m, d, end, False)
    return end
