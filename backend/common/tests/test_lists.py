"""Cursor pages, ETags."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts.services import token_create
from common.errors import Changed
from common.etags import difference, etag_of, require_match
from common.parsers import OrjsonParser

if TYPE_CHECKING:
    from accounts.testing import Person


@pytest.mark.db
@pytest.mark.decisive
def test_pages_through_a_list_without_gap_or_repeat(alice: Person) -> None:
    with alice.workspace():
        for number in range(7):
            token_create(principal=alice.principal, title=str(number))
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        answer = alice.get(f"tokens?limit=3&cursor={cursor}").json()
        seen += [row["title"] for row in answer["results"]]
        cursor = answer["next_cursor"]
    assert seen == ["6", "5", "4", "3", "2", "1", "0"]


@pytest.mark.db
def test_a_forged_cursor_that_stands_before_the_start_leads_to_the_start(alice: Person) -> None:
    with alice.workspace():
        for number in range(4):
            token_create(principal=alice.principal, title=str(number))
    backwards = base64.b64encode(b"r=1&o=99").decode()
    page = alice.get(f"tokens?limit=3&cursor={backwards}").json()
    assert page["results"] == []
    assert page["next_cursor"] == ""
    page = alice.get("tokens?limit=2&cursor=").json()
    assert [row["title"] for row in page["results"]] == ["3", "2"]


@pytest.mark.db
def test_a_wrong_cursor_is_named(alice: Person) -> None:
    response = alice.get("tokens?cursor=%00nonsense")
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "/cursor"


def patch(body: dict[str, Any], method: str = "PATCH", **headers: str) -> Request:
    request = APIRequestFactory().generic(
        method, "/", json.dumps(body), "application/json", headers=headers
    )
    return Request(request, parsers=[OrjsonParser()])


@pytest.mark.parametrize("tag", [etag_of(3), etag_of(3, {"title": "y"}), "*"])
def test_a_change_of_the_stored_revision_passes(tag: str) -> None:
    require_match(patch({"title": "x"}, **{"If-Match": tag}), 3, Mock(side_effect=AssertionError))
    require_match(patch({"title": "x"}), 3, Mock(side_effect=AssertionError))


def test_a_change_of_an_older_revision_is_refused_with_the_difference() -> None:
    stored = {"title": "new", "spec": {"nodes": [{"count": 3}], "rack": 1}, "kind": "cloud"}
    sent = {"title": "old", "spec": {"nodes": [{"count": 2}]}}
    rows = [
        {"pointer": "/title", "stored": "new", "sent": "old"},
        {"pointer": "/spec/nodes/0/count", "stored": 3, "sent": 2},
        {"pointer": "/spec/rack", "stored": 1, "sent": None},
    ]
    # A merge leaves what it does not name.
    for method, differing in (("PUT", rows), ("PATCH", rows[:2])):
        with pytest.raises(Changed) as caught:
            require_match(patch(sent, method, **{"If-Match": etag_of(2)}), 3, lambda: stored)
        assert caught.value.headers["ETag"] == etag_of(3, stored)
        assert caught.value.extra["current"] == stored
        assert caught.value.extra["difference"] == differing


def test_a_difference_is_pointed_at_in_json_pointers() -> None:
    assert difference({"a/b~": 1}, {"a/b~": 2}) == [{"pointer": "/a~1b~0", "stored": 1, "sent": 2}]
