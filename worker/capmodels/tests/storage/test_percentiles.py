"""Percentiles of a histogram, held to the longest response that was seen."""

from __future__ import annotations

import numpy as np

from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.series import percentile_ms, quantile_ms


def test_no_percentile_is_above_the_longest_response() -> None:
    histogram = np.zeros(k.BINS_PER_OCTAVE * 8, dtype=np.int64)
    histogram[k.BINS_PER_OCTAVE * 3] = 20_000
    longest_ms = 2.0 ** (k.BIN_LOW_EXPONENT + 3)
    assert quantile_ms(histogram, 0.999) > longest_ms
    assert percentile_ms(histogram, 0.999, longest_ms) == longest_ms
