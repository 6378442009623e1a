"""Drives and links of a coded cluster as queues, and their waits on a grid of time. [ms]

A link is an M/G/1 queue. Of a service S with the mean s, its residual R has the density
P(S > x) / s, and waits are the sum of as many residuals as a geometric variable says (Pollaczek and
Khinchine): with the load a, none has the chance 1 - a; in transforms W* = (1 - a) / (1 - a R*).

A drive has c servers. A request waits where all are busy, which has Erlang's chance C [1]_:

    W* = 1 - C + C X* (1 - a) / (1 - a R*),   P(X > x) = P(residual of one > x)^c

with S of all servers as one; for c = 1 that is the law above. Transforms are of Fourier on the
grid; masses between its places go to both, so that means are kept.

.. [1] H. C. Tijms, M. H. van Hoorn, A. Federgruen, Approximations for the steady-state
   probabilities in the M/G/c queue, Advances in Applied Probability 13(1), 1981
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Transform = NDArray[np.complex128]


class Service(NamedTuple):
    """Times that are alike likely, in which a drive or a link serves. [ms]"""

    times_ms: Floats
    weights: Floats

    @property
    def mean_ms(self) -> float:
        """Mean. [ms]"""
        return float((self.times_ms * self.weights).sum())

    @property
    def square_ms2(self) -> float:
        """Mean square. [ms^2]"""
        return float((self.times_ms**2 * self.weights).sum())

    @property
    def lesser_ms(self) -> float:
        """Mean of the lesser of two. [ms]"""
        order = np.argsort(self.times_ms)
        longer = 1 - np.cumsum(self.weights[order])
        return float(-(np.diff(longer**2, prepend=1.0) * self.times_ms[order]).sum())


class Queue(NamedTuple):
    """What is served first come first served, and by how much of the time."""

    service: Service  # of all servers as one
    load: float
    servers_count: int = 1

    @property
    def given_ms(self) -> float:
        """Mean wait of one that waits, of one server. [ms]"""
        return self.service.square_ms2 / self.service.mean_ms / 2 / (1 - self.load)

    @property
    def waits_fraction(self) -> float:
        """Chance that one waits (Erlang's C)."""
        lost, asked = 1.0, self.load * self.servers_count
        for count in range(1, self.servers_count + 1):
            lost = asked * lost / (count + asked * lost)
        return lost / (1 - self.load * (1 - lost))


def steady(*times: tuple[float, float]) -> Service:
    """Service that takes one time or another: share and time of each. [ms]"""
    return Service(np.array([time for _, time in times]), np.array([share for share, _ in times]))


def mixed(*parts: tuple[float, Service]) -> Service:
    """Service of one kind or another, by their shares."""
    return Service(
        np.concatenate([one.times_ms for _, one in parts]),
        np.concatenate([share * one.weights for share, one in parts]),
    )


def link(jobs: Sequence[tuple[float, float]]) -> Queue:
    """A link that passes so many a ms for so long each."""
    rate, load = math.fsum(rate for rate, _ in jobs), math.fsum(rate * ms for rate, ms in jobs)
    if load == 0:
        return Queue(steady((1.0, 1.0)), 0.0)
    return Queue(steady(*((each / rate, ms) for each, ms in jobs)), load)


def masses(service: Service, grid: Floats) -> Floats:
    """Chances at the places of a grid, each time's shared by the two beside it."""
    at = np.minimum(service.times_ms / grid[1], grid.size - 2.0)
    below = at.astype(np.int64)
    more = (at - below) * service.weights
    found = np.bincount(below, service.weights - more, grid.size)
    return np.add(found, np.bincount(below + 1, more, grid.size), dtype=np.float64)


def waits(parts: Sequence[tuple[float, Queue]], grid: Floats) -> Transform:
    """Waits for one queue or another of a service, by their shares."""
    service, _, count = parts[0][1]
    residual = first = _residual(service, grid)
    if count > 1:
        each = service._replace(times_ms=count * service.times_ms)
        left = np.maximum(1 - np.cumsum(_residual(each, grid)), 0.0)
        first = -np.diff(left**count, prepend=1.0)
    one, begin = np.fft.rfft(residual), np.fft.rfft(first)
    found = np.zeros_like(one)
    for share, queue in parts:
        given = begin * (1 - queue.load) / (1 - queue.load * one)
        found += share * (1 - queue.waits_fraction * (1 - given))
    return found


def _residual(service: Service, grid: Floats) -> Floats:
    """What is left of a service when another one comes, as masses."""
    longer = 1 - np.cumsum(masses(service, grid))
    return np.asarray((longer + np.append(0.0, longer[:-1])) / 2 / longer.sum())
