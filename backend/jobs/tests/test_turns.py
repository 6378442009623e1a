"""Queues serve workspaces in turn, and a job may give its turn away."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from jobs import kinds, reaper, services
from jobs.services import CancelRequested, Fenced
from jobs.testing import job_row
from jobs.turns import job_turn, others_wait

if TYPE_CHECKING:
    from uuid import UUID

    from accounts.testing import Person
    from jobs.claims import ClaimedJob
    from jobs.testing import Outbox

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

NOW = kinds.Later("", timedelta())
BRIEFLY = kinds.Later("", timedelta(microseconds=1))
SOON = kinds.Later("Compiling", timedelta(seconds=5))


def submit(person: Person, count: int = 1, kind: str = "test.batch") -> list[UUID]:
    with person.workspace():
        return [services.job_submit(kind=kind).id for _ in range(count)]


def take(message: UUID, person: Person) -> ClaimedJob | None:
    """Do what a worker does with a message."""
    with job_turn(job_id=message, workspace_id=person.workspace_id) as (job_id, owner):
        return services.job_claim(job_id=job_id, workspace_id=owner)


def taken(message: UUID, person: Person) -> ClaimedJob:
    found = take(message, person)
    assert found is not None
    return found


@pytest.mark.decisive
def test_sixty_of_one_do_not_stop_anothers_one(alice: Person, charlie: Person) -> None:
    many = submit(alice, 60)
    assert taken(many[0], alice).id == many[0]
    (one,) = submit(charlie)
    # The next message is the first workspace's, and brings the other's job.
    assert taken(many[1], alice).id == one
    assert taken(many[2], alice).id == many[1]


def test_workspaces_take_turns_when_one_process_serves_them(alice: Person, charlie: Person) -> None:
    hers, his = submit(alice, 3), submit(charlie, 3)
    order = []
    for message in [*hers, *his]:
        job = taken(message, alice)
        order.append(job.id)
        services.job_succeed(job, {})
    assert sorted(order[:2]) == sorted([hers[0], his[0]])
    assert sorted(order[2:4]) == sorted([hers[1], his[1]])


def test_a_queue_does_not_take_from_another(alice: Person) -> None:
    (batch,) = submit(alice)
    (quick,) = submit(alice, kind="test.interactive")
    assert taken(quick, alice).id == quick
    assert take(quick, alice) is None
    assert job_row(alice, batch).state == "queued"


def test_what_another_worker_is_about_to_claim_is_passed_by(alice: Person) -> None:
    first, second = submit(alice, 2)
    found = []

    def other() -> None:
        with job_turn(job_id=first, workspace_id=alice.workspace_id) as (job_id, _owner):
            found.append(job_id)
        connection.close()

    with job_turn(job_id=second, workspace_id=alice.workspace_id) as (job_id, _owner):
        thread = Thread(target=other)
        thread.start()
        thread.join()
        assert [job_id, *found] == [first, second]


def test_a_job_given_back_is_taken_after_its_wait_and_counts_no_attempt(
    alice: Person, outbox: Outbox
) -> None:
    (job_id,) = submit(alice)
    for _ in range(services.ATTEMPTS_MAX + 1):
        outbox.sent.clear()
        services.job_give_back(taken(job_id, alice), NOW)
        assert outbox.sent == [("batch", job_id)]
    job = taken(job_id, alice)
    outbox.sent.clear()
    services.job_give_back(job, SOON)
    assert outbox.sent == []
    row = job_row(alice, job_id)
    assert (row.state, row.progress_message) == ("queued", "Compiling")
    assert row.waits_until is not None
    with job_turn(job_id=uuid4(), workspace_id=alice.workspace_id) as (found, _owner):
        assert found != job_id
    with pytest.raises(Fenced):
        services.job_give_back(job, NOW)


def test_what_waited_takes_no_message_from_what_was_just_sent(
    alice: Person, outbox: Outbox
) -> None:
    (waiting,) = submit(alice)
    services.job_give_back(taken(waiting, alice), BRIEFLY)
    (one,) = submit(alice)
    # The other's wait is over, but no message was sent for it yet.
    assert taken(one, alice).id == one
    outbox.sent.clear()
    # However busy the queue: nothing else brings it.
    reaper.reap(lambda _queue: 3, now=timezone.now() + SOON.wait)
    assert outbox.sent == [("batch", waiting)]
    assert taken(waiting, alice).id == waiting


def test_a_cancelled_job_is_not_given_back_but_ends(alice: Person) -> None:
    (job_id,) = submit(alice)
    job = taken(job_id, alice)
    with alice.workspace():
        services.job_cancel(job_id=job_id)
    with pytest.raises(CancelRequested):
        services.job_watch(job)
    services.job_give_back(job, NOW)
    assert job_row(alice, job_id).state == "cancelled"


def test_a_running_job_knows_of_others_who_have_none(alice: Person, charlie: Person) -> None:
    hers = submit(alice, 2)
    job = taken(hers[0], alice)
    assert not others_wait(job)
    his = submit(charlie, 2)
    assert others_wait(job)
    taken(his[0], charlie)
    assert not others_wait(job)
