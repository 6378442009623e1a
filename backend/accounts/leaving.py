"""Deleting a workspace, and oneself: asked for, taken back, carried out once the time has come."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import mail
from accounts.crossing import (
    deletions_due,
    memberships_of,
    person_delete,
    workspace_delete,
)
from accounts.models import Member, User, Workspace
from accounts.services import audit_record
from accounts.teams import OWN_NAME, workspace_add
from common.errors import Conflict, Invalid
from common.principal import OWNER
from common.routing import IDENTITY
from common.tenancy import current_workspace_id, workspace

if TYPE_CHECKING:
    from uuid import UUID

    from accounts.crossing import Account
    from common.principal import Principal

logger = logging.getLogger(__name__)

FORMER = "a former member"


def grace() -> timedelta:
    """Return how long a deletion can be taken back."""
    return timedelta(days=settings.DELETE_GRACE_DAYS)


def workspace_deletes_at() -> datetime | None:
    """Return when the entered workspace is to be deleted, if it is."""
    return Workspace.objects.values_list("deletes_at", flat=True).get(id=current_workspace_id())


def workspace_deletion_ask(
    *, principal: Principal, name: str, now: datetime | None = None
) -> datetime:
    """Have the entered workspace deleted after the grace time; its members are told by mail.

    Raises
    ------
    Invalid
        When another name than the workspace's was typed.
    """
    row = Workspace.objects.select_for_update().get(id=current_workspace_id())
    if name != row.name:
        message = f"Type the workspace's name, {row.name}, to have it deleted."
        raise Invalid.at("/name", message, "not_the_name")
    if row.deletes_at is None:
        row.deletes_at = (now or timezone.now()) + grace()
        row.save(update_fields=["deletes_at"])
        audit_record(principal, "workspace.delete", target=row.name)
        _tell_members()
    return row.deletes_at


def workspace_deletion_take_back(*, principal: Principal) -> None:
    """Keep the entered workspace after all; twice is as good as once."""
    rows = Workspace.objects.filter(id=current_workspace_id(), deletes_at__isnull=False)
    if rows.update(deletes_at=None):
        audit_record(principal, "workspace.keep", target=principal.workspace_name)
        _tell_members()


def person_deletes_at(account: Account) -> datetime | None:
    """Return when a person is to be deleted, if they are."""
    return User.objects.values_list("deletes_at", flat=True).get(id=account.user_id)


def person_deletion_ask(*, account: Account, email: str, now: datetime | None = None) -> datetime:
    """Have a person deleted after the grace time; outside of any workspace.

    Workspaces that they are alone in go with them.

    Raises
    ------
    Invalid
        When another address than theirs was typed.
    Conflict
        Naming the workspaces that would be without an owner.
    """
    if email.strip().lower() != account.email:
        message = f"Type your address, {account.email}, to have your account deleted."
        raise Invalid.at("/email", message, "not_the_address")
    if left := [name for name, is_left in _owned(account.user_id) if is_left]:
        named = ", ".join(left)
        message = f"Make somebody else an owner first, or have these deleted: {named}."
        raise Conflict(message, extra={"workspaces": left})
    with transaction.atomic(using=IDENTITY), workspace(account.workspace_id):
        # Not as if its key were to change: rows of the workspace that refer to it need not wait.
        row = User.objects.select_for_update(no_key=True).get(id=account.user_id)
        if row.deletes_at is None:
            row.deletes_at = (now or timezone.now()) + grace()
            row.save(update_fields=["deletes_at"])
            audit_record(account.email, "account.delete")
            if mail.is_on():
                mail.mail_add(mail.ACCOUNT_DELETION, account.email, {"until": _day(row.deletes_at)})
        return row.deletes_at


def person_deletion_take_back(*, account: Account) -> None:
    """Keep a person after all; twice is as good as once."""
    with transaction.atomic(using=IDENTITY), workspace(account.workspace_id):
        rows = User.objects.filter(id=account.user_id, deletes_at__isnull=False)
        if rows.update(deletes_at=None):
            audit_record(account.email, "account.keep")


def deletions_carry_out(now: datetime | None = None) -> int:
    """Delete what is due; return how many workspaces and people that were. Crosses workspaces."""
    now = now or timezone.now()
    carry = {"workspace": _workspace_carry_out, "person": _person_carry_out}
    return sum(carry[what](found, now) for what, found in deletions_due(now))


def _workspace_carry_out(workspace_id: UUID, now: datetime) -> bool:
    with workspace(workspace_id):
        people = list(Member.objects.values_list("user_id", "user__email"))
    leaving = User.objects.filter(deletes_at__lte=now, id__in=[user_id for user_id, _ in people])
    gone = set(leaving.values_list("id", flat=True))
    for user_id, email in people:
        # Who is in no workspace cannot sign in.
        elsewhere = [one for one in memberships_of(user_id) if one.id != workspace_id]
        if not elsewhere and user_id not in gone:
            workspace_add(user_id=user_id, email=email, name=OWN_NAME)
    with transaction.atomic():
        return workspace_delete(workspace_id, now)


def _person_carry_out(user_id: UUID, now: datetime) -> bool:
    if any(is_left for _, is_left in _owned(user_id)):
        logger.warning("an account is not deleted: a workspace would be without an owner")
        return False
    for one in memberships_of(user_id):
        with workspace(one.id):
            alone = not Member.objects.exclude(user_id=user_id).exists()
            if alone:
                Workspace.objects.filter(id=one.id).update(deletes_at=now)
        if alone:
            with transaction.atomic():
                workspace_delete(one.id, now)
    with transaction.atomic():
        return person_delete(user_id, FORMER, now)


def _owned(user_id: UUID) -> list[tuple[str, bool]]:
    """Return names of the workspaces a person owns, and whether others there would have no owner.

    One that is to be deleted itself needs none.
    """
    found = []
    for one in memberships_of(user_id):
        if one.role == OWNER:
            with workspace(one.id):
                others = Member.objects.exclude(user_id=user_id)
                is_left = (
                    others.exists()
                    and not others.filter(role=OWNER).exists()
                    and workspace_deletes_at() is None
                )
            found.append((one.name, is_left))
    return found


def _tell_members() -> None:
    if not mail.is_on():
        return
    about = {"workspace": str(current_workspace_id())}
    for email in Member.objects.values_list("user__email", flat=True):
        mail.mail_add(mail.WORKSPACE_DELETION, email, about)


def _day(at: datetime) -> str:
    return f"{at:%-d %B %Y}"
