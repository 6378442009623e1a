"""Which scope a request needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission

from common.errors import Forbidden
from common.principal import READ, WRITE, Principal

if TYPE_CHECKING:
    # DRF's views import this module while they are being loaded.
    from rest_framework.request import Request
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """Signed in, with ``read`` for safe methods and ``write`` for the others.

    A view says otherwise by ``scopes = {"POST": "run"}``.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return False for nobody; raise Forbidden when the scope is missing."""
        principal = request.auth
        if not isinstance(principal, Principal):
            return False
        usual = READ if request.method in SAFE_METHODS else WRITE
        needed = getattr(view, "scopes", {}).get(request.method, usual)
        # An answer to a change shows what is stored, so whoever changes must be able to read.
        for scope in (needed, READ):
            if scope not in principal.scopes:
                message = f"This token lacks the scope {scope!r}."
                raise Forbidden(message)
        return True
