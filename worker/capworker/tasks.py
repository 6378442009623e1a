"""The tasks: carry out a job, help with another's, and show that this worker works."""

from __future__ import annotations

from uuid import UUID

from capworker.app import app
from capworker.chunks import help_with
from capworker.running import run_job
from config.celery import CANARY_TASK, HELP_TASK, PERFORM_TASK, send_task
from jobs.kinds import BATCH
from jobs.monitoring import worker_seen


@app.task(name=PERFORM_TASK)
def perform(job_id: str, workspace_id: str) -> None:
    """Carry out one job, unless it is another's or has ended."""
    run_job(UUID(job_id), UUID(workspace_id))


@app.task(name=HELP_TASK)
def share(job_id: str, workspace_id: str) -> None:
    """Do chunks of a long job for a while, then let others have their turn."""
    if help_with(UUID(job_id), UUID(workspace_id)):
        send_task(HELP_TASK, [job_id, workspace_id], BATCH)


@app.task(name=CANARY_TASK)
def canary(worker: str, queues: list[str]) -> None:
    """Show that this worker of these queues does what it is sent."""
    worker_seen(worker, queues)
