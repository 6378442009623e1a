"""What a study asks of a plan of purchases."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.errors import ModelError, ParamsError
from capmodels.plans.purchase.of_study import StudyPurchase, purchase_of
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.purchase_plan import SPEC
from capmodels.spec import Context, evaluate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import document


def rent_or_own() -> dict[str, Any]:
    return document("rent-or-own")


def test_the_machine_is_the_cluster_s_node_at_its_price() -> None:
    found = purchase_of(rent_or_own())
    (machine,) = found.params["machines"]
    assert (found.owned_letter, found.rented_letter) == ("D", "B")
    assert machine["capacity_count"] == 192.0
    assert machine["usable_fraction"] == pytest.approx(0.7)
    # A node as the example's bill of materials has it, without what other causes pay.
    assert machine["price_usd"] == pytest.approx(52_459.3, rel=1e-6)
    assert found.params["demand"]["level"]["growth"]["kind"] == "range"
    assert found.params["first_month"] == "2026-12"


def test_a_rented_core_costs_what_one_more_of_it_costs_in_the_comparison() -> None:
    study = rent_or_own()
    found = purchase_of(study)
    price = found.params["on_demand"]["usd_per_unit_h"]
    # B's instance at list price, by its speed: what support adds and growth leaves idle is above.
    instance = next(one for one in study["designs"] if one["letter"] == "B")["instances"][0]
    list_price = instance["usd_per_h"] / (instance["vcpu_count"] * instance["perf_per_vcpu_ratio"])
    assert list_price < price < 2.0 * list_price


def test_demand_of_another_kind_is_refused_in_words() -> None:
    with pytest.raises(ModelError, match="busy cores"):
        purchase_of(document("free-factories"))


def asked(seed: int) -> StudyPurchase | str:
    """The question of a random study, or why it has none; a fault of ours is raised."""
    try:
        return purchase_of(document_of(random_study(seed)))
    except ParamsError:
        raise
    except ModelError as error:
        return str(error)


def test_any_study_gives_a_valid_question_or_says_why_not() -> None:
    all_found = [asked(seed) for seed in range(24)]
    assert all(found.endswith(".") for found in all_found if isinstance(found, str))
    questions = [found for found in all_found if not isinstance(found, str)]
    assert len(questions) >= 8
    for found in questions:
        read = PurchasePlanParams.model_validate(found.params)
        assert read.model_dump(mode="json") == found.params
        # Leased ones are paid by the month.
        for machine in found.params["machines"]:
            assert machine["price_usd"] + machine["upkeep_usd_per_month"] > 0
        assert found.notes


def test_the_study_itself_is_left_alone() -> None:
    study = rent_or_own()
    purchase_of(study)
    assert study == rent_or_own()


def test_a_range_of_busy_cores_is_what_measuring_them_is_worth_for() -> None:
    study = rent_or_own()
    cores = study["workload"]["busy_cores_count"]
    others = [each for each in study["ranges"] if each["pointer"] != "/workload/busy_cores_count"]
    narrow = {"pointer": "/workload/busy_cores_count", "low": 0.8 * cores, "high": 1.3 * cores}
    for ranges, spread in ((others, None), ([*others, narrow], (0.8 * cores, 1.3 * cores))):
        found = purchase_of({**study, "ranges": ranges}).params["demand"]["level"]["now_spread"]
        assert (found and (found["low_count"], found["high_count"])) == spread


def test_the_example_of_a_start_up_follows_the_plan_that_it_asks_for() -> None:
    study = document("start-up-doubling")
    params = purchase_of(study).params
    assert params["machines"][0]["lead_months"] == 3
    found = evaluate(SPEC, {**params, "reviews": [], "scenarios_count": 100}, Context(seed=0))
    (planned,) = [each for each in study["designs"] if each.get("plan")]
    drawn = [(one["month"], one["nodes_count"]) for one in planned["plan"]["orders"]]
    ordered = [(one.arrives_month, one.ordered_count) for one in found.orders]
    # Plans within the gap of each other are as good.
    assert sum(count for _, count in drawn) == pytest.approx(
        sum(count for _, count in ordered), rel=0.15
    )
    assert drawn[0] == ordered[0]


def test_what_goes_in_the_refresh_year_is_followed_by_the_better_generation() -> None:
    """A flat estate of 40 old machines that go after nine months."""
    old = {"name": "Old", "count": 40, "capacity_count": 64.0, "usable_fraction": 0.7,
           "upkeep_usd_per_month": 420.0, "until_month": 9}  # fmt: skip
    now = {"name": "Now", "capacity_count": 96.0, "price_usd": 21_000.0,
           "upkeep_usd_per_month": 380.0}  # fmt: skip
    falling = {"kind": "fixed", "value_fraction_per_year": -0.2}
    better = {"name": "Next", "capacity_count": 192.0, "price_usd": 30_000.0, "from_month": 5,
              "upkeep_usd_per_month": 520.0, "price_change": falling}  # fmt: skip
    params: dict[str, Any] = {
        "months_count": 36,
        "demand": {"level": {"kind": "grown", "now_count": 1000.0,
                             "growth": {"kind": "fixed", "value_fraction_per_year": 0.0}}},
        "machines": [{**each, "order_every_months": 1} for each in (now, better)],
        "held_machines": [old],
        "gap_fraction": 1e-5,
        "reviews": [],
    }  # fmt: skip
    found = evaluate(SPEC, params, Context(seed=0))
    # Three months before the old ones go, not sooner: its price falls until then.
    assert {(order.machine, order.arrives_month) for order in found.orders} == {("Next", 9)}
    owned = [month.owned_count for month in found.months]
    assert owned[8] == pytest.approx(40 * 64 * 0.7)
    assert owned[9] == pytest.approx(found.orders[0].ordered_count * 192 * 0.7)
    # Where the better one never comes, the one of now does.
    alone = evaluate(SPEC, {**params, "machines": params["machines"][:1]}, Context(seed=0))
    assert {order.machine for order in alone.orders} == {"Now"}
    assert alone.expected_usd > found.expected_usd
