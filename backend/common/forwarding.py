"""Hands the requests of one address on to processes of their own.

A list that shares a process with somebody's comparison waits for it. Where a proxy stands in
front it sends the address there itself; without one the web hands it on, which costs it a
thread but next to no time of the processor.
"""

from __future__ import annotations

import http.client
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from common.errors import TooLarge, Unavailable
from common.problems import PROBLEM_TYPE, problem_of
from common.renderers import dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from common.errors import ApplicationError

    StartResponse = Callable[..., Any]
    Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]

PATIENCE_S = 60.0
# Of one hop only (RFC 9110, section 7.6.1), and what the next one writes itself.
_OF_ONE_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "content-length", "expect",
}  # fmt: skip


class Forwarding:
    """A WSGI application that hands one path on and serves all others itself."""

    def __init__(self, own: Application, *, path: str, url: str, bytes_max: int) -> None:
        """Keep where to; connections are opened when they are needed, one for each thread."""
        parts = urlsplit(url)
        self._own, self._path, self._bytes_max = own, path, bytes_max
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._local = threading.local()

    def __call__(self, environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if environ.get("PATH_INFO") != self._path or environ["REQUEST_METHOD"] != "POST":
            return self._own(environ, start)
        length = environ.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > self._bytes_max:
            message = f"The request is larger than {self._bytes_max:,} bytes."
            return _refused(start, TooLarge(message))
        body = environ["wsgi.input"].read(int(length))
        try:
            answer, content = self._ask(environ, body)
        except (OSError, http.client.HTTPException):
            message = "The process for instant answers is being started. Try again in a moment."
            return _refused(start, Unavailable(message, headers={"Retry-After": "1"}))
        headers = [(k, v) for k, v in answer.getheaders() if k.lower() not in _OF_ONE_HOP]
        start(f"{answer.status} {answer.reason}", [*headers, ("Content-Length", str(len(content)))])
        return [content]

    def close(self) -> None:
        """Close this thread's connection."""
        if (kept := getattr(self._local, "connection", None)) is not None:
            kept.close()
            self._local.connection = None

    def _ask(self, environ: dict[str, Any], body: bytes) -> tuple[http.client.HTTPResponse, bytes]:
        query = environ.get("QUERY_STRING")
        path = f"{self._path}?{query}" if query else self._path
        for is_last in (False, True):
            kept = getattr(self._local, "connection", None)
            connection = kept or http.client.HTTPConnection(
                self._host, self._port, timeout=PATIENCE_S
            )
            self._local.connection = None
            try:
                connection.request("POST", path, body, _headers_of(environ))
                answer = connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException) as exc:
                connection.close()
                # A connection that was kept may have been closed since; an instant answer
                # stores nothing, so it may be asked for again.
                if is_last or kept is None or not isinstance(exc, ConnectionError):
                    raise
                continue
            self._local.connection = None if answer.will_close else connection
            return answer, content
        raise AssertionError


def _headers_of(environ: dict[str, Any]) -> dict[str, str]:
    given = {
        name[5:].replace("_", "-").title(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    kept = {name: value for name, value in given.items() if name.lower() not in _OF_ONE_HOP}
    if "CONTENT_TYPE" in environ:
        kept["Content-Type"] = environ["CONTENT_TYPE"]
    return kept


def _refused(start: StartResponse, error: ApplicationError) -> Iterable[bytes]:
    body = dumps(problem_of(error))
    headers = [("Content-Type", PROBLEM_TYPE), ("Content-Length", str(len(body)))]
    start(f"{error.status} {error.title}", [*headers, *error.headers.items()])
    return [body]
