"""Signing in, tokens, workspaces, audit."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.hashers import (
    UNUSABLE_PASSWORD_PREFIX,
    check_password,
    make_password,
)
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, transaction
from django.utils import timezone

from accounts import security_keys, totp
from accounts.crossing import Account, account_by_email, account_by_id
from accounts.devices import device_known
from accounts.models import (
    ApiToken,
    AuditEntry,
    Member,
    SamlAnswer,
    SignInCode,
    SignInFailure,
    User,
    Workspace,
)
from accounts.secrets import code_new, hash_of, token_new
from accounts.sessions import mark_of
from capmodels.errors import Fault
from common.errors import CodeNeeded, Forbidden, Invalid, NotSignedIn, TooMany, existing
from common.principal import OWNER, SCOPES, USUAL_SCOPES, Principal
from common.routing import IDENTITY
from common.tenancy import current_workspace_id, workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Taking = Callable[[UUID, str, datetime], bool]

CODE_LIFE = timedelta(minutes=10)
FAILURES_WINDOW = timedelta(minutes=15)
# Of one address for one account, of one address at all, of one session's own password. One-time
# codes: of one address for one account, of all addresses for it, of one browser that its owner
# came in with, and in a session. Messages to one address, and asked for by one.
# Of what a security key answers, as JSON; a code of any other kind is shorter.
CODE_MAX = 4_000
FAILURES_MAX = {
    "pair": 10,
    "address": 30,
    "password": 10,
    "code_pair": 10,
    "code": 20,
    "code_device": 10,
    "code_own": 10,
    "mail": 5,
    "mailer": 20,
}
# Above so many refusals from anywhere an account is being guessed at: each address gets a few
# tries then. Who was refused nowhere is never kept out of their own account.
ATTACKED_FROM, ATTACKED_PAIR_MAX = 50, 3
TOKEN_LIFE_MOST = timedelta(days=365)
ONE_SITTING = timedelta(minutes=5)
FRESH_LIFE = timedelta(minutes=15)
REFUSED = "The e-mail address or the password is not right."
STALE = "Sign in again with a new link, then set a password within 15 minutes."
CODE_WRONG = "The code is not right, or was used already. Wait for the next one."
CODES_GUESSED = (
    "Too many wrong codes came for this account. Use a recovery code or a browser that you came in "
    "with before, or try again later."
)
CODE_REFUSED = "This sign-in code was used already, or is older than 10 minutes. Get a new one."


def workspace_create(
    *,
    email: str,
    name: str,
    password: str | None = None,
    verified_at: datetime | None = None,
) -> Account:
    """Create a user with a workspace of their own, and return the account."""
    workspace_id, user_id = uuid4(), uuid4()
    with workspace(workspace_id):
        Workspace.objects.create(id=workspace_id, name=name)
        user = User(id=user_id, email=email.lower(), verified_at=verified_at)
        user.set_password(password)
        member_new(user, OWNER)
        audit_record(email, "workspace.create", target=name)
    return Account(user_id, user.email, mark_of(user.password), workspace_id, name, OWNER)


def member_new(user: User, role: str, *, by_group: bool = False) -> None:
    """Add a new person to the entered workspace, in its transaction."""
    # The member first: row-level security lets a user in by their membership.
    Member.objects.create(user_id=user.id, role=role, by_group=by_group)
    user.save(using=DEFAULT_DB_ALIAS, force_insert=True)


def password_set(*, account: Account, password: str) -> None:
    """Give the user a password; sessions that began with another one end."""
    with transaction.atomic(using=IDENTITY), workspace(account.workspace_id):
        User.objects.filter(id=account.user_id).update(password=make_password(password))
        audit_record(account.email, "password.set")


def password_change(
    *,
    account: Account,
    new: str,
    old: str | None = None,
    began_at: datetime | None = None,
    now: datetime | None = None,
) -> Account:
    """Exchange the user's password, or set the first one; return the account with it.

    Where none is set yet the session, begun at ``began_at``, must be a fresh one.

    Raises
    ------
    Invalid
        When the old password is not right, or the new one is too weak.
    Forbidden
        When there is no password yet and the session is not fresh.
    TooMany
        After too many wrong old passwords.
    """
    now = now or timezone.now()
    if has_password(account):
        if not old:
            raise Invalid.at("/old", "Enter the password that is set now.", "missing")
        require_password(account, old, now, pointer="/old")
    elif not is_fresh(began_at, now):
        raise Forbidden(STALE)
    require_strength(User(id=account.user_id, email=account.email), new, "/new")
    password_set(account=account, password=new)
    changed = account_by_id(account.user_id)
    if changed is None:
        raise NotSignedIn
    return changed


def has_password(account: Account) -> bool:
    """Whether the user can sign in with a password."""
    return not password_of(account.user_id).startswith(UNUSABLE_PASSWORD_PREFIX)


def password_of(user_id: UUID) -> str:
    """Return what is stored of a password; the app role could not ask."""
    return User.objects.values_list("password", flat=True).get(id=user_id)


def is_fresh(began_at: datetime | None, now: datetime) -> bool:
    """Whether a session began so lately that nobody else can have taken it over."""
    return began_at is not None and now - began_at <= FRESH_LIFE


def code_create(*, user_id: UUID, now: datetime | None = None) -> str:
    """Return a code that signs the user in once, within ten minutes."""
    code = code_new()
    SignInCode.objects.create(
        code_hash=hash_of(code), user_id=user_id, expires_at=(now or timezone.now()) + CODE_LIFE
    )
    return code


def sign_in_with_code(*, code: str, address: str, now: datetime | None = None) -> Account:
    """Exchange a one-time code for its user's account; the code is gone afterwards.

    Raises
    ------
    NotSignedIn
        When the code is unknown, used or too old.
    TooMany
        After too many refusals.
    """
    now = now or timezone.now()
    _require_patience({"address": address}, now)
    user_id = _code_redeem(hash_of(code), now)
    account = account_by_id(user_id) if user_id else None
    if account is None:
        _note_failure({"address": address}, now)
        raise NotSignedIn(CODE_REFUSED)
    audit_sign_in(account, "session.create.code")
    return account


def sign_in_with_password(
    *,
    email: str,
    password: str,
    address: str,
    otp: str = "",
    device: str = "",
    now: datetime | None = None,
) -> Account:
    """Return the account that e-mail and password belong to.

    Raises
    ------
    CodeNeeded
        When the password is right, and a one-time code is asked for besides.
    NotSignedIn
        The same for an unknown address as for a wrong password, after the same time.
    TooMany
        After too many refusals of this address.
    """
    now = now or timezone.now()
    keys = {"pair": f"{address} {email.lower()}", "address": address}
    guessed = len(_refused_at({"email": email.lower()}, now, ATTACKED_FROM)) == ATTACKED_FROM
    _require_patience(keys, now, most={"pair": ATTACKED_PAIR_MAX} if guessed else {})
    account = account_by_email(email.lower())
    if account is None or not has_password(account):
        make_password(password)
        right = False
    else:
        right = check_password(password, password_of(account.user_id))
    if account is None or not right:
        _note_failure({**keys, "email": email.lower()}, now)
        if account is not None:
            with workspace(account.workspace_id):
                audit_record(account.email, "session.refuse", target=address)
        raise NotSignedIn(REFUSED)
    asked = require_code(account, otp, address=address, device=device, now=now)
    audit_sign_in(account, "session.create.two_step" if asked else "session.create.password")
    return account


def require_code(
    account: Account, code: str, *, address: str, now: datetime, device: str = ""
) -> bool:
    """Take a one-time code where the person is asked for one; say whether they are.

    Wrong ones of an address are counted for it, and those from everywhere together, so that they
    stay few. Neither keeps out who has a recovery code, which nobody guesses, or a browser that
    they came in with before (``device``), whose wrong ones are counted apart.

    Raises
    ------
    CodeNeeded
        When there is none.
    NotSignedIn
        When it is not right.
    TooMany
        After too many that were not.
    """
    if not totp.is_on(account.user_id):
        return False
    if not code:
        asked = security_keys.request_of(account.user_id, now)
        raise CodeNeeded(extra={} if asked is None else {"key_request": asked})
    if known := device_known(device, account.user_id):
        is_right = code_is_right(account, code, now, {"code_device": known})
    else:
        is_right = _code_of_a_stranger(account, code, now, address)
    if not is_right:
        with workspace(account.workspace_id):
            audit_record(account.email, "session.refuse.code", target=address)
        raise NotSignedIn(CODE_WRONG)
    return True


def _code_of_a_stranger(account: Account, code: str, now: datetime, address: str) -> bool:
    pair = {"code_pair": f"{address} {account.user_id}"}
    everywhere = {"code": str(account.user_id)}
    try:
        _require_patience(everywhere, now, CODES_GUESSED)
    except TooMany:
        if code_is_right(account, code, now, pair, _take_unguessable):
            return True
        raise
    return code_is_right(account, code, now, pair | everywhere)


def _is_of_a_key(code: str) -> bool:
    return code.startswith("{")


def take_code(user_id: UUID, code: str, now: datetime) -> bool:
    """Say whether a code is right, or is what a security key answered; it is used up."""
    take = security_keys.take if _is_of_a_key(code) else totp.take
    return take(user_id, code, now)


def _take_unguessable(user_id: UUID, code: str, now: datetime) -> bool:
    take = security_keys.take if _is_of_a_key(code) else totp.take_recovery
    return take(user_id, code, now)


def code_is_right(
    account: Account, code: str, now: datetime, keys: dict[str, str], take: Taking = take_code
) -> bool:
    """Use a one-time code up; a wrong one is counted under the keys.

    Raises
    ------
    TooMany
        After too many wrong ones, saying when to try again.
    """
    _require_patience(keys, now, "Too many wrong codes. Wait a little, then try again.")
    if take(account.user_id, code, now):
        return True
    _note_failure(keys, now)
    return False


def token_create(
    *,
    principal: Principal,
    title: str,
    scopes: list[str] | None = None,
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Return a new token's row and the token itself, which is not kept."""
    secret = token_new()
    row = ApiToken.objects.create(
        title=title,
        prefix=secret[:10],
        token_hash=hash_of(secret),
        scopes=[scope for scope in SCOPES if scope in (scopes or USUAL_SCOPES)],
        created_by_id=principal.user_id,
        expires_at=expires_at,
    )
    audit_record(principal, "token.create", target=title)
    return row, secret


def token_revoke(*, principal: Principal, token_id: UUID, now: datetime | None = None) -> None:
    """Make a token worthless from now on; twice is as good as once.

    Raises
    ------
    NotFound
        When the workspace has no such token.
    """
    token = existing(ApiToken.objects.filter(id=token_id).first())
    if token.revoked_at is None:
        token.revoked_at = now or timezone.now()
        token.save(update_fields=["revoked_at"])
        audit_record(principal, "token.revoke", target=token.title)


def audit_record(
    actor: Principal | str, action: str, *, target: str = "", detail: dict[str, Any] | None = None
) -> None:
    """Write down what was done, in the transaction that does it."""
    email, token_id = (
        (actor.email, actor.token_id) if isinstance(actor, Principal) else (actor, None)
    )
    AuditEntry.objects.create(
        workspace_id=current_workspace_id(),
        actor_email=email,
        token_id=token_id,
        action=action,
        target=target[:200],
        detail=detail or {},
    )


def audit_change(actor: Principal, action: str, *, target: str, detail: dict[str, Any]) -> None:
    """Write down a change that comes in many small saves: once, while a person is at it."""
    since = timezone.now() - ONE_SITTING
    known = AuditEntry.objects.filter(
        actor_email=actor.email, token=actor.token_id, action=action, created_at__gt=since
    )
    if not known.filter(detail=detail).exists():
        audit_record(actor, action, target=target, detail=detail)


def mail_patience(*, email: str, address: str, now: datetime) -> None:
    """Count a request for mail to an address, from an address of the network.

    Raises
    ------
    TooMany
        After too many of either.
    """
    keys = {"mail": email, "mailer": address}
    _require_patience(keys, now, "Too many messages were asked for. Wait a little, then try again.")
    _note_failure(keys, now)


def sign_in_prune(now: datetime | None = None) -> None:
    """Remove codes, refusals and answers of providers that no longer matter."""
    now = now or timezone.now()
    SignInCode.objects.filter(expires_at__lt=now).delete()
    SignInFailure.objects.filter(at__lt=now - FAILURES_WINDOW).delete()
    SamlAnswer.objects.filter(expires_at__lt=now).delete()


def _code_redeem(code_hash: str, now: datetime) -> UUID | None:
    code = SignInCode.objects.filter(code_hash=code_hash, expires_at__gt=now).first()
    # Whoever deletes the row has the code; a second exchange at the same moment deletes none.
    if code is None or SignInCode.objects.filter(code_hash=code_hash).delete()[0] == 0:
        return None
    return code.user_id


def require_password(account: Account, given: str, now: datetime, *, pointer: str) -> None:
    """Refuse what is not the password of who is signed in.

    Raises
    ------
    Invalid
        At the pointer.
    TooMany
        After too many.
    """
    key = {"password": str(account.user_id)}
    _require_patience(key, now, "Too many wrong passwords. Wait a little, then try again.")
    if not check_password(given, password_of(account.user_id)):
        _note_failure(key, now)
        raise Invalid.at(pointer, "This is not the password that is set now.", "wrong")


def require_strength(user: User, password: str, pointer: str) -> None:
    """Refuse a password that is easy to guess, with every reason.

    Raises
    ------
    Invalid
        With the reasons, at the pointer.
    """
    try:
        validate_password(password, user)
    except ValidationError as error:
        faults = [
            Fault(pointer, entry.code or "too_weak", _WEAK.get(entry.code or "", _GUESSED))
            for entry in error.error_list
        ]
        raise Invalid(faults=faults) from error


_LEAST = settings.PASSWORD_LENGTH_LEAST
_GUESSED = "This password is easy to guess. Choose another."
_WEAK = {
    "password_too_similar": "This password is like the address. Choose another.",
    "password_too_short": f"This password is too short. Enter at least {_LEAST} characters.",
    "password_too_common": "This password is among the most common ones. Choose another.",
    "password_entirely_numeric": "This password has digits only. Add letters.",
}


def audit_sign_in(account: Account, action: str) -> None:
    """Write down that somebody signed in, and when."""
    User.objects.filter(id=account.user_id).update(last_login=timezone.now())
    with workspace(account.workspace_id):
        audit_record(account.email, action)


def _require_patience(
    keys: dict[str, str],
    now: datetime,
    sentence: str = "Too many sign-ins were refused. Wait a little, then try again.",
    *,
    most: Mapping[str, int] | None = None,
) -> None:
    limits = {**FAILURES_MAX, **(most or {})}
    for kind, value in keys.items():
        times = _refused_at({kind: value}, now, limits[kind])
        if len(times) == limits[kind]:
            wait = times[-1] + FAILURES_WINDOW - now
            raise TooMany(sentence, retry_after_s=max(1, int(wait.total_seconds())))


def _refused_at(key: dict[str, str], now: datetime, most: int) -> list[datetime]:
    """Times of the latest refusals, at most so many."""
    ((kind, value),) = key.items()
    recent = SignInFailure.objects.filter(
        key=hash_of(f"{kind}:{value}"), at__gt=now - FAILURES_WINDOW
    ).order_by("-at")
    return list(recent.values_list("at", flat=True)[:most])


def _note_failure(keys: dict[str, str], now: datetime) -> None:
    SignInFailure.objects.bulk_create(
        SignInFailure(key=hash_of(f"{kind}:{value}"), at=now) for kind, value in keys.items()
    )


def number_format_choose(*, principal: Principal, number_format: str) -> None:
    """Have a member's numbers in the entered workspace written so; empty: as their browser."""
    Member.objects.filter(user_id=principal.user_id).update(number_format=number_format)
    audit_record(principal, "member.number_format", target=number_format)
