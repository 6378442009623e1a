"""Why a cost moved: the shares add up, and each is what its change alone would make."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from capmodels.plans import moves
from capmodels.plans.compare import compare
from capmodels.plans.document.study import StudySpec
from capmodels.plans.moves import changed_inputs, moved
from capmodels.plans.outlook import verdict_usd
from capmodels.registry import get_model
from capmodels.spec import validate
from capmodels.testing import sent, studies


def answer(document: dict[str, Any]) -> dict[str, Any]:
    study = validate(get_model("plans.compare"), document)
    assert isinstance(study, StudySpec)
    return compare(study).model_dump(mode="json")


def rented() -> dict[str, Any]:
    def design(letter: str, usd_per_h: float) -> dict[str, Any]:
        instance = {"name": "m", "usd_per_h": usd_per_h, "vcpu_count": 8, "ram_gib": 32}
        return {"letter": letter, "title": letter, "kind": "cloud", "instances": [instance]}

    return {
        "designs": [design("A", 0.4), design("B", 0.9)],
        "workload": {
            "kind": "utilization",
            "utilization_fraction": 0.25,
            "machines": [{"name": "node", "node_count": 8, "cores_per_node_count": 8}],
        },
        "assumptions": {"horizon_months": 36},
    }


def of(before: dict[str, Any], after: dict[str, Any]) -> dict[str, float]:
    told = answer(before), answer(after)
    found = moved(before, after, *told)
    # Both ends are what the verdicts go by.
    assert [found.before_usd, found.after_usd] == [verdict_usd(one) for one in told]
    assert sum(one.amount_usd for one in found.causes) == pytest.approx(
        found.after_usd - found.before_usd, abs=1e-6 * abs(found.before_usd)
    )
    return {one.cause: one.amount_usd for one in found.causes}


@pytest.mark.decisive
def test_a_price_alone_is_the_whole_move() -> None:
    before, after = rented(), rented()
    after["designs"][0]["instances"][0]["usd_per_h"] = 0.5
    found = of(before, after)
    assert set(found) == {"prices"}
    assert found["prices"] == pytest.approx(answer(before)["designs"][0]["npv_usd"] * 0.25)


def test_prices_and_workload_share_what_they_do_together_evenly() -> None:
    before, after = rented(), rented()
    after["designs"][0]["instances"][0]["usd_per_h"] = 0.8
    after["workload"]["machines"][0]["node_count"] = 16
    start = answer(before)["designs"][0]["npv_usd"]
    # Each doubles the cost, both make it fourfold: 1.5 times the start for each.
    assert of(before, after) == {
        "prices": pytest.approx(1.5 * start),
        "workload": pytest.approx(1.5 * start),
    }


def test_an_unchanged_study_has_no_cause() -> None:
    assert of(rented(), rented()) == {}
    accepted = rented()
    said = [{"finding": "10:/designs/A/staff_fte", "because": "Its people are ours"}]
    accepted["assumptions"]["accepted"] = said
    assert of(rented(), accepted) == {}


def test_another_design_and_a_longer_horizon_are_told_apart() -> None:
    before, after = rented(), rented()
    after["designs"].append({**deepcopy(after["designs"][0]), "letter": "C"})
    after["designs"][2]["instances"][0] = {"name": "x", "usd_per_h": 0.1, "vcpu_count": 8}
    after["assumptions"]["horizon_months"] = 48
    assert set(of(before, after)) == {"designs", "assumptions"}


def test_each_input_that_differs_is_named_with_its_cause() -> None:
    before, after = rented(), rented()
    after["designs"][0]["instances"][0]["usd_per_h"] = 0.5
    after["designs"].append({**deepcopy(after["designs"][1]), "letter": "C", "title": "Third"})
    after["workload"]["machines"].append({**after["workload"]["machines"][0], "name": "more"})
    where = "/designs/A/instances/0/usd_per_h"
    after["ranges"] = [{"pointer": where, "low": 0.4, "high": 0.7}]
    told = {(one.label, one.cause): one for one in changed_inputs(before, after)}
    price, limits = (told[f"m: on-demand price (A){end}", "prices"] for end in ("", ", range"))
    assert (price.pointer, price.before, price.after, price.unit) == (where, 0.4, 0.5, "USD/h")
    assert (limits.before, limits.after) == (None, {"low": 0.4, "high": 0.7})
    assert told["Design C", "designs"].after == "Third"
    assert told["Machines", "workload"].after == "2 entries"
    assert len(told) == 4
    back = {one.label: (one.before, one.after) for one in changed_inputs(after, before)}
    assert back["Design C"] == ("Third", None)


def test_what_a_newer_plan_moves_is_apart() -> None:
    before = rented()
    stored = answer(before)
    old = deepcopy(stored)
    for design in old["designs"]:
        design["npv_usd"] += 1000.0
        design["ranked_usd"] += 1000.0
    found = moved(before, before, old, stored)
    assert [one.cause for one in found.causes] == ["model"]
    assert found.causes[0].amount_usd == pytest.approx(-1000.0)


def ranged(draws_count: int = 2000) -> dict[str, Any]:
    """Two designs of which A is cheaper as entered, B by the mean of the simulations."""
    document = rented()
    document["designs"][1]["instances"][0]["usd_per_h"] = 0.45
    pointer = "/designs/A/instances/0/usd_per_h"
    document["ranges"] = [{"pointer": pointer, "low": 0.35, "high": 0.8}]
    return {**document, "draws_count": draws_count}


def test_the_cost_is_the_mean_that_the_verdict_goes_by() -> None:
    before, after = ranged(), ranged()
    after["designs"][1]["instances"][0]["usd_per_h"] = 0.46
    found = moved(before, after, answer(before), answer(after))
    start = answer(before)
    assert start["winner"] == "B"
    assert found.before_usd == start["designs"][1]["mean_usd"]
    assert (found.measure, found.simulations_count) == ("Present value over 3 years, mean", 2000)
    assert [one.cause for one in found.causes] == ["prices"]
    after["assumptions"]["ranked_by"] = "cash"
    assert set(of(before, after)) == {"prices", "assumptions"}


def test_a_range_is_a_cause_of_its_own_or_goes_with_its_value() -> None:
    before, wider, other = ranged(), ranged(), ranged()
    before["designs"][1]["instances"][0]["usd_per_h"] = 9.0
    wider["designs"][1]["instances"][0]["usd_per_h"] = 9.0
    wider["ranges"][0]["high"] = 0.9
    assert set(of(before, wider)) == {"ranges"}
    # The price of the other is outside the range that it had, which cannot be without it.
    other["designs"][0]["instances"][0]["usd_per_h"] = 1.0
    other["ranges"][0] |= {"low": 0.9, "high": 1.5}
    other["assumptions"]["horizon_months"] = 24
    assert set(of(ranged(), other)) == {"prices", "assumptions"}


def test_dear_shares_are_of_fewer_simulations_and_what_the_rest_add_is_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moves, "AMOUNTS_MOST", 1)
    before, after = ranged(), ranged()
    before["ranges"][0]["high"] = after["ranges"][0]["high"] = 0.42
    after["designs"][0]["instances"][0]["usd_per_h"] = 0.38
    after["assumptions"]["horizon_months"] = 24
    found = of(before, after)
    assert set(found) == {"prices", "assumptions", "simulations"}
    assert abs(found["simulations"]) < 0.1 * abs(sum(found.values()))
    told = moved(before, after, answer(before), answer(after))
    assert told.simulations_count == moves.SIMULATIONS_LEAST


@pytest.mark.parametrize("seed", range(6))
def test_random_studies_add_up(seed: int) -> None:
    """Between a random study, with simulations or without, and one with other prices and months."""
    before = sent.document_of(studies.random_study(seed))
    after = deepcopy(before)
    _scale_prices(after["designs"], 1.25)
    after.setdefault("assumptions", {})["horizon_months"] = 24
    # Of years that the shorter horizon may not have.
    after["assumptions"].get("books", {}).pop("budgets", None)
    if seed % 2:
        after["ranges"] = after.get("ranges", [])[1:]
        after["assumptions"]["correlations"] = []
    of(before, after)


def _scale_prices(value: Any, factor: float) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.endswith(("_usd", "usd_per_h")) and isinstance(inner, float):
                value[key] = inner * factor
            else:
                _scale_prices(inner, factor)
    elif isinstance(value, list):
        for inner in value:
            _scale_prices(inner, factor)
