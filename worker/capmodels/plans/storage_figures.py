"""What the answer of the plan says of stored data: arrays, their tiers, and rented storage."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from capmodels.spec import Result


class Simulation(Result):
    """A simulation that confirms a closed form: of what, the tool, the model, and its input."""

    title: str
    tool: Literal["arrays", "rebuilds"]
    model: str
    params: dict[str, Any]


class ArrayYear(Result):
    """The disk arrays of a design at the end of a year, as they have grown by then.

    Of a coded cluster ``nodes_count`` are its nodes.
    """

    year: int
    arrays_count: float
    nodes_count: float | None
    drives_count: float
    usable_tb: float
    used_fraction: float | None
    requests_per_s: float
    iops_ceiling_per_s: float
    response_mean_ms: float | None
    response_p99_ms: float | None = None
    mean_w: float
    loss_fraction_per_year: float | None
    object_nines_count: float | None
    rebuild_h: float | None
    failures_per_year: float


class ArrayFigures(Result):
    """The disk arrays of a design in its last year; what is None has a reason beside it."""

    arrays_count: float
    nodes_count: float | None = None
    drives_count: float
    raw_tb: float
    usable_tb: float
    used_fraction: float | None
    iops_ceiling_per_s: float
    iops_bound_by: Literal["drives", "cache", "controller", "network"]
    throughput_ceiling_mb_per_s: float
    requests_per_s: float
    response_mean_ms: float | None
    response_p50_ms: float | None = Field(default=None, description="Of coded clusters.")
    response_p95_ms: float | None = None
    response_p99_ms: float | None = None
    response_p999_ms: float | None = None
    mean_w: float
    watts: dict[str, float]
    drives_busy_count: float
    drives_asleep_count: float
    starts_per_drive_year: float
    wear_years: float | None
    wears_first: str | None = None
    loss_fraction_per_year: float | None
    object_nines_count: float | None
    rebuild_h: float | None
    rebuild_mb_per_s: float | None = Field(
        default=None, description="Rate of a rebuild beside the requests; None: as entered."
    )
    rebuild_bound: str | None = Field(
        default=None, description="That rebuilds take longer than said and data are less safe."
    )
    failures_per_year: float
    usd_per_tb_year: float | None
    kgco2e_per_tb_year: float | None
    growth: str | None = Field(
        default=None, description="By what they grow, where their number follows the demand."
    )
    independent: bool = Field(
        default=False, description="Durability takes each failure as independent of others."
    )
    years: tuple[ArrayYear, ...] = Field(
        default=(), description="Year by year; of tiers that are told one by one, with each."
    )
    simulations: tuple[Simulation, ...] = ()
    reasons: dict[str, str]


class RentedStorage(Result):
    """Rented storage at the end of the horizon, and its price.

    Usable are volumes as provisioned, objects and archives as stored; ``covers`` says whether the
    price is of all that the design costs, or of its rented storage alone.
    """

    usable_tb: float
    usd_per_tb_year: float
    covers: str


class TierFigures(Result):
    """One kind of arrays where data are placed by age: ages, data, what moves, what it costs."""

    name: str
    from_days: float
    to_days: float | None
    data_tb: float
    moved_in_tb_per_year: float
    moved_out_tb_per_year: float
    bought_usd: float
    array: ArrayFigures
