"""Addresses of traces: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from accounts.services import audit_record
from common import outgoing
from common.api import WorkspaceAPIView
from common.errors import Invalid
from common.operations import operation, starts
from common.pagination import NEWEST_JOB
from files.apis import NAME, REQUEST, TITLE, UPLOAD, UploadListApi, received
from jobs.services import made_cancel, made_delete
from traces import selectors, serializers, services

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from rest_framework.request import Request


_FILTERS = {"kind": serializers.KINDS, "state": serializers.STATES}


class TraceListApi(UploadListApi):
    """The workspace's traces."""

    ordering = NEWEST_JOB

    @operation(
        "traces_list",
        gives=serializers.TraceOutputSerializer(many=True),
        parameters=[OpenApiParameter(name, str, enum=words) for name, words in _FILTERS.items()],
    )
    def get(self, request: Request) -> Any:
        """List traces, newest first."""
        given = {name: request.query_params.get(name) for name in _FILTERS}
        return selectors.trace_list(**given)

    @starts(
        "traces_create",
        takes=REQUEST,
        gives=serializers.TraceDetailSerializer,
        parameters=[NAME, TITLE, UPLOAD],
    )
    def post(self, request: Request) -> Any:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        sent = received(request)
        trace = services.trace_create(file=sent.file, file_name=sent.name, title=sent.title)
        audit_record(self.principal, "trace.create", target=trace.title)
        return trace


class _MeasuredApi(WorkspaceAPIView):
    def measured(
        self, said: Mapping[str, Any], source: dict[str, Any], secret: dict[str, str], name: str
    ) -> Any:
        """Have a worker read, and return the trace that will be."""
        span = {"start_s": _seconds(said["since"]), "end_s": _seconds(said["until"])}
        trace = services.trace_measure(
            source={**source, **span, "step_s": said["step_s"]},
            secret=secret,
            title=said["title"],
            name=name,
        )
        audit_record(self.principal, "trace.create", target=trace.title)
        return trace


class PrometheusApi(_MeasuredApi):
    """Measurements of a Prometheus server."""

    @starts(
        "traces_prometheus",
        takes=serializers.PrometheusInputSerializer,
        gives=serializers.TraceDetailSerializer,
    )
    def post(self, request: Request) -> Any:
        """Read a span of a query from a Prometheus server; it becomes a trace.

        A worker asks window by window. The server is one of the public internet, or one that the
        operator allows.
        """
        said = self.given()
        try:
            outgoing.require_sendable(said["address"], settings.READ_PRIVATE_HOSTS)
        except outgoing.NoAddress as exc:
            message = "Enter an address such as https://prometheus.example.org."
            raise Invalid.at("/address", message, "not_an_address") from exc
        except outgoing.Unsendable as exc:
            raise Invalid.at("/address", str(exc), "not_public") from exc
        source = {"origin": "prometheus", "address": said["address"], "query": said["query"]}
        secret = {name: said[name] for name in ("token", "user", "password")}
        return self.measured(said, source, secret, f"Prometheus, {said['query']}")


class CloudWatchApi(_MeasuredApi):
    """Measurements of CloudWatch."""

    @starts(
        "traces_cloudwatch",
        takes=serializers.CloudWatchInputSerializer,
        gives=serializers.TraceDetailSerializer,
    )
    def post(self, request: Request) -> Any:
        """Read a span of a metric from CloudWatch; it becomes a trace."""
        said = self.given()
        names = ("region", "namespace", "metric", "dimension")
        source = {"origin": "cloudwatch", **{name: said[name] for name in names}}
        secret = {name: said[name] for name in ("access_id", "secret", "token")}
        return self.measured(said, source, secret, f"CloudWatch, {said['metric']}")


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


class TraceFormatsApi(WorkspaceAPIView):
    """What files are taken."""

    @operation("traces_formats", gives=serializers.TraceFormatsSerializer)
    def get(self, request: Request) -> Any:
        """Return every format that traces are read from."""
        from capmodels.formats import registry

        return {"sentence": registry.accepted(), "formats": registry.formats()}


class TraceApi(WorkspaceAPIView):
    """One trace."""

    @operation("traces_get", gives=serializers.TraceDetailSerializer)
    def get(self, request: Request, trace_id: UUID) -> Any:
        """Return what is known of a trace, and the lines that could not be read."""
        return selectors.trace_get(trace_id)

    @operation(
        "traces_rename",
        takes=serializers.TraceRenameInputSerializer,
        gives=serializers.TraceDetailSerializer,
    )
    def patch(self, request: Request, trace_id: UUID) -> Any:
        """Give a trace another title."""
        return services.trace_rename(selectors.trace_get(trace_id), self.given()["title"])

    @operation("traces_delete")
    def delete(self, request: Request, trace_id: UUID) -> None:
        """Remove a trace. Results that were computed from it stay."""
        trace = selectors.trace_get(trace_id)
        audit_record(self.principal, "trace.delete", target=trace.title)
        made_delete(trace)


class TraceCancelApi(WorkspaceAPIView):
    """Stops the reading of a file."""

    @operation("traces_cancel", gives=serializers.TraceDetailSerializer)
    def post(self, request: Request, trace_id: UUID) -> Any:
        """Ask for the reading to stop."""
        return made_cancel(selectors.trace_get(trace_id))


class TraceChartsApi(WorkspaceAPIView):
    """What to draw of a trace."""

    @operation("traces_charts", gives=OpenApiTypes.OBJECT)
    def get(self, request: Request, trace_id: UUID) -> Any:
        """Return the series of the charts; 409 while there are none."""
        return Response(selectors.trace_charts(selectors.trace_get(trace_id)))


class TraceToldApi(WorkspaceAPIView):
    """What a trace tells."""

    @operation("traces_told", gives=OpenApiTypes.OBJECT)
    def get(self, request: Request, trace_id: UUID) -> Any:
        """Return headline, notes, tables and figures as data; 409 while there are none."""
        return Response(selectors.trace_told(selectors.trace_get(trace_id)))
