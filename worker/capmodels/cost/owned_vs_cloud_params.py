"""Input and output of ``cost.owned_vs_cloud``; the defaults are the paper's 48 nodes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.spec import Params, Result, assumed, blank, default, derived, preset, refusal
from capmodels.units import (
    Count,
    CountFromOne,
    DataTb,
    Fraction,
    GrowthFractionPerYear,
    PowerW,
    Pue,
    Real,
    SignedUsd,
    Usd,
    UsdPerGb,
    UsdPerGbMonth,
    UsdPerKwh,
    UsdPerYear,
    of_unit,
)

Equivalence = Literal["by_core", "by_disk_count", "by_capacity", "max_of_all", "explicit"]
Side = Literal["owned", "rented"]

PositiveUsdPerH = Annotated[Real, of_unit("USD/h", gt=0)]
PositiveTb = Annotated[Real, of_unit("TB", gt=0)]
PositiveGbitPerS = Annotated[Real, of_unit("Gbit/s", gt=0)]
PositiveCount = Annotated[Real, of_unit("count", gt=0)]
HorizonYears = Annotated[Real, of_unit("yr", gt=0, le=20)]
TariffUsdPerKwh = Annotated[UsdPerKwh, Field(ge=0)]


def _stated(value: Any, description: str, *, section: str = "2.1", **facets: Any) -> Any:
    source = f"Zaranek et al. 2008, section {section}"
    return default(value, source=source, as_of="2008", description=description, **facets)


class Instance(Params):
    """The rented machine that is counted in place of an owned node."""

    price_usd_per_h: PositiveUsdPerH = _stated(
        0.80, "Price of one hour of an EC2 extra-large instance."
    )
    cores_count: CountFromOne = _stated(4, "Virtual CPUs of one instance.")
    disks_count: CountFromOne = _stated(
        2, "Disks of one instance; the type was usually listed with four volumes."
    )
    storage_tb: PositiveTb = _stated(
        2.0, "Local storage of one instance; usually listed as 1.69 TB."
    )


class NodeGroup(Params):
    """Owned nodes of one kind, and what would be rented instead."""

    # A default is checked too: `explicit` without a number is a fault.
    model_config = ConfigDict(validate_default=True)

    nodes_count: CountFromOne = _stated(48, "Nodes of this kind.")
    cores_per_node_count: CountFromOne = _stated(8, "Cores of one node.")
    disks_per_node_count: CountFromOne = _stated(4, "Disks of one node.")
    disk_tb: PositiveTb = _stated(1.0, "Size of one disk.", title="Disk size")
    instance: Instance = Instance()
    equivalence: Equivalence = assumed(
        "by_core", "What an instance must match: cores, disks, capacity, or the most of these."
    )
    instances_count: PositiveCount | None = blank(
        "Number of instances for the whole group, when the equivalence is explicit."
    )
    utilization_fraction: Fraction = _stated(
        0.25, "Share of the cores that are busy, on average over the year.", low=0.05, high=0.9
    )

    @field_validator("instances_count")
    @classmethod
    def _number_when_explicit(cls, value: float | None, info: ValidationInfo) -> float | None:
        if value is None and info.data.get("equivalence") == "explicit":
            raise refusal("missing", "Enter how many instances replace these nodes.")
        return value


class Transfer(Params):
    """Data moved into and out of the cloud."""

    in_tb: DataTb = _stated(15.0, "Data moved in.")
    in_usd_per_gb: UsdPerGb = _stated(0.10, "Price of moving data in.", title="Price in")
    out_tb: DataTb = _stated(2.0, "Data moved out.")
    out_usd_per_gb: UsdPerGb = _stated(0.17, "Price of moving data out.", title="Price out")
    period: Literal["once", "yearly"] = derived(
        "once",
        "Whether these amounts move once or every year.",
        source="only this reproduces the two-year total of Zaranek et al. 2008",
    )


class Copy(Params):
    """Working data that is copied to the instances before they can compute."""

    data_tb: DataTb = assumed(0.0, "Data copied each time.")
    network_gbit_per_s: PositiveGbitPerS = _stated(
        2.0, "Rate of the copy, which the paper calls very low.", section="4.5"
    )
    copies_per_year: Annotated[Real, of_unit("1/yr", ge=0)] = assumed(0.0, "Copies made in a year.")
    instances_count: PositiveCount | None = blank(
        "Instances kept waiting by a copy; all of them when left empty."
    )


class OwnedVsCloudParams(Params):
    """What is owned, what would be rented instead, and over how long."""

    capex_usd: Usd = _stated(170_000.0, "Price of the cluster, paid at the start.")
    power_w: PowerW = _stated(18_000.0, "Average power of the cluster without cooling.")
    electricity_usd_per_kwh: TariffUsdPerKwh = _stated(
        0.17, "Price of electricity.", low=0.05, high=0.40
    )
    pue: Pue = assumed(1.0, "Power of the building over power of the cluster.")
    facility_usd_per_year: UsdPerYear = _stated(25_000.0, "Network access and floor space.")
    staff_usd_per_year: UsdPerYear = _stated(50_000.0, "A part-time administrator.")
    groups: tuple[NodeGroup, ...] = preset(
        (NodeGroup(),), "The owned nodes by kind.", min_length=1, max_length=100
    )
    storage_tb: DataTb = _stated(24.0, "Data kept in object storage, on average.")
    storage_usd_per_gb_month: UsdPerGbMonth = _stated(0.15, "Price of object storage.")
    transfer: Transfer = Transfer()
    copy_in: Copy = Field(default=Copy(), title="Copy")
    horizon_years: HorizonYears = _stated(2.0, "Time over which costs are added up.")
    growth_fraction_per_year: GrowthFractionPerYear = assumed(
        0.0, "Yearly growth of the work, and so of the cloud's yearly cost."
    )
    discount_fraction_per_year: Fraction = assumed(
        0.0, "Yearly rate at which later payments count for less."
    )
    year_h: Annotated[Literal[8760, 8784], of_unit("h")] = assumed(
        8760, "Hours in a year; 8784 in a leap year.", title="Hours in a year"
    )
    gb_per_tb: Annotated[Literal[1000, 1024], of_unit("GB/TB")] = derived(
        1000,
        "Decimal or binary terabytes.",
        source="only this reproduces the storage bill of Zaranek et al. 2008",
        title="Gigabytes in a terabyte",
    )
    billing: Literal["exact", "started_hours"] = assumed(
        "exact", "Whether a copy is billed by its time or by started hours."
    )
    rounding: Literal["none", "paper"] = assumed(
        "none", "Paper: each yearly part, and then the total, to the nearest $1,000."
    )


class Cause(Result):
    """One cause of cost over the horizon."""

    cause: str
    side: Side
    label: str
    formula: str
    amount_usd: SignedUsd
    npv_usd: SignedUsd


class BreakEven(Result):
    """When owning becomes the cheaper one for the last time."""

    discounted: bool
    years: Annotated[Real, of_unit("yr", ge=0)] | None
    reason: Literal["never", "always"] | None
    crossings_count: Count
    crossings_years: tuple[Annotated[Real, of_unit("yr")], ...]
    sentence: str


class Tie(Result):
    """The utilisation, the same on all nodes, at which both sides cost the same."""

    utilization_fraction: Annotated[Real, of_unit("fraction", ge=0)] | None
    reason: Literal["owning_cheaper_idle", "renting_cheaper_full"] | None
    sentence: str


UsdSeries = tuple[SignedUsd, ...]


class Monthly(Result):
    """Payments and running totals; the first entry is the start, the last the horizon."""

    time_months: tuple[Annotated[Real, of_unit("months")], ...]
    own_usd: UsdSeries
    cloud_usd: UsdSeries
    own_cumulative_usd: UsdSeries
    cloud_cumulative_usd: UsdSeries
    own_cumulative_npv_usd: UsdSeries
    cloud_cumulative_npv_usd: UsdSeries


class OwnedVsCloudResult(Result):
    """Both sides' totals, their causes, and when and where they are equal."""

    cheaper: Literal["owned", "cloud", "equal"]
    own_total_usd: Usd
    cloud_total_usd: Usd
    own_npv_usd: Usd
    cloud_npv_usd: Usd
    own_printed_usd: Usd | None
    cloud_printed_usd: Usd | None
    own_usd_per_year: UsdPerYear
    cloud_usd_per_year: UsdPerYear
    cloud_once_usd: Usd
    instances_count: Annotated[Real, of_unit("count")]
    compute_full_usd_per_h: PositiveUsdPerH
    copy_h: Annotated[Real, of_unit("h", ge=0)]
    break_even: BreakEven
    break_even_discounted: BreakEven
    tie: Tie
    causes: tuple[Cause, ...]
    monthly: Monthly
    warnings: tuple[str, ...]
