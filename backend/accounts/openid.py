"""OpenID Connect: leads to the provider and reads what it says of a person.

Authorization code with PKCE (RFC 7636); the ID token is checked as OpenID Connect Core 1.0,
3.1.3.7 has it. Signatures and claims are joserfc's business, requests that of
``common.outgoing``. Nothing here knows accounts. joserfc is loaded by the first sign-in: most
services have no such provider.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, urlencode

from django.conf import settings
from django.utils.crypto import constant_time_compare

from common import outgoing
from common.errors import Conflict, NotSignedIn, Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from joserfc.jwk import KeySet

logger = logging.getLogger(__name__)

# Made with a key pair: the client's secret, which several may know, signs nothing.
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
LEEWAY_S = 60
ANSWER_BYTES_MAX = 1 << 20
KNOWN_S = 600.0
CALLBACK = "/openid"
AWAY = "The sign-in provider does not answer. Try again in a little while."
STALE = "This sign-in was begun elsewhere, or too long ago. Begin again."
REFUSED = "The sign-in provider did not let you in. Begin again, or ask whoever runs it."
UNTRUE = "The answer of the sign-in provider does not hold. Begin again."


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in under way: what its answer is held against."""

    state: str
    nonce: str
    verifier: str

    def as_dict(self) -> dict[str, str]:
        """Return what the session keeps of it."""
        return {"state": self.state, "nonce": self.nonce, "verifier": self.verifier}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the provider put into the address that it led back to."""

    state: str
    code: str = ""
    iss: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What the provider says of who signed in."""

    issuer: str
    subject: str
    email: str
    is_verified: bool
    groups: tuple[str, ...]


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


def begin() -> tuple[str, Begun]:
    """Return the provider's address to go to, and what to hold its answer against.

    Raises
    ------
    Unreachable
        When the provider does not answer.
    """
    begun = Begun(*(secrets.token_urlsafe(32) for _ in range(3)))
    asked = {
        "response_type": "code",
        "client_id": told()["client_id"],
        "redirect_uri": _callback(),
        "scope": told()["scopes"],
        "state": begun.state,
        "nonce": begun.nonce,
        "code_challenge": _challenge(begun.verifier),
        "code_challenge_method": "S256",
    }
    address = str(Known.get().metadata["authorization_endpoint"])
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}", begun


def finish(begun: Mapping[str, str] | None, answer: Answer, now: datetime) -> Said:
    """Exchange the code that the provider answered with for what it says of the person.

    Raises
    ------
    NotSignedIn
        When it is the answer to another question, a refusal, or does not hold.
    Unreachable
        When the provider does not answer.
    """
    if not begun or not constant_time_compare(begun["state"], answer.state):
        raise NotSignedIn(STALE)
    # RFC 9207: an answer that another provider made is not taken to this one.
    if answer.iss and answer.iss != told()["issuer"]:
        raise NotSignedIn(UNTRUE)
    if answer.error or not answer.code:
        raise NotSignedIn(REFUSED)
    tokens = _exchange(Known.get(), answer.code, begun["verifier"])
    claims = _verified(str(tokens.get("id_token", "")), begun["nonce"], now)
    return _said({**_more(claims, str(tokens.get("access_token", ""))), **claims})


def claims_of(token: str, provider: Provider, nonce: str, now: datetime) -> dict[str, Any]:
    """Return what an ID token says, once its signature and all that it is for are right.

    Raises
    ------
    JoseError, ValueError
        When anything is not.
    """
    from joserfc import jwt

    claims = jwt.decode(token, provider.keys, algorithms=ALGORITHMS).claims
    client_id = told()["client_id"]
    jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=LEEWAY_S,
        iss={"essential": True, "value": told()["issuer"]},
        sub={"essential": True},
        aud={"essential": True, "value": client_id},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": nonce},
    ).validate(claims)
    others = [one for one in _texts(claims["aud"]) if one != client_id]
    if (others or "azp" in claims) and claims.get("azp") != client_id:
        message = "the token was made for another client"
        raise ValueError(message)
    return claims


def _verified(token: str, nonce: str, now: datetime) -> dict[str, Any]:
    from joserfc.errors import JoseError

    try:
        return claims_of(token, Known.get(), nonce, now)
    except (JoseError, ValueError):
        # Keys change: what was signed with a new one is checked with those of now.
        provider = Known.get(anew=True)
    try:
        return claims_of(token, provider, nonce, now)
    except (JoseError, ValueError) as exc:
        logger.warning("an ID token does not hold: %s", exc)
        raise NotSignedIn(UNTRUE) from exc


def _exchange(provider: Provider, code: str, verifier: str) -> dict[str, Any]:
    client_id, secret = told()["client_id"], told()["client_secret"]
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": _callback(),
        "code_verifier": verifier,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    methods = provider.metadata.get("token_endpoint_auth_methods_supported")
    if methods is None or "client_secret_basic" in methods:
        pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    else:
        form |= {"client_id": client_id, "client_secret": secret}
    body = urlencode(form).encode()
    return _asked(str(provider.metadata["token_endpoint"]), headers, body)


def _more(claims: Mapping[str, Any], access_token: str) -> dict[str, Any]:
    """What only the address for it says, where the token leaves out what is needed."""
    needed = {"email", "email_verified"}
    if told()["roles"]:
        needed.add(told()["groups_claim"])
    address = Known.get().metadata.get("userinfo_endpoint")
    if not needed - set(claims) or not address or not access_token:
        return {}
    headers = {"Authorization": f"Bearer {access_token}", "Accept": "application/json"}
    more = _asked(str(address), headers)
    if more.get("sub") != claims["sub"]:
        logger.warning("the provider speaks of another person than it let in")
        raise NotSignedIn(UNTRUE)
    return more


def _said(claims: Mapping[str, Any]) -> Said:
    return Said(
        issuer=told()["issuer"],
        subject=str(claims["sub"]),
        email=str(claims.get("email") or "").strip().lower(),
        # some write it as a text
        is_verified=claims.get("email_verified") in (True, "true"),
        groups=tuple(_texts(claims.get(told()["groups_claim"]) or ())),
    )


def _provider(issuer: str) -> Provider:
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    metadata = _asked(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if metadata.get("issuer") != issuer:
        logger.error("OIDC_ISSUER is %r, the provider calls itself otherwise", issuer)
        raise Unreachable(AWAY)
    try:
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            outgoing.target_of(str(metadata[name]))
        keys = KeySet.import_key_set(_asked(str(metadata["jwks_uri"])))  # type: ignore[arg-type]  # checked by it
    except (JoseError, ValueError, KeyError, TypeError, outgoing.Unsendable) as exc:
        logger.exception("what the sign-in provider says of itself cannot be used")
        raise Unreachable(AWAY) from exc
    return Provider(metadata, keys)


def _asked(
    url: str, headers: dict[str, str] | None = None, body: bytes | None = None
) -> dict[str, Any]:
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


def told() -> dict[str, Any]:
    """Return what the operator says of the provider."""
    found: dict[str, Any] = settings.OPENID or {}
    return found


def require_on() -> None:
    """Refuse where there is no provider.

    Raises
    ------
    Conflict
        Saying so.
    """
    if settings.OPENID is None:
        raise Conflict("This service knows no other sign-in. Use your password.")


def _callback() -> str:
    return f"{settings.WEB_URL}{CALLBACK}"


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value if isinstance(one, str)]
