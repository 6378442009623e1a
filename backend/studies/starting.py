"""What a new workspace starts with: the examples, loaded by a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobs.services import job_submit

if TYPE_CHECKING:
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report


def examples_start() -> None:
    """Have the examples loaded into the entered workspace."""
    job_submit(kind="examples")


def examples_perform(job: ClaimedJob, report: Report) -> None:
    """Nothing is computed apart: loading is what is recorded."""
    report(0.0, "Loading the examples")


def examples_record(job: ClaimedJob, _result: None) -> None:
    """Load the examples, in the transaction that ends the job."""
    from studies.services import examples_load

    examples_load(job.workspace_id)
