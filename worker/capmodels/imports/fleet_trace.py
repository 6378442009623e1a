"""How busy each machine of a trace of utilization is: a percentile of its CPU and of its RAM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import UtilizationTrace


def used_by_machine(
    trace: UtilizationTrace, percentile: float
) -> dict[str, tuple[float | None, float | None]]:
    """Return shares of the CPU and of the RAM that each machine uses at a percentile.

    A stored trace is 0 before a machine's first sample and after its last: zeros at its ends do
    not count, and a machine that has nothing else was not measured.
    """
    cpu = _percentiles(trace.cpu_fraction, percentile)
    ram: list[float | None] = [None] * len(cpu)
    if trace.memory_fraction is not None:
        ram = _percentiles(trace.memory_fraction, percentile)
    return dict(zip(trace.names, zip(cpu, ram, strict=True), strict=True))


def _percentiles(values: NDArray[np.float32], percentile: float) -> list[float | None]:
    found: list[float | None] = []
    for row in values:
        used = np.flatnonzero(row)
        if not len(used):
            found.append(None)
            continue
        held = row[used[0] : used[-1] + 1].astype(np.float64)
        found.append(float(np.percentile(held, percentile)))
    return found
