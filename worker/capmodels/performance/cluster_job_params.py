"""Inputs and results of a batch job on clusters."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, field_validator

from capmodels.spec import Params, Result, assumed, blank, default, derived, preset, refusal
from capmodels.told import Told
from capmodels.units import (
    BYTES_PER_GB,
    Count,
    CountFromOne,
    DataGb,
    DurationS,
    DurationYears,
    EnergyJ,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Ratio,
    Real,
    Usd,
    UsdPerKwh,
    of_unit,
)

_PAPER = "Sudan et al. (SeaMicro and Hadoop), after 2012"

Bottleneck = Literal["cpu", "disk", "network"]
Equal = Literal["work", "power", "cost", "time"]
Measure = Literal["performance_per_w", "energy_j", "performance_per_usd", "time_s"]

PositiveRatio = Annotated[Real, of_unit("ratio", gt=0)]
PositiveMb = Annotated[Real, of_unit("MB", gt=0)]
PositiveMbPerS = Annotated[Real, of_unit("MB/s", gt=0)]
PositiveBytes = Annotated[Real, of_unit("B", gt=0)]
ShareUsed = Annotated[Real, of_unit("fraction", gt=0, le=1)]
DelayMs = Annotated[Real, of_unit("ms", ge=0)]
PerWs = Annotated[Real, of_unit("1/s/W", ge=0)]
PerSWh = Annotated[Real, of_unit("1/s/Wh", ge=0)]
PerSUsd = Annotated[Real, of_unit("1/s/USD", ge=0)]
GainFraction = Annotated[Real, of_unit("fraction", gt=-1)]
SignedFraction = Annotated[Real, of_unit("fraction")]
CutFraction = Annotated[Real, of_unit("fraction", lt=1)]
AxisSteps = Annotated[int, of_unit("count", strict=True, ge=2, le=200)]


class Phase(Params):
    """One phase of a job: all its tasks can run at once, the next waits for them."""

    name: str = Field(min_length=1, max_length=60)
    task_cpu_s: DurationS = Field(description="Time of one task on a reference core.")
    tasks_count: CountFromOne | None = blank("Tasks; empty: one for each block of the data.")
    read_gb: DataGb = assumed(0.0, "Read from disks, spills included.")
    write_gb: DataGb = assumed(0.0, "Written once; copies are added.")
    shuffle_gb: DataGb = assumed(0.0, "Sent between nodes.")


# Figure 7(c) of the paper: gigabytes read and written by each benchmark.
BENCHMARKS_GB = {
    "TeraGen": (0.0, 1000.0),
    "TeraSort": (1000.0, 1000.0),
    "WordCount": (29.0, 5.8),
    "GridMix2": (700.0, 220.0),
}
# Seconds of a reference core for a block, fitted on WordCount and TeraSort of the paper.
_BLOCK_CPU_S = 11.3
_BLOCK_BYTES = 67_108_864.0


def _phases(name: str) -> tuple[Phase, ...]:
    read_gb, write_gb = BENCHMARKS_GB[name]
    if not read_gb:
        return (Phase(name="map", task_cpu_s=_BLOCK_CPU_S, write_gb=write_gb),)
    reduces = math.ceil(write_gb * BYTES_PER_GB / _BLOCK_BYTES)
    return (
        Phase(name="map", task_cpu_s=_BLOCK_CPU_S, read_gb=read_gb + write_gb),
        Phase(
            name="reduce",
            task_cpu_s=_BLOCK_CPU_S,
            tasks_count=reduces,
            read_gb=write_gb,
            shuffle_gb=write_gb,
            write_gb=write_gb,
        ),
    )


class Job(Params):
    """What is to be done."""

    model_config = ConfigDict(validate_default=True)

    name: str | None = blank(
        "Its name among what is reported, whose measured figures are then told first.",
        max_length=60,
    )

    data_gb: DataGb = default(29.0, "Input, which sets the map tasks.", source=_PAPER)
    block_bytes: PositiveBytes = default(
        _BLOCK_BYTES, "Input of a task.", source="Hadoop 0.203, 64 MiB", as_of="2011"
    )
    copies_count: CountFromOne = default(
        3, "Copies of what is written.", source="Hadoop's default", as_of="2011"
    )
    fixed_s: DurationS = assumed(30.0, "Start and end of a job, whatever its size.")
    serial_s: DurationS = derived(
        4.8,
        "What only one core works at, on a reference core: slower cores take longer.",
        source="fitted on WordCount and TeraSort of the paper",
        low=0.0,
        high=30.0,
    )
    phases: tuple[Phase, ...] = preset(
        _phases("WordCount"),
        "Phases, one after the other.",
        min_length=1,
        max_length=20,
    )


def benchmark(name: str) -> Job:
    """Return one of the paper's benchmarks: all make a map of the input and write the output.

    Maps leave what they pass on to reduces on disk, from where it is read again.
    """
    read_gb, write_gb = BENCHMARKS_GB[name]
    return Job(name=name, data_gb=read_gb or write_gb, phases=_phases(name))


class Power(Params):
    """What the parts of a cluster draw."""

    fixed_w: PowerW = assumed(500.0, "Fans, supplies and fabric together.")
    node_idle_w: PowerW = assumed(4.5, "One node without work.")
    node_dynamic_w: PowerW = assumed(2.0, "One node at full load, above idle.")
    disk_idle_w: PowerW = assumed(5.0, "One disk without work.")
    disk_dynamic_w: PowerW = assumed(2.0, "One disk at full load, above idle.")
    port_w: PowerW = assumed(0.0, "One network port.")


class Price(Params):
    """What a cluster costs to buy."""

    fixed_usd: Usd = assumed(0.0, "Chassis, fabric and switches.")
    node_usd: Usd = assumed(0.0, "One node.")
    disk_usd: Usd = assumed(0.0, "One disk.")


class Setting(Params):
    """A choice whose effect the planner has measured; the original prints none."""

    kind: Literal["journal", "interrupt_coalescing", "jumbo_frames", "data_placement"] = Field(
        description="What is changed."
    )
    disk_rate_ratio: PositiveRatio = assumed(1.0, "Disk rate with it over that without.")
    network_rate_ratio: PositiveRatio = assumed(1.0, "Network rate with it over that without.")
    cpu_time_ratio: PositiveRatio = assumed(1.0, "Processor time with it over that without.")


class Cluster(Params):
    """One cluster: nodes, disks, ports, and what they draw and cost."""

    name: str = Field(min_length=1, max_length=120)
    nodes_count: CountFromOne = Field(description="Nodes of the cluster.")
    cores_per_node_count: CountFromOne = Field(title="Cores per node", description="Cores of one.")
    threads_per_node_count: CountFromOne = Field(
        title="Threads per node", description="Hardware threads of one; sets streams per disk."
    )
    slots_per_node_count: CountFromOne = Field(
        title="Slots per node", description="Tasks that one node runs at once."
    )
    core_speed_ratio: PositiveRatio = Field(description="Against the reference core.")
    disks_count: Count = Field(description="Disks of the whole cluster.")
    disk_mb_per_s: PositiveMbPerS = Field(description="What a node reads from one disk alone.")
    disk_sustained_fraction: ShareUsed = assumed(
        1.0, "Share of that rate that a job keeps up.", low=0.3, high=1.0
    )
    packet_mb: PositiveMb = default(
        0.125,
        "Bytes that a disk delivers before it serves the next stream.",
        source="SATA default of 128 KB, counted as an eighth of a megabyte",
        as_of="2012",
    )
    reposition_ms: DelayMs = default(12.16, "Seek and half a turn.", source=_PAPER)
    reposition_fraction: Fraction = assumed(
        0.02, "Packets that cost a reposition when many streams share a disk.", low=0.0, high=0.14
    )
    streams_per_disk_ratio: Ratio | None = blank(
        "Streams that share a disk; empty: threads per disk."
    )
    ports_count: CountFromOne = assumed(16, "Network ports that the job uses.")
    port_mb_per_s: PositiveMbPerS = assumed(100.0, "Rate of one port.")
    power: Power = preset(Power(), "Watts of its parts.")
    price: Price = preset(Price(), "Purchase price of its parts.")
    settings: tuple[Setting, ...] = preset(
        (), "Choices with effects that you measured.", max_length=4
    )


class Reported(Params):
    """What a source prints of one benchmark: gain in performance per watt, cut in time."""

    name: str = Field(min_length=1, max_length=60)
    performance_per_w_gain_fraction: GainFraction = Field(description="Gain over the baseline.")
    time_cut_fraction: CutFraction = Field(description="Time saved; negative when slower.")


class Map(Params):
    """A grid over nodes and disks of the first cluster, both axes even."""

    nodes_low_count: CountFromOne = assumed(16, "Fewest nodes.", title="Nodes from")
    nodes_high_count: CountFromOne = assumed(512, "Most nodes.", title="Nodes to")
    nodes_steps_count: AxisSteps = assumed(16, "Rows.", title="Rows")
    disks_low_count: CountFromOne = assumed(4, "Fewest disks.", title="Disks from")
    disks_high_count: CountFromOne = assumed(128, "Most disks.", title="Disks to")
    disks_steps_count: AxisSteps = assumed(16, "Columns.", title="Columns")
    measure: Measure = assumed(
        "performance_per_w",
        "What is drawn over the grid: jobs for a kilowatt hour, joules a job, jobs for a dollar of "
        "price and energy, or time.",
        title="Drawn",
    )


# Fitted on WordCount and TeraSort: the share of a disk's rate that a job keeps up (the paper saw
# 20 to 50 MB/s), and how much of a node's watts follows its use; full, the clusters draw what they
# are rated for, 3.5 and 3.9 kW.
_SUSTAINED = 0.42
_SEAMICRO = Cluster(
    name="384 Atom N570, shared disks",
    nodes_count=384,
    cores_per_node_count=2,
    threads_per_node_count=4,
    slots_per_node_count=2,
    core_speed_ratio=0.21,
    disks_count=64,
    disk_mb_per_s=80.0,
    disk_sustained_fraction=_SUSTAINED,
    ports_count=64,
    power=Power(fixed_w=500.0, node_idle_w=6.46, node_dynamic_w=0.18),
    price=Price(fixed_usd=160_000.0),
)
_I7 = Cluster(
    name="17 Core i7-920",
    nodes_count=17,
    cores_per_node_count=4,
    threads_per_node_count=8,
    slots_per_node_count=4,
    core_speed_ratio=1.0,
    disks_count=17,
    disk_mb_per_s=112.0,
    disk_sustained_fraction=_SUSTAINED,
    ports_count=17,
    power=Power(fixed_w=60.0, node_idle_w=101.9, node_dynamic_w=117.0),
    price=Price(node_usd=2_000.0),
)
_REPORTED = tuple(
    Reported(name=name, performance_per_w_gain_fraction=gain, time_cut_fraction=cut)
    for name, gain, cut in (
        ("TeraGen", 0.755, 0.599),
        ("TeraSort", 1.478, 0.650),
        ("GridMix2", 0.469, 0.475),
        ("WordCount", -0.154, -0.079),
    )
)


class ClusterJobParams(Params):
    """A job, the clusters to run it on (the last is what the others are held to), costs."""

    model_config = ConfigDict(validate_default=True)

    job: Job = preset(benchmark("WordCount"), "What is to be done.")
    clusters: tuple[Cluster, ...] = preset(
        (_SEAMICRO, _I7),
        "Clusters to compare; the others are held to the last.",
        min_length=1,
        max_length=8,
    )
    equal: Equal = assumed(
        "work",
        "work: the same job, clusters as entered. power, cost: scaled to the last one's full power "
        "or price. time: scaled until the job ends as soon as on the last.",
    )
    lifetime_years: DurationYears = default(3.0, source=_PAPER)
    electricity_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = default(0.07, source=_PAPER)
    pue: Pue = default(1.45, source=_PAPER)
    reported: tuple[Reported, ...] = preset(
        _REPORTED, "Printed gains, to see what they imply.", max_length=50
    )
    map: Map | None = blank("A grid over nodes and disks.")

    @field_validator("clusters")
    @classmethod
    def _names_are_unique(cls, value: tuple[Cluster, ...]) -> tuple[Cluster, ...]:
        names = [cluster.name for cluster in value]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise refusal(
                    "duplicate", f"Another cluster is called {name!r}.", at=(place, "name")
                )
        return value

    @field_validator("clusters")
    @classmethod
    def _disks_for_bytes(cls, value: tuple[Cluster, ...], info: Any) -> tuple[Cluster, ...]:
        job: Job | None = info.data.get("job")
        moved = job is not None and any(phase.read_gb + phase.write_gb for phase in job.phases)
        for place, cluster in enumerate(value):
            if moved and cluster.disks_count == 0:
                raise refusal(
                    "no_disks",
                    "The job reads or writes and this cluster has no disks. Enter at least 1.",
                    at=(place, "disks_count"),
                    value=0,
                )
        return value

    @field_validator("map")
    @classmethod
    def _axes_run_upward(cls, value: Map | None) -> Map | None:
        if value is None:
            return value
        for axis in ("nodes", "disks"):
            low = getattr(value, f"{axis}_low_count")
            if getattr(value, f"{axis}_high_count") <= low:
                raise refusal(
                    "ends_not_in_order", f"Enter more than {low}.", at=(f"{axis}_high_count",)
                )
        return value


class PhaseTime(Result):
    """How long a phase takes each part, and which one it waits for."""

    name: str
    tasks_count: Count
    waves_count: Count
    slot_use_fraction: Fraction
    cpu_s: DurationS
    disk_s: DurationS
    network_s: DurationS
    time_s: DurationS
    bottleneck: Bottleneck


class Parts(Result):
    """Average power by part."""

    fixed_w: PowerW
    nodes_w: PowerW
    disks_w: PowerW
    ports_w: PowerW


class ClusterAnswer(Result):
    """One cluster's time, power, energy and cost for the job."""

    name: str
    nodes_count: Count
    disks_count: Count
    time_s: DurationS
    phases: tuple[PhaseTime, ...]
    threads_per_disk_ratio: Ratio | None
    disk_effective_mb_per_s: Annotated[Real, of_unit("MB/s", ge=0)]
    cpu_utilization_fraction: Fraction
    disk_utilization_fraction: Fraction
    power_w: PowerW
    power_parts: Parts
    full_power_w: PowerW
    fixed_power_per_node_w: PowerW
    energy_j: EnergyJ
    energy_kwh: EnergyKwh
    price_usd: Usd
    tco_usd: Usd
    performance_per_w: PerWs
    performance_per_wh: PerSWh
    performance_per_usd: PerSUsd | None
    warnings: tuple[str, ...]


class Ratios(Result):
    """One cluster against the last."""

    name: str
    baseline: str
    speedup_ratio: Ratio
    time_cut_fraction: SignedFraction
    power_ratio: Ratio | None
    energy_ratio: Ratio | None
    performance_per_w_gain_fraction: SignedFraction | None
    performance_per_wh_ratio: Ratio | None
    performance_per_usd_ratio: Ratio | None


class Implied(Result):
    """What a printed gain and time cut say together."""

    name: str
    speedup_ratio: Ratio
    power_ratio: Ratio
    energy_ratio: Ratio
    performance_per_wh_ratio: Ratio


class Cells(Result):
    """The grid: a row for each number of nodes, a column for each number of disks.

    ``bottleneck`` is the part that the job waits for longest, over its phases.
    """

    nodes_count: tuple[Count, ...]
    disks_count: tuple[Count, ...]
    time_s: tuple[tuple[DurationS, ...], ...]
    energy_j: tuple[tuple[EnergyJ, ...], ...]
    tco_usd: tuple[tuple[Usd, ...], ...]
    bottleneck: tuple[tuple[Bottleneck, ...], ...]


class ClusterJobResult(Told):
    """Every cluster's answer, their ratios, what printed gains imply, and the grid."""

    clusters: tuple[ClusterAnswer, ...]
    ratios: tuple[Ratios, ...]
    implied: tuple[Implied, ...]
    map: Cells | None


def cells_asked(params: ClusterJobParams) -> int:
    """How many cells of the grid are asked for."""
    grid = params.map
    return 1 if grid is None else grid.nodes_steps_count * grid.disks_steps_count
