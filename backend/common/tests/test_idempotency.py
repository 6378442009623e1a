"""A POST with an Idempotency-Key takes effect once."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import ApiToken

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db
KEY = {"Idempotency-Key": "1b7e"}


def titles(person: Person) -> list[str]:
    with person.workspace():
        return list(ApiToken.objects.values_list("title", flat=True))


@pytest.mark.decisive
def test_a_repeat_gets_the_same_answer_and_makes_nothing_new(alice: Person) -> None:
    first = alice.post("tokens", {"title": "CI"}, headers=KEY)
    again = alice.post("tokens", {"title": "CI"}, headers=KEY)
    assert first.status_code == again.status_code == 201
    assert first.json()["id"] == again.json()["id"]
    assert again["Idempotent-Replayed"] == "true"
    assert titles(alice) == ["CI"]


def test_a_secret_is_not_kept_for_the_repeat(alice: Person) -> None:
    assert alice.post("tokens", {"title": "CI"}, headers=KEY).json()["token"]
    assert alice.post("tokens", {"title": "CI"}, headers=KEY).json()["token"] is None


def test_another_request_under_the_same_key_is_refused(alice: Person) -> None:
    alice.post("tokens", {"title": "CI"}, headers=KEY)
    assert alice.post("tokens", {"title": "CD"}, headers=KEY).status_code == 422
    assert titles(alice) == ["CI"]


def test_a_refused_request_may_be_mended_under_its_key(alice: Person) -> None:
    assert alice.post("tokens", {"title": ""}, headers=KEY).status_code == 422
    assert alice.post("tokens", {"title": "CI"}, headers=KEY).status_code == 201


def test_keys_of_other_workspaces_do_not_matter(alice: Person, charlie: Person) -> None:
    alice.post("tokens", {"title": "CI"}, headers=KEY)
    assert charlie.post("tokens", {"title": "CI"}, headers=KEY).json()["token"]


def test_a_key_that_is_too_long_is_refused(alice: Person) -> None:
    headers = {"Idempotency-Key": "k" * 201}
    assert alice.post("tokens", {"title": "CI"}, headers=headers).status_code == 422


def test_the_same_request_at_the_same_time_takes_effect_once(alice: Person) -> None:
    def post(_: int) -> Any:
        # Only a person in a session makes tokens; each thread has a browser with that session.
        browser = Client()
        browser.cookies = deepcopy(alice.client.cookies)
        try:
            return browser.post(
                "/api/v1/tokens", {"title": "CI"}, content_type="application/json", headers=KEY
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(post, range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert titles(alice).count("CI") == 1


def test_a_repeat_has_the_tag_of_the_first_answer(alice: Person) -> None:
    made = [alice.post("studies", {"title": "Twice"}, headers=KEY) for _ in range(2)]
    assert made[0]["ETag"] == made[1]["ETag"]
    assert made[1]["Idempotent-Replayed"] == "true"


def test_another_query_under_the_same_key_is_another_request(alice: Person) -> None:
    def asked(names: str) -> int:
        sent = {"file": io.BytesIO(b"a,b\n1,2\n")}
        address = f"/api/v1/imports?names={names}"
        return int(alice.client.post(address, sent, headers=KEY).status_code)

    assert (asked("keep"), asked("keep"), asked("hash")) == (202, 202, 422)
