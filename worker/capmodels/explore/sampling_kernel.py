"""Independent triangular draws and their quantiles. NumPy; imported only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.rng import streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Triple = tuple[float, float, float]


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


def triangular_draws(triples: Sequence[Triple], count: int, seed: int) -> list[NDArray[np.float64]]:
    """Draws of each input, shape (count,), each from its own stream of the seed."""
    generators = streams(seed, len(triples))
    return [
        triangular(triple, generator.random(count))
        for triple, generator in zip(triples, generators, strict=True)
    ]


def quantiles(draws: NDArray[Any], fractions: Sequence[float]) -> list[NDArray[np.float64]]:
    """Quantiles along the last axis, straight lines between the sorted draws.

    The same numbers as ``numpy.quantile``. The draws are put into order where they are, and
    only as far as the quantiles need: a copy would cost more than that.
    """
    last = draws.shape[-1] - 1
    ranks = sorted({int(fraction * last) for fraction in fractions})
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
