"""One job from claim to record."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.db import InterfaceError, OperationalError, connections

from capworker import running
from capworker.app import begin_child
from capworker.persistence import PATIENCE_S, persistently
from capworker.running import run_job
from jobs import services
from jobs.models import Job
from jobs.testing import job_row, results_count

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def done(person: Person, **payload: Any) -> Job:
    """Submit a job, carry it out, and return its row."""
    with person.workspace():
        job = services.job_submit(kind="test.interactive", payload=payload)
    run_job(job.id, person.workspace_id)
    return job_row(person, job.id)


@pytest.mark.decisive
def test_a_job_is_carried_out(alice: Person) -> None:
    job = done(alice, inputs=[1])
    assert (job.state, job.attempt) == ("succeeded", 1)
    assert results_count(alice, job.id) == 1


def test_a_message_that_comes_twice_does_nothing_more(alice: Person) -> None:
    job = done(alice)
    run_job(job.id, alice.workspace_id)
    assert job_row(alice, job.id).attempt == 1
    assert results_count(alice, job.id) == 1


def test_a_message_for_a_missing_job_does_nothing(alice: Person) -> None:
    with alice.workspace():
        job = services.job_submit(kind="test.interactive")
    run_job(uuid4(), alice.workspace_id)
    assert job_row(alice, job.id).state == "queued"


def test_a_job_that_comes_too_early_goes_back_and_is_done_later(alice: Person) -> None:
    job = done(alice, later_s=5)
    assert (job.state, job.yields_count) == ("queued", 1)
    assert job.progress_message == "Not yet"
    assert job.waits_until is not None
    run_job(uuid4(), alice.workspace_id)
    assert job_row(alice, job.id).attempt == 1


def test_a_models_refusal_is_told_in_its_words(alice: Person) -> None:
    job = done(alice, fail="No cluster of this size carries the load.")
    assert job.state == "failed"
    error = {"code": "refused", "message": "No cluster of this size carries the load."}
    assert job.error == error | {"faults": []}


@pytest.mark.parametrize("payload", [{"bug": True}, {"unreadable": True}])
def test_a_bug_ends_the_job_with_a_general_sentence(alice: Person, payload: dict[str, Any]) -> None:
    job = done(alice, **payload)
    assert job.state == "failed"
    assert job.error == {"code": "unexpected", "message": running.UNEXPECTED, "faults": []}


def test_a_job_that_wants_more_memory_than_a_process_may_take_fails_with_a_sentence(
    alice: Person,
) -> None:
    # In a process of its own: the limit stays with it.
    connections.close_all()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        begin_child()
        with contextlib.suppress(BaseException):
            error = done(alice, bytes=8_000_000_000).error or {}
            os.write(writing, error["code"].encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        assert told.read() == b"memory"
    os.waitpid(child, 0)


def test_a_result_that_cannot_be_written_leaves_nothing_half_done(alice: Person) -> None:
    with alice.workspace():
        job = services.job_submit(kind="test.interactive", payload={"unrecordable": True})
    run_job(job.id, alice.workspace_id)
    row = job_row(alice, job.id)
    assert row.state == "failed"
    assert row.error == {"code": "unexpected", "message": running.UNEXPECTED, "faults": []}
    assert results_count(alice, job.id) == 0


def test_a_database_that_is_away_leaves_the_job_to_its_lease(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_args: object) -> None:
        raise OperationalError

    monkeypatch.setattr("capworker.running.kinds.perform", lost)
    with pytest.raises(OperationalError):
        done(alice)
    with alice.workspace():
        assert Job.objects.get().state == "running"


class Clock:
    """A clock that only sleeping moves."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_an_outcome_waits_for_the_database_to_come_back(
    database: None, error: type[Exception]
) -> None:
    clock, failures = Clock(), [error(), error(), error()]

    def write() -> None:
        if failures:
            raise failures.pop()

    persistently(write, clock=clock, sleep=clock.sleep)
    assert failures == []
    assert 0 < clock.now_s < PATIENCE_S


def test_an_outcome_does_not_wait_for_ever(database: None) -> None:
    clock = Clock()

    def write() -> None:
        raise OperationalError

    with pytest.raises(OperationalError):
        persistently(write, clock=clock, sleep=clock.sleep)
    assert clock.now_s >= PATIENCE_S


def test_a_commit_whose_answer_was_lost_is_written_once(alice: Person) -> None:
    with alice.workspace():
        job = services.job_submit(kind="test.interactive")
    claimed = services.job_claim(job_id=job.id, workspace_id=alice.workspace_id)
    assert claimed is not None
    tries: list[int] = []

    def write() -> None:
        tries.append(1)
        services.job_succeed(claimed, {})
        if len(tries) == 1:
            raise OperationalError

    with pytest.raises(services.Fenced):
        persistently(write, sleep=lambda _: None)
    assert results_count(alice, job.id) == 1
    assert job_row(alice, job.id).state == "succeeded"
