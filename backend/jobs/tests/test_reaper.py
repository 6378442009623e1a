"""What a dead worker or a broker lost is sent again, a few times."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from jobs import reaper, services
from jobs.services import Fenced
from jobs.testing import job_row
from jobs.tests.test_services import LEASE, NOW, SECOND, claim, submit

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.testing import Person
    from jobs.testing import Outbox

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def reap(now: datetime, waiting: dict[str, int | None] | None = None) -> list[bool]:
    counts = waiting or {}
    return [row.again for row in reaper.reap(lambda queue: counts.get(queue, 0), now=now)]


def test_what_is_alive_is_left_alone(alice: Person, outbox: Outbox) -> None:
    submit(alice)
    claim(alice, submit(alice))
    outbox.sent.clear()
    assert reap(NOW + 4 * SECOND) == []
    assert outbox.sent == []


@pytest.mark.decisive
def test_a_job_of_a_dead_worker_is_sent_again(alice: Person, outbox: Outbox) -> None:
    job = submit(alice)
    dead = claim(alice, job)
    outbox.sent.clear()
    late = NOW + LEASE + SECOND
    assert reap(late) == [True]
    assert outbox.sent == [("interactive", job.id)]
    assert job_row(alice, job.id).state == "queued"
    with pytest.raises(Fenced):
        services.job_succeed(dead, {})
    assert claim(alice, job, late).attempt == 2


def test_after_three_attempts_a_job_fails_with_the_reason(alice: Person) -> None:
    job = submit(alice)
    now = NOW
    for _ in range(3):
        claim(alice, job, now)
        now += LEASE + SECOND
        reaped = reap(now)
    assert reaped == [False]
    row = job_row(alice, job.id)
    assert (row.state, row.ended_at) == ("failed", now)
    message = "The worker stopped in the middle of it, 3 times."
    assert row.error == {"code": "worker_lost", "message": message, "faults": []}
    assert reap(now + timedelta(days=1)) == []


def test_a_job_killed_at_its_limit_fails_and_is_not_sent_again(alice: Person) -> None:
    job = submit(alice)
    claimed = claim(alice, job)
    services.job_progress(claimed, 0.5, "x", now=NOW + 59 * SECOND)
    assert reap(NOW + 59 * SECOND + LEASE + SECOND) == [False]
    message = "Time limit of 60 s exceeded."
    error = {"code": "time_limit", "message": message, "faults": []}
    assert job_row(alice, job.id).error == error


def test_a_cancel_of_a_dead_workers_job_is_carried_out(alice: Person) -> None:
    job = submit(alice)
    claim(alice, job)
    with alice.workspace():
        services.job_cancel(job_id=job.id, now=NOW)
    assert reap(NOW + LEASE + SECOND) == [False]
    row = job_row(alice, job.id)
    assert (row.state, row.error) == ("cancelled", None)


def test_a_lost_message_is_sent_again_less_and_less_often(alice: Person, outbox: Outbox) -> None:
    job = submit(alice)
    outbox.sent.clear()
    times = [second for second in range(120) if reap(NOW + (second + 0.5) * SECOND)]
    assert times == [5, 16, 37, 78]
    assert outbox.sent == [("interactive", job.id)] * 4
    assert job_row(alice, job.id).state == "queued"


@pytest.mark.parametrize("waiting", [3, None])
def test_a_job_whose_queue_is_full_or_unknown_waits_its_turn(
    alice: Person, waiting: int | None
) -> None:
    submit(alice)
    assert reap(NOW + timedelta(minutes=9), {"interactive": waiting}) == []
    assert reap(NOW + timedelta(minutes=11), {"interactive": waiting}) == [True]


def test_it_crosses_workspaces(alice: Person, charlie: Person) -> None:
    submit(alice)
    submit(charlie)
    assert reap(NOW + 6 * SECOND) == [True, True]
