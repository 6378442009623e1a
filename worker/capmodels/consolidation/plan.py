"""Which applications share which servers so that their work takes least energy.

After Srikantaiah, Kansal, Zhao 2008: their greedy rule as published, all placements for few
applications, and planners of ours with a bound on what any plan can save.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from capmodels.consolidation.plan_instance import (
    Instance,
    degradation,
    instance_of,
    is_valid,
    loads_of,
    memory_gb,
    move_j,
    move_s,
    power_w,
    total_w,
    used,
)
from capmodels.consolidation.plan_params import (
    Migration,
    Move,
    Placed,
    PlanParams,
    PlanResult,
    ServerLoad,
    ServerType,
    Solver,
    at_load,
)
from capmodels.consolidation.plan_small import (
    TooLarge,
    distance,
    exhaustive,
    greedy2008,
    planner_v2,
    roomiest,
    server_classes,
)
from capmodels.consolidation.server_curves import Surface, axis, best_point
from capmodels.errors import ModelError, PointLimitExceeded
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, derived_check, one_point

if TYPE_CHECKING:
    from collections.abc import Sequence

# A plan that saves less than a tenth more than moving costs is not worth its risk.
_HYSTERESIS = 1.1
_SCALAR_BLOCKS_MAX = 7
_EXHAUSTIVE_BLOCKS_MAX = 14
_V2_BLOCKS_MAX = 60
_CP_SAT_S = 60.0
_DRAWS = 1_024
_ARTICLE = "Srikantaiah et al. 2008"

# A placement, and a bound on what any costs. With neither there is no placement at all.
Found = tuple["list[int] | None", "float | None"]

_NONE_FITS = "The servers cannot hold the applications. Add servers."
_NONE_FOUND = (
    "No placement was found that keeps the limits. Add servers, allow more slowing, or let the "
    "search take more steps."
)


class NoBox(ModelError):
    """The published rule needs to know how full a server may be."""


def shortest_sleep_s(*, move_energy_j: float, kind: ServerType) -> float | None:
    """Time asleep from which moving, sleeping and waking save energy. [s]

    (E_move + E_wake) / (P_idle - P_sleep); None when sleeping saves nothing.
    """
    saved_w = kind.power_idle_w - kind.power_sleep_w
    return (move_energy_j + kind.wake_j) / saved_w if saved_w > 0 else None


def box_of(params: PlanParams) -> tuple[float, ...]:
    """How full the published rule may load a server: as entered, or where energy is least.

    Raises
    ------
    NoBox
        When it is not entered and the servers are not of one kind with two resources.
    """
    if params.box_fraction is not None:
        return params.box_fraction
    if len(params.resources) != 2 or len(params.servers) != 1:
        message = "Enter how full servers may be: it follows only for one kind and two resources."
        raise NoBox(message)
    best = best_point(_surface(params), axis(0.1, 0.9, 0.01), params.tolerance_ratio)
    if best is None:
        message = "No load keeps work within the bound on slowing. Allow more."
        raise NoBox(message)
    return best


def _surface(params: PlanParams) -> Surface:
    kind = params.servers[0]
    cpu, disk = kind.curves
    return Surface(
        power_idle_w=kind.power_idle_w,
        power_cpu_w=cpu.power_w,
        power_disk_w=disk.power_w,
        power_exponent=cpu.power_exponent,
        degradation_cpu_ratio=cpu.degradation_ratio,
        degradation_disk_ratio=disk.degradation_ratio,
        cpu_exponent=cpu.degradation_exponent,
        disk_exponent=disk.degradation_exponent,
        work_cpu_ratio=params.work_ratio[0],
        work_disk_ratio=params.work_ratio[1],
    )


def _compiled(params: PlanParams, instance: Instance, *, exact: bool) -> Found:
    """Our planner, then, if asked, the exact search from its plan on."""
    import numpy as np

    from capmodels.consolidation.plan_bound import relaxed_w
    from capmodels.consolidation.plan_kernel import exact_best, problem_of
    from capmodels.consolidation.plan_search_kernel import search
    from capmodels.rng import streams

    problem = problem_of(instance, server_classes(instance))
    bound = None if exact else relaxed_w(instance)
    if bound is None and not exact:
        return None, None
    order = np.argsort(-problem.demand.sum(axis=1), kind="mergesort")
    draws = streams(0, 1)[0].random(_DRAWS)
    effort = 0 if exact else params.effort_count
    stood, place = search(problem, order, bound or 0.0, effort, draws)
    plan = place.tolist() if stood else None
    plan = plan if plan is not None and is_valid(instance, plan) else None
    if not exact:
        return plan, bound
    worst = math.inf if plan is None else total_w(instance, plan)
    best = exact_best(problem, order, np.asarray(place if plan else -np.ones_like(place)), worst)
    if best.min() < 0:
        return None, None
    answer = best.tolist()
    return answer, total_w(instance, answer)


def _exhaustive(params: PlanParams, instance: Instance) -> Found:
    count = len(instance.blocks)
    if count > _EXHAUSTIVE_BLOCKS_MAX:
        message = (
            f"All placements of {count} applications are too many. Choose search or exact, or "
            f"at most {_EXHAUSTIVE_BLOCKS_MAX}."
        )
        raise PointLimitExceeded(message)
    if count > _SCALAR_BLOCKS_MAX:
        return _compiled(params, instance, exact=True)
    best = exhaustive(instance)
    return best, None if best is None else total_w(instance, best)


def _cp_sat(params: PlanParams, instance: Instance) -> Found:
    from capmodels.consolidation.plan_bound import cp_sat

    hint, _ = _compiled(params, instance, exact=False)
    found, bound = cp_sat(instance, hint, limit_s=_CP_SAT_S)
    plans = [one for one in (hint, found) if one is not None and is_valid(instance, one)]
    best = min(plans, key=lambda one: total_w(instance, one)) if plans else None
    return best, bound


def _v2(instance: Instance) -> Found:
    if len(instance.blocks) > _V2_BLOCKS_MAX:
        message = f"Planner v2 takes at most {_V2_BLOCKS_MAX} applications. Choose search."
        raise PointLimitExceeded(message)
    plan = planner_v2(instance)
    return plan, None if plan else 0.0


def _chosen(params: PlanParams, instance: Instance) -> Solver:
    if params.solver != "auto":
        return params.solver
    return "exhaustive" if len(instance.blocks) <= _SCALAR_BLOCKS_MAX else "search"


def _solve(params: PlanParams, instance: Instance, solver: Solver) -> Found:
    if solver == "greedy2008":
        plan = greedy2008(instance, box_of(params))
        return plan, None if plan else 0.0
    if solver == "exhaustive":
        return _exhaustive(params, instance)
    if solver == "v2":
        return _v2(instance)
    return (
        _cp_sat(params, instance) if solver == "exact" else _compiled(params, instance, exact=False)
    )


def _run(params: PlanParams, _context: Context) -> PlanResult:
    params = at_load(params) if params.services else params
    instance = instance_of(params)
    solver = _chosen(params, instance)
    if not instance.blocks:
        return _result(params, instance, solver, ([], 0.0))
    try:
        found = _solve(params, instance, solver)
    except TooLarge as exc:
        app = params.applications[instance.blocks[exc.block].members[0]]
        return _infeasible(solver, f"{app.id} alone is larger than a server may be loaded.")
    if found[0] is None:
        return _infeasible(solver, _NONE_FITS if found[1] is None else _NONE_FOUND)
    return _result(params, instance, solver, found)


def _infeasible(solver: Solver, reason: str) -> PlanResult:
    return PlanResult(
        status="infeasible",
        reason=reason,
        solver=solver,
        placement=(),
        servers=(),
        servers_on_count=0,
        power_w=0.0,
        effective_power_w=0.0,
        energy_j=None,
        bound_w=None,
        gap_fraction=None,
        binding=None,
        moves=(),
        overhead_j=0.0,
        saving_w=None,
        net_saving_j=None,
        moving_pays=None,
        shortest_sleep_s=None,
    )


def _server(params: PlanParams, instance: Instance, plan: Sequence[int], at: int) -> ServerLoad:
    kind, load = instance.kind(at), loads_of(instance, plan)[at]
    here = [block for block, server in zip(instance.blocks, plan, strict=True) if server == at]
    shares = [used(curve, part) for curve, part in zip(kind.curves, load, strict=True)]
    return ServerLoad(
        server_count=at,
        kind=kind.name,
        applications=tuple(params.applications[m].id for block in here for m in block.members),
        load_fraction=tuple(min(1.0, share) for share in shares),
        degradation_ratio=degradation(kind, load),
        power_w=power_w(kind, load),
    )


def _moves(params: PlanParams, by_app: dict[int, int]) -> tuple[Move, ...]:
    current = params.current_server_count
    if current is None:
        return ()
    moved = [(app, current[app], server) for app, server in sorted(by_app.items())]
    return tuple(
        Move(
            id=params.applications[app].id,
            source_count=source,
            target_count=target,
            duration_s=move_s(params.migration, memory_gb(params, params.applications[app])),
            energy_j=move_j(params.migration, memory_gb(params, params.applications[app])),
        )
        for app, source, target in moved
        if source != target
    )


def _running_w(servers: Sequence[ServerLoad]) -> float:
    return math.fsum(one.power_w * (1 + one.degradation_ratio) for one in servers)


def _binding(params: PlanParams, servers: Sequence[ServerLoad]) -> str | None:
    """Resource that is fullest over the servers that are on."""
    if not servers:
        return None
    mean = [
        sum(one.load_fraction[place] for one in servers) for place in range(len(params.resources))
    ]
    return params.resources[mean.index(max(mean))]


def _today_w(params: PlanParams, instance: Instance) -> float | None:
    if not instance.has_current:
        return None
    plan = [block.current or 0 for block in instance.blocks]
    return _running_w([_server(params, instance, plan, at) for at in sorted(set(plan))])


def _result(params: PlanParams, instance: Instance, solver: Solver, found: Found) -> PlanResult:
    plan, bound = found
    plan = plan or []
    servers = tuple(_server(params, instance, plan, at) for at in sorted(set(plan)))
    by_app = {
        member: server
        for block, server in zip(instance.blocks, plan, strict=True)
        for member in block.members
    }
    moves = _moves(params, by_app)
    woken = sum(instance.wake_w(one.server_count) for one in servers) * params.hold_s
    overhead = math.fsum(move.energy_j for move in moves) + woken
    running, today = _running_w(servers), _today_w(params, instance)
    saving = None if today is None else today - running
    work = sum(
        ratio * part
        for app in params.applications
        for ratio, part in zip(params.work_ratio, app.demand_fraction, strict=True)
    )
    whole = running + overhead / params.hold_s
    net = None if saving is None else saving * params.hold_s - overhead
    return PlanResult(
        status="ok",
        reason=None,
        solver=solver,
        placement=tuple(
            Placed(id=params.applications[app].id, server_count=server)
            for app, server in sorted(by_app.items())
        ),
        servers=servers,
        servers_on_count=len(servers),
        power_w=math.fsum(one.power_w for one in servers),
        effective_power_w=running,
        energy_j=running / work if work > 0 and servers else None,
        bound_w=bound,
        gap_fraction=max(0.0, whole / bound - 1.0) if bound else None,
        binding=_binding(params, servers),
        moves=moves,
        overhead_j=overhead,
        saving_w=saving,
        net_saving_j=net,
        moving_pays=None if saving is None else saving * params.hold_s > _HYSTERESIS * overhead,
        shortest_sleep_s=shortest_sleep_s(
            move_energy_j=move_j(params.migration, params.migration.memory_gb),
            kind=params.servers[0],
        ),
    )


# Splits of ours of the published totals of the mixes: CPU and disk in percent.
MIXES = {
    "Mix1": ((23.76, 8.59), (18.67, 20.61), (15.28, 12.02), (11.88, 18.89), (9.34, 10.30),
             (5.94, 15.45)),
    "Mix2": ((26.24, 5.39), (20.62, 12.93), (16.87, 7.54), (13.12, 11.85), (10.31, 6.46),
             (6.56, 9.70)),
    "Mix3": ((22.06, 15.06), (17.33, 36.14), (14.18, 21.08), (11.03, 33.13), (8.67, 18.07),
             (5.52, 27.10)),
    "Mix4": ((25.58, 10.89), (20.10, 26.14), (16.45, 15.25), (12.79, 23.96), (10.05, 13.07),
             (6.40, 19.61)),
}  # fmt: skip


def mix(name: str, **changes: Any) -> PlanParams:
    """Return one of the published mixes as params."""
    apps = [
        {"id": f"{name}.{place}", "demand_fraction": (cpu / 100, disk / 100)}
        for place, (cpu, disk) in enumerate(MIXES[name])
    ]
    return PlanParams.model_validate({"applications": apps, **changes})


_BOX = (80.0, 50.0)
_LOADS = ((30.0, 30.0), (40.0, 10.0))
_FITS, _ELSE, _NOT = "feasible", "feasible only if the other server had taken it", "not feasible"


def _room(taker: str) -> float:
    loads = {"A": (30.0, 30.0), "B": (40.0, 10.0)}
    loads[taker] = (loads[taker][0] + 10.0, loads[taker][1] + 10.0)
    return sum(distance(_BOX, load) for load in loads.values())


def _still(request: tuple[float, float]) -> str:
    """What of a request after the published rule has placed the one of 10% and 10%."""
    first = roomiest(_BOX, _LOADS, (10.0, 10.0))

    def fits_after(taker: int | None) -> bool:
        loads = [
            (cpu + 10.0, disk + 10.0) if server == taker else (cpu, disk)
            for server, (cpu, disk) in enumerate(_LOADS)
        ]
        return roomiest(_BOX, loads, request) is not None

    if fits_after(first):
        return _FITS
    return _ELSE if first is not None and fits_after(1 - first) else _NOT


def _sleep_check() -> float:
    kind = PlanParams.model_fields["servers"].default[0]
    found = shortest_sleep_s(move_energy_j=move_j(Migration(), 4.0), kind=kind)
    return found or 0.0


def _distance(load: tuple[float, float]) -> float:
    return distance(_BOX, load)


_table_1 = partial(
    Check,
    source=f"{_ARTICLE}, table 1",
    kind="arithmetic",
    tests="consolidation.plan_small.distance",
    tolerance=0.05,
    unit="%",
)


def _heuristic_excess() -> float:
    """Energy of work by the published rule over that of the best plan, mean of the four mixes."""
    excess = []
    for name in MIXES:
        by_rule, best = (
            _run(mix(name, solver=solver, tolerance_ratio=0.2), Context()).energy_j or math.inf
            for solver in ("greedy2008", "exhaustive")
        )
        excess.append(by_rule / best - 1)
    return math.fsum(excess) / len(excess)


def _next_request(cpu: float, disk: float, found: str) -> Check:
    return Check(
        f"next {cpu:g} {disk:g}",
        f"A next request of {cpu:g}% and {disk:g}%, after the rule has placed the first",
        found,
        partial(_still, (cpu, disk)),
        source=f"{_ARTICLE}, text beside table 1",
        kind="predicted",
        tests="consolidation.plan._BOX",
        note="The rule chooses the server, and what is left of both decides.",
    )


_CUT: dict[str, Any] = {"tolerance": 0.1, "wider": "The paper truncates."}

_CHECKS = (
    *(
        _table_1(check_id, f"Room of server {server} {when}", room, partial(_distance, load), **how)
        for check_id, server, when, room, load, how in (
            ("A before", "A", "at 30% and 30%", 53.8, (30.0, 30.0), _CUT),
            ("A after", "A", "at 40% and 40%", 41.2, (40.0, 40.0), {}),
            ("B before", "B", "at 40% and 10%", 56.6, (40.0, 10.0), {}),
            ("B after", "B", "at 50% and 20%", 42.4, (50.0, 20.0), {}),
        )
    ),
    _table_1("B1", "Summed room if server A takes the request", 97.8, lambda: _room("A")),
    _table_1("B2", "Summed room if server B takes it", 96.2, lambda: _room("B"), **_CUT),
    *(
        _next_request(cpu, disk, found)
        for cpu, disk, found in (
            *((cpu, 40.0, _FITS) for cpu in (10.0, 20.0, 30.0, 40.0)),
            (40.0, 30.0, _FITS),
            *((50.0, disk, _ELSE) for disk in (10.0, 20.0)),
        )
    ),
    Check(
        "excess",
        "Energy by the rule over the best plan, four mixes, work up to 20% longer",
        0.054,
        _heuristic_excess,
        source=f"{_ARTICLE}, section 3.2 and figure 3",
        printed="about 5.4%",
        kind="predicted",
        tests="consolidation.plan_params.Curve.power_w",
        tolerance=0.046,
        wider="Table 2 prints totals of the mixes only: the split over applications and the curves "
        "of the servers are ours.",
        unit="fraction",
        params=lambda: mix("Mix1", tolerance_ratio=0.2).model_dump(),
    ),
    derived_check(
        "B21",
        "Shortest sleep that pays for a 4 GB machine",
        66.29,
        _sleep_check,
        source="(880 J to move, 8.4 kJ to wake) / 140 W: pre-copy of 4 GB over 1 Gbit/s",
        tests="consolidation.plan_params.Migration.link_gbit_per_s",
        tolerance=0.01,
        unit="s",
    ),
)

SPEC = ModelSpec(
    id="consolidation.plan",
    version="1.3.0",
    title="Consolidation plan",
    summary="Which applications share which servers: the rule of 2008, the best of all "
    "placements, or our planner for hundreds, with a bound, moves and what they save.",
    params=PlanParams,
    result=PlanResult,
    run=_run,
    points=one_point,
    instant=False,
    citations=(
        Citation(
            text="S. Srikantaiah, A. Kansal, F. Zhao, Energy Aware Consolidation for Cloud "
            "Computing, HotPower 2008",
            section="3, 4",
        ),
    ),
    formulas=(
        Formula(
            "objective",
            "least sum over servers on of P (1 + delta), plus moves and waking over the hold",
            "section 2's energy per transaction; moves and waking are ours",
        ),
        Formula(
            "greedy2008",
            "place where the sum of Euclidean distances to the optimum stays largest",
            f"{_ARTICLE}, section 3",
        ),
        Formula(
            "migration", "t = 8 memory / (link (1 - dirty)); E = 2 P_overhead t", "pre-copy, ours"
        ),
        Formula("sleep", "sleep pays from (E_move + E_wake) / (P_idle - P_sleep) on", "ours"),
        Formula(
            "tiers",
            "d' = d (f + (1 - f) load) for every tier of a service",
            "ours, for the multi-tier applications that Srikantaiah et al. 2008 list",
            {"f": "fixed_fraction", "load": "load_ratio"},
        ),
        Formula(
            "bound",
            "whole servers of each kind, parts of applications, power on its chord",
            "ours; linear relaxation",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "The split of the published mixes over applications is not printed; ours is a choice, "
        "and so is the surface: the closeness to the published 5.4% is no validation.",
        "That the published rule nears the optimum without a bound on slowing is not "
        "reproduced: its box forbids fuller disks on fewer servers.",
        "Where power bends or work is lengthened, the bound is loose and the gap overstated.",
        "Servers that are off draw nothing; sleeping counts in the shortest sleep only.",
        "Cooling, and applications that react to a shortage, are left out.",
    ),
)
