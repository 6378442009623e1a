"""Signing in by OpenID Connect."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, openid, provider_people
from accounts.apis import SessionOutputSerializer, signed_in
from accounts.openid_provider import told
from common.api import ApiView
from common.operations import operation

if TYPE_CHECKING:
    from rest_framework.request import Request


class OpenIdOutputSerializer(serializers.Serializer[Any]):
    url = serializers.CharField(help_text="The provider's page, to go to now.")


class OpenIdAnswerInputSerializer(serializers.Serializer[Any]):
    """What the provider put into the address that it led back to."""

    state = serializers.CharField(max_length=200)
    code = serializers.CharField(required=False, max_length=4000)
    iss = serializers.CharField(required=False, max_length=500)
    error = serializers.CharField(required=False, max_length=200)


class OpenIdApi(ApiView):
    """The way to the sign-in provider."""

    permission_classes = ()
    authentication_classes = ()

    @operation("session_openid", gives=OpenIdOutputSerializer)
    def post(self, request: Request) -> Any:
        """Begin to sign in at the provider: good for ten minutes, in this browser."""
        openid.require_on()
        url, begun = openid.begin()
        authentication.session_provider_begin(request._request, "openid", asdict(begun))
        return Response({"url": url})


class OpenIdAnswerApi(ApiView):
    """The way back."""

    permission_classes = ()
    authentication_classes = ()

    @operation(
        "session_openid_answer", takes=OpenIdAnswerInputSerializer, gives=SessionOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Sign in with what the provider answered, once."""
        openid.require_on()
        serializer = self.given()
        given, now = serializer, timezone.now()
        begun = authentication.session_provider_take(request._request, "openid", now)
        said = openid.finish(
            begun,
            openid.Answer(
                given["state"], **{name: given.get(name, "") for name in ("code", "iss", "error")}
            ),
            now,
        )
        account = provider_people.sign_in(said, told()["roles"], by="openid", now=now)
        return signed_in(request, account)
