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

    The same numbers as ``numpy.quantile``. The draws are sorted where they are: a copy of
    them would cost more than the sorting.
    """
    draws.sort(axis=-1)
    last = draws.shape[-1] - 1
    found = []
    for fraction in fractions:
        place = fraction * last
        below = int(place)
        low = draws[..., below].astype(np.float64)
        high = draws[..., min(below + 1, last)]
        found.append(low + (place - below) * (high - low))
    return found
