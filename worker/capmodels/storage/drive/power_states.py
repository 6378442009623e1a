"""Power of disks that sleep: break-even times and closed forms. [W, J, s]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from capmodels.amounts import AmountT


class Transition(NamedTuple):
    """Energy and time of one change of state, which cannot be interrupted."""

    energy_j: float
    duration_s: float


def break_even_s(*, down: Transition, up: Transition, idle_w: float, low_w: float) -> float:
    """Idle time from which going down and up again saves energy. [s]

    (E_down + E_up - P_low (T_down + T_up)) / (P_idle - P_low). As a time-out it never costs
    more than twice what one who knows the future would spend.

    >>> round(break_even_s(down=Transition(2.15, 0.85), up=Transition(1.45, 0.53),
    ...                    idle_w=2.0, low_w=0.85), 3)
    2.11
    """
    energy = down.energy_j + up.energy_j
    duration = down.duration_s + up.duration_s
    return (energy - low_w * duration) / (idle_w - low_w)


class LowState(NamedTuple):
    """A state of low power, entered from and left to performance idle."""

    power_w: float
    down: Transition
    up: Transition


def envelope_crossing_s(first: LowState, second: LowState) -> float:
    """Idle time from which the deeper of two low states costs less energy. [s]

    Both lines are E_down + E_up + P (t - T_down - T_up).
    """

    def fixed_j(state: LowState) -> float:
        duration = state.down.duration_s + state.up.duration_s
        return state.down.energy_j + state.up.energy_j - state.power_w * duration

    return (fixed_j(second) - fixed_j(first)) / (first.power_w - second.power_w)


def always_on_w(
    *, disks_count: int, idle_w: AmountT, active_w: AmountT, busy_disks: AmountT
) -> AmountT:
    """Power of disks that never sleep; ``busy_disks`` is arrival rate times service time. [W]

    >>> round(always_on_w(disks_count=3, idle_w=2.0, active_w=2.5, busy_disks=1.829625), 3)
    6.915
    """
    return disks_count * idle_w + (active_w - idle_w) * busy_disks


def one_awake_w(
    *, disks_count: int, idle_w: float, active_w: float, standby_w: float, busy_disks: float
) -> float:
    """Power with one disk awake and the others spun down; needs ``busy_disks`` < 1. [W]"""
    return idle_w + (active_w - idle_w) * busy_disks + (disks_count - 1) * standby_w


def awake_count(*, busy_disks: float, target_utilization_fraction: float) -> int:
    """Disks to keep awake for a target utilization."""
    return max(1, math.ceil(busy_disks / target_utilization_fraction - 1e-9))


def years_to_rating(*, starts_per_year: float, rating_count: float) -> float | None:
    """Time until the rated starts and stops are used up; None when there are none. [yr]

    >>> years_to_rating(starts_per_year=0.0, rating_count=300_000) is None
    True
    """
    return rating_count / starts_per_year if starts_per_year > 0 else None
