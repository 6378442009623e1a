"""Random numbers: one seed gives independent streams, the same on any number of workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def streams(seed: int, count: int) -> list[np.random.Generator]:
    """Return ``count`` independent generators spawned from one seed.

    Stream i depends on the seed and on i alone, so replicates may be computed in
    any order and merged by index.
    """
    import numpy as np

    children = np.random.SeedSequence(seed).spawn(count)
    return [np.random.Generator(np.random.PCG64(child)) for child in children]
