"""Security keys and passkeys (WebAuthn) instead of a one-time code; the checks are fido2's.

A challenge is a row, for one person, and goes with the first answer to it, right or wrong.
"""

from __future__ import annotations

import json
import os
from datetime import timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q
from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.models import KeyChallenge, SecurityKey
from accounts.secrets import hash_of
from common.errors import Conflict, Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from accounts.crossing import Account

KEYS_MAX = 10
LIFE = timedelta(minutes=5)
NOT_RIGHT = "The key did not answer what was asked here. Try again."
_REGISTER, _USE = KeyChallenge.Purpose.REGISTER, KeyChallenge.Purpose.USE
_PREFERRED = UserVerificationRequirement.PREFERRED


def _party() -> tuple[str, frozenset[str]]:
    """Return the name that keys are made for, and the origins that may ask them.

    Raises
    ------
    Conflict
        Where the service has a number for an address: browsers make no keys for one.
    """
    parts = urlsplit(settings.WEB_URL)
    host, port = parts.hostname or "", "" if parts.port is None else f":{parts.port}"
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        return host, frozenset({f"{parts.scheme}://{host}{port}"})
    if not is_here:
        raise Conflict("Keys need a service with a name: this one is opened by a number.")
    return "localhost", frozenset({f"{parts.scheme}://localhost{port}"})


def _server() -> Fido2Server:
    name, origins = _party()
    entity = PublicKeyCredentialRpEntity(name="Ampacity", id=name)
    return Fido2Server(entity, verify_origin=origins.__contains__)


def keys_of(user_id: UUID) -> Sequence[SecurityKey]:
    """Return a person's keys, oldest first."""
    return list(SecurityKey.objects.filter(user_id=user_id).order_by("created_at", "id"))


def _credential(row: SecurityKey) -> AttestedCredentialData:
    return AttestedCredentialData(bytes(row.credential))


def end(user_id: UUID, key_id: UUID | None = None) -> Sequence[str]:
    """Forget a key of a person, or all of them; return their titles."""
    rows = SecurityKey.objects.filter(user_id=user_id)
    rows = rows if key_id is None else rows.filter(id=key_id)
    titles = list(rows.values_list("title", flat=True))
    rows.delete()
    return titles


def registration(account: Account, now: datetime) -> dict[str, Any]:
    """Return what a browser makes a key by (PublicKeyCredentialCreationOptionsJSON).

    Raises
    ------
    Conflict
        When there are too many keys, or the service has no name.
    """
    held = keys_of(account.user_id)
    if len(held) >= KEYS_MAX:
        raise Conflict(f"There are {KEYS_MAX} keys. Remove one first.")
    person = PublicKeyCredentialUserEntity(
        id=account.user_id.bytes, name=account.email, display_name=account.email
    )
    options, _state = _server().register_begin(
        person,
        [_credential(row) for row in held],
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=_PREFERRED,
        challenge=_challenge(account.user_id, _REGISTER, now),
    )
    return dict(options)["publicKey"]  # type: ignore[no-any-return]  # a mapping of JSON


def register(user_id: UUID, title: str, answer: str, now: datetime) -> SecurityKey:
    """Keep a new key.

    Raises
    ------
    Invalid
        When the answer is not that of a key that was asked here, a moment ago.
    """
    try:
        given = json.loads(answer)
        asked = RegistrationResponse.from_dict(given).response.client_data.challenge
        state = _taken(user_id, _REGISTER, asked, now)
        made = _server().register_complete(state, given)
        credential = made.credential_data
    except (ValueError, TypeError, KeyError, AttributeError):
        credential = None
    if credential is None:
        raise Invalid.at("/answer", NOT_RIGHT, "wrong")
    row, is_new = SecurityKey.objects.get_or_create(
        credential_hash=hash_of(websafe_encode(credential.credential_id)),
        defaults={
            "user_id": user_id,
            "credential": bytes(credential),
            "sign_count": made.counter,
            "title": title,
            "created_at": now,
        },
    )
    if not is_new:
        raise Invalid.at("/answer", "This key is registered already.", "duplicate")
    return row


def request_of(user_id: UUID, now: datetime) -> dict[str, Any] | None:
    """Return what a browser asks a person's keys by; None where there is none.

    A PublicKeyCredentialRequestOptionsJSON.
    """
    held = [_credential(row) for row in keys_of(user_id)]
    if not held:
        return None
    options, _state = _server().authenticate_begin(
        held, user_verification=_PREFERRED, challenge=_challenge(user_id, _USE, now)
    )
    return dict(options)["publicKey"]  # type: ignore[no-any-return]  # a mapping of JSON


def take(user_id: UUID, answer: str, now: datetime) -> bool:
    """Say whether it is the answer of one of a person's keys to what it was asked.

    A key whose counter did not rise is a copy of one, and is not taken.
    """
    rows = keys_of(user_id)
    try:
        given = json.loads(answer)
        read = AuthenticationResponse.from_dict(given).response
        state = _taken(user_id, _USE, read.client_data.challenge, now)
        known = [_credential(row) for row in rows]
        used = _server().authenticate_complete(state, known, given)
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    count = read.authenticator_data.counter
    risen = Q(sign_count__lt=count) | (Q(sign_count=0) if count == 0 else Q())
    mine = SecurityKey.objects.filter(risen, id=rows[known.index(used)].id)
    return mine.update(sign_count=count, last_used_at=now) > 0


def _challenge(user_id: UUID, purpose: str, now: datetime) -> bytes:
    KeyChallenge.objects.filter(user_id=user_id, expires_at__lte=now).delete()
    challenge = os.urandom(32)
    KeyChallenge.objects.create(
        challenge_hash=hash_of(websafe_encode(challenge)),
        user_id=user_id,
        purpose=purpose,
        expires_at=now + LIFE,
    )
    return challenge


def _taken(user_id: UUID, purpose: str, challenge: bytes, now: datetime) -> dict[str, Any]:
    """Use a challenge up; raises ValueError when it is not open for this person."""
    said = websafe_encode(challenge)
    rows = KeyChallenge.objects.filter(
        challenge_hash=hash_of(said), user_id=user_id, purpose=purpose, expires_at__gt=now
    )
    if rows.delete()[0] == 0:
        raise ValueError
    return {"challenge": said, "user_verification": _PREFERRED}
