"""Turning codes of an authenticator on and off, by oneself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import segno
from django.utils import timezone

from accounts import security_keys, services, totp
from common.errors import Conflict, Invalid, NotFound
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from accounts.crossing import Account
    from accounts.models import SecurityKey

NO_PASSWORD = "Set a password first: the code is asked for after it."


@dataclass(frozen=True, slots=True)
class State:
    """Whether codes are asked for."""

    is_on: bool
    has_password: bool
    recovery_left: int
    keys: Sequence[SecurityKey]


@dataclass(frozen=True, slots=True)
class Begun:
    """What an authenticator is given."""

    secret: str
    address: str
    # A picture of the address, as an address itself.
    picture: str


def state(account: Account) -> State:
    """Return whether a person is asked for codes."""
    return State(
        is_on=totp.is_on(account.user_id),
        has_password=services.has_password(account),
        recovery_left=totp.recovery_left(account.user_id),
        keys=security_keys.keys_of(account.user_id),
    )


def begin(*, account: Account, password: str, now: datetime | None = None) -> Begun:
    """Return a new secret for an authenticator; nothing is asked for before a code of it came.

    Raises
    ------
    Conflict
        When codes are asked for already, or there is no password.
    Invalid, TooMany
        When the password is not right, once or too often.
    """
    _require_password(account, password, now or timezone.now())
    if totp.is_on(account.user_id):
        raise Conflict("Codes are asked for already. Turn that off first.")
    secret = totp.begin(account.user_id)
    address = totp.address_of(secret, account.email)
    picture: str = segno.make_qr(address).svg_data_uri(scale=4, light="white")
    return Begun(secret, address, picture)


def confirm(*, account: Account, code: str, now: datetime | None = None) -> list[str]:
    """Ask for codes from now on; return the recovery codes, which are shown this once.

    Raises
    ------
    Invalid, TooMany
        When the code is not right, once or too often.
    """
    now = now or timezone.now()
    _require_code(account, code, now, totp.confirm)
    with workspace(account.workspace_id):
        services.audit_record(account.email, "account.codes.on")
    return totp.recovery_renew(account.user_id)


def renew(*, account: Account, password: str, code: str, now: datetime | None = None) -> list[str]:
    """Return new recovery codes in place of those before.

    Raises
    ------
    Invalid, TooMany
        When password or code is not right, once or too often.
    """
    _require_both(account, password, code, now or timezone.now())
    with workspace(account.workspace_id):
        services.audit_record(account.email, "account.codes.renew")
    return totp.recovery_renew(account.user_id)


def end(*, account: Account, password: str, code: str, now: datetime | None = None) -> None:
    """Ask for codes no more.

    Raises
    ------
    Invalid, TooMany
        When password or code is not right, once or too often.
    """
    _require_both(account, password, code, now or timezone.now())
    end_by(account, account.email)


def end_by(account: Account, actor: str) -> None:
    """Ask a person for codes and keys no more, as somebody may who runs the service."""
    security_keys.end(account.user_id)
    if totp.end(account.user_id):
        with workspace(account.workspace_id):
            services.audit_record(actor, "account.codes.off", target=account.email)


def key_begin(
    *, account: Account, password: str, code: str, now: datetime | None = None
) -> dict[str, Any]:
    """Return what a browser makes a key by.

    Raises
    ------
    Conflict
        When codes are not asked for, there are too many keys, or the service has no name.
    Invalid, TooMany
        When password or code is not right, once or too often.
    """
    now = now or timezone.now()
    _require_both(account, password, code, now)
    return security_keys.registration(account, now)


def key_confirm(
    *, account: Account, title: str, answer: str, now: datetime | None = None
) -> SecurityKey:
    """Take what a new key answered; it lets in from now on.

    Raises
    ------
    Conflict
        When codes are not asked for.
    Invalid
        When it is not the answer to what was asked.
    """
    _require_on(account)
    row = security_keys.register(account.user_id, title, answer, now or timezone.now())
    with workspace(account.workspace_id):
        services.audit_record(account.email, "account.key.add", target=title)
    return row


def key_request(*, account: Account, now: datetime | None = None) -> dict[str, Any]:
    """Return what a browser asks one's keys by.

    Raises
    ------
    Conflict
        When there is none.
    """
    asked = security_keys.request_of(account.user_id, now or timezone.now())
    if asked is None:
        raise Conflict("There is no key. Add one first.")
    return asked


def key_end(
    *, account: Account, key: UUID, password: str, code: str, now: datetime | None = None
) -> None:
    """Let a key in no more.

    Raises
    ------
    NotFound
        When one has no such key.
    Invalid, TooMany
        When password or code is not right, once or too often.
    """
    _require_both(account, password, code, now or timezone.now())
    titles = security_keys.end(account.user_id, key)
    if not titles:
        raise NotFound
    with workspace(account.workspace_id):
        services.audit_record(account.email, "account.key.remove", target=titles[0])


def _require_password(account: Account, password: str, now: datetime) -> None:
    if not services.has_password(account):
        raise Conflict(NO_PASSWORD)
    services.require_password(account, password, now, pointer="/password")


def _require_both(account: Account, password: str, code: str, now: datetime) -> None:
    _require_on(account)
    _require_password(account, password, now)
    _require_code(account, code, now, services.take_code)


def _require_on(account: Account) -> None:
    if not totp.is_on(account.user_id):
        raise Conflict("Codes are not asked for. Turn them on first.")


def _require_code(account: Account, code: str, now: datetime, take: services.Taking) -> None:
    keys = {"code_own": str(account.user_id)}
    if not services.code_is_right(account, code, now, keys, take):
        raise Invalid.at("/code", services.CODE_WRONG, "wrong")
