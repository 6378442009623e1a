"""Throughput against response: one array under loads up to what it can do at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.storage.simulator.arrivals import ClosedArrivals
from capmodels.storage.simulator.run import BATCHES_COUNT, run_synthetic
from capmodels.storage.simulator.saturation import copies_of, saturation
from capmodels.storage.simulator.series import CurvePoint, quantile_ms

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.storage.simulator.params import ArrayDesign, Arrivals, SyntheticWorkload
    from capmodels.storage.simulator.run import Outcome

CURVE_REQUESTS = 20_000
_USERS_PER_DISK = 16
_TOP_FRACTION = 0.96


@dataclass(frozen=True)
class Curve:
    """What a curve is drawn for; requests as in ``work``, whatever their arrivals."""

    design: ArrayDesign
    work: SyntheticWorkload
    seed: int

    def outcome(self, arrivals: Arrivals) -> Outcome:
        """A run with other arrivals."""
        work = self.work.model_copy(update={"arrivals": arrivals, "requests_count": CURVE_REQUESTS})
        return run_synthetic(self.design, work, seed=self.seed)

    def most_per_s(self) -> float:
        """Requests that the array serves when many users never think. [1/s]"""
        users = _USERS_PER_DISK * self.design.layout.disks_count
        out = self.outcome(ClosedArrivals(users_count=users, think_ms=0.0))
        return out.taken / max(out.end_ms / 1000, 1e-12)


def arrivals_at(arrivals: Arrivals, rate_per_s: float) -> Arrivals:
    """Return the same kind of arrivals at another rate."""
    mean_ms = 1000.0 / rate_per_s
    if arrivals.kind == "mmpp":
        stays = arrivals.quiet_stay_ms, arrivals.busy_stay_ms
        gaps = arrivals.quiet_mean_ms, arrivals.busy_mean_ms
        now = sum(s / g for s, g in zip(stays, gaps, strict=True)) / sum(stays)
        ratio = mean_ms * now
        return arrivals.model_copy(
            update={
                "quiet_mean_ms": arrivals.quiet_mean_ms * ratio,
                "busy_mean_ms": arrivals.busy_mean_ms * ratio,
            }
        )
    return arrivals.model_copy(update={"mean_ms": mean_ms})


def _point(curve: Curve, load: float, rate: float) -> CurvePoint:
    """The array at a rate, or with a share of the most users when it is a closed loop."""
    arrivals = curve.work.arrivals
    closed = arrivals.kind == "closed"
    if closed:
        users = max(round(load * _USERS_PER_DISK * curve.design.layout.disks_count), 1)
        out = curve.outcome(arrivals.model_copy(update={"users_count": users}))
    else:
        out = curve.outcome(arrivals_at(arrivals, rate))
    histogram = out.histogram.sum(axis=0)
    total = out.batches.sum(axis=0) if len(out.batches) else np.zeros(2)
    saturated = saturation(out, closed=closed, copies=copies_of(curve.design)) is not None
    shown = not saturated and bool(histogram.sum()) and len(out.batches) == BATCHES_COUNT
    seconds = max(out.end_ms / 1000, 1e-12)
    throughput = out.taken / seconds
    return CurvePoint(
        load_fraction=min(load, 1.0),
        offered_per_s=throughput if closed else rate,
        throughput_per_s=throughput,
        mean_ms=float(total[1] / max(total[0], 1)) if shown else None,
        p95_ms=quantile_ms(histogram, 0.95) if shown else None,
        p99_ms=quantile_ms(histogram, 0.99) if shown else None,
        power_w=float(out.energy_mj.sum()) / 1000 / seconds,
        saturated=saturated,
    )


def response_curve(
    curve: Curve, points_count: int, report: Callable[[float, str], None]
) -> tuple[CurvePoint, ...]:
    """Points at even loads up to 96% of what the array serves at most."""
    if points_count == 0:
        return ()
    most = curve.most_per_s()
    found = []
    for index in range(1, points_count + 1):
        load = _TOP_FRACTION * index / points_count
        found.append(_point(curve, load, load * most))
        report(index / points_count, "Drawing throughput against response")
    return tuple(found)
