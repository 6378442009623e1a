"""What is measured of a drive with so many requests outstanding."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.spec import Params, blank, preset
from capmodels.storage.drive.drives import PositiveMs
from capmodels.units import CountFromOne, RatePerS, Real, of_unit

Percent = Annotated[Real, of_unit("ratio", gt=0, lt=100)]
Way = Literal["read", "write"]


class Percentile(Params):
    """Share of requests that took at most a time."""

    percent_ratio: Percent
    latency_ms: PositiveMs


class DepthRow(Params):
    """Requests of one size, so many of them outstanding at all times."""

    way: Way = "read"
    depth_count: Annotated[CountFromOne, Field(le=100_000)]
    latency_ms: PositiveMs = Field(
        description="Mean time from the request's hand-over to the drive until it is done: fio's "
        "completion latency, without what the host takes to submit it."
    )
    rate_per_s: Annotated[RatePerS, Field(gt=0)] | None = blank(
        "Requests a second, one thread asking: what depth over rate has beyond the latency is the "
        "host's own time from an answer to the next request. Empty: that time is not known.",
        title="Rate",
    )
    timed_out: bool = preset(
        False,
        "A command waited for the host's reset, 30 s with Linux: the mean is not the "
        "drive's, and that of the percentiles from 1 to 99 takes its place.",
    )
    percentiles: tuple[Percentile, ...] = Field(default=(), max_length=200)

    @property
    def host_ms(self) -> float | None:
        """The host's time from an answer to the next request; None: not known. [ms]"""
        if self.rate_per_s is None or self.timed_out:
            return None
        return max(self.depth_count * 1000 / self.rate_per_s - self.latency_ms, 0.0)
