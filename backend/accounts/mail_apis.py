"""Signing up, a forgotten password, mailed links, one's address, and mail that was not sent out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.middleware.csrf import rotate_token
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, events, mail, mailed
from accounts.apis import SessionOutputSerializer, session_output
from accounts.devices import device_of, device_remember
from accounts.models import MailedLink
from common.api import ApiView, WorkspaceAPIView
from common.http import client_address

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


class AddressInputSerializer(serializers.Serializer[Any]):
    email = serializers.EmailField(max_length=254)


class _OpenApi(ApiView):
    permission_classes = ()
    authentication_classes = ()

    def _address(self, request: Request) -> dict[str, Any]:
        serializer = AddressInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return {
            "email": serializer.validated_data["email"],
            "address": client_address(request._request),
        }


class SignUpApi(_OpenApi):
    """Making an account."""

    @extend_schema(operation_id="sign_up_look", responses=DoorOutputSerializer)
    def get(self, _request: Request) -> Response:
        """Say who may make an account here, and whether there is mail."""
        openid = settings.OPENID["name"] if settings.OPENID else None
        return Response({"sign_up": settings.SIGN_UP, "mail": mail.is_on(), "openid": openid})

    @extend_schema(operation_id="sign_up", request=AddressInputSerializer, responses={202: None})
    def post(self, request: Request) -> Response:
        """Mail a link that makes an account, where everybody may make one."""
        mailed.sign_up_ask(**self._address(request))
        return Response(status=202)


class ForgottenApi(_OpenApi):
    """A password that was forgotten."""

    @extend_schema(
        operation_id="password_forgotten", request=AddressInputSerializer, responses={202: None}
    )
    def post(self, request: Request) -> Response:
        """Mail a link that sets a new password; the same answer for an unknown address."""
        mailed.reset_ask(**self._address(request))
        return Response(status=202)


class MailedLookInputSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(max_length=100, help_text="What stands after # in the link.")


class MailedLookOutputSerializer(serializers.Serializer[Any]):
    purpose = serializers.ChoiceField(choices=MailedLink.Purpose.choices)
    email = serializers.CharField()
    expires_at = serializers.DateTimeField()
    needs_code = serializers.BooleanField(help_text="Whether a one-time code is asked for.")


class MailedLookApi(_OpenApi):
    """What a mailed link is for."""

    @extend_schema(
        operation_id="mailed_look",
        request=MailedLookInputSerializer,
        responses=MailedLookOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Say what a mailed link does, for whom; 404 when it is no longer open."""
        serializer = MailedLookInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        found = mailed.link_get(serializer.validated_data["token"])
        shown = {
            "purpose": found.purpose,
            "email": found.email,
            "expires_at": found.expires_at,
            "needs_code": mailed.needs_code(found),
        }
        return Response(MailedLookOutputSerializer(shown).data)


class MailedInputSerializer(MailedLookInputSerializer):
    """With the password that is chosen, but for a link that confirms an address."""

    password = serializers.CharField(required=False, max_length=200, trim_whitespace=False)
    otp = serializers.CharField(required=False, max_length=40)


class MailedApi(_OpenApi):
    """Using a mailed link."""

    @extend_schema(
        operation_id="mailed", request=MailedInputSerializer, responses=SessionOutputSerializer
    )
    def post(self, request: Request) -> Response:
        """Make the account, set the password, or confirm the address; and sign in."""
        serializer = MailedInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        account = mailed.link_use(
            secret=given["token"],
            password=given.get("password"),
            otp=given.get("otp", ""),
            address=client_address(request._request),
            device=device_of(request._request),
        )
        authentication.session_start(request._request, account)
        rotate_token(request._request)
        response = Response(session_output(account.principal()))
        if "otp" in given:
            device_remember(request._request, response, account.user_id)
        return response


class EmailOutputSerializer(serializers.Serializer[Any]):
    email = serializers.CharField()
    verified_at = serializers.DateTimeField(
        allow_null=True, help_text="When a link that was mailed there was opened."
    )
    mail = serializers.BooleanField(help_text="Whether a link can be mailed.")
    sees_mail = serializers.BooleanField(help_text="Whether one sees mail that was not sent out.")


class EmailApi(WorkspaceAPIView):
    """One's own address."""

    permissions = {"GET": "self", "POST": "self"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="email_retrieve", responses=EmailOutputSerializer)
    def get(self, _request: Request) -> Response:
        """Say whether one's address is confirmed."""
        principal = self.principal
        verified_at = mailed.verified_at(principal)
        shown = {
            "email": principal.email,
            "verified_at": verified_at,
            "mail": mail.is_on(),
            "sees_mail": mailed.sees_messages(principal),
        }
        return Response(EmailOutputSerializer(shown).data)

    @extend_schema(operation_id="email_verify", request=None, responses={202: None})
    def post(self, request: Request) -> Response:
        """Mail a link that confirms one's address."""
        address = client_address(request._request)
        mailed.verify_ask(principal=self.principal, address=address)
        return Response(status=202)


class MailedEventsSerializer(serializers.Serializer[Any]):
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

    permissions = {"GET": "self", "PUT": "self"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="mailed_events_get", responses=MailedEventsSerializer)
    def get(self, _request: Request) -> Response:
        """Say which events one is mailed: none unless one has chosen."""
        return Response(events.mailed_events(self.principal))

    @extend_schema(
        operation_id="mailed_events_put",
        request=MailedEventsSerializer,
        responses=MailedEventsSerializer,
    )
    def put(self, request: Request) -> Response:
        """Choose the events that one is mailed; an empty list ends it."""
        given = MailedEventsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        chosen = events.mailed_events_choose(principal=self.principal, **given.validated_data)
        return Response(chosen)


class MessageSerializer(serializers.Serializer[Any]):
    to = serializers.CharField()
    subject = serializers.CharField()
    sent_at = serializers.DateTimeField()
    body = serializers.CharField()


class MessageListApi(ApiView):
    """Mail of a service without a server for it."""

    permissions = {"GET": "self"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="mail_list", responses=MessageSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the messages that were not sent out, newest first, to who runs the service."""
        rows = mailed.messages_shown(cast("Any", request.auth))
        return Response(MessageSerializer(rows, many=True).data)
