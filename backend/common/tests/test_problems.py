"""Every failure has the one shape."""

from __future__ import annotations

import tracemalloc
from typing import Any

import orjson
import pytest
from django.test import Client

from common import parsers

pytestmark = pytest.mark.urls("common.tests.urls")
JSON = "application/json"


@pytest.mark.parametrize(
    ("kind", "status", "code", "pointers"),
    [
        ("model", 422, "invalid", [""]),
        ("params", 422, "invalid", ["/a", "/b"]),
        ("points", 413, "too_large", []),
        ("unknown", 404, "not_found", []),
        ("invalid", 422, "invalid", ["/x"]),
        ("conflict", 409, "conflict", []),
        ("many", 429, "too_many", []),
        ("missing", 404, "not_found", []),
        ("denied", 403, "forbidden", []),
    ],
)
def test_each_error_has_its_status(kind: str, status: int, code: str, pointers: list[str]) -> None:
    response = Client().get(f"/fail/{kind}")
    problem = response.json()
    assert response.status_code == problem["status"] == status
    assert response["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:ampacity:{code}"
    assert problem["detail"]
    assert problem["title"]
    assert [fault["pointer"] for fault in problem["errors"]] == pointers


def test_a_bug_is_a_500_that_tells_nothing() -> None:
    response = Client(raise_request_exception=False).get("/fail/bug")
    assert response.status_code == 500
    assert response["content-type"] == "application/problem+json"
    assert "ZeroDivision" not in response.content.decode()


def test_an_error_may_say_more() -> None:
    assert Client().get("/fail/conflict").json()["current"] == {"title": "new"}
    assert Client().get("/fail/many")["Retry-After"] == "7"


@pytest.mark.parametrize(
    ("kind", "body", "pointers"),
    [
        ("pydantic", {"cores_count": 0, "hue": 1}, ["/cores_count", "/title", "/hue"]),
        ("drf", {"title": "too long", "cores": [1, 0, "x"]}, ["/title", "/cores/1", "/cores/2"]),
        ("drf", {}, ["/title", "/cores"]),
        ("drf", [], [""]),
    ],
)
@pytest.mark.decisive
def test_all_faults_are_told_at_once(kind: str, body: Any, pointers: list[str]) -> None:
    response = Client().post(f"/check/{kind}", body, content_type=JSON)
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == pointers
    assert all(fault["code"] and fault["message"] for fault in response.json()["errors"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b'{"a": NaN}', 422),
        (b'{"a": Infinity}', 422),
        (b'{"a": NaN', 400),
        (b"\xff", 400),
        (b'"\\ud800"', 400),
        (b"[" * 40_000, 400),
        (b'{"title": "a\\u0000b"}', 422),
        (b'["\\u0000"]', 422),
        (b'{"\\u0000": 1}', 422),
    ],
)
def test_what_is_not_json_or_not_storable_is_refused(body: bytes, status: int) -> None:
    response = Client().generic("POST", "/check/drf", body, content_type=JSON)
    assert response.status_code == status
    assert response.json()["detail"]


def test_numbers_that_are_none_are_told_by_their_places() -> None:
    body = b'{"a": [1, NaN], "b/c": 1e400, "d": 2.5}'
    errors = Client().generic("POST", "/check/drf", body, content_type=JSON).json()["errors"]
    assert [fault["pointer"] for fault in errors] == ["/a/1", "/b~1c"]
    assert {fault["message"] for fault in errors} == {"Enter a finite number."}


def test_nul_characters_are_told_by_their_places_however_deep() -> None:
    body = b'{"a": ["x\\u0000"], "b": {"c\\u0000": []}, "d": ' + b"[" * 900
    body += b'"\\u0000"' + b"]" * 900 + b"}"
    errors = Client().generic("POST", "/check/drf", body, content_type=JSON).json()["errors"]
    assert [fault["pointer"] for fault in errors] == ["/a/0", "/b/c", "/d" + "/0" * 900]
    assert {fault["code"] for fault in errors} == {"nul"}


def test_a_number_that_is_none_is_found_however_deep() -> None:
    body = b"[" * 900 + b"NaN" + b"]" * 900
    errors = Client().generic("POST", "/check/drf", body, content_type=JSON).json()["errors"]
    assert [fault["pointer"] for fault in errors] == ["/0" * 900]


@pytest.mark.parametrize("wrong", [b'"\\u0000"', b"NaN"])
def test_of_many_faults_fifty_are_told_and_no_more_is_kept(wrong: bytes) -> None:
    body = b'{"' + b"k" * 2_000 + b'": [' + b"0," * 20_000 + b",".join([wrong] * 400) + b"]}"
    tracemalloc.start()
    response = Client().generic("POST", "/check/drf", body, content_type=JSON)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    places = [fault["pointer"].rpartition("/")[2] for fault in response.json()["errors"]]
    assert places == [str(20_000 + index) for index in range(50)]
    # A pointer for each of the entries would take 40 MB.
    assert peak_bytes < 5_000_000


@pytest.mark.parametrize("kind", ["pydantic", "drf"])
def test_of_many_wrong_fields_fifty_are_told(kind: str) -> None:
    body = {"title": "a", "cores": ["x"] * 300, **{f"k{index}": 0 for index in range(300)}}
    errors = Client().post(f"/check/{kind}", body, content_type=JSON).json()["errors"]
    assert len(errors) == 50


@pytest.mark.parametrize(
    "body", [b'{"a": "' + b"x" * 70_000 + b'"}', b"[" * 50_001, b'{"":0},' * 9_000]
)
def test_a_body_is_measured_before_it_is_read(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orjson, "loads", lambda _body: pytest.fail("it was read"))
    monkeypatch.setattr(parsers, "_SIGNS_MOST", {**parsers._SIGNS_MOST, b":": 8_000})
    response = Client().generic("POST", "/check/drf", body, content_type=JSON)
    assert response.status_code == 413
    assert response.json()["detail"].endswith(("taken here.", "anything here takes."))


def test_a_backslash_before_a_u_is_no_nul() -> None:
    response = Client().generic(
        "POST", "/check/drf", rb'{"title": "\\u0", "cores": []}', content_type=JSON
    )
    assert response.status_code == 200


def test_a_body_above_the_limit_is_a_413(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    response = Client().post("/check/drf", {"title": "x" * 20}, content_type=JSON)
    assert response.status_code == 413


@pytest.mark.parametrize(
    ("method", "content_type", "status"),
    [("PUT", JSON, 405), ("POST", "application/x-www-form-urlencoded", 415)],
)
def test_other_methods_and_types_are_refused(method: str, content_type: str, status: int) -> None:
    response = Client().generic(method, "/check/drf", b"{}", content_type=content_type)
    assert response.status_code == response.json()["status"] == status


def test_an_address_that_leads_nowhere_is_a_404() -> None:
    response = Client().get("/nowhere")
    assert response.status_code == 404
    assert response.json()["detail"] == "Nothing here has this id."
