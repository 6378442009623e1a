"""What begins with a mailed link: an account, a new password, a verified address."""

from __future__ import annotations

from email import message_from_string, policy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import mail, services, totp
from accounts.crossing import Account, account_by_email
from accounts.models import MailedLink, User
from accounts.secrets import hash_of
from accounts.teams import OWN_NAME, starts_fill
from common.errors import Conflict, Forbidden, Invalid, NotFound, existing
from common.routing import IDENTITY
from common.tenancy import workspace

if TYPE_CHECKING:
    from datetime import datetime

    from common.principal import Principal

SIGN_UP, RESET, VERIFY = MailedLink.Purpose
NO_MAIL = "This service sends no mail. Ask whoever runs it."
_SHOWN_MOST = 50


def sign_up_ask(*, email: str, address: str, now: datetime | None = None) -> None:
    """Mail a link that makes an account; the same answer whether there is one already.

    Raises
    ------
    Forbidden
        Where not everybody may make one.
    TooMany
        After too many of these.
    """
    if settings.SIGN_UP != "open":
        raise Forbidden("New accounts are made by invitation here. Ask somebody who has one.")
    _ask(SIGN_UP, email, address, now)


def reset_ask(*, email: str, address: str, now: datetime | None = None) -> None:
    """Mail a link that sets a new password; the same answer whether there is an account."""
    _ask(RESET, email, address, now)


def verify_ask(*, principal: Principal, address: str, now: datetime | None = None) -> None:
    """Mail a link that shows that the address is one's own."""
    _ask(VERIFY, principal.email, address, now)


def link_get(secret: str, now: datetime | None = None) -> MailedLink:
    """Return what a mailed link is for.

    Raises
    ------
    NotFound
        When it is unknown, used or too old.
    """
    return existing(
        MailedLink.objects.filter(
            token_hash=hash_of(secret), expires_at__gt=now or timezone.now()
        ).first()
    )


def needs_code(link: MailedLink) -> bool:
    """Say whether a link lets in with a one-time code only: who reads the mail is not enough."""
    account = account_by_email(link.email) if link.purpose != SIGN_UP else None
    return account is not None and totp.is_on(account.user_id)


def link_use(
    *,
    secret: str,
    password: str | None = None,
    otp: str = "",
    address: str = "",
    device: str = "",
    now: datetime | None = None,
) -> Account:
    """Do what a mailed link is for, once; return the account that it is about.

    Raises
    ------
    CodeNeeded, NotSignedIn
        When a one-time code is asked for, and is missing or not right.
    NotFound
        When the link is not open.
    Invalid
        When a password is needed and missing, or too weak.
    Conflict
        When there is an account by now.
    """
    now = now or timezone.now()
    link = link_get(secret, now)
    if link.purpose != VERIFY:
        _require_password(link, password)
    account = account_by_email(link.email)
    if account is not None and link.purpose != SIGN_UP:
        services.require_code(account, otp, address=address, device=device, now=now)
    # Whoever deletes the row has the link; a second one at the same moment deletes none.
    if MailedLink.objects.filter(token_hash=link.token_hash).delete()[0] == 0:
        raise NotFound
    if link.purpose == SIGN_UP:
        if account is not None:
            raise Conflict("There is an account with this address. Sign in.")
        account = services.workspace_create(email=link.email, name=OWN_NAME, password=password)
        with workspace(account.workspace_id):
            starts_fill()
    elif account is None:
        raise NotFound
    elif password:
        services.password_set(account=account, password=password)
    verify(account, now)
    return existing(account_by_email(link.email))


def _require_password(link: MailedLink, password: str | None) -> None:
    if not password:
        raise Invalid.at("/password", "Choose a password.", "missing")
    services.require_strength(User(email=link.email), password, "/password")


def verify(account: Account, now: datetime) -> None:
    """Note that the address is the person's own."""
    with transaction.atomic(using=IDENTITY), workspace(account.workspace_id):
        if User.objects.filter(id=account.user_id, verified_at=None).update(verified_at=now):
            services.audit_record(account.email, "email.verify")


def verified_at(principal: Principal) -> datetime | None:
    """Return when a person showed that the address is theirs."""
    return User.objects.values_list("verified_at", flat=True).get(id=principal.user_id)


def sees_messages(principal: Principal) -> bool:
    """Say whether somebody runs the service, and its mail goes into a folder."""
    return "file_path" in (settings.MAIL or {}) and principal.email in settings.OPERATORS


def messages_shown(principal: Principal) -> list[dict[str, Any]]:
    """Return the messages that went into a folder instead of out, the newest first.

    Raises
    ------
    NotFound
        For anybody but who runs the service, and where a server sends mail.
    """
    if not sees_messages(principal):
        raise NotFound
    files = sorted(
        Path((settings.MAIL or {})["file_path"]).glob("*.log"),
        key=lambda one: one.stat().st_mtime,
        reverse=True,
    )
    return [_message(file) for file in files[:_SHOWN_MOST]]


def _message(file: Path) -> dict[str, Any]:
    found = message_from_string(file.read_text("utf-8"), policy=policy.default)
    # Django ends each message in the file with a line of dashes.
    body = str(found.get_content()).rpartition("\n-----")[0].strip()
    sent_at = found["Date"].datetime
    return {"to": found["To"], "subject": found["Subject"], "sent_at": sent_at, "body": body}


def _ask(purpose: MailedLink.Purpose, email: str, address: str, now: datetime | None) -> None:
    if not mail.is_on():
        raise Conflict(NO_MAIL)
    services.mail_patience(email=email.lower(), address=address, now=now or timezone.now())
    mail.mail_add(purpose, email)
