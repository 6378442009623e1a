"""The life of a job. Every function here may be called twice, or too late, without harm.

The row is the truth, the broker only wakes a worker. A claim sets a lease and raises the
attempt; each later change says ``WHERE attempt = <mine>``, and no row changed means that
the job is another's now: Fenced, stop, write nothing.

``now`` is the database's clock unless a test gives another: the machines of several
workers need not agree on the time.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid4

import orjson
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from common import quotas
from common.errors import Conflict, existing
from common.tenancy import current_workspace_id, workspace
from jobs import kinds, measures
from jobs.claims import ClaimedJob
from jobs.models import Job, MadeByJob, Worker

M = TypeVar("M", bound=MadeByJob)
ATTEMPTS_MAX = 3
RESEND_AFTER = timedelta(seconds=5)
MESSAGE_LENGTH_MAX = 200
NO_WORKER = "Waiting for a worker to be there"


class Fenced(Exception):
    """The job is another attempt's, or has ended: stop, write nothing."""


class CancelRequested(Exception):
    """Somebody asked for this job to be cancelled."""


def job_submit(
    *,
    kind: str,
    payload: dict[str, Any] | None = None,
    message: str = "",
    now: datetime | None = None,
) -> Job:
    """Store a job of the entered workspace and send it once the transaction commits.

    ``message`` is what is told of it until a worker begins.

    Raises
    ------
    TooMany
        When the workspace has as many at work as it may, or has computed for as long.
    """
    quotas.require("jobs", 1)
    quotas.require("compute_minutes", 0.1)
    queue = kinds.kind_of(kind).queue
    submitted_at = now or timezone.now()
    job = Job(
        id=uuid4(),
        workspace_id=current_workspace_id(),
        kind=kind,
        queue=queue,
        payload=payload or {},
        progress_message=message or _waits_for(queue),
        limit_s=kinds.LIMITS_S[queue],
        submitted_at=submitted_at,
        resend_at=submitted_at + RESEND_AFTER,
    )
    job.save(force_insert=True)
    transaction.on_commit(lambda: job_send(job.queue, job.id, job.workspace_id))
    return job


def _waits_for(queue: str) -> str:
    """What is told of a job that no worker is there for yet."""
    since = timezone.now() - timedelta(seconds=settings.WORKER_PATIENCE_S)
    served = Worker.objects.filter(queue=queue, seen_at__gte=since).exists()
    return "" if served else NO_WORKER


def job_store_ended(*, kind: str, job_id: UUID | None = None, at: datetime | None = None) -> Job:
    """Store a job that has succeeded already, because its result was at hand."""
    at = at or timezone.now()
    job = Job(
        id=job_id or uuid4(),
        workspace_id=current_workspace_id(),
        kind=kind,
        queue=kinds.kind_of(kind).queue,
        state=Job.State.SUCCEEDED,
        limit_s=0,
        progress_fraction=1.0,
        submitted_at=at,
        started_at=at,
        ended_at=at,
    )
    job.save(force_insert=True)
    return job


def job_send(queue: str, job_id: UUID, workspace_id: UUID) -> None:
    """Wake a worker. What does not arrive is sent again by the reaper."""
    import_string(settings.JOB_SENDER)(queue=queue, job_id=job_id, workspace_id=workspace_id)


_CLAIM = """
UPDATE jobs_job SET
    state = 'running', attempt = attempt + 1, progress_fraction = 0, progress_message = '',
    waits_until = NULL,
    started_at = clock.now, lease_expires_at = clock.now + %(lease)s
FROM (SELECT COALESCE(%(now)s, clock_timestamp()) AS now) AS clock
WHERE id = %(id)s AND workspace_id = %(workspace)s
  AND attempt < %(attempts_max)s + yields_count AND cancel_requested_at IS NULL
  AND (state = 'queued' OR (state = 'running' AND lease_expires_at < clock.now))
RETURNING kind, attempt, limit_s, payload
"""


def job_claim(
    *,
    job_id: UUID,
    workspace_id: UUID,
    with_inputs: bool = True,
    now: datetime | None = None,
) -> ClaimedJob | None:
    """Take a job that waits or whose lease ran out; None when it is not to be had.

    The kind's ``load`` runs in the same transaction: when it raises, nothing is claimed.
    """
    with workspace(workspace_id), connection.cursor() as cursor:
        values: dict[str, Any] = {
            "id": job_id,
            "workspace": workspace_id,
            "now": now,
            "lease": lease(),
            "attempts_max": ATTEMPTS_MAX,
        }
        cursor.execute(_CLAIM, values)
        row = cursor.fetchone()
        if row is None:
            return None
        kind, attempt, limit_s, payload = row
        if attempt > 1:
            measures.LEASES_LOST.labels(kind).inc()
        job = ClaimedJob(job_id, workspace_id, kind, attempt, limit_s, orjson.loads(payload))
        return replace(job, inputs=kinds.load(job)) if with_inputs else job


_PROGRESS = """
UPDATE jobs_job SET
    lease_expires_at = COALESCE(%(now)s, clock_timestamp()) + %(lease)s,
    progress_fraction = GREATEST(progress_fraction, COALESCE(%(fraction)s, 0)),
    progress_message = COALESCE(%(message)s, progress_message)
WHERE id = %(id)s AND workspace_id = %(workspace)s AND attempt = %(attempt)s
  AND state = 'running'
RETURNING cancel_requested_at IS NOT NULL
"""


def job_progress(
    job: ClaimedJob,
    fraction: float | None = None,
    message: str | None = None,
    *,
    now: datetime | None = None,
) -> None:
    """Renew the lease and store how far the job is; the fraction never falls.

    Raises
    ------
    Fenced
        When the job is not this attempt's any more.
    CancelRequested
        When somebody asked for it to stop.
    """
    values = _fence(job) | {
        "now": now,
        "lease": lease(),
        "fraction": None if fraction is None else min(max(fraction, 0.0), 1.0),
        "message": None if message is None else message[:MESSAGE_LENGTH_MAX],
    }
    with workspace(job.workspace_id), connection.cursor() as cursor:
        cursor.execute(_PROGRESS, values)
        row = cursor.fetchone()
    if row is None:
        raise Fenced
    if row[0]:
        raise CancelRequested


def job_watch(job: ClaimedJob) -> None:
    """Look whether the job is still this attempt's and wanted, without changing it.

    Raises
    ------
    Fenced, CancelRequested
        As ``job_progress``.
    """
    with workspace(job.workspace_id):
        row = (
            Job.objects.filter(id=job.id, attempt=job.attempt, state=Job.State.RUNNING)
            .values_list("cancel_requested_at")
            .first()
        )
    if row is None:
        raise Fenced
    if row[0] is not None:
        raise CancelRequested


_END = """
UPDATE jobs_job SET
    state = %(state)s, ended_at = COALESCE(%(now)s, clock_timestamp()), lease_expires_at = NULL,
    error = %(error)s::jsonb,
    progress_fraction = CASE WHEN %(state)s = 'succeeded' THEN 1 ELSE progress_fraction END
WHERE id = %(id)s AND workspace_id = %(workspace)s AND attempt = %(attempt)s
  AND state = 'running'
"""


def job_succeed(job: ClaimedJob, result: Any, *, now: datetime | None = None) -> None:
    """End the job and write its result, in one transaction.

    Raises
    ------
    Fenced
        When the job is not this attempt's any more; nothing is written.
    """
    with workspace(job.workspace_id):
        _end(job, Job.State.SUCCEEDED, now=now)
        kinds.record(job, result)


def job_fail(
    job: ClaimedJob,
    message: str,
    *,
    code: str = "failed",
    faults: list[dict[str, str]] | None = None,
    now: datetime | None = None,
) -> None:
    """End the job with the sentence that the planner will read.

    Raises
    ------
    Fenced
        As ``job_succeed``.
    """
    error = {"code": code, "message": message, "faults": faults or []}
    with workspace(job.workspace_id):
        _end(job, Job.State.FAILED, error=error, now=now)


def job_stop(job: ClaimedJob, *, now: datetime | None = None) -> None:
    """End a running job as cancelled, as was asked for.

    Raises
    ------
    Fenced
        As ``job_succeed``.
    """
    with workspace(job.workspace_id):
        _end(job, Job.State.CANCELLED, now=now)


_GIVE_BACK = """
UPDATE jobs_job SET
    state = 'queued', yields_count = yields_count + 1, lease_expires_at = NULL,
    waits_until = CASE WHEN %(waits)s THEN clock.now + %(wait)s END,
    resend_at = clock.now + CASE WHEN %(waits)s THEN %(wait)s ELSE %(resend)s END, sends_count = 1,
    progress_message = COALESCE(%(message)s, progress_message)
FROM (SELECT COALESCE(%(now)s, clock_timestamp()) AS now) AS clock
WHERE id = %(id)s AND workspace_id = %(workspace)s AND attempt = %(attempt)s
  AND state = 'running' AND cancel_requested_at IS NULL
RETURNING queue
"""


def job_give_back(job: ClaimedJob, later: kinds.Later, *, now: datetime | None = None) -> None:
    """Put a running job back into its queue: somebody else's turn, or too early.

    It does not count as a lost attempt. A job to be cancelled is cancelled. The message that it
    waits for is the reaper's; until then nobody does it on another job's message.

    Raises
    ------
    Fenced
        When the job is not this attempt's any more.
    """
    values = _fence(job) | {
        "now": now,
        "waits": bool(later.wait),
        "wait": later.wait,
        "resend": RESEND_AFTER,
        "message": str(later) or None,
    }
    with workspace(job.workspace_id):
        with connection.cursor() as cursor:
            cursor.execute(_GIVE_BACK, values)
            row = cursor.fetchone()
        if row is None:
            _end(job, Job.State.CANCELLED, now=now)
        elif not later.wait:
            transaction.on_commit(lambda: job_send(row[0], job.id, job.workspace_id))


_CANCEL = """
UPDATE jobs_job SET
    cancel_requested_at = clock.now,
    state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
    ended_at = CASE WHEN state = 'queued' THEN clock.now END
FROM (SELECT COALESCE(%(now)s, clock_timestamp()) AS now) AS clock
WHERE id = %(id)s AND workspace_id = %(workspace)s
  AND state IN ('queued', 'running') AND cancel_requested_at IS NULL
"""


def job_cancel(*, job_id: UUID, now: datetime | None = None) -> Job:
    """Ask for a job to stop: at once when it waits, else its worker sees it within 200 ms.

    Raises
    ------
    NotFound
        When the workspace has no such job.
    Conflict
        When it has ended otherwise already.
    """
    with workspace(current_workspace_id()), connection.cursor() as cursor:
        cursor.execute(_CANCEL, {"id": job_id, "workspace": current_workspace_id(), "now": now})
    job = existing(Job.objects.filter(id=job_id).first())
    if job.state in {Job.State.SUCCEEDED, Job.State.FAILED}:
        raise Conflict("This has ended already; there is nothing left to cancel.")
    return job


def made_cancel(row: M) -> M:
    """Ask for the making of a row to stop; twice is as good as once.

    Raises
    ------
    Conflict
        When it has ended already.
    """
    row.job = job_cancel(job_id=row.pk)
    return row


def made_delete(row: MadeByJob) -> None:
    """Remove a row with its job and files; a worker that is at it writes nothing more."""
    Job.objects.filter(id=row.pk).delete()


def lease() -> timedelta:
    """Return how long a claim holds without a sign of life."""
    return timedelta(seconds=settings.JOB_LEASE_S)


def _end(
    job: ClaimedJob, state: str, *, error: dict[str, Any] | None = None, now: datetime | None
) -> None:
    values = _fence(job) | {
        "now": now,
        "state": state,
        "error": orjson.dumps(error).decode() if error else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(_END, values)
        if cursor.rowcount != 1:
            raise Fenced
    transaction.on_commit(measures.ENDED.labels(job.kind, state).inc)


def _fence(job: ClaimedJob) -> dict[str, Any]:
    return {"id": job.id, "workspace": job.workspace_id, "attempt": job.attempt}
