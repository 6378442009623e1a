"""Small facts about a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the client's address, as told by the outermost proxy that we trust."""
    return address_in(request.META)


def address_in(environ: Mapping[str, Any]) -> str:
    """Return the client's address by a request's WSGI environment."""
    address: str = environ.get("REMOTE_ADDR", "")
    count = settings.TRUSTED_PROXIES_COUNT
    if not count:
        return address
    forwarded = [part.strip() for part in environ.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    return forwarded[-count] if len(forwarded) >= count and forwarded[-count] else address
