"""Hands the requests of one address on to processes of their own.

A list that shares a process with somebody's comparison waits for it. Where a proxy stands in
front it sends the address there itself; without one the web hands it on, which costs it a
thread that sleeps and next to no time of the processor. There are many such threads, and who
works on a list has a seat of its own (``common.seats``). What is handed on is taken in whole before
a process is asked, and the answer likewise: who is slow holds none of them.
"""

from __future__ import annotations

import http.client
import shutil
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from common.errors import TooLarge, Unavailable
from common.parsers import is_chunked
from common.refusals import Application, StartResponse, refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Spool = SpooledTemporaryFile[bytes]

PATIENCE_S = 60.0
# Of a request or an answer this much is in memory, the rest in a file.
MEMORY_BYTES = 256 * 1024
_BLOCK = 64 * 1024
# Of one hop only (RFC 9110, section 7.6.1), and what the next one writes itself.
_OF_ONE_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "content-length", "expect",
}  # fmt: skip


class Forwarding:
    """A WSGI application that hands one path on and serves all others itself."""

    def __init__(
        self, own: Application, *, path: str, url: str, bytes_max: int, at_once_max: int
    ) -> None:
        """Keep where to; connections are opened when they are needed, and kept for the next."""
        parts = urlsplit(url)
        self._own, self._path, self._bytes_max = own, path, bytes_max
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._places = BoundedSemaphore(at_once_max)
        self._kept: list[http.client.HTTPConnection] = []

    def __call__(self, environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if environ.get("PATH_INFO") != self._path or environ["REQUEST_METHOD"] != "POST":
            return self._own(environ, start)
        length = environ.get("CONTENT_LENGTH") or "0"
        if is_chunked(environ):
            length = str(self._bytes_max)
        if not length.isdigit() or int(length) > self._bytes_max:
            return refused(start, self._too_large())
        if not self._places.acquire(blocking=False):
            message = "Too many instant answers are asked for at once. Try again in a moment."
            return refused(start, Unavailable(message, headers={"Retry-After": "1"}))
        try:
            return self._hand_on(environ, start, int(length))
        finally:
            self._places.release()

    def _too_large(self) -> TooLarge:
        return TooLarge(f"The request is larger than {self._bytes_max:,} bytes.")

    def close(self) -> None:
        """Close the connections that nobody uses."""
        while self._kept:
            self._kept.pop().close()

    def _hand_on(
        self, environ: dict[str, Any], start: StartResponse, length: int
    ) -> Iterable[bytes]:
        with ExitStack() as kept:
            content = kept.enter_context(SpooledTemporaryFile(MEMORY_BYTES))
            try:
                with SpooledTemporaryFile(MEMORY_BYTES) as body:
                    _take_in(environ["wsgi.input"], length, body)
                    if is_chunked(environ) and environ["wsgi.input"].read(1):
                        return refused(start, self._too_large())
                    answer = self._ask(environ, body, content)
            except (OSError, http.client.HTTPException):
                message = "The process for instant answers is being started. Try again in a moment."
                return refused(start, Unavailable(message, headers={"Retry-After": "1"}))
            headers = [(k, v) for k, v in answer.getheaders() if k.lower() not in _OF_ONE_HOP]
            headers.append(("Content-Length", str(content.tell())))
            start(f"{answer.status} {answer.reason}", headers)
            kept.pop_all()
            return _blocks(content)

    def _ask(
        self, environ: dict[str, Any], body: Spool, content: Spool
    ) -> http.client.HTTPResponse:
        """Ask, and take the whole answer in."""
        query = environ.get("QUERY_STRING")
        path = f"{self._path}?{query}" if query else self._path
        headers = {**_headers_of(environ), "Content-Length": str(body.tell())}
        while True:
            connection, is_new = self._connection()
            try:
                body.seek(0)
                connection.request("POST", path, body, headers)
                answer = connection.getresponse()
                shutil.copyfileobj(answer, content, _BLOCK)
            except (OSError, http.client.HTTPException) as exc:
                connection.close()
                # A connection that was kept may have been closed since; an instant answer
                # stores nothing, so it may be asked for again.
                if is_new or not isinstance(exc, ConnectionError):
                    raise
                content.seek(0)
                content.truncate()
                continue
            if not answer.will_close:
                self._kept.append(connection)
            return answer

    def _connection(self) -> tuple[http.client.HTTPConnection, bool]:
        """The connection that was used last, or a new one, and whether it is that."""
        try:
            return self._kept.pop(), False
        except IndexError:
            new = http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE_S)
            new.blocksize = _BLOCK
            return new, True


def _take_in(given: Any, length: int, body: Spool) -> None:
    """Read a whole body, however slowly it comes."""
    while length > 0 and (block := given.read(min(length, _BLOCK))):
        body.write(block)
        length -= len(block)


def _blocks(content: Spool) -> Iterator[bytes]:
    with content:
        content.seek(0)
        while block := content.read(_BLOCK):
            yield block


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
