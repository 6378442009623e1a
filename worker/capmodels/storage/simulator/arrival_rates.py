"""Mean rates of arrivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capmodels.storage.simulator.params import Arrivals


def mean_rate_per_s(arrivals: Arrivals) -> float | None:
    """Requests of a second on average; None in a closed loop, where the array sets the pace.

    Of two rates each counts by the share of time that it holds (Fischer and Meier-Hellstern,
    Performance Evaluation 18, 1993, section 3).
    """
    if arrivals.kind == "closed":
        return None
    if arrivals.kind != "mmpp":
        return 1000 / arrivals.mean_ms
    quiet, busy = arrivals.quiet_stay_ms, arrivals.busy_stay_ms
    requests = quiet / arrivals.quiet_mean_ms + busy / arrivals.busy_mean_ms
    return 1000 * requests / (quiet + busy)
