"""Sends a request to an address that somebody typed in: never to a private one.

For reading, and for signing in, the operator may allow hosts of the own network by name
(READ_PRIVATE_HOSTS, OIDC_PRIVATE_HOSTS).

The name is looked up once, and the connection goes to the address that was checked: a name
that answers differently a moment later leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection

TIMEOUT_S = 10.0
READING_S = 60.0
ANSWER_BYTES_MAX = 500


class Unsendable(Exception):
    """The address cannot be sent to; says why."""


class TooLong(Unsendable):
    """The answer is longer than may be read."""


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


def address_of(target: Target, allowed: Collection[str] = ()) -> str:
    """Return an address of the host: a public one, or any where the operator allows the host.

    Raises
    ------
    Unsendable
        When the name is not known, or leads to a private address and is not allowed.
    """
    if not _is_named(target, allowed):
        return public_address_of(target)
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise Unsendable(f"The name {target.host} is not known.") from exc
    return str(found[0][4][0])


def _is_named(target: Target, allowed: Collection[str]) -> bool:
    return bool({target.host, f"{target.host}:{target.port}"} & set(allowed))


def post(url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """Send a request, and return the status and the beginning of the answer.

    Raises
    ------
    Unsendable
        When nobody can be reached there.
    """
    target = target_of(url)
    sent = _Sent(target, public_address_of(target), TIMEOUT_S, ANSWER_BYTES_MAX)
    status, answer = _send(sent, body, headers)
    return status, answer.decode("utf-8", "replace")


def ask(
    url: str, body: bytes, headers: dict[str, str], *, most: int, allowed: Collection[str]
) -> tuple[int, bytes]:
    """Send a question, and return the status and the whole answer.

    Raises
    ------
    Unsendable
        When nobody can be reached there.
    TooLong
        When the answer has more bytes than ``most``.
    """
    target = target_of(url)
    return _whole(_Sent(target, address_of(target, allowed), READING_S, most + 1), body, headers)


def fetch(
    url: str,
    headers: dict[str, str],
    *,
    most: int,
    allowed: Collection[str],
    body: bytes | None = None,
) -> tuple[int, bytes]:
    """Ask quickly, by GET or with a body by POST; return the status and the whole answer.

    Without TLS only what the operator allows is asked.

    Raises
    ------
    Unsendable
        When nobody can be reached there.
    TooLong
        When the answer has more bytes than ``most``.
    """
    target = target_of(url)
    if target.scheme != "https" and not _is_named(target, allowed):
        raise Unsendable(f"{target.host} is asked over https only.")
    return _whole(_Sent(target, address_of(target, allowed), TIMEOUT_S, most + 1), body, headers)


@dataclass(frozen=True, slots=True)
class _Sent:
    """Where a request goes, by the address that was checked, and how much is read of its answer."""

    target: Target
    address: str
    timeout_s: float
    most: int


def _whole(sent: _Sent, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    status, answer = _send(sent, body, headers)
    if len(answer) >= sent.most:
        raise TooLong(f"The answer has more than {(sent.most - 1) >> 20} MiB.")
    return status, answer


def _send(sent: _Sent, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    target, timeout_s = sent.target, sent.timeout_s
    connection = http.client.HTTPConnection(target.host, target.port, timeout=timeout_s)
    try:
        plain = socket.create_connection((sent.address, target.port), timeout=timeout_s)
        connection.sock = (
            ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
            if target.scheme == "https"
            else plain
        )
        connection.request("GET" if body is None else "POST", target.path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read(sent.most)
    except (OSError, http.client.HTTPException) as exc:
        raise Unsendable(f"No answer: {exc or type(exc).__name__}"[:ANSWER_BYTES_MAX]) from exc
    finally:
        connection.close()


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None)
    ip = mapped or ip
    return ip.is_global and not ip.is_multicast
