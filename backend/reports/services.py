"""Asks for reports, inside an entered workspace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from capmodels.registry import get_model
from capmodels.spec import inputs_hash, upgrade
from jobs.models import Job
from jobs.services import job_submit
from reports.models import Report
from runs.selectors import result_json
from studies.checking import params_of
from studies.documents import PLAN
from studies.selectors import prices_of, study_document

if TYPE_CHECKING:
    from uuid import UUID

    from capmodels.spec import JSONDict
    from runs.models import Run
    from studies.models import Study

KIND = "report"


def report_create(
    *, study: Study, file_format: str, paper: str, appendix: bool = True, run: Run | None = None
) -> Report:
    """Freeze a study as it is saved now, or as a run of it was asked, and have a worker draw it.

    Raises
    ------
    ParamsError
        With every fault of the draft, when it is not complete.
    """
    spec = get_model(PLAN)
    asked = upgrade(spec, dict(run.params), run.params_version) if run else study_document(study)
    params = params_of(spec, asked)
    identity = inputs_hash(spec, params, int(getattr(params, "seed", 0)))
    # Where values come from is known of the study as it is now.
    is_present = run is None or identity == study.verdict_hash
    created_at = timezone.now()
    return Report.objects.create(
        job=job_submit(kind=KIND),
        study=study,
        created_at=created_at,
        with_runs=run is None,
        with_appendix=appendix,
        format=file_format,
        paper=paper,
        file_name=f"{_stem(study)}-{created_at:%Y-%m-%d}.{file_format}",
        title=study.title,
        question=study.question,
        document=params.model_dump(mode="json"),
        provenance=_provenance(study) if is_present else {},
        snapshot=run.snapshot if run else prices_of(study),
        model_id=spec.id,
        model_version=spec.version,
        params_version=spec.params_version,
        inputs_hash=identity,
    )


def run_report_create(*, run: Run, paper: str) -> Report:
    """Have a worker draw a run of any model that has ended, as PDF.

    Raises
    ------
    Conflict
        When the run has no result, or none yet.
    """
    result_json(run)
    created_at = timezone.now()
    spec = get_model(run.model_id)
    return Report.objects.create(
        job=job_submit(kind=KIND),
        run=run,
        created_at=created_at,
        format=Report.Format.PDF,
        paper=paper,
        file_name=f"{spec.id.replace('_', '-')}-{created_at:%Y-%m-%d}.pdf",
        title=spec.title,
        question=run.headline,
        document=run.params,
        snapshot=run.snapshot,
        model_id=spec.id,
        model_version=run.model_version,
        params_version=run.params_version,
        inputs_hash=run.inputs_hash,
    )


def report_delete(report_id: UUID) -> None:
    """Remove a report with its file; a worker that is at it writes nothing more."""
    Job.objects.filter(id=report_id).delete()


def study_reports_delete(*, instance: Any, **_signal: Any) -> None:
    """Remove the reports of a study that is being deleted."""
    Job.objects.filter(report__study_id=instance.pk).delete()


def _stem(study: Study) -> str:
    return re.sub(r"[^a-z0-9-]+", "-", study.slug.lower()).strip("-")[:80] or "study"


def _provenance(study: Study) -> JSONDict:
    """Return where every value of the document comes from, by pointer into all of it."""
    parts = {
        "/workload": study.workload_provenance,
        "/assumptions": study.assumptions_provenance,
        "/baseline": study.baseline_provenance,
        **{f"/designs/{design.letter}": design.provenance for design in study.designs.all()},
    }
    return {
        f"{head}{pointer}": origin
        for head, origins in parts.items()
        for pointer, origin in origins.items()
    }
