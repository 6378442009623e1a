"""A service to carry: queries with a bound on their latency, a data set, a batch, disk I/O."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.plans.document.bounded import (
    CountFromOne,
    DataGb,
    DataTb,
    RatePerS,
)
from capmodels.plans.document.fields import unused
from capmodels.spec import Params, assumed, blank
from capmodels.units import DurationH, GrowthFractionPerYear, Ratio, Real, of_unit

PositiveMs = Annotated[Real, of_unit("ms", gt=0)]
PositiveH = Annotated[DurationH, Field(gt=0)]
Percentile = Annotated[Real, of_unit("fraction", gt=0, lt=1)]


class Service(Params):
    """What a service asks of its nodes, at its peak and today; see performance.size_for_work."""

    query_rate_per_s: RatePerS = unused("Queries", "Requests a second at the peak.")
    service_ms: PositiveMs = assumed(
        1.0,
        "On one core of the reference kind.",
        source="A millisecond of a core; measure it",
        low=0.1,
        high=1.9,
        title="Time of a query",
    )
    service_variation_ratio: Ratio = assumed(
        1.0,
        "Standard deviation of that time over its mean.",
        source="Exponential service",
        title="Variation",
    )
    latency_bound_ms: PositiveMs | None = blank("Response time to keep. Empty: none.")
    percentile_fraction: Percentile = assumed(
        0.99,
        "Share of the queries that must stay within the bound.",
        source="Common service level",
        title="Kept by",
    )
    dataset_tb: DataTb = unused("Data set", "Before copies.")
    copies_count: CountFromOne = assumed(3, source="Three copies")
    memory_gb: DataGb = unused("Working set", "What must be in memory, over all nodes.")
    batch_core_h: DurationH = unused("Batch", "Core-hours of the nightly batch.")
    batch_deadline_h: PositiveH = assumed(6.0, "Of the batch.", source="A night", title="Deadline")
    batch_beside_queries: bool = assumed(
        False,
        "The batch runs at the peak of queries.",
        source="At night",
        title="Beside the queries",
    )
    io_per_s: RatePerS = unused("Disk I/O", "Reads and writes a second that reach drives.")
    rate_growth_fraction_per_year: GrowthFractionPerYear = unused(
        "Growth of the queries", "And of batch and disk I/O, compounded month by month."
    )
    data_growth_fraction_per_year: GrowthFractionPerYear = unused(
        "Growth of the data", "And of the working set."
    )
