"""What renting in a month is expected to cost, as a function of the capacity there.

Renting in an hour is what demand exceeds capacity by, so that its expected cost is the integral
of the load duration curve above the capacity times the price: convex and piecewise linear, with
slope -price x P(demand > capacity). J. R. Birge and F. Louveaux, Introduction to Stochastic
Programming, 2nd edition 2011, chapter 1 (the newsvendor's recourse). Where whole instances are
rented some units are idle in each hour in which any is: price x idle x P(demand > capacity) more,
which is not convex. A program has the convex hull of both then (`hull`), and the gap of its plan
says what that leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.plans.purchase.params import PurchasePlanParams

    Array = NDArray[np.float64]

_MET = 1e-9


@dataclass(frozen=True, slots=True)
class Rung:
    """From here on a unit more is dearer by ``added_usd``: above ``scale`` of demand less
    ``shift`` and what is there. ``idle`` units are paid beside in each such hour."""

    added_usd: float
    scale: float
    shift: float
    idle: float = 0.0


@dataclass(frozen=True, slots=True)
class Recourse:
    """What carries demand above capacity: rungs of rising price, and what may be missing.

    ``must`` says that demand above the last rung is not allowed; ``unmet`` is the rung from
    which demand is left unmet.
    """

    rungs: tuple[Rung, ...]
    spot: Rung | None
    unmet: Rung | None
    must: Rung | None


def recourse_of(params: PurchasePlanParams) -> Recourse:
    """Put what can be rented, and leaving demand unmet, in the order of their prices."""
    rungs: list[Rung] = []
    rent, spot, unmet_usd = params.on_demand, params.spot, params.unmet_usd_per_unit_h
    scale, shift, paid, spot_rung = 1.0, 0.0, 0.0, None
    if rent is not None and spot is not None:
        price = spot.usd_per_unit_h * (1.0 + spot.repeated_fraction)
        if price < min(rent.usd_per_unit_h, np.inf if unmet_usd is None else unmet_usd):
            rungs.append(Rung(price, scale, shift))
            spot_rung = Rung(price, 1.0 - spot.share_fraction, 0.0)
            scale, paid = spot_rung.scale, price
    if rent is not None and (unmet_usd is None or rent.usd_per_unit_h < unmet_usd):
        # Where all is rented, what is idle can be committed to like the rest.
        owns = bool(params.machines or params.held_machines)
        shift, idle = (0.0, rent.idle_count) if owns else (-rent.idle_count, 0.0)
        rungs.append(Rung(rent.usd_per_unit_h - paid, scale, shift, idle))
        paid = rent.usd_per_unit_h
        shift = np.inf if rent.most_count is None else rent.most_count
    last = Rung(0.0, scale, shift) if np.isfinite(shift) else None
    if last is None or unmet_usd is None:
        return Recourse(tuple(rungs), spot_rung, None, last)
    unmet = Rung(unmet_usd - paid, scale, shift)
    return Recourse((*rungs, unmet), spot_rung, unmet, None)


class Profile:
    """Hours of a month as ratios of its mean, and how far they are above a level on average."""

    def __init__(self, ratios: Array) -> None:
        """Take ratios in ascending order, all of the same weight."""
        self.ratios = ratios
        self.above = np.append(np.cumsum(ratios[::-1])[::-1], 0.0)

    def excess(self, level: Array, capacity: Array) -> tuple[Array, Array]:
        """Mean of what demand is above a capacity, and its slope.

        Parameters
        ----------
        level : ndarray
            Mean demand, 0 or above.
        capacity : ndarray
            Of a shape that broadcasts with it.

        Returns
        -------
        tuple of ndarray
            Mean excess, and minus the share of hours above the capacity.
        """
        count = len(self.ratios)
        some = np.where(level > 0.0, level, 1.0)
        ratio = capacity / some
        place = np.searchsorted(self.ratios, ratio, side="right")
        share = (count - place) / count
        excess = some * (self.above[place] / count - ratio * share)
        return np.where(level > 0.0, excess, 0.0), np.where(level > 0.0, -share, 0.0)

    def hours(self, level: Array, capacity: Array) -> Array:
        """Hours of a month in which demand is above a capacity."""
        return -self.excess(level, capacity)[1] * HOURS_PER_MONTH


def rented(
    profile: Profile, recourse: Recourse, level: Array, capacity: Array
) -> tuple[Array, Array]:
    """Cost of a month above its capacity at the prices of now, and its slope. [USD]"""
    cost, slope = np.zeros(()), np.zeros(())
    for rung in recourse.rungs:
        part, steep = profile.excess(level * rung.scale, capacity + rung.shift)
        if rung.idle > 0.0:
            # Capacity that meets an hour's demand but for its last bits meets it.
            running = -profile.excess(level * rung.scale, capacity * (1 + _MET) + rung.shift)[1]
            part = part + rung.idle * running
        cost = cost + rung.added_usd * HOURS_PER_MONTH * part
        slope = slope + rung.added_usd * HOURS_PER_MONTH * steep
    return cost, slope


def hull(points: Array, values: Array) -> tuple[Array, Array]:
    """Corners of the largest convex function that is nowhere above some points.

    Parameters
    ----------
    points : ndarray
        Ascending, shape (points,).
    values : ndarray
        What the function may not be above, of the same shape.

    Returns
    -------
    tuple of ndarray
        The points that are corners, and their values.

    Notes
    -----
    The lower half of a planar hull: A. M. Andrew 1979, doi:10.1016/0020-0190(79)90072-3.

    Examples
    --------
    >>> hull(np.array([0.0, 1.0, 2.0]), np.array([4.0, 3.0, 0.0]))
    (array([0., 2.]), array([4., 0.]))
    """
    kept: list[int] = []
    for place in range(len(points)):
        while len(kept) > 1:
            first, last = kept[-2], kept[-1]
            rise = (values[place] - values[first]) * (points[last] - points[first])
            if (values[last] - values[first]) * (points[place] - points[first]) < rise:
                break
            kept.pop()
        kept.append(place)
    return points[kept], values[kept]
