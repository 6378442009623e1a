"""Sweeps: many runs over ranges or lists of a model's inputs, as one job.

The rows are done in chunks by all workers of the queue; what is done stays done when a worker is
killed, and when the sweep is stopped and taken up again. The table is kept as Parquet.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from capmodels.chunks import run_chunks
from capmodels.errors import ParamsError
from capmodels.plans.sweep.params import SweepParams
from capmodels.plans.sweep.runs import chunks_of, require_answer, rows_of
from capmodels.plans.sweep.words import columns_told, figure_of, headline, inputs_told
from capmodels.registry import get_model
from capmodels.spec import faults_of, validate
from common.errors import Conflict, existing
from files.models import File
from files.selectors import file_of, file_opened
from files.services import file_keep
from jobs.chunks import chunks_done, chunks_take_over
from jobs.kinds import Later
from jobs.models import Job
from jobs.services import job_submit, made_delete
from runs.models import Sweep
from runs.services import model_get
from studies.documents import PLAN
from studies.selectors import study_document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.db.models import QuerySet

    from capmodels.plans.sweep.table import Rows
    from capmodels.spec import JSONDict
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report
    from studies.models import Study

KIND = "sweep"
# Given back and taken again before its time is up: what is done stays done.
_SHARE_OF_LIMIT = 0.8


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The table, and what is told of it."""

    parquet: bytes
    columns: list[JSONDict]
    headline: str
    faults_count: int


def sweep_start(*, asked: Mapping[str, Any], study: Study | None = None, title: str = "") -> Sweep:
    """Have workers run every row of a sweep; of a study, its comparison.

    Raises
    ------
    Invalid
        When there is no such model.
    ParamsError
        With every fault of the sweep, of the model's input, and of the axes' ends.
    """
    if study is not None:
        asked = {**asked, "model": PLAN, "document": study_document(study)}
    spec = model_get(str(asked.get("model", "")))
    # With its defaults, so that each of them has a place that an axis may name.
    whole = validate(spec, asked.get("document") or {}).model_dump(mode="json")
    asked = {**asked, "document": whole}
    try:
        sweep = SweepParams.model_validate(asked)
    except ValidationError as exc:
        raise ParamsError(faults_of(exc, asked)) from exc
    require_answer(sweep)
    return Sweep.objects.create(
        job=job_submit(kind=KIND),
        study=study,
        title=title or (study.title if study else spec.title),
        model_id=spec.id,
        model_version=spec.version,
        params=sweep.model_dump(mode="json"),
        rows_count=sweep.rows_count,
    )


def sweep_inputs(study: Study) -> list[JSONDict]:
    """Return which numbers of a study may be axes of its sweeps."""
    return inputs_told(study_document(study))


def sweep_resume(sweep: Sweep) -> Sweep:
    """Take up a sweep that was stopped or failed, with the rows that are done, in its place.

    Raises
    ------
    Conflict
        While it goes on, when it has ended well, or when the model has changed since.
    """
    if sweep.job.state not in {Job.State.CANCELLED, Job.State.FAILED}:
        raise Conflict("Only a sweep that was stopped or failed is taken up again.")
    if get_model(sweep.model_id).version != sweep.model_version:
        raise Conflict("The model has changed since. Start the sweep anew.")
    job = job_submit(kind=KIND)
    chunks_take_over(sweep.pk, job.pk)
    again = Sweep.objects.create(
        job=job,
        study=sweep.study,
        title=sweep.title,
        model_id=sweep.model_id,
        model_version=sweep.model_version,
        params=sweep.params,
        rows_count=sweep.rows_count,
    )
    made_delete(sweep)
    return again


def sweep_list(study_id: UUID | None = None) -> QuerySet[Sweep]:
    """Return the workspace's sweeps, or those of a study, without their inputs, newest first."""
    rows = Sweep.objects.select_related("job").defer("params").order_by("-created_at")
    return rows if study_id is None else rows.filter(study_id=study_id)


def sweep_get(sweep_id: UUID) -> Sweep:
    """Return one sweep; raise NotFound when the workspace has no such one."""
    return existing(Sweep.objects.select_related("job").filter(job_id=sweep_id).first())


def sweep_load(job: ClaimedJob) -> JSONDict:
    """Read what was asked; inside the workspace."""
    params: JSONDict = Sweep.objects.values_list("params", flat=True).get(job_id=job.id)
    return params


def sweep_perform(job: ClaimedJob, report: Report) -> SweepResult:
    """Run every row and write the table; no effect of its own.

    Raises
    ------
    Later
        Before the time of one attempt is up.
    """
    from capmodels.plans.sweep.table import Rows

    until_s = time.monotonic() + _SHARE_OF_LIMIT * job.limit_s

    def told(fraction: float, text: str) -> None:
        if time.monotonic() >= until_s:
            raise Later("Goes on at once", timedelta())
        report(fraction, text)

    sweep = SweepParams.model_validate(job.inputs)
    rows = Rows.of_pieces(run_chunks(rows_of, chunks_of(sweep), told))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        rows.write(path)
        written = path.read_bytes()
    return SweepResult(written, _columns(sweep, rows), headline(sweep, rows), rows.faults_count)


def sweep_record(job: ClaimedJob, result: SweepResult) -> None:
    """Keep the table and what is told of it."""
    Sweep.objects.filter(job_id=job.id).update(
        columns=result.columns, headline=result.headline, faults_count=result.faults_count
    )
    file_keep(job_id=job.id, kind=File.Kind.SWEEP, content=BytesIO(result.parquet))


def sweep_file(sweep: Sweep) -> File:
    """Return the table as it is kept.

    Raises
    ------
    Conflict
        While there is none.
    """
    file = file_of(sweep.pk, File.Kind.SWEEP)
    if file is None:
        raise Conflict("The sweep has no table yet. Wait for its end.")
    return file


def sweep_points(sweep: Sweep, x: str, y: str, of: str) -> JSONDict:
    """Return the rows that are done, binned by two columns, with a sample of them.

    Raises
    ------
    ParamsError
        When there is no such column.
    Conflict
        While no row is done.
    """
    from capmodels.plans.sweep.table import Rows

    file = file_of(sweep.pk, File.Kind.SWEEP)
    if file is None:
        pieces = chunks_done(sweep.pk)
        if not pieces:
            raise Conflict("No row is done yet.")
        return _told(sweep, Rows.of_pieces(pieces), x, y, of)
    with tempfile.NamedTemporaryFile(suffix=".parquet") as copy:
        with file_opened(file) as kept:
            copyfileobj(kept, copy)
        copy.flush()
        return _told(sweep, Rows.of_file(Path(copy.name)), x, y, of)


def _told(sweep: Sweep, rows: Rows, x: str, y: str, of: str) -> JSONDict:
    asked = SweepParams.model_validate(sweep.params)
    told, columns = rows.binned(x, y, of), _columns(asked, rows)
    figure = figure_of(told, columns, of).model_dump(mode="json")
    return {**told, "columns": columns, "figure": figure}


def _columns(sweep: SweepParams, rows: Rows) -> list[JSONDict]:
    columns = rows.columns()
    said = columns_told(sweep, [column.name for column in columns])
    return [{**asdict(column), **words} for column, words in zip(columns, said, strict=True)]
