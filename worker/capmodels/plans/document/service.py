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
from capmodels.spec import Params, default
from capmodels.units import (
    DurationH,
    GrowthFractionPerYear,
    Ratio,
    Real,
)

PositiveMs = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "ms"})]
PositiveH = Annotated[DurationH, Field(gt=0)]
Percentile = Annotated[Real, Field(gt=0, lt=1, json_schema_extra={"unit": "fraction"})]


class Service(Params):
    """What a service asks of its nodes, at its peak and today; see performance.size_for_work."""

    query_rate_per_s: RatePerS = unused("Queries", "Requests a second at the peak.")
    service_ms: PositiveMs = default(
        1.0,
        source="A millisecond of a core; measure it",
        quality="assumed",
        low=0.1,
        high=10.0,
        title="Time of a query",
        description="On one core of the reference kind.",
    )
    service_variation_ratio: Ratio = default(
        1.0,
        source="Exponential service",
        quality="assumed",
        title="Variation",
        description="Standard deviation of that time over its mean.",
    )
    latency_bound_ms: PositiveMs | None = Field(
        default=None, description="Response time to keep. Empty: none."
    )
    percentile_fraction: Percentile = default(
        0.99,
        source="Common service level",
        quality="assumed",
        title="Kept by",
        description="Share of the queries that must stay within the bound.",
    )
    dataset_tb: DataTb = unused("Data set", "Before copies.")
    copies_count: CountFromOne = default(3, source="Three copies", quality="assumed")
    memory_gb: DataGb = unused("Working set", "What must be in memory, over all nodes.")
    batch_core_h: DurationH = unused("Batch", "Core-hours of the nightly batch.")
    batch_deadline_h: PositiveH = default(
        6.0, source="A night", quality="assumed", title="Deadline", description="Of the batch."
    )
    batch_beside_queries: bool = default(
        False,
        source="At night",
        quality="assumed",
        title="Beside the queries",
        description="The batch runs at the peak of queries.",
    )
    io_per_s: RatePerS = unused("Disk I/O", "Reads and writes a second that reach drives.")
    rate_growth_fraction_per_year: GrowthFractionPerYear = unused(
        "Growth of the queries", "And of batch and disk I/O, compounded month by month."
    )
    data_growth_fraction_per_year: GrowthFractionPerYear = unused(
        "Growth of the data", "And of the working set."
    )
