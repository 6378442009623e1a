"""What trials say of designs held against each other: odds, regret, causes of doubt. NumPy.

Pairwise, because similar designs split the trials among them: three clouds of nearly one
price can be cheapest in 23% each while the dearest design of all is in 29%.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.numbers import SAME
from capmodels.plans.words import Z_95

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Draws = NDArray[np.float64]

# Costs within this of the cheapest are as good as it.
NEAR_FRACTION = 0.01
# A quantity whose sway on the difference is not this many standard errors has none.
SIGNIFICANT = 4.0
# Break-points are looked for at so many values of a range.
GRID = 201


@dataclass(slots=True)
class Shares:
    """Of each competing design, over the trials."""

    wins: Draws
    near: Draws
    regret_usd: Draws
    mean_usd: Draws


@dataclass(frozen=True, slots=True)
class BreakPoint:
    """Where rows of rivals become the cheapest, at one cost: above the value, or below it."""

    value: float
    rows: tuple[int, ...]
    rises: bool


def shares_of(ranked: Draws) -> Shares:
    """Odds with ties shared, odds of being near the cheapest, and expected regret."""
    best = ranked.min(axis=0)
    size = np.abs(best)
    over = ranked - best
    tied = over <= SAME * np.maximum(size, np.abs(ranked))
    return Shares(
        wins=(tied / tied.sum(axis=0)).mean(axis=1),
        near=(over <= NEAR_FRACTION * size).mean(axis=1),
        regret_usd=np.where(tied, 0.0, over).mean(axis=1),
        mean_usd=ranked.mean(axis=1),
    )


def cheaper_fraction(first: Draws, other: Draws) -> float:
    """Share of the trials in which the first is cheaper; ties count half."""
    over = other - first
    slack = SAME * np.maximum(np.abs(first), np.abs(other))
    return float((over > slack).mean() + 0.5 * (np.abs(over) <= slack).mean())


def untied(gaps: Draws, amounts: Draws) -> Draws:
    """Gaps to amounts, 0 where the two are the same."""
    return np.where(np.abs(gaps) <= SAME * np.abs(amounts), 0.0, gaps)


def same_fraction(first: Draws, other: Draws) -> float:
    """Share of the trials in which two costs differ by less than what is near."""
    slack = NEAR_FRACTION * np.minimum(np.abs(first), np.abs(other))
    return float((np.abs(other - first) <= slack).mean())


def mean_error(amounts: Draws) -> float:
    """Half-width of a 95% interval of the mean."""
    if amounts.size < 2:
        return 0.0
    return float(Z_95 * amounts.std(ddof=1) / math.sqrt(amounts.size))


def correlations(drawn: Draws, amounts: Draws) -> Draws:
    """Correlation of every quantity with every row of amounts; 0 for what does not vary."""
    count = amounts.shape[-1]
    means, moved = drawn.mean(axis=1), amounts - amounts.mean(axis=1, keepdims=True)
    squares = np.einsum("ij,ij->i", drawn, drawn) / count
    spread = np.sqrt(np.maximum(squares - means**2, 0.0))
    # A value that is nearly or quite the same in every trial leaves the last bits of its square
    # behind: what those hide is counted in two passes, and what is left of it is rounding.
    near = spread <= 1e-5 * np.abs(means)
    spread[near] = drawn[near].std(axis=1)
    spread[spread <= 1e-12 * np.abs(means)] = 0.0
    norm = np.outer(spread, moved.std(axis=1))
    swing = drawn @ moved.T / count
    return np.divide(swing, norm, out=np.zeros_like(swing), where=norm > 0.0)


def pulls(drawn: Draws, amounts: Draws, values: Draws) -> Draws:
    """How far each quantity takes the mean of every row from where its value would leave it.

    By a straight line through the trials: a range that reaches farther to one side has its mean
    off its value. A row a quantity; 0 for one without sway.
    """
    moved = correlations(drawn, amounts)
    moved[np.abs(moved) * math.sqrt(amounts.shape[-1]) < SIGNIFICANT] = 0.0
    spread = drawn.std(axis=1)
    off = np.divide(drawn.mean(axis=1) - values, spread, out=spread * 0.0, where=spread > 0.0)
    return moved * np.outer(off, amounts.std(axis=1))


def break_points(
    drawn: Draws, gaps: Draws, ends: list[tuple[float, float]], moved: Draws
) -> list[BreakPoint | None]:
    """Value of each quantity at which, on average, another design becomes the cheapest.

    ``gaps`` are the rivals' costs less the leader's, a row a rival, ``moved`` their correlations
    with the quantities. None where no value of the range changes the leader, or the quantity has
    no sway on any gap.
    """
    sway = np.abs(moved).max(axis=1) * math.sqrt(gaps.shape[-1])
    found: list[BreakPoint | None] = [None] * len(ends)
    swaying = np.flatnonzero(sway >= SIGNIFICANT)
    if swaying.size:
        low, high = np.array([ends[place] for place in swaying]).T
        for place, values, means, middle in zip(
            swaying, *_means_along(drawn[swaying], gaps, low, high), strict=True
        ):
            found[place] = _break_point(values, means, middle)
    return found


def means_at_ends(drawn: Draws, gap: Draws, ends: list[tuple[float, float]]) -> Draws:
    """Mean gap at the two ends of each quantity's range, by a cubic through the trials.

    Shape (quantities, 2); the mean of all trials for a quantity without sway.
    """
    found = np.full((len(ends), 2), gap.mean())
    sway = np.abs(correlations(drawn, gap[None, :]))[:, 0] * math.sqrt(gap.size)
    swaying = np.flatnonzero(sway >= SIGNIFICANT)
    if swaying.size:
        low, high = np.array([ends[place] for place in swaying]).T
        _, means, _ = _means_along(drawn[swaying], gap[None, :], low, high)
        found[swaying] = means[:, [0, -1], 0]
    return found


def _powers(values: Draws) -> Draws:
    """Powers 0 to 3 of each row, a row a power."""
    squares = values * values
    return np.stack([np.ones_like(values), values, squares, squares * values], axis=-2)


def _means_along(drawn: Draws, gaps: Draws, low: Draws, high: Draws) -> tuple[Draws, Draws, Draws]:
    """Values of each quantity from end to end, the mean gaps there, and the middle of its trials.

    The mean of the gaps at each value of the quantity, over all the others, is fitted by a
    cubic over the trials.
    """
    middle, spread = drawn.mean(axis=1), drawn.std(axis=1)
    powers = _powers((drawn - middle[:, None]) / spread[:, None])
    fitted = np.linalg.solve(powers @ powers.swapaxes(1, 2), powers @ gaps.T)
    values = np.linspace(low, high, GRID, axis=1)
    along = _powers((values - middle[:, None]) / spread[:, None])
    return values, along.swapaxes(1, 2) @ fitted, middle


def _break_point(values: Draws, means: Draws, middle: float) -> BreakPoint | None:
    """The one nearest to the middle of the trials."""
    leads = means.min(axis=1)
    here = int(np.abs(values - middle).argmin())
    turned = np.flatnonzero(leads < 0.0)
    if leads[here] < 0.0 or turned.size == 0:
        return None
    nearest = int(turned[np.abs(turned - here).argmin()])
    before = nearest + (1 if nearest < here else -1)
    part = leads[before] / (leads[before] - leads[nearest])
    at = values[before] + part * (values[nearest] - values[before])
    there = means[nearest]
    rows = np.flatnonzero(there - there.min() <= SAME * np.abs(means).max())
    return BreakPoint(float(at), tuple(rows.tolist()), nearest > here)
