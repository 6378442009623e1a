"""Addresses of reports: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts.services import audit_record
from common.api import WorkspaceAPIView
from common.errors import Invalid
from common.pagination import KeysetPagination
from files.selectors import file_address, file_opened
from reports import selectors, serializers, services
from runs.selectors import run_get
from studies.apis import AnyAccept
from studies.selectors import study_get
from studies.serializers import validated

if TYPE_CHECKING:
    from rest_framework.request import Request

    from common.principal import Principal

_MEDIA = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}


class ReportPagination(KeysetPagination):
    """Reports, newest first."""

    ordering = ("-created_at", "-job_id")


class ReportListApi(WorkspaceAPIView, ListAPIView[Any]):
    """The workspace's reports."""

    permissions = {"POST": "report"}  # noqa: RUF012 -- as the base declares it
    query = {"GET": ("study",)}  # noqa: RUF012 -- as above
    serializer_class = serializers.ReportOutputSerializer
    pagination_class = ReportPagination
    filter_backends = ()

    def get_queryset(self) -> Any:
        """Return the reports that the query asks for."""
        if getattr(self, "swagger_fake_view", False):
            return None
        study = self.request.query_params.get("study")
        return selectors.report_list(study_id=_uuid(study) if study else None)

    @extend_schema(
        operation_id="reports_list", parameters=[OpenApiParameter("study", OpenApiTypes.UUID)]
    )
    def get(self, request: Request) -> Response:
        """List reports, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="reports_create",
        request=serializers.ReportCreateInputSerializer,
        responses={202: serializers.ReportOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have a study drawn from its saved version, or a run of any model from its stored result.

        422 with every error when the study is incomplete, 409 when the run has no result.
        """
        given = validated(serializers.ReportCreateInputSerializer(data=request.data))
        if ("study" in given) == ("run" in given):
            raise Invalid.at("/study", "Enter either a study or a run.", "one_of_two")
        if "run" in given:
            if given["format"] != "pdf":
                sentence = "A run's report is a PDF; its values are its CSV and JSON."
                raise Invalid.at("/format", sentence, "not_a_choice")
            report = services.run_report_create(run=run_get(given["run"]), paper=given["paper"])
        else:
            report = services.report_create(
                study=study_get(given["study"]), file_format=given["format"], paper=given["paper"]
            )
        audit_record(cast("Principal", request.auth), "report.create", target=report.file_name)
        return Response(serializers.ReportOutputSerializer(report).data, status=202)


class ReportApi(WorkspaceAPIView):
    """One report."""

    @extend_schema(operation_id="reports_get", responses=serializers.ReportOutputSerializer)
    def get(self, request: Request, report_id: UUID) -> Response:
        """Return the report's state and which result it shows."""
        report = selectors.report_get(report_id)
        return Response(serializers.ReportOutputSerializer(report).data)

    @extend_schema(operation_id="reports_delete", responses={204: None})
    def delete(self, request: Request, report_id: UUID) -> Response:
        """Remove a report with its file."""
        report = selectors.report_get(report_id)
        services.report_delete(report.pk)
        audit_record(self.principal, "report.delete", target=report.file_name)
        return Response(status=204)


class ReportFileApi(WorkspaceAPIView):
    """A report's file."""

    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="reports_file",
        responses={
            (200, media.partition(";")[0]): OpenApiTypes.BINARY for media in _MEDIA.values()
        },
    )
    def get(self, request: Request, report_id: UUID) -> HttpResponse:
        """Return the file, or lead to where it is kept (302); 409 while there is none."""
        report = selectors.report_get(report_id)
        kept = selectors.report_file(report)
        media = _MEDIA[report.format]
        if address := file_address(kept, name=report.file_name, media=media):
            # Signed for a few minutes: nobody is to keep it.
            return HttpResponseRedirect(address, headers={"Cache-Control": "no-store"})
        headers = {
            "Content-Disposition": f'attachment; filename="{report.file_name}"',
            # A report never changes once it is drawn.
            "Cache-Control": "private, max-age=31536000, immutable",
            "ETag": f'"{report.sha256}"',
        }
        with file_opened(kept) as file:
            return HttpResponse(file.read(), content_type=media, headers=headers)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as exc:
        raise Invalid.at("/study", "Enter an id.") from exc
