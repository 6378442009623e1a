"""A body that comes in chunks is read as one whose length is given, within the same limits."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from accounts.testing import Person
from capmodels.errors import EMPTY_FILE
from common.parsers import BODY_BYTES_MAX

pytestmark = pytest.mark.db


def sent(
    person: Person, path: str, body: bytes, kind: str = "application/json", **more: Any
) -> Any:
    """Send a body as the server hands on one in chunks: no length, and an end of its own."""
    environ: dict[str, Any] = {
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
        "HTTP_TRANSFER_ENCODING": "chunked",
        "CONTENT_LENGTH": "",
        "CONTENT_TYPE": kind,
        **more,
    }
    return person.client.generic("POST", f"/api/v1/{path}", b"", kind, **environ)


@pytest.mark.parametrize(
    "body", [{"model": "cost.npv", "params": {}}, {"model": "cost.npv", "wrong": 1}, {}, []]
)
def test_a_document_in_chunks_is_the_same_document(alice: Person, body: object) -> None:
    one, other = sent(alice, "evaluate", json.dumps(body).encode()), alice.post("evaluate", body)
    assert (one.status_code, one.json()) == (other.status_code, other.json())


def test_the_limit_of_a_view_is_that_of_its_chunks(alice: Person) -> None:
    body = json.dumps({"title": "x"}).encode()
    assert sent(alice, "tokens", body.ljust(BODY_BYTES_MAX)).status_code == 201
    assert sent(alice, "tokens", body.ljust(BODY_BYTES_MAX + 1)).status_code == 413
    assert sent(alice, "tokens", body[:-1]).status_code == 400


def test_chunks_of_a_repeated_request_are_compared(alice: Person) -> None:
    key = {"HTTP_IDEMPOTENCY_KEY": "k1"}
    first = sent(alice, "tokens", b'{"title": "x"}', **key)
    again = sent(alice, "tokens", b'{"title": "x"}', **key)
    other = sent(alice, "tokens", b'{"title": "y"}', **key)
    assert (first.status_code, again["Idempotent-Replayed"]) == (201, "true")
    assert other.status_code == 422


@pytest.mark.usefixtures("outbox")
def test_a_file_in_chunks_is_taken_in_within_the_limit(alice: Person, settings: Any) -> None:
    settings.TRACE_BYTES_MAX = 100
    raw = "application/octet-stream"
    assert sent(alice, "traces?name=a.csv", b"1\n" * 50, raw).status_code == 202
    assert sent(alice, "traces?name=a.csv", b"1\n" * 51, raw).status_code == 413
    empty = sent(alice, "traces?name=a.csv", b"", raw)
    assert (empty.status_code, empty.json()["detail"]) == (422, EMPTY_FILE)


def test_who_may_not_send_is_not_read_from(alice: Person) -> None:
    class Unread(BytesIO):
        def read(self, *_size: Any) -> bytes:
            raise AssertionError

    stranger = Person(alice.account)
    for path, kind in (("traces", "application/octet-stream"), ("tokens", "application/json")):
        answer = sent(stranger, path, b"", kind, **{"wsgi.input": Unread()})
        assert answer.status_code in {401, 403}
