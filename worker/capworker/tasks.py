"""The two tasks: carry out a job, and show that this worker works."""

from __future__ import annotations

from uuid import UUID

from capworker.app import app
from capworker.running import run_job
from config.celery import CANARY_TASK, PERFORM_TASK
from jobs.monitoring import worker_seen


@app.task(name=PERFORM_TASK)
def perform(job_id: str, workspace_id: str) -> None:
    """Carry out one job, unless it is another's or has ended."""
    run_job(UUID(job_id), UUID(workspace_id))


@app.task(name=CANARY_TASK)
def canary(worker: str, queues: list[str]) -> None:
    """Show that this worker of these queues does what it is sent."""
    worker_seen(worker, queues)
