"""Costs of many node types over a map of cells at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# As in the scalar path: what a last node would hold of less than this part is dropped.
SLACK = 1e-9


def winners(
    *,
    datasets_gb: Sequence[float],
    query_rates_per_s: Sequence[float],
    capacities_gb: Sequence[float],
    rates_per_s: Sequence[float],
    node_costs_usd: Sequence[float],
    whole_nodes: bool,
) -> NDArray[np.int64]:
    """Return the index of the cheapest node type, shape (datasets, query rates).

    The first of equal costs wins; order the types by preference.
    """
    by_capacity = np.divide.outer(np.asarray(datasets_gb), np.asarray(capacities_gb))
    by_rate = np.divide.outer(np.asarray(query_rates_per_s), np.asarray(rates_per_s))
    counts = np.maximum(by_capacity[:, None, :], by_rate[None, :, :])
    if whole_nodes:
        counts = np.maximum(np.ceil(counts - SLACK), 1.0)
    best: NDArray[np.int64] = np.argmin(counts * np.asarray(node_costs_usd), axis=2)
    return best
