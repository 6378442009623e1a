"""What renting in a month costs where demand is of several resources.

In an hour the cheapest rented types that together cover what own and committed capacity leaves of
each resource are a small linear program; by its dual their cost is the largest of a few planes,
max over v of v x (demand - capacity), v being the corners of {v >= 0, types x v <= prices}. So the
cost of a month is convex in its capacities, and the share of its hours in which each corner holds
gives its slope: the cuts of the L-shaped method (Van Slyke and Wets 1969, doi:10.1137/0117061).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Bundles:
    """Corners by resource, the price of all hours first 0, and demand of the hours over its mean.

    ``corners`` has a row for each corner, ``ratios`` a row for each hour, both a column for each
    resource. ``idle_usd`` is paid beside in each hour in which any is rented; ``idle`` is what of
    each resource is rented beside demand where nothing is owned.
    """

    corners: Array
    ratios: Array
    idle_usd: float
    idle: Array

    @property
    def first_usd(self) -> float:
        """Price of a unit of the first resource by itself, the cheapest way. [USD/h]"""
        alone = self.corners[(self.corners[:, 1:] == 0.0).all(axis=1), 0]
        return float(alone.max(initial=0.0))

    def rented(
        self, level: Array, capacity: Array, *, with_idle: bool = True
    ) -> tuple[Array, Array]:
        """Cost of a month above its capacities at the prices of now, and its slope. [USD]

        Parameters
        ----------
        level : ndarray
            Mean demand of each scenario (rows) and resource.
        capacity : ndarray
            Of each resource.
        with_idle : bool
            Whether what is paid beside in hours of renting is in it, which is not convex.

        Returns
        -------
        tuple of ndarray
            Cost by scenario, and its slope by scenario and resource.
        """
        capacity = capacity - self.idle
        most = np.zeros((len(level), len(self.ratios)))
        which = np.zeros(most.shape, dtype=np.int8)
        for place, corner in enumerate(self.corners):
            here = (level * corner) @ self.ratios.T - corner @ capacity
            above = here > most
            which[above] = place
            np.maximum(most, here, out=most)
        slope = np.zeros(level.shape)
        for place, corner in enumerate(self.corners):
            if corner.any():
                slope -= ((which == place) & (most > 0.0)).mean(axis=1)[:, None] * corner
        cost = most.mean(axis=1)
        if with_idle and self.idle_usd > 0.0:
            # Capacity that meets an hour's demand but for its last bits meets it.
            least = _SAME * float(self.corners.max()) * (1.0 + capacity.max())
            cost = cost + self.idle_usd * (most > least).mean(axis=1)
        return HOURS_PER_MONTH * cost, HOURS_PER_MONTH * slope


def corners_of(types: Array, prices: Array) -> Array:
    """Corners of the prices that a unit of each resource can be worth.

    Parameters
    ----------
    types : ndarray
        What one of each rented type (rows) has of each resource.
    prices : ndarray
        Of an hour of each. [USD/h]

    Returns
    -------
    ndarray
        A row for each corner: what a unit of each resource is worth there. [USD/h]
    """
    count = types.shape[1]
    rows = np.vstack([types, -np.eye(count)])
    most = np.append(prices, np.zeros(count))
    scale = max(1.0, float(prices.max(initial=0.0)))
    found: dict[tuple[float, ...], Array] = {}
    for chosen in itertools.combinations(range(len(rows)), count):
        part = rows[list(chosen)]
        if abs(np.linalg.det(part)) < _SAME:
            continue
        corner = np.linalg.solve(part, most[list(chosen)])
        if (rows @ corner <= most + _SAME * scale).all():
            kept = np.maximum(corner, 0.0)
            found[tuple(np.round(kept, 12))] = kept
    return np.array(sorted(found.values(), key=lambda each: float(each.sum())))
