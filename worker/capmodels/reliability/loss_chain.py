"""An array from some lost disks on: the birth-death chain of losses and repairs, any start.

States count lost disks; of RAID-10, which may lose one of each pair, pairs with one lost.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.reliability.array_loss import losses_to_fail

if TYPE_CHECKING:
    from capmodels.reliability.array_loss import Layout

# Terms of the series of a step: the steps are so short that the next one is below 1e-18.
_TERMS = 14
_STEP_EVENTS_MAX = 0.5


class Chain(NamedTuple):
    """Rates by state, from none lost on: one more lost, one repaired, and data lost. [1/h]"""

    more: tuple[float, ...]
    repaired: tuple[float, ...]
    data_lost: tuple[float, ...]


def chain_of(layout: Layout, *, disks_count: int, rate_per_h: float, mttr_h: float) -> Chain:
    """Rates of a layout whose lost disks are all under repair, each on its own."""
    if layout == "raid10":
        pairs = disks_count // 2
        states = range(pairs + 1)
        more = tuple(2 * (pairs - k) * rate_per_h for k in states)
        data_lost = tuple(k * rate_per_h for k in states)
    else:
        states = range(losses_to_fail(layout, disks_count))
        rates = [(disks_count - k) * rate_per_h for k in states]
        more = (*rates[:-1], 0.0)
        data_lost = (*[0.0] * (len(rates) - 1), rates[-1])
    return Chain(more, tuple(k / mttr_h for k in states), data_lost)


def mean_time_h(chain: Chain, start: int) -> float:
    """Mean time until data are lost, from a state. [h]

    First the time from each state until there is one more lost or data are, and the chance of
    the latter, given those of the state below. Nothing is subtracted, so that times of any size
    are exact.
    """
    total, reached = 0.0, 1.0
    time = lost = 0.0
    for k, (more, repaired, data_lost) in enumerate(zip(*chain, strict=True)):
        leaving = more + data_lost + repaired * lost
        time = (1 + repaired * time) / leaving
        lost = (data_lost + repaired * lost) / leaving
        if k >= start:
            total += reached * time
            reached *= more / leaving
    return total


def loss_within(chain: Chain, start: int, duration_h: float) -> float:
    """Chance that data are lost within a time, from a state. [fraction]

    By uniformization (Jensen 1953), a short step squared until it is as long as the time: sums
    and products of chances alone, so that the smallest ones are exact too.
    """
    import numpy as np

    states = len(chain.more)
    rates = np.zeros((states + 1, states + 1))
    for k, (more, repaired, data_lost) in enumerate(zip(*chain, strict=True)):
        rates[k, k + 1] = more
        rates[k, states] += data_lost
        if k:
            rates[k, k - 1] = repaired
    leaving = rates.sum(axis=1)
    events = float(leaving.max()) * duration_h
    halvings = max(math.ceil(math.log2(events / _STEP_EVENTS_MAX)), 0) if events else 0
    once = (rates + np.diag(leaving.max() - leaving)) * (duration_h / 2.0**halvings)
    term = step = np.eye(states + 1)
    for n in range(1, _TERMS):
        term = term @ once / n
        step = step + term
    for _ in range(halvings):
        step /= step.sum(axis=1, keepdims=True)
        step = step @ step
    return float(step[start, states] / step[start].sum())
