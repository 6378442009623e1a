"""One address is handed on to processes of its own, as it came; all others are not."""

from __future__ import annotations

import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from common.forwarding import MEMORY_BYTES, Forwarding
from common.health import EvaluateCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = "/api/v1/evaluate"


class Upstream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(200 if self.headers["Host"] == "planner.example" else 400, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = {"path": self.path, "body": body.decode(), "headers": dict(self.headers)}
        if body == b"break off":
            self.close_connection = True
            self.connection.close()
            return
        self._answer(422, told)
        # Closed without a word, as a server does that was started anew.
        self.close_connection = body == b"once"

    def _answer(self, status: int, told: dict[str, Any]) -> None:
        content = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Set-Cookie", "a=1")
        self.send_header("Set-Cookie", "b=2")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Upstream) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def own(_environ: dict[str, Any], start: Any) -> list[bytes]:
    start("200 OK", [])
    return [b"own"]


def ask(
    app: Forwarding, body: bytes = b"{}", **environ: str
) -> tuple[str, list[tuple[str, str]], bytes]:
    got: list[Any] = []
    whole = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": PATH,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        **environ,
    }
    content = b"".join(app(whole, lambda status, headers: got.extend((status, headers))))
    return got[0], got[1], content


def forwarding(url: str, *, bytes_max: int = 100, at_once_max: int = 4) -> Forwarding:
    return Forwarding(own, path=PATH, url=url, bytes_max=bytes_max, at_once_max=at_once_max)


def test_a_request_is_handed_on_as_it_came(url: str) -> None:
    app = forwarding(url)
    status, headers, content = ask(
        app,
        b'{"a": 1}',
        QUERY_STRING="x=%00",
        CONTENT_TYPE="application/json",
        HTTP_COOKIE="ampacity_session=s",
        HTTP_X_CSRFTOKEN="t",
        HTTP_HOST="ampacity.example",
        HTTP_CONNECTION="close",
    )
    app.close()
    told = json.loads(content)
    assert status.startswith("422")
    assert told["path"] == f"{PATH}?x=%00"
    assert told["body"] == '{"a": 1}'
    sent = {name.lower(): value for name, value in told["headers"].items()}
    assert sent["cookie"] == "ampacity_session=s"
    assert sent["x-csrftoken"] == "t"
    assert sent["host"] == "ampacity.example"
    assert sent["content-type"] == "application/json"
    assert "connection" not in sent
    assert [value for name, value in headers if name == "Set-Cookie"] == ["a=1", "b=2"]


def test_a_kept_connection_that_was_closed_is_opened_anew(url: str) -> None:
    app = forwarding(url)
    for body in (b"once", b"once", b"twice", b"thrice"):
        assert json.loads(ask(app, body)[2])["body"] == body.decode()
    app.close()


def test_what_is_larger_than_is_kept_in_memory_comes_whole(url: str) -> None:
    body = b"x" * (3 * MEMORY_BYTES + 1)
    app = forwarding(url, bytes_max=len(body))
    for _ in range(2):
        _, headers, content = ask(app, body)
        assert json.loads(content)["body"] == body.decode()
        assert dict(headers)["Content-Length"] == str(len(content))
    app.close()


def test_no_more_are_handed_on_at_once_than_may_be_and_others_are_still_served(url: str) -> None:
    app = forwarding(url, at_once_max=1)
    found: list[tuple[str, list[tuple[str, str]], bytes]] = []

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            found.append(ask(app, b"{}"))
            found.append(ask(app, PATH_INFO="/api/v1/studies"))
            return super().read(size)

    status, *_ = ask(app, b"{}", **{"wsgi.input": Slow(b"{}")})  # type: ignore[arg-type]  # a stream
    assert status.startswith("422")
    (refused, headers, _), (_, _, listed) = found
    assert refused.startswith("503")
    assert ("Retry-After", "1") in headers
    assert listed == b"own"
    assert ask(app, b"{}")[0].startswith("422")
    app.close()


@pytest.mark.parametrize(("length", "status"), [(0, 422), (99, 422), (100, 422), (101, 413)])
def test_what_comes_in_chunks_is_handed_on_within_the_same_limit(
    url: str, length: int, status: int
) -> None:
    app = forwarding(url, bytes_max=100)
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    found, _, content = ask(app, b"x" * length, CONTENT_LENGTH="", **chunked)  # type: ignore[arg-type]  # a flag
    assert found.startswith(str(status))
    if status == 422:
        assert json.loads(content)["body"] == "x" * length
    app.close()


@pytest.mark.parametrize(
    "environ", [{"PATH_INFO": "/api/v1/runs"}, {"REQUEST_METHOD": "GET"}, {"PATH_INFO": PATH + "/"}]
)
def test_other_requests_stay(environ: dict[str, str]) -> None:
    assert ask(forwarding("http://127.0.0.1:1"), b"{}", **environ)[2] == b"own"


@pytest.mark.parametrize("length", ["101", "x", "-1"])
def test_what_is_too_large_is_not_read(length: str) -> None:
    status, _, content = ask(forwarding("http://127.0.0.1:1"), CONTENT_LENGTH=length)
    assert status.startswith("413")
    assert json.loads(content)["status"] == 413


def test_processes_that_are_being_started_are_told_with_a_time(url: str) -> None:
    for app, body in ((forwarding("http://127.0.0.1:1"), b"{}"), (forwarding(url), b"break off")):
        status, headers, _ = ask(app, body)
        assert status.startswith("503")
        assert ("Retry-After", "1") in headers


def test_readiness_asks_them_by_a_name_that_they_answer_to(url: str) -> None:
    web = "https://planner.example/"
    assert EvaluateCheck(url, web_url=web)() is None
    assert "say 400" in (EvaluateCheck(url, web_url="http://other.example")() or "")
    assert "do not answer" in (EvaluateCheck("http://127.0.0.1:1", web_url=web)() or "")
