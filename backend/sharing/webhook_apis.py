"""Addresses of webhooks and their deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from accounts.events import EVENTS
from common.api import ListApi, WorkspaceAPIView
from common.operations import creates, operation, starts
from common.serializers import StrictSerializer, shown_once
from sharing import selectors, webhooks

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
    secret = shown_once("Signs what is sent")


class WebhookListApi(WorkspaceAPIView):
    """The programs that are told of events."""

    may = "automate"
    secret_fields = ("secret",)

    @operation("webhooks_list", gives=WebhookOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the webhooks, the first ones first."""
        return selectors.webhook_list()

    @creates("webhooks_create", takes=WebhookInputSerializer, gives=WebhookCreatedSerializer)
    def post(self, request: Request) -> Any:
        """Tell a program from now on: the answer is the only place where its secret can be read."""
        return webhooks.webhook_create(principal=self.principal, **self.given())


class WebhookApi(WorkspaceAPIView):
    """One webhook."""

    @operation("webhooks_delete", may="automate")
    def delete(self, request: Request, webhook_id: UUID) -> None:
        """Tell the program nothing more."""
        webhooks.webhook_delete(principal=self.principal, webhook_id=webhook_id)


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


class DeliveryListApi(ListApi):
    """What a webhook was told."""

    @operation("webhooks_deliveries", gives=DeliveryOutputSerializer(many=True), may="automate")
    def get(self, request: Request, webhook_id: UUID) -> Any:
        """List the events with what the program answered, newest first."""
        return selectors.delivery_list(webhooks.webhook_get(webhook_id))


class DeliveryAgainApi(WorkspaceAPIView):
    """An event once more."""

    @starts("webhooks_again", gives=DeliveryOutputSerializer, may="automate")
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Any:
        """Send an event again that was taken or given up; 409 while it is being tried still."""
        return webhooks.send_again(
            principal=self.principal, webhook_id=webhook_id, delivery_id=delivery_id
        )
