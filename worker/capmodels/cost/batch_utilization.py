"""What batch jobs amount to: instance-seconds, utilisation, their value in the cloud.

After Zaranek et al. 2008 ("Free Factories"), section 4.5.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived,
    preset,
)
from capmodels.units import (
    SECONDS_PER_HOUR,
    CountFromOne,
    DurationH,
    Real,
    UsdPerH,
    UsdPerYear,
    of_unit,
)

PositiveH = Annotated[Real, of_unit("h", gt=0)]
WorkS = Annotated[Real, of_unit("s", ge=0)]
Amount = Annotated[Real, of_unit("count", ge=0)]
RatioFromOne = Annotated[Real, of_unit("ratio", ge=1)]
LoadFraction = Annotated[Real, of_unit("fraction", ge=0)]
YearH = Annotated[Real, of_unit("h", ge=8760, le=8784)]

_NOVEMBER_TO_MARCH_H = 152 * 24.0


def work_s(*, runs_count: float, steps_count: float, step_s: float, reruns_ratio: float) -> float:
    """Instance-seconds of a job: runs x steps x seconds x reruns. [s]

    >>> work_s(runs_count=100, steps_count=23, step_s=100.0, reruns_ratio=2.0)
    460000.0
    """
    return runs_count * steps_count * step_s * reruns_ratio


def slot_s(*, slots_count: float, period_h: float) -> float:
    """Seconds that so many slots offer in a period. [s]"""
    return slots_count * period_h * SECONDS_PER_HOUR


class BatchJob(Params):
    """A kind of job and how often it ran."""

    title: str = preset("Jobs", "Its name.", min_length=1, max_length=200)
    runs_count: Amount = assumed(1.0, "Jobs of this kind in the period.")
    steps_count: Amount = assumed(1.0, "Steps of one job that each take a slot.")
    step_s: WorkS = default(
        460e6,
        "Time of one step on one slot.",
        source="Zaranek et al. 2008, section 4.5: all computation on templeton",
        as_of="2008",
    )
    reruns_ratio: RatioFromOne = assumed(
        1.0, "Times the work is done until it is right.", low=1.0, high=2.0
    )


class SlotGroup(Params):
    """Nodes that offer slots, and what would be rented instead of one of them."""

    nodes_count: CountFromOne = default(
        47,
        "Nodes of this kind.",
        source="Zaranek et al. 2008, section 4.5: templeton",
        as_of="2008",
    )
    slots_per_node_count: CountFromOne = derived(
        4,
        "Steps that one node runs at a time.",
        source="Zaranek et al. 2008, section 4.5; the printed shares need four on every node",
        as_of="2008",
    )
    node_usd_per_h: UsdPerH = default(
        0.80,
        "Price of renting one node's equivalent for an hour.",
        source="Zaranek et al. 2008, section 4.5: one extra-large instance",
        as_of="2008",
    )


class BatchUtilizationParams(Params):
    """Jobs of a period, and the nodes that ran them."""

    jobs: tuple[BatchJob, ...] = preset((BatchJob(),), "The period's jobs.", max_length=1000)
    groups: tuple[SlotGroup, ...] = preset((SlotGroup(),), "The nodes.", max_length=100)
    period_h: PositiveH = derived(
        _NOVEMBER_TO_MARCH_H,
        "Time in which the jobs ran.",
        source="Zaranek et al. 2008, section 4.5: November 2007 to March 2008",
        as_of="2008",
    )
    year_h: YearH = assumed(8760.0, "Hours in a year; 8784 in a leap year.")


class BatchUtilizationResult(Result):
    """Work done, what the nodes could do, and what that work would cost to rent."""

    work_s: WorkS
    work_h: DurationH
    capacity_s: WorkS
    utilization_fraction: LoadFraction | None
    spare_s: WorkS
    slots_count: Amount
    spare_slots_count: Amount
    full_usd_per_h: UsdPerH
    value_usd_per_year: UsdPerYear | None
    value_in_period_usd: Annotated[Real, of_unit("USD", ge=0)] | None
    warnings: tuple[str, ...]


def _run(params: BatchUtilizationParams, _context: Context) -> BatchUtilizationResult:
    work = math.fsum(
        work_s(
            runs_count=job.runs_count,
            steps_count=job.steps_count,
            step_s=job.step_s,
            reruns_ratio=job.reruns_ratio,
        )
        for job in params.jobs
    )
    slots = sum(group.nodes_count * group.slots_per_node_count for group in params.groups)
    capacity = slot_s(slots_count=slots, period_h=params.period_h)
    load = work / capacity if capacity > 0 else None
    full = math.fsum(group.nodes_count * group.node_usd_per_h for group in params.groups)
    spare = max(0.0, capacity - work)
    overfull = load is not None and load > 1
    return BatchUtilizationResult(
        work_s=work,
        work_h=work / SECONDS_PER_HOUR,
        capacity_s=capacity,
        utilization_fraction=load,
        spare_s=spare,
        slots_count=float(slots),
        spare_slots_count=spare / (params.period_h * SECONDS_PER_HOUR),
        full_usd_per_h=full,
        value_usd_per_year=None if load is None else full * load * params.year_h,
        value_in_period_usd=None if load is None else full * load * params.period_h,
        warnings=("The work does not fit into the period on these nodes.",) if overfull else (),
    )


def _cluster(step_s: float, *groups: SlotGroup) -> BatchUtilizationParams:
    return BatchUtilizationParams(
        jobs=(BatchJob(step_s=step_s),), groups=groups or (SlotGroup(),), year_h=8784.0
    )


def _templeton_params() -> BatchUtilizationParams:
    return _cluster(460e6)


def _uncle_params() -> BatchUtilizationParams:
    old = SlotGroup(nodes_count=36, node_usd_per_h=0.20)
    return _cluster(600e6, SlotGroup(nodes_count=11), old)


def _templeton() -> BatchUtilizationResult:
    return _run(_templeton_params(), Context())


def _uncle() -> BatchUtilizationResult:
    return _run(_uncle_params(), Context())


def _prototypes_usd_per_year() -> float:
    clusters = (_templeton(), _uncle())
    return math.fsum(cluster.value_usd_per_year or 0.0 for cluster in clusters)


_share_of_slots = partial(
    Check, source="Zaranek et al. 2008, section 4.5", unit="fraction", kind="arithmetic"
)

SPEC = ModelSpec(
    id="cost.batch_utilization",
    version="1.0.0",
    title="Batch utilisation",
    summary="What batch jobs amount to in instance-seconds, how busy they keep the nodes, what "
    "that work would cost to rent, and what is left over.",
    params=BatchUtilizationParams,
    result=BatchUtilizationResult,
    run=_run,
    points=lambda params: len(params.jobs) + len(params.groups),
    citations=(
        Citation(
            text="A. W. Zaranek, T. Clegg, W. Vandewege, G. M. Church, Free Factories: "
            "Unified Infrastructure for Data Intensive Web Services, USENIX ATC 2008",
            section="4.5",
        ),
    ),
    formulas=(
        Formula("work", "work = sum over jobs of runs * steps * seconds * reruns", "definition"),
        Formula(
            "utilization",
            "utilisation = work / (nodes * slots * period)",
            "Zaranek et al. 2008, section 4.5; slots derived from the printed shares",
        ),
        Formula(
            "value",
            "value = sum over groups of nodes * price * utilisation * hours of a year",
            "Zaranek et al. 2008, section 4.5",
        ),
    ),
    checks=(
        _share_of_slots(
            "A13",
            "Templeton, 460 million s on 188 slots in 152 days",
            0.18,
            lambda: _templeton().utilization_fraction or 0.0,
            printed="18%",
            params=lambda: _templeton_params().model_dump(),
            tests="cost.batch_utilization.slot_s",
            tolerance=0.01,
            wider="The paper truncates.",
        ),
        _share_of_slots(
            "A14",
            "Uncle, 600 million s on 188 slots in 152 days",
            0.24,
            lambda: _uncle().utilization_fraction or 0.0,
            printed="24%",
            note="It needs four slots on the old nodes with two processors too.",
            params=lambda: _uncle_params().model_dump(),
            tests="cost.batch_utilization.work_s",
            tolerance=0.005,
        ),
        Check(
            "A16",
            "Prototypes, instances of a year from the seconds, 8784 h",
            96_000.0,
            _prototypes_usd_per_year,
            source="Zaranek et al. 2008, section 4.5",
            printed="$96,000",
            tolerance=500.0,
            unit="USD",
            kind="arithmetic",
            tests="cost.batch_utilization.work_s",
        ),
    ),
    limits=(
        "A slot is a slot: nodes of different speed are not told apart.",
        "Rented time is paid by use, as if instances could be released between steps.",
    ),
)
