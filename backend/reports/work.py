"""A report's way through the worker: load what was frozen, draw it, keep the file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from io import BytesIO
from itertools import zip_longest
from typing import TYPE_CHECKING

import orjson

from capmodels.errors import ModelError, ParamsError
from capmodels.plans.purchase.of_study import PURCHASE_PLAN, purchase_of
from capmodels.registry import get_model
from capmodels.spec import (
    Context,
    JSONDict,
    inputs_hash,
    params_schema,
    result_schema,
    upgrade,
    validate,
)
from common.errors import NotFound
from files.models import File
from files.services import file_keep
from jobs.models import Job
from reports.added import added
from reports.drivers import drivers_of
from reports.models import Report
from reports.models_behind import models_behind
from reports.render import render, render_run
from reports.render.contents import KeptRun, PurchasePlan, ReportInput, ResultHash, ToolResult
from reports.render.run_pages import RunInput
from runs.answering import published_checks
from runs.editing import folded
from runs.selectors import result_json, run_list, run_reusable
from runs.series import referred
from studies.proposals.beside import parts_of_designs
from studies.proposals.explored import explored

if TYPE_CHECKING:
    from uuid import UUID

    from jobs.claims import ClaimedJob
    from jobs.kinds import Report as Progress

CHECK = "plans.like_for_like"
RUNS_READ, RUNS_SHOWN = 200, 12


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a report was asked for, and the stored result of the same inputs, if any."""

    row: Report
    run_id: UUID | None
    comparison: JSONDict | None
    tools: tuple[ToolResult, ...] = ()
    purchase: PurchasePlan | None = None
    kept_runs: tuple[KeptRun, ...] = ()
    explored: JSONDict | None = None
    added: dict[str, JSONDict] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A report's file, and which result it shows."""

    file: bytes
    comparison: JSONDict | None
    run_id: UUID | None
    model_version: str
    inputs_hash: str


def report_load(job: ClaimedJob) -> Frozen:
    """Read what was frozen, and the run that answered it already; inside the workspace."""
    row = Report.objects.select_related("run", "study").get(job_id=job.id)
    if row.study is None and row.run is not None:
        held = orjson.loads(result_json(row.run))
        return Frozen(row, row.run.pk, held)
    run = run_reusable(row.inputs_hash)
    held = orjson.loads(result_json(run)) if run else None
    references = referred(row.study) if row.study else []
    others = added(row.study) if row.study and row.with_runs else {}
    return Frozen(
        row,
        run.pk if run else None,
        held,
        tuple(map(_tool, references)),
        _purchase(references),
        tuple(kept_runs_of(row)),
        _explored(row),
        others,
    )


def _purchase(references: list[JSONDict]) -> PurchasePlan | None:
    """The plan of purchases that was referred to last, where its result is still kept."""
    for one in reversed(references):
        run = run_list(model_id=PURCHASE_PLAN).filter(pk=one["run"]).first()
        if run is not None and run.job.state == Job.State.SUCCEEDED:
            return PurchasePlan(
                result=orjson.loads(result_json(run)),
                model=one["model"],
                version=one["model_version"],
                inputs_hash=one["inputs_hash"],
                stale=tuple(one["stale"]),
            )
    return None


def noted(plan: PurchasePlan | None, document: JSONDict) -> PurchasePlan | None:
    """The plan with what *Plan* says beside it of the study's question, where it still asks one."""
    if plan is None:
        return None
    try:
        return replace(plan, notes=purchase_of(document).notes)
    except ModelError:
        return plan


def kept_runs_of(row: Report) -> list[KeptRun]:
    """Runs of the study until the report was asked for, where verdict or cost changed.

    Of those that one burst of editing made, as *History* has them, the last.
    """
    if row.study is None or not row.with_runs:
        return []
    runs = folded(run_list(study_id=row.study.pk, model_id=row.model_id), row.study.pk)
    known = runs.filter(cost_usd__isnull=False, created_at__lte=row.created_at)
    newest = known.order_by("-created_at")[:RUNS_READ]
    told = [
        KeptRun(
            at=run.created_at,
            winner=run.winner,
            cost_usd=run.cost_usd,
            odds=run.odds,
            version=run.model_version,
            snapshot=run.snapshot,
        )
        for run in newest
    ]
    changed = [
        run
        for run, before in zip_longest(told, told[1:])
        if before is None or (run.winner, run.cost_usd) != (before.winner, before.cost_usd)
    ]
    return changed[:RUNS_SHOWN]


def _explored(row: Report) -> JSONDict | None:
    """What the catalogue holds for the work of a study, beside the designs that were frozen.

    Of a PDF alone; nothing where no machines are asked for, the work cannot be read, or the
    catalogue lacks what every proposal takes of it.
    """
    if row.study is None or row.format != Report.Format.PDF:
        return None
    document = row.document
    try:
        found = explored(
            workload=document["workload"],
            assumptions=document["assumptions"],
            designs=parts_of_designs(row.study),
            baseline=document.get("baseline"),
        )
    except (ParamsError, NotFound):
        return None
    return found if found["designs"] else None


def _tool(reference: JSONDict) -> ToolResult:
    return ToolResult(
        letter=reference["design"],
        title=reference["title"],
        headline=reference["headline"],
        model=reference["model"],
        version=reference["model_version"],
        inputs_hash=reference["inputs_hash"],
        stale=tuple(reference["stale"]),
    )


def report_perform(job: ClaimedJob, report: Progress) -> Drawn:
    """Draw the report; no effect of its own.

    Raises
    ------
    ModelError
        When the plan has no answer for the study.
    """
    frozen: Frozen = job.inputs
    row = frozen.row
    if row.study_id is None and frozen.comparison is not None:
        return _run_drawn(frozen.row, frozen.comparison, report)
    report(0.02, "Comparing the designs")
    spec = get_model(row.model_id)
    document = upgrade(spec, dict(row.document), row.params_version)
    params = validate(spec, document)
    seed = int(getattr(params, "seed", 0))
    identity = inputs_hash(spec, params, seed)
    comparison, run_id = frozen.comparison, frozen.run_id
    if comparison is None or identity != row.inputs_hash:
        # No run has answered these inputs, or the model has changed since.
        answer = spec.run(params, Context(seed=seed))
        comparison, run_id = orjson.loads(answer.model_dump_json()), None
    checks: list[JSONDict] = []
    if row.format == Report.Format.PDF:
        report(0.08, "Running the published checks")
        behind = published_checks([*models_behind(spec, params)])
        checks = [check for rows in behind.values() for check in rows]
    like = _like_for_like(document)
    contents = ReportInput(
        title=row.title,
        question=row.question,
        comparison=comparison,
        document=document,
        schema=params_schema(spec),
        created_at=row.created_at,
        provenance=row.provenance,
        checks=checks,
        like_for_like=like["findings"],
        leases=[item["sentence"] for item in like["lease_or_buy"]],
        drivers=drivers_of(spec, document) if row.format == Report.Format.XLSX else (),
        hashes=(
            ResultHash(
                label="Comparison of the designs",
                model=spec.id,
                version=spec.version,
                inputs_hash=identity,
            ),
        ),
        tools=frozen.tools,
        purchase=noted(frozen.purchase, document),
        explored=frozen.explored,
        kept_runs=frozen.kept_runs,
        actuals=frozen.added.get("actuals"),
        snapshot=row.snapshot or None,
        with_appendix=row.with_appendix,
    )
    file = render(contents, row.format, row.paper, report)
    return Drawn(file, comparison, run_id, spec.version, identity)


def _run_drawn(row: Report, result: JSONDict, report: Progress) -> Drawn:
    """The PDF of one run of a model, from its stored result."""
    report(0.1, "Running the published checks")
    spec = get_model(row.model_id)
    run = RunInput(
        title=row.title,
        summary=spec.summary,
        model=spec.id,
        version=row.model_version,
        params=row.document,
        params_schema=params_schema(spec),
        result=result,
        result_schema=result_schema(spec),
        created_at=row.created_at,
        inputs_hash=row.inputs_hash,
        seed=row.run.seed if row.run else 0,
        formulas=[asdict(formula) for formula in spec.formulas],
        citations=[asdict(citation) for citation in spec.citations],
        limits=spec.limits,
        checks=published_checks([spec.id])[spec.id],
    )
    report(0.5, "Setting the pages")
    file = render_run(run, row.paper)
    return Drawn(file, None, row.run_id, row.model_version, row.inputs_hash)


def _like_for_like(document: JSONDict) -> JSONDict:
    """What the like-for-like check says of the study: findings, and lease or buy."""
    check = get_model(CHECK)
    answer = check.run(validate(check, document), Context())
    found: JSONDict = answer.model_dump(mode="json")
    return found


def report_record(job: ClaimedJob, drawn: Drawn) -> None:
    """Keep the file and the result that it shows."""
    Report.objects.filter(job_id=job.id).update(
        comparison=drawn.comparison,
        run_id=drawn.run_id,
        model_version=drawn.model_version,
        inputs_hash=drawn.inputs_hash,
        bytes_count=len(drawn.file),
        sha256=sha256(drawn.file).hexdigest(),
    )
    file_keep(job_id=job.id, kind=File.Kind.REPORT, content=BytesIO(drawn.file))
