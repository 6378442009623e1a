"""A solid-state drive whose writes are answered later for each other one under way. [ms]

Latency then rises in a straight line from the first depth on, until it meets the ceiling.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.storage.calibration.dies_fit import BETTER, error_of
from capmodels.storage.calibration.loop_fit import (
    LoopFit,
    mean_of_logs,
    rates_per_ms,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.storage.calibration.loop_fit import Measured

# Three parameters are fitted, and one row has to say that they fit.
_ROWS_LEAST = 4
# What two runs at one depth differ by.
_REPEATS = 0.02


def fit_waits(rows: Sequence[Measured], simple: LoopFit) -> LoopFit:
    """The law with a wait for each other write, else the simple one."""
    missed = error_of(simple, rows)
    if len(rows) < _ROWS_LEAST or missed < _REPEATS:
        return simple
    best = min(_sloping(rows, simple), key=lambda fit: error_of(fit, rows), default=simple)
    return best if error_of(best, rows) <= BETTER * missed else simple


def _sloping(rows: Sequence[Measured], simple: LoopFit) -> Iterator[LoopFit]:
    """Laws whose line is that of the first rows and whose ceiling that of the others."""
    for knee in range(2, len(rows)):
        alone, wait = _line(rows[:knee])
        most = mean_of_logs(rates_per_ms(rows[knee:], simple.host))
        if alone > 0 and 0 < wait < 1 / most:
            yield LoopFit(alone, most, simple.host, wait)


def _line(rows: Sequence[Measured]) -> tuple[float, float]:
    """Latency alone and slope over the others, by least squares of shares. [ms]"""
    weights = [row.latency_ms**-2 for row in rows]
    others = [row.depth_count - 1 for row in rows]
    whole = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, others, strict=True)) / whole
    level = math.fsum(w * row.latency_ms for w, row in zip(weights, rows, strict=True)) / whole
    spread = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, others, strict=True))
    slope = (
        math.fsum(
            w * (x - mean) * (row.latency_ms - level)
            for w, x, row in zip(weights, others, rows, strict=True)
        )
        / spread
    )
    return level - slope * mean, slope
