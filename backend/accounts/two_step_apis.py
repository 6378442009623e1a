"""Codes of an authenticator after one's password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, two_step
from accounts.devices import device_remember
from accounts.own_apis import session_account_of
from common.api import ApiView

if TYPE_CHECKING:
    from rest_framework.request import Request


class TwoStepOutputSerializer(serializers.Serializer[Any]):
    is_on = serializers.BooleanField(help_text="Whether a code is asked for after the password.")
    has_password = serializers.BooleanField()
    recovery_left = serializers.IntegerField(help_text="Recovery codes that are unused.")


class TwoStepBegunOutputSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(help_text="To type into an authenticator; shown this once.")
    address = serializers.CharField(help_text="The same for a program: otpauth://totp/...")
    picture = serializers.CharField(help_text="The same as a QR code: data:image/svg+xml...")


class TwoStepPasswordInputSerializer(serializers.Serializer[Any]):
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class TwoStepCodeInputSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(max_length=40)


class TwoStepBothInputSerializer(TwoStepPasswordInputSerializer):
    """One's password, and a code of the authenticator or a recovery code."""

    code = serializers.CharField(max_length=40)


class RecoveryOutputSerializer(serializers.Serializer[Any]):
    recovery_codes = serializers.ListField(
        child=serializers.CharField(), help_text="Each good once; shown this once."
    )


class _OwnApi(ApiView):
    """From the browser only, and not inside a transaction: a refusal is counted."""

    permissions = {"GET": "self", "POST": "self"}  # noqa: RUF012 -- as the base declares it
    authentication_classes = (authentication.SessionAuthentication,)

    def given(self, serializer: serializers.Serializer[Any]) -> dict[str, Any]:
        """Return what was sent, with whose account it is."""
        serializer.is_valid(raise_exception=True)
        return {"account": session_account_of(self.request), **serializer.validated_data}


class TwoStepApi(_OwnApi):
    """Whether codes are asked for."""

    @extend_schema(operation_id="two_step_retrieve", responses=TwoStepOutputSerializer)
    def get(self, request: Request) -> Response:
        """Say whether one is asked for a code after the password."""
        found = two_step.state(session_account_of(request))
        return Response(TwoStepOutputSerializer(found).data)

    @extend_schema(
        operation_id="two_step_begin",
        request=TwoStepPasswordInputSerializer,
        responses=TwoStepBegunOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Make a secret for an authenticator; it counts once it is confirmed."""
        given = self.given(TwoStepPasswordInputSerializer(data=request.data))
        return Response(TwoStepBegunOutputSerializer(two_step.begin(**given)).data)


class TwoStepConfirmApi(_OwnApi):
    """Turning codes on."""

    @extend_schema(
        operation_id="two_step_confirm",
        request=TwoStepCodeInputSerializer,
        responses=RecoveryOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Ask for codes from now on, once one is right; answer with recovery codes."""
        given = self.given(TwoStepCodeInputSerializer(data=request.data))
        response = Response({"recovery_codes": two_step.confirm(**given)})
        device_remember(request._request, response, given["account"].user_id)
        return response


class TwoStepRecoveryApi(_OwnApi):
    """New recovery codes."""

    @extend_schema(
        operation_id="two_step_recovery",
        request=TwoStepBothInputSerializer,
        responses=RecoveryOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Make new recovery codes; those before are worth nothing."""
        given = self.given(TwoStepBothInputSerializer(data=request.data))
        return Response({"recovery_codes": two_step.renew(**given)})


class TwoStepOffApi(_OwnApi):
    """Turning codes off."""

    @extend_schema(
        operation_id="two_step_off", request=TwoStepBothInputSerializer, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Ask for codes no more."""
        two_step.end(**self.given(TwoStepBothInputSerializer(data=request.data)))
        return Response(status=204)
