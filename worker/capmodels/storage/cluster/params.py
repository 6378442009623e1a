"""What a cluster with an erasure code is asked, and what it answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.numbers import counted
from capmodels.reliability.loss_params import AnnualFailure, RatioFromOne
from capmodels.spec import Params, Result, assumed, default, refusal
from capmodels.storage.drive.drives import Drive, HardDisk, ThreePointSeek
from capmodels.storage.simulator.request_sizes import RequestBytes
from capmodels.told import Told
from capmodels.units import (
    Count,
    CountFromOne,
    DataTb,
    DurationH,
    DurationMs,
    DurationYears,
    EnergyKwh,
    Fraction,
    PowerW,
    RatePerS,
    Ratio,
    Real,
    Usd,
    UsdPerKwh,
)

Shards = Annotated[CountFromOne, Field(le=128)]
Parities = Annotated[Count, Field(le=32)]
Nodes = Annotated[CountFromOne, Field(le=100_000)]
DrivesOfNode = Annotated[CountFromOne, Field(le=1000)]
Groups = Annotated[CountFromOne, Field(le=10_000_000)]
PositiveMbPerS = Annotated[Real, Field(gt=0, le=1e6, json_schema_extra={"unit": "MB/s"})]
PositiveGbit = Annotated[Real, Field(gt=0, le=1e5, json_schema_extra={"unit": "Gbit/s"})]
PositiveGbPerS = Annotated[Real, Field(gt=0, le=1e4, json_schema_extra={"unit": "GB/s"})]
DomainLoss = Annotated[Fraction, Field(lt=1)]
PartFraction = Annotated[Fraction, Field(gt=0)]
Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]
TbPerYear = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "TB/yr"})]
UsdPerTbYear = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "USD/TB-yr"})]
MbPerS = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "MB/s"})]
Nines = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "count"})]
Cores = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "count"})]

# A drive of 2024 for bulk data, as data sheets of its class have it.
NEARLINE_20TB = HardDisk(
    name="Nearline drive, 20 TB",
    capacity_gb=20_000.0,
    speed_rpm=7200.0,
    seek=ThreePointSeek(min_ms=0.6, avg_ms=8.2, max_ms=17.0),
    outer_mb_per_s=280.0,
    inner_mb_per_s=130.0,
    active_w=9.0,
    idle_w=5.8,
    price_usd=320.0,
    unrecoverable_per_bit=1e-15,
    afr_fraction=0.015,
)


class ErasureCode(Params):
    """How an object becomes shards."""

    data_count: Shards = assumed(8, "k; 1: each of the others is a copy.", title="Data shards")
    parity_count: Parities = assumed(3, "m, over all of them.", title="Parity shards")
    local_groups_count: Annotated[Count, Field(le=32, validate_default=True)] = assumed(
        0, "With a parity of their own (LRC); 0: none.", title="Local groups"
    )

    @field_validator("local_groups_count")
    @classmethod
    def _of_several(cls, value: int, info: ValidationInfo) -> int:
        data = info.data.get("data_count", value)
        if value > data:
            raise refusal("too_many", "A local group needs a data shard at least.")
        return value


class Machines(Params):
    """Nodes of the cluster, and how they are joined."""

    nodes_count: Nodes = assumed(12, "Nodes that hold drives.")
    drives_per_node_count: DrivesOfNode = assumed(12, "Of each node.", title="Drives of a node")
    racks_count: Annotated[Nodes, Field(validate_default=True)] = assumed(
        4, "Racks over which the nodes are spread."
    )
    sites_count: Annotated[Nodes, Field(validate_default=True)] = assumed(
        1, "Sites over which the racks are spread."
    )
    network_gbit_per_s: PositiveGbit = assumed(
        25.0, "In each direction.", title="Network of a node"
    )
    hop_ms: DurationMs = assumed(0.1, "Round trip.", title="To another node and back")
    site_hop_ms: DurationMs = assumed(
        10.0, "Round trip, where there are several.", title="To another site and back"
    )
    code_gb_per_s: PositiveGbPerS = assumed(
        4.0, "Encoding or decoding.", low=1.0, high=8.0, title="Coding of a core"
    )
    node_w: PowerW = assumed(250.0, "Without its drives.", title="Power of a node")
    node_price_usd: Usd = assumed(6000.0, "Without its drives.", title="Price of a node")
    node_fraction_per_year: Annotated[Fraction, Field(lt=1)] = assumed(
        0.005,
        "Chance that a node is lost with the data on its drives.",
        title="Nodes lost a year",
    )
    rack_fraction_per_year: DomainLoss = assumed(
        0.0, "Chance that a rack is lost with the data on its drives.", title="Racks lost a year"
    )
    site_fraction_per_year: DomainLoss = assumed(
        0.0, "Chance that a site is lost with the data on its drives.", title="Sites lost a year"
    )

    @field_validator("racks_count")
    @classmethod
    def _with_nodes(cls, value: int, info: ValidationInfo) -> int:
        if value > info.data.get("nodes_count", value):
            raise refusal("too_many", "There are fewer nodes than racks.")
        return value

    @field_validator("sites_count")
    @classmethod
    def _with_racks(cls, value: int, info: ValidationInfo) -> int:
        if value > info.data.get("racks_count", value):
            raise refusal("too_many", "There are fewer racks than sites.")
        return value


class Recovery(Params):
    """How lost shards come back."""

    drive_mb_per_s: PositiveMbPerS = assumed(
        40.0, "Read and written.", low=10.0, high=120.0, title="Recovery of a drive"
    )
    network_fraction: PartFraction = assumed(
        0.5, "Share of a node's.", title="Network for recovery"
    )
    detection_h: DurationH = assumed(
        0.25, "A lost drive is given up then.", title="Until recovery begins"
    )


class ClusterWork(Params):
    """Requests to the cluster."""

    requests_per_s: RatePerS = assumed(500.0, "Requests of all users.")
    read_fraction: Fraction = assumed(0.8, "Share of requests that read.", title="Reads")
    size_bytes: RequestBytes = assumed(
        4_194_304, "Shared over the data shards.", title="Size of a request"
    )


class ClusterTerms(Params):
    """Money, time, and failures that do not come one by one."""

    years: DurationYears = assumed(5.0, "Time in service.")
    energy_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = assumed(0.10, "Price of energy.")
    pue_ratio: Annotated[Real, Field(ge=1, le=10, json_schema_extra={"unit": "ratio"})] = assumed(
        1.3, "Energy of the site over that of the machines."
    )
    together_ratio: RatioFromOne = assumed(
        1.0, "Failure rate once a shard is lost, of that before: bad batches, heat."
    )


class CodedCluster(Params):
    """Machines, their drives, and the code that data are spread by."""

    model_config = ConfigDict(validate_default=True)

    machines: Machines = Machines()
    drive: Drive = NEARLINE_20TB
    code: ErasureCode = ErasureCode()
    failure_domain: Literal["drive", "node", "rack", "site"] = Field(
        default="node", description="No two shards of an object are in the same one."
    )
    placement_groups_count: Groups = assumed(
        1024, "Groups of drives that objects are spread over by hash."
    )
    fill_fraction: PartFraction = default(
        0.85, source="Ceph warns of a nearly full drive from 85% on", quality="published"
    )
    recovery: Recovery = Recovery()

    @field_validator("failure_domain")
    @classmethod
    def _enough_domains(cls, value: str, info: ValidationInfo) -> str:
        machines, code = info.data.get("machines"), info.data.get("code")
        if machines is None or code is None:
            return value
        shards = code.data_count + code.parity_count + code.local_groups_count
        there = domains_count(machines, value)
        if shards > there:
            raise refusal("too_few", too_few_domains(shards, there, value))
        return value

    @field_validator("placement_groups_count")
    @classmethod
    def _on_every_drive(cls, value: int, info: ValidationInfo) -> int:
        machines, code = info.data.get("machines"), info.data.get("code")
        if machines is None or code is None:
            return value
        shards = code.data_count + code.parity_count + code.local_groups_count
        text = too_few_groups(value, shards, domains_count(machines, "drive"))
        if text is not None:
            raise refusal("too_few", text)
        return value


def too_few_domains(shards: int, there: int, domain: str) -> str:
    """Say that a code has more shards than there are failure domains."""
    narrower = "" if domain == "drive" else ", or a narrower failure domain"
    between = " or" if domain == "drive" else ","
    return (
        f"The code has {shards} shards, and the cluster {counted(there, domain)}, of which each "
        f"may hold one. Enter more {domain}s{between} fewer shards{narrower}."
    )


class ClusterCodeParams(CodedCluster):
    """A cluster, its code, and the work."""

    work: ClusterWork = ClusterWork()
    terms: ClusterTerms = ClusterTerms()
    afr_fraction: AnnualFailure | None = Field(
        default=None, description="Chance that a drive fails in a year; empty: the drive's own."
    )

    @field_validator("afr_fraction")
    @classmethod
    def _some_fail(cls, value: float | None, info: ValidationInfo) -> float | None:
        drive = info.data.get("drive")
        if value is None and drive is not None and drive.afr_fraction == 0:
            text = "The drive's own chance is 0, by which no data are ever lost. Enter one above 0."
            raise refusal("too_few", text)
        return value


def too_few_groups(groups: int, shards: int, drives: int) -> str | None:
    """What is said of groups with fewer shards than there are drives; None of enough."""
    if groups * shards >= drives:
        return None
    return (
        f"{groups:,} groups of {shards} shards leave some of {drives:,} drives empty. "
        f"Enter at least {-(-drives // shards):,}."
    )


def domains_count(machines: Machines, domain: str) -> int:
    """Parts of a cluster of which each holds one shard of an object at most."""
    counts = {
        "drive": machines.nodes_count * machines.drives_per_node_count,
        "node": machines.nodes_count,
        "rack": machines.racks_count,
        "site": machines.sites_count,
    }
    return counts[domain]


class Lost(Result):
    """What a lost drive, or a lost node, sets off."""

    recovery_h: DurationH | None = Field(description="Empty: unknown beside so many requests.")
    read_tb: DataTb = Field(description="From the shards that are left.")
    network_tb: DataTb = Field(description="Between nodes, in all.")
    bound_by: Literal["drives", "network"]


class Limit(Lost):
    """As fast as what is entered allows."""

    recovery_h: DurationH


class Durability(Result):
    """How likely data are lost; empty where the time of a rebuild is unknown."""

    group_mttdl_years: Years | None = Field(description="Of one placement group.")
    mttdl_years: Years | None = Field(description="Until any data of the cluster are lost.")
    loss_fraction_per_year: Fraction | None = Field(
        description="Chance that any data are lost in a year."
    )
    object_nines_count: Nines | None = Field(description="Of an object's chance to outlast a year.")
    hit_fraction: Fraction = Field(
        description="Chance that one more lost drive than is survived hits some group, when they "
        "are lost at once anywhere."
    )
    survives_count: Count = Field(description="Lost shards of any object that are survived.")


class Percentiles(Result):
    """Response within which a share of the requests stays."""

    p50_ms: DurationMs
    p95_ms: DurationMs
    p99_ms: DurationMs
    p999_ms: DurationMs = Field(title="p99.9")


class Load(Result):
    """What the requests cost."""

    drive_operations_per_s: RatePerS
    drive_load_fraction: Ratio
    network_mb_per_s: MbPerS = Field(description="Of each node, in the busier direction.")
    network_load_fraction: Ratio
    code_cores_count: Cores = Field(description="Busy with encoding, in all.")
    read_mean_ms: DurationMs | None = Field(description="Empty: they would wait without end.")
    degraded_read_mean_ms: DurationMs | None = Field(description="Of an object with a lost shard.")
    write_mean_ms: DurationMs | None
    read: Percentiles | None = Field(description="Empty: they would wait without end.")
    degraded_read: Percentiles | None = Field(description="Of an object with a lost shard.")
    write: Percentiles | None


class ClusterCodeResult(Told):
    """Space, durability, load, energy and cost."""

    drives_count: CountFromOne
    raw_tb: DataTb
    usable_tb: DataTb
    overhead_ratio: Ratio = Field(description="Raw space of a byte, without what is left free.")
    drive_lost: Lost
    node_lost: Lost
    durability: Durability
    load: Load
    power_w: PowerW = Field(description="With that of the site.")
    energy_kwh_per_year: EnergyKwh
    repair_tb_per_year: TbPerYear = Field(description="Read to repair drives and nodes.")
    capital_usd: Usd | None = Field(description="Empty: the drives have no price.")
    usd_per_usable_tb_year: UsdPerTbYear | None
