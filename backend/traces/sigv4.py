"""AWS's signature of a request, version 4.

Source: AWS, "Signing AWS API requests" (General Reference), with its published test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_ALGORITHM = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True)
class Keys:
    """Who signs; ``token`` of a session, else blank."""

    access_id: str
    secret: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a signature is for."""

    region: str
    service: str
    at: datetime


def signed(
    method: str, url: str, headers: Mapping[str, str], body: bytes, keys: Keys, scope: Scope
) -> dict[str, str]:
    """Return the headers with the date, the session's token and the signature."""
    parts = urlsplit(url)
    stamp = scope.at.strftime("%Y%m%dT%H%M%SZ")
    given = {**headers, "X-Amz-Date": stamp}
    if keys.token:
        given["X-Amz-Security-Token"] = keys.token
    plain = {name.lower(): " ".join(text.split()) for name, text in given.items()}
    plain["host"] = parts.netloc
    names = ";".join(sorted(plain))
    canonical = "\n".join(
        (
            method,
            quote(parts.path or "/", safe="/-_.~"),
            _query(parts.query),
            *(f"{name}:{plain[name]}" for name in sorted(plain)),
            "",
            names,
            hashlib.sha256(body).hexdigest(),
        )
    )
    within = f"{stamp[:8]}/{scope.region}/{scope.service}/aws4_request"
    text = "\n".join((_ALGORITHM, stamp, within, hashlib.sha256(canonical.encode()).hexdigest()))
    key = f"AWS4{keys.secret}".encode()
    for part in within.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    credential = f"Credential={keys.access_id}/{within}"
    proof = f"{_ALGORITHM} {credential}, SignedHeaders={names}, Signature={signature}"
    return {**given, "Authorization": proof}


def _query(query: str) -> str:
    pairs = [part.partition("=")[::2] for part in query.split("&") if part]
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))
