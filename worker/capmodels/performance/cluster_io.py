"""How fast a cluster can read its disks, and which part binds.

After Zaranek et al. 2008 ("Free Factories"), section 4.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    derived_check,
    one_point,
    refusal,
)
from capmodels.units import (
    BYTES_PER_MB,
    BYTES_PER_TB,
    SECONDS_PER_HOUR,
    Count,
    CountFromOne,
    DataTb,
    DurationH,
    Fraction,
    Real,
    ThroughputMbPerS,
    mb_per_s_from_gbit_per_s,
    of_unit,
)

Limit = Literal["disk", "network", "node_service", "readers", "hot_disks"]

PositiveMbPerS = Annotated[Real, of_unit("MB/s", gt=0)]
PositiveGbitPerS = Annotated[Real, of_unit("Gbit/s", gt=0)]
Efficiency = Annotated[Fraction, Field(gt=0)]
RatioFromOne = Annotated[Real, of_unit("ratio", ge=1)]


def disk_limit_mb_per_s(
    *, disks_count: int, disk_mb_per_s: float, efficiency_fraction: float
) -> float:
    """Rate of all disks together. [MB/s]

    >>> disk_limit_mb_per_s(disks_count=192, disk_mb_per_s=60.0, efficiency_fraction=1.0)
    11520.0
    """
    return disks_count * disk_mb_per_s * efficiency_fraction


def network_limit_mb_per_s(
    *, nodes_count: int, network_gbit_per_s: float, efficiency_fraction: float
) -> float:
    """Rate of all nodes' network ports together. [MB/s]

    >>> network_limit_mb_per_s(nodes_count=48, network_gbit_per_s=2.0, efficiency_fraction=1.0)
    12000.0
    """
    return nodes_count * mb_per_s_from_gbit_per_s(network_gbit_per_s) * efficiency_fraction


def hot_limit_mb_per_s(
    *,
    hot_disks_count: int,
    disk_mb_per_s: float,
    efficiency_fraction: float,
    hot_fraction: float,
) -> float:
    """Rate at which the disks that hold a share of the blocks are all busy. [MB/s]

    h b e / q; the formula is ours, the share and the disks are facts of section 4.4.
    """
    return hot_disks_count * disk_mb_per_s * efficiency_fraction / hot_fraction


def job_h(*, data_tb: float, read_amplification_ratio: float, rate_mb_per_s: float) -> float:
    """Time to read an amount of data so many times at a rate. [h]"""
    seconds = data_tb * read_amplification_ratio * BYTES_PER_TB / (rate_mb_per_s * BYTES_PER_MB)
    return seconds / SECONDS_PER_HOUR


def rate_mb_per_s(*, data_tb: float, duration_h: float) -> float:
    """Mean rate of moving an amount of data in a time. [MB/s]

    >>> round(rate_mb_per_s(data_tb=74.0, duration_h=16.0))
    1285
    """
    return data_tb * BYTES_PER_TB / BYTES_PER_MB / (duration_h * SECONDS_PER_HOUR)


def _stated(value: Any, description: str, *, section: str, **facets: Any) -> Any:
    source = f"Zaranek et al. 2008, section {section}"
    return default(value, source=source, as_of="2008", description=description, **facets)


class Readers(Params):
    """Clients that read at the same time."""

    readers_count: CountFromOne = Field(description="Clients that read at the same time.")
    reader_mb_per_s: PositiveMbPerS = Field(description="Most that one client can take.")


class HotSpot(Params):
    """A share of the blocks that sits on few disks."""

    hot_fraction: Efficiency = Field(description="Share of the blocks read that sit there.")
    hot_disks_count: CountFromOne = Field(description="Disks that hold them.")


class ClusterIoParams(Params):
    """Disks, network and clients of a cluster, and a job that reads."""

    model_config = ConfigDict(validate_default=True)

    disks_count: Count = _stated(192, "Disks of all nodes.", section="2.1")
    disk_mb_per_s: PositiveMbPerS = _stated(
        60.0, "Rate of one disk with large reads, as measured.", section="4.4"
    )
    disk_efficiency_fraction: Efficiency = assumed(
        1.0, "Share of that rate that is reached; 0.9 is realistic.", low=0.9, high=1.0
    )
    nodes_count: CountFromOne = _stated(48, "Nodes of the cluster.", section="2.1")
    network_gbit_per_s: PositiveGbitPerS = _stated(
        2.0, "Network of one node, all ports together.", section="4.4"
    )
    network_efficiency_fraction: Efficiency = assumed(
        1.0, "Share of the network's rate that is reached.", low=0.8, high=1.0
    )
    node_service_mb_per_s: PositiveMbPerS | None = blank(
        "Rate at which one node serves several readers; 75 MB/s was measured."
    )
    readers: Readers | None = blank("Leave empty when not limited.")
    hot_spot: HotSpot | None = blank("Leave empty when blocks are spread evenly.")
    read_amplification_ratio: RatioFromOne = assumed(
        1.0, "Bytes read over bytes of the data set; 11 for the paper's pivot job."
    )
    data_tb: DataTb = assumed(1.0, "Data set that a job reads.")

    @field_validator("hot_spot")
    @classmethod
    def _hot_disks_exist(cls, value: HotSpot | None, info: ValidationInfo) -> HotSpot | None:
        disks = info.data.get("disks_count")
        if value is not None and disks is not None and value.hot_disks_count > disks:
            raise refusal(
                "more_than_all_disks",
                f"There are only {disks} disks. Enter at most {disks}.",
                at=("hot_disks_count",),
            )
        return value


class IoLimit(Result):
    """One ceiling."""

    limit: Limit
    mb_per_s: ThroughputMbPerS


class ClusterIoResult(Result):
    """The ceiling that is the constraint, and all the others."""

    throughput_mb_per_s: ThroughputMbPerS
    limit: Limit
    limits: tuple[IoLimit, ...]
    job_h: DurationH | None
    job_reason: Literal["no_disks"] | None
    disk_utilization_fraction: Fraction | None
    warnings: tuple[Literal["no_disks"], ...]


def io_limits(params: ClusterIoParams) -> tuple[IoLimit, ...]:
    """Every ceiling that applies, in the order in which ties are named."""
    limits: list[tuple[Limit, float]] = [
        (
            "disk",
            disk_limit_mb_per_s(
                disks_count=params.disks_count,
                disk_mb_per_s=params.disk_mb_per_s,
                efficiency_fraction=params.disk_efficiency_fraction,
            ),
        ),
        (
            "network",
            network_limit_mb_per_s(
                nodes_count=params.nodes_count,
                network_gbit_per_s=params.network_gbit_per_s,
                efficiency_fraction=params.network_efficiency_fraction,
            ),
        ),
    ]
    if params.node_service_mb_per_s is not None:
        limits.append(("node_service", params.nodes_count * params.node_service_mb_per_s))
    if params.readers is not None:
        rate = params.readers.readers_count * params.readers.reader_mb_per_s
        limits.append(("readers", rate))
    if params.hot_spot is not None:
        rate = hot_limit_mb_per_s(
            hot_disks_count=params.hot_spot.hot_disks_count,
            disk_mb_per_s=params.disk_mb_per_s,
            efficiency_fraction=params.disk_efficiency_fraction,
            hot_fraction=params.hot_spot.hot_fraction,
        )
        limits.append(("hot_disks", rate))
    return tuple(IoLimit(limit=limit, mb_per_s=rate) for limit, rate in limits)


def _run(params: ClusterIoParams, _context: Context) -> ClusterIoResult:
    limits = io_limits(params)
    binding = min(limits, key=lambda row: row.mb_per_s)
    rate = binding.mb_per_s
    if rate == 0:
        return ClusterIoResult(
            throughput_mb_per_s=0.0,
            limit="disk",
            limits=limits,
            job_h=None,
            job_reason="no_disks",
            disk_utilization_fraction=None,
            warnings=("no_disks",),
        )
    return ClusterIoResult(
        throughput_mb_per_s=rate,
        limit=binding.limit,
        limits=limits,
        job_h=job_h(
            data_tb=params.data_tb,
            read_amplification_ratio=params.read_amplification_ratio,
            rate_mb_per_s=rate,
        ),
        job_reason=None,
        disk_utilization_fraction=rate / (params.disks_count * params.disk_mb_per_s),
        warnings=(),
    )


def _rate(**changes: Any) -> float:
    return _run(ClusterIoParams.model_validate(changes), Context()).throughput_mb_per_s


_HALF_ON_22_DISKS: JSONDict = {
    "disks_count": 85,
    "nodes_count": 47,
    "hot_spot": {"hot_fraction": 0.5, "hot_disks_count": 22},
}


_disk_rate = partial(Check, source="Zaranek et al. 2008, section 2", unit="MB/s")

_CHECKS = (
    _disk_rate(
        "A25",
        "192 disks at 60 MB/s",
        11.0,
        lambda: _rate() / 1000,
        printed="11 GB/s",
        kind="arithmetic",
        tests="performance.cluster_io.ClusterIoParams.disk_mb_per_s",
        tolerance=0.55,
        wider="The paper truncates.",
        unit="GB/s",
    ),
    _disk_rate(
        "A26",
        "Prototypes, 85 and 38 disks together",
        7.3,
        lambda: (
            (_rate(disks_count=85, nodes_count=47) + _rate(disks_count=38, nodes_count=47)) / 1000
        ),
        printed="5.1 + 2.2 GB/s",
        kind="arithmetic",
        tests="performance.cluster_io.ClusterIoParams.disk_mb_per_s",
        tolerance=0.1,
        wider="The paper truncates the second figure.",
        unit="GB/s",
    ),
    Check(
        "A27",
        "48 nodes with 2 Gbit/s: the disks are the constraint",
        True,
        lambda: _run(ClusterIoParams(), Context()).limit == "disk",
        source="Zaranek et al. 2008, section 2",
        params=dict,
        kind="arithmetic",
        tests="performance.cluster_io.ClusterIoParams.disk_mb_per_s",
    ),
    derived_check(
        "A28",
        "The same at the measured 75 MB/s of a node",
        3_600.0,
        lambda: _rate(node_service_mb_per_s=75.0),
        source="Zaranek et al. 2008, section 4.4",
        unit="MB/s",
        note="The paper is confident of 4 to 8 GB/s; 48 times 75 MB/s does not give that.",
        params=lambda: {"node_service_mb_per_s": 75.0},
        tests="performance.cluster_io.ClusterIoParams.node_service_mb_per_s",
    ),
    derived_check(
        "A29",
        "Half the blocks on 22 of 85 disks",
        2_640.0,
        lambda: _rate(**_HALF_ON_22_DISKS),
        source="Zaranek et al. 2008, section 4.4; the formula is ours",
        unit="MB/s",
        params=lambda: _HALF_ON_22_DISKS,
        tests="performance.cluster_io.HotSpot.hot_fraction",
    ),
    Check(
        "A33",
        "74 TB in 16 hours",
        1.29,
        lambda: rate_mb_per_s(data_tb=74.0, duration_h=16.0) / 1000,
        source="Zaranek et al. 2008, section 4.4",
        printed="1 + 0.29 GB/s",
        tolerance=0.01,
        unit="GB/s",
        kind="arithmetic",
        tests="performance.cluster_io.rate_mb_per_s",
        wider="Two rounded rates are added.",
    ),
    Check(
        "A34",
        "1 TB in the 2,500 seconds of the slower of two jobs",
        400.0,
        lambda: rate_mb_per_s(data_tb=1.0, duration_h=2500.0 / SECONDS_PER_HOUR),
        source="Zaranek et al. 2008, section 4.4",
        kind="arithmetic",
        tests="performance.cluster_io.rate_mb_per_s",
        printed="more than 400 MB/s",
        tolerance=30.0,
        unit="MB/s",
    ),
    Check(
        "A35",
        "102 TB hashed in 16 hours",
        1.88,
        lambda: rate_mb_per_s(data_tb=102.0, duration_h=16.0) / 1000,
        source="Zaranek et al. 2008, section 4.4",
        kind="arithmetic",
        tests="performance.cluster_io.rate_mb_per_s",
        printed="1.5 + 0.38 GB/s",
        tolerance=0.12,
        wider="The rates that the paper adds are 6% more than its total over its time.",
        unit="GB/s",
    ),
    _disk_rate(
        "A36",
        "Disks of one node",
        240.0,
        lambda: _rate(disks_count=4, nodes_count=1),
        kind="arithmetic",
        tests="performance.cluster_io.ClusterIoParams.disk_mb_per_s",
        printed="about 240 MB/s",
        tolerance=5.0,
    ),
)

SPEC = ModelSpec(
    id="performance.cluster_io",
    version="1.0.0",
    title="Cluster I/O ceiling",
    summary="The rate at which a cluster can read its disks, which of disks, network, node "
    "service, readers and hot disks is the constraint, and how long a job takes.",
    params=ClusterIoParams,
    result=ClusterIoResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="A. W. Zaranek, T. Clegg, W. Vandewege, G. M. Church, Free Factories: "
            "Unified Infrastructure for Data Intensive Web Services, USENIX ATC 2008",
            section="2, 4.4",
        ),
    ),
    formulas=(
        Formula(
            "throughput",
            "T = min(D b e_d, N * Gbit/s * 125 * e_n, N s, R r, h b e_d / q)",
            "derived from Zaranek et al. 2008, sections 2 and 4.4",
            {
                "D": "disks_count",
                "b": "disk_mb_per_s",
                "e_d": "disk_efficiency_fraction",
                "N": "nodes_count",
                "e_n": "network_efficiency_fraction",
                "s": "node_service_mb_per_s",
                "R": "readers.readers_count",
                "r": "readers.reader_mb_per_s",
                "h": "hot_spot.hot_disks_count",
                "q": "hot_spot.hot_fraction",
            },
        ),
        Formula(
            "job",
            "time = TB * amplification / T",
            "definition",
            {"TB": "data_tb", "amplification": "read_amplification_ratio"},
        ),
    ),
    checks=_CHECKS,
    limits=(
        "A ceiling, not a forecast: the best the authors measured was 14% of it.",
        "Large sequential reads of 64 MiB; small or random reads need a disk model.",
        "Ceilings do not share: a disk that serves two tiers is counted for this one alone.",
    ),
)
