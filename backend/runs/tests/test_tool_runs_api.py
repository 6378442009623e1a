"""Runs of tools that a study refers to: which it names, and when it says that they are old."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from capmodels.tests.plans.documents import file_of
from runs import tool_run_apis
from runs.tests.work import work_off

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db

MODEL = "performance.workload_taxonomy"
PUE = "/assumptions/pue"


def ran(planner: Planner, params: dict[str, Any] | None = None) -> dict[str, Any]:
    response = planner.post("/runs", {"model": MODEL, "params": params or {}})
    assert response.status_code == 202, response.content
    return work_off(planner, response.json())


def refer(planner: Planner, study: dict[str, Any], run: dict[str, Any], **more: Any) -> Any:
    body = {"run": run["id"], "tool": "advice", "title": "Workload advice", **more}
    return planner.post(f"/studies/{study['id']}/tool-runs", body)


def listed(planner: Planner, study: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = planner.get(f"/studies/{study['id']}/tool-runs").json()["results"]
    return found


def entry(pue: float) -> dict[str, Any]:
    return {
        "kind": "site",
        "slug": "hall",
        "title": "Hall",
        "values": {"pue": {"value": pue, "source": "measured"}},
    }


@pytest.mark.decisive
def test_a_study_names_the_run_with_its_headline(alice: Planner) -> None:
    study, run = alice.study(draws_count=0), ran(alice)
    assert refer(alice, study, run, design="A", state={"x": [1]}).status_code == 201
    [one] = listed(alice, study)
    assert (one["run"], one["tool"], one["design"]) == (run["id"], "advice", "A")
    assert one["state"] == {"x": [1]}
    assert one["headline"] == alice.get(f"/runs/{run['id']}/result").json()["result"]["headline"]
    assert one["inputs_hash"] == run["inputs_hash"]
    assert one["stale"] == []
    # No input of the plan has changed by it.
    assert alice.get(f"/studies/{study['id']}").json()["revision"] == study["revision"]


def test_it_is_old_once_what_it_was_taken_from_has_changed(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    refer(alice, study, ran(alice), pointers=[PUE, "/workload"])
    changed = {**study["assumptions"], "pue": 1.77}
    alice.patch(f"/studies/{study['id']}", {"assumptions": changed}, **{"If-Match": '"1"'})
    [one] = listed(alice, study)
    assert one["stale"] == ["The study's assumptions, pue was not entered and is 1.77 now."]


def test_it_is_old_once_a_catalogue_entry_or_the_model_has_changed(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = alice.study(draws_count=0)
    made = alice.post("/catalogue/entries", entry(1.2))
    assert made.status_code == 201, made.content
    refer(alice, study, ran(alice), entries=["hall"])
    assert listed(alice, study)[0]["stale"] == []
    alice.patch("/catalogue/entries/hall", {"values": entry(1.3)["values"]})
    assert listed(alice, study)[0]["stale"] == ["The catalogue entry hall has changed."]
    monkeypatch.setattr(
        "studies.tool_runs.get_model",
        lambda _id: type("Newer", (), {"version": "9.0.0"}),
    )
    first, _ = listed(alice, study)[0]["stale"]
    assert first.startswith("The model is version 9.0.0 now; this ran with ")


def test_the_same_run_stands_once_and_goes_when_asked(alice: Planner) -> None:
    study, run = alice.study(draws_count=0), ran(alice)
    refer(alice, study, run)
    refer(alice, study, run, title="Asked again")
    assert [one["title"] for one in listed(alice, study)] == ["Asked again"]
    # Asked again it is answered from the store, as a run of its own.
    run = alice.post("/runs", {"model": MODEL, "params": {}}).json()
    refer(alice, study, run, title="Asked again")
    assert [one["run"] for one in listed(alice, study)] == [run["id"]]
    address = f"/studies/{study['id']}/tool-runs/{run['id']}"
    assert alice.delete(address).status_code == 204
    assert listed(alice, study) == []
    assert alice.delete(address).status_code == 404


def test_references_go_with_a_copy_and_with_the_file(alice: Planner, charlie: Planner) -> None:
    study = alice.study(draws_count=0)
    refer(alice, study, ran(alice, {"serial_ms": 7.0}), pointers=[PUE])
    copy = alice.post(f"/studies/{study['id']}/copy").json()
    assert listed(alice, copy) == listed(alice, study)
    file = alice.get(f"/studies/{study['id']}/export").content
    theirs = charlie.upload("/studies/import", file).json()
    assert listed(charlie, theirs) == listed(alice, study)
    assert charlie.get(f"/studies/{theirs['id']}/export").content == file


def test_what_cannot_be_referred_to_is_refused(
    alice: Planner, charlie: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, run = alice.study(draws_count=0), ran(alice)
    open_run = alice.post("/runs", {"model": MODEL, "params": {"serial_ms": 3.0}}).json()
    assert refer(alice, study, open_run).status_code == 409
    assert refer(alice, study, {"id": str(uuid4())}).status_code == 404
    assert refer(alice, study, run, design="H").status_code == 422
    assert refer(alice, study, run, entries=["no-such"]).status_code == 404
    assert refer(charlie, study, run).status_code == 404
    monkeypatch.setattr(tool_run_apis, "PARAMS_BYTES_MAX", 10)
    assert refer(alice, study, run).status_code == 422
    monkeypatch.setattr("studies.tool_runs.MOST", 0)
    monkeypatch.setattr(tool_run_apis, "PARAMS_BYTES_MAX", 10_000)
    assert refer(alice, study, run).status_code == 409
    assert listed(alice, study) == []


def rent_or_own(alice: Planner) -> dict[str, Any]:
    """The example of that name, without ranges."""
    entered = file_of("rent-or-own")
    kept = ("letter", "title", "kind", "spec")
    return alice.study(
        designs=[{key: design[key] for key in kept} for design in entered["designs"]],
        workload=entered["workload"],
        assumptions=entered["assumptions"],
        baseline=None,
        ranges=[],
    )


def test_a_study_asks_for_a_plan_of_purchases(alice: Planner) -> None:
    # A share of machines in use is no demand that could be bought for.
    shares = alice.study(draws_count=0)
    assert alice.get(f"/studies/{shares['id']}/purchase-plan").status_code == 422
    study = rent_or_own(alice)
    found = alice.get(f"/studies/{study['id']}/purchase-plan")
    assert found.status_code == 200, found.content
    asked = found.json()
    assert asked["model"] == "plans.purchase_plan"
    assert (asked["owned_letter"], asked["rented_letter"]) == ("D", "B")
    run = alice.post("/runs", {"model": asked["model"], "params": asked["params"]})
    assert run.status_code == 202, run.content


# A plan that is found in no time.
SMALL_PLAN = {"months_count": 6, "machines": [{"lead_months": 1}], "commitments": [], "reviews": []}


def planned(alice: Planner) -> dict[str, Any]:
    """A run of a plan of purchases that has ended."""
    run = alice.post("/runs", {"model": "plans.purchase_plan", "params": SMALL_PLAN}).json()
    return work_off(alice, run)


def test_an_order_list_is_saved_for_procurement(alice: Planner) -> None:
    run = planned(alice)
    result = alice.get(f"/runs/{run['id']}/result").json()["result"]
    rows = list(csv.DictReader(io.StringIO(alice.get(f"/runs/{run['id']}/orders.csv").text)))
    assert [int(row["Quantity"]) for row in rows] == [
        order["ordered_count"] for order in result["orders"]
    ]
    book = alice.get(f"/runs/{run['id']}/orders.xlsx")
    assert book.content.startswith(b"PK")
    assert alice.get(f"/runs/{ran(alice)['id']}/orders.csv").status_code == 409


def test_a_plan_becomes_a_design_and_its_cost_there_is_told(alice: Planner) -> None:
    study = rent_or_own(alice)
    asked = alice.get(f"/studies/{study['id']}/purchase-plan").json()
    params = {**asked["params"], "reviews": [], "months_count": 12, "commitments": []}
    run = work_off(alice, alice.post("/runs", {"model": asked["model"], "params": params}).json())
    address = f"/studies/{study['id']}/designs/planned"
    before = alice.get(f"{address}?run={run['id']}").json()["held"]
    added = alice.post(address, {"run": run["id"]})
    assert added.status_code == 201, added.content
    design, held = added.json()["design"], added.json()["held"]
    ordered = alice.get(f"/runs/{run['id']}/result").json()["result"]["orders"]
    assert [one["nodes_count"] for one in design["spec"]["plan"]["orders"]] == [
        one["ordered_count"] for one in ordered
    ]
    assert design["faults"] == []
    assert held["headline"].startswith("The comparison puts the plan at ")
    assert len(held["tables"][0]["rows"]) > 4
    # The same is told before it is a design, which adds none.
    assert before == held
    assert alice.get(address).status_code == 422
    unlike = ran(alice)["id"]
    assert alice.get(f"{address}?run={unlike}").status_code == 409
    [reference] = listed(alice, study)
    assert (reference["run"], reference["design"]) == (run["id"], design["letter"])
    assert alice.post(address, {"run": unlike}).status_code == 409


def test_a_plan_is_asked_again_from_the_months_that_have_passed(alice: Planner) -> None:
    study = rent_or_own(alice)
    asked = alice.get(f"/studies/{study['id']}/purchase-plan").json()
    params = {**asked["params"], "months_count": 6, "reviews": [], "commitments": []}
    run = work_off(alice, alice.post("/runs", {"model": asked["model"], "params": params}).json())
    address = f"/studies/{study['id']}/purchase-plan?run={run['id']}"
    result = alice.get(f"/runs/{run['id']}/result").json()["result"]
    asked = alice.get(f"{address}&passed=2").json()["params"]
    assert asked["actual_mean_count"] == [
        month["demand_mean_count"] for month in result["months"][:2]
    ]
    assert [one["ordered_count"] for one in asked["placed_orders"]] == [
        order["ordered_count"] for order in result["orders"] if order["month"] < 2
    ]
    again_of = "plans.purchase_plan"
    again = alice.post("/runs", {"model": again_of, "params": asked})
    assert again.status_code == 202, again.content
    for passed in ("", "0", "6", "x"):
        refused = alice.get(f"{address}&passed={passed}")
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["pointer"] == "/passed"
    other = alice.get(f"/studies/{study['id']}/purchase-plan?passed=1&run={ran(alice)['id']}")
    assert other.status_code == 409
    params = {**params, "machines": [{**params["machines"][0], "name": "another"}]}
    foreign = work_off(alice, alice.post("/runs", {"model": again_of, "params": params}).json())
    refused = alice.get(f"/studies/{study['id']}/purchase-plan?passed=1&run={foreign['id']}")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/run"]
