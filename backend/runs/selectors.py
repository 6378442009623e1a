"""Reads runs and their results, inside an entered workspace."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any

import orjson
from django.db import connection

from capmodels.plans.purchase.of_study import PURCHASE_PLAN
from common.errors import Conflict, existing
from common.tenancy import brought, current_workspace_id
from files.frames import pieces_of
from files.models import File
from files.selectors import file_of, file_opened
from jobs.models import Job
from runs import columns
from runs.models import Run
from studies.documents import PLAN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.db.models import QuerySet


def run_list(
    *,
    study_id: UUID | None = None,
    state: str | None = None,
    model_id: str | None = None,
    moved: bool = False,
    approved: bool = False,
) -> QuerySet[Run]:
    """Return the workspace's runs without inputs and results; one query.

    ``moved``: only runs that computed an earlier one again and found other figures.
    ``approved``: only runs that an approval holds.
    """
    wanted = {"study_id": study_id, "job__state": state, "model_id": model_id}
    given: dict[str, Any] = {name: value for name, value in wanted.items() if value}
    if moved:
        given["moved_count__gt"] = 0
    if approved:
        given["approvals__isnull"] = False
    return Run.objects.filter(**given).select_related("job").defer("params")


_STALE = "SELECT workspace_id, run_id FROM runs_stale(%s, %s)"


def runs_stale(model_id: str, version: str) -> list[tuple[UUID, UUID]]:
    """Return the latest run of each study, of all workspaces, that another version made.

    Workspace and run; the function is in ``migrations/runs``.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STALE, [model_id, version])
        return [(workspace_id, run_id) for workspace_id, run_id in cursor.fetchall()]


def run_get(run_id: UUID) -> Run:
    """Return one run with its job, without its result; one that an archive brought by either id.

    Raises
    ------
    NotFound
        When the workspace has no such run.
    """
    ids = (run_id, brought(run_id))
    return existing(Run.objects.select_related("job").filter(job_id__in=ids).first(), run_id)


# Asked before every run, and mostly answered with no: not worth building a query each time.
_REUSABLE = """
SELECT r.id FROM runs_run r JOIN runs_result s ON s.run_id = r.id AND s.month = r.result_month
WHERE r.workspace_id = %s AND r.inputs_hash = %s AND r.result_month IS NOT NULL LIMIT 1
"""


def run_reusable(inputs_hash: str) -> Run | None:
    """Return a run of the workspace that has answered the same question already."""
    with connection.cursor() as cursor:
        cursor.execute(_REUSABLE, [current_workspace_id(), inputs_hash])
        row = cursor.fetchone()
    return Run.objects.defer("params").get(job_id=row[0]) if row else None


# In one statement, so that a month that is let go at this moment is there or is not.
_RESULT = """
SELECT s.data::text FROM runs_run r
JOIN runs_result s ON s.run_id = r.id AND s.month = r.result_month
WHERE r.id = %s AND r.workspace_id = %s
"""


def result_json(run: Run) -> bytes:
    """Return a run's result as JSON, as the database keeps it, unparsed.

    Raises
    ------
    Conflict
        When the run has no result, none yet, or none any more.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RESULT, [run.reused_from_id or run.pk, current_workspace_id()])
        row = cursor.fetchone()
    if row is None:
        raise Conflict(_NO_RESULT.get(run.job.state, "The run has not ended yet."))
    return str(row[0]).encode()


_NO_RESULT: dict[str, str] = {
    Job.State.SUCCEEDED: "Results of this age are not kept here. Run it again.",
    Job.State.FAILED: "The run failed, so it has no result.",
    Job.State.CANCELLED: "The run was cancelled, so it has no result.",
}


def result_columns(run: Run) -> list[columns.Column]:
    """Return every series of a run's result, in full.

    Raises
    ------
    Conflict
        When the run has no result, or none yet.
    """
    shown = columns.columns_of(orjson.loads(result_json(run)))
    full = dict(_full_series(run.reused_from_id or run.pk))
    return [full.get(column.pointer, column) for column in shown]


def result_focus(run: Run) -> str:
    """Return what the designs of a comparison cost as rows of FOCUS.

    Raises
    ------
    Conflict
        When it is no comparison of designs, or has no result.
    """
    from capmodels.plans.answer.focus_rows import focus_csv

    if run.model_id != PLAN:
        raise Conflict("Only a comparison of designs has costs that can be a bill.")
    said = (run.params.get("assumptions") or {}).get("starts_on")
    start = date.fromisoformat(said) if said else run.created_at.date()
    return focus_csv(orjson.loads(result_json(run)), start)


def result_orders(run: Run) -> list[tuple[str | float | int, ...]]:
    """Return what a plan of purchases orders and commits to, as rows under a head.

    Raises
    ------
    Conflict
        When it is no plan of purchases, or has no result.
    """
    from capmodels.plans.purchase.order_list import order_list

    if run.model_id != PURCHASE_PLAN:
        raise Conflict("Only a plan of purchases has an order list.")
    return order_list(run.params, orjson.loads(result_json(run)))


def _full_series(run_id: UUID) -> Iterator[tuple[str, columns.Column]]:
    file = file_of(run_id, File.Kind.SERIES)
    if file is None:
        return
    with file_opened(file) as opened:
        chunks = (piece.partition(b"\0") for piece in pieces_of(opened))
        for pointer, rows in groupby(chunks, key=lambda row: row[0].decode()):
            values = [value for _, _, data in rows for value in columns.unpack(data)]
            yield pointer, columns.Column(pointer, values)
