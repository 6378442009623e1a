"""Sweeps over HTTP: rows, tables, what is stopped and taken up again, and killed workers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.utils import timezone

from capmodels.chunks import serving
from capmodels.plans.sweep import runs
from capmodels.plans.sweep.params import SweepParams
from common.tenancy import workspace
from jobs import chunks, kinds, services
from jobs.models import Chunk, Job
from runs.tests.work import work_off

if TYPE_CHECKING:
    from jobs.chunks import ClaimedChunk
    from jobs.claims import ClaimedJob
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

ASSETS: dict[str, Any] = {
    "assets": [
        {"title": "Owned", "capex_usd": 170_000.0, "opex_usd_per_year": 1e5, "life_years": 3.0}
    ]
}
CAPEX: dict[str, Any] = {
    "kind": "range",
    "pointer": "/assets/0/capex_usd",
    "low": 1e5,
    "high": 3e5,
    "levels_count": 30,
}
LIFE: dict[str, Any] = {
    "kind": "list",
    "pointer": "/assets/0/life_years",
    "values": [3.0, 4.0, 5.0],
}
EAC = "assets/0/eac_usd_per_year"
ASKED: dict[str, Any] = {
    "model": "cost.equivalent_annual_cost",
    "document": ASSETS,
    "axes": [CAPEX, LIFE],
}
PRICE: dict[str, Any] = {
    "kind": "range",
    "pointer": "/designs/B/instances/0/usd_per_h",
    "low": 0.1,
    "high": 4.0,
    "levels_count": 12,
}
PUE: dict[str, Any] = {
    "kind": "range",
    "pointer": "/assumptions/pue",
    "low": 1.1,
    "high": 1.7,
    "levels_count": 5,
}


def swept(planner: Planner, **asked: Any) -> dict[str, Any]:
    made = planner.post("/sweeps", asked)
    assert made.status_code == 202, made.content
    work_off(planner, made.json(), at="sweeps")
    found: dict[str, Any] = planner.get(f"/sweeps/{made.json()['id']}").json()
    return found


def points(planner: Planner, sweep: dict[str, Any], x: str, y: str, of: str) -> dict[str, Any]:
    asked = planner.get(f"/sweeps/{sweep['id']}/points?{urlencode({'x': x, 'y': y, 'of': of})}")
    assert asked.status_code == 200, asked.content
    found: dict[str, Any] = asked.json()
    return found


def test_any_model_is_swept_told_binned_and_given_whole(alice: Planner) -> None:
    sweep = swept(alice, **ASKED)
    assert (sweep["state"], sweep["rows_count"], sweep["faults_count"]) == ("succeeded", 90, 0)
    told = {column["name"]: column for column in sweep["columns"]}
    assert told[CAPEX["pointer"]]["is_axis"]
    assert (told[CAPEX["pointer"]]["low"], told[CAPEX["pointer"]]["high"]) == (1e5, 3e5)
    found = points(alice, sweep, CAPEX["pointer"], LIFE["pointer"], EAC)
    assert len(found["cells"]) == len(found["points"]) == 90
    # Dearer machines cost more a year; those that live longer less.
    cells = {(cell[0], cell[1]): cell[3] for cell in found["cells"]}
    assert cells[0, 0] < cells[29, 0]
    assert cells[0, 2] < cells[0, 0]
    whole = alice.get(f"/sweeps/{sweep['id']}/rows.parquet")
    assert whole.headers["Content-Type"] == "application/vnd.apache.parquet"
    body = b"".join(whole.streaming_content)
    assert (body[:4], body[-4:]) == (b"PAR1", b"PAR1")


def test_a_study_s_sweep_says_where_each_design_is_cheapest(alice: Planner) -> None:
    study = alice.study()
    sweep = swept(alice, study=study["id"], axes=[PRICE, PUE])
    assert sweep["state"] == "succeeded", sweep
    assert "costs least in" in sweep["headline"]
    found = points(alice, sweep, PRICE["pointer"], PUE["pointer"], "winner")
    # The dearer the rent, the more often one owns.
    owned = [sum(cell[3] == "A" for cell in found["cells"] if cell[0] == at) for at in range(12)]
    assert owned == sorted(owned)
    assert {column["label"] for column in found["columns"]} >= {"Cheapest design"}
    assert {one["name"] for one in found["figure"]["series"]} <= {"Own eight nodes", "Rent"}
    lead = points(alice, sweep, PRICE["pointer"], PUE["pointer"], "lead_usd")["figure"]
    assert (lead["kind"], len(lead["series"]), len(lead["series"][0]["values"])) == ("cells", 5, 12)
    assert [one["id"] for one in alice.get(f"/sweeps?study={study['id']}").json()["results"]] == [
        sweep["id"]
    ]


def test_what_of_a_study_may_be_an_axis_is_told_with_a_range(alice: Planner) -> None:
    study = alice.study()
    first, *others = alice.get(f"/studies/{study['id']}/sweep-inputs").json()["results"]
    assert (first["pointer"], first["low"], first["high"]) == ("/designs/A/staff_fte", 0.1, 0.5)
    assert first["is_ranged"]
    price = next(one for one in others if one["pointer"] == PRICE["pointer"])
    assert (price["value"], price["low"], price["high"]) == (0.4, 0.2, pytest.approx(0.6))
    for one in [first, *others][:12]:
        axis = {
            "kind": "range",
            "levels_count": 2,
            **{n: one[n] for n in ("pointer", "low", "high")},
        }
        if one["low"] < one["high"]:
            assert swept(alice, study=study["id"], axes=[axis])["faults_count"] == 0, one


def test_faults_stand_where_they_are(alice: Planner) -> None:
    for axes, pointer in (
        ([{**CAPEX, "low": 5e5}], "/axes/0/high"),
        ([CAPEX, CAPEX], "/axes/1/pointer"),
        ([{**CAPEX, "pointer": "/assets/7/capex_usd"}], "/axes/0/pointer"),
        ([{**CAPEX, "pointer": "/nowhere"}], "/axes/0/pointer"),
        ([CAPEX, {**LIFE, "values": [5.0, -1.0]}], "/axes/1/values/1"),
        ([{**CAPEX, "low": -1e5}], "/axes/0/low"),
        ([{**CAPEX, "levels_count": 1000}, {**LIFE, "values": [1.0] * 1000}], "/axes"),
    ):
        refused = alice.post("/sweeps", {**ASKED, "axes": axes})
        assert refused.status_code == 422, refused.content
        assert refused.json()["errors"][0]["pointer"].startswith(pointer), refused.json()
    assert alice.post("/sweeps", {"axes": [CAPEX]}).status_code == 422
    both = alice.post("/sweeps", {**ASKED, "study": alice.study()["id"]})
    assert both.json()["errors"][0]["code"] == "one_of_two"
    unknown = alice.post("/sweeps", {**ASKED, "model": "cost.nothing"})
    assert unknown.json()["errors"][0]["pointer"] == "/model"


def begun(planner: Planner) -> tuple[dict[str, Any], ClaimedJob]:
    """A sweep of four chunks whose job was claimed."""
    made = planner.post("/sweeps", {**ASKED, "axes": [{**CAPEX, "levels_count": 700}]}).json()
    job = claimed(planner, made)
    pieces = runs.chunks_of(SweepParams.model_validate(job.inputs))
    assert len(pieces) == 4
    chunks.chunks_open(job, 0, "capmodels.plans.sweep.runs.rows_of", pieces)
    return made, job


def claimed(planner: Planner, made: dict[str, Any]) -> ClaimedJob:
    job = services.job_claim(job_id=UUID(made["id"]), workspace_id=planner.workspace_id)
    assert job is not None
    return job


def take(job: ClaimedJob) -> ClaimedChunk:
    found = chunks.chunk_claim(job_id=job.id, workspace_id=job.workspace_id)
    assert found is not None
    return found


def do_one(job: ClaimedJob) -> None:
    chunk = take(job)
    chunks.chunk_store(chunk, runs.rows_of(chunk.payload, lambda *_told: None))


def finish(job: ClaimedJob) -> None:
    """Do what is left as a worker does."""

    def shared(function: Any, payloads: Any) -> list[bytes]:
        name = f"{function.__module__}.{function.__qualname__}"
        chunks.chunks_open(job, 0, name, payloads)
        while chunks.chunks_left(job, 0):
            do_one(job)
        return chunks.chunks_results(job, 0, len(list(payloads)))

    with serving(shared):
        services.job_succeed(job, kinds.perform(job, lambda *_told: None))


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Chunks that are done from now on."""
    done: list[Any] = []
    before = runs._one_by_one

    def spy(*given: Any) -> Any:
        done.append(given)
        return before(*given)

    monkeypatch.setattr(runs, "_one_by_one", spy)
    return done


def test_rows_that_are_done_are_shown_while_the_rest_is_computed(alice: Planner) -> None:
    made, job = begun(alice)
    assert alice.get(f"/sweeps/{made['id']}/points?x=row&y=row&of=row").status_code == 409
    do_one(job)
    found = points(alice, made, CAPEX["pointer"], CAPEX["pointer"], EAC)
    assert found["rows_count"] == 200
    assert alice.get(f"/sweeps/{made['id']}/rows.parquet").status_code == 409
    unknown = alice.get(f"/sweeps/{made['id']}/points?x=row&y=row&of=nothing")
    assert unknown.json()["errors"][0]["pointer"] == "/x"


@pytest.mark.decisive
def test_what_is_stopped_goes_on_with_the_rows_that_are_done(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, job = begun(alice)
    for _ in range(3):
        do_one(job)
    assert alice.post(f"/sweeps/{made['id']}/resume").status_code == 409
    assert alice.post(f"/sweeps/{made['id']}/cancel").status_code == 202
    services.job_stop(job)
    assert alice.get(f"/sweeps/{made['id']}").json()["state"] == "cancelled"
    again = alice.post(f"/sweeps/{made['id']}/resume")
    assert again.status_code == 202, again.content
    assert alice.get(f"/sweeps/{made['id']}").status_code == 404
    # Who was still at it finds nothing left, and says nothing of it.
    with pytest.raises(services.Fenced):
        chunks.chunks_results(job, 0, 4)
    done = counted(monkeypatch)
    finish(claimed(alice, again.json()))
    sweep = alice.get(f"/sweeps/{again.json()['id']}").json()
    assert (sweep["state"], len(done)) == ("succeeded", 1)
    assert points(alice, sweep, CAPEX["pointer"], CAPEX["pointer"], EAC)["rows_count"] == 700
    with workspace(alice.workspace_id):
        assert not Chunk.objects.exists()


@pytest.mark.decisive
def test_killed_workers_lose_no_row_and_double_none(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three workers in a row die in the middle of a chunk, each after it has stored one."""
    made, job = begun(alice)
    for _ in range(3):
        do_one(job)
        take(job)
        with workspace(alice.workspace_id):
            past = timezone.now() - timedelta(hours=1)
            Chunk.objects.exclude(lease_expires_at=None).update(lease_expires_at=past)
            Job.objects.update(lease_expires_at=past)
        job = claimed(alice, made)
    done = counted(monkeypatch)
    finish(job)
    sweep = alice.get(f"/sweeps/{made['id']}").json()
    assert (sweep["state"], len(done)) == ("succeeded", 1)
    found = points(alice, sweep, CAPEX["pointer"], CAPEX["pointer"], EAC)
    assert found["rows_count"] == 700
    (told,) = [one for one in sweep["columns"] if one["name"] == CAPEX["pointer"]]
    assert (told["low"], told["high"]) == (1e5, 3e5)


def test_a_sweep_is_removed_with_its_table(alice: Planner) -> None:
    sweep = swept(alice, **{**ASKED, "axes": [LIFE]})
    assert alice.delete(f"/sweeps/{sweep['id']}").status_code == 204
    with workspace(alice.workspace_id):
        assert not Job.objects.filter(id=sweep["id"]).exists()
