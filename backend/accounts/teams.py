"""Workspaces and who is in them: creating, inviting, joining, leaving, handing over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import mail
from accounts.crossing import (
    Account,
    Invited,
    account_by_email,
    account_by_id,
    invitation_by_hash,
    memberships_of,
)
from accounts.models import Invitation, Member, User, Workspace
from accounts.secrets import code_new, hash_of
from accounts.selectors import members_with_users
from accounts.services import audit_record, member_new, require_strength
from common import quotas
from common.errors import Conflict, Forbidden, NotFound, existing
from common.principal import OWNER
from common.tenancy import current_workspace_id, workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from common.principal import Principal

INVITATION_LIFE = timedelta(days=14)
OWN_NAME = "My workspace"

# What a new workspace starts with: registered by the apps above, never imported here.
_starts: list[Callable[[], None]] = []


def on_start(fill: Callable[[], None]) -> None:
    """Have a function called inside each workspace that a person makes."""
    _starts.append(fill)


def workspace_add(*, user_id: UUID, email: str, name: str) -> UUID:
    """Make another workspace for a person, who owns it; return its id."""
    workspace_id = uuid4()
    with workspace(workspace_id):
        Workspace.objects.create(id=workspace_id, name=name)
        Member.objects.create(user_id=user_id, role=OWNER)
        audit_record(email, "workspace.create", target=name)
        starts_fill()
    return workspace_id


def starts_fill() -> None:
    """Put into the entered workspace what a new one starts with."""
    for fill in _starts:
        fill()


def workspace_rename(*, principal: Principal, name: str) -> None:
    """Give the entered workspace another name."""
    Workspace.objects.filter(id=current_workspace_id()).update(name=name)
    audit_record(principal, "workspace.rename", target=name)


def invitation_create(
    *, principal: Principal, role: str, email: str = "", now: datetime | None = None
) -> tuple[Invitation, str]:
    """Return an invitation to the entered workspace, and its secret, which is not kept."""
    quotas.require("members", 1)
    secret = code_new()
    invitation = Invitation.objects.create(
        email=email.lower(),
        role=role,
        token_hash=hash_of(secret),
        invited_by=principal.email,
        expires_at=(now or timezone.now()) + INVITATION_LIFE,
    )
    audit_record(principal, "invitation.create", target=email, detail={"role": role})
    if email and mail.is_on():
        about = {"workspace": str(current_workspace_id()), "invitation": str(invitation.id)}
        mail.mail_add(mail.INVITATION, email, about)
    return invitation, secret


def invitation_revoke(*, principal: Principal, invitation_id: UUID) -> None:
    """Withdraw an invitation that nobody has taken yet; twice is as good as once.

    Raises
    ------
    NotFound
        When the workspace has no such invitation.
    """
    found = Invitation.objects.filter(id=invitation_id)
    if not found.exists():
        raise NotFound
    if found.filter(revoked_at=None, accepted_at=None).update(revoked_at=timezone.now()):
        audit_record(principal, "invitation.revoke", target=found.get().email)


def invitation_get(secret: str, now: datetime | None = None) -> Invited:
    """Return what a link of invitation leads to.

    Raises
    ------
    NotFound
        When it is unknown, used, withdrawn or too old.
    """
    return existing(invitation_by_hash(hash_of(secret), now or timezone.now()))


def join(*, account: Account, secret: str, now: datetime | None = None) -> Account:
    """Make a person a member by an invitation; return their account in that workspace.

    Raises
    ------
    NotFound
        When the invitation is not open.
    Forbidden
        When it is for somebody else's address.
    Conflict
        When they are a member already.
    """
    invited = invitation_get(secret, now)
    if invited.email and invited.email != account.email:
        raise Forbidden(f"This invitation is for {invited.email}. Sign in with that address.")
    with workspace(invited.workspace_id):
        invitation_take(invited)
        try:
            with transaction.atomic():
                Member.objects.create(user_id=account.user_id, role=invited.role)
        except IntegrityError as exc:
            raise Conflict("You are a member of this workspace already.") from exc
        audit_record(account.email, "member.join", detail={"role": invited.role})
    if invited.is_mailed:
        unknown = User.objects.filter(id=account.user_id, verified_at=None)
        unknown.update(verified_at=timezone.now())
    return existing(account_by_id(account.user_id, invited.workspace_id))


def join_new(
    *, secret: str, password: str, email: str = "", now: datetime | None = None
) -> Account:
    """Make an account by an invitation, and its owner a member; return the account.

    Raises
    ------
    NotFound
        When the invitation is not open.
    Conflict
        When there is an account with this address: its owner signs in first.
    Invalid
        When the password is too weak.
    """
    invited = invitation_get(secret, now)
    address = (invited.email or email).lower()
    require_strength(User(email=address), password, "/password")
    if account_by_email(address) is not None:
        raise Conflict("There is an account with this address. Sign in, then open the link again.")
    user_id = uuid4()
    try:
        with workspace(invited.workspace_id):
            invitation_take(invited)
            shown = timezone.now() if invited.is_mailed else None
            hashed = make_password(password)
            user = User(id=user_id, email=address, password=hashed, verified_at=shown)
            member_new(user, invited.role)
            audit_record(address, "member.join", detail={"role": invited.role})
    except IntegrityError as exc:
        raise Conflict("There is an account with this address. Sign in first.") from exc
    return existing(account_by_id(user_id, invited.workspace_id))


def member_change(*, principal: Principal, member_id: UUID, role: str) -> Member:
    """Give a member another role.

    Raises
    ------
    NotFound
        When the workspace has no such member.
    Conflict
        When nobody would own the workspace any more.
    """
    member = _member(id=member_id)
    if role != OWNER:
        _require_other_owner(member)
    was, member.role, member.by_group = member.role, role, False
    member.save(update_fields=["role", "by_group"])
    audit_record(
        principal, "member.role", target=member.user.email, detail={"was": was, "is": role}
    )
    return member


def member_remove(*, principal: Principal, member_id: UUID) -> Member:
    """Take somebody out of the entered workspace; their tokens end with it.

    Raises
    ------
    NotFound
        When the workspace has no such member.
    Conflict
        When nobody would own the workspace any more.
    """
    member = _member(id=member_id)
    return _remove(member, principal)


def leave(*, principal: Principal) -> Member:
    """Leave the entered workspace.

    Raises
    ------
    Conflict
        When nobody would own the workspace any more.
    """
    return _remove(_member(user_id=principal.user_id), principal)


def other_owners(member: Member) -> QuerySet[Member]:
    """Return who else owns the entered workspace."""
    return Member.objects.filter(role=OWNER).exclude(id=member.id)


def home_ensure(user_id: UUID, email: str) -> None:
    """See to it that a person has a workspace; outside of any."""
    if not memberships_of(user_id):
        workspace_add(user_id=user_id, email=email, name=OWN_NAME)


def _remove(member: Member, principal: Principal) -> Member:
    _require_other_owner(member)
    audit_record(principal, "member.remove", target=member.user.email)
    Member.objects.filter(id=member.id).delete()
    return member


def _member(**wanted: UUID) -> Member:
    # All are held, so that two owners cannot leave at the same moment.
    list(Member.objects.select_for_update().values_list("id"))
    return existing(members_with_users().filter(**wanted).first())


def _require_other_owner(member: Member) -> None:
    if member.role == OWNER and not other_owners(member).exists():
        raise Conflict("A workspace needs an owner. Make somebody else an owner first.")


def invitation_take(invited: Invited) -> None:
    """Use an open invitation of the entered workspace up.

    Raises
    ------
    NotFound
        When somebody did so meanwhile.
    """
    # Whoever sets the time has the invitation; a second one at the same moment sets none.
    open_still = Invitation.objects.filter(id=invited.id, accepted_at=None, revoked_at=None)
    if open_still.update(accepted_at=timezone.now()) == 0:
        raise NotFound
