"""Deleting the workspace that one owns, and one's own account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, leaving
from accounts.own_apis import session_account_of
from common.api import ApiView, WorkspaceAPIView
from common.errors import NotFound

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from rest_framework.request import Request


class DeletionOutputSerializer(serializers.Serializer[Any]):
    deletes_at = serializers.DateTimeField(
        allow_null=True, help_text="When all of it goes; null: it stays."
    )
    grace_days = serializers.IntegerField(help_text="How long a deletion can be taken back.")


class WorkspaceDeletionInputSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100, help_text="The workspace's name, typed.")


class AccountDeletionInputSerializer(serializers.Serializer[Any]):
    email = serializers.CharField(max_length=254, help_text="One's own address, typed.")


class WorkspaceDeletionApi(WorkspaceAPIView):
    """Whether the workspace that the caller works in is to be deleted."""

    permissions = {"POST": "manage", "DELETE": "manage"}  # noqa: RUF012 -- as the base declares it

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Know the entered workspace only."""
        super().initial(request, *args, **kwargs)
        if kwargs["workspace_id"] != self.principal.workspace_id:
            raise NotFound

    @extend_schema(operation_id="workspaces_deletion", responses=DeletionOutputSerializer)
    def get(self, request: Request, workspace_id: UUID) -> Response:
        """Say when the workspace is deleted, if it is to be."""
        return _answer(leaving.workspace_deletes_at())

    @extend_schema(
        operation_id="workspaces_delete",
        request=WorkspaceDeletionInputSerializer,
        responses=DeletionOutputSerializer,
    )
    def post(self, request: Request, workspace_id: UUID) -> Response:
        """Have the workspace deleted with all that is in it, after the grace time.

        Its members are told by mail, and an owner can take it back until then.
        """
        given = _validated(WorkspaceDeletionInputSerializer(data=request.data))
        return _answer(leaving.workspace_deletion_ask(principal=self.principal, name=given["name"]))

    @extend_schema(operation_id="workspaces_keep", request=None, responses={204: None})
    def delete(self, request: Request, workspace_id: UUID) -> Response:
        """Keep the workspace after all."""
        leaving.workspace_deletion_take_back(principal=self.principal)
        return Response(status=204)


class AccountDeletionApi(ApiView):
    """Whether one's own account is to be deleted."""

    permissions = {"GET": "self", "POST": "self", "DELETE": "self"}  # noqa: RUF012 -- as the base declares it
    authentication_classes = (authentication.SessionAuthentication,)

    @extend_schema(operation_id="account_deletion", responses=DeletionOutputSerializer)
    def get(self, request: Request) -> Response:
        """Say when the account is deleted, if it is to be."""
        return _answer(leaving.person_deletes_at(session_account_of(request)))

    @extend_schema(
        operation_id="account_delete",
        request=AccountDeletionInputSerializer,
        responses=DeletionOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Have one's account deleted after the grace time, with workspaces that one is alone in.

        409 names those that would be without an owner. In the others one's name becomes "a former
        member".
        """
        given = _validated(AccountDeletionInputSerializer(data=request.data))
        account = session_account_of(request)
        return _answer(leaving.person_deletion_ask(account=account, email=given["email"]))

    @extend_schema(operation_id="account_keep", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Keep the account after all."""
        leaving.person_deletion_take_back(account=session_account_of(request))
        return Response(status=204)


def _answer(deletes_at: datetime | None) -> Response:
    told = {"deletes_at": deletes_at, "grace_days": leaving.grace().days}
    return Response(DeletionOutputSerializer(told).data)


def _validated(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    given: dict[str, Any] = serializer.validated_data
    return given
