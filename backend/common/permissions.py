"""Who may do what: every operation has one permission, and this is the table of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rest_framework.permissions import SAFE_METHODS, BasePermission

from common.errors import Forbidden
from common.operations import operation_of
from common.principal import (
    EDITOR,
    LINK,
    MANAGE,
    OWNER,
    PROVISION,
    READ,
    ROLE_WORDS,
    ROLES,
    RUN,
    WRITE,
    Principal,
)

if TYPE_CHECKING:
    # DRF's views import this module while they are being loaded.
    from rest_framework.request import Request
    from rest_framework.views import APIView

ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Permission:
    """What a caller needs: one of the roles, and, with a token, the scope.

    Without a scope it is a person's, in a session: no token may do it.
    """

    roles: tuple[str, ...]
    scope: str | None


PERMISSIONS = {
    "read": Permission(ROLES, READ),
    "evaluate": Permission(ROLES, RUN),
    "report": Permission(ROLES, RUN),
    "comment": Permission(ROLES, WRITE),
    "run": Permission((OWNER, EDITOR), RUN),
    "write": Permission((OWNER, EDITOR), WRITE),
    "packs": Permission((OWNER,), WRITE),
    "automate": Permission((OWNER,), MANAGE),
    "provision": Permission((OWNER,), PROVISION),
    "manage": Permission((OWNER,), None),
    "self": Permission(ROLES, None),
    "shared": Permission((LINK,), None),
}


def permission_of(view: Any, method: str) -> str:
    """Return the name of the permission that a view asks for; ``anyone`` asks for none."""
    if not view.permission_classes:
        return ANYONE
    usual = "read" if method in SAFE_METHODS else "write"
    declared = operation_of(view, method)
    return (declared and declared.permission) or getattr(view, "may", None) or usual


class HasPermission(BasePermission):
    """Signed in, in a role that may, and with the scope where a token asks.

    ``read`` for safe methods and ``write`` for the others; an operation says otherwise by ``may``.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return False for nobody; raise Forbidden when role or scope does not do."""
        principal = request.auth
        if not isinstance(principal, Principal):
            return False
        require(principal, permission_of(view, request.method or ""))
        return True


def require(principal: Principal, name: str) -> None:
    """Raise Forbidden, with the reason, unless the principal has a permission."""
    needed = PERMISSIONS[name]
    if principal.token_id is not None:
        if needed.scope is None:
            raise Forbidden("No token may do this. Sign in, and do it there.")
        # An answer to a change shows what is stored, so whoever changes must be able to read; who
        # provisions people is shown those, and nothing else.
        for scope in {needed.scope, PROVISION if needed.scope == PROVISION else READ}:
            if scope not in principal.scopes:
                message = f"This token lacks the scope {scope!r}."
                raise Forbidden(message)
    if principal.role not in needed.roles:
        least = " or ".join(ROLE_WORDS[role][0] for role in reversed(needed.roles))
        named = "here by a link" if principal.role == LINK else ROLE_WORDS[principal.role][0]
        message = f"This takes {least} of the workspace; you are {named}."
        raise Forbidden(message)
