"""Sessions, tokens, audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.middleware.csrf import get_token, rotate_token
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, selectors, services
from accounts.devices import device_of, device_remember
from common.api import ApiView, ListApi, WorkspaceAPIView
from common.errors import Forbidden, Invalid, NotSignedIn
from common.http import client_address
from common.operations import creates, operation
from common.principal import MANAGE, OWNER, PROVISION, READ, ROLES, SCOPES, Principal
from common.serializers import StrictSerializer, shown_once

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.authentication import BaseAuthentication
    from rest_framework.request import Request

    from accounts.crossing import Account


class SessionCreateInputSerializer(StrictSerializer):
    """Either the code of a sign-in link, or e-mail and password."""

    code = serializers.CharField(required=False, max_length=100)
    email = serializers.EmailField(required=False, max_length=254)
    password = serializers.CharField(required=False, max_length=200, trim_whitespace=False)
    otp = serializers.CharField(
        required=False,
        max_length=services.CODE_MAX,
        help_text="A one-time code, a recovery code or, as JSON, what a security key answered to "
        "the `key_request` of the answer code_needed.",
    )


class SessionUserSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    email = serializers.CharField()


class SessionWorkspaceSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)


class SessionOutputSerializer(serializers.Serializer[Any]):
    user = SessionUserSerializer()
    workspace = SessionWorkspaceSerializer()
    events_url = serializers.CharField(help_text="Address of the event stream.")


class SessionApi(ApiView):
    """The browser's own session."""

    permission_classes = ()
    authentication_classes = (
        authentication.TokenAuthentication,
        authentication.SessionAuthentication,
    )

    @operation("session_retrieve", gives=SessionOutputSerializer)
    def get(self, request: Request) -> Any:
        """Say who is signed in, or whose a token is; 401 when nobody is. Sets the CSRF cookie."""
        get_token(request._request)
        if not isinstance(request.auth, Principal):
            raise NotSignedIn
        return Response(session_output(request.auth))

    @operation("session_create", takes=SessionCreateInputSerializer, gives=SessionOutputSerializer)
    def post(self, request: Request) -> Any:
        """Sign in with a one-time code, or with e-mail and password."""
        given = self.given()
        address = client_address(request._request)
        if "code" in given:
            account = services.sign_in_with_code(code=given["code"], address=address)
        elif "email" in given and "password" in given:
            account = services.sign_in_with_password(
                email=given["email"],
                password=given["password"],
                otp=given.get("otp", ""),
                address=address,
                device=device_of(request._request),
            )
        else:
            raise Invalid.at("", "Send a code, or an email and a password.", "missing")
        return signed_in(request, account, by_code="otp" in given)

    @operation("session_destroy")
    def delete(self, request: Request) -> None:
        """Sign out; also right when nobody is signed in."""
        request._request.session.flush()

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Let anybody sign in, whatever session or CSRF token the browser still holds."""
        method = self.request.method if self.request else None
        by_token = [authentication.TokenAuthentication()] if method == "GET" else []
        return [] if method == "POST" else [*by_token, authentication.SessionAuthentication()]


class TokenCreateInputSerializer(StrictSerializer):
    title = serializers.CharField(max_length=100)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=SCOPES),
        required=False,
        min_length=1,
        max_length=len(SCOPES),
        help_text="Left out: read, write and run.",
    )
    expires_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="Within a year; left out: in a year."
    )


class TokenOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    prefix = serializers.CharField(help_text="First characters, to tell tokens apart.")
    scopes = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class TokenCreatedOutputSerializer(TokenOutputSerializer):
    token = shown_once("The token itself")


class TokenListApi(ListApi):
    """The workspace's API tokens."""

    secret_fields = ("token",)

    @operation("tokens_list", gives=TokenOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """The workspace's API tokens."""
        return selectors.token_list()

    @creates("tokens_create", takes=TokenCreateInputSerializer, gives=TokenCreatedOutputSerializer)
    def post(self, request: Request) -> Any:
        """Create a token; the answer is the only place where it can be read.

        A person makes it, in a session: a token that leaked must not outlive itself.
        """
        if self.principal.token_id is not None:
            raise Forbidden("A token makes no tokens. Sign in, and make it there.")
        given = self.given()
        scopes = set(given.get("scopes", ()))
        if PROVISION in scopes and len(scopes) > 1:
            sentence = "A token that provisions does nothing else. Choose provision alone."
            raise Invalid.at("/scopes", sentence)
        if scopes & {MANAGE, PROVISION} and self.principal.role != OWNER:
            sentence = "Owners alone make a token that manages or provisions: ask one of them."
            raise Invalid.at("/scopes", sentence, "not_allowed")
        if not {READ, PROVISION} & set(given.get("scopes", SCOPES)):
            message = "Add read: whoever changes or runs something is shown what is stored."
            raise Invalid.at("/scopes", message)
        latest = timezone.now() + services.TOKEN_LIFE_MOST
        expires_at = given.get("expires_at") or latest
        if not timezone.now() < expires_at <= latest:
            raise Invalid.at("/expires_at", "Enter a time within a year from now.", "out_of_range")
        row, secret = services.token_create(
            principal=self.principal,
            title=given["title"],
            scopes=given.get("scopes"),
            expires_at=expires_at,
        )
        return Response({**TokenOutputSerializer(row).data, "token": secret}, status=201)


class TokenApi(WorkspaceAPIView):
    """One API token."""

    @operation("tokens_destroy")
    def delete(self, request: Request, token_id: UUID) -> None:
        """Revoke the token; a token revokes no other than itself."""
        if self.principal.token_id not in {None, token_id}:
            raise Forbidden("A token revokes no other token. Sign in, and revoke it there.")
        services.token_revoke(principal=self.principal, token_id=token_id)


def signed_in(request: Request, account: Account, *, by_code: bool = False) -> Response:
    """Begin a session, and tell the browser of it, which is known from then on after a code."""
    authentication.session_start(request._request, account)
    rotate_token(request._request)
    response = Response(session_output(account.principal()))
    if by_code:
        device_remember(request._request, response, account.user_id)
    return response


def session_output(principal: Principal) -> dict[str, object]:
    """Return what a browser is told of its session."""
    return {
        "user": {"id": principal.user_id, "email": principal.email},
        "workspace": {
            "id": principal.workspace_id,
            "name": principal.workspace_name,
            "role": principal.role,
        },
        "events_url": settings.EVENTS_URL,
    }
