"""Why a cost moved: the shares add up, and each is what its change alone would make."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from capmodels.plans.compare import compare
from capmodels.plans.document.study import StudySpec
from capmodels.plans.moves import moved
from capmodels.registry import get_model
from capmodels.spec import validate
from capmodels.testing import studies


def answer(document: dict[str, Any]) -> dict[str, Any]:
    assumptions = {**document.get("assumptions", {}), "correlations": []}
    entered = {**document, "assumptions": assumptions, "draws_count": 0, "ranges": []}
    study = validate(get_model("plans.compare"), entered)
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
    found = moved(before, after, answer(before), answer(after))
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


def test_another_design_and_a_longer_horizon_are_told_apart() -> None:
    before, after = rented(), rented()
    after["designs"].append({**deepcopy(after["designs"][0]), "letter": "C"})
    after["designs"][2]["instances"][0] = {"name": "x", "usd_per_h": 0.1, "vcpu_count": 8}
    after["assumptions"]["horizon_months"] = 48
    assert set(of(before, after)) == {"designs", "assumptions"}


def test_what_a_newer_plan_moves_is_apart() -> None:
    before = rented()
    stored = answer(before)
    old = deepcopy(stored)
    for design in old["designs"]:
        design["npv_usd"] += 1000.0
    found = moved(before, before, old, stored)
    assert [one.cause for one in found.causes] == ["model"]
    assert found.causes[0].amount_usd == pytest.approx(-1000.0)


@pytest.mark.parametrize("seed", range(4))
def test_random_studies_add_up(seed: int) -> None:
    """Between a random study and one with other prices and another horizon."""
    before = studies.document_of(studies.random_study(seed))
    after = deepcopy(before)
    _scale_prices(after["designs"], 1.25)
    after.setdefault("assumptions", {})["horizon_months"] = 24
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
