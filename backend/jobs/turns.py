"""Whose turn it is: a queue serves the workspaces that wait in it one after the other."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from jobs.claims import ClaimedJob


@contextmanager
def job_turn(*, job_id: UUID, workspace_id: UUID) -> Iterator[tuple[UUID, UUID]]:
    """Hold the job whose turn it is in the queue of a job that a message names.

    Messages come in the order in which they were sent, and only say that one more job waits.
    Which one is done is decided here, in turn between workspaces. The transaction of a claim
    inside keeps the row from others. Yields the ids of the job and of its workspace.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, workspace_id FROM jobs_turn(%s, clock_timestamp())", [job_id]
            )
            row = cursor.fetchone()
        yield row or (job_id, workspace_id)


def others_wait(job: ClaimedJob) -> bool:
    """Say whether a workspace waits in this job's queue that has nothing running there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT jobs_others_wait(%s, clock_timestamp())", [job.id])
        return bool(cursor.fetchone()[0])
