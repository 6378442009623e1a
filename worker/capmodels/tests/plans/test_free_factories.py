"""Free Factories through the plan: the paper's figures, and those of the single model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.cost.owned_vs_cloud import compare as owned_vs_cloud
from capmodels.cost.owned_vs_cloud_params import OwnedVsCloudParams
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.scene import Scene
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    column,
    document,
    in_hindsight,
    study_of,
)

EXACT: dict[str, Any] = {"rel": 1e-9, "abs": 0.0}


def study(slug: str = "free-factories", **assumptions: Any) -> JSONDict:
    found = document(slug)
    found["assumptions"] |= assumptions
    found["ranges"] = []
    return found


def test_the_parts_are_those_of_the_paper() -> None:
    result = answer(study())
    own, rent = column(result, "A"), column(result, "B")
    assert own.years[0].causes == pytest.approx(
        {"hardware": 170_000, "energy": 26_805.60, "site": 25_000, "staff": 50_000}
    )
    assert own.years[0].cash_usd == pytest.approx(271_805.60)
    assert own.total_usd == pytest.approx(373_611.20)
    assert cause_usd(rent, "instances") == pytest.approx(2 * 168_192)
    assert cause_usd(rent, "storage") == pytest.approx(2 * 43_200)
    assert cause_usd(rent, "transfer") == pytest.approx(1840)
    assert rent.total_usd == pytest.approx(424_624)


def test_rounded_as_the_paper_rounds_the_printed_figures_come_out() -> None:
    result = answer(study(rounding="paper"))
    own, rent = column(result, "A"), column(result, "B")
    assert own.years[0].cash_usd == pytest.approx(272_000)
    assert own.years[1].cash_usd == pytest.approx(102_000)
    assert own.total_usd == pytest.approx(374_000)
    assert rent.total_usd == pytest.approx(423_840)
    first = result.break_evens[0]
    assert first.exact_months == pytest.approx(12 * 1.5428, abs=12 * 0.0005)
    assert first.first_month_cheaper == 19


def test_every_trial_rounds_as_the_point_does() -> None:
    price = ("assumptions", "electricity", "usd_per_kwh")
    prices = np.array([0.05, 0.0999, 0.17, 0.31])
    entered = in_hindsight(study_of(study(rounding="paper")))
    scene, books = Evaluator(entered, Scene(entered).curves).books({price: prices}, len(prices))
    assert scene.assumptions.rounding == "paper"
    for row, usd_per_kwh in enumerate(prices):
        point = study(rounding="paper")
        point["assumptions"]["electricity"]["usd_per_kwh"] = float(usd_per_kwh)
        told = answer(point)
        for letter in "AB":
            cash: Any = books[letter].cash()
            assert cash[:, row].sum() == pytest.approx(column(told, letter).total_usd, **EXACT)
    # Energy of a year goes in thousands: $170,000 and $25,000, $50,000 and whole thousands.
    assert all(books["A"].causes_usd["energy", "owned"] % 2_000 == 0.0)


def single(**changes: Any) -> Any:
    """The same question to ``cost.owned_vs_cloud``."""
    return owned_vs_cloud(OwnedVsCloudParams(**changes))


@pytest.mark.parametrize("utilization", [0.1, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("years", [1, 2, 3])
@pytest.mark.decisive
def test_the_plan_and_the_single_model_agree(utilization: float, years: int) -> None:
    found = study(horizon_months=12 * years)
    found["workload"]["utilization_fraction"] = utilization
    result = answer(found)
    model = single(
        groups=({"utilization_fraction": utilization},),
        horizon_years=years,
        discount_fraction_per_year=0.08,
    )
    assert column(result, "A").total_usd == pytest.approx(model.own_total_usd, **EXACT)
    assert column(result, "B").total_usd == pytest.approx(model.cloud_total_usd, **EXACT)
    assert column(result, "A").npv_usd == pytest.approx(model.own_npv_usd, **EXACT)
    assert column(result, "B").npv_usd == pytest.approx(model.cloud_npv_usd, **EXACT)
    told = {item.discounted: item.exact_months for item in result.break_evens}
    for item in (model.break_even, model.break_even_discounted):
        within = item.years is not None and item.years <= years
        expected = 12 * item.years if within else None
        if item.discounted and expected is not None:
            # Between two months the plan draws a line, the model a curve.
            assert told[True] == pytest.approx(expected, abs=1e-3)
        elif expected is not None:
            assert told[False] == pytest.approx(expected, **EXACT)
        else:
            assert told[item.discounted] is None


@pytest.mark.parametrize(
    ("years", "tie"), [(1, 0.337), (2, 0.2124), (3, 0.1707), (4, 0.150), (5, 0.137)]
)
def test_the_tie_moves_with_the_horizon(years: int, tie: float) -> None:
    result = answer(study(horizon_months=12 * years))
    (found,) = result.ties
    assert found.between == ("A", "B")
    assert found.value == pytest.approx(tie, abs=0.0006)
    own = 170_000 + (18 * 8760 * 0.17 + 75_000) * years
    other = 43_200 * years + 1840
    assert found.value == pytest.approx((own - other) / (76.8 * 8760 * years), **EXACT)
    level = study(horizon_months=12 * years)
    level["workload"]["utilization_fraction"] = found.value
    both = answer(level)
    assert column(both, "A").total_usd == pytest.approx(column(both, "B").total_usd, rel=1e-9)


def test_a_tie_is_found_where_prices_bend() -> None:
    found = study()
    bands = [{"up_to_usd_per_month": 9000, "fraction": 0.3}, {"fraction": 0.01}]
    found["designs"][1]["support"] = {"bands": bands}
    (tie,) = answer(found).ties
    assert tie.value is not None
    found["workload"]["utilization_fraction"] = tie.value
    both = answer(found)
    assert column(both, "A").total_usd == pytest.approx(column(both, "B").total_usd, rel=1e-8)


def test_without_a_tie_the_reason_is_told() -> None:
    found = study()
    found["designs"][0]["staff_usd_per_year"] = 9e6
    (tie,) = answer(found).ties
    assert (tie.value, tie.reason) == (None, "B is cheaper at every utilisation.")
    still = study()
    still["designs"][1]["instances"][0]["usd_per_h"] = 0
    (same,) = answer(still).ties
    assert same.reason == "The utilisation does not enter the difference between the two."


def test_below_the_own_running_cost_owning_never_pays_off() -> None:
    found = study()
    found["workload"]["utilization_fraction"] = 0.05
    result = answer(found)
    assert result.winner == "B"
    assert result.break_evens[0].reason == "never"
    assert result.verdict.payoff == (
        "At 5% use, owning does not pay off within 2 years, undiscounted; owning begins to "
        "pay at 21% use over 2 years, below it renting is cheaper."
    )


def test_two_thresholds_are_never_joined() -> None:
    assert answer(study()).verdict.payoff == (
        "At 25% use, owning pays off after 18.4 months, undiscounted, and saves $51 k over 2 "
        "years; owning begins to pay at 21% use over 2 years, below it renting is cheaper."
    )


def test_machines_with_a_use_of_their_own_have_a_break_even_use_too() -> None:
    found = study("free-factories-prototypes")
    (tie,) = answer(found).ties
    assert tie.value is not None
    machines = found["workload"]["machines"]
    cores = [one["cores_per_node_count"] * one["node_count"] for one in machines]
    used = [one["utilization_fraction"] for one in machines]
    mean = sum(map(math.prod, zip(cores, used, strict=True))) / sum(cores)
    for one in machines:
        one["utilization_fraction"] *= tie.value / mean
    own, rent = (column(answer(found), letter) for letter in "AB")
    assert own.total_usd == pytest.approx(rent.total_usd, rel=1e-6)
    assert answer(study("free-factories-prototypes")).verdict.payoff == (
        "At 21% use, owning pays off after 31.8 months, undiscounted, and saves $20 k over 3 "
        "years; owning begins to pay at 20% use over 3 years, below it renting is cheaper."
    )


def test_the_prototype_clusters_cost_what_the_seconds_say() -> None:
    result = answer(study("free-factories-prototypes"))
    own, rent = column(result, "A"), column(result, "B")
    # A16: from the seconds, in a year of 8,784 hours, printed $96,000.
    assert cause_usd(rent, "instances") / 3 == pytest.approx(95_690, abs=1)
    assert cause_usd(rent, "storage") / 3 == pytest.approx(36_000)
    assert own.years[1].cash_usd == pytest.approx(75_000)
    # A18 with $95,690 for $96,000: printed three years.
    yearly = 95_689.62 + 36_000 - 75_000
    assert result.break_evens[0].exact_months == pytest.approx(12 * 150_000 / yearly, abs=0.01)


def test_at_a_quarter_of_use_the_prototypes_pay_off_in_two_years() -> None:
    found = study("free-factories-prototypes", hours_per_year=8760)
    for machines in found["workload"]["machines"]:
        machines["utilization_fraction"] = None
    result = answer(found)
    # A19 and A20; the paper prints two years.
    assert cause_usd(column(result, "B"), "instances") / 3 == pytest.approx(117_384)
    assert result.break_evens[0].exact_months == pytest.approx(12 * 1.9137, abs=12 * 0.0005)


def test_a_copy_of_a_terabyte_keeps_the_nodes_waiting() -> None:
    found = study("free-factories-prototypes")
    found["workload"]["machines"] = found["workload"]["machines"][:1]
    found["workload"]["storage_tb"] = 0
    found["workload"]["machines"][0]["utilization_fraction"] = 0.0
    rented = found["designs"][1]
    rented["instances"] = rented["instances"][:1]
    rented["copying"] = {"data_tb": 1, "times_per_year": 1, "rate_gbit_per_s": 2}
    # A22 and A23: $41.78 exactly, $75.20 in started hours.
    assert column(answer(found), "B").total_usd / 3 == pytest.approx(41.78, abs=0.005)
    rented["copying"]["billing"] = "started_hours"
    assert column(answer(found), "B").total_usd / 3 == pytest.approx(75.20, abs=0.001)


@pytest.mark.parametrize(
    ("equivalence", "count"),
    [("by_core", 96), ("by_disk_count", 96), ("by_capacity", 96), ("max_of_all", 96)],
)
def test_the_equivalence_is_a_choice(equivalence: str, count: float) -> None:
    found = study()
    found["designs"][1]["instances"][0]["equivalence"] = equivalence
    group = column(answer(found), "B").sizing[0].groups[0]
    assert group.count == pytest.approx(count * 0.25)
    found["designs"][1]["instances"][0] |= {"disks_count": 4, "disks_tb": 1.69}
    bigger = column(answer(found), "B").sizing[0].groups[0].count
    expected = {"by_disk_count": 48, "by_capacity": 192 / 1.69, "max_of_all": 192 / 1.69}
    assert bigger == pytest.approx(expected.get(equivalence, 96) * 0.25)


def test_more_use_costs_more_and_pays_off_sooner() -> None:
    before, months = 0.0, math.inf
    for utilization in (0.2, 0.25, 0.4, 0.7, 1.0):
        found = study(horizon_months=60)
        found["workload"]["utilization_fraction"] = utilization
        result = answer(found)
        assert column(result, "B").total_usd > before
        exact = result.break_evens[0].exact_months
        assert exact is not None
        assert exact < months
        before, months = column(result, "B").total_usd, exact
