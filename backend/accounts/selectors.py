"""Reading a workspace, its tokens and audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.models import ApiToken, AuditEntry, Member, Workspace
from common.tenancy import current_workspace_id

if TYPE_CHECKING:
    from django.db.models import QuerySet


def workspace_list() -> QuerySet[Workspace]:
    """Return the workspaces that the caller is in: the entered one, and no other."""
    return Workspace.objects.filter(id=current_workspace_id())


def token_list() -> QuerySet[ApiToken]:
    """Return the entered workspace's tokens that are not revoked, newest first."""
    return ApiToken.objects.filter(revoked_at=None).order_by("-created_at", "-id")


def audit_list() -> QuerySet[AuditEntry]:
    """Return what was done in the entered workspace, newest first."""
    return AuditEntry.objects.order_by("-created_at", "-id")


def member_list() -> QuerySet[Member]:
    """Return the members of the entered workspace with their users, the first ones first."""
    return Member.objects.select_related("user").order_by("created_at", "id")
