"""When requests come to the array simulator."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.forms import AS_RATE, named
from capmodels.spec import Params, assumed, default, preset
from capmodels.storage.drive.drives import PositiveMs
from capmodels.units import CountFromOne, DurationMs, Real

ParetoShape = Annotated[Real, Field(gt=1, le=5)]
# From a nanosecond to eleven days: beyond it no request would be near another.
GapMs = Annotated[PositiveMs, Field(ge=1e-6, le=1e9)]
THINK_MOST_MS = 1e9
ThinkMs = Annotated[DurationMs, Field(le=THINK_MOST_MS)]


class ExponentialArrivals(Params):
    """Poisson arrivals."""

    kind: Literal["exponential"] = Field(
        default="exponential", json_schema_extra=named(exponential="Poisson")
    )
    mean_ms: GapMs = assumed(10.0, "Over the mean time between them.", title="Rate", extra=AS_RATE)


class ParetoArrivals(Params):
    """Heavy-tailed gaps: x_m U^(-1/exponent), x_m = mean (exponent - 1) / exponent."""

    kind: Literal["pareto"] = Field(
        default="pareto", json_schema_extra=named(pareto="Heavy-tailed (Pareto)")
    )
    mean_ms: GapMs = assumed(10.0, "Over the mean time between them.", title="Rate", extra=AS_RATE)
    exponent: ParetoShape = default(
        1.5,
        source="TR837 prints no shape; DRPM-like workloads have 1 < shape < 2",
        quality="assumed",
        title="Shape of the tail",
        description="Above 1; the nearer to 1, the heavier.",
    )


class BurstyArrivals(Params):
    """Poisson arrivals that switch between two rates (MMPP)."""

    kind: Literal["mmpp"] = Field(
        default="mmpp", json_schema_extra=named(mmpp="Bursts (two rates)")
    )
    quiet_mean_ms: PositiveMs = assumed(
        100.0, "Mean time between requests when quiet.", title="Gap when quiet"
    )
    busy_mean_ms: PositiveMs = assumed(
        5.0, "Mean time between requests when busy.", title="Gap when busy"
    )
    quiet_stay_ms: PositiveMs = assumed(
        60_000.0, "Mean length of a quiet time.", title="A quiet time lasts"
    )
    busy_stay_ms: PositiveMs = assumed(
        5_000.0, "Mean length of a busy time.", title="A busy time lasts"
    )


class ClosedArrivals(Params):
    """Users who wait for their answer and think."""

    kind: Literal["closed"] = Field(
        default="closed", json_schema_extra=named(closed="Closed loop of users")
    )
    users_count: Annotated[CountFromOne, Field(le=100_000)] = assumed(
        8, "Users who ask, wait and think.", title="Users at work"
    )
    think_ms: ThinkMs = assumed(0.0, "Mean think time.", title="Think time")
    think_times_vary: bool = preset(True, "Exponential; else each is as long as the mean.")
    wake_ms: ThinkMs = assumed(
        0.0, "A lone user's host sleeps: it sees answers, and asks, so much later.", title="Waking"
    )
