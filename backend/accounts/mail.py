"""Mail: an outbox in the database, which the scheduler sends from.

What a message says, and the link in it, are made as it is sent: the outbox holds no secret.
"""

from __future__ import annotations

import logging
import smtplib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import DEFAULT_DB_ALIAS
from django.utils import timezone

from accounts.crossing import account_by_email
from accounts.models import Invitation, Mail, MailedLink, Workspace
from accounts.secrets import code_new, hash_of
from common.principal import ROLE_WORDS
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

INVITATION, EVENT = "invitation", "event"
WORKSPACE_DELETION, ACCOUNT_DELETION = "workspace_deletion", "account_deletion"
# Twice as long after each failure, from 10 s to an hour, for two days.
FIRST_WAIT, LONGEST_WAIT, LIFE = timedelta(seconds=10), timedelta(hours=1), timedelta(days=2)
KEPT = timedelta(days=30)
LINK_LIFE = {
    MailedLink.Purpose.SIGN_UP: timedelta(days=1),
    MailedLink.Purpose.RESET: timedelta(hours=1),
    MailedLink.Purpose.VERIFY: timedelta(days=1),
}
_AT_ONCE = 20


def is_on() -> bool:
    """Say whether this service sends mail."""
    return settings.MAIL is not None


def mail_add(kind: str, to: str, about: dict[str, Any] | None = None) -> None:
    """Put a message into the outbox, in the transaction that causes it."""
    outbox = Mail.objects.using(DEFAULT_DB_ALIAS)
    outbox.create(kind=kind, to=to.lower(), about=about or {}, due_at=timezone.now())


def mail_send_due(now: datetime | None = None) -> int:
    """Send what is due; return how many messages went. One that fails is due again later."""
    if not is_on():
        return 0
    now = now or timezone.now()
    sent = 0
    due = Mail.objects.filter(ended_at=None, due_at__lte=now).order_by("due_at")
    for mail in due[:_AT_ONCE]:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(mail.attempts, 10))
        # Whoever moves the time sends it; should this process die, another tries after it.
        mine = Mail.objects.filter(id=mail.id, ended_at=None, due_at=mail.due_at).update(
            due_at=now + wait, attempts=mail.attempts + 1
        )
        if not mine:
            continue
        try:
            sent += _send(mail, now)
        except (OSError, smtplib.SMTPException) as exc:
            # The outbox, not the log, knows whom it was for.
            logger.warning("mail %s did not go, attempt %d: %s", mail.id, mail.attempts + 1, exc)
            if now - mail.created_at < LIFE and not _is_refused(exc):
                continue
        Mail.objects.filter(id=mail.id).update(ended_at=now)
    return sent


def mail_prune(now: datetime | None = None) -> None:
    """Remove old messages, and links that are over."""
    now = now or timezone.now()
    MailedLink.objects.filter(expires_at__lt=now).delete()
    Mail.objects.filter(ended_at__lt=now - KEPT).delete()


def _is_refused(exc: Exception) -> bool:
    """Say whether the server refused the message for good (RFC 5321, 4.2.1: replies 5yz)."""
    if isinstance(exc, smtplib.SMTPRecipientsRefused):
        return all(500 <= code < 600 for code, _ in exc.recipients.values())
    is_answer = isinstance(exc, smtplib.SMTPDataError | smtplib.SMTPSenderRefused)
    return is_answer and 500 <= getattr(exc, "smtp_code", 0) < 600


def _send(mail: Mail, now: datetime) -> bool:
    made = _MAKERS[mail.kind](mail, now)
    if made is None:
        return False
    subject, body = made
    connection = get_connection(**(settings.MAIL or {}))
    message = EmailMessage(subject, body, settings.MAIL_FROM, [mail.to], connection=connection)
    message.extra_headers["Message-ID"] = f"<{mail.id}@ampacity>"
    message.send()
    return True


def _invitation(mail: Mail, now: datetime) -> tuple[str, str] | None:
    secret = code_new()
    with workspace(UUID(mail.about["workspace"])):
        found = Invitation.objects.select_related("workspace").filter(
            id=mail.about["invitation"], accepted_at=None, revoked_at=None, expires_at__gt=now
        )
        invitation = found.first()
        if invitation is None:
            return None
        found.update(mailed_hash=hash_of(secret))
        name = one_line(invitation.workspace.name)
    named, _ = ROLE_WORDS[invitation.role]
    until = f"{invitation.expires_at:%-d %B %Y}"
    return f"Join {name} in Ampacity", (
        f"{invitation.invited_by} invites you to {name} as {named}.\n\n"
        f"{settings.WEB_URL}/join#{secret}\n\n"
        f"The link works once, until {until}.\n"
    )


def _sign_up(mail: Mail, now: datetime) -> tuple[str, str]:
    if account_by_email(mail.to) is not None:
        return "You have an account in Ampacity", (
            "Somebody, perhaps you, asked for an account with this address. There is one "
            f"already: sign in at {settings.WEB_URL}, or ask there for a new password.\n"
        )
    link = _link(MailedLink.Purpose.SIGN_UP, mail.to, now)
    return "Your account in Ampacity", (
        f"Open this link to choose a password and begin:\n\n{link}\n\n"
        "It works once, for a day. If you did not ask for it, do nothing.\n"
    )


def _reset(mail: Mail, now: datetime) -> tuple[str, str] | None:
    if account_by_email(mail.to) is None:
        return None
    link = _link(MailedLink.Purpose.RESET, mail.to, now)
    return "A new password for Ampacity", (
        f"Open this link to choose a new password:\n\n{link}\n\n"
        "It works once, for an hour. If you did not ask for it, do nothing.\n"
    )


def _verify(mail: Mail, now: datetime) -> tuple[str, str]:
    link = _link(MailedLink.Purpose.VERIFY, mail.to, now)
    return "Is this your address?", (
        f"Open this link to confirm your address in Ampacity:\n\n{link}\n\n"
        "It works once, for a day. If you did not ask for it, do nothing.\n"
    )


def _workspace_deletion(mail: Mail, now: datetime) -> tuple[str, str]:
    with workspace(UUID(mail.about["workspace"])):
        found = Workspace.objects.get(id=mail.about["workspace"])
    name = one_line(found.name)
    if found.deletes_at is None:
        return f"{name} stays", f"{name} in Ampacity was to be deleted, and is not any more.\n"
    day = f"{found.deletes_at:%-d %B %Y}"
    return f"{name} will be deleted on {day}", (
        f"The workspace {name} in Ampacity will be deleted on {day}, with all studies and results "
        "in it. Until then an owner can keep it, or export everything of it, in Settings:\n\n"
        f"{settings.WEB_URL}/settings\n"
    )


def _account_deletion(mail: Mail, now: datetime) -> tuple[str, str]:
    return "Your account in Ampacity will be deleted", (
        f"Your account will be deleted on {mail.about['until']}. If you did not ask for that, or "
        f"want to keep it, sign in before and say so in Settings:\n\n{settings.WEB_URL}/settings\n"
    )


def _link(purpose: MailedLink.Purpose, email: str, now: datetime) -> str:
    secret = code_new()
    MailedLink.objects.create(
        token_hash=hash_of(secret),
        purpose=purpose,
        email=email,
        expires_at=now + LINK_LIFE[purpose],
    )
    return f"{settings.WEB_URL}/welcome#{secret}"


def one_line(text: str) -> str:
    """Return a name without line breaks, which no header of a message may have."""
    return " ".join(text.split())


_MAKERS: dict[str, Callable[[Mail, datetime], tuple[str, str] | None]] = {
    INVITATION: _invitation,
    WORKSPACE_DELETION: _workspace_deletion,
    ACCOUNT_DELETION: _account_deletion,
    MailedLink.Purpose.SIGN_UP: _sign_up,
    MailedLink.Purpose.RESET: _reset,
    MailedLink.Purpose.VERIFY: _verify,
}


def register(kind: str, maker: Callable[[Mail, datetime], tuple[str, str] | None]) -> None:
    """Have messages of a kind made by a function, as they are sent."""
    _MAKERS[kind] = maker
