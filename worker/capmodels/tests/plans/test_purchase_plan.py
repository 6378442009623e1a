"""A plan of purchases against plans counted out one by one, and what must hold for every plan."""

from __future__ import annotations

import csv
import io
import itertools
import math
from typing import Any

import numpy as np
import openpyxl
import pytest
from scipy.optimize import linprog

from capmodels.errors import ModelError
from capmodels.numbers import MONTHS
from capmodels.plans.purchase import worth_kernel as worth
from capmodels.plans.purchase.equations_kernel import case_of, costs_by_scenario
from capmodels.plans.purchase.order_list import as_csv, as_xlsx, order_list
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.program_kernel import Program, Rules, one_stage
from capmodels.plans.purchase.purchase_plan import SPEC
from capmodels.plans.purchase.recourse_kernel import Profile, recourse_of, rented
from capmodels.plans.purchase.scenarios_kernel import scenarios_of
from capmodels.spec import Context, evaluate
from capmodels.tests.asking import faults

DEEP_CASES = 200
FEW_CASES = 3
_ROUNDS_MOST = 40


def small_case(seed: int) -> dict[str, Any]:
    """At most four order months, three types, a commitment over the whole, a few scenarios."""
    rng = np.random.default_rng(seed)
    types, orders = [(1, 4), (2, 2), (3, 1), (2, 1), (1, 3)][seed % 5]
    every = int(rng.integers(1, 3))
    lead = int(rng.integers(0, 3))
    months = lead + every * (orders - 1) + int(rng.integers(1, every + 1))
    machines = [
        {
            "name": f"Type {place}",
            "capacity_count": float(rng.uniform(80, 160) * (1 + place)),
            "usable_fraction": float(rng.uniform(0.6, 1.0)),
            "price_usd": float(rng.uniform(500, 3000) * (1 + place)),
            "upkeep_usd_per_month": float(rng.uniform(20, 200)),
            "life_months": int(rng.integers(1, 40)),
            "resale_fraction": float(rng.uniform(0, 1)),
            "lead_months": lead,
            "order_every_months": every,
            "price_change": {
                "kind": "fixed", "value_fraction_per_year": float(rng.uniform(-0.5, 0.5)),
            },
        }
        for place in range(types)
    ]  # fmt: skip
    chances = rng.dirichlet(np.ones(3))
    cases = [
        {"value_fraction_per_year": float(value), "probability_fraction": float(chance)}
        for value, chance in zip(rng.uniform(-0.5, 3.0, 3), chances, strict=True)
    ]
    return {
        "months_count": months,
        "demand": {
            "level": {
                "kind": "grown",
                "now_count": float(rng.uniform(60, 200)),
                "growth": {"kind": "cases", "cases": cases},
            },
            "profile_ratio": rng.uniform(0.3, 2.0, 5).tolist(),
        },
        "machines": machines,
        "end": ["stops", "continues"][int(rng.integers(0, 2))],
        "site_limits": [{"from_month": 1, "machines_count": int(rng.integers(1, 5))}]
        if rng.random() < 0.4
        else [],
        "budget_usd": [float(rng.uniform(2000, 9000))] if rng.random() < 0.3 else [],
        "commitments": [{"name": "Whole", "term_months": months, "discount_fraction": 0.35}],
        "on_demand": {"usd_per_unit_h": float(rng.uniform(0.005, 0.05))},
        "gap_fraction": 1e-9,
        "reviews": [],
        "beside": {
            "rented_usd": rng.uniform(0, 300, months).tolist(),
            "owned_usd": rng.uniform(-100, 500, months).tolist(),
            "opening_usd": float(rng.uniform(-500, 1500)),
        }
        if rng.random() < 0.5
        else None,
    }


def counted_out(params: Any) -> float:
    """Cheapest of all plans, each costed by hand. [USD]

    The best committed amount of a plan is one at which some hour is just carried, or none.
    """
    level = params.demand.level
    ratios = np.array(params.demand.profile_ratio)
    ratios = ratios / ratios.mean()
    months, rate = params.months_count, params.discount_fraction_per_year
    value = (1 + rate) ** (-np.arange(months + 1) / 12)
    cases = level.growth.cases
    chances = np.array([case.probability_fraction for case in cases])
    growth = np.array([case.value_fraction_per_year for case in cases])
    demand = (
        level.now_count * (1 + growth[:, None, None]) ** (np.arange(months)[:, None] / 12) * ratios
    )
    columns, bounds = [], []
    for machine in params.machines:
        for month in range(0, months, machine.order_every_months):
            arrives = month + machine.lead_months
            if arrives < months:
                columns.append((machine, arrives))
                carries = machine.capacity_count * machine.usable_fraction
                bounds.append(range(math.ceil(demand.max() / carries) + 2))
    price, idle = params.on_demand.usd_per_unit_h * 730, params.on_demand.idle_count
    committed = price * (1 - params.commitments[0].discount_fraction) * value[:-1].sum()
    best = math.inf
    for counts in itertools.product(*bounds):
        cost, capacity, there = 0.0, np.zeros(months), np.zeros(months)
        spent = np.zeros(10)
        for count, (machine, arrives) in zip(counts, columns, strict=True):
            ends = min(arrives + machine.life_months, months)
            paid = machine.price_usd
            paid *= (1 + machine.price_change.value_fraction_per_year) ** (arrives / 12)
            capacity[arrives:ends] += count * machine.capacity_count * machine.usable_fraction
            there[arrives:ends] += count
            spent[arrives // 12] += count * paid
            cost += count * machine.upkeep_usd_per_month * value[arrives:ends].sum()
            used = ends - arrives
            if params.end == "stops":
                left = machine.resale_fraction * (1 - used / machine.life_months)
                cost += count * paid * (value[arrives] - left * value[months])
            else:
                step = (1 + rate) ** (-1 / 12)
                annuity = sum(step**month for month in range(machine.life_months))
                charged = sum(step**month for month in range(used)) / annuity
                cost += count * paid * value[arrives] * charged
        if any(spent[year] > most + 1e-9 for year, most in enumerate(params.budget_usd)):
            continue
        if any((there[limit.from_month :] > limit.machines_count).any()
               for limit in params.site_limits):  # fmt: skip
            continue
        if params.beside is not None:
            first = min((at for count, (_, at) in zip(counts, columns, strict=True) if count),
                        default=months)  # fmt: skip
            each = [*params.beside.rented_usd[:first], *params.beside.owned_usd[first:]]
            cost += float(np.array(each) @ value[:-1])
            cost += params.beside.opening_usd * value[first] if first < months else 0.0
        missing = demand - capacity[:, None]
        for amount in {0.0, *np.maximum(missing, 0.0).ravel().tolist()}:
            above = missing - amount
            rest = (np.maximum(above, 0.0) + idle * (above > 1e-6)).mean(axis=2)
            rent = price * float((chances @ rest) @ value[:-1])
            best = min(best, cost + committed * amount + rent)
    return best


def planned(document: dict[str, Any], seed: int = 0) -> tuple[worth.Solver, Any]:
    """The solver of a question and its plan."""
    params = PurchasePlanParams.model_validate(document)
    case = case_of(params, scenarios_of(params, seed))
    solver = worth.Solver(case, seed, lambda _fraction, _text: None)
    return solver, solver.solve()


@pytest.mark.parametrize("seed", range(FEW_CASES))
@pytest.mark.decisive
def test_a_small_plan_is_the_cheapest_of_all_counted_out(seed: int) -> None:
    document = small_case(seed)
    solver, plan = planned(document)
    assert plan.cost_usd == pytest.approx(counted_out(solver.case.params), rel=1e-6)
    assert plan.bound_usd <= plan.cost_usd * (1 + 1e-9)
    assert float(solver.case.scenarios.odds @ costs_by_scenario(solver.case, plan)) == (
        pytest.approx(plan.cost_usd, rel=1e-12)
    )


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(FEW_CASES, DEEP_CASES))
def test_two_hundred_small_plans_are_the_cheapest_of_all(seed: int) -> None:
    solver, plan = planned(small_case(seed))
    assert plan.cost_usd == pytest.approx(counted_out(solver.case.params), rel=1e-6)


@pytest.mark.parametrize("seed", [0, 1, 3, *(pytest.param(seed, marks=pytest.mark.deep)
                                             for seed in range(4, 60))])  # fmt: skip
def test_of_whole_instances_the_cheapest_of_all_is_within_the_gap_that_a_plan_tells(
    seed: int,
) -> None:
    document = small_case(seed)
    document["on_demand"]["idle_count"] = float(np.random.default_rng(seed).uniform(5, 60))
    solver, plan = planned(document)
    cheapest = counted_out(solver.case.params)
    assert plan.bound_usd <= cheapest + 1e-6 * abs(cheapest)
    assert cheapest <= plan.cost_usd + 1e-6 * abs(cheapest)


def _least(prices: list[float], need: float, bounds: list[Any]) -> float:
    """Cheapest way to carry what is needed in an hour."""
    found: Any = linprog(prices, A_eq=[[1, 1, 1]], b_eq=[need], bounds=bounds)
    return float(found.fun)


@pytest.mark.parametrize("seed", range(6))
def test_rent_is_what_the_cheapest_of_each_hour_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    demand, capacity = rng.uniform(0, 200, 12), float(rng.uniform(0, 120))
    document: dict[str, Any] = {
        "on_demand": {"usd_per_unit_h": 0.05, "most_count": 40.0 if seed % 2 else None},
        "spot": {"usd_per_unit_h": 0.02, "share_fraction": 0.3} if seed % 3 else None,
        "unmet_usd_per_unit_h": 0.4 if seed % 2 else None,
    }
    params: Any = PurchasePlanParams.model_validate(document)
    direct = 0.0
    for here in demand:
        spot = 0.0 if params.spot is None else here * params.spot.share_fraction
        bounds = [(0, spot), (0, params.on_demand.most_count), (0, None)]
        prices = [0.02 * 1.05, 0.05, 0.4 if seed % 2 else 1e6]
        need = max(0.0, here - capacity)
        direct += _least(prices, need, bounds) / len(demand)
    profile = Profile(np.sort(demand / demand.mean()))
    cost, slope = rented(profile, recourse_of(params), demand.mean(), np.array([capacity]))
    assert cost[0] == pytest.approx(730 * direct, rel=1e-9)
    more = rented(profile, recourse_of(params), demand.mean(), np.array([capacity + 1e-6]))[0]
    assert (more[0] - cost[0]) / 1e-6 == pytest.approx(slope[0], rel=1e-4, abs=1e-4)


SMALL: dict[str, Any] = {
    "months_count": 12,
    "scenarios_count": 8,
    "machines": [{"lead_months": 2}],
    "demand": {
        "level": {
            "kind": "grown",
            "growth": {
                "kind": "range",
                "low_fraction_per_year": 0.0,
                "likely_fraction_per_year": 0.3,
                "high_fraction_per_year": 1.5,
            },
        },
        "steps": [
            {"name": "Launch", "from_month": 6, "added_count": 300.0, "probability_fraction": 0.5}
        ],
    },
    "commitments": [{"name": "Half a year", "term_months": 6, "discount_fraction": 0.3}],
    "reviews": [{"month": 3, "groups_count": 3}, {"month": 6, "reveals": "everything"}],
    "gap_fraction": 1e-6,
}


def test_more_that_is_known_never_costs_more() -> None:
    result: Any = evaluate(SPEC, SMALL, Context(seed=5))
    assert result.gap_fraction <= 1e-6
    ascending = [result.perfect_usd, result.redecided_usd, result.expected_usd]
    assert ascending == sorted(ascending)
    for other in ("mean_plan_usd", "all_rented_usd", "later_usd", "next_best_usd"):
        assert getattr(result, other) >= result.expected_usd * (1 - 1e-6)
    most = result.expected_usd - result.perfect_usd
    worths = {each.unknown: each.worth_usd for each in result.known}
    assert set(worths) == {"Growth of demand", "Launch"}
    assert all(0 <= usd <= most * (1 + 1e-6) for usd in worths.values())
    assert evaluate(SPEC, SMALL, Context(seed=5)) == result


def test_an_unknown_that_moves_nothing_is_worth_nothing_to_know() -> None:
    """Not what the last bits of two sums differ by, which was written as $0.0000000000412."""
    price = {"kind": "range", "low_fraction_per_year": -0.3, "likely_fraction_per_year": 0.0,
             "high_fraction_per_year": 0.3}  # fmt: skip
    document = {**SMALL, "scenarios_count": 40, "commitments": [],
                "machines": [{"price_usd": 1e9, "price_change": price}]}  # fmt: skip
    result = evaluate(SPEC, document, Context(seed=0))
    # All is rented, whatever is known.
    assert result.orders == ()
    assert {each.worth_usd for each in result.known} == {0.0}


def test_knowing_an_unknown_is_worth_what_plans_for_each_of_its_cases_save() -> None:
    document = small_case(4)
    step = {"name": "Launch", "from_month": 1, "added_count": 150.0, "probability_fraction": 0.4}
    document["demand"]["steps"] = [step]
    solver, plan = planned(document)
    nested = plan.cost_usd
    for chance, extra in ((0.4, [{**step, "probability_fraction": 1.0}]), (0.6, [])):
        one = {**document, "demand": {**document["demand"], "steps": extra}}
        nested -= chance * planned(one)[1].cost_usd
    assert worth.known_worth(solver, plan)["Launch"] == pytest.approx(nested, abs=1e-4)


def test_without_discount_and_resale_the_cost_is_the_cash_of_all_quarters() -> None:
    document = {
        **SMALL,
        "discount_fraction_per_year": 0.0,
        "machines": [{"lead_months": 2, "resale_fraction": 0.0}],
        "held_machines": [
            {"name": "Old", "count": 2, "capacity_count": 64.0, "upkeep_usd_per_month": 300.0,
             "until_month": 7},
        ],
        "held_commitments": [
            {"name": "Run", "committed_count": 50.0, "usd_per_unit_h": 0.03, "until_month": 5},
        ],
        "beside": {"rented_usd": [20.0] * 36, "owned_usd": [7.0] * 36, "opening_usd": 900.0},
    }  # fmt: skip
    result = evaluate(SPEC, document, Context(seed=1))
    cash = math.fsum(
        each.machines_usd + each.upkeep_usd + each.committed_usd + each.rented_usd
        + each.beside_usd
        for each in result.quarters
    )  # fmt: skip
    # What is owed whatever is decided is in the bound, too.
    assert result.gap_fraction <= 1e-4
    assert cash == pytest.approx(result.expected_usd, rel=1e-9)
    for month in result.months:
        carried = (
            month.owned_used_count + month.committed_used_count + month.on_demand_count
            + month.spot_count + month.unmet_count
        )  # fmt: skip
        assert carried == pytest.approx(month.demand_mean_count, rel=1e-9)


def test_a_smaller_site_costs_more_and_says_what_room_is_worth() -> None:
    wide, narrow = (
        evaluate(SPEC, {**SMALL, "reviews": [], "site_limits": [{"machines_count": count}]})
        for count in (40, 3)
    )
    assert narrow.expected_usd > wide.expected_usd
    assert wide.site[0].reached_month is None
    assert wide.site[0].worth_usd == pytest.approx(0.0, abs=1e-6)
    assert narrow.site[0].reached_month is not None
    assert narrow.site[0].worth_usd > 0


def test_what_cannot_be_met_is_refused_and_a_cancel_ends_the_search() -> None:
    with pytest.raises(ModelError, match="No plan meets demand"):
        evaluate(SPEC, {**SMALL, "on_demand": None, "commitments": []})

    def cancel(_fraction: float, _text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(SPEC, SMALL, Context(report=cancel))


def test_a_search_for_whole_machines_ends_when_it_is_told_to() -> None:
    params = PurchasePlanParams.model_validate({})
    case = case_of(params, scenarios_of(params, 0))
    rounds = iter(range(_ROUNDS_MOST))

    def stop() -> None:
        if next(rounds, None) is None:
            raise KeyboardInterrupt

    # The relaxation takes fewer rounds than this: it ends inside of the search.
    with pytest.raises(KeyboardInterrupt):
        Program(case, one_stage(case)).solve(1e-9, stopped=stop)


def test_without_machines_or_rent_there_is_still_an_answer() -> None:
    rented_only = evaluate(SPEC, {**SMALL, "machines": [], "reviews": []})
    assert not rented_only.orders
    assert rented_only.all_owned_usd is None
    unmet = evaluate(
        SPEC,
        {**SMALL, "on_demand": None, "commitments": [], "unmet_usd_per_unit_h": 1.0, "reviews": []},
    )
    assert unmet.all_rented_usd is None
    assert unmet.unmet_hours_worst_h >= unmet.unmet_hours_mean_h > 0


def test_machines_are_bought_by_the_least_number_of_an_order() -> None:
    document = {**SMALL, "machines": [{"lead_months": 2, "minimum_order_count": 4}]}
    _, plan = planned(document)
    assert all(count >= 4 for count in plan.orders.values())
    one_by_one = planned(SMALL)[1]
    assert plan.cost_usd >= one_by_one.cost_usd * (1 - 1e-7)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"budget_usd": [-1.0]}, "/budget_usd/0"),
        ({"site_limits": [{"power_kw": 10.0}]}, "/site_limits"),
        ({"reviews": [{"month": 6}, {"month": 3}]}, "/reviews"),
        ({"machines": [{}, {}]}, "/machines/1/name"),
        ({"on_demand": None}, ""),
        ({"demand": {"season_ratio": [1.0]}}, "/demand/season_ratio"),
    ],
)
def test_a_question_that_cannot_be_is_refused(change: dict[str, Any], place: str) -> None:
    assert place in faults(SPEC.id, change)


def test_all_owned_meets_every_hour_after_the_first_delivery() -> None:
    solver, _ = planned(SMALL)
    plan = solver.solve(rules=Rules(own_all=True))
    assert plan is not None
    peak = solver.case.scenarios.level.max(axis=0) * solver.case.profile.ratios[-1]
    assert (plan.capacity[0][2:, 0] >= peak[2:] - 1e-6).all()
    assert not plan.starts


def test_draws_have_the_quantiles_asked_for() -> None:
    growth = {"kind": "log_normal", "p10_fraction_per_year": 0.1, "p90_fraction_per_year": 0.6}
    document = {"scenarios_count": 2000, "demand": {"level": {"kind": "grown", "growth": growth}}}
    drawn = scenarios_of(PurchasePlanParams.model_validate(document), 3)
    values = drawn.known["Growth of demand"]
    assert np.quantile(values, 0.1) == pytest.approx(0.1, abs=2e-3)
    assert np.quantile(values, 0.9) == pytest.approx(0.6, abs=2e-3)
    pert = {"kind": "range", "low_fraction_per_year": 0.0, "likely_fraction_per_year": 0.2,
            "high_fraction_per_year": 0.8, "shape": "pert"}  # fmt: skip
    document["demand"] = {"level": {"kind": "grown", "growth": pert}}
    drawn = scenarios_of(PurchasePlanParams.model_validate(document), 3)
    assert drawn.known["Growth of demand"].mean() == pytest.approx((0.0 + 0.8 + 0.8) / 6, abs=1e-3)


def test_growth_levels_off_at_its_ceiling() -> None:
    level = {"kind": "grown", "growth": {"kind": "fixed", "value_fraction_per_year": 0.5},
             "ceiling_count": 900.0}  # fmt: skip
    document = {"months_count": 120, "demand": {"level": level}}
    path = scenarios_of(PurchasePlanParams.model_validate(document), 0).level[0]
    assert path[0] == pytest.approx(600.0)
    assert path[1] / path[0] == pytest.approx(1.5 ** (1 / 12), rel=2e-3)
    assert (np.diff(path) > 0).all()
    assert 890.0 < path[-1] < 900.0


def test_the_headline_says_what_is_ordered_when_and_what_knowing_is_worth() -> None:
    text = evaluate(SPEC, {}).headline
    assert text.startswith(
        "**Order 9 Nodes now, 1 each in months 3, 6 and 9, 2 in month 12, 1 in month 15; "
        "commit nothing; rent the peaks: $691"
    )
    assert "Knowing from month 12 on how demand grows is worth $65" in text
    assert "no forecast, however good, more than $74" in text


def test_spare_machines_are_in_the_order_list_and_what_is_not_rented_is_not_said() -> None:
    flat = {"kind": "fixed", "value_fraction_per_year": 0.0}
    document = {
        "months_count": 12, "reviews": [], "commitments": [],
        "demand": {"level": {"kind": "grown", "now_count": 600.0, "growth": flat},
                   "swing_fraction": 0.0},
        "machines": [{"price_usd": 500.0, "upkeep_usd_per_month": 1.0, "lead_months": 0,
                      "spare_count": 2}],
    }  # fmt: skip
    params = PurchasePlanParams.model_validate(document).model_dump(mode="json")
    found = evaluate(SPEC, params, Context(seed=0))
    assert "rent" not in found.headline.split("expected")[0]
    assert any("2 Nodes to spare" in note for note in found.notes)
    assert any("list has days" in note for note in found.notes)
    dated = evaluate(SPEC, {**params, "first_month": "2027-01"}, Context(seed=0))
    assert not any("list has days" in note for note in dated.notes)
    rows = order_list(params, found.model_dump(mode="json"))
    (ordered,) = [row for row in rows if row[1] == "Machines"]
    (spare,) = [row for row in rows if row[1] == "Spare machines"]
    assert spare[3] == 2
    assert (spare[0], spare[5], spare[7]) == (ordered[0], ordered[5], ordered[7])


def test_a_worth_smaller_than_what_is_proved_is_told_as_the_most_it_can_be() -> None:
    params = {**PurchasePlanParams().model_dump(mode="json"), "gap_fraction": 0.05}
    answered = evaluate(SPEC, params, Context(seed=0))
    exact = evaluate(SPEC, {**params, "gap_fraction": 1e-6}, Context(seed=0))
    assert exact.perfect_usd is not None
    solver, plan = planned(params)
    loose = worth.perfect(solver, plan)
    assert loose is not None
    assert loose.worth_most_usd >= exact.expected_usd - exact.perfect_usd
    assert answered.gap_fraction > 1e-6


def test_an_order_list_is_what_the_plan_orders_and_commits_to() -> None:
    document = {
        **SMALL,
        "machines": [{"name": "=Node", "lead_months": 2, "order_every_months": 1}],
        "first_month": "2026-12",
        "budget_usd": [100_000.0],
        "commitments": [{"name": "Year", "term_months": 12, "discount_fraction": 0.38}],
        "site_limits": [{"machines_count": 4}],
        "reviews": [],
        "currency": {"code": "EUR", "per_usd": 0.5, "as_of": "2026-11-01"},
    }
    result = evaluate(SPEC, document, Context(seed=5))
    head, *rows = order_list(document, result.model_dump(mode="json"))
    assert "Amount [EUR]" in head
    assert result.orders
    assert result.commitments
    lines: list[dict[Any, Any]] = [dict(zip(head, row, strict=True)) for row in rows]
    assert len(lines) == len(result.orders) + len(result.commitments)
    machines = [line for line in lines if line["Kind"] == "Machines"]
    assert sum(line["Quantity"] for line in machines) == sum(
        order.ordered_count for order in result.orders
    )
    for line, order in zip(machines, result.orders, strict=True):
        assert line["Amount [EUR]"] == pytest.approx(order.paid_usd / 2, abs=0.01)
    assert {line["Order by"] for line in machines} <= {
        f"1 {month}" for month in ("Dec 2026", *(f"{name} 2027" for name in MONTHS))
    }
    sheet: Any = openpyxl.load_workbook(io.BytesIO(as_xlsx([head, *rows]))).active
    assert sheet.max_row == 1 + len(rows)
    read = list(csv.DictReader(io.StringIO(as_csv([head, *rows]))))
    # No spreadsheet takes a name for a formula.
    assert {line["What"] for line in read} == {"'=Node", "Year"}
    spent = sum(order.paid_usd for order in result.orders)
    assert result.quarters[-1].budget_left_usd == pytest.approx(100_000.0 - spent)
    cash = next(table for table in result.tables if table.title == "Cash by quarter")
    assert cash.columns[-1] == "Budget left"


# Growth that is known, of 40% a year.
KNOWN: dict[str, Any] = {
    "demand": {
        "level": {
            "kind": "grown",
            "growth": {"kind": "fixed", "value_fraction_per_year": 0.4},
        },
    },
    "gap_fraction": 1e-8,
    "reviews": [],
}


def passed(months: int, ratio: float = 1.0) -> list[float]:
    """Demand of the months that have passed, over what KNOWN expects."""
    return [600.0 * 1.4 ** (month / 12) * ratio for month in range(months)]


def test_what_came_as_planned_leaves_the_plan_and_its_cost_as_they_were() -> None:
    first = evaluate(SPEC, KNOWN)
    placed = [
        {"machine": order.machine, "month": order.month, "ordered_count": order.ordered_count}
        for order in first.orders
        if order.month < 6
    ]
    again = evaluate(SPEC, {**KNOWN, "actual_mean_count": passed(6), "placed_orders": placed})
    assert again.expected_usd == pytest.approx(first.expected_usd, rel=1e-9)
    assert again.before_usd == pytest.approx(first.expected_usd, rel=1e-9)
    assert again.moved == ()
    assert any("as expected. No order moves" in note for note in again.notes)
    assert [order.placed for order in again.orders] == [order.month < 6 for order in again.orders]
    assert [(order.month, order.ordered_count) for order in again.orders] == [
        (order.month, order.ordered_count) for order in first.orders
    ]
    # Only what is still to be ordered is on the list.
    _, *rows = order_list({**KNOWN, "actual_mean_count": passed(6), "placed_orders": placed},
                          again.model_dump(mode="json"))  # fmt: skip
    assert len(rows) == sum(not order.placed for order in again.orders)


@pytest.mark.decisive
def test_what_was_ordered_stays_and_the_rest_is_planned_from_today() -> None:
    placed = [{"machine": "Node", "month": 1, "ordered_count": 3}]
    happened = {"actual_mean_count": passed(6, 1.3), "placed_orders": placed}
    result = evaluate(SPEC, {**KNOWN, **happened})
    early = [order for order in result.orders if order.month < 6]
    assert [(order.month, order.ordered_count, order.placed) for order in early] == [(1, 3, True)]
    assert result.months[5].demand_mean_count == pytest.approx(passed(6, 1.3)[5])
    # It grows on from what was seen last.
    assert result.months[17].demand_mean_count == pytest.approx(1.4 * passed(6, 1.3)[5])
    assert {each.month for each in result.moved} >= {0, 1, 6}
    assert "30% above" in " ".join(result.notes)
    assert result.headline.startswith("**From month 6 on order ")


def test_a_step_that_did_not_come_in_its_months_does_not_come() -> None:
    step = {"name": "Launch", "from_month": 2, "latest_month": 5, "added_count": 500.0,
            "probability_fraction": 0.5}  # fmt: skip
    document = {**KNOWN, "demand": {**KNOWN["demand"], "steps": [step]}}

    def odds(months: int) -> float:
        asked = {**document, "actual_mean_count": passed(months)}
        case = scenarios_of(PurchasePlanParams.model_validate(asked), 0)
        return float(case.odds @ (case.level[:, 8] > 1.5 * passed(9)[8]))

    # Half of the odds at first; of what is left half of a half, and then none.
    assert odds(0) == pytest.approx(0.5)
    assert odds(4) == pytest.approx(0.25 / 0.75)
    assert odds(6) == 0.0


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"placed_orders": [{"machine": "Other", "month": 0, "ordered_count": 1}]},
         {"/placed_orders/0/machine": "not_a_choice"}),
        ({"placed_orders": [{"machine": "Node", "month": 4, "ordered_count": 1}]},
         {"/placed_orders/0/month": "out_of_range"}),
        ({"placed_commitments": [{"commitment": "3 years", "month": 1, "committed_count": 9.0}]},
         {"/placed_commitments/0/month": "out_of_range"}),
        ({"actual_mean_count": [1.0] * 36}, {"/actual_mean_count": "out_of_range"}),
    ],
)  # fmt: skip
def test_what_cannot_have_happened_is_refused(said: Any, fault: dict[str, str]) -> None:
    asked = {**KNOWN, "actual_mean_count": passed(2), **said}
    assert faults(SPEC.id, asked) == fault


@pytest.mark.parametrize(
    ("spread", "mean", "p10"),
    [
        ({"kind": "range", "low_count": 300.0, "high_count": 900.0}, 600.0, 434.2),
        ({"kind": "range", "low_count": 300.0, "high_count": 900.0, "shape": "pert"}, 600.0, 448.0),
        ({"kind": "log_normal", "p10_count": 400.0, "p90_count": 900.0}, 630.8, 400.0),
        ({"kind": "cases", "cases": [
            {"value_count": 400.0, "probability_fraction": 0.25},
            {"value_count": 800.0, "probability_fraction": 0.75},
        ]}, 700.0, 400.0),
    ],
)  # fmt: skip
def test_demand_of_now_may_be_of_any_shape(spread: Any, mean: float, p10: float) -> None:
    level = {**KNOWN["demand"]["level"], "now_spread": spread}
    asked = {**KNOWN, "demand": {"level": level}, "scenarios_count": 4000}
    case = scenarios_of(PurchasePlanParams.model_validate(asked), 3)
    now = case.level[:, 0]
    assert float(case.odds @ now) == pytest.approx(mean, rel=1e-3)
    assert worth.weighted_quantile(now, case.odds, 0.1) == pytest.approx(p10, rel=2e-3)
    assert set(case.known) == {"Demand of now"}
    # Once demand was seen, it is known.
    seen = {**asked, "actual_mean_count": [500.0]}
    after = scenarios_of(PurchasePlanParams.model_validate(seen), 3)
    assert after.known == {}
    assert float(after.level[0, 0]) == 500.0


def test_measuring_the_demand_of_now_is_worth_what_plans_for_each_case_save() -> None:
    document = small_case(4)
    cases = [(90.0, 0.4), (190.0, 0.6)]
    spread = [{"value_count": v, "probability_fraction": p} for v, p in cases]
    level = {**document["demand"]["level"], "now_spread": {"kind": "cases", "cases": spread}}
    solver, plan = planned({**document, "demand": {**document["demand"], "level": level}})
    nested = plan.cost_usd
    for value, chance in cases:
        one = {**document["demand"]["level"], "now_count": value}
        alone = planned({**document, "demand": {**document["demand"], "level": one}})[1]
        nested -= chance * alone.cost_usd
    assert nested > 0
    assert worth.known_worth(solver, plan)["Demand of now"] == pytest.approx(nested, abs=1e-4)


def test_what_moves_the_plan_is_the_plan_made_for_each_end() -> None:
    document = {**SMALL, "reviews": []}
    found = evaluate(SPEC, document, Context(seed=1))
    by = {each.pointer: each for each in found.moving}
    growth, price = by["/demand/level/growth"], by["/machines/0/price_usd"]
    assert (growth.low, growth.value, growth.high) == (0.0, 0.3, 1.5)
    dearer = {**document, "machines": [{**SMALL["machines"][0], "price_usd": price.high}]}
    again = evaluate(SPEC, dearer, Context(seed=1))
    assert price.at_high_usd == pytest.approx(again.expected_usd, rel=2e-3)
    known = {"kind": "fixed", "value_fraction_per_year": growth.high}
    level = {**SMALL["demand"]["level"], "growth": known}
    certain = evaluate(SPEC, {**document, "demand": {**SMALL["demand"], "level": level}})
    assert growth.at_high_usd == pytest.approx(certain.expected_usd, rel=2e-3)
    usd = found.expected_usd
    far = [max(abs(each.at_low_usd - usd), abs(each.at_high_usd - usd))
           for each in found.moving]  # fmt: skip
    assert far == sorted(far, reverse=True)
