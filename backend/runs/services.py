"""Starts and cancels runs, inside an entered workspace."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson
from prometheus_client import Counter

from capmodels.errors import UnknownModel
from capmodels.formats.trace_store import using
from capmodels.registry import get_model
from capmodels.spec import AnyModel, inputs_hash, upgrade
from capmodels.warming import kernels_of
from common.errors import Invalid, TooMany
from common.tenancy import current_workspace_id, workspace
from jobs.kinds import INTERACTIVE, LIMITS_S
from jobs.services import job_store_ended, job_submit
from runs import selectors
from runs.models import Run
from runs.warming import COMPILING, is_warm
from studies.checking import params_of, verdict_in
from studies.documents import PLAN
from studies.selectors import prices_of, study_document
from studies.services import study_verdict_keep
from traces.selectors import trace_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studies.models import Study

ANSWERS = Counter(
    "ampacity_answers", "Runs asked for, by where their answer comes from", ["source"]
)

SHORT, LONG = "run", "run.long"


def run_submit(
    *,
    model_id: str,
    params: Mapping[str, Any],
    seed: int | None = None,
    study: Study | None = None,
    again_of: Run | None = None,
    kind: str | None = None,
) -> Run:
    """Freeze the inputs and start a run, or answer it from an earlier one of the workspace.

    Raises
    ------
    Invalid
        When there is no such model.
    ParamsError
        With every fault of the inputs.
    """
    spec = model_get(model_id)
    if seed is not None and "seed" in spec.params.model_fields:
        params = {**params, "seed": seed}
    checked = params_of(spec, params)
    seed = int(getattr(checked, "seed", seed or 0))
    run = Run(
        workspace_id=current_workspace_id(),
        study=study,
        again_of=again_of,
        model_id=spec.id,
        model_version=spec.version,
        params=checked.model_dump(mode="json"),
        params_version=spec.params_version,
        seed=seed,
        inputs_hash=inputs_hash(spec, checked, seed),
        snapshot=prices_of(study) if study else "",
    )
    known = None if again_of else selectors.run_reusable(run.inputs_hash)
    ANSWERS.labels("stored" if known else "computed").inc()
    if known:
        _answer_from(run, known)
    else:
        with using(trace_sizes):
            few = spec.points(checked) <= spec.quick_limit
        warm = is_warm(kernels_of(spec, checked))
        # A search that may take longer than the quick queue allows would be ended before its end.
        in_time = getattr(checked, "limit_s", 0.0) < LIMITS_S[INTERACTIVE]
        quick = spec.instant or (few and warm and in_time)
        message = "" if warm else COMPILING
        run.job = job_submit(kind=kind or (SHORT if quick else LONG), message=message)
    run.save(force_insert=True)
    if known and study is not None:
        verdict_again(run)
    return run


def verdict_again(run: Run) -> None:
    """Give a study that has the inputs of a comparison again the verdict of it."""
    if run.study_id and run.model_id == PLAN:
        result = orjson.loads(selectors.result_json(run))
        study_verdict_keep(run.study_id, verdict_in(result, run.inputs_hash))


def run_study(study: Study) -> Run:
    """Start the comparison of a study as it is saved now.

    Raises
    ------
    ParamsError
        When the study's draft is not complete.
    """
    return run_submit(model_id=PLAN, params=study_document(study), study=study)


def run_again(run: Run, *, kind: str | None = None) -> Run:
    """Compute a stored run's inputs anew, with the model as it is now, never reused."""
    spec = model_get(run.model_id)
    params = upgrade(spec, dict(run.params), run.params_version)
    return run_submit(
        model_id=run.model_id,
        params=params,
        seed=run.seed,
        study=run.study,
        again_of=run,
        kind=kind,
    )


def runs_recheck() -> int:
    """Compute the latest run of every study again that an earlier version of the plan made.

    Crosses workspaces. The new runs wait in the batch queue and say, once they have
    ended, how many of the study's figures moved. Calling it twice adds nothing.
    """
    stale = selectors.runs_stale(PLAN, get_model(PLAN).version)
    for workspace_id, run_id in stale:
        # A workspace that has used up what it may is asked again at the next start.
        with suppress(TooMany), workspace(workspace_id):
            run_again(selectors.run_get(run_id), kind=LONG)
    return len(stale)


def model_get(model_id: str) -> AnyModel:
    """Return a model that a request names.

    Raises
    ------
    Invalid
        When there is none of that id.
    """
    try:
        return get_model(model_id)
    except UnknownModel as exc:
        raise Invalid.at("/model", str(exc), "not_a_choice") from exc


def _answer_from(run: Run, known: Run) -> None:
    run.job = job_store_ended(kind=SHORT)
    run.reused_from = known
    run.winner, run.cost_usd, run.headline = known.winner, known.cost_usd, known.headline
    run.odds = known.odds
