"""Deleting the workspace that one owns, and one's own account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from accounts import leaving
from accounts.own_apis import session_account_of
from common.api import ApiView, WorkspaceAPIView
from common.errors import NotFound
from common.operations import operation
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from rest_framework.request import Request


class DeletionOutputSerializer(serializers.Serializer[Any]):
    deletes_at = serializers.DateTimeField(
        allow_null=True, help_text="When all of it goes; null: it stays."
    )
    grace_days = serializers.IntegerField(help_text="How long a deletion can be taken back.")


class WorkspaceDeletionInputSerializer(StrictSerializer):
    name = serializers.CharField(max_length=100, help_text="The workspace's name, typed.")


class AccountDeletionInputSerializer(StrictSerializer):
    email = serializers.CharField(max_length=254, help_text="One's own address, typed.")


class WorkspaceDeletionApi(WorkspaceAPIView):
    """Whether the workspace that the caller works in is to be deleted."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Know the entered workspace only."""
        super().initial(request, *args, **kwargs)
        if kwargs["workspace_id"] != self.principal.workspace_id:
            raise NotFound

    @operation("workspaces_deletion", gives=DeletionOutputSerializer)
    def get(self, request: Request, workspace_id: UUID) -> Any:
        """Say when the workspace is deleted, if it is to be."""
        return _told(leaving.workspace_deletes_at())

    @operation(
        "workspaces_delete",
        takes=WorkspaceDeletionInputSerializer,
        gives=DeletionOutputSerializer,
        may="manage",
    )
    def post(self, request: Request, workspace_id: UUID) -> Any:
        """Have the workspace deleted with all that is in it, after the grace time.

        Its members are told by mail, and an owner can take it back until then.
        """
        return _told(leaving.workspace_deletion_ask(principal=self.principal, **self.given()))

    @operation("workspaces_keep", may="manage")
    def delete(self, request: Request, workspace_id: UUID) -> None:
        """Keep the workspace after all."""
        leaving.workspace_deletion_take_back(principal=self.principal)


class AccountDeletionApi(ApiView):
    """Whether one's own account is to be deleted."""

    may = "self"

    @operation("account_deletion", gives=DeletionOutputSerializer)
    def get(self, request: Request) -> Any:
        """Say when the account is deleted, if it is to be."""
        return _told(leaving.person_deletes_at(session_account_of(request)))

    @operation(
        "account_delete", takes=AccountDeletionInputSerializer, gives=DeletionOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Have one's account deleted after the grace time, with workspaces that one is alone in.

        409 names those that would be without an owner. In the others one's name becomes "a former
        member".
        """
        given = self.given()
        return _told(leaving.person_deletion_ask(account=session_account_of(request), **given))

    @operation("account_keep")
    def delete(self, request: Request) -> None:
        """Keep the account after all."""
        leaving.person_deletion_take_back(account=session_account_of(request))


def _told(deletes_at: datetime | None) -> dict[str, Any]:
    return {"deletes_at": deletes_at, "grace_days": leaving.grace().days}
