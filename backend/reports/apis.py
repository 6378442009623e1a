"""Addresses of reports: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from accounts.services import audit_record
from common.api import ListApi, WorkspaceAPIView
from common.asked import asked_id_if_any
from common.download import CSV, XLSX, FileView, download
from common.errors import Invalid
from common.operations import operation, starts
from common.pagination import NEWEST_JOB
from files.apis import redirect_to
from files.selectors import file_opened
from reports import selectors, serializers, services
from runs.selectors import run_get
from studies.selectors import study_get

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request


_MEDIA = {
    "pdf": "application/pdf",
    "xlsx": XLSX,
    "csv": CSV,
}


class ReportListApi(ListApi):
    """The workspace's reports."""

    ordering = NEWEST_JOB

    @operation(
        "reports_list",
        gives=serializers.ReportOutputSerializer(many=True),
        parameters=[OpenApiParameter("study", OpenApiTypes.UUID)],
    )
    def get(self, request: Request) -> Any:
        """List reports, newest first."""
        return selectors.report_list(study_id=asked_id_if_any(request.query_params, "study"))

    @starts(
        "reports_create",
        takes=serializers.ReportCreateInputSerializer,
        gives=serializers.ReportOutputSerializer,
        may="report",
    )
    def post(self, request: Request) -> Any:
        """Have a study drawn from its saved version, or a run of any model from its stored result.

        422 with every error when the study is incomplete, 409 when the run has no result.
        """
        given = self.given()
        if ("study" in given) == ("run" in given):
            raise Invalid.at("/study", "Enter either a study or a run.", "one_of_two")
        if "run" in given:
            if given["format"] != "pdf":
                sentence = "A run's report is a PDF; its values are its CSV and JSON."
                raise Invalid.at("/format", sentence, "not_a_choice")
            report = services.run_report_create(run=run_get(given["run"]), paper=given["paper"])
        else:
            report = services.report_create(
                study=study_get(given["study"]),
                file_format=given["format"],
                paper=given["paper"],
                appendix=given["appendix"],
            )
        audit_record(self.principal, "report.create", target=report.file_name)
        return report


class ReportApi(WorkspaceAPIView):
    """One report."""

    @operation("reports_get", gives=serializers.ReportOutputSerializer)
    def get(self, request: Request, report_id: UUID) -> Any:
        """Return the report's state and which result it shows."""
        return selectors.report_get(report_id)

    @operation("reports_delete")
    def delete(self, request: Request, report_id: UUID) -> None:
        """Remove a report with its file."""
        report = selectors.report_get(report_id)
        services.report_delete(report.pk)
        audit_record(self.principal, "report.delete", target=report.file_name)


class ReportFileApi(FileView):
    """A report's file."""

    @operation(
        "reports_file",
        gives={
            (200, media.partition(";")[0]): str
            if media.startswith("text/")
            else OpenApiTypes.BINARY
            for media in _MEDIA.values()
        },
    )
    def get(self, request: Request, report_id: UUID) -> HttpResponseBase:
        """Return the file, or lead to where it is kept (302); 409 while there is none."""
        return report_download(selectors.report_get(report_id))


def report_download(report: Any) -> HttpResponseBase:
    """Answer with a report's file, or the way to where it is kept; raise Conflict without one."""
    kept = selectors.report_file(report)
    media = _MEDIA[report.format]
    if elsewhere := redirect_to(kept, name=report.file_name, media=media):
        return elsewhere
    # A report never changes once it is drawn.
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "ETag": f'"{report.sha256}"',
    }
    with file_opened(kept) as file:
        return download(file.read(), report.file_name, media, **headers)
