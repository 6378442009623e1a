"""Health, metrics, the single page, headers, the schema."""

from __future__ import annotations

import gzip
import re
import threading
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.test import Client
from prometheus_client import generate_latest

from common import health
from common.schema import schema_json

if TYPE_CHECKING:
    from pathlib import Path

    from accounts.testing import Person


@pytest.fixture
def dist(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Ampacity</title>")
    script = tmp_path / "assets" / "index-Ab3_x9Qz.js"
    script.write_text("'use strict';" * 100)
    script.with_name(script.name + ".gz").write_bytes(gzip.compress(script.read_bytes()))
    settings.FRONTEND_DIST = settings.WHITENOISE_ROOT = tmp_path
    return tmp_path


@pytest.mark.db
@pytest.mark.parametrize("path", ["/", "/studies/7/compare", "/sign-in"])
def test_the_page_answers_every_address_of_its_own(dist: Path, database: None, path: str) -> None:
    response = Client().get(path)
    body = b"".join(response) if response.streaming else response.content
    response.close()
    assert body == b"<title>Ampacity</title>"
    policy = response["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "connect-src 'self' http://127.0.0.1:8001;" in policy
    assert response["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/assets/nowhere.js", "/static/nowhere"])
def test_the_page_is_not_the_answer_to_a_missing_file(dist: Path, path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 404
    assert response["content-type"] == "application/problem+json"


def test_without_a_build_there_is_no_page(settings: Any) -> None:
    settings.FRONTEND_DIST = None
    assert Client().get("/studies").status_code == 404


@pytest.mark.db
def test_a_hashed_file_is_kept_for_ever_and_sent_compressed(dist: Path, database: None) -> None:
    response = Client().get("/assets/index-Ab3_x9Qz.js", headers={"accept-encoding": "gzip"})
    assert "immutable" in response["Cache-Control"]
    assert response["Content-Encoding"] == "gzip"
    response.close()


@pytest.mark.db
def test_the_files_of_the_api_pages_are_found(database: None) -> None:
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    assert b"<script>" not in page.content
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.content.decode())
    assert files
    for file in files:
        response = Client().get(file)
        assert response.status_code == 200, file
        response.close()


@pytest.mark.db
def test_ready_says_what_is_missing(database: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Client().get("/readyz").json() == {"ok": True, "faults": {}}
    monkeypatch.setitem(health.CHECKS, "broker", lambda: "The broker does not answer.")
    response = Client().get("/readyz")
    assert response.status_code == 503
    assert response.json()["faults"] == {"broker": "The broker does not answer."}


class _Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_what_is_away_is_asked_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = health.Away(part="broker", message="Jobs wait.")
    answers = [[broker], []]
    monkeypatch.setattr(health, "PARTS", [health.Part(answers.pop, broker)])
    watch = health.Watch(clock := _Clock())
    assert watch.away() == []
    clock.now_s = 0.9
    assert watch.away() == []
    clock.now_s = 1.0
    assert watch.away() == [broker]


def test_what_hangs_is_away_soon_and_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    database = health.Away(part="database", message="Nothing can be saved.")
    asked, answer = threading.Event(), threading.Event()

    def hang() -> list[health.Away]:
        asked.set()
        assert answer.wait(20)
        return []

    monkeypatch.setattr(health, "PARTS", [health.Part(hang, database)])
    watch = health.Watch(clock := _Clock())
    first = threading.Thread(target=watch.away)
    first.start()
    try:
        assert asked.wait(20)
        clock.now_s = 1.4
        assert watch.away() == []
        clock.now_s = 1.5
        assert watch.away() == [database]
    finally:
        answer.set()
        first.join(20)
    assert watch.away() == []


@pytest.mark.db
def test_anybody_may_ask_what_is_away(
    database: None, outbox: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = health.Away(part="broker", message="Jobs wait.")
    monkeypatch.setattr(health, "PARTS", [health.Part(lambda: [broker], broker)])
    monkeypatch.setattr(health, "WATCH", health.Watch())
    assert Client().get("/api/v1/service").json() == {"away": [broker]}


def test_alive_needs_nothing() -> None:
    assert Client().get("/healthz").status_code == 200


@pytest.mark.db
def test_metrics_count_requests_by_route(alice: Person) -> None:
    alice.delete("tokens/6d1e3c0e-9a53-4a4c-8d3c-6d6f0c6d2a51")
    text = generate_latest().decode()
    assert 'route="api/v1/tokens/<uuid:token_id>",status="404"' in text
    assert "6d1e3c0e" not in text


@pytest.mark.db
def test_answers_of_the_api_say_their_time_and_are_not_cached(alice: Person) -> None:
    response = alice.get("session")
    name, _, taken_ms = response["Server-Timing"].rpartition("=")
    assert name == "app;dur"
    assert float(taken_ms) > 0
    assert response["Cache-Control"] == "no-store"


def test_every_operation_has_the_one_error_shape() -> None:
    """That it is valid and made without a warning is seen by `./test api-types`."""
    schema = orjson.loads(schema_json())
    for operations in schema["paths"].values():
        for operation in operations.values():
            content = operation["responses"]["default"]["content"]
            assert list(content) == ["application/problem+json"]
