"""An order of numbers for kernels: plain loops compile in a third of the time of numpy's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
def in_order(keys: NDArray[Any]) -> NDArray[np.int64]:
    """Places of numbers from the least on, the first of equals first: by merging runs.

    >>> in_order(np.array([3.0, 1.0, 2.0, 1.0])).tolist()
    [1, 3, 2, 0]
    """
    count, width = len(keys), 1
    order, other = np.arange(count), np.empty(count, np.int64)
    while width < count:
        for start in range(0, count, 2 * width):
            middle, end = min(start + width, count), min(start + 2 * width, count)
            left, right = start, middle
            for place in range(start, end):
                if left < middle and (right >= end or keys[order[left]] <= keys[order[right]]):
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
        order, other = other, order
        width *= 2
    return order
