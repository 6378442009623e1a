"""Reading jobs of the entered workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.errors import NotFound
from jobs.models import Job

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet


def job_list(kind: str) -> QuerySet[Job]:
    """Return the jobs of one kind, newest first."""
    return Job.objects.filter(kind=kind).order_by("-submitted_at", "-id")


def job_get(job_id: UUID) -> Job:
    """Return one job.

    Raises
    ------
    NotFound
        When the workspace has no such job.
    """
    job = Job.objects.filter(id=job_id).first()
    if job is None:
        raise NotFound
    return job
