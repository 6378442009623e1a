"""Reading a workspace's members, tokens and audit, and a person's sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import ApiToken, AuditEntry, Invitation, Member, Session

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet


def token_list() -> QuerySet[ApiToken]:
    """Return the entered workspace's tokens that are not revoked, newest first."""
    return ApiToken.objects.filter(revoked_at=None).order_by("-created_at", "-id")


def audit_list() -> QuerySet[AuditEntry]:
    """Return what was done in the entered workspace, newest first."""
    return AuditEntry.objects.order_by("-created_at", "-id")


def member_list() -> QuerySet[Member]:
    """Return the members of the entered workspace with their users, the first ones first."""
    return Member.objects.select_related("user").order_by("created_at", "id")


def invitation_list() -> QuerySet[Invitation]:
    """Return the entered workspace's invitations that nobody has taken yet, newest first."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None).order_by(
        "-created_at", "-id"
    )


def session_list(user_id: UUID) -> QuerySet[Session]:
    """Return the browsers that a person is signed in with, the latest first."""
    found = Session.objects.filter(
        user_id=user_id, public_id__isnull=False, expire_date__gt=timezone.now()
    )
    return found.order_by("-began_at", "public_id")
