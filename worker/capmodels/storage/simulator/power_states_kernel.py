"""One device's power states: what an idle time is booked as, and what waking takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Machine


@kernel
def book(m: Machine, d: int, state: int, duration: float, power: float) -> None:
    """Spend time in a state at a power."""
    m.time_ms[d, state] += duration
    m.energy_mj[d, state] += duration * power


@kernel
def book_change(m: Machine, d: int, duration: float, energy: float) -> float:
    """Go through a transition, whole; return its time."""
    m.time_ms[d, k.TRANSITION] += duration
    m.energy_mj[d, k.TRANSITION] += energy
    return duration


@kernel
def sleeps_after(m: Machine, d: int) -> float:
    """Idle time after which the device leaves performance idle. [ms]"""
    p = m.par[d]
    if p[k.STAYS_AWAKE] == 1:
        return math.inf
    if p[k.T_LPI] >= 0:
        return p[k.T_LPI]
    return p[k.T_STANDBY] if p[k.T_STANDBY] >= 0 else math.inf


@kernel
def is_awake(m: Machine, d: int, t: float) -> bool:
    """Whether the device spins and is ready at ``t``; needs ``pop_done`` before."""
    if m.now[d, k.READY] > t:
        return False
    if m.ends[d, 1] > m.ends[d, 0]:
        return True
    return t - m.now[d, k.FREE] < sleeps_after(m, d)


@kernel
def sleep_rank(m: Machine, d: int, t: float) -> int:
    """What an idle, not active device is in: 0 low-power idle, 1 standby, 2 going down."""
    p = m.par[d]
    gap = t - m.now[d, k.FREE]
    at = sleeps_after(m, d)
    if p[k.T_LPI] >= 0:
        at += p[k.T_DOWN_LPI]
        if gap < at:
            return 2
        if p[k.T_STANDBY] < 0:
            return 0
        at = max(at, p[k.T_STANDBY])
        if gap < at:
            return 0
    return 2 if gap < at + p[k.T_DOWN_STANDBY] else 1


@kernel
def close_gap(m: Machine, d: int, t: float, wake: bool) -> float:
    """Book the idle time up to ``t`` and wake the device; return when it is ready.

    Transitions are not interrupted: one that is under way at ``t`` ends first. Without
    ``wake`` (end of a run) booking stops at ``t`` or at the end of that transition.
    """
    p = m.par[d]
    began = m.now[d, k.FREE]
    gap = t - began
    if gap <= 0:
        return began
    if gap < sleeps_after(m, d):
        book(m, d, k.IDLE, gap, p[k.P_IDLE])
        return t
    here = began + sleeps_after(m, d)
    book(m, d, k.IDLE, here - began, p[k.P_IDLE])
    if p[k.T_LPI] >= 0:
        here += book_change(m, d, p[k.T_DOWN_LPI], p[k.E_DOWN_LPI])
        deeper = math.inf
        if p[k.T_STANDBY] >= 0:
            deeper = max(began + p[k.T_STANDBY], here)
        until = max(min(t, deeper), here)
        book(m, d, k.LPI, until - here, p[k.P_LPI])
        here = until
        if t < deeper:
            if wake:
                m.count[d, k.LPI_WAKES] += 1
                here += book_change(m, d, p[k.T_UP_LPI], p[k.E_UP_LPI])
            return here
    here += book_change(m, d, p[k.T_DOWN_STANDBY], p[k.E_DOWN_STANDBY])
    until = max(t, here)
    book(m, d, k.STANDBY, until - here, p[k.P_STANDBY])
    if wake:
        m.count[d, k.SPIN_UPS] += 1
        until += book_change(m, d, p[k.T_UP_STANDBY], p[k.E_UP_STANDBY])
    return until


@kernel
def wake(m: Machine, d: int, t: float) -> None:
    """Wake an idle device without giving it a request; late writes are made up for first."""
    ready = close_gap(m, d, t, True)
    m.tally[k.WAKES] += 1
    late = m.now[d, k.LAZY] * m.par[d, k.MEAN_SERVICE]
    if late > 0:
        book(m, d, k.ACTIVE, late, m.par[d, k.P_ACTIVE])
        m.count[d, k.WRITE_OPS] += int(m.now[d, k.LAZY])
        m.now[d, k.LAZY] = 0.0
        ready += late
    m.now[d, k.FREE] = ready
    m.now[d, k.READY] = ready


@kernel
def ready_for(m: Machine, d: int, t: float) -> None:
    """Book an idle device's time up to ``t``, and wake it when it sleeps."""
    if t - m.now[d, k.FREE] >= sleeps_after(m, d):
        wake(m, d, t)
    else:
        book(m, d, k.IDLE, t - m.now[d, k.FREE], m.par[d, k.P_IDLE])
        m.now[d, k.FREE] = t
