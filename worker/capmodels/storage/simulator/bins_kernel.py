"""Bins of responses: the first bits of their numbers, found without a logarithm."""

from __future__ import annotations

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

_SHIFT = 52 - k.BIN_BITS  # of a double's 52 bits behind the leading one
_FIRST = (1023 + k.BIN_LOW_EXPONENT) << k.BIN_BITS


@kernel
def bin_of(response_ms: float) -> int:
    """The bin of a response, of those that ``series.quantile_ms`` reads."""
    place = (np.float64(response_ms).view(np.int64) >> _SHIFT) - _FIRST
    return min(max(int(place), 0), k.BINS_COUNT - 1)
