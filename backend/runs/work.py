"""A run's way through the worker: load the frozen inputs, compute, record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from django.db import connection

from capmodels.registry import get_model
from capmodels.spec import Context, answer, upgrade, validate
from capmodels.warming import kernels_of
from common.errors import Conflict
from common.partitions import this_month
from files.frames import Spool
from files.models import File
from files.services import file_keep
from runs import columns, selectors, told
from runs.models import Run
from runs.moved import figures_moved
from runs.warming import wait_until_warm
from studies.checking import verdict_in
from studies.documents import PLAN
from studies.services import study_verdict_keep

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from capmodels.spec import JSONDict
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What a run was asked, as stored."""

    model_id: str
    params: Mapping[str, Any]
    params_version: int
    seed: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run gives: the result for the screen, and its long series in full."""

    model_version: str
    result: Mapping[str, Any]
    series: Spool | None


_LOAD = """
SELECT model_id, params::text, params_version, seed FROM runs_run
WHERE id = %s AND workspace_id = %s
"""


def run_load(job: ClaimedJob) -> RunInputs:
    """Read what the run was asked; inside the workspace."""
    # By hand: building this query takes as long as a small model.
    with connection.cursor() as cursor:
        cursor.execute(_LOAD, [job.id, job.workspace_id])
        model_id, params, params_version, seed = cursor.fetchone()
    return RunInputs(model_id, orjson.loads(params), params_version, seed)


def run_perform(job: ClaimedJob, report: Report) -> RunResult:
    """Compute the run's result; no effect of its own.

    Raises
    ------
    ModelError
        When the model has no answer for these inputs.
    """
    inputs: RunInputs = job.inputs
    spec = get_model(inputs.model_id)
    params = upgrade(spec, dict(inputs.params), inputs.params_version)
    checked = validate(spec, params)
    wait_until_warm(kernels_of(spec, checked), report)
    found = answer(spec, checked, Context(seed=inputs.seed, report=report))
    return shown_of(spec.version, orjson.loads(found.model_dump_json()))


def shown_of(model_version: str, result: JSONDict) -> RunResult:
    """Return a result as it is kept: short series for the screen, long ones beside it in full."""
    limit = columns.SCREEN_POINTS
    long = [column for column in columns.columns_of(result) if len(column.values) > limit]
    if not long:
        return RunResult(model_version, result, None)
    spool = Spool()
    for column in long:
        for chunk in columns.pack(column.values):
            spool.keep(column.pointer.encode() + b"\0" + chunk)
    return RunResult(model_version, columns.reduce_for_screen(result, limit), spool)


_RECORD = """
WITH ended AS (
    UPDATE runs_run SET result_month = %s, model_version = %s, winner = %s, cost_usd = %s,
        headline = %s, odds = %s::jsonb
    WHERE id = %s AND workspace_id = %s
    RETURNING id, workspace_id, result_month, model_id, study_id, inputs_hash, again_of_id
), kept AS (
    INSERT INTO runs_result (workspace_id, run_id, month, data)
    SELECT workspace_id, id, result_month, %s::jsonb FROM ended
)
SELECT model_id, study_id, inputs_hash, again_of_id FROM ended
"""


def run_record(job: ClaimedJob, result: RunResult) -> None:
    """Write the result and its headline, and the study's verdict while the study is as it was."""
    result_record(job.id, job.workspace_id, result)


def result_record(run_id: UUID, workspace_id: UUID, result: RunResult) -> None:
    """Write what a run found, whether it was computed here or came with its study."""
    headline = _headline(result.result)
    with connection.cursor() as cursor:
        shown = [*headline, _odds(result.result)]
        values = [this_month(), result.model_version, *shown, run_id, workspace_id]
        cursor.execute(_RECORD, [*values, orjson.dumps(result.result).decode()])
        model_id, study_id, inputs_hash, again_of_id = cursor.fetchone()
    if result.series is not None:
        file_keep(job_id=run_id, kind=File.Kind.SERIES, content=result.series.file())
    if again_of_id:
        _record_moved(run_id, again_of_id, result.result)
    if study_id and model_id == PLAN:
        study_verdict_keep(study_id, verdict_in(result.result, inputs_hash))
        told.recorded(run_id, study_id)


def _headline(result: Mapping[str, Any]) -> tuple[str, float | None, str]:
    """Winner, cost and sentence of a plan's result; the sentence alone of another model's."""
    if isinstance(result.get("verdict"), dict):
        verdict = verdict_in(result, "")
        return verdict.winner, verdict.cost_usd, verdict.verdict["headline"]
    sentence = result.get("headline")
    return "", None, sentence if isinstance(sentence, str) else ""


def _odds(result: Mapping[str, Any]) -> str | None:
    """In which share of the simulations each design is cheapest, as JSON; None without any."""
    odds = result.get("odds")
    wins = odds.get("wins") if isinstance(odds, dict) else None
    return orjson.dumps(wins).decode() if wins else None


def _record_moved(run_id: UUID, before_id: UUID, after: Mapping[str, Any]) -> None:
    try:
        before = orjson.loads(selectors.result_json(selectors.run_get(before_id)))
    except Conflict:
        return  # it is let go: what moved cannot be told
    found = figures_moved(before, after)
    Run.objects.filter(job_id=run_id).update(
        moved_count=found["moved_count"], moved_fraction=found["largest_relative_fraction"]
    )
