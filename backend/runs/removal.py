"""Removes runs; a result that answers other runs passes on to the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import RestrictedError

from common.errors import Conflict
from common.tenancy import current_workspace_id
from files.models import File
from jobs.models import Job
from runs.models import Run

if TYPE_CHECKING:
    from uuid import UUID

_HAND_OVER = """
WITH heir AS (
    UPDATE runs_run heir SET result_month = gone.result_month, reused_from_id = NULL
    FROM runs_run gone
    WHERE heir.id = %s AND gone.id = %s AND heir.workspace_id = %s
      AND gone.workspace_id = heir.workspace_id
    RETURNING heir.id, heir.workspace_id, gone.id AS gone_id, gone.result_month
)
UPDATE runs_result s SET run_id = heir.id FROM heir
WHERE s.run_id = heir.gone_id AND s.month = heir.result_month
  AND s.workspace_id = heir.workspace_id
"""


def run_delete(run_id: UUID) -> None:
    """Remove a run with its result and series; a worker that is at it writes nothing more.

    Raises
    ------
    Conflict
        When it was approved: that stays as it was.
    """
    if Run.objects.filter(job_id=run_id, approvals__isnull=False).exists():
        raise Conflict(_APPROVED)
    _hand_over(run_id)
    try:
        Job.objects.filter(id=run_id).delete()
    except RestrictedError as exc:
        raise Conflict(_APPROVED) from exc


_APPROVED = "This run was approved, so it stays."


def study_runs_delete(*, instance: Any, **_signal: Any) -> None:
    """Remove the runs of a study that is being deleted, but for what was approved."""
    found = Run.objects.filter(study_id=instance.pk, approvals__isnull=True)
    for run_id in found.order_by("-created_at").values_list("job_id", flat=True):
        run_delete(run_id)


def _hand_over(run_id: UUID) -> None:
    answered = Run.objects.filter(reused_from_id=run_id)
    heir = answered.order_by("created_at").values_list("job_id", flat=True).first()
    if heir is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(_HAND_OVER, [heir, run_id, current_workspace_id()])
    answered.update(reused_from_id=heir)
    File.objects.filter(job_id=run_id, kind=File.Kind.SERIES).update(job_id=heir)
