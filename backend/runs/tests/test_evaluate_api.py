"""Instant answers and the models, over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.registry import get_model, model_ids
from common import throttling
from common.gate import Gate, Limits
from runs import answering, evaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studies.tests.people import Planner

pytestmark = pytest.mark.db


def document(planner: Planner, study: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = planner.get(f"/studies/{study['id']}/document").json()
    return found


@pytest.mark.decisive
def test_an_instant_answer_has_the_studys_verdict(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    params = document(alice, study)
    response = alice.post("/evaluate", {"model": "plans.compare", "params": params})
    assert response.status_code == 200
    answer = response.json()
    assert answer["model"] == "plans.compare"
    assert answer["version"] == get_model("plans.compare").version
    assert answer["summary"]["winner"] == study["winner"]
    assert answer["summary"]["verdict"] == study["verdict"]


def test_an_instant_answer_has_what_charts_draw_of_two_designs_where_it_is_asked(
    alice: Planner,
) -> None:
    asked = {"study": alice.study(draws_count=0)["id"]}
    plain = alice.post("/evaluate", asked).json()
    assert "drawn" not in plain
    usual = alice.post("/evaluate?include=drawn", asked).json()
    assert usual["summary"] == plain["summary"]
    start, end = usual["drawn"]["pair"]
    assert end == plain["summary"]["winner"]
    assert start != end
    turned = alice.post(f"/evaluate?include=drawn&figures={end}-{start}", asked).json()["drawn"]
    assert turned["pair"] == [end, start]
    (figure,) = (one for one in turned["figures"] if one["kind"] == "waterfall")
    assert figure["title"].startswith(f"From {end} to {start}: ")
    for wrong in ("A", "A-D-E", "I-A", "5"):
        refused = alice.post(f"/evaluate?include=drawn&figures={wrong}", asked)
        assert refused.status_code == 422
        (fault,) = refused.json()["errors"]
        assert (fault["pointer"], fault["message"]) == (
            "/figures",
            "Enter two letters from A to H, as in A-D; T is what runs today.",
        )


@pytest.mark.parametrize(("pair", "code"), [("A-H", "leads_nowhere"), ("A-A", "twice")])
def test_a_pair_that_no_chart_can_draw_is_refused(alice: Planner, pair: str, code: str) -> None:
    asked = {"study": alice.study(draws_count=0)["id"]}
    refused = alice.post(f"/evaluate?include=drawn&figures={pair}", asked)
    assert refused.status_code == 422
    assert [fault["code"] for fault in refused.json()["errors"]] == [code]


def test_what_runs_today_is_held_against_a_design(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    lines = [{"type": "m5.xlarge", "count": 4.0, "hours_per_month": 730.0, "usd_per_h": 0.12}]
    baseline = {"kind": "do_nothing", "lines": lines}
    assert alice.patch(f"/studies/{study['id']}", {"baseline": baseline}).status_code == 200
    answer = alice.post("/evaluate?include=drawn&figures=T-B", {"study": study["id"]})
    assert answer.status_code == 200, answer.content
    assert answer.json()["drawn"]["pair"] == ["T", "B"]


def test_a_comparison_that_is_asked_again_for_other_designs_is_not_computed_again(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"study": alice.study(draws_count=100)["id"]}
    first = alice.post("/evaluate", asked).json()
    monkeypatch.setattr(evaluation, "answer", None)
    again = alice.post("/evaluate?include=drawn", asked).json()
    assert again["summary"] == first["summary"]
    assert again["drawn"]["figures"]


def test_an_instant_answer_says_how_long_its_parts_took(alice: Planner) -> None:
    response = alice.post("/evaluate", {"study": alice.study()["id"]})
    names = [part.split(";")[0] for part in response["Server-Timing"].split(", ")]
    assert names == ["turn", "validate", "model", "app"]


def test_evaluating_a_study_as_saved_puts_the_odds_on_its_card(alice: Planner) -> None:
    study = alice.study(draws_count=1000)
    assert study["verdict"]["odds"] is None
    alice.post("/evaluate", {"study": study["id"]})
    assert alice.get(f"/studies/{study['id']}").json()["verdict"]["odds"]


def test_evaluating_something_else_leaves_the_card_alone(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    params = {**document(alice, study), "assumptions": {"horizon_months": 60}}
    assert alice.post("/evaluate", {"study": study["id"], "params": params}).status_code == 200
    assert alice.get(f"/studies/{study['id']}").json()["verdict"] == study["verdict"]


def test_draws_are_counted_from_the_request(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    plain = alice.post("/evaluate", {"study": study["id"]}).json()
    drawn = alice.post("/evaluate", {"study": study["id"], "draws_count": 500}).json()
    assert plain["summary"]["draws_count"] == 0
    assert drawn["summary"]["draws_count"] == 500


def test_faults_name_designs_by_letter(alice: Planner) -> None:
    study = alice.study()
    params = document(alice, study)
    params["designs"][1]["instances"] = []
    response = alice.post("/evaluate", {"model": "plans.compare", "params": params})
    assert response.status_code == 422
    assert [f["pointer"] for f in response.json()["errors"]] == ["/designs/B/instances"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/params"),
        ({"model": "cost.none", "params": {}}, "/model"),
        ({"model": "plans.compare", "params": []}, "/params"),
        ({"model": "plans.compare", "params": {"designs": 1, "workload": None}}, "/designs"),
        ({"model": "plans.compare", "params": {"designs": [7]}}, "/designs/0"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(
    alice: Planner, body: dict[str, Any], pointer: str
) -> None:
    response = alice.post("/evaluate", body)
    assert response.status_code == 422
    assert pointer in [fault["pointer"] for fault in response.json()["errors"]]


def test_a_body_that_is_not_json_is_refused(alice: Planner) -> None:
    response = alice.upload("/evaluate", b'{"params": {', "application/json")
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"


def test_a_number_that_is_none_is_a_fault_of_its_field(alice: Planner) -> None:
    response = alice.upload("/evaluate", b'{"params": {"capex_usd": NaN}}', "application/json")
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/params/capex_usd"]


def replaced(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    changed = replace(get_model("plans.compare"), **changes)
    for module in ("services", "answering"):
        monkeypatch.setattr(f"runs.{module}.get_model", lambda _model_id: changed)


def test_a_question_above_the_point_limit_is_too_large(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = alice.study()
    replaced(monkeypatch, points=lambda _params: 101, point_limit=100)
    response = alice.post("/evaluate", {"study": study["id"]})
    assert response.status_code == 413
    assert "101" in response.json()["detail"]


def test_a_model_that_is_not_instant_needs_a_run(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = alice.study()
    replaced(monkeypatch, instant=False)
    assert alice.post("/evaluate", {"study": study["id"]}).status_code == 413


def test_charlie_cannot_evaluate_alices_study(alice: Planner, charlie: Planner) -> None:
    study = alice.study()
    assert charlie.post("/evaluate", {"study": study["id"]}).status_code == 404


def test_nobody_is_let_in_without_signing_in(nobody: Planner) -> None:
    assert nobody.post("/evaluate", {"params": {}}).status_code == 401
    assert nobody.get("/models").status_code == 401
    assert nobody.get("/runs").status_code == 401


# That each check of every model holds is tested with the models.
@pytest.mark.slow
@pytest.mark.parametrize("is_each_checked", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_every_model_is_listed_and_has_schemas_and_checks(
    alice: Planner, monkeypatch: pytest.MonkeyPatch, is_each_checked: bool
) -> None:
    # a kernel that nobody compiled yet costs more than one workspace may take of a process
    monkeypatch.setattr(throttling, "USUAL", Gate(Limits(2, 2, cpu_saved_s=3600.0)))
    listed = alice.get("/models").json()["results"]
    assert [model["id"] for model in listed] == list(model_ids())
    for model in listed:
        detail = alice.get(f"/models/{model['id']}").json()
        assert detail["params_schema"]["type"] == "object"
        assert detail["result_schema"]["type"] == "object"
        if not (is_each_checked or get_model(model["id"]).instant):
            continue
        checks = alice.get(f"/models/{model['id']}/checks").json()["results"]
        assert len(checks) == model["checks_count"]
        assert all(check["ok"] for check in checks), checks


def test_an_unknown_model_is_not_found(alice: Planner) -> None:
    assert alice.get("/models/cost.none").status_code == 404
    assert alice.get("/models/cost.none/checks").status_code == 404


def test_a_paper_has_its_printed_figures_beside_those_of_now(alice: Planner) -> None:
    listed = {paper["id"]: paper for paper in alice.get("/papers").json()["results"]}
    found = alice.get("/papers/seamicro").json()
    assert len(found["rows"]) == listed["seamicro"]["checks_count"]
    assert found["figure"]["rows"][0] == "WordCount: time that the box saves"
    assert [error["kind"] for error in found["errors"]] == ["predicted", "fitted"]
    assert {row["is_apart"] for row in found["rows"]} == {True, False}
    assert alice.get("/papers/none").status_code == 404
    assert found["tool"] == "scaling"
    model = alice.get("/models/performance.cluster_job").json()
    assert [paper["id"] for paper in model["papers"]] == ["seamicro"]
    formulas = {
        one["id"]: one["papers"] for one in alice.get("/models/plans.compare").json()["formulas"]
    }
    assert (formulas["site"], formulas["array_power"]) == (["free-factories"], ["laptop-arrays"])
    assert formulas["replacements"] == ["laptop-arrays", "disk-failures"]
    assert formulas["npv"] == []


def test_who_waits_for_checks_takes_no_place_of_other_requests(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[int] = []

    def inside(model_ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        listed.append(alice.get("/runs").status_code)
        return checks_of(model_ids)

    checks_of = evaluation.checks_of
    monkeypatch.setattr(answering, "published_checks", inside)
    alone = Gate(Limits(inside_max=1, running_max=1, patience_s=0.0))
    monkeypatch.setattr(throttling, "USUAL", alone)
    for path in ("/papers/seamicro", "/models/cost.npv/checks"):
        assert alice.get(path).status_code == 200
    assert listed == [200, 200]


def test_moved_inputs_are_answered_as_the_study_with_them_and_said(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    params = document(alice, study)
    pointer = "/assumptions/pue"
    wrong = alice.post("/evaluate", {"params": params, "moves": {"/designs/A/title": 1}})
    assert wrong.status_code == 422
    params["ranges"] = [{"pointer": pointer, "low": 1.1, "high": 1.9}]
    params["assumptions"]["pue"] = 1.5
    answer = alice.post("/evaluate", {"params": params, "moves": {pointer: 1.2}}).json()
    assert answer["moved"] == {pointer: 1.2, "/ranges": []}
    by_hand = {**params, "assumptions": {**params["assumptions"], "pue": 1.2}, "ranges": []}
    assert answer["summary"] == alice.post("/evaluate", {"params": by_hand}).json()["summary"]
    kept = alice.post("/evaluate", {"params": params, "moves": {pointer: 1.2}, "ranges": "move"})
    (entry,) = kept.json()["moved"]["/ranges"]
    assert (entry["low"], entry["high"]) == pytest.approx((1.1 * 0.8, 1.9 * 0.8), rel=0.2)
