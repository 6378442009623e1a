"""How many nodes a workload needs, what binds, and what is left over.

Each resource asks for its own number of nodes; the largest is bought. Requests with a bound on
their latency ask for as many as keep enough of them within it, by the queueing model.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from capmodels.errors import ModelError
from capmodels.numbers import percent
from capmodels.performance.queueing import QueueParams, UnstableQueue, Waiting, unit_points
from capmodels.roots import last_below
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    derived_check,
    one_point,
    preset,
)
from capmodels.units import (
    GB_PER_TB,
    Count,
    CountFromOne,
    DataTb,
    DurationH,
    Fraction,
    RatePerS,
    Ratio,
    Real,
    of_unit,
)

_SLACK = 1e-9
_NODES_MAX = 1_000_000
_HALVINGS = 52
_MS_PER_S = 1000.0

Need = Literal["queries", "latency", "data", "batch", "io", "memory"]
PositiveMs = Annotated[Real, of_unit("ms", gt=0)]
PositiveH = Annotated[DurationH, Field(gt=0)]
PositiveTb = Annotated[Real, of_unit("TB", gt=0)]
PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]
PositiveGb = Annotated[Real, of_unit("GB", gt=0)]
Gb = Annotated[Real, of_unit("GB", ge=0)]
Headroom = Annotated[Fraction, Field(gt=0)]
Percentile = Annotated[Real, of_unit("fraction", gt=0, lt=1)]
NodeCount = Annotated[Real, of_unit("count", ge=0)]


class Node(Params):
    """One node of the kind to buy."""

    cores_count: Annotated[CountFromOne, Field(le=10_000)] = assumed(
        32, "Cores that serve requests and batch work."
    )
    memory_gb: PositiveGb = assumed(256.0, "Memory.")
    disk_tb: PositiveTb = assumed(16.0, "Space for data.")
    io_per_s: PositiveRate = assumed(400_000.0, "Reads and writes of its disks.")


class SizeParams(Params):
    """A workload, a node, and how full nodes may be."""

    model_config = ConfigDict(validate_default=True)

    query_rate_per_s: RatePerS = assumed(200_000.0, "Requests at the peak.")
    service_ms: PositiveMs = assumed(1.0, "Time of one request on one core.")
    service_variation_ratio: Ratio = assumed(1.0, "Standard deviation of that over its mean.")
    latency_bound_ms: PositiveMs | None = blank("Response time to keep; empty: none.")
    percentile_fraction: Percentile = assumed(0.99, "Share of requests that must keep it.")
    dataset_tb: DataTb = assumed(40.0, "Data to hold, before copies.")
    copies_count: CountFromOne = assumed(3, "Copies of the data.")
    memory_gb: Gb = assumed(2_000.0, "Working set that must be in memory.")
    batch_core_h: DurationH = assumed(0.0, "Core-hours of the nightly batch.")
    batch_deadline_h: PositiveH = assumed(6.0, "Hours in which it must be done.")
    batch_beside_queries: bool = assumed(
        False, "Whether the batch runs at the peak of requests, rather than at night."
    )
    io_per_s: RatePerS = assumed(1_000_000.0, "Reads and writes that reach disks.")
    headroom_fraction: Headroom = assumed(0.7, "Share of cores and I/O that may be used.")
    fill_fraction: Headroom = assumed(0.8, "Share of space and memory that may be filled.")
    spare_nodes_count: Count = assumed(1, "Nodes that may fail without harm.")
    node: Node = preset(Node(), "The node to buy.")


class Requirement(Result):
    """What one resource asks for."""

    need: Need
    nodes_count: NodeCount
    used_fraction: Ratio
    spare_fraction: Fraction


class SizeResult(Result):
    """Nodes to buy, the constraint, and how full each resource is with all but the spares up."""

    nodes_count: Count
    serving_nodes_count: Count
    binding: Need
    requirements: tuple[Requirement, ...]
    response_ms: Annotated[Real, of_unit("ms", ge=0)] | None


class CannotKeepLatency(ModelError):
    """The service alone takes longer than the bound."""


def _response_s(params: SizeParams, nodes: int) -> float:
    """Response time of the percentile when requests spread evenly over nodes. [s]

    Raises
    ------
    UnstableQueue
        When the nodes cannot do the requests.
    """
    queue = QueueParams(
        arrival_rate_per_s=params.query_rate_per_s / nodes,
        service_ms=params.service_ms,
        service_variation_ratio=params.service_variation_ratio,
        servers_count=params.node.cores_count,
    )
    return Waiting(queue).percentile_s(params.percentile_fraction)


def _least_response_s(params: SizeParams) -> float:
    """Response time of the percentile without any waiting. [s]"""
    mean_s, variation = params.service_ms / _MS_PER_S, params.service_variation_ratio
    if variation == 1.0:
        return -mean_s * math.log(1 - params.percentile_fraction)
    units = unit_points(variation)
    return mean_s * units[min(len(units) - 1, int(params.percentile_fraction * len(units)))]


def latency_nodes(params: SizeParams, bound_ms: float) -> int:
    """Fewest nodes that keep the percentile within a bound, by doubling and halving.

    Raises
    ------
    CannotKeepLatency
        When no number of nodes does.
    """
    bound_s = bound_ms / _MS_PER_S
    if _least_response_s(params) >= bound_s:
        message = (
            f"Without any waiting, {percent(params.percentile_fraction)} of requests take up to "
            f"{_least_response_s(params) * _MS_PER_S:.3g} ms. Allow more than that, or choose "
            "faster cores."
        )
        raise CannotKeepLatency(message)

    def keeps(nodes: int) -> bool:
        try:
            return _response_s(params, nodes) <= bound_s
        except UnstableQueue:
            return False

    high = 1
    while not keeps(high):
        high *= 2
        if high > _NODES_MAX:
            message = f"More than {_NODES_MAX:,} nodes would be needed to keep the latency."
            raise CannotKeepLatency(message)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return high


def largest_rate_per_s(params: SizeParams, bound_ms: float) -> float:
    """Requests of one node up to which it keeps the percentile within a bound. [1/s]

    To the last bits. ``latency_nodes`` is the rate over this, rounded up.

    Raises
    ------
    CannotKeepLatency
        When even without waiting the bound is missed.
    """
    one = params.model_copy(update={"query_rate_per_s": 1.0})
    latency_nodes(one, bound_ms)
    most = params.node.cores_count * _MS_PER_S / params.service_ms
    bound_s, late = bound_ms / _MS_PER_S, 1 - params.percentile_fraction

    def too_many(share: float) -> float:
        queue = QueueParams(
            arrival_rate_per_s=share * most,
            service_ms=params.service_ms,
            service_variation_ratio=params.service_variation_ratio,
            servers_count=params.node.cores_count,
        )
        try:
            return Waiting(queue).late(bound_s) - late
        except UnstableQueue:  # full to the last bit: all wait without end
            return 1.0 - late

    return most * last_below(too_many, 1.0 - 2.0**-_HALVINGS)


def required_nodes(params: SizeParams) -> dict[Need, float]:
    """Nodes that each need asks for, in parts of nodes.

    Cores: rate x service over cores and headroom; data: TB x copies over space and fill.
    """
    node, full, used = params.node, params.fill_fraction, params.headroom_fraction
    batch_cores = params.batch_core_h / params.batch_deadline_h
    query_cores = params.query_rate_per_s * params.service_ms / _MS_PER_S
    needs: dict[Need, float] = {
        "queries": query_cores / (node.cores_count * used),
        "data": params.dataset_tb * params.copies_count / (node.disk_tb * full),
        "memory": params.memory_gb / (node.memory_gb * full),
        "io": params.io_per_s / (node.io_per_s * used),
        "batch": (batch_cores + query_cores * params.batch_beside_queries)
        / (node.cores_count * used),
    }
    if params.latency_bound_ms is not None and params.query_rate_per_s > 0:
        needs["latency"] = float(latency_nodes(params, params.latency_bound_ms))
    return needs


def _run(params: SizeParams, _context: Context) -> SizeResult:
    needs = required_nodes(params)
    binding = max(needs, key=lambda need: needs[need])
    if needs[binding] > _NODES_MAX:
        message = f"This asks for more than {_NODES_MAX:,} nodes. Choose larger ones."
        raise ModelError(message)
    serving = max(1, math.ceil(needs[binding] - _SLACK))
    return SizeResult(
        nodes_count=serving + params.spare_nodes_count,
        serving_nodes_count=serving,
        binding=binding,
        requirements=tuple(
            Requirement(
                need=need,
                nodes_count=count,
                used_fraction=count / serving,
                spare_fraction=max(0.0, 1 - count / serving),
            )
            for need, count in needs.items()
        ),
        response_ms=_response_s(params, serving) * _MS_PER_S
        if params.query_rate_per_s > 0
        else None,
    )


# The node-choice table's FAWN+SSD: 35,000 queries/s and 32 GB on one core.
_FAWN: JSONDict = {
    "query_rate_per_s": 1e6, "service_ms": 1 / 35.0, "dataset_tb": 10.0, "copies_count": 1,
    "memory_gb": 0.0, "io_per_s": 0.0, "headroom_fraction": 1.0, "fill_fraction": 1.0,
    "node": {"cores_count": 1, "disk_tb": 32 / GB_PER_TB},
}  # fmt: skip


def _fawn_nodes() -> float:
    needs = required_nodes(SizeParams.model_validate(_FAWN))
    return float(math.ceil(max(needs.values()) - _SLACK))


def _mm1_nodes() -> float:
    # M/M/1: the 99th percentile is ln(100) / (mu - lambda); 46.05 ms needs 100 - lambda = 100.
    document = {
        "query_rate_per_s": 1000.0, "service_ms": 5.0, "node": {"cores_count": 1},
        "latency_bound_ms": 1000 * math.log(100) / 100 * (1 + 1e-9),
    }  # fmt: skip
    return required_nodes(SizeParams.model_validate(document))["latency"]


_CHECKS = (
    derived_check(
        "W1",
        "FAWN+SSD nodes for 10 TB at a million queries a second: capacity is the constraint",
        313.0,
        _fawn_nodes,
        source="Andersen et al. 2011, figure 9, nodes estimated from memory: max(1e4 / 32, 1e6 / "
        "35e3)",
        unit="count",
        params=lambda: _FAWN,
        tests="performance.size_for_work.SizeParams.dataset_tb",
    ),
    derived_check(
        "W2",
        "One-core nodes that keep 99% of 1,000 requests/s of 5 ms within 46.05 ms",
        10.0,
        _mm1_nodes,
        source="closed form of M/M/1: rate per node = 200 - ln(100) / 0.04605",
        unit="count",
        tests="performance.size_for_work.SizeParams.latency_bound_ms",
    ),
)

SPEC = ModelSpec(
    id="performance.size_for_work",
    version="1.0.0",
    title="Size for the work",
    summary="Nodes for a query rate with a latency bound, a data set, a batch deadline and an "
    "I/O rate: how many, the constraint, and the headroom left.",
    params=SizeParams,
    result=SizeResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="D. G. Andersen et al., FAWN: A Fast Array of Wimpy Nodes, Communications of "
            "the ACM 54(7), July 2011",
            section="figure 9: the larger of capacity and rate",
        ),
        Citation(text="A. K. Erlang, on waiting times in telephone exchanges, 1917"),
    ),
    formulas=(
        Formula(
            "nodes",
            "N = ceil(max over needs of demand / (node x headroom)) + spares",
            "Andersen et al. 2011, figure 9, over more resources",
        ),
        Formula(
            "latency",
            "fewest N with percentile of M/G/c (rate / N, cores) within the bound",
            "performance.queueing",
        ),
        Formula(
            "batch", "cores = core-hours / deadline, added to requests when beside them", "ours"
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Requests and data spread evenly over nodes; hot keys need more.",
        "The network is left out; see performance.cluster_io.",
    ),
)
