"""Uniforms by name, triangular draws and their quantiles. NumPy; imported only when asked for."""

from __future__ import annotations

import math
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.explore.triangle import Triple


def triangular(triple: Triple, uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inverse distribution function of the triangular distribution at some uniforms.

    ``triple`` is lowest, most likely, highest; where they are equal every draw is that.
    """
    low, mode, high = triple
    if high <= low:
        return np.full_like(uniforms, mode)
    rising = np.sqrt(uniforms * ((high - low) * (mode - low))) + low
    falling = high - np.sqrt((1.0 - uniforms) * ((high - low) * (high - mode)))
    return np.where(uniforms * (high - low) < mode - low, rising, falling)


def stream_of(key: str, seed: int) -> np.random.Generator:
    """The generator of one name: the same whatever else is drawn beside it."""
    words = np.frombuffer(sha256(key.encode()).digest(), dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words.tolist()])))


def uniforms(key: str, count: int, seed: int) -> NDArray[np.float64]:
    """Uniform draws of one name, shape (count,)."""
    return stream_of(key, seed).random(count)


def copula(
    keys: Sequence[str], factor: Sequence[Sequence[float]], count: int, seed: int
) -> list[NDArray[np.float64]]:
    """Uniforms of several names joined by a Gaussian copula, each uniform by itself.

    ``factor`` is Cholesky's of the correlations of the normal variables behind them.
    """
    independent = np.stack([stream_of(key, seed).standard_normal(count) for key in keys])
    joined = np.asarray(factor) @ independent
    return [_normal_cdf(row) for row in joined]


def _normal_cdf(values: NDArray[np.float64]) -> NDArray[np.float64]:
    scale = math.sqrt(0.5)
    return np.array([0.5 * math.erfc(-value * scale) for value in values.tolist()])


# So few draws are sorted faster than they are put apart at each rank.
SORTED_BELOW = 2_000


def quantiles(draws: NDArray[Any], fractions: Sequence[float]) -> list[NDArray[np.float64]]:
    """Quantiles along the last axis, straight lines between the sorted draws.

    The same numbers as ``numpy.quantile``. The draws are put into order where they are, and
    only as far as the quantiles need: a copy would cost more than that.
    """
    last = draws.shape[-1] - 1
    ranks = sorted({int(fraction * last) for fraction in fractions})
    if last < SORTED_BELOW:
        draws.sort(axis=-1)
    else:
        _put_in_place(draws, ranks)
    following = dict(zip(ranks, [*ranks[1:], last], strict=True))
    found = []
    for fraction in fractions:
        place = fraction * last
        below = int(place)
        low = draws[..., below].astype(np.float64)
        # Up to the next rank that is in its place nothing is sorted.
        above = draws[..., min(below + 1, last) : following[below] + 1].min(axis=-1)
        found.append(low + (place - below) * (above - low))
    return found


def _put_in_place(draws: NDArray[Any], ranks: list[int]) -> None:
    """Put the draws of some ranks where sorting would, smaller ones before and larger after."""
    if not ranks:
        return
    middle = len(ranks) // 2
    rank = ranks[middle]
    draws.partition(rank, axis=-1)
    _put_in_place(draws[..., :rank], ranks[:middle])
    _put_in_place(draws[..., rank + 1 :], [other - rank - 1 for other in ranks[middle + 1 :]])
