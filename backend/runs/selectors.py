"""Reads runs and their results, inside an entered workspace."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import orjson
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from common.errors import Conflict, NotFound
from jobs.models import Job
from runs import columns
from runs.models import ResultChunk, Run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID


def run_list(
    *, study_id: UUID | None = None, state: str | None = None, model_id: str | None = None
) -> QuerySet[Run]:
    """Return the workspace's runs without inputs and results; one query."""
    wanted = {"study_id": study_id, "job__state": state, "model_id": model_id}
    given = {name: value for name, value in wanted.items() if value}
    return Run.objects.filter(**given).select_related("job").defer("params", "result")


def run_get(run_id: UUID) -> Run:
    """Return one run with its job, without its result.

    Raises
    ------
    NotFound
        When the workspace has no such run.
    """
    run = Run.objects.select_related("job").defer("result").filter(job_id=run_id).first()
    if run is None:
        raise NotFound
    return run


def run_reusable(inputs_hash: str) -> Run | None:
    """Return a run of the workspace that has answered the same question already."""
    return (
        Run.objects.filter(inputs_hash=inputs_hash, result__isnull=False)
        .defer("params", "result")
        .first()
    )


def result_json(run: Run) -> bytes:
    """Return a run's result as JSON, as the database keeps it, unparsed.

    Raises
    ------
    Conflict
        When the run has no result, or none yet.
    """
    text = (
        Run.objects.filter(job_id=run.reused_from_id or run.pk, result__isnull=False)
        .annotate(text=Cast("result", TextField()))
        .values_list("text", flat=True)
        .first()
    )
    if text is None:
        raise Conflict(_NO_RESULT.get(run.job.state, "The run has not ended yet."))
    return str(text).encode()


_NO_RESULT: dict[str, str] = {
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


def _full_series(run_id: UUID) -> Iterator[tuple[str, columns.Column]]:
    chunks = ResultChunk.objects.filter(run_id=run_id).values_list("pointer", "data")
    for pointer, rows in groupby(chunks, key=lambda row: row[0]):
        values = [value for _, data in rows for value in columns.unpack(bytes(data))]
        yield pointer, columns.Column(pointer, values)
