"""Pieces of a long job: each is claimed, fenced and stored by itself.

Whoever carries out the job, and others who help it, claim chunks until none is left. A chunk whose
worker died is claimed again when its lease has run out, and so is what was left of a job whose own
worker died: what is stored is not done again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from django.db import connection

from common.tenancy import workspace
from jobs.models import Chunk
from jobs.services import Fenced, lease

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from jobs.claims import ClaimedJob

# One that ends whoever helps is left to the job's own worker, whose attempts are counted.
HELPERS_ATTEMPTS = 2
_MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class ClaimedChunk:
    """A chunk that this process holds, for as long as its attempt is the present one."""

    id: UUID
    workspace_id: UUID
    job_id: UUID
    function: str
    attempt: int
    payload: dict[str, Any]


def chunks_open(
    job: ClaimedJob, call: int, function: str, payloads: Sequence[dict[str, Any]]
) -> None:
    """Store the chunks of a job's n-th call, unless an earlier attempt did.

    Chunks of other work, as after an update of the model, are dropped with their results.
    """
    texts = [orjson.dumps([function, payload]) for payload in payloads]
    digests = [hashlib.sha256(text).hexdigest() for text in texts]
    with workspace(job.workspace_id):
        held = Chunk.objects.filter(job_id=job.id, call=call).order_by("position")
        if list(held.values_list("digest", flat=True)) == digests:
            return
        Chunk.objects.filter(job_id=job.id, call__gte=call).delete()
        Chunk.objects.bulk_create(
            Chunk(
                job_id=job.id, workspace_id=job.workspace_id, call=call, position=position,
                function=function, payload=payload, digest=digest,
            )
            for position, (payload, digest) in enumerate(zip(payloads, digests, strict=True))
        )  # fmt: skip


# What a crash of the database's machine takes of the last second is done again.
_SOON_ON_DISK = "SET LOCAL synchronous_commit = off"
_CLAIM = """
UPDATE jobs_chunk SET
    attempt = attempt + 1, lease_expires_at = clock_timestamp() + %(lease)s
WHERE workspace_id = %(workspace)s AND id = (
    SELECT id FROM jobs_chunk
    WHERE job_id = %(job)s AND workspace_id = %(workspace)s AND result IS NULL
      AND attempt < %(attempts_max)s
      AND (lease_expires_at IS NULL OR lease_expires_at < clock_timestamp())
    ORDER BY call, position LIMIT 1 FOR UPDATE SKIP LOCKED)
  AND EXISTS (SELECT 1 FROM jobs_job j WHERE j.id = %(job)s AND j.workspace_id = %(workspace)s
              AND j.state = 'running' AND j.cancel_requested_at IS NULL)
RETURNING id, function, attempt, payload
"""


def chunk_claim(*, job_id: UUID, workspace_id: UUID, helps: bool = False) -> ClaimedChunk | None:
    """Take the next chunk of a running job that nobody is at; None when there is none."""
    values: dict[str, Any] = {
        "job": job_id,
        "workspace": workspace_id,
        "lease": lease(),
        "attempts_max": HELPERS_ATTEMPTS if helps else _MANY,
    }
    with workspace(workspace_id), connection.cursor() as cursor:
        cursor.execute(_SOON_ON_DISK)
        cursor.execute(_CLAIM, values)
        row = cursor.fetchone()
    if row is None:
        return None
    chunk_id, function, attempt, payload = row
    return ClaimedChunk(chunk_id, workspace_id, job_id, function, attempt, orjson.loads(payload))


_MINE = "id = %(id)s AND workspace_id = %(workspace)s AND attempt = %(attempt)s AND result IS NULL"
_RENEW = f"""
UPDATE jobs_chunk SET lease_expires_at = clock_timestamp() + %(lease)s
WHERE {_MINE} AND EXISTS (SELECT 1 FROM jobs_job j WHERE j.id = jobs_chunk.job_id
    AND j.workspace_id = %(workspace)s AND j.state = 'running' AND j.cancel_requested_at IS NULL)
"""
# An attempt of the job in which something was stored is not one that the job has lost.
_STORE = f"""
WITH stored AS (
    UPDATE jobs_chunk SET result = %(result)s, lease_expires_at = NULL WHERE {_MINE}
    RETURNING job_id, workspace_id
), noted AS (
    UPDATE jobs_job j SET yields_count = attempt FROM stored
    WHERE j.id = stored.job_id AND j.workspace_id = stored.workspace_id
      AND yields_count < attempt
)
SELECT job_id FROM stored
"""
_LEAVE = f"UPDATE jobs_chunk SET lease_expires_at = NULL WHERE {_MINE}"


def chunk_renew(chunk: ClaimedChunk) -> None:
    """Keep a chunk for longer.

    Raises
    ------
    Fenced
        When it is another's, or nobody waits for it any more.
    """
    _require_one(chunk, _RENEW, lease=lease())


def chunk_store(chunk: ClaimedChunk, result: bytes) -> None:
    """Store what came of a chunk.

    Raises
    ------
    Fenced
        When it is another's; nothing is written.
    """
    _require_one(chunk, _STORE, result=result)


def chunk_leave(chunk: ClaimedChunk) -> None:
    """Let others have a chunk that could not be done here."""
    _require_one(chunk, _LEAVE)


def _require_one(chunk: ClaimedChunk, text: str, **values: Any) -> None:
    values |= {"id": chunk.id, "workspace": chunk.workspace_id, "attempt": chunk.attempt}
    with workspace(chunk.workspace_id), connection.cursor() as cursor:
        cursor.execute(_SOON_ON_DISK)
        cursor.execute(text, values)
        if cursor.rowcount != 1:
            raise Fenced


def chunks_left(job: ClaimedJob, call: int) -> int:
    """Count the chunks of a call that have no result yet."""
    with workspace(job.workspace_id):
        return Chunk.objects.filter(job_id=job.id, call=call, result=None).count()


def chunks_results(job: ClaimedJob, call: int, count: int) -> list[bytes]:
    """Return the results of a call, which has so many chunks, in their order.

    Raises
    ------
    Fenced
        When another job has taken them over.
    """
    with workspace(job.workspace_id):
        rows = Chunk.objects.filter(job_id=job.id, call=call).exclude(result=None)
        found = [bytes(row.result or b"") for row in rows.order_by("position")]
    if len(found) != count:
        raise Fenced
    return found


def chunks_done(job_id: UUID) -> list[bytes]:
    """Return the results that a job has so far, in the order of its chunks; in a workspace."""
    rows = Chunk.objects.filter(job_id=job_id).exclude(result=None).order_by("call", "position")
    return [bytes(result) for result in rows.values_list("result", flat=True) if result is not None]


def chunks_take_over(before_id: UUID, job_id: UUID) -> None:
    """Let a job go on with the chunks of one that has ended, in the entered workspace."""
    Chunk.objects.filter(job_id=before_id).update(job_id=job_id, lease_expires_at=None)
