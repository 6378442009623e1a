"""Addresses of approvals and links, and of what a link shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.response import Response

from accounts.services import audit_record
from common.api import WorkspaceAPIView
from common.download import FileView
from common.operations import creates, operation, starts
from common.renderers import dumps
from common.serializers import StrictSerializer, shown_once
from reports.apis import report_download
from reports.serializers import ReportOutputSerializer
from runs import drawing
from runs.selectors import result_json
from runs.serializers import DRAWN, RESULT, SUMMARY, RunOutputSerializer
from sharing import selectors, services
from sharing.authentication import LinkAuthentication
from studies.selectors import study_get
from studies.serializers import DocumentField

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

DAYS_MOST = 366
# What tells the inputs of a result: left out where a link is without them.
_TELLS_INPUTS = ("tornado", "flips", "quantities")


class ApprovalInputSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120)
    sentence = serializers.CharField(max_length=500, help_text="Why, or for what.")


class ApprovalOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    sentence = serializers.CharField()
    approved_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    run = RunOutputSerializer()


class ApprovalListApi(WorkspaceAPIView):
    """What was approved of a study."""

    @operation("approvals_list", gives=ApprovalOutputSerializer(many=True))
    def get(self, request: Request, study_id: UUID) -> Any:
        """List the approved versions, the latest first."""
        return selectors.approval_list(study_get(study_id).id)

    @creates(
        "approvals_create",
        takes=ApprovalInputSerializer,
        gives=ApprovalOutputSerializer,
        may="manage",
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Freeze the study as it is saved now; 422 with every fault when it is incomplete."""
        study = study_get(study_id)
        return services.approve(principal=self.principal, study=study, **self.given())


class ApprovalAskSerializer(StrictSerializer):
    sentence = serializers.CharField(max_length=500)


class ApprovalAskApi(WorkspaceAPIView):
    """Asking for an approval."""

    @operation("approvals_ask", takes=ApprovalAskSerializer)
    def post(self, request: Request, study_id: UUID) -> None:
        """Tell webhooks, and owners who chose that mail; 422 when the study is incomplete."""
        study = study_get(study_id)
        services.approval_ask(principal=self.principal, study=study, **self.given())


class ShareInputSerializer(StrictSerializer):
    run = serializers.UUIDField(
        required=False, allow_null=True, help_text="One stored run; left out: always the latest."
    )
    with_inputs = serializers.BooleanField(default=False)
    days = serializers.IntegerField(min_value=1, max_value=DAYS_MOST, default=30)


class ShareOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    run = serializers.UUIDField(source="run_id", allow_null=True)
    with_inputs = serializers.BooleanField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_opened_at = serializers.DateTimeField(allow_null=True)


class ShareCreatedSerializer(ShareOutputSerializer):
    link = shown_once("The link")


class ShareListApi(WorkspaceAPIView):
    """The links to a study."""

    secret_fields = ("link",)

    @operation("shares_list", gives=ShareOutputSerializer(many=True))
    def get(self, request: Request, study_id: UUID) -> Any:
        """List the links that are open, the latest first."""
        return selectors.share_list(study_get(study_id).id)

    @creates("shares_create", takes=ShareInputSerializer, gives=ShareCreatedSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Make a link: the answer is the only place where it can be read."""
        study = study_get(study_id)
        given = self.given()
        share, secret = services.share_create(
            principal=self.principal,
            study=study,
            run_id=given.get("run"),
            with_inputs=given["with_inputs"],
            days=given["days"],
        )
        link = f"{settings.WEB_URL}/shared#{secret}"
        return Response({**ShareOutputSerializer(share).data, "link": link}, status=201)


class ShareApi(WorkspaceAPIView):
    """One link."""

    @operation("shares_revoke")
    def delete(self, request: Request, share_id: UUID) -> None:
        """Revoke the link: it opens nothing from now on."""
        services.share_revoke(principal=self.principal, share_id=share_id)


class SharedOutputSerializer(serializers.Serializer[Any]):
    """What a link shows."""

    title = serializers.CharField()
    question = serializers.CharField()
    workspace_name = serializers.CharField()
    shared_by = serializers.CharField()
    expires_at = serializers.DateTimeField()
    with_inputs = serializers.BooleanField()
    run = RunOutputSerializer()
    approved_as = serializers.CharField(allow_null=True, help_text="The name of its approval.")
    document = DocumentField(
        of="StudySpec", allow_null=True, help_text="The inputs; null where left out."
    )
    summary = DocumentField(of="Summary", required=False, help_text=SUMMARY)
    result = DocumentField(of="ModelResult", required=False, help_text=RESULT)
    drawn = DocumentField(of="Drawn", required=False, help_text=DRAWN)


class LinkView(WorkspaceAPIView):
    """The base of what a link shows: it alone lets in."""

    authentication_classes = (LinkAuthentication,)
    may = "shared"


class SharedApi(LinkView):
    """What a link shows."""

    @operation("shared_get", gives=SharedOutputSerializer, parameters=drawing.PARAMETERS)
    def get(self, request: Request) -> Any:
        """Return the comparison that is shared; 409 while it is being computed."""
        asked = drawing.Asked.of(request)
        share = selectors.share_get(self.principal.user_id)
        run = selectors.share_run(share)
        result = result_json(run)
        if not share.with_inputs:
            told = orjson.loads(result)
            result = dumps(told | {name: [] for name in _TELLS_INPUTS if name in told})
        services.share_opened(share)
        approval = run.approvals.first()
        return Response(
            {
                "title": share.study.title,
                "question": share.study.question,
                "workspace_name": self.principal.workspace_name,
                "shared_by": share.created_by,
                "expires_at": share.expires_at,
                "with_inputs": share.with_inputs,
                "run": RunOutputSerializer(run).data,
                "approved_as": approval.name if approval else None,
                "document": run.params if share.with_inputs else None,
                **drawing.told(run.model_id, result, asked),
            }
        )


class SharedReportApi(LinkView):
    """The PDF of what a link shows."""

    @starts("shared_report", gives=ReportOutputSerializer)
    def post(self, request: Request) -> Any:
        """Have the PDF drawn, or say how far it is; ask until its state is ``succeeded``."""
        share = selectors.share_get(self.principal.user_id)
        report = services.share_report(share)
        audit_record("", "share.report", target=report.file_name)
        return report


class SharedReportFileApi(LinkView, FileView):
    """The file."""

    @operation("shared_report_file", gives={(200, "application/pdf"): OpenApiTypes.BINARY})
    def get(self, request: Request) -> HttpResponseBase:
        """Return the PDF; 409 while there is none."""
        share = selectors.share_get(self.principal.user_id)
        return report_download(services.share_report(share))
