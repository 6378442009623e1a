"""What is bought or committed is decided before a trial's demand is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import leaf_at
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    owned,
    plain,
    study_of,
)

GROWTH = "/workload/growth/cores_fraction_per_year"
LOW, PLANNED, HIGH = 0.0, 0.2, 0.4


def study(*designs: JSONDict, months: int = 12, **more: Any) -> JSONDict:
    """100 cores that grow by 20% a year as planned, 0 to 40% in fact; nodes of 10 cores."""
    work = demand(growth={"cores_fraction_per_year": PLANNED}, **more)
    found = plain(list(designs), work, horizon_months=months)
    return {**found, "ranges": [{"pointer": GROWTH, "low": LOW, "high": HIGH}]}


def counts(document: JSONDict, letter: str, growth: list[float]) -> list[list[float]]:
    """Nodes by year in trials of some growth."""
    spec = study_of(document)
    leaf = leaf_at(spec, GROWTH)
    assert leaf is not None
    _, items, _ = Evaluator(spec, Scene(spec).curves).costed(
        {leaf.path: np.array(growth)}, len(growth)
    )
    item = next(item for item in items if item.letter == letter)
    assert item.owned is not None
    rows = [np.broadcast_to(np.asarray(count), len(growth)) for count in item.owned.plans[0].counts]
    return [[float(x) for x in row] for row in rows]


def test_what_is_bought_at_the_start_is_one_choice_for_all_trials() -> None:
    result = answer({**study(owned("A"), cloud("B")), "draws_count": 1000})
    found = column(result, "A")
    assert found.p10_usd == found.p90_usd == found.total_usd == 12_000


@pytest.mark.decisive
def test_later_purchases_follow_the_demand_observed_a_planning_interval_before() -> None:
    document = study(owned("A"), months=36)
    years = counts(document, "A", [0.0, 0.2, 0.4])
    # Year 1 and 2 as planned: nothing has been observed when they are ordered.
    assert years[0] == [12.0] * 3
    assert years[1] == [15.0] * 3
    # Year 3 is ordered from the demand of month 12, expected to grow on by 20% a year.
    ends = [100 * (1 + growth) * 1.2**2 / 10 for growth in (0.0, 0.2, 0.4)]
    assert years[2] == [max(15.0, math.ceil(end - 1e-9)) for end in ends]


def test_a_lead_time_makes_what_was_observed_older() -> None:
    document = study(owned("A", lead_time_months=6), months=36)
    years = counts(document, "A", [0.0, 0.4])
    plan = [math.ceil(10 * 1.2 ** ((12 * year + 6) / 12)) for year in (1, 2, 3)]
    assert years[0] == [plan[0]] * 2
    assert years[1] == [plan[1]] * 2
    seen = [100 * (1 + growth) ** 0.5 * 1.2**3 / 10 for growth in (0.0, 0.4)]
    assert years[2] == [max(plan[1], math.ceil(nodes - 1e-9)) for nodes in seen]


def test_what_is_bought_ahead_meets_demand_that_grows_faster() -> None:
    # 15 nodes in place of 12, full at 150 cores: the most that 100 grow to is 140.
    ahead = owned("A", bought_ahead_fraction=0.25)
    found = column(answer({**study(ahead, cloud("B")), "draws_count": 10_000}), "A")
    assert found.met_fraction == 1.0
    assert found.competes


def test_demand_above_what_was_bought_is_not_met_and_the_design_does_not_compete() -> None:
    result = answer({**study(owned("A"), cloud("B")), "draws_count": 10_000})
    found = column(result, "A")
    # 12 nodes, full at 120 cores, are short where growth is above 20%: in half of the trials.
    assert found.met_fraction == pytest.approx(0.5, abs=0.02)
    assert found.unmet_h_per_year is not None
    assert found.unmet_h_per_year > 0
    assert found.carries_load
    assert not found.competes
    assert result.verdict.kind == "only"
    assert result.verdict.excluded is not None
    assert "A: it meets demand as entered, but only in 5" in result.verdict.excluded
    assert result.verdict.excluded.endswith("that meet it in at least 95% are compared.")
    alone = answer({**study(owned("A")), "draws_count": 10_000}).verdict
    assert alone.headline.startswith("**No design meets demand reliably.** A: it meets demand as")


def test_headroom_is_there_to_be_used() -> None:
    headroom = {**demand()["headroom"], "cores_target_fraction": 0.7}
    result = answer({**study(owned("A"), cloud("B"), headroom=headroom), "draws_count": 1000})
    assert column(result, "A").met_fraction == 1.0
    assert column(result, "A").competes


def test_a_shortfall_may_be_rented_on_demand() -> None:
    own = owned("A", shortfall_letter="B")
    document = study(own, cloud("B"))
    result = answer({**document, "draws_count": 10_000})
    found = column(result, "A")
    assert found.met_fraction == 1.0
    assert found.competes
    assert found.mean_usd is not None
    # Instances of 10 cores at $1 an hour, from when more than 120 are busy, as it is in the middle
    # of each quarter; rates of 0 to 40%, most often 20%.
    years, rates = np.meshgrid((np.arange(4) + 0.5) / 4, (np.arange(4000) + 0.5) / 10_000)
    often = 1 - np.abs(rates / PLANNED - 1)
    above = np.maximum(100 * (1 + rates) ** years - 120, 0.0)
    lacking = (np.ceil(above / 10) * often).mean() / often.mean()
    assert found.mean_usd == pytest.approx(12_000 + lacking * 8760, rel=0.005)


def test_commitments_of_the_start_are_one_choice_and_later_ones_follow_what_was_observed() -> None:
    given = [{"base_quantile_fraction": 0.5, "discount_fraction": 0.5, "term_months": 12}]
    spec = study_of(study(cloud("B", commitments=given), months=36))
    leaf = leaf_at(spec, GROWTH)
    assert leaf is not None
    _, items, _ = Evaluator(spec, Scene(spec).curves).costed({leaf.path: np.array([0.0, 0.4])}, 2)
    assert items[0].rented is not None
    tranches = items[0].rented.mixes[0].tranches
    held = {
        item.start_month: np.broadcast_to(np.asarray(item.count), 2).tolist() for item in tranches
    }
    # Whole instances at the start of each year: 10 and 12 as planned, then as observed in month 12.
    assert held == {0: [10.0, 10.0], 12: [12.0, 12.0], 24: [12.0, 17.0]}


def test_a_shortfall_is_rented_from_a_cloud_of_the_study() -> None:
    from capmodels.errors import ParamsError

    with pytest.raises(ParamsError, match="no cloud design") as caught:
        study_of(study(owned("A", shortfall_letter="C"), owned("C")))
    assert [fault.pointer for fault in caught.value.faults] == ["/designs/0/shortfall_letter"]
