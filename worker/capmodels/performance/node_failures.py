"""How many nodes fail in a year, how long their data takes to copy anew, and what that risks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field

from capmodels.amounts import log1p
from capmodels.errors import ModelError
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    derived_check,
    one_point,
)
from capmodels.units import (
    BYTES_PER_TB,
    HOURS_PER_YEAR,
    SECONDS_PER_HOUR,
    CountFromOne,
    DataTb,
    DurationH,
    Fraction,
    Real,
    of_unit,
)

if TYPE_CHECKING:
    from capmodels.amounts import AmountT

_MTTF_SOURCE = "closed form"

AfrFraction = Annotated[Fraction, Field(lt=1)]
PositiveGbit = Annotated[Real, of_unit("Gbit/s", gt=0)]
PositiveFraction = Annotated[Fraction, Field(gt=0)]
PerYear = Annotated[Real, of_unit("1/yr", ge=0)]
Years = Annotated[Real, of_unit("yr", ge=0)]


def failure_rate_per_year(afr_fraction: AmountT) -> AmountT:
    """Constant rate at which a share of nodes fails within a year: -ln(1 - AFR). [1/yr]"""
    return -log1p(-afr_fraction)


def copy_h(*, data_tb: float, rate_gbit_per_s: float) -> float:
    """Time to copy an amount of data at a rate. [h]

    >>> round(copy_h(data_tb=10.0, rate_gbit_per_s=8.0), 4)
    2.7778
    """
    seconds = data_tb * BYTES_PER_TB * 8 / (rate_gbit_per_s * 1e9)
    return seconds / SECONDS_PER_HOUR


class NodeFailuresParams(Params):
    """A cluster that keeps copies of its data on different nodes."""

    model_config = ConfigDict(validate_default=True)

    nodes_count: Annotated[CountFromOne, Field(le=10_000_000)] = assumed(100, "Nodes.")
    afr_fraction: AfrFraction = assumed(
        0.05, "Share of nodes that fail in a year, repairs included.", low=0.02, high=0.10
    )
    data_per_node_tb: DataTb = assumed(10.0, "Data on a node that must be copied anew.")
    copies_count: Annotated[CountFromOne, Field(le=10)] = assumed(3, "Copies of the data.")
    detection_h: DurationH = assumed(0.25, "Until a node counts as lost.")
    network_gbit_per_s: PositiveGbit = assumed(10.0, "Network of a node.")
    repair_fraction: PositiveFraction = assumed(
        0.2, "Share of the network that re-replication may use."
    )
    spread_fraction: PositiveFraction = assumed(
        1.0, "Share of the other nodes that hold copies of one node's data."
    )


class NodeFailuresResult(Result):
    """Failures, repair, and mean time to the loss of all copies of something."""

    failures_per_year: PerYear
    hours_between_h: DurationH | None
    helpers_count: Annotated[Real, of_unit("count", ge=0)]
    repair_h: DurationH
    copied_tb_per_year: Annotated[Real, of_unit("TB/yr", ge=0)]
    repairing_fraction: Fraction
    loss_per_year: PerYear
    mean_to_loss_years: Years | None


def loss_rate_per_year(
    *, nodes: int, rate_per_year: float, repair_years: float, copies: int, helpers: float
) -> float:
    """Rate at which all copies of some data are lost, repairs being short. [1/yr]

    A failure is a loss when, during its repair, copies - 1 of the nodes that share its data
    fail too: N l (l t)^(r-1) h (h-1) ... / (r-1)!, Patterson, Gibson, Katz 1988 for two
    copies. An upper bound: it takes every such set of nodes to share some data.
    """
    lost = nodes * rate_per_year
    for other in range(copies - 1):
        lost *= (helpers - other) * rate_per_year * repair_years / (other + 1)
    return lost


def _run(params: NodeFailuresParams, _context: Context) -> NodeFailuresResult:
    if params.nodes_count < params.copies_count:
        message = (
            f"{params.nodes_count} nodes cannot hold {params.copies_count} copies on different "
            f"nodes. Enter at least {params.copies_count}."
        )
        raise ModelError(message)
    rate = failure_rate_per_year(params.afr_fraction)
    failures = params.nodes_count * rate
    others = params.nodes_count - 1
    # A node's data is copied by those that hold it: at least one for each other copy.
    helpers = max(float(params.copies_count - 1), others * params.spread_fraction)
    gbit = max(1.0, helpers) * params.network_gbit_per_s * params.repair_fraction
    repair = params.detection_h + copy_h(data_tb=params.data_per_node_tb, rate_gbit_per_s=gbit)
    repair_years = repair / HOURS_PER_YEAR
    lost = loss_rate_per_year(
        nodes=params.nodes_count,
        rate_per_year=rate,
        repair_years=repair_years,
        copies=params.copies_count,
        helpers=helpers,
    )
    between = HOURS_PER_YEAR / failures if failures > 0 else math.inf
    mean = 1.0 / lost if lost > 0 else math.inf
    return NodeFailuresResult(
        failures_per_year=failures,
        hours_between_h=between if math.isfinite(between) else None,
        helpers_count=helpers,
        repair_h=repair,
        copied_tb_per_year=failures * params.data_per_node_tb,
        repairing_fraction=-math.expm1(-failures * repair_years),
        loss_per_year=lost,
        mean_to_loss_years=mean if math.isfinite(mean) else None,
    )


def _mirror_years() -> float:
    # Two mirrored nodes: MTTF^2 / (2 MTTR), MTTF 20 years, repair 100 h.
    rate = 1 / 20.0
    lost = loss_rate_per_year(
        nodes=2, rate_per_year=rate, repair_years=100.0 / HOURS_PER_YEAR, copies=2, helpers=1.0
    )
    return 1 / lost


_CHECKS = (
    Check(
        "R1",
        "Mirrored pair: mean time to loss is MTTF^2 / (2 MTTR)",
        20.0**2 / (2 * 100.0 / HOURS_PER_YEAR),
        _mirror_years,
        source="Patterson, Gibson, Katz 1988, section 5",
        tolerance=1e-6,
        unit="yr",
        kind="arithmetic",
        tests="performance.node_failures.loss_rate_per_year",
        basis="derived",
    ),
    derived_check(
        "R2",
        "Re-replicating 10 TB over 8 Gbit/s",
        10e12 * 8 / 8e9 / 3600,
        lambda: copy_h(data_tb=10.0, rate_gbit_per_s=8.0),
        source=_MTTF_SOURCE,
        tolerance=1e-9,
        unit="h",
        tests="performance.node_failures.copy_h",
    ),
)

SPEC = ModelSpec(
    id="performance.node_failures",
    version="1.0.0",
    title="Node failures and re-replication",
    summary="Nodes that fail in a year, the time until their data is copied anew, the traffic "
    "of it, and the mean time to losing all copies.",
    params=NodeFailuresParams,
    result=NodeFailuresResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="D. A. Patterson, G. Gibson, R. H. Katz, A Case for Redundant Arrays of "
            "Inexpensive Disks, SIGMOD 1988",
            url="https://doi.org/10.1145/50202.50214",
            section="5",
        ),
    ),
    formulas=(
        Formula("failures", "N l, l = -ln(1 - AFR)", "constant failure rate"),
        Formula("repair", "t = detection + data / (helpers x network x share)", "ours"),
        Formula(
            "loss",
            "N l (l t)^(r-1) h (h-1) ... (h-r+2) / (r-1)!",
            "Patterson, Gibson, Katz 1988, over r copies; an upper bound",
            {"r": "copies_count", "h": "helpers", "t": "repair_h"},
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Failures are independent and their rate constant: a rack or a power line that fails, "
        "bad batches and wear are left out.",
        "The loss is an upper bound where not every set of nodes shares data.",
    ),
)
