"""Sends a request to an address that somebody typed in: never to a private one.

Hosts of the own network, and ports other than those of the web, are the operator's to allow by
name (READ_PRIVATE_HOSTS, OIDC_PRIVATE_HOSTS, WEBHOOK_PRIVATE_HOSTS).

The name is looked up once, and the connection goes to the address that was checked: a name
that answers differently a moment later leads nowhere else. Redirects are not followed. The time
limit holds for the whole exchange, from the look-up to the last byte.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection

    from typing_extensions import Buffer

TIMEOUT_S = 10.0
READING_S = 60.0
LOOKUP_S = 3.0
WEB_PORTS = frozenset({443, 80})
ANSWER_BYTES_MAX = 500


class Unsendable(Exception):
    """The address cannot be sent to; says why."""


class NoAddress(Unsendable):
    """What was entered is no address of the web."""


class Unknown(Unsendable):
    """The name has no address, for now."""


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
    NoAddress
        When it is none of the web, or holds a user or a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as exc:
        raise NoAddress("Write an address such as https://example.org/hook.") from exc
    if parts.scheme not in {"https", "http"} or not parts.hostname or parts.username is not None:
        raise NoAddress("Write an address such as https://example.org/hook.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    usual = 443 if parts.scheme == "https" else 80
    return Target(parts.scheme, parts.hostname, port or usual, path)


def require_sendable(url: str, allowed: Collection[str] = ()) -> None:
    """Refuse an address at once, as it is entered, that nothing would be sent to.

    A name that is not known now may be known later, and is refused then if it is private.

    Raises
    ------
    Unsendable
        When it is no address of the web, or leads to a private one or to another port.
    """
    target = target_of(url)
    try:
        address_of(target, allowed, Deadline(LOOKUP_S))
    except Unknown:
        return


def address_of(target: Target, allowed: Collection[str], deadline: Deadline) -> str:
    """Return an address of the host: a public one, or any where the operator allows the host.

    Raises
    ------
    Unsendable
        When the name is not known, or leads to a private address, even among others, or when
        the port is not one of the web, and the operator does not allow it.
    """
    named = _is_named(target, allowed)
    own = not named and _is_own_name(target.host)
    addresses = [] if own else _looked_up(target, deadline)
    if not named:
        if own or not all(map(is_public, addresses)):
            raise Unsendable(
                f"{target.host} is not an address of the public internet, nor one that the "
                "operator allows."
            )
        if target.port not in WEB_PORTS:
            raise Unsendable(
                f"Port {target.port} of {target.host} is not allowed: only 443 and 80 are, and "
                "what the operator allows."
            )
    if not addresses:
        raise Unknown(f"The name {target.host} is not known.")
    return addresses[0]


def _is_named(target: Target, allowed: Collection[str]) -> bool:
    return bool({target.host, f"{target.host}:{target.port}"} & set(allowed))


def _is_own_name(host: str) -> bool:
    """Whether a name is one of the own network by its form (RFC 6761, 6762, 8375, ICANN 2024)."""
    name = host.rstrip(".").lower()
    literal = ":" in name or (name.replace(".", "").isalnum() and name[:1].isdigit())
    return not literal and ("." not in name or name.endswith(_OWN_ENDS))


_OWN_ENDS = (".localhost", ".local", ".internal", ".home.arpa")


def _looked_up(target: Target, deadline: Deadline) -> list[str]:
    """Addresses of a name; the resolver keeps no deadline of its own, so it is left alone then."""
    found: list[Any] = []

    def look() -> None:
        try:
            found.extend(socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError):
            return

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(deadline.left_s())
    return [str(info[4][0]) for info in found]


def is_public(address: str) -> bool:
    """Whether everybody can reach an address, and it stands for no address that they cannot.

    An IPv6 address of the well-known prefix of NAT64 is as public as the IPv4 address in it
    (RFC 6052, 3.1); that of a network's own prefix (RFC 8215), of 6to4 (RFC 3056) and of Teredo
    (RFC 4380) leads to whatever a relay makes of it. All public ones are within 2000::/3.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inside = ip.ipv4_mapped
        if ip in _NAT64:
            inside = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if inside is None:
            return ip.is_global and ip in _UNICAST and not any(ip in net for net in _RELAYED)
        ip = inside
    return ip.is_global and not ip.is_multicast and ip not in _RELAY_6TO4


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST = ipaddress.IPv6Network("2000::/3")
_RELAYED = (ipaddress.IPv6Network("2002::/16"), ipaddress.IPv6Network("2001::/32"))
_RELAY_6TO4 = ipaddress.IPv4Network("192.88.99.0/24")


def post(
    url: str, body: bytes, headers: dict[str, str], *, allowed: Collection[str] = ()
) -> tuple[int, str]:
    """Send a request, and return the status and the beginning of the answer.

    Raises
    ------
    Unsendable
        When nobody can be reached there.
    """
    sent = _Sent(target_of(url), allowed, TIMEOUT_S, ANSWER_BYTES_MAX)
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
    return _whole(_Sent(target_of(url), allowed, READING_S, most + 1), body, headers)


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
    return _whole(_Sent(target, allowed, TIMEOUT_S, most + 1), body, headers)


@dataclass(frozen=True, slots=True)
class _Sent:
    """Where a request goes, in what time, and how much is read of its answer."""

    target: Target
    allowed: Collection[str]
    timeout_s: float
    most: int


class Deadline:
    """The time at which an exchange ends, however far it is."""

    def __init__(self, after_s: float) -> None:
        self._at_s = time.monotonic() + after_s

    def left_s(self) -> float:
        """Time left; raise TimeoutError when there is none. [s]"""
        left = self._at_s - time.monotonic()
        if left <= 0:
            raise TimeoutError("the answer took too long")
        return left


class Wire:
    """A connection as ``http.client`` uses one, each step of it within the one deadline.

    A socket's own time limit begins anew with every byte.
    """

    def __init__(self, plain: socket.socket, deadline: Deadline) -> None:
        self._plain, self._deadline = plain, deadline

    def sendall(self, data: Buffer) -> None:
        """Send all of it."""
        view = memoryview(data)
        while view:
            self._plain.settimeout(self._deadline.left_s())
            view = view[self._plain.send(view) :]

    def receive(self, buffer: Buffer) -> int:
        """Read what has come, once something has."""
        self._plain.settimeout(self._deadline.left_s())
        return self._plain.recv_into(buffer)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return what the answer is read from."""
        return io.BufferedReader(_Answer(self))

    def close(self) -> None:
        """Leave the connection: the answer may be read on after ``http.client`` closes it."""

    def end(self) -> None:
        """End the connection."""
        self._plain.close()


class _Answer(io.RawIOBase):
    """What comes over a wire."""

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Fill the buffer as far as there is something."""
        return self._wire.receive(buffer)


def _whole(sent: _Sent, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    status, answer = _send(sent, body, headers)
    if len(answer) >= sent.most:
        raise TooLong(f"The answer has more than {(sent.most - 1) >> 20} MiB.")
    return status, answer


def _send(sent: _Sent, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    target, deadline = sent.target, Deadline(sent.timeout_s)
    address = address_of(target, sent.allowed, deadline)
    connection = http.client.HTTPConnection(target.host, target.port)
    wire: Wire | None = None
    try:
        wire = _connected(target, address, deadline)
        connection.sock = wire
        connection.request("GET" if body is None else "POST", target.path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read(sent.most)
    except (OSError, http.client.HTTPException) as exc:
        raise Unsendable(f"No answer: {exc or type(exc).__name__}"[:ANSWER_BYTES_MAX]) from exc
    finally:
        connection.close()
        if wire is not None:
            wire.end()


def _connected(target: Target, address: str, deadline: Deadline) -> Wire:
    plain = socket.create_connection((address, target.port), timeout=deadline.left_s())
    try:
        if target.scheme == "https":
            plain.settimeout(deadline.left_s())
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise
    return Wire(plain, deadline)
