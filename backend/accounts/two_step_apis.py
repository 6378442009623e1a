"""Codes of an authenticator after one's password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers
from rest_framework.response import Response

from accounts import two_step
from accounts.devices import device_remember
from accounts.own_apis import session_account_of
from accounts.services import CODE_MAX
from common.api import ApiView
from common.operations import operation
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request


_CODE = "A code of the authenticator, a recovery code, or what a security key answered, as JSON."


class SecurityKeyOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)


class TwoStepOutputSerializer(serializers.Serializer[Any]):
    is_on = serializers.BooleanField(help_text="Whether a code is asked for after the password.")
    has_password = serializers.BooleanField()
    recovery_left = serializers.IntegerField(help_text="Recovery codes that are unused.")
    keys = SecurityKeyOutputSerializer(many=True, help_text="Security keys, oldest first.")


class TwoStepBegunOutputSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(help_text="To type into an authenticator; shown this once.")
    address = serializers.CharField(help_text="The same for a program: otpauth://totp/...")
    picture = serializers.CharField(help_text="The same as a QR code: data:image/svg+xml...")


class TwoStepPasswordInputSerializer(StrictSerializer):
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class TwoStepCodeInputSerializer(StrictSerializer):
    code = serializers.CharField(max_length=40)


class TwoStepBothInputSerializer(TwoStepPasswordInputSerializer):
    """One's password, and a code."""

    code = serializers.CharField(max_length=CODE_MAX, help_text=_CODE)


class SecurityKeyConfirmInputSerializer(StrictSerializer):
    title = serializers.CharField(max_length=100, help_text="What one calls the key.")
    answer = serializers.CharField(
        max_length=20_000, help_text="What the key answered (RegistrationResponseJSON), as JSON."
    )


class SecurityKeyOffInputSerializer(TwoStepBothInputSerializer):
    key = serializers.UUIDField(help_text="Id of the key.")


class KeyOptionsOutputSerializer(serializers.Serializer[Any]):
    options = serializers.DictField(
        help_text="What a browser makes or asks a key by, as WebAuthn has it: "
        "PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON."
    )


class RecoveryOutputSerializer(serializers.Serializer[Any]):
    recovery_codes = serializers.ListField(
        child=serializers.CharField(), help_text="Each good once; shown this once."
    )


class _OwnApi(ApiView):
    """From the browser only, and not inside a transaction: a refusal is counted."""

    may = "self"

    def given(self) -> dict[str, Any]:
        """Return what was sent, with whose account it is."""
        sent = super().given()
        return {"account": session_account_of(self.request), **sent}


class TwoStepApi(_OwnApi):
    """Whether codes are asked for."""

    @operation("two_step_retrieve", gives=TwoStepOutputSerializer)
    def get(self, request: Request) -> Any:
        """Say whether one is asked for a code after the password."""
        return two_step.state(session_account_of(request))

    @operation(
        "two_step_begin", takes=TwoStepPasswordInputSerializer, gives=TwoStepBegunOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Make a secret for an authenticator; it counts once it is confirmed."""
        return two_step.begin(**self.given())


class TwoStepConfirmApi(_OwnApi):
    """Turning codes on."""

    @operation("two_step_confirm", takes=TwoStepCodeInputSerializer, gives=RecoveryOutputSerializer)
    def post(self, request: Request) -> Any:
        """Ask for codes from now on, once one is right; answer with recovery codes."""
        given = self.given()
        response = Response({"recovery_codes": two_step.confirm(**given)})
        device_remember(request._request, response, given["account"].user_id)
        return response


class TwoStepRecoveryApi(_OwnApi):
    """New recovery codes."""

    @operation(
        "two_step_recovery", takes=TwoStepBothInputSerializer, gives=RecoveryOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Make new recovery codes; those before are worth nothing."""
        return {"recovery_codes": two_step.renew(**self.given())}


class TwoStepOffApi(_OwnApi):
    """Turning codes off."""

    @operation("two_step_off", takes=TwoStepBothInputSerializer)
    def post(self, request: Request) -> None:
        """Ask for codes no more."""
        two_step.end(**self.given())


class SecurityKeysApi(_OwnApi):
    """Security keys that answer instead of a code."""

    @operation(
        "security_keys_begin", takes=TwoStepBothInputSerializer, gives=KeyOptionsOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Say what a browser makes a key by; good once, for five minutes."""
        return {"options": two_step.key_begin(**self.given())}


class SecurityKeysConfirmApi(_OwnApi):
    """Adding a security key."""

    @operation(
        "security_keys_confirm",
        takes=SecurityKeyConfirmInputSerializer,
        gives=SecurityKeyOutputSerializer,
    )
    def post(self, request: Request) -> Any:
        """Keep the key that answered."""
        return two_step.key_confirm(**self.given())


class SecurityKeysRequestApi(_OwnApi):
    """Asking one's keys."""

    @operation("security_keys_request", gives=KeyOptionsOutputSerializer)
    def post(self, request: Request) -> Any:
        """Say what a browser asks one's keys by; good once, for five minutes."""
        return {"options": two_step.key_request(account=session_account_of(request))}


class SecurityKeysOffApi(_OwnApi):
    """Removing a security key."""

    @operation("security_keys_off", takes=SecurityKeyOffInputSerializer)
    def post(self, request: Request) -> None:
        """Let a key in no more."""
        two_step.key_end(**self.given())
