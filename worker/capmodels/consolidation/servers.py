"""How few servers run given applications: a plan of ours, the best, or the rule of 2008.

`consolidation.plan` for servers with CPU, disk, memory and network, in the terms of an estate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.consolidation import plan as planner
from capmodels.consolidation.plan_params import Curve, PlanParams, ServerType, at_load
from capmodels.consolidation.servers_params import (
    Block,
    ServersParams,
    ServersResult,
    Stack,
    on_servers,
)
from capmodels.consolidation.servers_told import headline, notes, saving_of, start, tables
from capmodels.spec import Context, Formula, ModelSpec, one_point

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.consolidation.plan_params import PlanResult
    from capmodels.consolidation.servers_params import Kind

_SOLVERS: Mapping[str, Any] = {
    "planner": "search",
    "exact": "exact",
    "greedy_as_published": "greedy2008",
}
_SECONDS_PER_HOUR = 3600.0
# Work in a second of full use of each resource, as in consolidation.plan.
_WORK = {"cpu": 1.0, "disk": 0.8, "memory": 0.0, "network": 0.0}


def _kind(params: ServersParams, kind: Kind) -> ServerType:
    above = kind.power_full_w - kind.power_idle_w
    curves = tuple(
        Curve(
            capacity_ratio=kind.size_ratio,
            limit_fraction=resource.limit_fraction,
            power_w=above * resource.power_fraction,
            power_exponent=resource.power_exponent,
            degradation_ratio=resource.degradation_ratio,
            degradation_exponent=resource.degradation_exponent,
        )
        for resource in params.resources.values()
    )
    return ServerType(
        name=kind.name,
        servers_count=kind.servers_count,
        power_idle_w=kind.power_idle_w,
        curves=curves,
        wake_j=params.wake_j,
    )


def plan_params(params: ServersParams) -> PlanParams:
    """The question as `consolidation.plan` is asked it."""
    resources = params.resources
    limits = tuple(resource.limit_fraction for resource in resources.values())
    greedy = params.policy == "greedy_as_published"
    return PlanParams(
        resources=tuple(resources),
        work_ratio=tuple(_WORK[name] for name in resources),
        applications=tuple(
            load.as_planned(params.apart, resources) for load in params.applications
        ),
        services=params.services,
        servers=tuple(_kind(params, kind) for kind in params.servers),
        servers_per_rack_count=params.servers_per_rack_count,
        power_lines_count=params.power_lines_count,
        solver=_SOLVERS[params.policy],
        tolerance_ratio=params.tolerance_ratio,
        box_fraction=limits if greedy else None,
        current_server_count=on_servers(params),
        migration=params.migration,
        hold_s=params.hold_h * _SECONDS_PER_HOUR,
    )


def _stacks(asked: PlanParams, places: Mapping[str, int]) -> tuple[Stack, ...]:
    """Every server with what runs on it, at the load that is planned for."""
    kinds = [kind for kind in asked.servers for _ in range(kind.servers_count)]
    blocks: list[list[Block]] = [[] for _ in kinds]
    for app in asked.applications:
        at = places[app.id]
        shares = (
            share / curve.capacity_ratio
            for share, curve in zip(app.demand_fraction, kinds[at].curves, strict=True)
        )
        blocks[at].append(Block(id=app.id, share_ratio=tuple(shares)))
    return tuple(
        Stack(server_count=at + 1, kind=kind.name, blocks=tuple(held))
        for at, (kind, held) in enumerate(zip(kinds, blocks, strict=True))
    )


def _before(asked: PlanParams, today: Sequence[int] | None) -> tuple[Stack, ...]:
    if today is None:
        return ()
    names = (app.id for app in asked.applications)
    return _stacks(asked, dict(zip(names, today, strict=True)))


def _after(asked: PlanParams, plan: PlanResult) -> tuple[Stack, ...]:
    if plan.status == "infeasible":
        return ()
    return _stacks(asked, {one.id: one.server_count for one in plan.placement})


def _run(params: ServersParams, context: Context) -> ServersResult:
    asked = plan_params(params)
    plan = planner.SPEC.run(asked, context)
    asked = at_load(asked)
    today = on_servers(params)
    today_count = None if today is None else len(set(today))
    # Both sides by what servers draw while the work of a year is done.
    today_w = None if plan.saving_w is None else plan.effective_power_w + plan.saving_w
    saving = saving_of(params, plan.saving_w)
    return ServersResult(
        headline=headline(plan, today, saving, sum(kind.servers_count for kind in params.servers)),
        notes=notes(plan, saving),
        tables=tables(params, plan, today_count, today_w),
        plan=plan,
        resources=tuple(params.resources),
        limit_fraction=tuple(one.limit_fraction for one in params.resources.values()),
        before=_before(asked, today),
        after=_after(asked, plan),
        servers_today_count=today_count,
        today_w=today_w,
        saving=saving,
    )


def paper(name: str = "Mix1", **changes: Any) -> dict[str, Any]:
    """One of the published mixes on the article's four servers, placed by its rule."""
    loads = [
        {
            "id": f"{name}.{place}",
            "cpu_fraction": cpu / 100,
            "disk_fraction": disk / 100,
            "memory_fraction": 0.0,
            "network_fraction": 0.0,
        }
        for place, (cpu, disk) in enumerate(planner.MIXES[name])
    ]
    server = {
        "name": "server",
        "servers_count": 4,
        "power_idle_w": 150.0,
        "power_full_w": 280.0,
    }
    fixed = {"applications": loads, "servers": [server], "policy": "greedy_as_published"}
    return fixed | {"hold_h": 1.0} | changes


SPEC = ModelSpec(
    id="consolidation.servers",
    version="1.1.0",
    title="How few servers",
    summary="Which applications share which servers of an estate, by CPU, disk, memory and "
    "network: servers on before and after, moves, and what a year of it saves.",
    params=ServersParams,
    result=ServersResult,
    run=_run,
    points=one_point,
    instant=False,
    start=start,
    start_source="catalogue: server with 2 x EPYC 9965, SPECpower_ssj2008 of October 2024; "
    "applications, moving and waking are our choice",
    paper=paper,
    citations=planner.SPEC.citations,
    formulas=(
        Formula(
            "power",
            "P = P_idle + (P_full - P_idle) sum over resources of s (2 u - u^r)",
            "Srikantaiah et al. 2008, figure 2, fitted; split over resources ours",
            {"s": "power_fraction", "u": "share in use", "r": "power_exponent"},
        ),
        Formula(
            "year",
            "saved a year = (P_before - P_after) 8,760 h PUE",
            "ours; power times lengthening, as in consolidation.plan",
        ),
    ),
    limits=(
        "Demands stand still: what they do over a day is consolidation.dynamic's.",
        "A plan with a bent power curve or slowing has a loose bound.",
        "Before and after are of servers that are on; those that are off draw nothing.",
    ),
)
