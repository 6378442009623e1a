"""A plan of several resources against the whole program, with a variable for each hour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.stats import spearmanr

from capmodels.plans.purchase.equations_kernel import Order as Column
from capmodels.plans.purchase.equations_kernel import bundles_of, case_of, machine_usd
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.purchase_plan import SPEC
from capmodels.plans.purchase.scenarios_kernel import scenarios_of
from capmodels.spec import Context, evaluate
from capmodels.tests.asking import faults


def several(seed: int) -> dict[str, Any]:
    """Two or three resources, two machine types and instances of some of each."""
    rng = np.random.default_rng(seed)
    more = 1 + seed % 2

    def some(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    def change() -> dict[str, Any]:
        odds = some(0.2, 0.8)
        return {"kind": "cases", "cases": [
            {"value_fraction_per_year": some(-0.3, 0.3), "probability_fraction": odds},
            {"value_fraction_per_year": some(0.4, 2.0), "probability_fraction": 1.0 - odds},
        ]}  # fmt: skip

    def machine(name: str) -> dict[str, Any]:
        return {
            "name": name, "capacity_count": some(60, 150), "usable_fraction": some(0.6, 1.0),
            "others_count": [some(0, 60) for _ in range(more)], "price_usd": some(800, 4000),
            "upkeep_usd_per_month": some(10, 90), "life_months": int(rng.integers(3, 40)),
            "lead_months": int(rng.integers(0, 2)), "order_every_months": 2,
        }  # fmt: skip

    return {
        "months_count": 5,
        "demand": {
            "level": {"kind": "grown", "now_count": some(80, 250), "growth": change()},
            "profile_ratio": rng.uniform(0.3, 2.0, 4).tolist(),
            "others": [
                {
                    "unit": f"unit {place}", "now_count": some(20, 90), "growth": change(),
                    "profile_ratio": rng.uniform(0.3, 2.0, [4, 2][place]).tolist(),
                    "usd_per_unit_h": some(0.01, 0.1),
                }
                for place in range(more)
            ],
        },
        "machines": [machine("Thin"), machine("Fat")],
        "on_demand": {
            "usd_per_unit_h": some(0.01, 0.06),
            "instances": [
                {"name": f"i{place}", "usd_per_h": some(0.05, 0.5), "count": some(1, 4),
                 "others_count": [some(0, 4) for _ in range(more)]}
                for place in range(2)
            ],
        },
        "commitments": [{"name": "Whole", "term_months": 5, "discount_fraction": 0.35,
                         "unit": "unit 0"}],
        "site_limits": [{"machines_count": 3}] if rng.random() < 0.5 else [],
        "gap_fraction": 1e-9,
        "reviews": [],
    }  # fmt: skip


def whole_program(params: PurchasePlanParams) -> float:
    """Least cost with a variable for every rented type in every hour. [USD]"""
    case = case_of(params, scenarios_of(params, 0))
    assert params.on_demand is not None
    others = params.demand.others
    types = [[1.0, *[0.0] * len(others)]]
    prices = [params.on_demand.usd_per_unit_h]
    for place, other in enumerate(others, start=1):
        types.append([float(each == place) for each in range(1 + len(others))])
        prices.append(other.usd_per_unit_h or 0.0)
    for each in params.on_demand.instances:
        types.append([each.count, *each.others_count])
        prices.append(each.usd_per_h)
    bundles = bundles_of(params)
    cost: list[float] = []
    whole: list[int] = []
    columns: list[tuple[int, int, np.ndarray]] = []  # from, to, what it carries
    for place, machine in enumerate(params.machines):
        for month in range(0, params.months_count, machine.order_every_months):
            arrives = month + machine.lead_months
            if arrives < params.months_count:
                ends = min(arrives + machine.life_months, params.months_count)
                usd = machine_usd(case, Column(0, place, month, arrives, ends))
                cost.append(float(case.scenarios.odds @ usd))
                own = machine.capacity_count * machine.usable_fraction
                columns.append((arrives, ends, np.array([own, *machine.others_count])))
                whole.append(1)
    machines = len(cost)
    monthly = (others[0].usd_per_unit_h or 0.0) * 730 * (1 - 0.35)
    cost.append(monthly * float(case.discount[:-1].sum()))
    whole.append(0)
    unit = np.zeros(1 + len(others))
    unit[1] = 1.0
    columns.append((0, params.months_count, unit))
    rows, least = [], []
    blocks = [(month, scenario, hour) for month in range(params.months_count)
              for scenario in range(len(case.scenarios.odds))
              for hour in range(len(bundles.ratios))]  # fmt: skip
    total = len(cost) + len(blocks) * len(types)
    for at, (month, scenario, hour) in enumerate(blocks):
        odds = case.scenarios.odds[scenario]
        weight = odds * 730 / len(bundles.ratios) * case.discount[month]
        weight *= case.scenarios.rent_ratio[scenario, month]
        cost += [weight * usd for usd in prices]
        demand = case.levels(month)[scenario] * bundles.ratios[hour]
        for resource in range(1 + len(others)):
            row = np.zeros(total)
            for column, (first, end, carries) in enumerate(columns):
                if first <= month < end:
                    row[column] = carries[resource]
            base = len(columns) + at * len(types)
            row[base : base + len(types)] = [each[resource] for each in types]
            rows.append(row)
            least.append(demand[resource])
    for limit in params.site_limits:
        for month in range(params.months_count):
            row = np.zeros(total)
            for column, (first, end, _) in enumerate(columns[:machines]):
                row[column] = -1.0 if first <= month < end else 0.0
            rows.append(row)
            least.append(-float(limit.machines_count or 0.0))
    kinds = np.array([*whole, *[0] * (total - len(whole))])
    found = milp(
        np.array(cost), integrality=kinds, bounds=Bounds(0, np.inf),
        constraints=LinearConstraint(np.array(rows), np.array(least), np.inf),
        options={"mip_rel_gap": 1e-9},
    )  # fmt: skip
    assert found.success
    return float(found.fun)


@pytest.mark.parametrize("seed", range(4))
def test_a_plan_of_several_resources_is_the_cheapest_of_the_whole_program(seed: int) -> None:
    document = several(seed)
    result = evaluate(SPEC, document, Context(seed=1))
    expected = whole_program(PurchasePlanParams.model_validate(document))
    assert result.expected_usd == pytest.approx(expected, rel=1e-6)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(4, 44))
def test_many_plans_of_several_resources_are_the_cheapest(seed: int) -> None:
    test_a_plan_of_several_resources_is_the_cheapest_of_the_whole_program(seed)


@pytest.mark.parametrize("seed", range(3))
def test_rent_of_several_resources_is_the_cheapest_of_each_hour(seed: int) -> None:
    params = PurchasePlanParams.model_validate(several(seed))
    rng, bundles = np.random.default_rng(seed), bundles_of(params)
    level, capacity = (rng.uniform(20, 300, len(params.units)) for _ in range(2))
    assert params.on_demand is not None
    has = [[1.0, *[0.0] * (len(level) - 1)]]
    usd = [params.on_demand.usd_per_unit_h]
    for place, other in enumerate(params.demand.others, start=1):
        has.append([float(each == place) for each in range(len(level))])
        usd.append(other.usd_per_unit_h or 0.0)
    for each in params.on_demand.instances:
        has.append([each.count, *each.others_count])
        usd.append(each.usd_per_h)
    hours = [
        float(linprog(usd, A_ub=-np.array(has).T, b_ub=capacity - level * ratio).fun or 0.0)
        for ratio in bundles.ratios
    ]
    cost, slope = bundles.rented(level[None, :], capacity)
    assert cost[0] == pytest.approx(730 * np.mean(hours), rel=1e-9)
    ahead = bundles.rented(level[None, :], capacity + 1e-6)[0]
    assert (ahead - cost)[0] == pytest.approx(1e-6 * slope.sum(), rel=1e-3, abs=1e-7)


def test_growth_of_one_resource_goes_with_that_of_the_first() -> None:
    growth = {"kind": "range", "low_fraction_per_year": 0.0, "likely_fraction_per_year": 0.3,
              "high_fraction_per_year": 1.0}  # fmt: skip
    for follows, least, most in ((0.9, 0.8, 0.97), (0.0, -0.15, 0.15), (-1.0, -1.0, -0.999)):
        document = several(0)
        document["demand"]["level"]["growth"] = growth
        other = {**document["demand"]["others"][0], "growth": growth, "follows_fraction": follows}
        document["demand"]["others"] = [other]
        document["scenarios_count"] = 500
        known = scenarios_of(PurchasePlanParams.model_validate(document), 3).known
        rank = spearmanr(known["Growth of demand"], known["Growth of unit 0"]).statistic
        assert least <= rank <= most


def test_a_resource_that_is_never_short_changes_nothing_of_whole_instances() -> None:
    """Of cores with idle instances, a commitment and months that have passed."""
    params: dict[str, Any] = {
        "months_count": 12, "reviews": [], "gap_fraction": 1e-6, "actual_mean_count": [620.0],
        "on_demand": {"usd_per_unit_h": 0.048, "idle_count": 20.0},
        "demand": {"level": {"kind": "grown"}},
        "commitments": [{"name": "Half", "term_months": 6, "discount_fraction": 0.2}],
    }  # fmt: skip
    alone = evaluate(SPEC, params, Context(seed=0))
    params["demand"]["others"] = [
        {"unit": "GiB", "now_count": 1.0, "usd_per_unit_h": 0.5, "actual_mean_count": [1.0]}
    ]
    params["machines"] = [{"others_count": [1000.0]}]
    params["held_machines"] = [{"name": "Disks", "count": 1, "capacity_count": 1e-6,
                                "others_count": [1e3], "upkeep_usd_per_month": 0.0,
                                "until_month": 12}]  # fmt: skip
    both = evaluate(SPEC, params, Context(seed=0))
    assert both.expected_usd == pytest.approx(alone.expected_usd, rel=1e-6)
    assert both.bound_usd == pytest.approx(alone.bound_usd, rel=2e-3)
    assert [order.ordered_count for order in both.orders] == [
        order.ordered_count for order in alone.orders
    ]


def test_what_is_idle_is_paid_in_each_hour_in_which_any_resource_is_rented() -> None:
    """By hand: 5 of 10 units of the second are short in each of 24 hours, of the first none."""
    params: dict[str, Any] = {
        "months_count": 1, "reviews": [], "discount_fraction_per_year": 0.0, "machines": [],
        "demand": {
            "level": {"kind": "grown", "now_count": 100.0, "growth": {"kind": "fixed"}},
            "swing_fraction": 0.0,
            "others": [{"unit": "GiB", "now_count": 10.0, "swing_fraction": 0.0,
                        "usd_per_unit_h": 0.2}],
        },
        "held_machines": [{"name": "Old", "count": 1, "capacity_count": 100.0,
                           "usable_fraction": 1.0, "others_count": [5.0],
                           "upkeep_usd_per_month": 0.0, "until_month": 1}],
        "on_demand": {"usd_per_unit_h": 0.5, "idle_count": 3.0},
        "commitments": [],
    }  # fmt: skip
    found = evaluate(SPEC, params, Context(seed=0))
    assert found.expected_usd == pytest.approx(730 * (5 * 0.2 + 3 * 0.5))


def test_a_committed_unit_brings_what_it_has_of_the_others() -> None:
    """By hand: 100 units with 1 GiB each at half the price of renting, and nothing more."""
    params: dict[str, Any] = {
        "months_count": 6, "reviews": [], "discount_fraction_per_year": 0.0, "machines": [],
        "demand": {
            "level": {"kind": "grown", "now_count": 60.0, "growth": {"kind": "fixed"}},
            "swing_fraction": 0.0,
            "others": [{"unit": "GiB", "now_count": 100.0, "swing_fraction": 0.0}],
        },
        "on_demand": {"usd_per_unit_h": 0.04, "instances": [
            {"name": "i", "usd_per_h": 0.04, "count": 1.0, "others_count": [1.0]}]},
        "commitments": [{"name": "All", "term_months": 6, "discount_fraction": 0.5,
                         "others_count": [1.0]}],
    }  # fmt: skip
    found = evaluate(SPEC, params, Context(seed=0))
    (started,) = found.commitments
    assert started.committed_count == pytest.approx(100.0)
    assert found.expected_usd == pytest.approx(100 * 0.02 * 730 * 6)
    assert found.others[0].months[0].committed_used_count == pytest.approx(100.0)


def test_what_is_short_of_each_resource_is_told_by_month() -> None:
    document = several(1)
    del document["demand"]["others"][1]["usd_per_unit_h"]
    document["demand"]["others"][1]["unmet_usd_per_unit_h"] = 0.02
    document["on_demand"]["instances"] = []
    for each in document["machines"]:
        each["others_count"][1] = 0.0
    result = evaluate(SPEC, document, Context(seed=1))
    assert [other.unit for other in result.others] == ["unit 0", "unit 1"]
    for other in result.others:
        for month in other.months:
            carried = (
                month.owned_used_count + month.committed_used_count + month.on_demand_count
                + month.unmet_count
            )  # fmt: skip
            assert carried == pytest.approx(month.demand_mean_count, rel=1e-9)
    assert result.others[1].months[0].unmet_count > 0
    assert result.unmet_hours_mean_h == pytest.approx(5 * 730)
    names = [figure.name for figure in result.figures]
    assert "Capacity and demand of unit 1" in names


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"machines": [{"others_count": [1, 2, 3]}]}, "/machines"),
        ({"spot": {"usd_per_unit_h": 0.01, "share_fraction": 0.5}}, "/spot"),
        ({"actual_mean_count": [100.0]}, "/demand/others/0/actual_mean_count"),
        ({"commitments": [{"name": "x", "term_months": 2, "discount_fraction": 0.1,
                           "unit": "unit 0", "others_count": [1.0]}]},
         "/commitments/0/others_count"),
        ({"commitments": [{"name": "x", "term_months": 2, "discount_fraction": 0.1,
                           "unit": "GB"}]}, "/commitments/0/unit"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_resource_that_is_not_there_is_refused(
    change: dict[str, Any], place: str
) -> None:
    assert place in faults("plans.purchase_plan", {**several(0), **change})
