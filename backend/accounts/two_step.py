"""Turning codes of an authenticator on and off, by oneself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import segno
from django.utils import timezone

from accounts import services, totp
from common.errors import Conflict, Invalid
from common.tenancy import workspace

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.crossing import Account

NO_PASSWORD = "Set a password first: the code is asked for after it."


@dataclass(frozen=True, slots=True)
class State:
    """Whether codes are asked for."""

    is_on: bool
    has_password: bool
    recovery_left: int


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
    """Ask a person for codes no more, as somebody may who runs the service."""
    if totp.end(account.user_id):
        with workspace(account.workspace_id):
            services.audit_record(actor, "account.codes.off", target=account.email)


def _require_password(account: Account, password: str, now: datetime) -> None:
    if not services.has_password(account):
        raise Conflict(NO_PASSWORD)
    services.require_password(account, password, now, pointer="/password")


def _require_both(account: Account, password: str, code: str, now: datetime) -> None:
    if not totp.is_on(account.user_id):
        raise Conflict("Codes are not asked for.")
    _require_password(account, password, now)
    _require_code(account, code, now, totp.take)


def _require_code(account: Account, code: str, now: datetime, take: services.Taking) -> None:
    keys = {"code_own": str(account.user_id)}
    if not services.code_is_right(account, code, now, keys, take):
        raise Invalid.at("/code", services.CODE_WRONG, "wrong")
