"""Least squares of a power curve on samples, and its spread by a block bootstrap. NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.power.families import TITLES, Family, shape
from capmodels.power.measured_servers import LOADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

EXPONENTS = tuple(round(0.4 + 0.05 * step, 2) for step in range(33))
KNEES = tuple(step / 20 for step in range(1, 20))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A curve up to its powers: what it is linear in, and the one number that bends it.

    A family's is one for servers that idle at most as those measured, and another for those
    above, which draw ``more`` at every load.
    """

    kind: str
    bend: float
    family: Family | None = None
    more: bool = False

    def columns(self, load: Floats) -> Floats:
        """Return what each sample is linear in: idle, (knee,) full power. [samples, 2 or 3]"""
        if self.kind == "two_segments":
            return _hats(load, self.bend)
        if self.family is not None:
            weights = np.array(shape(self.family).weights)
            if self.more:
                most = shape(self.family).idle_share_most
                way = weights @ (most, 1.0)
                weights = np.stack([1.0 - way, way - most], axis=1) / (1.0 - most)
            return np.stack([np.interp(load, LOADS, part) for part in weights.T], axis=1)
        share = self._share(load)
        return np.stack([1 - share, share], axis=1)

    @property
    def idle_share(self) -> float | None:
        """Idle power over full power where a family's two candidates meet; None of others."""
        return None if self.family is None else shape(self.family).idle_share_most

    def _share(self, load: Floats) -> Floats:
        if self.kind == "fan":
            return np.maximum(0.0, 2 * load - load**self.bend)
        return load


def _hats(load: Floats, knee: float) -> Floats:
    """Weights of idle, knee and full power on two straight segments."""
    below = load <= knee
    low = np.where(below, load / knee, 0.0)
    high = np.where(below, 0.0, (load - knee) / (1 - knee))
    return np.stack([np.where(below, 1 - low, 0.0), np.where(below, low, 1 - high), high], axis=1)


def candidates(kind: str) -> list[Candidate]:
    """Return the curves of a kind that are tried."""
    if kind == "linear":
        return [Candidate(kind, 1.0)]
    if kind == "fan":
        return [Candidate(kind, exponent) for exponent in EXPONENTS]
    if kind == "two_segments":
        return [Candidate(kind, knee) for knee in KNEES]
    return [Candidate(kind, 0.0, family, more) for family in TITLES for more in (False, True)]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over blocks of samples, from which any choice of blocks is fitted at once."""

    squares: Floats  # [blocks, parts, parts]
    products: Floats  # [blocks, parts]
    powers: Floats  # [blocks], sum of squared watts

    def of(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Sums under weights of the blocks. [replicates, ...]"""
        return (
            np.tensordot(weights, self.squares, axes=1),
            weights @ self.products,
            weights @ self.powers,
        )


def sums(candidate: Candidate, load: Floats, power: Floats, block: int) -> Sums:
    """Return the sums of a candidate over blocks of consecutive samples."""
    columns = candidate.columns(load)
    starts = np.arange(0, len(load), block)
    squares = columns[:, :, None] * columns[:, None, :]
    return Sums(
        np.add.reduceat(squares, starts, axis=0),
        np.add.reduceat(columns * power[:, None], starts, axis=0),
        np.add.reduceat(power**2, starts),
    )


def solve(candidate: Candidate, total: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats]:
    """Return powers at idle, (knee,) and full load, and the squared error, by replicate.

    A part that no sample speaks of is drawn to the others by a ridge of 1e-9. Powers on the wrong
    side of a family's share are the best ones at that share, as the error is convex on each side.
    """
    squares, products, powers = total
    parts = squares.shape[-1]
    scale = np.trace(squares, axis1=-2, axis2=-1)[:, None, None] / parts
    solved = np.linalg.solve(squares + 1e-9 * scale * np.eye(parts), products[..., None])[..., 0]
    solved = np.maximum(solved, 0.0)
    share = candidate.idle_share
    if share is not None:
        there = np.array([share, 1.0])
        full = (products @ there) / np.einsum("i,rij,j->r", there, squares, there)
        over = solved[:, 0] > share * solved[:, 1]
        solved = np.where((over != candidate.more)[:, None], full[:, None] * there, solved)
    error = (
        powers
        - 2 * (solved * products).sum(-1)
        + np.einsum("ri,rij,rj->r", solved, squares, solved)
    )
    return solved, np.maximum(error, 0.0)


@dataclass(frozen=True, slots=True)
class Fit:
    """The best candidate of a kind: its powers, and its mean squared error. [W], [W^2]"""

    candidate: Candidate
    powers_w: tuple[float, ...]
    mean_square: float

    def at(self, load: Floats) -> Floats:
        """Power at loads. [W]"""
        return self.candidate.columns(load) @ np.array(self.powers_w)


def best(kinds: Sequence[Candidate], load: Floats, power: Floats) -> Fit:
    """Return the candidate with the least squared error on samples."""
    fits = []
    for candidate in kinds:
        solved, error = solve(
            candidate, sums(candidate, load, power, len(load)).of(np.ones((1, 1)))
        )
        fits.append(Fit(candidate, tuple(map(float, solved[0])), float(error[0]) / len(load)))
    return min(fits, key=lambda fit: fit.mean_square)


def cross_validated(kind: str, load: Floats, power: Floats, folds: int = 5) -> Floats:
    """Return errors of predictions of each stretch of samples from the others. [W]"""
    stretches = np.array_split(np.arange(len(load)), min(folds, len(load)))
    found = np.empty(len(load))
    for stretch in stretches:
        rest = np.ones(len(load), bool)
        rest[stretch] = False
        if not rest.any():
            rest[:] = True
        fit = best(candidates(kind), load[rest], power[rest])
        found[stretch] = fit.at(load[stretch]) - power[stretch]
    return found


def bootstrap(
    kind: str, load: Floats, power: Floats, *, block: int, replicates: int, seed: int
) -> tuple[Floats, Floats]:
    """Return powers and bends of refits to blocks drawn with replacement.

    Blocks keep what neighboring samples have in common; idle and full power of each
    replicate are its first and last part. [replicates, 2], [replicates]
    """
    from capmodels.rng import streams

    blocks = -(-len(load) // block)
    rng = streams(seed, 1)[0]
    weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=replicates).astype(float)
    tried = candidates(kind)
    least = np.full(replicates, np.inf)
    ends = np.zeros((replicates, 2))
    bends = np.zeros(replicates)
    for candidate in tried:
        solved, error = solve(candidate, sums(candidate, load, power, block).of(weights))
        better = error < least
        least[better] = error[better]
        ends[better] = solved[better][:, [0, -1]]
        bends[better] = candidate.bend
    return ends, bends
