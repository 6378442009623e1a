"""Reads approvals and shares, inside an entered workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone

from common.errors import Conflict, existing
from jobs.models import Job
from runs.models import Run
from sharing.models import Approval, Delivery, Share, Webhook
from studies.documents import PLAN

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet


def approval_list(study_id: UUID) -> QuerySet[Approval]:
    """Return what was approved of a study, the latest first."""
    return (
        Approval.objects.filter(study_id=study_id)
        .select_related("run", "run__job")
        .defer("run__params")
        .order_by("-created_at", "-id")
    )


def share_list(study_id: UUID) -> QuerySet[Share]:
    """Return the links to a study that are open, the latest first."""
    found = Share.objects.filter(study_id=study_id, revoked_at=None, expires_at__gt=timezone.now())
    return found.order_by("-created_at", "-id")


def share_get(share_id: UUID) -> Share:
    """Return one link.

    Raises
    ------
    NotFound
        When the workspace has no such link.
    """
    return existing(Share.objects.filter(id=share_id).select_related("study").first())


def share_by_hash(token_hash: str, now: datetime) -> tuple[UUID, UUID, str] | None:
    """Return id, workspace and the workspace's name of an open link; crosses workspaces."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM sharing_by_hash(%s, %s)", [token_hash, now])
        row: tuple[UUID, UUID, str] | None = cursor.fetchone()
    return row


def share_run(share: Share) -> Run:
    """Return the run that a link shows: its own, or the latest one of its study.

    Raises
    ------
    Conflict
        When no run of the study has ended yet.
    """
    runs = Run.objects.select_related("job")
    if share.run_id:
        run = runs.get(job_id=share.run_id)
        if run.job.state != Job.State.SUCCEEDED:
            raise Conflict("The result is not ready yet. Try again in a moment.")
        return run
    latest = (
        runs.filter(study_id=share.study_id, model_id=PLAN, job__state=Job.State.SUCCEEDED)
        .order_by("-created_at")
        .first()
    )
    if latest is None:
        raise Conflict("The result is not ready yet. Try again in a moment.")
    return latest


def kept_run_ids() -> list[UUID]:
    """Return the runs that are approved, or shared by a link that is open."""
    open_links = Share.objects.filter(revoked_at=None, expires_at__gt=timezone.now())
    shared = open_links.exclude(run=None).values_list("run_id", flat=True)
    return [*Approval.objects.values_list("run_id", flat=True), *shared]


def webhook_list() -> QuerySet[Webhook]:
    """Return the workspace's webhooks, the first ones first."""
    return Webhook.objects.order_by("created_at", "id")


def delivery_list(webhook: Webhook) -> QuerySet[Delivery]:
    """Return what a webhook was told, newest first."""
    return Delivery.objects.filter(webhook=webhook).order_by("-created_at", "-id")
