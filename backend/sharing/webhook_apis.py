"""Addresses of webhooks and their deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts.events import EVENTS
from common.api import WorkspaceAPIView
from sharing import selectors, webhooks
from studies.serializers import StrictSerializer, validated

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class WebhookInputSerializer(StrictSerializer):
    url = serializers.CharField(max_length=500)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=EVENTS),
        required=False,
        min_length=1,
        max_length=len(EVENTS),
        help_text="Left out: all.",
    )
    break_even_months = serializers.FloatField(
        min_value=0.0,
        max_value=1200.0,
        default=3.0,
        help_text="A break-even that moves by more is told.",
    )


class WebhookOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    break_even_months = serializers.FloatField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class WebhookCreatedSerializer(WebhookOutputSerializer):
    secret = serializers.CharField(help_text="Signs what is sent; it is shown this once.")


class WebhookListApi(WorkspaceAPIView):
    """The programs that are told of events."""

    permissions = {"GET": "manage", "POST": "manage"}  # noqa: RUF012 -- as the base declares it
    secret_fields = ("secret",)

    @extend_schema(operation_id="webhooks_list", responses=WebhookOutputSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the webhooks, the first ones first."""
        return Response(WebhookOutputSerializer(selectors.webhook_list(), many=True).data)

    @extend_schema(
        operation_id="webhooks_create",
        request=WebhookInputSerializer,
        responses={201: WebhookCreatedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Tell a program from now on: the answer is the only place where its secret can be read."""
        given = validated(WebhookInputSerializer(data=request.data))
        webhook = webhooks.webhook_create(principal=self.principal, **given)
        return Response(WebhookCreatedSerializer(webhook).data, status=201)


class WebhookApi(WorkspaceAPIView):
    """One webhook."""

    permissions = {"DELETE": "manage"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="webhooks_delete", request=None, responses={204: None})
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Tell the program nothing more."""
        webhooks.webhook_delete(principal=self.principal, webhook_id=webhook_id)
        return Response(status=204)


class DeliveryOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The event's id, the same at every try.")
    event = serializers.CharField()
    study = serializers.UUIDField(source="study_id", allow_null=True)
    created_at = serializers.DateTimeField()
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the last answer.")
    answer = serializers.CharField(help_text="Its beginning, or why there was none.")
    delivered = serializers.BooleanField()
    ended_at = serializers.DateTimeField(allow_null=True)


class DeliveryListApi(WorkspaceAPIView, ListAPIView[Any]):
    """What a webhook was told."""

    permissions = {"GET": "manage"}  # noqa: RUF012 -- as the base declares it
    serializer_class = DeliveryOutputSerializer
    filter_backends = ()

    def get_queryset(self) -> Any:
        """Return the deliveries, newest first."""
        if getattr(self, "swagger_fake_view", False):
            return None
        return selectors.delivery_list(webhooks.webhook_get(self.kwargs["webhook_id"]))

    @extend_schema(operation_id="webhooks_deliveries")
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """List the events with what the program answered, newest first."""
        return self.list(request)


class DeliveryAgainApi(WorkspaceAPIView):
    """An event once more."""

    permissions = {"POST": "manage"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(
        operation_id="webhooks_again", request=None, responses={202: DeliveryOutputSerializer}
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send an event again that was taken or given up; 409 while it is being tried still."""
        delivery = webhooks.send_again(
            principal=self.principal, webhook_id=webhook_id, delivery_id=delivery_id
        )
        return Response(DeliveryOutputSerializer(delivery).data, status=202)
