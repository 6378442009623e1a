"""The work to carry: demand that both sides are sized to, or a utilisation as in 2008."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from capmodels.forms import shown_when, when_empty
from capmodels.plans.document.array_parts import IoMix
from capmodels.plans.document.bounded import (
    Count,
    CountFromOne,
    DataGib,
    DataTb,
    DataTbPerMonth,
    RatePerS,
    ThroughputMbPerS,
)
from capmodels.plans.document.fields import (
    Amount,
    Cores,
    Finding,
    FromOneRatio,
    JobsPerDay,
    MachineCores,
    MillionsPerMonth,
    Name,
    Note,
    Pieces,
    PositiveFraction,
    refuse,
    unique,
    unused,
)
from capmodels.plans.document.inference import InferenceStream, Streams
from capmodels.plans.document.service import Service
from capmodels.plans.document.teams import Teams, team_findings
from capmodels.plans.document.training import TrainingJob, Trainings
from capmodels.spec import Params, assumed, blank, preset
from capmodels.units import (
    Fraction,
    GrowthFractionPerYear,
    Ratio,
)

MAX_SHAPE_HOURS = 8784


class FlatShape(Params):
    """The same demand at every hour."""

    kind: Literal["flat"] = "flat"


class HourlyShape(Params):
    """Demand hour by hour, as a series of any scale: it is divided by its mean."""

    kind: Literal["hourly"]
    values_ratio: tuple[Ratio, ...] = Field(
        title="Hourly demand",
        description="One value per hour for whole days (24, 168 or up to 8,784 values), "
        "measured or relative; divided by its mean. Kept to 1/10,000 of the mean.",
        min_length=24,
        max_length=MAX_SHAPE_HOURS,
    )

    @model_validator(mode="after")
    def _whole_days(self) -> HourlyShape:
        count = len(self.values_ratio)
        if count % 24:
            sentence = (
                f"The series has {count:,} hours, which is not whole days. "
                f"Enter {count // 24 * 24:,} or {(count // 24 + 1) * 24:,} hours."
            )
            refuse([Finding(("values_ratio",), "not_whole_days", sentence)])
        if not any(self.values_ratio):
            sentence = "The series is zero at every hour. Enter at least one hour with demand."
            refuse([Finding(("values_ratio",), "no_demand", sentence)])
        return self


Shape = Annotated[FlatShape | HourlyShape, Field(discriminator="kind")]


def _growth(what: str) -> Any:
    return assumed(
        0.0,
        f"Growth of {what.lower()} a year, compounded month by month.",
        source="No growth unless the planner expects it, twenty points a year either way",
        title=what,
        low=-0.2,
        high=0.2,
        extra=when_empty("none is planned, −20% to 20% a year is drawn"),
    )


class Growth(Params):
    """Growth of the work a year, by kind; the use of storage grows with it."""

    cores_fraction_per_year: GrowthFractionPerYear = _growth("Busy cores")
    ram_fraction_per_year: GrowthFractionPerYear = _growth("RAM")
    block_fraction_per_year: GrowthFractionPerYear = _growth("Block storage, IOPS, throughput")
    object_fraction_per_year: GrowthFractionPerYear = _growth("Object storage")
    archive_fraction_per_year: GrowthFractionPerYear = _growth("Archive")
    transfer_fraction_per_year: GrowthFractionPerYear = _growth("Transfer")
    gpus_fraction_per_year: GrowthFractionPerYear = _growth("GPUs")


class Headroom(Params):
    """How full each resource may be at the peak that a design is sized for."""

    cores_target_fraction: PositiveFraction = assumed(
        0.7,
        "Highest share of the cores that may be busy at the 99th percentile.",
        source="Queueing rule of thumb, economics of cluster sizing",
        low=0.6,
        high=0.8,
        title="Cores in use at peak",
    )
    ram_headroom_fraction: Fraction = assumed(
        0.125,
        "RAM kept free on top of what is in use, as a share of what is in use.",
        source="Planner's margin, 10-15%",
        low=0.10,
        high=0.15,
        title="Memory headroom",
    )
    disk_fill_fraction: PositiveFraction = assumed(
        0.85,
        "Share of the disk space that may be filled.",
        source="Common fill limit of storage systems",
        low=0.75,
        high=0.95,
        title="Maximum capacity used",
    )
    io_target_fraction: PositiveFraction = assumed(
        0.7,
        "Highest share of the rated IOPS and throughput of the drives in use.",
        source="Queueing rule of thumb, as for cores",
        low=0.5,
        high=0.9,
        title="IOPS and throughput in use",
    )
    gpu_target_fraction: PositiveFraction = assumed(
        1.0,
        "Highest share of the GPUs that may be in use at peak.",
        source="GPUs are booked whole",
        title="GPUs in use at peak",
    )


class Availability(Params):
    """What may fail without the load suffering."""

    spare_nodes_count: Count = assumed(
        1,
        "Machines of each kind, owned or rented, that may fail while the rest meets demand.",
        source="N+1",
        title="Spare machines (N+k)",
    )
    sites_count: CountFromOne = assumed(
        1, "Sites over which the load is spread.", source="One site"
    )
    survive_site_loss: bool = assumed(
        False,
        "Size the other sites to meet all demand when one is lost.",
        source="Not asked unless the planner says so",
        title="Survive the loss of a site",
    )

    @model_validator(mode="after")
    def _other_sites(self) -> Availability:
        if self.survive_site_loss and self.sites_count < 2:
            sentence = "One site cannot survive the loss of a site. Enter at least 2 sites."
            refuse([Finding(("sites_count",), "too_few_sites", sentence, self.sites_count)])
        return self

    @property
    def site_factor(self) -> float:
        """Capacity needed over all sites, as a ratio of what the load needs."""
        return self.sites_count / (self.sites_count - 1) if self.survive_site_loss else 1.0


class ObjectUse(Params):
    """How object storage is used: clouds bill requests, and data that crosses their border."""

    writes_millions_per_month: MillionsPerMonth = unused(
        "Writes", "Requests that write or list, today."
    )
    reads_millions_per_month: MillionsPerMonth = unused("Reads", "Requests that read, today.")
    read_tb_per_month: DataTbPerMonth = unused(
        "Read by the work",
        "Data that the work itself reads, today: it leaves a cloud that keeps the objects of "
        "work that runs elsewhere. Not what is sent to the internet.",
    )


class DemandWorkload(Params):
    """Work as demand: what runs, in reference cores, GiB and TB, today."""

    kind: Literal["demand"]
    busy_cores_count: Cores = Field(
        title="Busy cores, mean",
        description="Cores busy on average today, counted in cores of the reference kind. "
        "0 for storage alone.",
    )
    p99_ratio: FromOneRatio | None = blank(
        "99th percentile of busy cores over the mean. Empty: taken from the hourly shape.",
        title="Peak over mean",
    )
    reference_core: Name = preset(
        "a present core",
        "The kind of core in which busy cores are counted; the speed of every "
        "other core and vCPU is given relative to it.",
    )
    shape: Shape = preset(
        FlatShape(),
        "How demand moves over the hours of a day, a week or a year.",
        title="Shape over the hours",
    )
    ram_gib: DataGib = Field(title="RAM in use", description="RAM in use at mean load today.")
    ram_fixed_fraction: Fraction = assumed(
        1.0,
        "Share of the RAM that stays in use when the load falls; the rest "
        "follows the hourly shape.",
        source="RAM in use rarely falls with load",
        low=0.9,
        high=1.0,
        title="RAM that cannot scale down",
    )
    block_tb: DataTb = unused("Block storage", "Data on block storage today.")
    block_io_per_s: RatePerS = unused("Block IOPS", "Peak I/O operations per second today.")
    block_throughput_mb_per_s: ThroughputMbPerS = unused(
        "Block throughput", "Peak block throughput today."
    )
    block_mix: IoMix = preset(IoMix(), "What they look like to an array.", title="Block requests")
    object_tb: DataTb = unused("Object storage", "Data on object storage today.")
    object_use: ObjectUse = Field(default=ObjectUse(), title="Use of object storage")
    archive_tb: DataTb = unused("Archive", "Data kept and hardly ever read, today.")
    archive_read_tb_per_month: DataTbPerMonth = unused(
        "Read from the archive", "Data read back a month, today."
    )
    egress_tb_per_month: DataTbPerMonth = unused(
        "Egress", "Data sent to the internet a month, today."
    )
    ingress_tb_per_month: DataTbPerMonth = unused(
        "Ingress", "Data received from the internet a month."
    )
    cross_zone_tb_per_month: DataTbPerMonth = unused(
        "Cross-zone traffic", "Data sent between availability zones a month, today."
    )
    gpu_peak_count: Pieces = unused("GPUs at peak", "GPUs in use at peak today.")
    gpu_mean_count: Amount | None = blank(
        "GPUs in use on average today. Empty: as at peak.", title="GPUs, mean"
    )
    gpu: Name | None = blank(
        "Kind of GPU that the work runs on, such as NVIDIA H100. Empty: any.", title="Kind of GPU"
    )
    streams: Streams = ()
    trainings: Trainings = ()
    jobs_per_day: JobsPerDay = unused(
        "Jobs", "Jobs that the work finishes a day, today; they grow with the busy cores."
    )
    service: Service | None = blank(
        "Queries, data set and batch that size groups of nodes with the service role."
    )
    teams: Teams = ()
    growth: Growth = Growth()
    headroom: Headroom = Headroom()
    availability: Availability = Availability()

    @model_validator(mode="after")
    def _mean_below_peak(self) -> DemandWorkload:
        refuse(team_findings(self.teams))
        mean, peak = self.gpu_mean_count, self.gpu_peak_count
        refuse(unique([one.name for one in self.streams], ("streams",), "name"))
        refuse(unique([one.name for one in self.trainings], ("trainings",), "name"))
        if self.of_models and peak > 0:
            what = "inference streams" if self.streams else "training jobs"
            sentence = f"GPUs are counted by the {what}. Enter 0 GPUs at peak, or none of them."
            refuse([Finding(("gpu_peak_count",), "counted_by_streams", sentence, peak)])
        if mean is not None and mean > peak:
            sentence = (
                f"GPUs on average ({mean:g}) exceed GPUs at peak ({peak:g}). "
                f"Enter at most {peak:g}."
            )
            refuse([Finding(("gpu_mean_count",), "mean_above_peak", sentence, mean)])
        return self

    @property
    def of_models(self) -> tuple[InferenceStream | TrainingJob, ...]:
        """What of the work says itself how many GPUs of each kind it needs."""
        return (*self.streams, *self.trainings)

    @property
    def asks_gpus(self) -> bool:
        """Whether the work runs on GPUs, typed or as streams and training jobs ask for them."""
        return bool(self.of_models) or self.gpu_peak_count > 0


class Machines(Params):
    """Machines whose use is known: the cluster that the work runs on, or would."""

    name: Name
    node_count: CountFromOne = Field(title="Nodes", description="Number of machines.")
    cores_per_node_count: MachineCores = Field(title="Cores per node")
    disks_per_node_count: Pieces = unused("Disks per node")
    disk_tb: DataTb = unused("Disk size")
    utilization_fraction: Fraction | None = blank(
        "Share of the time in use. Empty: the study's utilisation."
    )
    note: Note | None = None


class UtilizationWorkload(Params):
    """Work as the utilisation of given machines, as studies of 2008 stated it."""

    kind: Literal["utilization"]
    utilization_fraction: Fraction = Field(
        description="Share of the time that the machines are in use that have none of their own.",
        json_schema_extra=shown_when(machines__any__utilization_fraction=False),
    )
    machines: tuple[Machines, ...] = Field(
        description="The machines that the utilisation is of.", min_length=1, max_length=32
    )
    storage_tb: DataTb = unused("Stored data", "Data kept, on average.")
    transfer_in_tb: DataTb = unused("Data in", "Data received in a period.")
    transfer_out_tb: DataTb = unused("Data out", "Data sent in a period.")
    transfer_period: Literal["once", "yearly"] = preset(
        "once",
        "Whether the data moves once in the whole time or every year.",
        title="Transfer counted",
    )
    teams: Teams = ()

    @model_validator(mode="after")
    def _machine_names(self) -> UtilizationWorkload:
        names = unique([item.name for item in self.machines], ("machines",), "name")
        refuse(names + team_findings(self.teams))
        return self


Workload = Annotated[DemandWorkload | UtilizationWorkload, Field(discriminator="kind")]
