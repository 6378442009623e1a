"""Approves versions of a study, and shares them by links."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.events import APPROVAL_ASKED, APPROVED
from accounts.secrets import code_new, hash_of
from accounts.services import audit_record
from common.errors import Conflict, Forbidden, NotFound
from jobs.models import Job
from reports.models import Report
from reports.services import report_create
from runs.models import Run
from runs.services import run_study
from sharing import selectors
from sharing.models import Approval, ApprovalRequest, Share
from sharing.webhooks import tell
from studies.documents import PLAN

if TYPE_CHECKING:
    from uuid import UUID

    from common.principal import Principal
    from studies.models import Study


def approve(*, principal: Principal, study: Study, name: str, sentence: str) -> Approval:
    """Freeze a study as it is saved now, under a name.

    Raises
    ------
    ParamsError
        When the study's draft is not complete.
    Conflict
        When a version of that name is approved already.
    """
    run = run_study(study)
    approval = Approval(
        study_id=study.id,
        study_title=study.title,
        run=run,
        name=name,
        sentence=sentence,
        approved_by=principal.email,
    )
    try:
        with transaction.atomic():
            approval.save(force_insert=True)
    except IntegrityError as exc:
        message = f"A version named {name!r} is approved already. Choose another name."
        raise Conflict(message) from exc
    audit_record(principal, "study.approve", target=study.title, detail={"name": name})
    about = {"study": str(study.id), "run": str(run.pk), "name": name, "by": principal.email}
    tell(APPROVED, study, about, f"{principal.email} approved {name}: {sentence}")
    return approval


def approval_ask(*, principal: Principal, study: Study, sentence: str) -> None:
    """Ask the owners to approve a study as it is saved now.

    Raises
    ------
    ParamsError
        When the study's draft is not complete: it could not be approved.
    """
    run = run_study(study)
    ApprovalRequest.objects.create(study=study, sentence=sentence, asked_by=principal.email)
    audit_record(principal, "study.ask", target=study.title, detail={"sentence": sentence})
    about = {"study": str(study.id), "run": str(run.pk), "sentence": sentence}
    text = f"{principal.email} asks for approval: {sentence}"
    tell(APPROVAL_ASKED, study, {**about, "by": principal.email}, text)


def share_create(
    *,
    principal: Principal,
    study: Study,
    run_id: UUID | None,
    with_inputs: bool,
    days: int,
    now: datetime | None = None,
) -> tuple[Share, str]:
    """Return a link to a run of a study, or to the latest one, and its secret, which is not kept.

    Raises
    ------
    NotFound
        When the study has no such run.
    ParamsError
        When there is nothing to show yet and the study's draft is not complete.
    """
    now = now or timezone.now()
    if run_id is None:
        run_study(study)
    elif not Run.objects.filter(job_id=run_id, study=study, model_id=PLAN).exists():
        raise NotFound(run_id)
    secret = code_new()
    share = Share.objects.create(
        study=study,
        run_id=run_id,
        with_inputs=with_inputs,
        token_hash=hash_of(secret),
        created_by=principal.email,
        expires_at=now + timedelta(days=days),
    )
    audit_record(principal, "share.create", target=study.title, detail={"days": days})
    return share, secret


def share_revoke(*, principal: Principal, share_id: UUID) -> None:
    """Make a link worthless from now on; twice is as good as once."""
    share = selectors.share_get(share_id)
    if share.revoked_at is None:
        share.revoked_at = timezone.now()
        share.save(update_fields=["revoked_at"])
        audit_record(principal, "share.revoke", target=share.study.title)


def share_opened(share: Share) -> None:
    """Note that somebody looked."""
    Share.objects.filter(id=share.id).update(last_opened_at=timezone.now())


def share_report(share: Share) -> Report:
    """Return the PDF of what a link shows; drawn once.

    Raises
    ------
    Forbidden
        When the link is without inputs, which stand in the report.
    """
    if not share.with_inputs:
        raise Forbidden("This link is without inputs, which the report lists. Ask for one with.")
    run = selectors.share_run(share)
    ended = {Job.State.FAILED, Job.State.CANCELLED}
    known = Report.objects.select_related("job").filter(
        study=share.study, format=Report.Format.PDF, inputs_hash=run.inputs_hash, with_runs=False
    )
    found = known.exclude(job__state__in=ended).order_by("-created_at").first()
    return found or report_create(
        study=share.study, file_format=Report.Format.PDF, paper=Report.Paper.A4, run=run
    )
