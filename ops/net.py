"""Ports, and a small HTTP client."""

import contextlib
import http.client
import json
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ops.say import Failure, say

HOST = "127.0.0.1"
_TRIES = 200
_UNASKED = range(10_000, 32_768)  # below what Linux gives to outgoing connections
_given: set[int] = set()


def take_port(first: int, *, what: str) -> socket.socket:
    """Listen on 127.0.0.1 at the first free port from `first` on, and say so if it moved.

    The socket is handed to the server, so nobody can take the port in between. With `first` 0 any
    free port is taken.
    """
    for port in range(first, first + _TRIES) if first else [0]:
        taker = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taker.bind((HOST, port))
            taker.listen(512)
        except (OSError, OverflowError):
            taker.close()
            continue
        if first and port != first:
            say(f"Port {first} is taken: {what} is at {port}")
        return taker
    raise Failure(f"No free port for {what} from {first} to {first + _TRIES - 1}")


def port_of(taken: socket.socket) -> int:
    """The port of a listening socket."""
    return int(taken.getsockname()[1])


def free_ports(count: int) -> list[int]:
    """Free ports of 127.0.0.1 for programs that cannot be handed a socket.

    None is given twice by one process, nor does any outgoing connection take one while the
    program starts, as it may any port that the kernel chose.
    """
    ports: list[int] = []
    while len(ports) < count:
        port = secrets.choice(_UNASKED)
        if port in _given:
            continue
        with contextlib.suppress(OSError), socket.create_server((HOST, port)):
            _given.add(port)
            ports.append(port)
    return ports


@dataclass(frozen=True)
class Answer:
    """An HTTP answer."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Calls one server with a bearer token."""

    base_url: str
    token: str = ""
    timeout_s: float = 60.0
    headers: Mapping[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        """Send one request. Raises OSError when nobody answers."""
        parts = urlsplit(self.base_url)
        connection = http.client.HTTPConnection(
            parts.hostname or HOST, parts.port, timeout=self.timeout_s
        )
        headers = {"Accept": "application/json, */*", **self.headers}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, body=data, headers=headers)
            response = connection.getresponse()
            return Answer(response.status, response.read(), dict(response.getheaders()))
        except http.client.HTTPException as exc:
            raise ConnectionError(f"{method} {path}: {exc}") from exc
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """GET JSON; raises `Failure` with the server's words on any status but 2xx."""
        return self.expect("GET", path).json()

    def post(self, path: str, body: object) -> Any:
        """POST JSON; raises `Failure` with the server's words on any status but 2xx."""
        return self.expect("POST", path, body).json()

    def expect(self, method: str, path: str, body: object = None) -> Answer:
        """Send one request and refuse any status but 2xx."""
        try:
            answer = self.ask(method, path, body)
        except OSError as exc:
            raise Failure(f"{method} {path} got no answer: {exc}") from exc
        if not 200 <= answer.status < 300:
            words = answer.body[:600].decode(errors="replace")
            raise Failure(f"{method} {path} gave {answer.status}: {words}")
        return answer
