"""What a fit says of one depth: latency, error, and the closed loop in which it has both. [ms]"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from capmodels.spec import Result
from capmodels.storage.calibration.depth_rows import DepthRow, Way
from capmodels.storage.calibration.one_state import TIMED_OUT
from capmodels.storage.calibration.single_fit import mean_ms
from capmodels.storage.simulator.arrivals import THINK_MOST_MS, ClosedArrivals
from capmodels.units import CountFromOne, DurationMs, RatePerS, Real, of_unit

ErrorFraction = Annotated[Real, of_unit("fraction")]


class DepthFit(Result):
    """One depth: measured, and as the fitted drive has it."""

    way: Way
    depth_count: CountFromOne
    measured_ms: DurationMs
    modelled_ms: DurationMs | None = Field(description="Empty where the row was not used.")
    error_fraction: ErrorFraction | None
    measured_per_s: RatePerS
    host_ms: DurationMs | None = Field(
        description="What the host took from an answer to the next request; empty: not told."
    )
    wake_ms: DurationMs = Field(
        default=0.0,
        description="Of the modelled latency what the host's waking adds, asking one at a time; "
        "the drive returned does not have it, `arrivals` does.",
    )
    arrivals: ClosedArrivals | None = Field(
        default=None,
        description="The closed loop in which the drive returned, alone in an array, has the "
        "modelled latency: the host between an answer and the next request, and its waking. Empty: "
        "not modelled, or a disk, whose host takes no part.",
    )
    unused_reason: str | None = Field(description="Why the row was not used; empty: it was.")


def asked_by(depth_count: int, host_ms: float, wake_ms: float) -> ClosedArrivals | None:
    """The loop of a host with such times; None: they are too long for one."""
    if max(host_ms, wake_ms) > THINK_MOST_MS:
        return None
    return ClosedArrivals(
        users_count=depth_count,
        think_ms=max(host_ms, 0.0),
        think_times_vary=False,
        wake_ms=wake_ms,
    )


def fit_of(row: DepthRow, modelled_ms: float | None, unused_reason: str | None = None) -> DepthFit:
    """A row beside what the model has for it, or why it was not used."""
    mean = mean_ms(row)
    if mean is None:
        mean, modelled_ms, unused_reason = row.latency_ms, None, TIMED_OUT
    return DepthFit(
        way=row.way,
        depth_count=row.depth_count,
        measured_ms=mean,
        modelled_ms=modelled_ms,
        error_fraction=None if modelled_ms is None else modelled_ms / mean - 1,
        measured_per_s=row.rate_per_s or row.depth_count * 1000 / mean,
        host_ms=row.host_ms,
        unused_reason=unused_reason,
    )


def depth_demerit(depths: tuple[DepthFit, ...], way: Way) -> float | None:
    """Root-mean-square error of the mean latencies that are modelled, over their mean."""
    rows = [row for row in depths if row.way == way]
    known = [(row.measured_ms, row.modelled_ms) for row in rows if row.modelled_ms is not None]
    if not known:
        return None
    square = math.fsum((ours - theirs) ** 2 for theirs, ours in known) / len(known)
    return math.sqrt(square) / (math.fsum(theirs for theirs, _ours in known) / len(known))
