"""Commitments left at their best level: by the model of commitments, and by their own curve."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capmodels.cost.commitment import optimal_commitment
from capmodels.plans.compare import SPEC
from capmodels.spec import upgrade
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
)

DAY = [math.ceil(10 + 8 * math.sin(hour / 24 * 2 * math.pi)) for hour in range(24)]
PROMISE = {"term_months": 12, "discount_fraction": 0.4}


def rented(workload: JSONDict | None = None, **more: Any) -> JSONDict:
    """Instances of one core for the hours of a day, committed at the best level."""
    design = cloud("A", commitments=[PROMISE], item={"vcpu_count": 1}, **more)
    work = workload or demand(
        busy_cores_count=sum(DAY) / 24, shape={"kind": "hourly", "values_ratio": DAY}
    )
    return plain([design], work)


def committed(document_: JSONDict) -> float:
    return column(answer(document_), "A").sizing[0].groups[0].committed_count or 0.0


@pytest.mark.decisive
def test_without_growth_the_level_is_that_of_the_model_of_commitments() -> None:
    best = optimal_commitment([float(hour) for hour in DAY], price_ratio=0.6)
    assert committed(rented()) == best


def test_with_spot_beyond_it_less_is_worth_committing() -> None:
    spot = {"share_fraction": 1.0, "discount_fraction": 0.3, "waste_fraction": 0.0}
    best = optimal_commitment([float(hour) for hour in DAY], price_ratio=0.6 / 0.7)
    assert committed(rented(spot=spot)) == best
    cheap = {**spot, "discount_fraction": 0.5}
    assert committed(rented(spot=cheap)) == 0


def test_a_term_that_is_owed_beyond_the_end_is_worth_less() -> None:
    """Six of twelve months used, all owed: an hour of use costs 1.2 of that on demand."""
    document_ = rented()
    document_["assumptions"]["horizon_months"] = 6
    assert committed(document_) == 0
    document_["assumptions"]["end"] = "work_continues"
    assert committed(document_) > 0


@pytest.mark.parametrize("growth", [0.0, 0.2, 0.6])
def test_no_level_of_the_curve_costs_less_than_the_best_one(growth: float) -> None:
    study = document("rent-or-own", draws_count=1)
    study["ranges"] = []
    for name in study["workload"]["growth"]:
        study["workload"]["growth"][name] = growth
    for design in study["designs"]:
        for item in design.get("commitments", ()):
            item["base_quantile_fraction"] = None
    curves = answer(study).commitments
    assert [curve.letter for curve in curves] == ["A", "B", "C"]
    for curve in curves:
        assert curve.is_best
        assert curve.cost_usd <= 1.005 * min(point.cost_usd for point in curve.points)


def test_the_curve_stands_where_the_design_does() -> None:
    document_ = {**rented(), "draws_count": 1}
    document_["designs"][0]["commitments"] = [{**PROMISE, "base_quantile_fraction": 0.5}]
    (curve,) = answer(document_).commitments
    assert not curve.is_best
    point = curve.points[5]
    assert (curve.committed_fraction, curve.cost_usd) == (point.committed_fraction, point.cost_usd)
    cost = column(answer(document_), "A").total_usd
    assert curve.cost_usd == pytest.approx(cost)


def test_the_level_at_the_start_is_one_choice_whatever_the_trial_finds() -> None:
    """A discount of 10 to 70% moves the price of the same commitment, not its size."""
    document_ = {**rented(), "draws_count": 2000}
    pointer = "/designs/A/commitments/0/discount_fraction"
    document_["ranges"] = [{"pointer": pointer, "low": 0.1, "high": 0.7}]
    found = column(answer(document_), "A")
    # P90 less P10 of the triangle from 0.1 over 0.4 to 0.7.
    spread = 0.6 - 2 * math.sqrt(0.1 * 0.6 * 0.3)
    assert found.p90_usd is not None
    assert found.p10_usd is not None
    paid = committed(document_) * 8760
    assert found.p90_usd - found.p10_usd == pytest.approx(paid * spread, rel=0.03)


def test_a_study_of_before_keeps_its_level() -> None:
    before = {"designs": [cloud("A", commitments=[PROMISE, PROMISE]), owned("B")]}
    after = upgrade(SPEC, before, 2)
    levels = [item["base_quantile_fraction"] for item in after["designs"][0]["commitments"]]
    assert levels == [0.3, 0.3]
    assert after["designs"][1] == before["designs"][1]
