"""Signing in and out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts import authentication
from accounts.models import AuditEntry, Session, SignInCode
from accounts.services import (
    FAILURES_MAX,
    code_create,
    password_set,
    sign_in_prune,
    sign_in_with_password,
)
from common.errors import NotSignedIn, TooMany

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db
PASSWORD = "correct horse battery staple"


def test_says_who_is_signed_in(alice: Person, settings: object) -> None:
    answer = alice.get("session").json()
    assert answer == {
        "user": {"id": str(alice.account.user_id), "email": "alice@example.org"},
        "workspace": {"id": str(alice.workspace_id), "name": "Alice's", "role": "owner"},
        "events_url": "http://127.0.0.1:8001/events",
    }


def test_nobody_is_signed_in_at_first(alice: Person) -> None:
    response = Client().get("/api/v1/session")
    assert response.status_code == 401
    assert response["content-type"] == "application/problem+json"
    assert response.json()["type"] == "urn:ampacity:not_signed_in"
    assert "csrftoken" in response.cookies


@pytest.mark.decisive
def test_a_code_signs_in_once(alice: Person) -> None:
    code = code_create(user_id=alice.account.user_id)
    first = Client().post("/api/v1/session", {"code": code}, content_type="application/json")
    again = Client().post("/api/v1/session", {"code": code}, content_type="application/json")
    assert first.status_code == 200
    assert again.status_code == 401
    assert not SignInCode.objects.exists()


def test_a_code_is_kept_as_a_hash_only(alice: Person) -> None:
    code = code_create(user_id=alice.account.user_id)
    assert code not in str(list(SignInCode.objects.values_list()))


def test_a_code_ends_after_ten_minutes(alice: Person) -> None:
    issued = timezone.now() - timedelta(minutes=10, seconds=1)
    code = code_create(user_id=alice.account.user_id, now=issued)
    assert alice.post("session", {"code": code}).status_code == 401
    sign_in_prune()
    assert not SignInCode.objects.exists()


def test_signs_in_with_a_password_whatever_the_case_of_the_address(alice: Person) -> None:
    password_set(account=alice.account, password=PASSWORD)
    body = {"email": "Alice@Example.org", "password": PASSWORD}
    response = Client().post("/api/v1/session", body, content_type="application/json")
    assert response.status_code == 200
    with alice.workspace():
        actions = list(AuditEntry.objects.order_by("created_at").values_list("action", flat=True))
    assert actions[-2:] == ["password.set", "session.create.password"]


@pytest.mark.parametrize("email", ["alice@example.org", "nobody@example.org"])
def test_refuses_a_wrong_password_and_an_unknown_address_alike(alice: Person, email: str) -> None:
    password_set(account=alice.account, password=PASSWORD)
    response = alice.post("session", {"email": email, "password": "wrong"})
    assert response.status_code == 401
    assert response.json()["detail"] == "The e-mail address or the password is not right."


def test_who_has_no_password_cannot_sign_in_with_one(alice: Person) -> None:
    assert alice.post("session", {"email": "alice@example.org", "password": ""}).status_code == 422
    assert alice.post("session", {"email": "alice@example.org", "password": "!"}).status_code == 401


def test_a_new_password_ends_the_sessions_before_it(alice: Person) -> None:
    assert alice.get("session").status_code == 200
    password_set(account=alice.account, password=PASSWORD)
    assert alice.get("session").status_code == 401


def test_guessing_is_slowed_down_and_forgiven_later(alice: Person) -> None:
    password_set(account=alice.account, password=PASSWORD)
    wrong = {"email": "alice@example.org", "password": "wrong"}
    for _ in range(FAILURES_MAX["pair"]):
        assert alice.post("session", wrong).status_code == 401
    refused = alice.post("session", wrong | {"password": PASSWORD})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 15 * 60
    later = timezone.now() + timedelta(minutes=16)
    account = sign_in_with_password(
        email="alice@example.org", password=PASSWORD, address="127.0.0.1", now=later
    )
    assert account.user_id == alice.account.user_id


def test_guessing_from_elsewhere_keeps_nobody_out(alice: Person) -> None:
    password_set(account=alice.account, password=PASSWORD)
    email = "alice@example.org"

    def tries(address: str, password: str = "wrong") -> bool:
        try:
            sign_in_with_password(email=email, password=password, address=address)
        except NotSignedIn:
            return True
        except TooMany:
            return False
        return True

    guesses = [tries(f"10.0.{place}.1") for place in range(7) for _ in range(10)]
    # Ten each, until fifty were refused; three each from then on.
    assert guesses.count(True) == 5 * 10 + 2 * 3
    account = sign_in_with_password(email=email, password=PASSWORD, address="192.0.2.1")
    assert account.user_id == alice.account.user_id


def test_the_table_of_sessions_lets_nobody_in(alice: Person) -> None:
    key = alice.client.cookies["ampacity_session"].value
    rows = list(Session.objects.values_list("session_key", flat=True))
    assert key not in rows
    thief = Client()
    for row in rows:
        thief.cookies["ampacity_session"] = row
        assert thief.get("/api/v1/session").status_code == 401
    assert alice.get("session").status_code == 200
    assert alice.delete("session").status_code == 204
    assert Session.objects.count() == 0


def test_signing_out_ends_the_session(alice: Person) -> None:
    assert alice.delete("session").status_code == 204
    assert alice.get("session").status_code == 401
    assert alice.get("tokens").status_code == 401


def test_a_session_changes_nothing_without_the_csrf_token(alice: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    code = code_create(user_id=alice.account.user_id)
    strict.post("/api/v1/session", {"code": code}, content_type="application/json")
    body = {"title": "for the script"}
    refused = strict.post("/api/v1/tokens", body, content_type="application/json")
    assert refused.status_code == 403
    allowed = strict.post(
        "/api/v1/tokens",
        body,
        content_type="application/json",
        headers={"X-CSRFToken": strict.cookies["csrftoken"].value},
    )
    assert allowed.status_code == 201


def test_signing_in_asks_for_a_code_or_a_password(alice: Person) -> None:
    response = alice.post("session", {"email": "alice@example.org"})
    assert response.status_code == 422
    assert response.json()["detail"] == "Send a code, or an email and a password."


def test_an_instant_answer_looks_up_who_asks_once_in_some_seconds(
    alice: Person, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    now = [100.0]
    monkeypatch.setattr(authentication, "BRIEFLY", authentication.Briefly(clock=lambda: now[0]))
    body = {"model": "cost.npv", "params": {}}
    with django_assert_num_queries(1):
        alice.post("evaluate", body)
    with django_assert_num_queries(0):
        assert alice.post("evaluate", body).status_code != 401
    key = alice.client.session.session_key
    Session.objects.all().delete()
    now[0] += authentication.BRIEFLY_S - 0.1
    assert alice.post("evaluate", body).status_code != 401
    # what is stored is never read for who has left
    assert alice.post("evaluate", {"study": str(uuid4())}).status_code == 401
    assert alice.get("studies").status_code == 401
    now[0] += 0.1
    assert alice.post("evaluate", body).status_code == 401
    assert authentication.BRIEFLY.get(key) is None


def test_who_was_looked_up_is_not_kept_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "BRIEFLY_MOST", 2)
    briefly, who = authentication.Briefly(clock=lambda: 0.0), object()
    for key in ("a", "b", "c"):
        briefly.put(key, who)  # type: ignore[arg-type] # whoever
    assert [briefly.get(key) for key in ("a", "b", "c", None)] == [None, None, who, None]
