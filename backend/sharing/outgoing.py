"""Sends a request to an address that somebody typed in: never to a private one.

The name is looked up once, and the connection goes to the address that was checked: a name
that answers differently a moment later leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

TIMEOUT_S = 10.0
ANSWER_BYTES_MAX = 500


class Unsendable(Exception):
    """The address cannot be sent to; says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart."""

    scheme: str
    host: str
    port: int
    path: str


def target_of(url: str) -> Target:
    """Take an address apart.

    Raises
    ------
    Unsendable
        When it is none of the web, or holds a user or a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as exc:
        raise Unsendable("Write an address such as https://example.org/hook.") from exc
    if parts.scheme not in {"https", "http"} or not parts.hostname or parts.username is not None:
        raise Unsendable("Write an address such as https://example.org/hook.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    usual = 443 if parts.scheme == "https" else 80
    return Target(parts.scheme, parts.hostname, port or usual, path)


def public_address_of(target: Target) -> str:
    """Return an address of the host that everybody can reach.

    Raises
    ------
    Unsendable
        When the name is not known, or leads to an address that is private, even among others.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise Unsendable(f"The name {target.host} is not known.") from exc
    addresses = [str(info[4][0]) for info in found]
    for address in addresses:
        if not _is_public(address):
            raise Unsendable(f"{target.host} is not an address of the public internet.")
    return addresses[0]


def post(url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """Send a request, and return the status and the beginning of the answer.

    Raises
    ------
    Unsendable
        When nobody can be reached there.
    """
    target = target_of(url)
    address = public_address_of(target)
    connection = http.client.HTTPConnection(target.host, target.port, timeout=TIMEOUT_S)
    try:
        plain = socket.create_connection((address, target.port), timeout=TIMEOUT_S)
        connection.sock = (
            ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
            if target.scheme == "https"
            else plain
        )
        connection.request("POST", target.path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read(ANSWER_BYTES_MAX).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as exc:
        raise Unsendable(f"No answer: {exc or type(exc).__name__}"[:ANSWER_BYTES_MAX]) from exc
    finally:
        connection.close()


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None)
    ip = mapped or ip
    return ip.is_global and not ip.is_multicast
