"""What a simulated cluster is asked, and what it answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.reliability.loss_params import RatioFromOne
from capmodels.spec import Result, assumed, default, refusal
from capmodels.storage.cluster.params import (
    ClusterWork,
    CodedCluster,
    Cores,
    ErasureCode,
    Machines,
    MbPerS,
    PositiveMbPerS,
    Recovery,
)
from capmodels.storage.cluster.slots import DRIVES_MAX, GROUPS_MAX, NODES_MAX, SHARDS_MAX
from capmodels.storage.simulator.request_sizes import RequestBytes
from capmodels.told import Told
from capmodels.units import (
    Count,
    CountFromOne,
    DataTb,
    DurationH,
    DurationMs,
    EnergyKwh,
    Fraction,
    PowerW,
    RatePerS,
    Ratio,
)

RequestsCount = Annotated[CountFromOne, Field(ge=300, le=30_000_000)]
Streams = Annotated[CountFromOne, Field(le=10_000)]


class SimulatedRecovery(Recovery):
    """How lost shards come back, piece by piece."""

    drive_mb_per_s: PositiveMbPerS = assumed(
        20.0, "Read and written.", low=10.0, high=120.0, title="Recovery of a drive"
    )
    piece_bytes: RequestBytes = default(
        4_194_304,
        source="Ceph reads up to 8 MiB of an object at once (osd_recovery_max_chunk)",
        quality="assumed",
        low=1_048_576,
        high=8_388_608,
        title="Piece of a shard",
        description="Rebuilt at once.",
    )
    at_once_count: Streams | None = Field(
        default=None, title="Pieces at once", description="Empty: one for each drive."
    )


class SimulatedWork(ClusterWork):
    """Requests to the cluster, in three phases of as many each."""

    partial_fraction: Fraction = assumed(
        0.0, "Share that changes a part of one shard only.", title="Partial writes"
    )
    partial_bytes: RequestBytes = assumed(4096, "Changed by one.", title="Size of a partial write")
    requests_count: RequestsCount = assumed(
        300_000,
        "Of all phases: before a loss, during the rebuild, after it.",
        title="Requests simulated",
    )


def _require(count: int, most: int, what: str, *at: str) -> None:
    """Refuse more than are simulated."""
    if count > most:
        text = f"At most {most:,} {what} are simulated, here are {count:,}."
        raise refusal("too_many", text, at=at)


class ClusterArrayParams(CodedCluster):
    """A cluster, its code, the work, and what is lost."""

    recovery: SimulatedRecovery = SimulatedRecovery()
    work: SimulatedWork = Field(default=SimulatedWork(), validate_default=True)
    lost: Literal["drive", "node"] = Field(
        default="node", description="What fails: a drive, or a node with all of its drives."
    )
    pue_ratio: RatioFromOne = assumed(1.3, "Energy of the site over that of the machines.")

    @field_validator("machines")
    @classmethod
    def _machines_fit(cls, value: Machines) -> Machines:
        nodes, each = value.nodes_count, value.drives_per_node_count
        _require(nodes, NODES_MAX, "nodes", "nodes_count")
        _require(nodes * each, DRIVES_MAX, "drives", "drives_per_node_count")
        return value

    @field_validator("code")
    @classmethod
    def _code_fits(cls, value: ErasureCode) -> ErasureCode:
        parities = value.parity_count + value.local_groups_count
        _require(value.data_count + parities, SHARDS_MAX, "shards", "data_count")
        if parities == 0:
            text = "This code survives no loss. Enter at least one parity."
            raise refusal("too_few", text, at=("parity_count",))
        return value

    @field_validator("placement_groups_count")
    @classmethod
    def _groups_fit(cls, value: int) -> int:
        _require(value, GROUPS_MAX, "placement groups")
        return value

    @field_validator("lost")
    @classmethod
    def _some_are_left(cls, value: str, info: ValidationInfo) -> str:
        machines = info.data.get("machines")
        if value == "node" and machines is not None and machines.nodes_count == 1:
            text = "With the only node lost nothing is left. Enter more nodes, or lose a drive."
            raise refusal("too_few", text)
        return value

    @field_validator("work")
    @classmethod
    def _parts_fit(cls, value: SimulatedWork, info: ValidationInfo) -> SimulatedWork:
        if value.requests_per_s == 0:
            text = "Without requests there is nothing to simulate. Enter more than 0."
            raise refusal("too_few", text, at=("requests_per_s",))
        code = info.data.get("code")
        if code is None or value.partial_fraction == 0:
            return value
        shard = value.size_bytes / code.data_count
        if value.partial_bytes > shard:
            text = f"A shard of a request has {shard:,.0f} bytes. Enter at most these."
            raise refusal("too_many", text, at=("partial_bytes",))
        return value


class Responses(Result):
    """Response of requests of one kind."""

    count: Count
    mean_ms: DurationMs
    p50_ms: DurationMs
    p95_ms: DurationMs
    p99_ms: DurationMs
    p999_ms: DurationMs = Field(title="p99.9")


class Phase(Result):
    """A stretch of time: what requests saw, and what they cost."""

    phase: Literal["before", "during", "after"]
    read: Responses | None = Field(description="Empty: no reads, or drives that cannot serve them.")
    write: Responses | None = Field(
        description="Empty: no writes, or drives that cannot serve them."
    )
    degraded_read_fraction: Fraction = Field(description="Reads that went without a lost shard.")
    drive_load_fraction: Fraction = Field(description="Mean share of the time that drives work.")
    busiest_drive_fraction: Fraction
    network_mb_per_s: MbPerS = Field(description="Sent between nodes and to users, in all.")
    busiest_link_fraction: Ratio = Field(description="Of a node's network, in one direction.")
    code_cores_count: Cores = Field(description="Busy with encoding and decoding, in all.")
    power_w: PowerW = Field(description="With that of the site.")


class Rebuilt(Result):
    """The rebuild of what was lost."""

    recovery_h: DurationH = Field(description="From the loss until all of it is rebuilt.")
    limit_h: DurationH = Field(description="As its limits would allow, without requests.")
    urgent_h: DurationH | None = Field(
        description="Until no group lacks more than one shard, those being rebuilt first; empty: "
        "none ever does."
    )
    written_mb_per_s: MbPerS
    read_tb: DataTb
    network_tb: DataTb = Field(description="Between nodes.")
    energy_kwh: EnergyKwh = Field(description="Of the whole cluster in this time.")
    pieces_count: Count = Field(description="Rebuilt in the phase that was simulated.")


class ClusterArrayResult(Told):
    """A cluster before, during and after the rebuild of a drive or a node."""

    requests_per_s: RatePerS
    phases: tuple[Phase, ...]
    rebuild: Rebuilt | None = Field(
        description="Empty: it makes no headway beside the requests, or too few came to tell."
    )
