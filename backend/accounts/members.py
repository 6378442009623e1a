"""One's workspace, its members, and one's own password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.middleware.csrf import rotate_token
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts import authentication, selectors, services
from accounts.models import Member
from common.api import ApiView, WorkspaceAPIView
from common.errors import NotSignedIn
from common.pagination import KeysetPagination

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from accounts.crossing import Account
    from accounts.sessions import SessionStore


class WorkspaceOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class WorkspacePagination(KeysetPagination):
    """Workspaces, the first ones first."""

    ordering = ("created_at", "id")


class WorkspaceListApi(WorkspaceAPIView, ListAPIView[Any]):
    """The workspaces that the caller works in; one for now."""

    serializer_class = WorkspaceOutputSerializer
    pagination_class = WorkspacePagination
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Any]:
        """Return the entered workspace."""
        return selectors.workspace_list()


class MemberOutputSerializer(serializers.ModelSerializer[Member]):
    email = serializers.CharField(source="user.email", read_only=True)

    class Meta:
        model = Member
        fields = ("id", "email", "role", "created_at")
        read_only_fields = fields


class MemberPagination(KeysetPagination):
    """Members, the first ones first."""

    ordering = ("created_at", "id")


class MemberListApi(WorkspaceAPIView, ListAPIView[Any]):
    """Who belongs to the workspace, and as what."""

    serializer_class = MemberOutputSerializer
    pagination_class = MemberPagination
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Any]:
        """Return the members with their users."""
        return selectors.member_list()


class PasswordOutputSerializer(serializers.Serializer[Any]):
    is_set = serializers.BooleanField(help_text="Whether the user has a password.")
    may_set = serializers.BooleanField(
        help_text="Whether a first password may be set: the session began minutes ago."
    )


class PasswordInputSerializer(serializers.Serializer[Any]):
    """The old password is left out where none is set yet."""

    old = serializers.CharField(
        required=False, allow_null=True, max_length=200, trim_whitespace=False
    )
    new = serializers.CharField(max_length=200, trim_whitespace=False)


class PasswordApi(ApiView):
    """One's own password, from the browser only: no token may change it.

    Not inside a transaction: a refusal is counted, though it is answered by an error.
    """

    authentication_classes = (authentication.SessionAuthentication,)

    @extend_schema(operation_id="password_retrieve", responses=PasswordOutputSerializer)
    def get(self, request: Request) -> Response:
        """Say whether there is a password, and whether the first one may be set now."""
        return Response(_state(request, _account(request)))

    @extend_schema(
        operation_id="password_change",
        request=PasswordInputSerializer,
        responses=PasswordOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Change the password, or set the first one; one's other sessions end."""
        serializer = PasswordInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        changed = services.password_change(
            account=_account(request),
            old=given.get("old"),
            new=given["new"],
            began_at=authentication.session_began_at(_session(request)),
        )
        authentication.session_renew(request._request, changed)
        rotate_token(request._request)
        return Response(_state(request, changed))


def _session(request: Request) -> SessionStore:
    return cast("SessionStore", request._request.session)


def _account(request: Request) -> Account:
    account = authentication.session_account(_session(request))
    if account is None:
        raise NotSignedIn
    return account


def _state(request: Request, account: Account) -> dict[str, bool]:
    is_set = services.has_password(account)
    began_at = authentication.session_began_at(_session(request))
    fresh = services.is_fresh(began_at, timezone.now())
    return {"is_set": is_set, "may_set": is_set or fresh}
