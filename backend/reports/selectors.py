"""Reads reports and their files, inside an entered workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.errors import Conflict, existing
from files.models import File
from files.selectors import file_of
from jobs.models import Job
from reports.models import Report

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

_HEAVY = ("document", "provenance", "comparison", "question")


def report_list(*, study_id: UUID | None = None) -> QuerySet[Report]:
    """Return the workspace's reports without what they were drawn from; one query."""
    reports = Report.objects.select_related("job").defer(*_HEAVY)
    return reports.filter(study_id=study_id) if study_id else reports


def report_get(report_id: UUID) -> Report:
    """Return one report with its job.

    Raises
    ------
    NotFound
        When the workspace has no such report.
    """
    return existing(report_list().filter(job_id=report_id).first())


def report_file(report: Report) -> File:
    """Return a report's file.

    Raises
    ------
    Conflict
        When there is none, or none yet.
    """
    file = file_of(report.pk, File.Kind.REPORT)
    if file is None:
        raise Conflict(_NO_FILE.get(report.job.state, "The report is not ready yet."))
    return file


_NO_FILE: dict[str, str] = {
    Job.State.FAILED: "The report failed, so there is no file.",
    Job.State.CANCELLED: "The report was cancelled, so there is no file.",
}
