"""Who is asking: the holder of a bearer token, or a signed-in session."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from django.conf import settings
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication, exceptions

from accounts.crossing import Account, token_use
from accounts.secrets import hash_of
from accounts.sessions import (
    SESSION_AGENT,
    SESSION_BEGAN,
    SESSION_ID,
    SESSION_PASSWORD,
    SESSION_USER,
    SESSION_WORKSPACE,
    SessionStore,
)
from common import callers
from common.throttling import as_nobody

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest
    from rest_framework.request import Request

    from common.principal import Principal

PROVIDER_LIFE = timedelta(minutes=10)


class TokenAuthentication(authentication.BaseAuthentication):
    """``Authorization: Bearer amp_...``."""

    def authenticate(self, request: Request) -> tuple[Principal, Principal] | None:
        """Return the token's principal; None when no token was sent."""
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        with as_nobody(request._request):
            principal = token_use(hash_of(token.strip()), timezone.now())
        if principal is None:
            callers.forget(request.META)
            raise exceptions.AuthenticationFailed
        return principal, principal

    def authenticate_header(self, _request: Request) -> str:
        """Make the refusal a 401."""
        return "Bearer"


class SessionAuthentication(authentication.SessionAuthentication):
    """The session cookie, with a CSRF token on whatever changes something.

    Who asks is looked up each time, but where a view says ``reads_nothing``: a slider that moves
    asks many times a second, and the look-up takes a tenth of the answer.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the signed-in member; None when nobody is signed in."""
        context = request.parser_context or {}
        brief = getattr(context.get("view"), "reads_nothing", False)
        key = request._request.session.session_key if brief else None
        principal = BRIEFLY.get(key)
        if principal is None:
            account = session_account(cast("SessionStore", request._request.session))
            if account is None:
                return None
            principal = account.principal()
            BRIEFLY.put(key, principal)
        self.enforce_csrf(request)
        return principal, principal


class Briefly:
    """Who was looked up in the last seconds, by session."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Know nobody."""
        self._clock = clock
        self._known: dict[str, tuple[float, Principal]] = {}

    def get(self, key: str | None) -> Principal | None:
        """Return who was looked up a moment ago."""
        found = self._known.get(key) if key else None
        return found[1] if found is not None and self._clock() < found[0] else None

    def put(self, key: str | None, principal: Principal) -> None:
        """Keep who was looked up now; of too many all are forgotten."""
        if key is None:
            return
        if len(self._known) >= BRIEFLY_MOST:
            self._known = {}
        self._known[key] = (self._clock() + BRIEFLY_S, principal)


BRIEFLY_S = 5.0
BRIEFLY_MOST = 10_000
BRIEFLY = Briefly()


def principal_now(request: Request) -> Principal:
    """Return who asks, as it is stored now.

    Raises
    ------
    NotAuthenticated
        When the session has ended meanwhile.
    """
    principal = cast("Principal", request.auth)
    if principal.token_id is not None:
        return principal
    account = session_account(cast("SessionStore", request._request.session))
    if account is None:
        raise exceptions.NotAuthenticated
    return account.principal()


def session_account(session: SessionStore) -> Account | None:
    """Return the user of a session, unless they left or changed their password since."""
    user_id, account = session.get(SESSION_USER), session.account
    return account if account is not None and user_id == str(account.user_id) else None


def session_start(request: HttpRequest, account: Account) -> None:
    """Sign a user in, under a new session key."""
    session_renew(request, account)
    request.session.set_expiry(None)
    request.session[SESSION_BEGAN] = timezone.now().isoformat()
    request.session[SESSION_ID] = str(uuid4())
    request.session[SESSION_AGENT] = request.headers.get("User-Agent", "")[:200]


def session_provider_begin(request: HttpRequest, by: str, begun: dict[str, str]) -> None:
    """Keep what the answer of a sign-in provider is held against, for ten minutes."""
    request.session[by] = begun | {"at": timezone.now().isoformat()}
    if SESSION_USER not in request.session:
        request.session.set_expiry(int(PROVIDER_LIFE.total_seconds()))


def session_provider_take(request: HttpRequest, by: str, now: datetime) -> dict[str, str] | None:
    """Return what was kept, once, if it is not too old."""
    begun: dict[str, str] | None = request.session.pop(by, None)
    if begun is None or now - datetime.fromisoformat(begun["at"]) > PROVIDER_LIFE:
        return None
    return begun


def session_enter(request: HttpRequest, workspace_id: UUID) -> None:
    """Go on in this session in another workspace."""
    request.session[SESSION_WORKSPACE] = str(workspace_id)


def session_renew(request: HttpRequest, account: Account) -> None:
    """Go on in this session under another key, though the password is another one now."""
    request.session.cycle_key()
    request.session[SESSION_USER] = str(account.user_id)
    request.session[SESSION_PASSWORD] = account.password_mark


def session_began_at(session: SessionStore) -> datetime | None:
    """When the session's user signed in; None where that was not written down."""
    began = session.get(SESSION_BEGAN)
    return datetime.fromisoformat(began) if began else None


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped in its package
    """Describes bearer tokens in the API schema."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "http", "scheme": "bearer"}


class SessionCookieScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped in its package
    """Describes the session cookie in the API schema."""

    target_class = SessionAuthentication
    name = "session"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
