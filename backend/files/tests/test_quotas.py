"""Quotas: refusals name what is used and how much may be; without a limit nothing is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from jobs.models import Job
from traces.tests import samples

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


@pytest.fixture
def limit(settings: Any) -> Any:
    def to(**limits: float) -> None:
        settings.QUOTAS = {**settings.QUOTAS, **limits}

    return to


def send(person: Person) -> Any:
    return person.client.generic(
        "POST", "/api/v1/traces?name=a", samples.vscsi(), content_type="application/octet-stream"
    )


def test_stored_megabytes(alice: Person, charlie: Person, limit: Any) -> None:
    limit(stored_mb=0.005)
    assert send(alice).status_code == 202
    refused = send(alice)
    assert refused.status_code == 507
    assert "0.0032 of 0.005 MB" in refused.json()["detail"]
    assert refused.json()["quota"]["name"] == "stored_mb"
    assert send(charlie).status_code == 202


def test_jobs_at_work(alice: Person, limit: Any) -> None:
    limit(jobs=1)
    first = send(alice)
    refused = send(alice)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert "1 of 1 jobs" in refused.json()["detail"]
    alice.post(f"traces/{first.json()['id']}/cancel")
    assert send(alice).status_code == 202


def test_minutes_of_computing(alice: Person, limit: Any) -> None:
    samples.work_off(alice, send(alice).json())
    limit(compute_minutes=0.01)
    refused = send(alice)
    assert refused.status_code == 429
    assert "Computing this month" in refused.json()["detail"]


def test_minutes_of_computing_outlive_the_rows_of_their_jobs(alice: Person) -> None:
    trace = samples.work_off(alice, send(alice).json())
    with alice.workspace():
        took = Job.objects.get(id=trace["id"])
        assert took.ended_at is not None
        assert took.started_at is not None
        minutes = (took.ended_at - took.started_at).total_seconds() / 60
    assert used(alice, "compute_minutes") == pytest.approx(minutes)
    assert alice.delete(f"traces/{trace['id']}").status_code == 204
    assert used(alice, "compute_minutes") == pytest.approx(minutes)


def used(person: Person, name: str) -> float:
    shown: dict[str, float] = {
        row["name"]: row["used"] for row in person.get("usage").json()["results"]
    }
    return shown[name]


@pytest.mark.decisive
def test_members(alice: Person, limit: Any) -> None:
    limit(members=1)
    refused = alice.post("invitations", {"role": "viewer"})
    assert refused.status_code == 403
    assert "1 of 1 members" in refused.json()["detail"]


def test_usage_is_shown(alice: Person, limit: Any) -> None:
    send(alice)
    limit(jobs=5)
    shown = {row["name"]: row for row in alice.get("usage").json()["results"]}
    assert list(shown) == ["members", "jobs", "compute_minutes", "stored_mb"]
    assert (shown["jobs"]["used"], shown["jobs"]["limit"]) == (1, 5)
    assert shown["stored_mb"] == {
        "name": "stored_mb",
        "title": "Stored files, series and reports",
        "unit": "MB",
        "used": 0.0032,
        "limit": 20_000.0,
    }


def test_an_operator_sets_limits_of_one_workspace(
    alice: Person, charlie: Person, limit: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    limit(jobs=5, members=1)
    call_command("limits", alice.account.email, "jobs=0", "members=none", "stored_mb=7.5")
    assert "jobs: 0 of 0 jobs" in capsys.readouterr().out
    shown = {row["name"]: row["limit"] for row in alice.get("usage").json()["results"]}
    assert (shown["jobs"], shown["members"], shown["stored_mb"]) == (0, None, 7.5)
    assert send(alice).status_code == 429
    assert send(charlie).status_code == 202
    assert alice.get("audit").json()["results"][0]["action"] == "workspace.limits"
    call_command("limits", alice.account.email, "jobs=usual")
    assert send(alice).status_code == 202
    for wrong in ("minutes=4", "jobs=-1", "jobs=nan", "jobs", "jobs=many"):
        with pytest.raises(CommandError):
            call_command("limits", alice.account.email, wrong)
