"""The life of a job: submit, claim, progress, end; and what is fenced off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from common.errors import Conflict, NotFound
from jobs import kinds, monitoring, services
from jobs.models import Job, Worker
from jobs.services import CancelRequested, Fenced
from jobs.testing import RESULT, job_row, results_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from accounts.testing import Person
    from jobs.claims import ClaimedJob
    from jobs.testing import Outbox

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
LEASE = timedelta(seconds=15)


def submit(person: Person, **payload: Any) -> Job:
    with person.workspace():
        return services.job_submit(kind="test.interactive", payload=payload, now=NOW)


def claim(person: Person, job: Job, now: datetime = NOW) -> ClaimedJob:
    claimed = services.job_claim(job_id=job.id, workspace_id=person.workspace_id, now=now)
    assert claimed is not None
    return claimed


def test_a_job_is_sent_after_its_row_is_committed(alice: Person, outbox: Outbox) -> None:
    with alice.workspace():
        job = services.job_submit(kind="test.batch")
        assert outbox.sent == []
    assert outbox.sent == [("batch", job.id)]
    row = job_row(alice, job.id)
    assert (row.state, row.attempt, row.limit_s) == ("queued", 0, 3600)


def test_a_job_says_that_no_worker_is_there(alice: Person) -> None:
    def told() -> str:
        with alice.workspace():
            return services.job_submit(kind="test.batch").progress_message

    assert told() == "Waiting for a worker to be there"
    monitoring.worker_seen("one", ["interactive"])
    assert told() == "Waiting for a worker to be there"
    monitoring.worker_seen("two", ["batch"])
    assert told() == ""
    Worker.objects.update(seen_at=timezone.now() - timedelta(seconds=61))
    assert told() == "Waiting for a worker to be there"


def test_a_job_that_is_rolled_back_is_not_sent(alice: Person, outbox: Outbox) -> None:
    def fail() -> None:
        services.job_submit(kind="test.batch")
        raise RuntimeError

    with pytest.raises(RuntimeError), alice.workspace():
        fail()
    assert outbox.sent == []
    with alice.workspace():
        assert not Job.objects.exists()


@pytest.mark.decisive
def test_a_job_is_claimed_once(alice: Person) -> None:
    job = submit(alice, inputs=[1, 2])
    claimed = claim(alice, job)
    assert (claimed.attempt, claimed.kind, claimed.inputs) == (1, "test.interactive", [1, 2])
    again = services.job_claim(job_id=job.id, workspace_id=alice.workspace_id, now=NOW)
    assert again is None
    row = job_row(alice, job.id)
    assert (row.state, row.started_at, row.lease_expires_at) == ("running", NOW, NOW + LEASE)


def test_a_job_whose_lease_ran_out_is_claimed_anew_and_its_old_worker_is_fenced(
    alice: Person,
) -> None:
    job = submit(alice)
    old = claim(alice, job)
    new = claim(alice, job, NOW + LEASE + SECOND)
    assert new.attempt == 2
    all_late: tuple[Callable[[], None], ...] = (
        lambda: services.job_succeed(old, {}),
        lambda: services.job_fail(old, "x"),
        lambda: services.job_stop(old),
        lambda: services.job_progress(old, 0.5, "x"),
        lambda: services.job_watch(old),
    )
    for late in all_late:
        with pytest.raises(Fenced):
            late()
    assert results_count(alice, job.id) == 0
    services.job_succeed(new, {})
    with pytest.raises(Fenced):
        services.job_succeed(new, {})
    assert results_count(alice, job.id) == 1


def test_progress_renews_the_lease_and_never_falls(alice: Person) -> None:
    job = submit(alice)
    claimed = claim(alice, job)
    services.job_progress(claimed, 0.4, "Half way", now=NOW + 10 * SECOND)
    services.job_progress(claimed, 0.3, None, now=NOW + 20 * SECOND)
    services.job_progress(claimed, now=NOW + 30 * SECOND)
    row = job_row(alice, job.id)
    assert (row.progress_fraction, row.progress_message) == (0.4, "Half way")
    assert row.lease_expires_at == NOW + 30 * SECOND + LEASE
    assert row.seconds_left(NOW + 30 * SECOND) == pytest.approx(45)
    services.job_progress(claimed, 7.0, "x" * 500)
    row = job_row(alice, job.id)
    assert (row.progress_fraction, len(row.progress_message)) == (1.0, 200)


def test_a_job_ends_with_its_result_in_one_transaction(alice: Person) -> None:
    job = submit(alice, unrecordable=True)
    with pytest.raises(ZeroDivisionError):
        services.job_succeed(claim(alice, job), {})
    assert job_row(alice, job.id).state == "running"
    job = submit(alice)
    services.job_succeed(claim(alice, job), {"x": 1}, now=NOW + SECOND)
    row = job_row(alice, job.id)
    assert (row.state, row.progress_fraction, row.ended_at) == ("succeeded", 1.0, NOW + SECOND)
    assert row.lease_expires_at is None
    assert row.seconds_left(NOW) is None
    assert results_count(alice, job.id) == 1


def test_a_failure_keeps_its_sentence_and_its_faults(alice: Person) -> None:
    job = submit(alice)
    fault = {"pointer": "/a", "code": "missing", "message": "Enter a value."}
    services.job_fail(claim(alice, job), "It's 100% wrong.", code="refused", faults=[fault])
    row = job_row(alice, job.id)
    assert row.state == "failed"
    assert row.error == {"code": "refused", "message": "It's 100% wrong.", "faults": [fault]}


def test_a_waiting_job_is_cancelled_at_once(alice: Person) -> None:
    job = submit(alice)
    with alice.workspace():
        assert services.job_cancel(job_id=job.id).state == "cancelled"
        assert services.job_cancel(job_id=job.id).state == "cancelled"
    missed = services.job_claim(job_id=job.id, workspace_id=alice.workspace_id)
    assert missed is None


def test_a_running_job_hears_of_its_cancel(alice: Person) -> None:
    job = submit(alice)
    claimed = claim(alice, job)
    with alice.workspace():
        assert services.job_cancel(job_id=job.id, now=NOW).state == "running"
    with pytest.raises(CancelRequested):
        services.job_watch(claimed)
    with pytest.raises(CancelRequested):
        services.job_progress(claimed, 0.5, "x")
    services.job_stop(claimed)
    row = job_row(alice, job.id)
    assert (row.state, row.cancel_requested_at) == ("cancelled", NOW)


def test_a_job_whose_worker_died_is_not_claimed_anew_once_its_cancel_is_asked_for(
    alice: Person,
) -> None:
    job = submit(alice)
    claim(alice, job)
    with alice.workspace():
        services.job_cancel(job_id=job.id, now=NOW)
    later = NOW + 2 * LEASE
    assert services.job_claim(job_id=job.id, workspace_id=alice.workspace_id, now=later) is None
    assert job_row(alice, job.id).attempt == 1


def test_a_result_that_comes_before_the_cancel_is_seen_stands(alice: Person) -> None:
    job = submit(alice)
    claimed = claim(alice, job)
    with alice.workspace():
        services.job_cancel(job_id=job.id)
    services.job_succeed(claimed, {})
    assert job_row(alice, job.id).state == "succeeded"
    with alice.workspace(), pytest.raises(Conflict):
        services.job_cancel(job_id=job.id)


def test_other_workspaces_reach_no_job(alice: Person, charlie: Person) -> None:
    job = submit(alice)
    assert services.job_claim(job_id=job.id, workspace_id=charlie.workspace_id) is None
    for job_id in (job.id, uuid4()):
        with charlie.workspace(), pytest.raises(NotFound):
            services.job_cancel(job_id=job_id)
    assert job_row(alice, job.id).state == "queued"


def test_a_job_may_be_stored_as_done(alice: Person, outbox: Outbox) -> None:
    with alice.workspace():
        job = services.job_store_ended(kind="test.interactive")
    assert outbox.sent == []
    assert job_row(alice, job.id).state == "succeeded"
    assert services.job_claim(job_id=job.id, workspace_id=alice.workspace_id) is None


def test_the_third_attempt_is_the_last(alice: Person) -> None:
    job = submit(alice)
    now = NOW
    for attempt in (1, 2, 3):
        assert claim(alice, job, now).attempt == attempt
        now += LEASE + SECOND
    fourth = services.job_claim(job_id=job.id, workspace_id=alice.workspace_id, now=now)
    assert fourth is None


def test_inputs_that_cannot_be_read_leave_the_job_unclaimed(alice: Person) -> None:
    job = submit(alice, unreadable=True)
    with pytest.raises(ZeroDivisionError):
        services.job_claim(job_id=job.id, workspace_id=alice.workspace_id)
    assert job_row(alice, job.id).attempt == 0
    claimed = services.job_claim(job_id=job.id, workspace_id=alice.workspace_id, with_inputs=False)
    assert claimed is not None


def test_the_database_gives_the_time_when_nobody_does(alice: Person) -> None:
    with alice.workspace():
        job = services.job_submit(kind="test.interactive")
    services.job_claim(job_id=job.id, workspace_id=alice.workspace_id)
    row = job_row(alice, job.id)
    assert row.started_at is not None
    assert row.lease_expires_at == row.started_at + LEASE


def test_a_kind_names_a_queue_that_exists() -> None:
    with pytest.raises(ValueError, match="there are interactive, batch, reports, webhooks"):
        kinds.register(kinds.JobKind(name="x", queue="slow", perform="a.b", record="a.b"))


def test_results_are_where_the_tests_count_them(alice: Person) -> None:
    job = submit(alice)
    services.job_succeed(claim(alice, job), {})
    assert alice.get("audit").json()["results"][0]["action"] == RESULT
