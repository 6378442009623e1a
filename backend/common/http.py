"""Small facts about a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the client's address, as told by the outermost proxy that we trust."""
    address: str = request.META.get("REMOTE_ADDR", "")
    count = settings.TRUSTED_PROXIES_COUNT
    if not count:
        return address
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    return forwarded[-count] if len(forwarded) >= count and forwarded[-count] else address
