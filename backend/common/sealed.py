"""Texts that are kept for a while and must not be readable where they are kept.

Encrypted, then authenticated, by HMAC-SHA256 alone: a keystream of it over a counter, and a tag
over nonce and text. Sources: NIST SP 800-108 (keys and stream from a PRF in counter mode), Bellare
and Namprempre 2000 (encrypt, then MAC). The keys come from the installation's own secret.
"""

from __future__ import annotations

import base64
import hmac
import secrets

from django.conf import settings

_NONCE_BYTES = 16
_TAG_BYTES = 32


class Unreadable(Exception):
    """The text was sealed under another secret, or changed."""


def seal(text: str, purpose: str) -> str:
    """Return a text that only this installation can read, and for this purpose only."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = text.encode()
    hidden = _mixed(plain, _key(purpose, "stream"), nonce)
    tag = hmac.digest(_key(purpose, "tag"), nonce + hidden, "sha256")
    return base64.urlsafe_b64encode(nonce + hidden + tag).decode()


def unseal(sealed: str, purpose: str) -> str:
    """Return what was sealed.

    Raises
    ------
    Unreadable
        When it was changed, or sealed by another installation or for another purpose.
    """
    try:
        whole = base64.urlsafe_b64decode(sealed.encode())
    except ValueError as exc:
        raise Unreadable from exc
    nonce, hidden, tag = (
        whole[:_NONCE_BYTES],
        whole[_NONCE_BYTES:-_TAG_BYTES],
        whole[-_TAG_BYTES:],
    )
    wanted = hmac.digest(_key(purpose, "tag"), nonce + hidden, "sha256")
    if len(whole) < _NONCE_BYTES + _TAG_BYTES or not hmac.compare_digest(tag, wanted):
        raise Unreadable
    return _mixed(hidden, _key(purpose, "stream"), nonce).decode()


def _key(purpose: str, what: str) -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), f"sealed/{purpose}/{what}".encode(), "sha256")


def _mixed(data: bytes, key: bytes, nonce: bytes) -> bytes:
    """The data with the keystream over it; twice is the data again."""
    blocks = -(-len(data) // 32)
    stream = b"".join(
        hmac.digest(key, nonce + at.to_bytes(8, "big"), "sha256") for at in range(blocks)
    )
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))
