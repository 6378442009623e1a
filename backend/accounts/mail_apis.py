"""Signing up, a forgotten password, mailed links, one's address, and mail that was not sent out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.response import Response

from accounts import events, mail, mailed, services
from accounts.apis import SessionOutputSerializer, signed_in
from accounts.devices import device_of
from accounts.models import MailedLink
from common.api import ApiView, WorkspaceAPIView
from common.http import client_address
from common.operations import operation, starts
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request


class DoorOutputSerializer(serializers.Serializer[Any]):
    sign_up = serializers.ChoiceField(
        choices=("invitation", "open", "closed"), help_text="Who may make an account."
    )
    mail = serializers.BooleanField(help_text="Whether this service sends mail.")
    openid = serializers.CharField(
        allow_null=True, help_text="The name of the sign-in provider, where there is one."
    )
    saml = serializers.CharField(
        allow_null=True, help_text="The name of the identity provider (SAML), where there is one."
    )


class AddressInputSerializer(StrictSerializer):
    email = serializers.EmailField(max_length=254)


class _OpenApi(ApiView):
    permission_classes = ()
    authentication_classes = ()

    def _address(self, request: Request) -> dict[str, Any]:
        return {**self.given(), "address": client_address(request._request)}


class SignUpApi(_OpenApi):
    """Making an account."""

    @operation("sign_up_look", gives=DoorOutputSerializer)
    def get(self, request: Request) -> Any:
        """Say who may make an account here, and whether there is mail."""
        openid = settings.OPENID["name"] if settings.OPENID else None
        saml = settings.SAML["name"] if settings.SAML else None
        return Response(
            {"sign_up": settings.SIGN_UP, "mail": mail.is_on(), "openid": openid, "saml": saml}
        )

    @starts("sign_up", takes=AddressInputSerializer)
    def post(self, request: Request) -> None:
        """Mail a link that makes an account, where everybody may make one."""
        mailed.sign_up_ask(**self._address(request))


class ForgottenApi(_OpenApi):
    """A password that was forgotten."""

    @starts("password_forgotten", takes=AddressInputSerializer)
    def post(self, request: Request) -> None:
        """Mail a link that sets a new password; the same answer for an unknown address."""
        mailed.reset_ask(**self._address(request))


class MailedLookInputSerializer(StrictSerializer):
    token = serializers.CharField(max_length=100, help_text="What stands after # in the link.")


class MailedLookOutputSerializer(serializers.Serializer[Any]):
    purpose = serializers.ChoiceField(choices=MailedLink.Purpose.choices)
    email = serializers.CharField()
    expires_at = serializers.DateTimeField()
    needs_code = serializers.BooleanField(help_text="Whether a one-time code is asked for.")


class MailedLookApi(_OpenApi):
    """What a mailed link is for."""

    @operation("mailed_look", takes=MailedLookInputSerializer, gives=MailedLookOutputSerializer)
    def post(self, request: Request) -> Any:
        """Say what a mailed link does, for whom; 404 when it is no longer open."""
        found = mailed.link_get(self.given()["token"])
        return {
            "purpose": found.purpose,
            "email": found.email,
            "expires_at": found.expires_at,
            "needs_code": mailed.needs_code(found),
        }


class MailedInputSerializer(MailedLookInputSerializer):
    """With the password that is chosen, but for a link that confirms an address."""

    password = serializers.CharField(required=False, max_length=200, trim_whitespace=False)
    otp = serializers.CharField(required=False, max_length=services.CODE_MAX)


class MailedApi(_OpenApi):
    """Using a mailed link."""

    @operation("mailed", takes=MailedInputSerializer, gives=SessionOutputSerializer)
    def post(self, request: Request) -> Any:
        """Make the account, set the password, or confirm the address; and sign in."""
        given = self.given()
        account = mailed.link_use(
            secret=given["token"],
            password=given.get("password"),
            otp=given.get("otp", ""),
            address=client_address(request._request),
            device=device_of(request._request),
        )
        return signed_in(request, account, by_code="otp" in given)


class EmailOutputSerializer(serializers.Serializer[Any]):
    email = serializers.CharField()
    verified_at = serializers.DateTimeField(
        allow_null=True, help_text="When a link that was mailed there was opened."
    )
    mail = serializers.BooleanField(help_text="Whether a link can be mailed.")
    sees_mail = serializers.BooleanField(help_text="Whether one sees mail that was not sent out.")


class EmailApi(WorkspaceAPIView):
    """One's own address."""

    may = "self"

    @operation("email_retrieve", gives=EmailOutputSerializer)
    def get(self, request: Request) -> Any:
        """Say whether one's address is confirmed."""
        principal = self.principal
        verified_at = mailed.verified_at(principal)
        return {
            "email": principal.email,
            "verified_at": verified_at,
            "mail": mail.is_on(),
            "sees_mail": mailed.sees_messages(principal),
        }

    @starts("email_verify")
    def post(self, request: Request) -> None:
        """Mail a link that confirms one's address."""
        address = client_address(request._request)
        mailed.verify_ask(principal=self.principal, address=address)


class MailedEventsSerializer(StrictSerializer):
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=events.EVENTS), max_length=len(events.EVENTS)
    )
    break_even_months = serializers.FloatField(
        min_value=0.0,
        max_value=1200.0,
        required=False,
        help_text="A break-even that moves by more is told.",
    )


class MailedEventsApi(WorkspaceAPIView):
    """Events of the workspace that one is mailed."""

    may = "self"

    @operation("mailed_events_get", gives=MailedEventsSerializer)
    def get(self, request: Request) -> Any:
        """Say which events one is mailed: none unless one has chosen."""
        return Response(events.mailed_events(self.principal))

    @operation("mailed_events_put", takes=MailedEventsSerializer, gives=MailedEventsSerializer)
    def put(self, request: Request) -> Any:
        """Choose the events that one is mailed; an empty list ends it."""
        chosen = events.mailed_events_choose(principal=self.principal, **self.given())
        return Response(chosen)


class MessageSerializer(serializers.Serializer[Any]):
    to = serializers.CharField()
    subject = serializers.CharField()
    sent_at = serializers.DateTimeField()
    body = serializers.CharField()


class MessageListApi(ApiView):
    """Mail of a service without a server for it."""

    @operation("mail_list", gives=MessageSerializer(many=True), may="self")
    def get(self, request: Request) -> Any:
        """List the messages that were not sent out, newest first, to who runs the service."""
        return mailed.messages_shown(self.principal)
