"""Browsers that somebody came in with before: a mark in a cookie, which only a full sign-in makes.

Who guesses codes has none. So wrong codes from everywhere can be counted together, and its owner is
let in beside them (OWASP: device cookies).
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing

from accounts import totp

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

COOKIE = "ampacity-device"
LIFE = timedelta(days=366)
_SALT = "accounts.device"


def device_new(user_id: UUID) -> str:
    """Return a mark of a browser for one person, signed."""
    return signing.dumps([str(user_id), secrets.token_urlsafe(12)], salt=_SALT)


def device_known(mark: str, user_id: UUID) -> str:
    """Return what names the browser; empty for a mark that is forged, old or somebody else's."""
    try:
        whose, name = signing.loads(mark, salt=_SALT, max_age=LIFE)
    except signing.BadSignature:
        return ""
    return str(name) if whose == str(user_id) else ""


def device_of(request: HttpRequest) -> str:
    """Return the mark that a browser sends."""
    return request.COOKIES.get(COOKIE, "")


def device_remember(request: HttpRequest, response: HttpResponseBase, user_id: UUID) -> None:
    """Mark the browser of who was asked for a code and came in."""
    if not totp.is_on(user_id) or device_known(device_of(request), user_id):
        return
    response.set_cookie(
        COOKIE,
        device_new(user_id),
        max_age=LIFE,
        path="/api/v1/",
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
