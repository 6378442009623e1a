"""``Authorization: Link ...``: who came by a link, without an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication, exceptions

from accounts.secrets import hash_of
from common.principal import LINK, READ, Principal
from sharing.selectors import share_by_hash

if TYPE_CHECKING:
    from rest_framework.request import Request


class LinkAuthentication(authentication.BaseAuthentication):
    """Lets the holder of a link in, to what the link shows and nothing else."""

    def authenticate(self, request: Request) -> tuple[Principal, Principal] | None:
        """Return the link's principal, whose id is the link's; None when no link was sent."""
        kind, _, secret = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "link":
            return None
        found = share_by_hash(hash_of(secret.strip()), timezone.now())
        if found is None:
            message = "This link is not known, has ended or was revoked. Ask for another."
            raise exceptions.AuthenticationFailed(message, "link")
        share_id, workspace_id, workspace_name = found
        principal = Principal(
            user_id=share_id,
            email="",
            workspace_id=workspace_id,
            workspace_name=workspace_name,
            role=LINK,
            scopes=frozenset({READ}),
        )
        return principal, principal

    def authenticate_header(self, _request: Request) -> str:
        """Make the refusal a 401."""
        return "Link"


class LinkScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped in its package
    """Describes links in the API schema."""

    target_class = LinkAuthentication
    name = "link"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "apiKey", "in": "header", "name": "Authorization"}
