"""One's own password and sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.middleware.csrf import rotate_token
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, selectors, services
from accounts.sessions import SESSION_ID
from capmodels.written_numbers import MARKS_BY_NAME
from common.api import ApiView, WorkspaceAPIView
from common.errors import NotFound, NotSignedIn
from common.operations import operation
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from accounts.crossing import Account
    from accounts.sessions import SessionStore


class NumberFormatSerializer(StrictSerializer):
    number_format = serializers.ChoiceField(
        choices=tuple(MARKS_BY_NAME),
        allow_blank=True,
        help_text="Which sign stands before decimals, where a number does not say it (1,234): "
        "point or comma; empty: that of the browser's language.",
    )


class NumberFormatApi(WorkspaceAPIView):
    """How one's own numbers are written in the entered workspace."""

    may = "self"

    @operation("number_format_get", gives=NumberFormatSerializer)
    def get(self, request: Request) -> Any:
        """Return how one's numbers are written."""
        return Response({"number_format": selectors.number_format(self.principal)})

    @operation("number_format_put", takes=NumberFormatSerializer, gives=NumberFormatSerializer)
    def put(self, request: Request) -> Any:
        """Choose how one's numbers are written."""
        services.number_format_choose(principal=self.principal, **self.given())
        return Response({"number_format": selectors.number_format(self.principal)})


class PasswordOutputSerializer(serializers.Serializer[Any]):
    is_set = serializers.BooleanField(help_text="Whether the user has a password.")
    may_set = serializers.BooleanField(
        help_text="Whether a first password may be set: the session began minutes ago."
    )


class PasswordInputSerializer(StrictSerializer):
    """The old password is left out where none is set yet."""

    old = serializers.CharField(
        required=False, allow_null=True, max_length=200, trim_whitespace=False
    )
    new = serializers.CharField(max_length=200, trim_whitespace=False)


class PasswordApi(ApiView):
    """One's own password, from the browser only: no token may change it.

    Not inside a transaction: a refusal is counted, though it is answered by an error.
    """

    may = "self"

    @operation("password_retrieve", gives=PasswordOutputSerializer)
    def get(self, request: Request) -> Any:
        """Say whether there is a password, and whether the first one may be set now."""
        return Response(_state(request, session_account_of(request)))

    @operation("password_change", takes=PasswordInputSerializer, gives=PasswordOutputSerializer)
    def post(self, request: Request) -> Any:
        """Change the password, or set the first one; one's other sessions end."""
        given = self.given()
        changed = services.password_change(
            account=session_account_of(request),
            old=given.get("old"),
            new=given["new"],
            began_at=authentication.session_began_at(_session(request)),
        )
        authentication.session_renew(request._request, changed)
        rotate_token(request._request)
        return Response(_state(request, changed))


class OwnSessionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="public_id")
    agent = serializers.CharField(help_text="What the browser says of itself.")
    began_at = serializers.DateTimeField()
    is_this = serializers.SerializerMethodField()

    def get_is_this(self, row: Any) -> bool:
        """Say whether it is the session that asks."""
        return bool(str(row.public_id) == self.context["this"])


class SessionListApi(ApiView):
    """The browsers that one is signed in with."""

    @operation("sessions_list", gives=OwnSessionSerializer(many=True), may="self")
    def get(self, request: Request) -> Any:
        """List one's sessions, the latest first."""
        rows = selectors.session_list(session_account_of(request))
        context = {"this": _session(request).get(SESSION_ID)}
        return Response(OwnSessionSerializer(rows, many=True, context=context).data)


class OwnSessionApi(ApiView):
    """One of one's sessions."""

    @operation("sessions_end", may="self")
    def delete(self, request: Request, session_id: UUID) -> None:
        """Sign a browser out."""
        rows = selectors.session_list(session_account_of(request))
        if rows.filter(public_id=session_id).delete()[0] == 0:
            raise NotFound


def _session(request: Request) -> SessionStore:
    return cast("SessionStore", request._request.session)


def session_account_of(request: Request) -> Account:
    """Return the account of a session; raise NotSignedIn without one."""
    account = authentication.session_account(_session(request))
    if account is None:
        raise NotSignedIn
    return account


def _state(request: Request, account: Account) -> dict[str, bool]:
    is_set = services.has_password(account)
    began_at = authentication.session_began_at(_session(request))
    fresh = services.is_fresh(began_at, timezone.now())
    return {"is_set": is_set, "may_set": is_set or fresh}
