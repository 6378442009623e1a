"""A job reads the traces of its own workspace, and of no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.formats.trace_store import TraceRef, block_requests
from capworker.running import run_job
from jobs import services
from jobs.testing import job_row
from traces.tests.samples import upload, vscsi

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


@pytest.fixture
def trace(alice: Person) -> TraceRef:
    """Return a trace of Alice's, read by the worker."""
    asked = upload(alice, vscsi(50))
    run_job(UUID(asked["id"]), alice.workspace_id)
    found = alice.get(f"traces/{asked['id']}").json()
    assert found["state"] == "succeeded"
    return TraceRef(trace_id=found["id"], sha256=found["sha256"])


def _job_reading(person: Person, ref: TraceRef, monkeypatch: pytest.MonkeyPatch) -> Any:
    def perform(*_args: object) -> dict[str, int]:
        return {"rows": len(block_requests(ref).time_s)}

    monkeypatch.setattr("capworker.running.kinds.perform", perform)
    with person.workspace():
        job = services.job_submit(kind="test.interactive")
    run_job(job.id, person.workspace_id)
    return job_row(person, job.id)


def test_a_job_reads_its_own_traces(
    alice: Person, trace: TraceRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _job_reading(alice, trace, monkeypatch).state == "succeeded"


def test_a_job_of_another_workspace_does_not(
    charlie: Person, trace: TraceRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = _job_reading(charlie, trace, monkeypatch)
    assert (job.state, job.error["code"]) == ("failed", "refused")
    assert job.error["faults"][0]["pointer"] == "/trace"
