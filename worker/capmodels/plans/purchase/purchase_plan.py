"""What to order, commit to and rent, and when, under demand that is not known.

A two-stage stochastic program with recourse (Birge and Louveaux 2011, chapters 1 and 4), solved
to a proved gap; capacity expansion with lead times (H. Luss 1982, doi:10.1287/opre.30.5.907).
"""

from __future__ import annotations

import math
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from capmodels.errors import ModelError
from capmodels.plans.purchase.moving import movable, moved
from capmodels.plans.purchase.params import EnteredLevel, PurchasePlanParams
from capmodels.plans.purchase.result import (
    KnownWorth,
    MovedInput,
    MovedOrder,
    Order,
    PlannedMonth,
    PlannedResource,
    PurchasePlanResult,
    QuarterCash,
    ResourceFill,
    SiteUse,
    StartedCommitment,
)
from capmodels.plans.purchase.words import Answer, figures, headline, notes, tables
from capmodels.spec import Citation, Context, Formula, ModelSpec, derived_check
from capmodels.units import HOURS_PER_MONTH, MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.purchase.equations_kernel import Case, Plan
    from capmodels.plans.purchase.recourse_kernel import Profile
    from capmodels.plans.purchase.worth_kernel import Solver

_QUARTER = 3
_BAND = (0.1, 0.9)
_TRIGGER = 0.95
_NONE = (
    "No plan meets demand within its limits. Allow renting, unmet demand at a price, more "
    "machines at the site or a larger budget."
)
# Of more orders than this the next best plan is not looked for.
_NEXT_MOST = 60
# Of plans for other inputs the gap is no smaller than this.
_MOVED_GAP = 1e-3


def _orders(case: Case, plan: Plan) -> tuple[Order, ...]:
    """Orders of a plan that is decided now, in the order of their months."""
    import numpy as np

    from capmodels.plans.purchase.equations_kernel import usable
    from capmodels.plans.purchase.scenarios_kernel import profile_of

    hours = (profile_of(case.params)[:, None] if case.bundles is None
             else case.bundles.ratios)  # fmt: skip
    p95 = np.quantile(hours, _TRIGGER, axis=0)
    odds, found = case.scenarios.odds, []
    for order, count in sorted(plan.orders.items(), key=lambda each: (each[0].month, each[0])):
        machine = case.params.machines[order.machine]
        price = odds @ case.scenarios.machine_ratio[order.machine][:, order.arrives]
        passed = p95 * (odds @ case.levels(order.month))
        # The resource that most of them are needed for is what the order is for.
        carries, there = usable(case.params, machine), plan.capacity[0][order.arrives]
        lacking = p95 * (odds @ case.levels(order.arrives)) - (there - count * carries)
        few = np.maximum(carries, 1e-9)
        of = int(np.argmax(np.where(carries > 0, lacking / few, -np.inf)))
        found.append(
            Order(
                machine=machine.name,
                month=order.month,
                arrives_month=order.arrives,
                ordered_count=count,
                paid_usd=float(count * machine.price_usd * price),
                trigger_p95_count=float(passed[of]),
                trigger_unit=case.params.units[of],
                placed=order.month < case.params.today,
            )
        )
    return tuple(found)


def _commitments(case: Case, plan: Plan) -> tuple[StartedCommitment, ...]:
    from capmodels.plans.purchase.equations_kernel import monthly_usd

    odds, found = case.scenarios.odds, []
    for start, amount in sorted(plan.starts.items(), key=lambda each: (each[0].month, each[0])):
        term = case.params.commitments[start.commitment]
        found.append(
            StartedCommitment(
                commitment=term.name,
                month=start.month,
                ends_month=start.ends,
                committed_count=amount,
                unit=term.unit or case.params.demand.unit,
                paid_usd=float(odds @ monthly_usd(case, start)) * amount * term.term_months,
                placed=start.month < case.params.today,
            )
        )
    return tuple(found)


def _months(case: Case, plan: Plan, resource: int = 0) -> tuple[PlannedMonth, ...]:
    """What carries a resource's demand in each month, as means over scenarios and hours.

    Of several resources, what is above own and committed capacity is rented, or left unmet where it
    cannot be rented.
    """
    import numpy as np

    from capmodels.plans.purchase.equations_kernel import usable
    from capmodels.plans.purchase.recourse_kernel import Profile, Recourse, Rung

    params, odds, owned = case.params, case.scenarios.odds, np.zeros(case.months)
    for held in params.held_machines:
        owned[: held.until_month] += held.count * usable(params, held)[resource]
    for order, count in plan.orders.items():
        machine = params.machines[order.machine]
        owned[order.arrives : order.ends] += count * usable(params, machine)[resource]
    both, found = plan.capacity[0][:, resource], []
    profile, recourse = case.profile, case.recourse
    if case.bundles is not None:
        profile = Profile(np.sort(case.bundles.ratios[:, resource]))
        left = None if _rentable(params, resource) else Rung(0.0, 1.0, 0.0)
        recourse = Recourse((), None, left, None)
    spot, unmet = recourse.spot, recourse.unmet
    for month in range(case.months):
        level = case.levels(month)[:, resource]

        def mean(capacity: float, scale: float = 1.0, level: Any = level) -> float:
            return float(odds @ profile.excess(level * scale, np.asarray(capacity))[0])

        above_owned, above = mean(owned[month]), mean(both[month])
        dear = above if spot is None else mean(both[month], spot.scale)
        short = 0.0 if unmet is None else mean(both[month] + unmet.shift, unmet.scale)
        total = float(odds @ level)
        found.append(
            PlannedMonth(
                owned_count=float(owned[month]),
                committed_count=float(both[month] - owned[month]),
                owned_used_count=max(0.0, total - above_owned),
                committed_used_count=max(0.0, above_owned - above),
                on_demand_count=max(0.0, dear - short),
                spot_count=max(0.0, above - dear),
                unmet_count=max(0.0, short),
                demand_mean_count=total,
                demand_low_count=_passed(profile, odds, level, 1.0 - _BAND[0]),
                demand_high_count=_passed(profile, odds, level, 1.0 - _BAND[1]),
            )
        )
    return tuple(found)


def _binding(case: Case, plan: Plan) -> tuple[ResourceFill, ...]:
    """Of several resources, which is the fullest of own and committed capacity, and how full."""
    import numpy as np

    if case.bundles is None:
        return ()
    peaks, odds = case.bundles.ratios.max(axis=0), case.scenarios.odds
    full = np.array([
        peaks * (odds @ case.levels(month)) / np.maximum(plan.capacity[0][month], 1e-9)
        for month in range(case.months)
    ])  # fmt: skip
    months = np.flatnonzero((plan.capacity[0] > 1e-6).any(axis=1))
    if len(months) == 0:
        return ()
    # What nothing there has is rented alone, and fills nothing.
    full = np.where(plan.capacity[0] > 1e-6, full, 0.0)[months]
    binds = full.argmax(axis=1)
    return tuple(
        ResourceFill(
            unit=unit,
            fullest_months_count=int((binds == place).sum()),
            months_count=len(months),
            most_fraction=float(full[:, place].max()),
            month=int(months[full[:, place].argmax()]),
        )
        for place, unit in enumerate(case.params.units)
    )


def _rentable(params: PurchasePlanParams, resource: int) -> bool:
    """Whether a resource can be rented, by itself or in an instance."""
    rent = params.on_demand
    if rent is None or resource == 0:
        return rent is not None
    place = resource - 1
    alone = params.demand.others[place].usd_per_unit_h is not None
    return alone or any(sum(each.others_count[place : place + 1]) > 0 for each in rent.instances)


def _passed(profile: Profile, odds: Any, level: Any, share: float) -> float:
    """Demand that is passed in a share of the hours of all scenarios, by bisection."""
    import numpy as np

    low, high = 0.0, float(level.max() * profile.ratios[-1])
    for _ in range(40):
        middle = (low + high) / 2.0
        passed = float(odds @ -profile.excess(level, np.asarray(middle))[1])
        low, high = (middle, high) if passed > share else (low, middle)
    return high


def _quarters(case: Case, plan: Plan) -> tuple[QuarterCash, ...]:
    """Expected money called in each quarter, not discounted. [USD]"""
    import numpy as np

    from capmodels.plans.purchase.equations_kernel import (
        beside_by_month,
        dearest_usd,
        monthly_usd,
        opened,
    )

    params, odds = case.params, case.scenarios.odds
    machines, upkeep, committed, rent = (np.zeros(case.months) for _ in range(4))
    for held in params.held_machines:
        upkeep[: held.until_month] += held.count * held.upkeep_usd_per_month
    for owed in params.held_commitments:
        monthly = owed.committed_count * owed.usd_per_unit_h * HOURS_PER_MONTH
        committed[: owed.until_month] += monthly
    for order, count in plan.orders.items():
        machine = params.machines[order.machine]
        price = odds @ case.scenarios.machine_ratio[order.machine][:, order.arrives]
        machines[order.arrives] += count * machine.price_usd * float(price)
        upkeep[order.arrives : order.ends] += count * machine.upkeep_usd_per_month
    for start, amount in plan.starts.items():
        monthly = float(odds @ monthly_usd(case, start)) * amount
        if params.commitments[start.commitment].payment == "upfront":
            committed[start.month] += monthly * (start.ends - start.month)
        else:
            committed[start.month : start.ends] += monthly
    for month in range(case.months):
        rent[month] = float(odds @ case.rent(month, plan.capacity[0][month])[0])
    left = np.full(case.months, np.nan)
    for year, most in enumerate(params.budget_usd):
        first, end = year * MONTHS_PER_YEAR, min((year + 1) * MONTHS_PER_YEAR, case.months)
        left[first:end] = most
        for order, count in plan.orders.items():
            if first <= order.arrives < end:
                left[order.arrives : end] -= count * dearest_usd(case, order)
    beside = beside_by_month(case, opened(plan.orders))
    starts = range(0, case.months, _QUARTER)
    return tuple(
        QuarterCash(
            machines_usd=float(machines[at : at + _QUARTER].sum()),
            upkeep_usd=float(upkeep[at : at + _QUARTER].sum()),
            committed_usd=float(committed[at : at + _QUARTER].sum()),
            rented_usd=float(rent[at : at + _QUARTER].sum()),
            beside_usd=float(beside[at : at + _QUARTER].sum()),
            budget_left_usd=None if np.isnan(left[end]) else float(left[end]),
        )
        for at, end in ((at, min(at + _QUARTER, case.months) - 1) for at in starts)
    )


def _site(case: Case, plan: Plan) -> tuple[SiteUse, ...]:
    """How full the site gets: from when on no machine fits, and what one more unit is worth."""
    from capmodels.plans.purchase.equations_kernel import LIMITS, held_of, limit_of, taken

    params, found = case.params, []
    for name, unit in LIMITS.items():
        most, reached = 0.0, None
        least = min((taken(each, name) for each in params.machines), default=0.0)
        limited = False
        for month in range(case.months):
            limit = limit_of(params.site_limits, month)
            room = None if limit is None else getattr(limit, name)
            if room is None:
                continue
            limited = True
            used = held_of(params, name, month) + math.fsum(
                count * taken(params.machines[order.machine], name)
                for order, count in plan.orders.items()
                if order.arrives <= month < order.ends
            )
            most = max(most, used / room if room > 0 else 1.0)
            if reached is None and used + least > room + 1e-9:
                reached = month
        if limited:
            worth = math.fsum(price for key, price in plan.duals.items() if key[0] == name)
            found.append(
                SiteUse(
                    limit=name,
                    unit="" if name == "machines_count" else unit,
                    reached_month=reached,
                    most_fraction=most,
                    worth_usd=worth,
                )
            )
    return tuple(found)


def _unmet_hours(case: Case, plan: Plan) -> tuple[float, float]:
    """Hours in which demand is left unmet: the mean, and those of the worst scenario. [h]"""
    import numpy as np

    hours = np.zeros(len(case.scenarios.odds))
    unmet = case.recourse.unmet
    if case.bundles is not None:
        short = [each for each in range(len(case.params.units))
                 if not _rentable(case.params, each)]  # fmt: skip
        ratios = case.bundles.ratios[:, short]
        for month in range(case.months) if short else ():
            demand = case.levels(month)[:, None, short] * ratios
            above = (demand > plan.capacity[0][month][short] + 1e-9).any(axis=2)
            hours += HOURS_PER_MONTH * above.mean(axis=1)
    elif unmet is not None:
        for month in range(case.months):
            here = np.asarray(plan.capacity[0][month][0] + unmet.shift)
            hours += case.profile.hours(case.scenarios.level[:, month] * unmet.scale, here)
    return float(case.scenarios.odds @ hours), float(hours.max())


def _before(params: PurchasePlanParams, context: Context) -> tuple[Case, Plan] | None:
    """The plan as it was before anything of what happened was known; None where nothing did."""
    from capmodels.plans.purchase.equations_kernel import case_of
    from capmodels.plans.purchase.scenarios_kernel import scenarios_of
    from capmodels.plans.purchase.worth_kernel import Solver

    if not params.today:
        return None
    nothing: dict[str, Any] = {
        "actual_mean_count": (), "placed_orders": (), "placed_commitments": (),
    }  # fmt: skip
    others = tuple(each.model_copy(update={"actual_mean_count": ()})
                   for each in params.demand.others)  # fmt: skip
    nothing["demand"] = params.demand.model_copy(update={"others": others})
    asked = params.model_copy(update=nothing)
    case = case_of(asked, scenarios_of(asked, context.seed))
    plan = Solver(case, context.seed, context.report).solve()
    return None if plan is None else (case, plan)


def _moved(case: Case, before: Plan, now: Plan) -> tuple[MovedOrder, ...]:
    """Orders whose number is another than before, in the order of their months."""
    counts: dict[tuple[int, int], list[int]] = {}
    for which, plan in enumerate((before, now)):
        for order, count in plan.orders.items():
            counts.setdefault((order.month, order.machine), [0, 0])[which] += count
    return tuple(
        MovedOrder(
            machine=case.params.machines[machine].name,
            month=month,
            before_count=was,
            ordered_count=is_now,
        )
        for (month, machine), (was, is_now) in sorted(counts.items())
        if was != is_now
    )


def _moving(params: PurchasePlanParams, plan: Plan, solver: Solver) -> tuple[MovedInput, ...]:
    """Inputs by how far the cost of the plan made for their ends moves, the farthest first."""
    from capmodels.plans.purchase.equations_kernel import case_of
    from capmodels.plans.purchase.scenarios_kernel import scenarios_of

    found: list[tuple[float, MovedInput]] = []
    for each in movable(params):
        costs = []
        for value in (each.low, each.high):
            asked = moved(params, each.pointer, value)
            case = case_of(asked, scenarios_of(asked, solver.seed))
            made = solver.solve(case, gap=max(params.gap_fraction, _MOVED_GAP))
            costs.append(math.nan if made is None else made.cost_usd)
        if all(map(math.isfinite, costs)):
            told = MovedInput(
                pointer=each.pointer,
                label=each.label,
                unit=each.unit,
                value=each.value,
                low=each.low,
                high=each.high,
                at_low_usd=costs[0],
                at_high_usd=costs[1],
            )
            found.append((max(abs(cost - plan.cost_usd) for cost in costs), told))
    return tuple(told for _, told in sorted(found, key=lambda one: -one[0]))


def _cost(plan: Plan | None) -> float | None:
    return None if plan is None else plan.cost_usd


def _run(params: PurchasePlanParams, context: Context) -> PurchasePlanResult:
    from capmodels.plans.purchase import worth_kernel as worth
    from capmodels.plans.purchase.equations_kernel import case_of, costs_by_scenario
    from capmodels.plans.purchase.program_kernel import Rules
    from capmodels.plans.purchase.scenarios_kernel import scenarios_of

    case = case_of(params, scenarios_of(params, context.seed))
    odds = case.scenarios.odds
    solver = worth.Solver(case, context.seed, context.report)
    solver.at(0.02, "Planning")
    plan = solver.solve()
    if plan is None:
        raise ModelError(_NONE)
    costs = costs_by_scenario(case, plan)
    solver.at(0.2, "Comparing with other ways")
    owned = solver.solve(rules=Rules(own_all=True)) if params.machines else None
    later = solver.solve(rules=Rules(first_month=params.today + 1))
    next_best = None
    if 0 < sum(1 for _ in plan.orders) <= _NEXT_MOST:
        next_best = solver.solve(rules=Rules(other_than=plan))
    known_all = worth.perfect(solver, plan)
    solver.at(0.62, "Deciding again at reviews")
    redecided = worth.redecided(solver)
    known = worth.known_worth(solver, plan) if len(case.scenarios.known) > 1 else {}
    unmet = _unmet_hours(case, plan)
    solver.at(0.95, "Planning for the ends of each input")
    moving = _moving(params, plan, solver)
    solver.at(0.99, "Planning as before")
    before = _before(params, context)
    answer = Answer(
        params=params,
        expected_usd=plan.cost_usd,
        gap_fraction=plan.gap,
        p10_usd=worth.weighted_quantile(costs, odds, 0.1),
        p90_usd=worth.weighted_quantile(costs, odds, 0.9),
        orders=_orders(case, plan),
        commitments=_commitments(case, plan),
        all_rented_usd=worth.all_rented(solver),
        all_owned_usd=_cost(owned),
        perfect_usd=None if known_all is None else known_all.cost_usd,
        perfect_tried=0 if known_all is None else known_all.tried,
        perfect_most_usd=None if known_all is None else known_all.worth_most_usd,
        mean_plan_usd=worth.mean_plan(solver),
        redecided_usd=_cost(redecided),
        redecided_gap=None if redecided is None else redecided.gap,
        later_usd=_cost(later),
        next_best_usd=_cost(next_best),
        next_best_orders=() if next_best is None else _orders(case, next_best),
        unmet_mean_h=unmet[0],
        unmet_worst_h=unmet[1],
        scenarios=len(odds),
        months=_months(case, plan),
        others=tuple(
            PlannedResource(unit=other.unit, months=_months(case, plan, place))
            for place, other in enumerate(params.demand.others, start=1)
        ),
        binding=_binding(case, plan),
        quarters=_quarters(case, plan),
        site=_site(case, plan),
        moving=moving,
        known=tuple(KnownWorth(unknown=name, worth_usd=usd) for name, usd in known.items()),
        before_usd=None if before is None else before[1].cost_usd,
        moved=() if before is None else _moved(case, before[1], plan),
        before_mean=()
        if before is None
        else tuple(float(each) for each in before[0].scenarios.odds @ before[0].scenarios.level)[
            : params.today
        ],
    )
    return PurchasePlanResult(
        headline=headline(answer),
        notes=notes(answer),
        tables=tables(answer),
        figures=figures(answer),
        bound_usd=plan.bound_usd,
        scenarios_count=answer.scenarios,
        redecided_gap_fraction=answer.redecided_gap,
        unmet_hours_mean_h=unmet[0],
        unmet_hours_worst_h=unmet[1],
        **{name: getattr(answer, name) for name in _SHARED},
    )


_SHARED = (
    "expected_usd", "gap_fraction", "p10_usd", "p90_usd", "orders", "commitments",
    "all_rented_usd", "all_owned_usd", "perfect_usd", "mean_plan_usd", "redecided_usd",
    "later_usd", "next_best_usd", "next_best_orders", "months", "others", "binding", "quarters",
    "site",
    "known", "moving", "before_usd", "moved",
)  # fmt: skip


def _points(params: PurchasePlanParams) -> int:
    """Months of all types, scenarios and reviews: what a search grows with."""
    level = params.demand.level
    paths = len(level.paths) if isinstance(level, EnteredLevel) else 1
    kinds = 1 + len(params.machines) + len(params.commitments)
    return params.months_count * kinds * (1 + len(params.reviews)) * max(1, paths // 50)


def _case(name: str) -> dict[str, Any]:
    """What the cases of our published checks change of the defaults."""
    growth = {"kind": "fixed", "value_fraction_per_year": 0.4}
    if name == "P2":
        return {"demand": {"level": {"kind": "grown", "growth": growth}}}
    if name == "P4":
        return {"site_limits": [{"machines_count": 8}]}
    if name == "P7":
        slow = {**growth, "value_fraction_per_year": 0.05}
        step = {"name": "Launch", "from_month": 18, "added_count": 900.0,
                "probability_fraction": 0.5}  # fmt: skip
        return {"demand": {"level": {"kind": "grown", "growth": slow}, "steps": [step]}}
    return {}


@lru_cache(maxsize=8)
def _solver(name: str, review_month: int = 12) -> Solver:
    from capmodels.plans.purchase.equations_kernel import case_of
    from capmodels.plans.purchase.scenarios_kernel import scenarios_of
    from capmodels.plans.purchase.worth_kernel import Solver

    review = {"month": review_month, "reveals": "everything"}
    document = {**_case(name), "gap_fraction": 1e-8, "reviews": [review]}
    params = PurchasePlanParams.model_validate(document)
    return Solver(case_of(params, scenarios_of(params, 0)), 0, Context().report)


@lru_cache(maxsize=8)
def _plan(name: str) -> Plan:
    plan = _solver(name).solve()
    if plan is None:
        raise ModelError(_NONE)
    return plan


def _way(name: str, way: str) -> float:
    """What a case of our checks costs one way. [USD]"""
    from capmodels.plans.purchase import worth_kernel as worth

    solver, plan = _solver(name), _plan(name)
    if way == "perfect information":
        known = worth.perfect(solver, plan)
        return math.nan if known is None else known.cost_usd
    other = {"all rented": worth.all_rented, "plan for the mean": worth.mean_plan}.get(way)
    return float((plan.cost_usd if other is None else other(solver)) or math.nan)


def _redecided(name: str, month: int) -> float:
    from capmodels.plans.purchase.worth_kernel import redecided

    plan = redecided(_solver(name, month))
    return math.nan if plan is None else plan.cost_usd


_SOURCE = (
    "a program of its own: the full deterministic equivalent with a variable for each scenario "
    "and hour, HiGHS to a gap of 1e-7; small ones also by enumeration"
)
_PRINTED = {
    "P1": (690_960.20, 1_212_920.22, 616_966.16, 692_455.59),
    "P2": (567_999.73, 1_133_138.31, 567_999.73, 567_999.73),
    "P4": (735_360.79, 1_212_920.22, 685_437.72, 744_434.23),
    "P7": (545_180.90, 966_211.72, 489_045.03, 547_113.44),
}
_WAYS = ("optimum", "all rented", "perfect information", "plan for the mean")
_ORDERS = {
    "P1": "0: 9, 3: 1, 6: 1, 9: 1, 12: 2, 15: 1",
    "P2": "0: 9, 3: 1, 6: 1, 9: 1, 12: 1, 15: 1, 18: 1",
    "P4": "0: 6, 3: 1, 6: 1",
    "P7": "0: 9, 15: 3",
}
_TITLES = {
    "P1": "Growth of 10, 40 or 80% a year",
    "P2": "Growth of 40% a year",
    "P4": "A site of 8 nodes",
    "P7": "A launch with even odds",
}


def _ordered(name: str) -> str:
    orders = sorted((order.month, count) for order, count in _plan(name).orders.items())
    return ", ".join(f"{month}: {count}" for month, count in orders)


# The best plan for the mean is not unique there, and what it costs when it is carried out differs.
_FLAT = {
    ("P4", "plan for the mean"): "Several plans are best for the mean to within the gap; they "
    "differ by some parts in a million when demand is uncertain.",
}
_HELD: dict[str, Any] = {
    "source": _SOURCE,
    "kind": "predicted",
    "tests": "plans.purchase.params.GrownLevel.now_count",
}

# What stops the orders there is the site, not what is asked of it.
_LIMITED = {"P4": {"tests": "plans.purchase.params.SiteLimit.machines_count"}}

_CHECKS = (
    *(
        derived_check(
            f"{name} {way}", f"{_TITLES[name]}: {way}", usd, partial(_way, name, way),
            **_HELD, unit="USD", tolerance=1e-6 * usd if (name, way) not in _FLAT else
            3e-6 * usd, printed=f"{usd:,.2f}", params=partial(_case, name),
            note=_FLAT.get((name, way)),
        )
        for name, printed in _PRINTED.items()
        for way, usd in zip(_WAYS, printed, strict=True)
    ),
    *(
        derived_check(f"{name} orders", f"{_TITLES[name]}: orders by month", text,
                      partial(_ordered, name), **{**_HELD, **_LIMITED.get(name, {})})
        for name, text in _ORDERS.items()
    ),
    derived_check("P4 committed", "A site of 8 nodes: cores committed for 36 months from now",
                  286.4, lambda: max(_plan("P4").starts.values()), **_HELD,
                  tolerance=0.05, unit="cores"),
    *(
        derived_check(f"{name} known from {month}", f"{_TITLES[name]}: known from month {month}",
                      usd, partial(_redecided, name, month), **_HELD, unit="USD",
                      tolerance=1e-6 * usd, printed=f"{usd:,.2f}")
        for name, month, usd in (
            ("P1", 12, 626_412.82), ("P1", 6, 618_858.51), ("P7", 12, 489_675.80),
        )
    ),
)  # fmt: skip

SPEC = ModelSpec(
    id="plans.purchase_plan",
    version="1.14.0",
    title="Plan of purchases",
    summary="How many machines to order in which month, how much to commit to for how long, and "
    "what to rent, under demand that is not known: the cheapest plan, with a proved gap.",
    params=PurchasePlanParams,
    result=PurchasePlanResult,
    run=_run,
    points=_points,
    instant=False,
    stochastic=True,
    quick_limit=1_000,
    start=dict,
    start_source="the case of our published checks",
    citations=(
        Citation(
            text="J. R. Birge, F. Louveaux, Introduction to Stochastic Programming, 2nd edition, "
            "2011",
            section="1, 4",
        ),
        Citation(
            text="H. Luss, Operations Research and Capacity Expansion Problems: A Survey, "
            "Operations Research 30 (1982)",
            url="https://doi.org/10.1287/opre.30.5.907",
        ),
        Citation(
            text="R. M. Van Slyke, R. Wets, L-Shaped Linear Programs, SIAM Journal on Applied "
            "Mathematics 17 (1969)",
            url="https://doi.org/10.1137/0117061",
        ),
        Citation(
            text="Q. Huangfu, J. A. J. Hall, Parallelizing the dual revised simplex method, "
            "Mathematical Programming Computation 10 (2018)",
            url="https://doi.org/10.1007/s12532-017-0130-5",
        ),
    ),
    formulas=(
        Formula(
            "objective",
            "least sum of d(t) (machines arrived x price + upkeep + committed + E[rent] + other "
            "costs, of which some begin with the first machine) less what machines are worth at "
            "the end, with d(t) = (1 + r)^(-t / 12)",
            "two-stage program with recourse, Birge and Louveaux 2011, chapter 1",
            {"r": "discount_fraction_per_year", "t": "month"},
        ),
        Formula(
            "rent",
            "E[rent](K) = 730 p E[max(0, D - K)], slope -730 p P(D > K): convex, by its tangents",
            "load duration curve; L-shaped method, Van Slyke and Wets 1969",
            {"K": "capacity owned and committed", "D": "demand of an hour", "p": "price"},
        ),
        Formula(
            "instances",
            "of whole instances E[rent](K) = 730 p (E[max(0, D - K)] + i P(D > K)), by the corners "
            "of its convex hull; without own machines 730 p E[max(0, D + i - K)]",
            "half an instance is empty on average, and spare ones run (plans.compare)",
            {"i": "idle units in an hour in which any is rented"},
        ),
        Formula(
            "resources",
            "several resources: E[rent](K) = 730 E[max over v of v (D - K)], v the corners of "
            "{v >= 0, a v <= p of every rented type}",
            "linear programming duality; L-shaped method, Van Slyke and Wets 1969",
            {"a": "what one of a type has of each resource", "p": "price of a type"},
        ),
        Formula(
            "perfect",
            "EVPI = cost of the plan - E[cost of the best plan of each scenario]",
            "Birge and Louveaux 2011, section 4.1",
        ),
        Formula(
            "mean",
            "VSS = E[cost of the plan for the mean] - cost of the plan",
            "Birge and Louveaux 2011, section 4.2",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Of several resources, what is observed at reviews is demand of the first; spot, and a "
        "limit of what can be rented, are planned of one only.",
        "A machine works until its life ends; taking it out earlier is not considered.",
        "Percentages of a bill, such as support, are as in the nearest design that was compared.",
        "A commitment starts only where it ends inside the horizon.",
        "What is observed until a review is the mean demand of the three months before.",
        "A month has 730 hours; payments are at its beginning.",
    ),
)
