"""What of this service is away, for pages and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response

from common import health
from common.api import ApiView
from common.operations import operation

if TYPE_CHECKING:
    from rest_framework.request import Request


class AwayOutputSerializer(serializers.Serializer[Any]):
    """A part of the service that does not answer."""

    part = serializers.CharField(
        help_text="What does not answer: `database`, `evaluate` (instant answers), `broker`, or "
        "`worker-` and the queue that no worker takes."
    )
    message = serializers.CharField(help_text="What that means, in a sentence.")


class ServiceOutputSerializer(serializers.Serializer[Any]):
    """What does not answer at this moment."""

    away = AwayOutputSerializer(many=True, help_text="Nothing while all is well.")


class ServiceApi(ApiView):
    """What of this service is away: asked without signing in, which needs a database."""

    permission_classes = ()
    authentication_classes = ()

    @operation("service_look", gives=ServiceOutputSerializer)
    def get(self, request: Request) -> Response:
        """Say which parts do not answer; it is looked up once a second."""
        return Response({"away": health.WATCH.away()})
