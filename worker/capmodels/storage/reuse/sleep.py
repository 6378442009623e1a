"""Disks that sleep together in the gaps that a trace, or a cache above it, leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.storage.drive.times import break_even_timeouts_s

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.storage.drive.drives import SleepState
    from capmodels.storage.reuse.params import SsdCacheParams


def gap_energy_j(
    gaps_s: NDArray[np.float64], *, idle_w: float, state: SleepState, after_s: float
) -> NDArray[np.float64]:
    """Energy of one disk in each gap when it goes to a low state after an idle time. [J]

    A gap that ends during the way down still takes that way whole, and the way up.
    """
    asleep = np.maximum(gaps_s - after_s - state.down_s, 0.0)
    slept = after_s * idle_w + state.down_j + asleep * state.power_w + state.up_j
    return np.where(gaps_s < after_s, gaps_s * idle_w, slept)


def asleep_w(
    params: SsdCacheParams,
    trace: BlockRequests,
    missed: NDArray[np.int64] | None,
    *,
    busy_count: float,
) -> float:
    """Mean power of disks that all sleep when none of them is asked. [W]

    ``missed``: numbers of the reads that still reach the disks, in order of time; None: all
    requests do. Plain copies and write-through reach them too. Busy time is added at its mean.
    """
    disk, count = params.disk, params.disks_count
    assert disk.standby is not None
    order = np.argsort(trace.time_s, kind="stable")
    times = trace.time_s[order]
    if missed is not None:
        reach = np.zeros(times.size, dtype=np.bool_)
        reach[missed] = True
        if params.mode != "write_back":
            reach |= ~trace.is_read[order]
        touched = times[reach]
    else:
        touched = times
    edges = np.concatenate([times[:1], touched, times[-1:]])
    after = break_even_timeouts_s(disk.model_copy(update={"low_power_idle": None}))[1]
    energy = gap_energy_j(
        np.diff(edges),
        idle_w=disk.idle_w,
        state=disk.standby,
        after_s=float("inf") if after is None else after,
    )
    duration = float(times[-1] - times[0])
    return float(energy.sum() * count / duration + busy_count * (disk.active_w - disk.idle_w))
