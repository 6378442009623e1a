"""Tokens and codes: shown once, kept as a hash.

They are long and random, so a plain SHA-256 is enough; passwords get argon2.
"""

from __future__ import annotations

import hashlib
import secrets

TOKEN_START = "amp_"


def token_new() -> str:
    """Return a new API token."""
    return TOKEN_START + secrets.token_urlsafe(32)


def code_new() -> str:
    """Return a new one-time sign-in code."""
    return secrets.token_urlsafe(24)


def hash_of(secret: str) -> str:
    """Return what is stored of a token, a code or a throttle's key."""
    return hashlib.sha256(secret.encode()).hexdigest()
