"""Whose a request is, before anything of it is looked up."""

from __future__ import annotations

from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

from django.conf import settings

from common.http import address_in

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from uuid import UUID

_KNOWN_MOST = 20_000
_known: dict[bytes, UUID] = {}


def note(environ: Mapping[str, Any], workspace_id: UUID) -> None:
    """Keep for which workspace a session or token asked just now; of too many all are forgotten."""
    if (key := _credential(environ)) is not None:
        if len(_known) >= _KNOWN_MOST:
            _known.clear()
        _known[key] = workspace_id


def forget(environ: Mapping[str, Any]) -> None:
    """Know no more whose a session or token was."""
    _known.pop(_credential(environ) or b"", None)


def workspace_of(environ: Mapping[str, Any]) -> UUID | None:
    """Return the workspace that the request's session or token asked for last, if it did here."""
    key = _credential(environ)
    return None if key is None else _known.get(key)


def caller_of(environ: Mapping[str, Any]) -> Hashable:
    """Return the workspace; of who is not known yet, the address."""
    return workspace_of(environ) or address_in(environ)


def _credential(environ: Mapping[str, Any]) -> bytes | None:
    shown = environ.get("HTTP_AUTHORIZATION")
    if shown is None and (cookies := environ.get("HTTP_COOKIE")):
        try:
            morsel = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
        except CookieError:
            return None
        shown = morsel.value if morsel else None
    return sha256(shown.encode()).digest() if shown else None
