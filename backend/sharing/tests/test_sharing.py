"""Approving a version, sharing it by a link, and why a run's cost differs from another's."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, connections
from django.test import Client
from django.utils import timezone

from common.tenancy import workspace
from jobs import kinds
from jobs.services import job_claim, job_succeed
from runs.keeping import kept_run_ids
from runs.tests.work import work_off
from sharing.models import Approval, Share
from sharing.selectors import share_by_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]
WORDS = {"name": "Budget 2027", "sentence": "Agreed with finance."}


def compared(planner: Planner, study: dict[str, Any]) -> dict[str, Any]:
    """Run a study's comparison to its end."""
    run = planner.post("/runs", {"study": study["id"]}).json()
    return work_off(planner, run) if run["state"] == "queued" else run


def shared(planner: Planner, study: dict[str, Any], **asked: Any) -> tuple[dict[str, Any], Client]:
    """Share a study, and return the link with a browser that follows it."""
    made = planner.post(f"/studies/{study['id']}/shares", asked)
    assert made.status_code == 201, made.content
    secret = made.json()["link"].partition("#")[2]
    return made.json(), Client(headers={"authorization": f"Link {secret}"})


@pytest.mark.decisive
def test_an_approved_version_stays_as_it_was(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    approved = alice.post(f"/studies/{study['id']}/approvals", WORDS)
    assert approved.status_code == 201
    run = work_off(alice, approved.json()["run"])
    assert alice.post("/runs", {"study": study["id"]}).status_code == 202
    found = alice.get("/runs?approved=true").json()["results"]
    assert [row["id"] for row in found] == [run["id"]]
    alice.patch(f"/studies/{study['id']}", {"title": "Later", "assumptions": {}})
    listed = alice.get(f"/studies/{study['id']}/approvals").json()["results"]
    assert [(row["name"], row["run"]["id"]) for row in listed] == [("Budget 2027", run["id"])]
    assert listed[0]["approved_by"] == "alice@example.org"
    again = alice.post(f"/studies/{study['id']}/approvals", WORDS)
    assert again.status_code == 409
    assert alice.delete(f"/studies/{study['id']}").status_code == 204
    with workspace(alice.workspace_id):
        assert Approval.objects.get().study_title == study["title"]
        assert UUID(run["id"]) in kept_run_ids()


def test_nobody_changes_an_approval_even_by_sql(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    alice.post(f"/studies/{study['id']}/approvals", WORDS)
    for change in ("UPDATE sharing_approval SET name = 'x'", "DELETE FROM sharing_approval"):
        with (
            pytest.raises(DatabaseError, match="permission denied"),
            workspace(alice.workspace_id),
            connection.cursor() as cursor,
        ):
            cursor.execute(change)


def test_an_incomplete_study_is_not_approved(alice: Planner) -> None:
    study = alice.study(designs=[])
    refused = alice.post(f"/studies/{study['id']}/approvals", WORDS)
    assert refused.status_code == 422


def test_a_link_opens_the_result_without_an_account(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = compared(alice, study)
    _, guest = shared(alice, study, run=run["id"])
    seen = guest.get("/api/v1/shared?include=odds")
    assert seen.status_code == 200
    body = seen.json()
    assert body["title"] == study["title"]
    assert body["summary"]["winner"] == run["winner"]
    assert body["document"] is None
    assert body["result"]["tornado"] == body["result"]["flips"] == []
    drawn = guest.get("/api/v1/shared?include=drawn").json()["drawn"]
    assert drawn["pair"][1] == run["winner"]
    # What moves the answer tells the inputs.
    assert "swings" not in {one["kind"] for one in drawn["figures"]}
    assert seen.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert guest.get(f"/api/v1/studies/{study['id']}").status_code == 401
    with workspace(alice.workspace_id):
        assert Share.objects.get().last_opened_at is not None


def test_a_link_with_inputs_shows_them_and_makes_the_pdf_once(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    run = compared(alice, study)
    _, guest = shared(alice, study, run=run["id"], with_inputs=True)
    assert guest.get("/api/v1/shared").json()["document"]["designs"]
    first = guest.post("/api/v1/shared/report")
    assert first.status_code == 202
    assert guest.post("/api/v1/shared/report").json()["id"] == first.json()["id"]
    assert guest.get("/api/v1/shared/report/file").status_code == 409
    job = job_claim(job_id=UUID(first.json()["id"]), workspace_id=alice.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    assert guest.get("/api/v1/shared/report/file").content.startswith(b"%PDF")
    _, bare = shared(alice, study, run=run["id"])
    assert bare.post("/api/v1/shared/report").status_code == 403


def test_a_link_to_a_study_follows_its_latest_run(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    _, guest = shared(alice, study)
    assert guest.get("/api/v1/shared").status_code == 409
    first = compared(alice, study)
    work_off(alice, alice.get(f"/runs?study={study['id']}").json()["results"][-1])
    assert guest.get("/api/v1/shared").status_code == 200
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 12}})
    later = compared(alice, study)
    assert guest.get("/api/v1/shared").json()["run"]["id"] == later["id"] != first["id"]


def test_a_link_ends_when_it_is_revoked_or_expires(alice: Planner, charlie: Planner) -> None:
    study = alice.study(draws_count=0)
    run = compared(alice, study)
    made, guest = shared(alice, study, run=run["id"], days=1)
    with workspace(alice.workspace_id):
        held = Share.objects.get().token_hash
        assert UUID(run["id"]) in kept_run_ids()
    assert share_by_hash(held, timezone.now()) is not None
    assert share_by_hash(held, timezone.now() + timedelta(days=1)) is None
    assert charlie.delete(f"/shares/{made['id']}").status_code == 404
    assert alice.delete(f"/shares/{made['id']}").status_code == 204
    assert guest.get("/api/v1/shared").status_code == 401
    assert alice.get(f"/studies/{study['id']}/shares").json()["results"] == []
    with workspace(alice.workspace_id):
        assert UUID(run["id"]) not in kept_run_ids()


def test_another_studys_run_is_not_shared(alice: Planner, charlie: Planner) -> None:
    study, other = alice.study(draws_count=0), charlie.study(draws_count=0)
    foreign = compared(charlie, other)
    for run in (foreign["id"], str(uuid4())):
        refused = alice.post(f"/studies/{study['id']}/shares", {"run": run})
        assert refused.status_code == 404


@pytest.fixture
def open_policies() -> Iterator[None]:
    """Drop the walls of the tables of this app for a while."""
    tables = ("sharing_approval", "sharing_share")
    with connections["owner"].cursor() as cursor:
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
        yield
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")


def seen_by(planner: Planner) -> int:
    """Count the rows of both tables that PostgreSQL alone would show."""
    with workspace(planner.workspace_id):
        return Approval._base_manager.count() + Share._base_manager.count()


def test_postgres_keeps_approvals_and_links_apart(alice: Planner, charlie: Planner) -> None:
    study = alice.study(draws_count=0)
    alice.post(f"/studies/{study['id']}/approvals", WORDS)
    shared(alice, study)
    assert (seen_by(alice), seen_by(charlie)) == (2, 0)


def test_a_dropped_policy_would_be_noticed(
    alice: Planner, charlie: Planner, open_policies: None
) -> None:
    study = alice.study(draws_count=0)
    alice.post(f"/studies/{study['id']}/approvals", WORDS)
    shared(alice, study)
    assert seen_by(charlie) == 2


def test_runs_of_two_studies_say_what_differs(alice: Planner) -> None:
    first = alice.study(draws_count=0)
    second = alice.study(draws_count=0, title="Another")
    alice.patch(f"/studies/{second['id']}", {"assumptions": {"horizon_months": 12}})
    runs = [compared(alice, study) for study in (first, second)]
    found = alice.get(f"/runs/{runs[1]['id']}/causes?against={runs[0]['id']}").json()
    assert [change["label"] for change in found["changes"]] == ["Horizon"]


def test_the_causes_of_a_move_add_up(alice: Planner, charlie: Planner) -> None:
    study = alice.study(draws_count=0)
    before = compared(alice, study)
    before_months = study["assumptions"].get("horizon_months")
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 12}})
    after = compared(alice, study)
    answer = alice.get(f"/runs/{after['id']}/causes?against={before['id']}")
    assert answer.status_code == 200, answer.content
    found = answer.json()
    assert [cause["cause"] for cause in found["causes"]] == ["assumptions"]
    assert sum(cause["amount_usd"] for cause in found["causes"]) == pytest.approx(
        found["after_usd"] - found["before_usd"]
    )
    (steps,) = found["figure"]["series"]
    assert steps["values"] == [
        found["before_usd"],
        *(cause["amount_usd"] for cause in found["causes"]),
        found["after_usd"],
    ]
    (change,) = found["changes"]
    assert found["changes_count"] == 1
    assert (change["cause_label"], change["label"]) == ("Assumptions", "Horizon")
    assert (change["before"], change["after"], change["unit"]) == (
        before_months,
        12,
        "months",
    )
    own = compared(charlie, charlie.study(draws_count=0))
    foreign = charlie.get(f"/runs/{own['id']}/causes?against={before['id']}")
    assert foreign.status_code == 404
    assert alice.get(f"/runs/{after['id']}/causes?against=x").status_code == 422
