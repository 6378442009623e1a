"""A plan of purchases beside the rule of a comparison: size once a year for what is foreseen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.plans.purchase.equations_kernel import (
    Order,
    Plan,
    capacity_of,
    case_of,
    costs_by_scenario,
    usable,
)
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.program_kernel import Program, one_stage
from capmodels.plans.purchase.scenarios_kernel import scenarios_of

DEEP_CASES = 200
GAP = 1e-3
# As docs/api.md says.
MEDIAN_SAVED = 0.118


def fleet(seed: int) -> dict[str, Any]:
    """A work that grows, a node, on-demand prices and commitments, all within what is usual."""
    rng = np.random.default_rng(seed)
    cores = float(rng.choice([64, 96, 128, 192]))
    mean = float(np.exp(rng.uniform(np.log(200), np.log(5000))))
    likely = float(rng.uniform(0.0, 0.6))
    usd_per_core = float(rng.uniform(120, 420))
    hours = np.arange(168)
    swing, weekend = rng.uniform(0.1, 0.5), rng.uniform(0.0, 0.4)
    profile = 1 + swing * np.sin(2 * math.pi * hours / 24) - weekend * (hours >= 120)
    return {
        "months_count": 36,
        "scenarios_count": 40,
        "demand": {
            "level": {
                "kind": "grown", "now_count": mean,
                "growth": {"kind": "range", "low_fraction_per_year": likely - 0.25,
                           "likely_fraction_per_year": likely,
                           "high_fraction_per_year": likely + float(rng.uniform(0.1, 0.6))},
            },
            "profile_ratio": profile.tolist(),
        },
        "machines": [{
            "capacity_count": cores, "price_usd": cores * usd_per_core,
            "upkeep_usd_per_month": cores * usd_per_core * float(rng.uniform(0.01, 0.03)),
            "life_months": int(rng.choice([48, 60, 72])), "lead_months": int(rng.integers(0, 5)),
            "resale_fraction": float(rng.uniform(0.0, 0.6)), "order_every_months": 1,
        }],
        "on_demand": {"usd_per_unit_h": float(rng.uniform(0.02, 0.06))},
        "commitments": [
            {"name": "1 year", "term_months": 12, "discount_fraction": 0.28},
            {"name": "3 years", "term_months": 36, "discount_fraction": 0.5},
        ],
        "end": ["stops", "continues"][seed % 2],
        "reviews": [],
    }  # fmt: skip


def yearly_and_planned(seed: int) -> tuple[float, float]:
    """Expected cost of the yearly rule, at the quantile that suits it best, and of the plan. [USD]

    The rule: once a year as many machines as carry a quantile of the hours that are expected in
    its last month; the rest is rented on demand.
    """
    params = PurchasePlanParams.model_validate(fleet(seed))
    case = case_of(params, scenarios_of(params, seed))
    odds, machine = case.scenarios.odds, params.machines[0]
    expected = odds @ case.scenarios.level
    carries = float(usable(params, machine)[0])
    costs = []
    for quantile in np.linspace(0.0, 1.0, 11):
        orders: dict[Order, int] = {}
        there = 0
        for year in range(3):
            month = 12 * year
            ratio = float(np.quantile(case.profile.ratios, quantile))
            needed = math.ceil(expected[month + 11] * ratio / carries) if quantile else 0
            arrives = month + machine.lead_months
            if needed > there:
                ends = min(arrives + machine.life_months, case.months)
                orders[Order(0, 0, month, arrives, ends)] = needed - there
                there = needed
        plan = Plan(0.0, 0.0, orders, {}, ())
        plan = Plan(0.0, 0.0, orders, {}, (capacity_of(case, plan),))
        costs.append(float(odds @ costs_by_scenario(case, plan)))
    found = Program(case, one_stage(case)).solve(GAP)
    assert found is not None
    return min(costs), found.cost_usd


@pytest.mark.parametrize("seed", range(3))
def test_a_plan_is_never_dearer_than_the_yearly_rule(seed: int) -> None:
    rule, plan = yearly_and_planned(seed)
    assert plan <= rule * (1.0 + GAP)


@pytest.mark.deep
def test_two_hundred_plans_are_never_dearer_than_the_yearly_rule() -> None:
    saved = []
    for seed in range(DEEP_CASES):
        rule, plan = yearly_and_planned(seed)
        assert plan <= rule * (1.0 + GAP)
        saved.append(1.0 - plan / rule)
    assert np.median(saved) == pytest.approx(MEDIAN_SAVED, abs=0.002)
