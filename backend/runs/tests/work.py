"""Does what a worker does, in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from jobs import kinds
from jobs.services import job_claim, job_succeed

if TYPE_CHECKING:
    from studies.tests.people import Planner


def work_off(planner: Planner, run: dict[str, Any], at: str = "runs") -> dict[str, Any]:
    """Claim a run, compute it, record it; return it as the API shows it then."""
    job = job_claim(job_id=UUID(run["id"]), workspace_id=planner.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    ended: dict[str, Any] = planner.get(f"/{at}/{run['id']}").json()
    return ended
