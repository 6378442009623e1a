"""The provider of OpenID Connect: what the operator and it say of it, and requests to it.

What it says of itself is read from its discovery document (OpenID Connect Discovery 1.0).
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings

from common import outgoing
from common.errors import NotSignedIn, Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from joserfc.jwk import KeySet

logger = logging.getLogger(__name__)

ANSWER_BYTES_MAX = 1 << 20
KNOWN_S = 600.0
AWAY = "The sign-in provider does not answer. Try again in a little while."
UNTRUE = "The answer of the sign-in provider does not hold. Begin again."


def told() -> dict[str, Any]:
    """Return what the operator says of the provider."""
    found: dict[str, Any] = settings.OPENID or {}
    return found


@dataclass(frozen=True, slots=True)
class Provider:
    """What the provider says of itself, and the keys that it signs with."""

    metadata: Mapping[str, Any]
    keys: KeySet


class Known:
    """The provider as it was lately; asked again after ten minutes, or when a key is new."""

    clock: ClassVar[Callable[[], float]] = time.monotonic
    _found: ClassVar[dict[str, tuple[float, Provider]]] = {}

    @classmethod
    def get(cls, *, anew: bool = False) -> Provider:
        """Return the provider."""
        issuer = told()["issuer"]
        until, provider = cls._found.get(issuer, (0.0, None))
        if provider is None or anew or cls.clock() >= until:
            provider = _provider(issuer)
            cls._found = {issuer: (cls.clock() + KNOWN_S, provider)}
        return provider

    @classmethod
    def forget(cls) -> None:
        """Ask the provider anew the next time."""
        cls._found = {}


def _provider(issuer: str) -> Provider:
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    metadata = asked(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if metadata.get("issuer") != issuer:
        logger.error("OIDC_ISSUER is %r, the provider calls itself otherwise", issuer)
        raise Unreachable(AWAY)
    try:
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            outgoing.target_of(str(metadata[name]))
        keys = KeySet.import_key_set(asked(str(metadata["jwks_uri"])))  # type: ignore[arg-type]  # checked by it
    except (JoseError, ValueError, KeyError, TypeError, outgoing.Unsendable) as exc:
        logger.exception("what the sign-in provider says of itself cannot be used")
        raise Unreachable(AWAY) from exc
    return Provider(metadata, keys)


def asked(
    url: str, headers: dict[str, str] | None = None, body: bytes | None = None
) -> dict[str, Any]:
    """Return the JSON that the provider answers with.

    Raises
    ------
    NotSignedIn
        When it refuses what is sent.
    Unreachable
        When it does not answer, or with nothing of use.
    """
    try:
        status, answer = outgoing.fetch(
            url,
            headers or {"Accept": "application/json"},
            most=ANSWER_BYTES_MAX,
            allowed=told()["private_hosts"],
            body=body,
        )
    except outgoing.Unsendable as exc:
        logger.warning("the sign-in provider cannot be reached: %s", exc)
        raise Unreachable(AWAY) from exc
    if 400 <= status < 500 and body is not None:
        # A code that was used, is too old, or of somebody else. What it says may name secrets.
        logger.warning("the sign-in provider refuses the code with %d", status)
        raise NotSignedIn(UNTRUE)
    try:
        found = json.loads(answer) if status == 200 else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        logger.warning("the sign-in provider answers with %d, and no JSON of use", status)
        raise Unreachable(AWAY)
    return found
