"""Commitments left at their best level: by the model of commitments, and by their own curve."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capmodels.amounts import fsum
from capmodels.cost.commitment import optimal_commitment
from capmodels.plans.compare import SPEC
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.cloud_cost import CloudCase, Tariffs, write_instances
from capmodels.plans.costing.scene import Scene
from capmodels.spec import upgrade
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
    study_of,
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


HORIZON = 36


def falling(upfront: float, change: float, *, level: float | None, **more: Any) -> JSONDict:
    """Three years in which list prices fall, with a commitment for all of them at 20% off."""
    promise = {"term_months": 36, "discount_fraction": 0.2, "upfront_fraction": upfront}
    design = cloud("A", commitments=[{**promise, "base_quantile_fraction": level}])
    work = demand(busy_cores_count=100, shape={"kind": "hourly", "values_ratio": DAY}, **more)
    changes = {"price_changes": {"instances_fraction_per_year": change}}
    return plain([design], work, horizon_months=HORIZON, **changes)


@pytest.mark.parametrize("change", [-0.05, -0.10, -0.15, -0.4])
def test_what_is_committed_pays_at_the_prices_of_its_whole_term(change: float) -> None:
    """At 15% a year less, an hour in the third year costs less on demand than committed."""
    study = falling(0.0, change, level=None)
    without = {**study, "designs": [cloud("A")]}
    assert column(answer(study), "A").total_usd <= column(answer(without), "A").total_usd
    fixed = [falling(0.0, change, level=step / 10) for step in range(1, 11)]
    # Bought once: later reviews commit anew at prices of then.
    for one in (study, *fixed):
        one["designs"][0]["commitments"][0]["renewed"] = False
    best = column(answer(study), "A").total_usd
    least = min(column(answer(one), "A").total_usd for one in fixed)
    assert best <= least * (1 + 1e-3)


def test_a_flat_demand_is_committed_where_the_sum_of_its_prices_is_above_what_is_promised() -> None:
    """100 cores on 10 instances; at a fall of r a year three years cost sum (1 - r)^((m + 1/2)/12).

    Of 36 months at 0.8 that is 28.8: 30.8 months' prices at 10% a year, 28.3 at 15%.
    """
    for change, count in ((-0.10, 10.0), (-0.15, 0.0)):
        paid = math.fsum((1 + change) ** ((month + 0.5) / 12) for month in range(36))
        assert (paid > 28.8) is (count > 0)
        study = falling(0.0, change, level=None)
        study["workload"]["shape"] = {"kind": "flat"}
        assert committed(study) == count


def test_money_paid_in_advance_is_worth_more_than_the_same_later() -> None:
    study = falling(1.0, -0.10, level=None)
    study["workload"]["shape"] = {"kind": "flat"}
    assert committed(study) == 10
    study["assumptions"] |= {"ranked_by": "present_value", "discount_fraction_per_year": 0.3}
    assert committed(study) == 0


def check_never_above_on_demand(seeds: range) -> None:
    """Instances of random studies, each commitment left at its best, and without any."""
    checked = 0
    for seed in seeds:
        study = study_of(document_of(random_study(seed)))
        if study.workload.kind != "demand":
            continue
        scene = Scene(study)
        for design in study.designs:
            if design.kind != "cloud" or not design.commitments:
                continue
            left = [
                one.model_copy(update={"base_quantile_fraction": None})
                for one in design.commitments
            ]
            usd = []
            for commitments in (tuple(left), ()):
                book = CauseBook(scene.months)
                cloud_ = design.model_copy(update={"commitments": commitments})
                write_instances(CloudCase(cloud_, scene, book, Tariffs.of(cloud_)))
                rate = scene.assumptions.nominal_discount_fraction_per_year
                flow = book.present(Discount(rate, scene.months)) if scene.by_value else book.cash()
                usd.append(fsum(flow))
            assert usd[0] <= usd[1] * (1 + 1e-9), (seed, design.letter, usd)
            checked += 1
    assert checked > len(seeds) / 20


def test_a_commitment_at_its_best_level_never_costs_more_than_none() -> None:
    check_never_above_on_demand(range(20, 40))


@pytest.mark.deep
def test_no_commitment_of_many_studies_costs_more_than_none() -> None:
    check_never_above_on_demand(range(40, 240))


def test_a_study_of_before_keeps_its_level() -> None:
    before = {"designs": [cloud("A", commitments=[PROMISE, PROMISE]), owned("B")]}
    after = upgrade(SPEC, before, 2)
    levels = [item["base_quantile_fraction"] for item in after["designs"][0]["commitments"]]
    assert levels == [0.3, 0.3]
    assert after["designs"][1] == before["designs"][1]
