"""OpenID Connect: leads to the provider and reads what it says of a person.

Authorization code with PKCE (RFC 7636); the ID token is checked as OpenID Connect Core 1.0,
3.1.3.7 has it. Signatures and claims are joserfc's business, requests that of
``accounts.openid_provider``. Nothing here knows accounts. joserfc is loaded by the first sign-in:
most services have no such provider.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.utils.crypto import constant_time_compare

from accounts.openid_provider import UNTRUE, Known, asked, told
from accounts.provider_people import Said
from common.errors import Conflict, NotSignedIn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accounts.openid_provider import Provider


logger = logging.getLogger(__name__)

# Made with a key pair: the client's secret, which several may know, signs nothing.
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
LEEWAY_S = 60
CALLBACK = "/openid"
STALE = "This sign-in was begun elsewhere, or too long ago. Begin again."
REFUSED = "The sign-in provider did not let you in. Begin again, or ask whoever runs it."


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in under way: what its answer is held against."""

    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the provider put into the address that it led back to."""

    state: str
    code: str = ""
    iss: str = ""
    error: str = ""


def begin() -> tuple[str, Begun]:
    """Return the provider's address to go to, and what to hold its answer against.

    Raises
    ------
    Unreachable
        When the provider does not answer.
    """
    begun = Begun(*(secrets.token_urlsafe(32) for _ in range(3)))
    query = {
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
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}", begun


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
    return asked(str(provider.metadata["token_endpoint"]), headers, body)


def _more(claims: Mapping[str, Any], access_token: str) -> dict[str, Any]:
    """What only the address for it says, where the token leaves out what is needed."""
    needed = {"email", "email_verified"}
    if told()["roles"]:
        needed.add(told()["groups_claim"])
    address = Known.get().metadata.get("userinfo_endpoint")
    if not needed - set(claims) or not address or not access_token:
        return {}
    headers = {"Authorization": f"Bearer {access_token}", "Accept": "application/json"}
    more = asked(str(address), headers)
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
