"""Whose account a sign-in by a provider is of, and the roles that groups give."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import services, teams
from accounts.crossing import (
    Account,
    account_by_email,
    account_by_id,
    invitation_by_email,
    memberships_of,
)
from accounts.models import Member, OpenIdSubject, User, Workspace
from common import quotas
from common.errors import ApplicationError, Conflict, Forbidden, NotSignedIn
from common.principal import OWNER, ROLES
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    # Which roles in which workspaces a group leads to.
    Places = Mapping[str, list[tuple[UUID, str]]]

logger = logging.getLogger(__name__)

BY = "sign-in provider"
NO_ADDRESS = "The sign-in provider tells no e-mail address of you. Ask whoever runs it."
UNVERIFIED = (
    "The sign-in provider has not confirmed that {email} is yours. Confirm it there, then sign in."
)
UNCONFIRMED = (
    "There is an account with {email}, and nobody has confirmed that address here. Sign in "
    "with its password and confirm it in Settings; after that this way is open."
)
NO_PLACE = "There is no account with {email}, and no invitation to it. Ask somebody who has one."
CLOSED = "New accounts are made by whoever runs this service. Ask them for one with {email}."
GONE = "This account cannot be used any more. Ask whoever runs this service."


@dataclass(frozen=True, slots=True)
class Said:
    """What a provider says of who signed in."""

    issuer: str
    subject: str
    email: str
    is_verified: bool
    groups: tuple[str, ...]


def sign_in(said: Said, places: Places, *, by: str, now: datetime | None = None) -> Account:
    """Return the account of who the provider let in, made or linked where it is new.

    Parameters
    ----------
    places
        What groups lead to, as the operator says.
    by
        How, as the audit names it: ``openid`` or ``saml``.

    Raises
    ------
    NotSignedIn
        When it cannot be known whose account it is, or it is gone.
    Forbidden
        When there is none and none may be made.
    """
    now = now or timezone.now()
    known = OpenIdSubject.objects.filter(issuer=said.issuer, subject=said.subject).first()
    wanted = _wanted(said.groups, places)
    user_id = known.user_id if known else _linked(said, wanted, by, now)
    account = account_by_id(user_id)
    if account is None:
        raise NotSignedIn(GONE)
    roles_follow_groups(account, wanted)
    account = account_by_id(user_id)
    if account is None:
        raise NotSignedIn(GONE)
    services.audit_sign_in(account, f"session.create.{by}")
    return account


def roles_follow_groups(account: Account, wanted: Mapping[UUID, str]) -> None:
    """Give the roles of a person's groups, and take those of groups that they left.

    A role that people gave is theirs to change: groups neither raise nor lower it.
    """
    for workspace_id, role in wanted.items():
        with workspace(workspace_id):
            _give(account, workspace_id, role)
    for one in memberships_of(account.user_id):
        if one.id not in wanted:
            with workspace(one.id):
                _take(account)
    teams.home_ensure(account.user_id, account.email)


def _wanted(groups: tuple[str, ...], places: Places) -> dict[UUID, str]:
    """The highest role of each workspace that the groups lead to."""
    found: dict[UUID, str] = {}
    for group in groups:
        for workspace_id, role in places.get(group, ()):
            best = min(role, found.get(workspace_id, role), key=ROLES.index)
            found[workspace_id] = best
    return found


def _give(account: Account, workspace_id: UUID, role: str) -> None:
    member = Member.objects.select_for_update().filter(user_id=account.user_id).first()
    if member is None:
        if _has_room(workspace_id):
            Member.objects.create(user_id=account.user_id, role=role, by_group=True)
            _note(account, "is", role)
    elif member.by_group and member.role != role and not _is_last_owner(member):
        member.role = role
        member.save(update_fields=["role"])
        _note(account, "is", role)


def _take(account: Account) -> None:
    member = Member.objects.select_for_update().filter(user_id=account.user_id).first()
    if member is not None and member.by_group and not _is_last_owner(member):
        Member.objects.filter(id=member.id).delete()
        _note(account, "was", member.role)


def _note(account: Account, was_or_is: str, role: str) -> None:
    services.audit_record(BY, "member.group", target=account.email, detail={was_or_is: role})


def _has_room(workspace_id: UUID) -> bool:
    if not Workspace.objects.filter(id=workspace_id).exists():
        logger.warning(
            "the roles of groups name the workspace %s, which there is not", workspace_id
        )
        return False
    try:
        quotas.require("members", 1)
    except ApplicationError as exc:
        logger.warning("a group gives no role in %s: %s", workspace_id, exc.detail)
        return False
    return True


def _is_last_owner(member: Member) -> bool:
    # All are held, so that two owners cannot go at the same moment.
    list(Member.objects.select_for_update().values_list("id"))
    return member.role == OWNER and not teams.other_owners(member).exists()


def _linked(said: Said, wanted: Mapping[UUID, str], by: str, now: datetime) -> UUID:
    """Whose address it is: an account's, or a new one's."""
    if not said.email:
        raise NotSignedIn(NO_ADDRESS)
    account = account_by_email(said.email)
    if not said.is_verified:
        _refuse(account, by, UNVERIFIED.format(email=said.email))
    # Who made an account without showing that the address is theirs may be somebody else.
    if account is not None and not _is_shown(account):
        _refuse(account, by, UNCONFIRMED.format(email=said.email))
    try:
        if account is None:
            if User.objects.filter(email=said.email).exists():
                # Their place was ended from outside, and is given again from there.
                raise NotSignedIn(GONE)
            with transaction.atomic():
                user_id = _made(said.email, wanted, now)
        else:
            user_id = account.user_id
            User.objects.filter(id=user_id, verified_at=None).update(verified_at=now)
        # Should this be the last that this process does, the next sign-in links by the address.
        OpenIdSubject.objects.create(issuer=said.issuer, subject=said.subject, user_id=user_id)
    except IntegrityError as exc:
        raise Conflict("You signed in twice at the same moment. Begin again.") from exc
    if account is not None:
        with workspace(account.workspace_id):
            services.audit_record(account.email, "account.link")
    return user_id


def _is_shown(account: Account) -> bool:
    """Whether the address was shown to be theirs, or nobody was ever in, as who is provisioned."""
    found = User.objects.filter(id=account.user_id)
    shown = found.filter(verified_at__isnull=False)
    unused = found.filter(last_login=None, password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return shown.exists() or unused.exists()


def _refuse(account: Account | None, by: str, sentence: str) -> None:
    if account is not None:
        with workspace(account.workspace_id):
            services.audit_record(account.email, f"session.refuse.{by}")
    raise NotSignedIn(sentence)


def _made(email: str, wanted: Mapping[UUID, str], now: datetime) -> UUID:
    """A new account, by the policy of signing up: invited, by a group too, or open to all."""
    if settings.SIGN_UP == "closed":
        raise Forbidden(CLOSED.format(email=email))
    invited = invitation_by_email(email, now)
    for workspace_id, role in ({} if invited else wanted).items():
        with workspace(workspace_id):
            if _has_room(workspace_id):
                return _user(email, role, now, by_group=True)
    if invited:
        with workspace(invited.workspace_id):
            teams.invitation_take(invited)
            return _user(email, invited.role, now)
    if settings.SIGN_UP != "open":
        raise Forbidden(NO_PLACE.format(email=email))
    account = services.workspace_create(email=email, name=teams.OWN_NAME, verified_at=now)
    with workspace(account.workspace_id):
        teams.starts_fill()
    return account.user_id


def _user(email: str, role: str, now: datetime, *, by_group: bool = False) -> UUID:
    """Make a user who is a member of the entered workspace, without a password."""
    user = User(email=email, verified_at=now)
    user.set_unusable_password()
    services.member_new(user, role, by_group=by_group)
    services.audit_record(email, "member.join", detail={"role": role})
    return user.id
