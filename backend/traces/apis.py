"""Addresses of traces: each view translates, a service decides."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, ClassVar, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from accounts.services import audit_record
from common.api import WorkspaceAPIView
from common.errors import Invalid
from common.pagination import KeysetPagination
from traces import selectors, serializers, services
from traces.parsers import RawParser, RawUpload, require_size, sha256_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

_FILTERS = {"kind": "block", "state": "succeeded"}


class TracePagination(KeysetPagination):
    """Traces, newest first."""

    ordering = ("-created_at", "-job_id")


class TraceListApi(WorkspaceAPIView, ListAPIView[Any]):
    """The workspace's traces."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "GET": tuple(_FILTERS),
        "POST": ("name", "title"),
    }
    serializer_class = serializers.TraceOutputSerializer
    pagination_class = TracePagination
    filter_backends = ()
    parser_classes = (MultiPartParser, RawParser)
    is_upload = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Take an upload in before any transaction begins: it may take minutes."""
        if request.method == "POST":
            require_size(request)
        super().initial(request, *args, **kwargs)
        if request.method == "POST":
            file, _, _ = _upload(request)
            if "Idempotency-Key" in request.headers:
                request.body_sha256 = sha256_of(file)  # type: ignore[attr-defined]  # for answer_once

    def get_queryset(self) -> Any:
        """Return the traces that the query asks for."""
        if getattr(self, "swagger_fake_view", False):
            return None
        given = {name: self.request.query_params.get(name) for name in _FILTERS}
        return selectors.trace_list(**given)

    @extend_schema(
        operation_id="traces_list",
        parameters=[OpenApiParameter(name, OpenApiTypes.STR) for name in _FILTERS],
    )
    def get(self, request: Request) -> Response:
        """List traces, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="traces_create",
        parameters=[
            OpenApiParameter(
                "name", OpenApiTypes.STR, description="The file's name, for a raw body."
            ),
            OpenApiParameter("title", OpenApiTypes.STR, description="For a raw body."),
        ],
        request={
            "application/octet-stream": OpenApiTypes.BINARY,
            "multipart/form-data": serializers.TraceUploadInputSerializer,
        },
        responses={202: serializers.TraceDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        file, name, title = _upload(request)
        trace = services.trace_create(file=file, file_name=name, title=title)
        audit_record(self.principal, "trace.create", target=trace.title)
        return Response(serializers.TraceDetailSerializer(trace).data, status=202)


def _upload(request: Request) -> tuple[IO[bytes], str, str]:
    """Return file, its name and the wanted title."""
    given = request.data
    if isinstance(given, RawUpload):
        query = request.query_params
        name, title = query.get("name", "trace"), query.get("title", "")
        file = given.file
    else:
        form = serializers.TraceUploadInputSerializer(data=given)
        form.is_valid(raise_exception=True)
        uploaded = form.validated_data["file"]
        name, title = uploaded.name, form.validated_data.get("title", "")
        file = cast("IO[bytes]", uploaded)
    if "\0" in name + title:
        raise Invalid.at("/title", "The name holds the NUL character; remove it.")
    return file, name, title


class TraceFormatsApi(WorkspaceAPIView):
    """What files are taken."""

    @extend_schema(operation_id="traces_formats", responses=serializers.TraceFormatsSerializer)
    def get(self, request: Request) -> Response:
        """Return every format that traces are read from."""
        from capmodels.formats import registry

        known = {"sentence": registry.accepted(), "formats": registry.formats()}
        return Response(serializers.TraceFormatsSerializer(known).data)


class TraceApi(WorkspaceAPIView):
    """One trace."""

    @extend_schema(operation_id="traces_get", responses=serializers.TraceDetailSerializer)
    def get(self, request: Request, trace_id: UUID) -> Response:
        """Return what is known of a trace, and the lines that could not be read."""
        trace = selectors.trace_get(trace_id)
        return Response(serializers.TraceDetailSerializer(trace).data)

    @extend_schema(
        operation_id="traces_rename",
        request=serializers.TraceRenameInputSerializer,
        responses=serializers.TraceDetailSerializer,
    )
    def patch(self, request: Request, trace_id: UUID) -> Response:
        """Give a trace another title."""
        trace = selectors.trace_get(trace_id)
        given = serializers.TraceRenameInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        trace = services.trace_rename(trace, given.validated_data["title"])
        return Response(serializers.TraceDetailSerializer(trace).data)

    @extend_schema(operation_id="traces_delete", responses={204: None})
    def delete(self, request: Request, trace_id: UUID) -> Response:
        """Remove a trace. Results that were computed from it stay."""
        trace = selectors.trace_get(trace_id)
        audit_record(self.principal, "trace.delete", target=trace.title)
        services.trace_delete(trace)
        return Response(status=204)


class TraceCancelApi(WorkspaceAPIView):
    """Stops the reading of a file."""

    @extend_schema(
        operation_id="traces_cancel", request=None, responses=serializers.TraceDetailSerializer
    )
    def post(self, request: Request, trace_id: UUID) -> Response:
        """Ask for the reading to stop."""
        trace = services.trace_cancel(selectors.trace_get(trace_id))
        return Response(serializers.TraceDetailSerializer(trace).data)


class TraceChartsApi(WorkspaceAPIView):
    """What to draw of a trace."""

    @extend_schema(operation_id="traces_charts", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, trace_id: UUID) -> Response:
        """Return the series of the charts; 409 while there are none."""
        return Response(selectors.trace_charts(selectors.trace_get(trace_id)))
