"""The beat beside the work: lease, progress, cancel, limit. The clock is ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from capworker.heartbeat import Heartbeat, Stopped
from jobs import services
from jobs.models import Job
from jobs.testing import job_row

if TYPE_CHECKING:
    from uuid import UUID

    from accounts.testing import Person
    from jobs.claims import ClaimedJob

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def claimed(person: Person) -> ClaimedJob:
    with person.workspace():
        job = services.job_submit(kind="test.interactive")
    found = services.job_claim(job_id=job.id, workspace_id=person.workspace_id)
    assert found is not None
    return found


def lease_of(person: Person, job_id: UUID) -> object:
    return job_row(person, job_id).lease_expires_at


def test_a_note_is_stored_with_the_next_beat(alice: Person) -> None:
    job, clock = claimed(alice), Clock()
    heartbeat = Heartbeat(job, clock=clock)
    for step in range(100):
        heartbeat.report(step / 100, f"Step {step}")
    assert job_row(alice, job.id).progress_fraction == 0
    heartbeat.beat()
    row = job_row(alice, job.id)
    assert (row.progress_fraction, row.progress_message) == (0.99, "Step 99")


def test_the_lease_is_renewed_while_the_work_says_nothing(alice: Person) -> None:
    job, clock = claimed(alice), Clock()
    heartbeat = Heartbeat(job, clock=clock)
    before = lease_of(alice, job.id)
    heartbeat.beat()
    assert lease_of(alice, job.id) == before
    clock.now_s += 5.1
    heartbeat.beat()
    after = lease_of(alice, job.id)
    assert after != before
    heartbeat.beat()
    assert lease_of(alice, job.id) == after


def test_a_cancel_ends_the_job_even_when_the_work_never_reports(alice: Person) -> None:
    job = claimed(alice)
    heartbeat = Heartbeat(job)
    with alice.workspace():
        services.job_cancel(job_id=job.id)
    heartbeat.report(0.1, "Not yet known")
    heartbeat.beat()
    assert job_row(alice, job.id).state == "cancelled"
    with pytest.raises(Stopped, match="cancelled"):
        heartbeat.report(0.2, "Too late")
    with pytest.raises(services.Fenced):
        services.job_succeed(job, {})


def test_a_job_ends_at_its_limit_with_the_reason(alice: Person) -> None:
    job, clock = claimed(alice), Clock()
    heartbeat = Heartbeat(job, clock=clock)
    clock.now_s += 60
    heartbeat.beat()
    message = "Time limit of 60 s exceeded."
    error = {"code": "time_limit", "message": message, "faults": []}
    assert job_row(alice, job.id).error == error
    with pytest.raises(Stopped, match="time is up"):
        heartbeat.report(0.2, "Too late")


@pytest.mark.decisive
def test_a_fenced_job_stops_and_writes_nothing(alice: Person) -> None:
    job = claimed(alice)
    with alice.workspace():
        Job.objects.filter(id=job.id).update(attempt=2, progress_message="Another's")
    heartbeat = Heartbeat(job)
    heartbeat.report(0.9, "Mine")
    heartbeat.beat()
    with pytest.raises(Stopped, match="another attempt"):
        heartbeat.report(1.0, "Mine")
    assert job_row(alice, job.id).progress_message == "Another's"


def test_work_done_before_the_first_beat_opens_no_second_connection(alice: Person) -> None:
    job = claimed(alice)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT numbackends FROM pg_stat_database WHERE datname = current_database()"
        )
        before = cursor.fetchone()[0]
        with Heartbeat(job) as heartbeat:
            heartbeat.report(0.5, "Quick")
        cursor.execute(
            "SELECT numbackends FROM pg_stat_database WHERE datname = current_database()"
        )
        assert cursor.fetchone()[0] == before
