"""Reading a workspace's members, tokens and audit, and a person's sessions."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import ApiToken, AuditEntry, Invitation, Member, Session, User, Workspace
from common.tenancy import current_workspace_id

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

    from accounts.crossing import Account
    from common.principal import Principal

USER_SHOWN = {"id", "email"}


def token_list() -> QuerySet[ApiToken]:
    """Return the entered workspace's tokens that are not revoked, newest first."""
    return ApiToken.objects.filter(revoked_at=None).order_by("-created_at", "-id")


def audit_list(
    *,
    kind: str = "",
    who: str = "",
    what: str = "",
    since: date | None = None,
    until: date | None = None,
) -> QuerySet[AuditEntry]:
    """Return what was done in the entered workspace, newest first, both days included."""
    rows = AuditEntry.objects.order_by("-created_at", "-id")
    if kind:
        rows = rows.filter(action__startswith=f"{kind}.")
    if who:
        rows = rows.filter(actor_email__icontains=who)
    if what:
        rows = rows.filter(target__icontains=what)
    if since:
        rows = rows.filter(created_at__gte=_midnight(since))
    if until:
        rows = rows.filter(created_at__lt=_midnight(until) + timedelta(days=1))
    return rows


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def number_format(principal: Principal) -> str:
    """Return how a member of the entered workspace writes numbers; empty: as their browser."""
    return Member.objects.values_list("number_format", flat=True).get(user_id=principal.user_id)


def member_list() -> QuerySet[Member]:
    """Return the members of the entered workspace with their users, the first ones first."""
    return members_with_users().order_by("created_at", "id")


def members_with_users() -> QuerySet[Member]:
    """Return the members of the entered workspace, of each user what the app may read."""
    hidden = [field.name for field in User._meta.concrete_fields if field.name not in USER_SHOWN]
    return Member.objects.select_related("user").defer(*(f"user__{name}" for name in hidden))


def workspace_name() -> str:
    """Return the name of the entered workspace."""
    return Workspace.objects.values_list("name", flat=True).get(id=current_workspace_id())


def invitation_list() -> QuerySet[Invitation]:
    """Return the entered workspace's invitations that nobody has taken yet, newest first."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None).order_by(
        "-created_at", "-id"
    )


def session_list(account: Account) -> QuerySet[Session]:
    """Return the browsers that a person is signed in with, the latest first.

    Those that began with another password are ended, though their rows are there yet.
    """
    found = Session.objects.filter(
        user_id=account.user_id,
        password_mark=account.password_mark,
        public_id__isnull=False,
        expire_date__gt=timezone.now(),
    )
    return found.order_by("-began_at", "public_id")
