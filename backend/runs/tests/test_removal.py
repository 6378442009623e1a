"""Runs and reports go: by hand, with their study, or with age; what is needed stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEntry
from common.partitions import KEPT, partitions_ahead, partitions_retire, this_month
from common.tenancy import workspace
from config import chores
from files.models import File, Gone, Piece
from jobs.models import Job
from runs.models import Result, Run
from runs.tests.work import work_off
from sharing.models import Delivery, Webhook

if TYPE_CHECKING:
    from datetime import date

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

MODEL = {"model": "cost.owned_vs_cloud", "params": {}}


def ran(planner: Planner, **body: Any) -> dict[str, Any]:
    response = planner.post("/runs", body or MODEL)
    assert response.status_code == 202, response.content
    run: dict[str, Any] = response.json()
    return run if run["state"] == "succeeded" else work_off(planner, run)


def aged(planner: Planner, *ids: str, days: int) -> None:
    with workspace(planner.workspace_id):
        Run.objects.filter(job_id__in=ids).update(created_at=timezone.now() - timedelta(days=days))


@pytest.mark.decisive
def test_a_removed_run_passes_its_result_on(alice: Planner) -> None:
    first, second, third = (ran(alice) for _ in range(3))
    assert second["reused_from"] == third["reused_from"] == first["id"]
    result = alice.get(f"/runs/{first['id']}/result").json()["result"]
    assert alice.delete(f"/runs/{first['id']}").status_code == 204
    assert alice.get(f"/runs/{first['id']}").status_code == 404
    for run in (second, third):
        assert alice.get(f"/runs/{run['id']}/result").json()["result"] == result
    assert alice.get(f"/runs/{third['id']}").json()["reused_from"] == second["id"]


def test_an_approved_run_stays(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    approved = alice.post(
        f"/studies/{study['id']}/approvals", {"name": "v1", "sentence": "Build it."}
    )
    assert approved.status_code in {201, 202}, approved.content
    [run] = alice.get(f"/runs?study={study['id']}").json()["results"]
    refused = alice.delete(f"/runs/{run['id']}")
    assert (refused.status_code, "approved" in refused.json()["detail"]) == (409, True)
    assert alice.delete(f"/studies/{study['id']}").status_code == 204
    assert alice.get(f"/runs/{run['id']}").status_code == 200


def test_a_studys_runs_and_reports_go_with_it(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    ran(alice, study=study["id"])
    report = alice.post("/reports", {"study": study["id"], "format": "csv"}).json()
    other = ran(alice)
    assert alice.delete(f"/studies/{study['id']}").status_code == 204
    assert alice.get(f"/reports/{report['id']}").status_code == 404
    with workspace(alice.workspace_id):
        assert [str(job.id) for job in Job.objects.all()] == [other["id"]]


def test_age_removes_what_nobody_needs(alice: Planner, charlie: Planner, settings: Any) -> None:
    study = alice.study(draws_count=0)
    older, latest = (ran(alice, study=study["id"]) for _ in range(2))
    loose, young, theirs = ran(alice), ran(alice), ran(charlie)
    aged(alice, older["id"], latest["id"], loose["id"], days=100)
    aged(alice, older["id"], days=101)
    aged(charlie, theirs["id"], days=100)
    assert chores.retain() == 0
    settings.RETENTION = {"runs": 90}
    assert chores.retain() == 3
    kept = {run["id"] for run in alice.get("/runs").json()["results"]}
    assert kept == {latest["id"], young["id"]}
    assert charlie.get("/runs").json()["results"] == []
    assert alice.get(f"/runs/{latest['id']}/result").status_code == 200
    assert chores.retain() == 0


def dated(planner: Planner, month: date, *ids: str) -> None:
    """Have runs and their results be of an earlier month."""
    at = datetime(month.year, month.month, 2, tzinfo=UTC)
    with workspace(planner.workspace_id):
        Run.objects.filter(job_id__in=ids).update(created_at=at)
        Run.objects.filter(job_id__in=ids, result_month__isnull=False).update(result_month=month)
        Result.objects.filter(run_id__in=ids).update(month=month)


def results(planner: Planner) -> dict[str, date]:
    with workspace(planner.workspace_id):
        return {str(run): month for run, month in Result.objects.values_list("run_id", "month")}


def test_results_go_before_their_runs(alice: Planner, settings: Any) -> None:
    month = (timezone.now() - timedelta(days=100)).date().replace(day=1)
    partitions_ahead("runs_result", datetime(month.year, month.month, 1, tzinfo=UTC))
    study = alice.study(draws_count=0)
    loose, latest = ran(alice), ran(alice, study=study["id"])
    other = {**MODEL, "seed": 5}
    shown, young = ran(alice, **other), ran(alice, **other)
    assert young["reused_from"] == shown["id"]
    dated(alice, month, loose["id"], latest["id"], shown["id"])
    held = alice.get(f"/runs/{young['id']}/result").json()["result"]

    settings.RETENTION = {"results": 60}
    assert chores.retain() == 0
    # a study's latest, and what answers a younger one
    assert results(alice) == {latest["id"]: KEPT, shown["id"]: KEPT}
    assert alice.get(f"/runs/{young['id']}/result").json()["result"] == held
    assert alice.get(f"/runs/{latest['id']}/result").status_code == 200
    gone = alice.get(f"/runs/{loose['id']}/result")
    assert (gone.status_code, "not kept" in gone.json()["detail"]) == (409, True)
    assert alice.get(f"/runs/{loose['id']}").json()["headline"] == loose["headline"]
    # it answers nobody any more, and can be computed again
    anew = ran(alice)
    assert (anew["reused_from"], anew["state"]) == (None, "succeeded")
    again = alice.post(f"/runs/{loose['id']}/again", {}).json()
    assert work_off(alice, again)["state"] == "succeeded"
    assert set(results(alice)) > {latest["id"], shown["id"], anew["id"]}


def test_audit_and_events_go_by_their_own_age(alice: Planner, settings: Any) -> None:
    month = (timezone.now() - timedelta(days=400)).date().replace(day=1)
    start = datetime(month.year, month.month, 1, tzinfo=UTC)
    with workspace(alice.workspace_id):
        hook = Webhook.objects.create(url="https://x.example", events=[], secret="", created_by="a")
        for table in ("accounts_auditentry", "sharing_delivery"):
            partitions_ahead(table, start)
        for action in ("run.delete", "study.approve"):
            AuditEntry.objects.create(month=month, actor_email="a", action=action)
        for ended in (None, start):
            Delivery.objects.create(
                month=month, webhook=hook, event=str(ended), payload={}, ended_at=ended
            )
    settings.RETENTION = {"audit": 365, "events": 30}
    chores.retain()
    with workspace(alice.workspace_id):
        old = AuditEntry.objects.filter(month__lt=this_month())
        assert list(old.values_list("action", "month")) == [("study.approve", KEPT)]
        assert list(Delivery.objects.values_list("event", "month")) == [("None", KEPT)]
        hook.delete()
        assert not Delivery.objects.exists()


def test_months_go_and_what_is_used_is_kept(alice: Planner) -> None:
    run = ran(alice)
    month = (timezone.now() - timedelta(days=400)).date().replace(day=1)
    partitions_ahead("files_piece", timezone.now() - timedelta(days=400))
    with workspace(alice.workspace_id):
        file = File.objects.create(
            job_id=run["id"], kind="series", storage="database", name="x/series/x", bytes_count=1
        )
        for file_id in (file.id, run["id"]):
            Piece.objects.create(file_id=file_id, position=0, month=month, data=b"x")
    # Dated after today: the present month and the one before stay whatever is asked for.
    partitions_retire("files_piece", timezone.now() + timedelta(days=4000))
    with workspace(alice.workspace_id):
        assert list(Piece.objects.values_list("file_id", "month")) == [(file.id, KEPT)]
    with connection.cursor() as cursor:
        name = f"files_piece_{month:%Y_%m}"
        cursor.execute("SELECT to_regclass(%s)", [name])
        assert cursor.fetchone() == (None,)
        cursor.execute("SELECT to_regclass(%s)", [f"files_piece_{timezone.now():%Y_%m}"])
        assert cursor.fetchone() != (None,)
    with workspace(alice.workspace_id):
        Gone.objects.all().delete()


@pytest.mark.parametrize("path", ["runs", "reports"])
def test_charlie_cannot_remove_what_is_alices(alice: Planner, charlie: Planner, path: str) -> None:
    study = alice.study(draws_count=0)
    body = {"study": study["id"], **({"format": "csv"} if path == "reports" else {})}
    made = alice.post(f"/{path}", body).json()
    assert charlie.delete(f"/{path}/{made['id']}").status_code == 404
    assert alice.get(f"/{path}/{made['id']}").status_code == 200
