"""A drive that spins down after an idle time, under random arrivals, in closed form.

Arrivals are Poisson; a transition cannot be interrupted, and a request that finds the drive
asleep wakes it. The mean power follows from one renewal cycle (idle, perhaps asleep, busy),
the mean wait from the decomposition of Fuhrmann and Cooper 1985. Ours; held against the
simulator in the tests. Arithmetic only, so that arrays of rates pass through.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, NamedTuple

from capmodels.amounts import AmountT
from capmodels.storage.drive.power_states import break_even_s
from capmodels.storage.drive.service import MS_PER_S

if TYPE_CHECKING:
    from capmodels.storage.drive.power_states import LowState

# Keeps the quotients finite without arrivals.
_LEAST_RATE = 1e-200


class Sleeper(NamedTuple):
    """A drive's powers, its low state, and the idle time after which it goes there."""

    idle_w: float
    active_w: float
    low: LowState
    timeout_s: float


class Sleep(NamedTuple, Generic[AmountT]):
    """What becomes of it: mean power, starts a second, and the share of time spun down."""

    power_w: AmountT
    starts_per_s: AmountT
    asleep_fraction: AmountT


def standby_break_even_s(idle_w: float, low: LowState) -> float:
    """Idle time from which the low state costs less than idling. [s]"""
    return break_even_s(down=low.down, up=low.up, idle_w=idle_w, low_w=low.power_w)


def sleep_of(drive: Sleeper, *, rate_per_s: AmountT, load_fraction: AmountT) -> Sleep[AmountT]:
    """Mean power and starts of a drive at a rate of operations and a load below 1.

    A cycle has an idle time min(X, T), with chance p = exp(-rate T) a spin-down, a sleep
    until the next arrival and a spin-up, and the work of all that arrived; work takes the
    share ``load_fraction`` of all time.

    Without requests it sleeps:

    >>> from capmodels.storage.drive.power_states import LowState, Transition
    >>> low = LowState(0.25, Transition(2.94, 1.25), Transition(9.0, 3.0))
    >>> sleep_of(Sleeper(2.0, 2.5, low, 14.0), rate_per_s=0.0, load_fraction=0.0).power_w
    0.25
    """
    rate, low = rate_per_s + _LEAST_RATE, drive.low
    sleeps = math.e ** (-rate * drive.timeout_s)
    idle_s = (1.0 - sleeps) / rate
    asleep_s = math.e ** (-rate * low.down.duration_s) / rate
    turning_s = low.down.duration_s + low.up.duration_s
    cycle_s = (idle_s + sleeps * (asleep_s + turning_s)) / (1.0 - load_fraction)
    turning_j = low.down.energy_j + low.up.energy_j
    joules = drive.idle_w * idle_s + sleeps * (turning_j + low.power_w * asleep_s)
    return Sleep(
        drive.active_w * load_fraction + joules / cycle_s,
        sleeps / cycle_s,
        sleeps * asleep_s / cycle_s,
    )


def wake_wait_ms(drive: Sleeper, rate_per_s: float) -> float:
    """Mean wait that sleeping adds to a request, on top of the queue. [ms]

    E[Q (Q - 1)] / (2 rate E[Q]), Q the requests present when work starts.
    """
    rate, low = rate_per_s + _LEAST_RATE, drive.low
    sleeps = math.exp(-rate * drive.timeout_s)
    down, up = rate * low.down.duration_s, rate * low.up.duration_s
    first = down + math.exp(-down)
    present = 1.0 - sleeps + sleeps * (first + up)
    pairs = sleeps * (down**2 + 2 * first * up + up**2)
    return pairs / (2 * rate * present) * MS_PER_S
