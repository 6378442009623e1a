"""How near the simulated disk comes to measured disks and to another simulator.

The files are not shipped: without AMPACITY_SHARED_DATA, or the folder beside the project, these
rows are left out, and said so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench._lib import Row, at_most
from capmodels.storage.simulator.series import quantile_ms
from capmodels.tests.storage import disksim_case, measured_disks
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterator

_DISKS = ("atlas10k", "cheetah9LP", "hp_c2247a")
_PERCENT = 100.0


def rows() -> Iterator[Row]:
    """Demerit on second halves; mean and percentiles beside those of DiskSim."""
    if not measured_disks.folder().exists():
        say("The rows of measured disks are left out: their folder is not there.")
        return
    for name in _DISKS:
        demerit = _PERCENT * measured_disks.calibrated(name).demerit_fraction
        yield at_most("demerit", f"{name}, second half of its trace", "%", demerit, 2.0)
    yield from _other_simulator()


def _other_simulator() -> Iterator[Row]:
    seen, runs = disksim_case.answers_ms(), disksim_case.runs()
    mean = float(seen.mean())
    off = max(abs(disksim_case.mean_ms(run) / mean - 1) for run in runs)
    what = f"mean, the farthest of {len(runs)} seeds"
    yield at_most("DiskSim", what, "%", _PERCENT * off, 0.5)
    histogram = sum(run.histogram.sum(axis=0) for run in runs)
    for fraction, target in ((0.5, 1.0), (0.9, 1.0), (0.99, 1.5)):
        theirs = float(np.quantile(seen, fraction))
        off = abs(float(quantile_ms(histogram, fraction)) / theirs - 1)
        yield at_most("DiskSim", f"p{100 * fraction:.0f}, all seeds", "%", _PERCENT * off, target)
