"""Runs over HTTP: start, reuse, cancel, results."""

from __future__ import annotations

import csv
import io
import struct
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from capmodels.registry import all_models
from common.tenancy import workspace
from files.frames import pieces_of
from files.models import File
from files.selectors import file_opened
from jobs import kinds
from jobs.models import Job
from jobs.monitoring import worker_seen
from jobs.services import job_claim, job_submit, job_succeed
from runs import columns
from runs.models import Run
from runs.services import runs_recheck
from runs.tests.work import work_off
from runs.warming import COMPILING
from traces.models import Trace

if TYPE_CHECKING:
    from capmodels.spec import AnyModel
    from studies.tests.people import Planner

ALL_OF_IT = "designs,break_evens,odds,rows"
pytestmark = pytest.mark.db


def start(planner: Planner, study: dict[str, Any], **headers: str) -> dict[str, Any]:
    response = planner.post("/runs", {"study": study["id"]}, **headers)
    assert response.status_code == 202, response.content
    run: dict[str, Any] = response.json()
    return run


def test_alice_runs_her_study(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = start(alice, study)
    assert (run["state"], run["study"], run["model"]) == ("queued", study["id"], "plans.compare")
    ended = work_off(alice, run)
    assert ended["state"] == "succeeded"
    assert ended["winner"] == study["winner"]
    assert ended["cost_usd"] == study["cost_usd"]
    assert ended["headline"] == study["verdict"]["headline"]
    result = alice.get(f"/runs/{run['id']}/result").json()
    assert result["inputs_hash"] == run["inputs_hash"]
    assert result["summary"]["winner"] == study["winner"]


@pytest.mark.decisive
def test_a_run_equals_the_instant_answer(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = work_off(alice, start(alice, study))
    instant = alice.post(f"/evaluate?include={ALL_OF_IT}", {"study": study["id"]}).json()
    stored = alice.get(f"/runs/{run['id']}/result?include={ALL_OF_IT}").json()
    assert stored == instant


def test_a_running_run_freezes_its_inputs(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = start(alice, study)
    alice.delete(f"/designs/{study['designs'][1]['id']}")
    work_off(alice, run)
    result = alice.get(f"/runs/{run['id']}/result").json()["summary"]
    assert [design["letter"] for design in result["designs"]] == ["A", "B"]


def test_a_study_that_changed_meanwhile_keeps_its_newer_verdict(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = start(alice, study)
    alice.delete(f"/designs/{study['designs'][1]['id']}")
    before = alice.get(f"/studies/{study['id']}").json()["verdict"]
    work_off(alice, run)
    assert alice.get(f"/studies/{study['id']}").json()["verdict"] == before


def test_a_run_with_draws_puts_the_odds_on_the_card(alice: Planner) -> None:
    study = alice.study(draws_count=1000)
    work_off(alice, start(alice, study))
    assert alice.get("/studies").json()["results"][0]["verdict"]["odds"]
    again = start(alice, study)
    listed = alice.get(f"/runs?study={study['id']}").json()["results"]
    stored = alice.get(f"/runs/{again['id']}/result?include=odds").json()
    wins = stored["result"]["odds"]["wins"]
    told = {one["letter"]: one["cheapest_fraction"] for one in stored["summary"]["designs"]}
    assert told == wins
    assert [run["odds"] for run in listed] == [wins, wins]
    assert sum(wins.values()) == pytest.approx(1.0)


def test_the_same_question_is_answered_from_the_stored_result(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    first = work_off(alice, start(alice, study))
    second = start(alice, study)
    assert second["state"] == "succeeded"
    assert second["reused"]
    assert second["reused_from"] == first["id"]
    assert second["headline"] == first["headline"]
    answers = [alice.get(f"/runs/{run['id']}/result").content for run in (first, second)]
    assert answers[0] == answers[1]


def test_another_question_is_not_reused(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    work_off(alice, start(alice, study))
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 25}})
    assert not start(alice, study)["reused"]


def test_charlie_does_not_get_alices_stored_result(alice: Planner, charlie: Planner) -> None:
    work_off(alice, start(alice, alice.study(draws_count=0)))
    run = start(charlie, charlie.study(draws_count=0))
    assert (run["state"], run["reused"]) == ("queued", False)


def test_a_stored_run_is_computed_again_and_compared(alice: Planner) -> None:
    first = work_off(alice, start(alice, alice.study(draws_count=0)))
    again = alice.post(f"/runs/{first['id']}/again")
    assert again.status_code == 202
    assert again.json()["again_of"] == first["id"]
    second = work_off(alice, again.json())
    compared = alice.get(f"/runs/{second['id']}/compare?against={first['id']}").json()
    assert compared["same"]
    assert compared["moved"] == []


def test_what_moved_between_two_runs_is_listed_by_size(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    first = work_off(alice, start(alice, study))
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 36}})
    second = work_off(alice, start(alice, study))
    compared = alice.get(f"/runs/{second['id']}/compare?against={first['id']}").json()
    horizon = {row["pointer"]: row for row in compared["moved"]}["/horizon_months"]
    assert horizon["relative_fraction"] == 0.5
    known = [abs(row["relative_fraction"] or float("inf")) for row in compared["moved"]]
    assert known == sorted(known, reverse=True)


def test_an_incomplete_study_does_not_run(alice: Planner) -> None:
    study = alice.study(workload={"kind": "utilization"})
    response = alice.post("/runs", {"study": study["id"]})
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == [
        "/workload/utilization_fraction",
        "/workload/machines",
    ]
    assert alice.get("/runs").json()["results"] == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"model": "plans.compare"}, ""),
        ({"model": "cost.none", "params": {}}, "/model"),
        ({"model": "../etc", "params": {}}, "/model"),
        ({"study": "x"}, "/study"),
        ({"study": str(uuid4()), "colour": 1}, "/colour"),
    ],
)
def test_what_cannot_be_run_is_refused(alice: Planner, body: dict[str, Any], pointer: str) -> None:
    response = alice.post("/runs", body)
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer]


def test_a_starting_post_takes_effect_once_per_key(alice: Planner) -> None:
    study = alice.study()
    key = {"Idempotency-Key": "start"}
    assert start(alice, study, **key)["id"] == start(alice, study, **key)["id"]
    assert len(alice.get("/runs").json()["results"]) == 1


def test_a_waiting_run_is_cancelled_at_once(alice: Planner) -> None:
    run = start(alice, alice.study())
    cancelled = alice.post(f"/runs/{run['id']}/cancel")
    assert cancelled.status_code == 202
    assert cancelled.json()["state"] == "cancelled"
    assert alice.post(f"/runs/{run['id']}/cancel").status_code == 202
    assert alice.get(f"/runs/{run['id']}/result").status_code == 409
    assert job_claim(job_id=UUID(run["id"]), workspace_id=alice.workspace_id) is None


def test_an_ended_run_is_not_cancelled(alice: Planner) -> None:
    run = work_off(alice, start(alice, alice.study(draws_count=0)))
    assert alice.post(f"/runs/{run['id']}/cancel").status_code == 409


def test_a_run_without_a_result_yet_says_so(alice: Planner) -> None:
    run = start(alice, alice.study())
    for path in ("result", "result.csv", "result.bin", "focus.csv"):
        response = alice.get(f"/runs/{run['id']}/{path}")
        assert response.status_code == 409
        assert response.json()["detail"] == "The run has not ended yet."


def test_a_stored_comparison_has_what_charts_draw_of_two_designs(alice: Planner) -> None:
    run = work_off(alice, start(alice, alice.study(draws_count=0)))
    address = f"/runs/{run['id']}/result"
    plain = alice.get(address).json()
    asked = alice.get(f"{address}?include=drawn").json()
    assert asked["summary"] == plain["summary"]
    first, last = asked["drawn"]["pair"]
    turned = alice.get(f"{address}?include=drawn&figures={last}-{first}").json()["drawn"]
    assert turned["pair"] == [last, first]
    assert {one["name"] for one in turned["figures"]} == {
        one["name"] for one in asked["drawn"]["figures"]
    }
    refused = alice.get(f"{address}?include=drawn&figures=nothing")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/figures"


def test_series_are_read_as_csv_and_as_columns(alice: Planner) -> None:
    run = work_off(alice, start(alice, alice.study(draws_count=0)))
    result = alice.get(f"/runs/{run['id']}/result?include=designs").json()["result"]
    wanted = result["designs"][0]["cumulative_usd"]
    pointer = "/designs/A/cumulative_usd"
    rows = list(csv.DictReader(io.StringIO(alice.get(f"/runs/{run['id']}/result.csv").text)))
    assert [float(row[pointer]) for row in rows if row[pointer]] == wanted
    bill = list(csv.DictReader(io.StringIO(alice.get(f"/runs/{run['id']}/focus.csv").text)))
    billed = sum(float(row["BilledCost"]) for row in bill if row["BillingAccountId"] == "A")
    assert billed == pytest.approx(result["designs"][0]["total_usd"], abs=0.006)
    body = alice.get(f"/runs/{run['id']}/result.bin").content
    (length,) = struct.unpack_from("<I", body, 4)
    places = [column["pointer"] for column in orjson.loads(body[8 : 8 + length])["columns"]]
    assert pointer in places


def test_a_series_too_long_for_the_screen_is_kept_in_full(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "SCREEN_POINTS", 10)
    monkeypatch.setattr(columns, "CHUNK_VALUES", 8)
    study = alice.study(draws_count=0)
    run = start(alice, study)
    job = job_claim(job_id=UUID(run["id"]), workspace_id=alice.workspace_id)
    assert job
    performed = kinds.perform(job, lambda _fraction, _message: None)
    job_succeed(job, performed)
    shown = alice.get(f"/runs/{run['id']}/result?include=designs").json()["result"]
    assert len(shown["designs"][0]["cumulative_usd"]) == 10
    rows = list(csv.DictReader(io.StringIO(alice.get(f"/runs/{run['id']}/result.csv").text)))
    kept = [row["/designs/A/cumulative_usd"] for row in rows]
    assert len([value for value in kept if value]) == 25
    with workspace(alice.workspace_id):
        file = File.objects.get(job_id=run["id"])
        with file_opened(file) as opened:
            pointers = [piece.partition(b"\0")[0] for piece in pieces_of(opened)]
    assert pointers.count(b"/designs/A/cumulative_usd") == 4


def test_runs_are_listed_newest_first_by_study_and_state(alice: Planner) -> None:
    studies = [alice.study(draws_count=0), alice.study(draws_count=0, question="Other?")]
    runs = [start(alice, study) for study in studies]
    work_off(alice, runs[0])

    def listed(query: str) -> list[str]:
        return [run["id"] for run in alice.get(f"/runs{query}").json()["results"]]

    assert listed("") == [runs[1]["id"], runs[0]["id"]]
    assert listed(f"?study={studies[0]['id']}") == [runs[0]["id"]]
    assert listed("?state=queued") == [runs[1]["id"]]
    assert listed("?model=cost.owned_vs_cloud") == []
    assert alice.get("/runs?study=x").status_code == 422


def test_the_list_of_runs_takes_a_constant_number_of_queries(alice: Planner) -> None:
    study = alice.study()

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            alice.get("/runs")
        return len(queries)

    start(alice, study)
    few = count()
    for _ in range(4):
        start(alice, study)
    assert count() == few


@pytest.mark.parametrize(
    "below",
    ["", "/result", "/result.csv", "/result.bin", "/focus.csv", f"/compare?against={UUID(int=7)}"],
)
def test_charlie_cannot_tell_alices_run_from_none(
    alice: Planner, charlie: Planner, below: str
) -> None:
    run = work_off(alice, start(alice, alice.study(draws_count=0)))
    foreign = charlie.get(f"/runs/{run['id']}{below}")
    missing = charlie.get(f"/runs/{uuid4()}{below}")
    assert (foreign.status_code, foreign.json()) == (404, missing.json())


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/runs", "study"),
        ("/evaluate", "study"),
        ("/reports", "study"),
        ("/reports", "run"),
        ("/studies/{study}/tool-runs", "run"),
        ("/studies/{study}/shares", "run"),
        ("/studies/{study}/pack", "entry"),
    ],
)
def test_an_id_in_a_body_that_leads_nowhere_is_pointed_at(
    alice: Planner, charlie: Planner, path: str, field: str
) -> None:
    foreign = str(uuid4())
    if field == "study":
        foreign = charlie.study(draws_count=0)["id"]
    more = {
        "/evaluate": {"model": "plans.compare"},
        "/studies/{study}/tool-runs": {"title": "T", "tool": "purchases"},
    }
    body = {field: foreign, **more.get(path, {})}
    answer = alice.post(path.format(study=alice.study(draws_count=0)["id"]), body)
    assert answer.status_code == 404, answer.content
    fault = {"pointer": f"/{field}", "code": "not_found", "message": "Nothing here has this id."}
    assert answer.json()["errors"] == [fault]


@pytest.mark.parametrize("below", ["/cancel", "/again"])
def test_charlie_cannot_touch_alices_run(alice: Planner, charlie: Planner, below: str) -> None:
    run = start(alice, alice.study())
    foreign = charlie.post(f"/runs/{run['id']}{below}")
    missing = charlie.post(f"/runs/{uuid4()}{below}")
    assert (foreign.status_code, foreign.json()) == (404, missing.json())
    assert alice.get(f"/runs/{run['id']}").json()["state"] == "queued"


def test_charlie_cannot_run_alices_study(alice: Planner, charlie: Planner) -> None:
    study = alice.study()
    foreign = charlie.post("/runs", {"study": study["id"]})
    missing = charlie.post("/runs", {"study": str(uuid4())})
    assert (foreign.status_code, foreign.json()) == (404, missing.json())
    with workspace(charlie.workspace_id):
        assert not Run.objects.exists()
        assert not Job.objects.exists()


def test_a_run_goes_with_its_study(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = work_off(alice, start(alice, study))
    assert alice.delete(f"/studies/{study['id']}").status_code == 204
    assert alice.get(f"/runs/{run['id']}").status_code == 404


def test_a_new_version_of_the_plan_says_which_studies_moved(
    alice: Planner, charlie: Planner
) -> None:
    runs = {
        planner: work_off(planner, start(planner, planner.study(draws_count=0)))
        for planner in (alice, charlie)
    }
    assert runs_recheck() == 0
    with workspace(alice.workspace_id), connection.cursor() as cursor:
        cursor.execute("UPDATE runs_run SET model_version = '0.0'")
        cursor.execute("UPDATE runs_result SET data = jsonb_set(data, '{winner}', '9')")
    assert [runs_recheck(), runs_recheck()] == [1, 0]
    again = alice.get("/runs").json()["results"][0]
    assert (again["again_of"], again["state"]) == (runs[alice]["id"], "queued")
    assert work_off(alice, again)["moved_count"] == 1
    moved = alice.get("/runs?moved=true").json()["results"]
    assert [(run["id"], run["study"]) for run in moved] == [(again["id"], again["study"])]
    assert runs_recheck() == 0


@pytest.mark.parametrize(("warm", "told"), [(True, ""), (False, COMPILING)])
def test_a_simulation_that_waits_for_the_compiler_says_so_from_the_start(
    alice: Planner, monkeypatch: pytest.MonkeyPatch, warm: bool, told: str
) -> None:
    monkeypatch.setattr("runs.services.is_warm", lambda _kernels: warm)
    worker_seen("one", ["interactive", "batch"])
    answer = alice.post("/runs", {"model": "storage.array", "params": {}})
    assert answer.status_code == 202
    assert answer.json()["progress_message"] == told


@pytest.mark.parametrize(
    "of", [one for one in all_models() if "limit_s" in one.params.model_fields]
)
def test_a_search_is_not_ended_before_its_own_time_limit(
    alice: Planner, monkeypatch: pytest.MonkeyPatch, of: AnyModel
) -> None:
    monkeypatch.setattr("runs.services.is_warm", lambda _family: True)
    assert of.start is not None
    for limit_s in (30.0, 59.0, 60.0, 600.0):
        run = alice.post("/runs", {"model": of.id, "params": {**of.start(), "limit_s": limit_s}})
        with workspace(alice.workspace_id):
            assert Job.objects.get(pk=run.json()["id"]).limit_s > limit_s


@pytest.mark.parametrize(("rows_count", "kind"), [(4_000_000, "run"), (6_000_000, "run.long")])
def test_a_replay_waits_where_its_traces_length_puts_it(
    alice: Planner, monkeypatch: pytest.MonkeyPatch, rows_count: int, kind: str
) -> None:
    monkeypatch.setattr("runs.services.is_warm", lambda _family: True)
    with workspace(alice.workspace_id):
        trace = Trace.objects.create(
            job=job_submit(kind="trace"),
            workspace_id=alice.workspace_id,
            kind=Trace.Kind.BLOCK,
            bytes_count=1,
            sha256="a" * 64,
            rows_count=rows_count,
        )
    ref = {"trace_id": str(trace.pk), "sha256": trace.sha256}
    body = {"model": "storage.array", "params": {"trace": ref}}
    run = alice.post("/runs", body).json()
    with workspace(alice.workspace_id):
        assert Job.objects.get(pk=run["id"]).kind == kind


@pytest.mark.decisive
def test_an_answer_is_a_summary_and_the_parts_that_are_asked_for(alice: Planner) -> None:
    run = work_off(alice, start(alice, alice.study(draws_count=200)))
    address = f"/runs/{run['id']}/result"
    plain = alice.get(address)
    assert len(plain.content) < 6_000
    assert set(plain.json()) == {"model", "version", "inputs_hash", "summary"}
    summary, whole = plain.json()["summary"], alice.get(f"{address}?include={ALL_OF_IT}").json()
    result = whole["result"]
    assert result["verdict"] == summary["verdict"]
    for told, design in zip(summary["designs"], result["designs"], strict=True):
        assert told["cost_usd"] == design["ranked_usd"]
        assert (told["p10_usd"], told["p90_usd"]) == (design["p10_usd"], design["p90_usd"])
        assert sum(told["causes_usd"].values()) == pytest.approx(told["cost_usd"])
        assert set(told["causes_usd"]) <= set(summary["causes"])
        assert told["energy_kwh"] == design["energy"]["kwh"]
        assert told["carbon_kgco2e"] == design["carbon"]["kgco2e"]
    seen: set[str] = set()
    for name in ALL_OF_IT.split(","):
        part = alice.get(f"{address}?include={name}").json()["result"]
        assert part == {key: result[key] for key in part}
        seen |= set(part)
    assert seen == set(result)
    assert alice.get(f"{address}?include=rows&include=odds").json()["result"].keys() == (
        alice.get(f"{address}?include=rows,odds").json()["result"].keys()
    )


def test_a_part_that_there_is_not_is_refused_with_those_there_are(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = work_off(alice, start(alice, study))
    for refused in (
        alice.get(f"/runs/{run['id']}/result?include=rows,months"),
        alice.post("/evaluate?include=months", {"study": study["id"]}),
    ):
        assert refused.status_code == 422
        (fault,) = refused.json()["errors"]
        assert fault == {
            "pointer": "/include",
            "code": "not_a_choice",
            "message": "There is no part 'months'. "
            "Choose among designs, break_evens, odds, rows, drawn.",
        }
