"""A kind of job for the tests, whose results can be counted.

``payload`` says what to do: ``{"seconds": 2}`` works that long, ``{"fail": "..."}``
refuses with that sentence, ``{"bug": true}`` breaks, ``{"later_s": 5}`` is too
early, ``{"chunks": 9, "chunk": {...}}`` does pieces. The result is an audit row.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from accounts.models import AuditEntry
from accounts.services import audit_record
from capmodels.chunks import run_chunks
from capmodels.errors import ModelError
from capmodels.testing.pieces import piece
from jobs import kinds
from jobs.models import Job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from accounts.testing import Person
    from jobs.claims import ClaimedJob

RESULT = "test.result"
STEP_S = 0.01


def perform(job: ClaimedJob, report: kinds.Report) -> dict[str, Any]:
    """Do what the payload says."""
    if "fail" in job.payload:
        raise ModelError(job.payload["fail"])
    if "later_s" in job.payload:
        raise kinds.Later("Not yet", timedelta(seconds=job.payload["later_s"]))
    if job.payload.get("bug"):
        raise ZeroDivisionError
    if "chunks" in job.payload:
        return {"inputs": in_chunks(job.payload, report)}
    bytearray(job.payload.get("bytes", 0))
    seconds = job.payload.get("seconds", 0)
    started_s = time.monotonic()
    while (done_s := time.monotonic() - started_s) < seconds:
        time.sleep(STEP_S)
        if not job.payload.get("silent"):
            report(done_s / seconds, "Working")
    return {"inputs": job.inputs}


def in_chunks(payload: dict[str, Any], report: kinds.Report) -> list[Any]:
    """Have so many chunks done; place and process of each."""
    each = payload.get("chunk", {})
    wanted = [{"place": place, **each} for place in range(payload["chunks"])]
    return [orjson.loads(found) for found in run_chunks(piece, wanted, report)]


def record(job: ClaimedJob, result: dict[str, Any]) -> None:
    """Write the result where it can be counted."""
    if job.payload.get("unrecordable"):
        raise ZeroDivisionError
    audit_record("worker", RESULT, target=str(job.id), detail=result)


def load(job: ClaimedJob) -> Any:
    """Return the payload's ``inputs``; break when they are to be unreadable."""
    if job.payload.get("unreadable"):
        raise ZeroDivisionError
    return job.payload.get("inputs")


def register() -> None:
    """Register the kind once for each queue: ``test.interactive`` and so on."""
    here = __name__
    for queue in kinds.QUEUES:
        kinds.register(
            kinds.JobKind(
                name=f"test.{queue}",
                queue=queue,
                perform=f"{here}.perform",
                record=f"{here}.record",
                load=f"{here}.load",
            )
        )


def job_row(person: Person, job_id: UUID) -> Job:
    """Return the job as it stands."""
    with person.workspace():
        return Job.objects.get(id=job_id)


def results_count(person: Person, job_id: UUID) -> int:
    """Return how many results were written for a job; more than one is never right."""
    with person.workspace():
        return AuditEntry.objects.filter(action=RESULT, target=str(job_id)).count()


class Outbox:
    """Takes what would be sent to the broker."""

    def __init__(self) -> None:
        """Start empty."""
        self.sent: list[tuple[str, UUID]] = []

    def __call__(self, *, queue: str, job_id: UUID, workspace_id: UUID) -> bool:
        """Note the job."""
        self.sent.append((queue, job_id))
        return True


OUTBOX = Outbox()


@pytest.fixture
def outbox(settings: Any) -> Iterator[Outbox]:
    """Catch what is sent, and know the kinds of the tests."""
    register()
    settings.JOB_SENDER = f"{__name__}.OUTBOX"
    OUTBOX.sent.clear()
    yield OUTBOX
    OUTBOX.sent.clear()
