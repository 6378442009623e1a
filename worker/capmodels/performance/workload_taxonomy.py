"""Which kind of nodes suits a workload: a few questions, an answer with its reasons.

The classes and rules are those of Vasudevan 2010 (FAWN thesis proposal), section 3: a workload
that waits for disks or the network is the best case of slow nodes, one that must be quick on a
single core or needs more memory than a slow node has is theirs to lose.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from capmodels.forms import in_groups
from capmodels.numbers import percent, quantity
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    one_point,
)
from capmodels.told import Table, TableRow, Told
from capmodels.units import DataGb, DurationMs, Fraction, Real, of_unit

_THESIS = "Vasudevan 2010, section 3"
_SUDAN = "Sudan et al., after 2012"

Bound = Literal["seeks", "scans", "network", "cpu", "memory_bandwidth"]
Class = Literal["io_bound", "memory_or_cpu_bound", "latency_critical", "large_memory"]
Verdict = Literal["wimpy_win", "depends", "wimpy_lose"]
Rule = Literal[
    "serial_latency", "memory_per_node", "few_tasks", "io_bound", "cache_flip", "fixed_power"
]

PositiveMs = Annotated[DurationMs, Field(gt=0)]
PositiveGb = Annotated[DataGb, Field(gt=0)]
SpeedRatio = Annotated[Real, of_unit("ratio", gt=0, le=1)]
Tasks = Annotated[int, of_unit("count", strict=True, ge=1)]


class TaxonomyParams(Params):
    """What is known of a workload, and of the slow node that is considered."""

    model_config = in_groups(
        {
            "What does the work wait for?": ["bound_by"],
            "Must a request be quick?": ["serial_ms", "latency_bound_ms"],
            "How does it divide?": [
                "parallel_tasks_count",
                "working_set_per_task_gb",
                "utilization_fraction",
            ],
            "Which slow node?": [
                "slow_core_speed_ratio",
                "slow_node_memory_gb",
                "slow_slots_count",
                "fixed_power_fraction",
            ],
        }
    )

    bound_by: Bound = default(
        "seeks",
        "What the work waits for most of the time: seeks or scans of disks, the "
        "network, memory, or the processor.",
        source=_THESIS,
        title="Most of the time, for",
    )
    serial_ms: PositiveMs = assumed(
        5.0,
        "Time of the part of a request that cannot be divided, on a fast core.",
        title="Its undivided part, on a fast core",
    )
    latency_bound_ms: PositiveMs | None = blank(
        "Longest time that a request may take; left out, none.", title="Deadline"
    )
    working_set_per_task_gb: PositiveGb = assumed(
        0.5, "Memory that one task needs at once, not to be divided.", title="Memory of a task"
    )
    parallel_tasks_count: Tasks = assumed(
        1_000, "Tasks that could run at the same time.", title="Tasks at once"
    )
    utilization_fraction: Fraction = assumed(
        0.3, "How busy the nodes are on average.", title="How busy on average"
    )
    slow_core_speed_ratio: SpeedRatio = assumed(
        0.2, "A slow core against a fast one.", low=0.1, high=0.5, title="Core, against a fast one"
    )
    slow_node_memory_gb: PositiveGb = assumed(
        4.0, "Memory of a slow node.", low=1.0, high=32.0, title="Memory of a node"
    )
    slow_slots_count: Tasks = assumed(
        768, "Tasks that all the slow nodes run at once.", title="Slots, on all nodes"
    )
    fixed_power_fraction: Fraction = assumed(
        0.5,
        "Share of a slow node's power that does not follow its work.",
        low=0.2,
        high=0.8,
        title="Power that does not follow work",
    )


# Of the catalogue: two servers of dense cores (dual-epyc-9965) beside fast ones of their year
# (dual-epyc-9755): speed of a core, memory, slots, and idle against full power.
_DENSE_SPEED, _FAST_SPEED = 1.0, 1.2
_RAM_GIB, _CORES, _SERVERS = 1536.0, 384, 2
_IDLE_W, _PEAK_W = 210.0, 1150.0
_GB_PER_GIB = 1.073741824


def _start() -> dict[str, Any]:
    """Dense cores of this decade as the slow ones."""
    return {
        "slow_core_speed_ratio": round(_DENSE_SPEED / _FAST_SPEED, 2),
        "slow_node_memory_gb": round(_RAM_GIB * _GB_PER_GIB),
        "slow_slots_count": _CORES * _SERVERS,
        "fixed_power_fraction": round(_IDLE_W / _PEAK_W, 2),
    }


class Reason(Result):
    """A rule that spoke, what it says, and where it comes from."""

    rule: Rule
    verdict: Verdict
    sentence: str
    source: str


class TaxonomyResult(Told):
    """The class, the verdict and why, and what to look at next."""

    workload_class: Class
    verdict: Verdict
    reasons: tuple[Reason, ...]
    next_model: str
    slow_request_ms: PositiveMs
    slot_use_fraction: Fraction


_HEADLINES: dict[Verdict, str] = {
    "wimpy_win": "Slow nodes are likely to do more work per joule here.",
    "depends": "It depends: size both kinds of node and compare.",
    "wimpy_lose": "Slow nodes are likely to lose here.",
}
_SAYS: dict[Verdict, str] = {
    "wimpy_win": "for slow nodes",
    "depends": "it depends",
    "wimpy_lose": "against slow nodes",
}
_NEXT: dict[Class, str] = {
    "io_bound": "performance.kv_node_choice",
    "memory_or_cpu_bound": "performance.device_trends",
    "latency_critical": "performance.queueing",
    "large_memory": "performance.size_for_work",
}


def _latency(params: TaxonomyParams) -> Reason | None:
    """A serial part that a slow core cannot do in time: no number of nodes helps."""
    slow_ms = params.serial_ms / params.slow_core_speed_ratio
    if params.latency_bound_ms is None or slow_ms <= params.latency_bound_ms:
        return None
    return Reason(
        rule="serial_latency",
        verdict="wimpy_lose",
        sentence=f"The undivided part takes {slow_ms:g} ms on a slow core and "
        f"{params.latency_bound_ms:g} ms are allowed; more nodes do not shorten it.",
        source=f"{_THESIS}; Amdahl 1967",
    )


def _memory(params: TaxonomyParams) -> Reason | None:
    if params.working_set_per_task_gb <= params.slow_node_memory_gb:
        return None
    return Reason(
        rule="memory_per_node",
        verdict="wimpy_lose",
        sentence=f"A task needs {params.working_set_per_task_gb:g} GB at once and a slow node has "
        f"{params.slow_node_memory_gb:g} GB.",
        source=_THESIS,
    )


def _tasks(params: TaxonomyParams) -> Reason | None:
    if params.parallel_tasks_count >= params.slow_slots_count:
        return None
    return Reason(
        rule="few_tasks",
        verdict="wimpy_lose",
        sentence=f"There are {params.parallel_tasks_count:,} tasks for "
        f"{params.slow_slots_count:,} slots: the rest of the nodes wait, as with WordCount.",
        source=f"{_SUDAN}, on WordCount",
    )


def _bound(params: TaxonomyParams) -> Reason:
    if params.bound_by in ("seeks", "scans", "network"):
        return Reason(
            rule="io_bound",
            verdict="wimpy_win",
            sentence="The work waits for devices, so that fast cores would wait too; balance slow "
            "ones with their devices.",
            source=_THESIS,
        )
    return Reason(
        rule="cache_flip",
        verdict="depends",
        sentence="The better platform alternates with the working set as it fits one cache after "
        "the other; measure at your sizes.",
        source=_THESIS,
    )


def _fixed(params: TaxonomyParams) -> Reason | None:
    """Fixed power outweighs the rest below the load where both are equal."""
    share = params.fixed_power_fraction
    if params.utilization_fraction * (1 - share) >= share:
        return None
    return Reason(
        rule="fixed_power",
        verdict="depends",
        sentence=f"At {percent(params.utilization_fraction)} load most of a slow node's power is "
        "fixed: many nodes pay it many times. Share it, or switch nodes off.",
        source="Vasudevan 2010, section 2, figure 3",
    )


def _class(params: TaxonomyParams, rules: set[Rule]) -> Class:
    if "serial_latency" in rules:
        return "latency_critical"
    if "memory_per_node" in rules:
        return "large_memory"
    return "io_bound" if "io_bound" in rules else "memory_or_cpu_bound"


def _limits(params: TaxonomyParams, spoken: set[Rule]) -> Table:
    """When slow nodes lose, with the value here and the one that turns it."""
    bound_ms = params.latency_bound_ms
    rows: tuple[tuple[Rule, str, str, str], ...] = (
        (
            "serial_latency",
            "A request's undivided part takes longer on a slow core than is allowed",
            quantity(params.serial_ms / params.slow_core_speed_ratio, "ms"),
            "no limit set" if bound_ms is None else quantity(bound_ms, "ms"),
        ),
        (
            "memory_per_node",
            "A task needs more memory at once than a slow node has",
            quantity(params.working_set_per_task_gb, "GB"),
            quantity(params.slow_node_memory_gb, "GB"),
        ),
        (
            "few_tasks",
            "There are fewer tasks than slots for them",
            f"{params.parallel_tasks_count:,} tasks",
            f"{params.slow_slots_count:,} slots",
        ),
    )
    return Table(
        title="When slow nodes lose",
        columns=("They lose when", "Here", "Limit", "So"),
        rows=tuple(
            TableRow(
                head=loses,
                cells=(here, limit, "they lose" if rule in spoken else "no objection"),
                is_best=rule in spoken,
            )
            for rule, loses, here, limit in rows
        ),
        note="Rules of thumb: they say where to look, not how much is won. Porting, and software "
        "paid by the core, are left out.",
    )


def _reasons(reasons: tuple[Reason, ...]) -> Table:
    return Table(
        title="Why",
        columns=("Rule", "Speaks", "Source"),
        rows=tuple(
            TableRow(head=reason.sentence, cells=(_SAYS[reason.verdict], reason.source))
            for reason in reasons
        ),
    )


def _run(params: TaxonomyParams, _context: Context) -> TaxonomyResult:
    spoken = [rule(params) for rule in (_latency, _memory, _tasks, _bound, _fixed)]
    reasons = tuple(reason for reason in spoken if reason is not None)
    verdicts = {reason.verdict for reason in reasons}
    order: tuple[Verdict, ...] = ("wimpy_lose", "depends", "wimpy_win")
    verdict = next(kind for kind in order if kind in verdicts)
    rules = {reason.rule for reason in reasons}
    kind = _class(params, rules)
    decides = next(reason.sentence for reason in reasons if reason.verdict == verdict)
    return TaxonomyResult(
        headline=f"**{_HEADLINES[verdict]}** {decides}",
        notes=("Slow nodes have many slow cores that draw little; fast nodes few fast ones.",),
        tables=(_reasons(reasons), _limits(params, rules)),
        workload_class=kind,
        verdict=verdict,
        reasons=reasons,
        next_model=_NEXT[kind],
        slow_request_ms=params.serial_ms / params.slow_core_speed_ratio,
        slot_use_fraction=min(1.0, params.parallel_tasks_count / params.slow_slots_count),
    )


SPEC = ModelSpec(
    id="performance.workload_taxonomy",
    version="1.1.0",
    title="Which nodes suit a workload",
    summary="A few questions about a workload, and whether slow nodes suit it, with "
    "the rules that say so and where they come from.",
    params=TaxonomyParams,
    result=TaxonomyResult,
    run=_run,
    points=one_point,
    start=_start,
    start_source="catalogue: 2 x EPYC 9965 (dense cores) beside EPYC 9755, 2024",
    citations=(
        Citation(
            text="V. Vasudevan, Energy-Efficient Data-intensive Computing with a Fast Array of "
            "Wimpy Nodes, thesis proposal, Carnegie Mellon University, October 2010",
            section="2 and 3",
        ),
        Citation(
            text="K. Sudan et al., on Hadoop on the SeaMicro SM10000 cluster in a box, undated, "
            "after 2012",
        ),
    ),
    formulas=(
        Formula(
            "serial",
            "slow nodes lose where serial time / core speed > latency bound",
            f"{_THESIS}; Amdahl 1967",
            {"core speed": "slow_core_speed_ratio"},
        ),
        Formula("tasks", "slot use = min(1, tasks / slots)", f"our reading of {_SUDAN}"),
        Formula(
            "fixed",
            "fixed power outweighs the rest where u (1 - f) < f",
            "ours, for the argument of the thesis' figure 3",
            {"u": "utilization_fraction", "f": "fixed_power_fraction"},
        ),
    ),
    limits=(
        "Rules of thumb: they say where to look, not how much is won.",
        "Porting, and software paid by the core, are left out.",
        "Present slow nodes have more memory and larger caches than those of 2010; enter yours.",
    ),
)
