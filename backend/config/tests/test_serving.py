"""The workers of gunicorn, with connections that are used again."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANSWERS_AT_ONCE = """
def app(environ, start_response):
    start_response("404 Not Found", [("Content-Length", "2")])
    return [environ["PATH_INFO"].encode()]
"""
_HEAD = b"POST /%d HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"
_TIMEOUT_S = 20
_BACKEND = Path(__file__).parents[2]


def _answered(client: socket.socket, path: bytes) -> bytes:
    said = b""
    while not said.endswith(b"\r\n\r\n" + path):
        part = client.recv(4096)
        assert part, said
        said += part
    return said


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Where a worker answers that reads no body."""
    (tmp_path / "refusing.py").write_text(_ANSWERS_AT_ONCE)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [
            *(sys.executable, "-m", "gunicorn", "refusing:app", "--chdir", str(tmp_path)),
            *("--bind", f"fd://{listener.fileno()}", "--worker-class", "config.serving.Threads"),
            *("--threads", "2", "--keep-alive", "60", "--no-control-socket"),
        ]
        process = subprocess.Popen(command, pass_fds=[listener.fileno()], cwd=_BACKEND)
        try:
            yield listener.getsockname()
        finally:
            process.terminate()
            process.wait(timeout=_TIMEOUT_S)


def test_a_request_right_after_a_body_that_nobody_read_is_answered(
    address: tuple[str, int],
) -> None:
    with socket.create_connection(address, timeout=_TIMEOUT_S) as client:
        client.sendall(_HEAD % (1, 5))
        assert b"404" in _answered(client, b"/1")
        # The body of the first, and the second, reach the worker as one.
        client.sendall(b"12345" + _HEAD % (2, 5) + b"12345")
        assert b"404" in _answered(client, b"/2")


def test_who_sends_a_file_that_nobody_reads_sees_the_answer(address: tuple[str, int]) -> None:
    file = bytes(8_000_000)
    with socket.create_connection(address, timeout=_TIMEOUT_S) as client:
        client.sendall(_HEAD % (1, len(file)) + file)
        assert b"404" in _answered(client, b"/1")
