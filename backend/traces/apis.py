"""Addresses of traces: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from accounts.services import audit_record
from common import outgoing
from common.api import WorkspaceAPIView
from common.errors import Invalid
from common.pagination import KeysetPagination
from files.apis import NAME, REQUEST, TITLE, UPLOAD, UploadListApi, received
from traces import selectors, serializers, services

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from rest_framework.request import Request

_FILTERS = {"kind": "block", "state": "succeeded"}


class TracePagination(KeysetPagination):
    """Traces, newest first."""

    ordering = ("-created_at", "-job_id")


class TraceListApi(UploadListApi):
    """The workspace's traces."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **UploadListApi.query,
        "GET": tuple(_FILTERS),
    }
    serializer_class = serializers.TraceOutputSerializer
    pagination_class = TracePagination

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
        parameters=[NAME, TITLE, UPLOAD],
        request=REQUEST,
        responses={202: serializers.TraceDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        sent = received(request)
        trace = services.trace_create(file=sent.file, file_name=sent.name, title=sent.title)
        audit_record(self.principal, "trace.create", target=trace.title)
        return Response(serializers.TraceDetailSerializer(trace).data, status=202)


class PrometheusApi(WorkspaceAPIView):
    """Measurements of a Prometheus server."""

    @extend_schema(
        operation_id="traces_prometheus",
        request=serializers.PrometheusInputSerializer,
        responses={202: serializers.TraceDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Read a span of a query from a Prometheus server; it becomes a trace.

        A worker asks window by window. The server is one of the public internet, or one that the
        operator allows.
        """
        given = serializers.PrometheusInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        said = given.validated_data
        try:
            outgoing.target_of(said["address"])
        except outgoing.Unsendable as exc:
            message = "Enter an address such as https://prometheus.example.org."
            raise Invalid.at("/address", message, "not_an_address") from exc
        source = {"origin": "prometheus", "address": said["address"], "query": said["query"]}
        secret = {name: said[name] for name in ("token", "user", "password")}
        return _measured(self, said, source, secret, f"Prometheus, {said['query']}")


class CloudWatchApi(WorkspaceAPIView):
    """Measurements of CloudWatch."""

    @extend_schema(
        operation_id="traces_cloudwatch",
        request=serializers.CloudWatchInputSerializer,
        responses={202: serializers.TraceDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Read a span of a metric from CloudWatch; it becomes a trace."""
        given = serializers.CloudWatchInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        said = given.validated_data
        names = ("region", "namespace", "metric", "dimension")
        source = {"origin": "cloudwatch", **{name: said[name] for name in names}}
        secret = {name: said[name] for name in ("access_id", "secret", "token")}
        return _measured(self, said, source, secret, f"CloudWatch, {said['metric']}")


def _measured(
    view: WorkspaceAPIView,
    said: Mapping[str, Any],
    source: dict[str, Any],
    secret: dict[str, str],
    name: str,
) -> Response:
    """Have a worker read, and answer with the trace that will be."""
    span = {"start_s": _seconds(said["since"]), "end_s": _seconds(said["until"])}
    trace = services.trace_measure(
        source={**source, **span, "step_s": said["step_s"]},
        secret=secret,
        title=said["title"],
        name=name,
    )
    audit_record(view.principal, "trace.create", target=trace.title)
    return Response(serializers.TraceDetailSerializer(trace).data, status=202)


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


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


class TraceToldApi(WorkspaceAPIView):
    """What a trace tells."""

    @extend_schema(operation_id="traces_told", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, trace_id: UUID) -> Response:
        """Return headline, notes, tables and figures as data; 409 while there are none."""
        return Response(selectors.trace_told(selectors.trace_get(trace_id)))
