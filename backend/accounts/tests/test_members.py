"""The members of a workspace, and changing one's password."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Member
from accounts.services import FAILURES_MAX, FRESH_LIFE, password_change, password_set
from common.errors import Forbidden

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db
OLD = "correct horse battery staple"
NEW = "another fine long sentence"


def with_password(person: Person) -> Person:
    """Give the person a password and a browser that was signed in since."""
    password_set(account=person.account, password=OLD)
    client = Client()
    body = {"email": person.account.email, "password": OLD}
    assert client.post("/api/v1/session", body, content_type="application/json").status_code == 200
    return type(person)(person.account, client)


@pytest.mark.decisive
def test_members_are_listed_with_their_roles(alice: Person, bob: Person, charlie: Person) -> None:
    for person in (alice, bob):
        found = person.get("members").json()["results"]
        roles = {row["email"]: row["role"] for row in found}
        assert roles == {"alice@example.org": "owner", "bob@example.org": "editor"}
    assert [row["email"] for row in charlie.get("members").json()["results"]] == [
        "charlie@example.org"
    ]


def test_everyone_sees_the_workspaces_they_are_in_and_no_other(
    alice: Person, bob: Person, charlie: Person
) -> None:
    def seen(person: Person) -> list[str]:
        return [row["id"] for row in person.get("workspaces").json()["results"]]

    assert seen(alice) == seen(bob) == [str(alice.account.workspace_id)]
    assert seen(charlie) == [str(charlie.account.workspace_id)]
    assert Client().get("/api/v1/workspaces").status_code == 401


def test_the_audit_is_of_this_workspace_and_only_read(alice: Person, charlie: Person) -> None:
    here = with_password(alice)
    assert here.post("password", {"old": OLD, "new": NEW}).status_code == 200
    assert [row["action"] for row in here.get("audit").json()["results"]][:1] == ["password.set"]
    foreign = charlie.get("audit").json()["results"]
    assert {row["actor_email"] for row in foreign} == {"charlie@example.org"}
    assert here.post("audit", {"action": "x"}).status_code == 405


def test_the_first_password_needs_no_old_one_in_a_fresh_session(alice: Person) -> None:
    assert alice.get("password").json() == {"is_set": False, "may_set": True}
    response = alice.post("password", {"new": NEW})
    assert response.status_code == 200
    assert response.json() == {"is_set": True, "may_set": True}
    assert alice.get("session").status_code == 200
    body = {"email": "alice@example.org", "password": NEW}
    assert alice.post("session", body).status_code == 200


def test_the_first_password_is_refused_in_a_session_that_is_not_fresh(alice: Person) -> None:
    now = timezone.now()
    for began_at in (None, now - FRESH_LIFE - timedelta(seconds=1)):
        with pytest.raises(Forbidden, match="Sign in again"):
            password_change(account=alice.account, new=NEW, began_at=began_at, now=now)


def test_setting_a_password_does_not_make_a_session_fresh_again(alice: Person) -> None:
    began = alice.client.session["began_at"]
    alice.post("password", {"new": NEW})
    assert alice.client.session["began_at"] == began


def test_a_change_ends_the_other_sessions_and_is_audited(alice: Person) -> None:
    here = with_password(alice)
    there = type(alice)(alice.account, Client())
    there.post("session", {"email": "alice@example.org", "password": OLD})
    assert there.get("session").status_code == 200
    assert here.post("password", {"old": OLD, "new": NEW}).status_code == 200
    assert here.get("session").status_code == 200
    assert there.get("session").status_code == 401
    with alice.workspace():
        actions = AuditEntry.objects.order_by("created_at").values_list("action", flat=True)
        assert list(actions)[-1] == "password.set"


@pytest.mark.parametrize(("body", "code"), [({}, "missing"), ({"old": "wrong"}, "wrong")])
def test_the_old_password_must_be_right(alice: Person, body: dict[str, str], code: str) -> None:
    here = with_password(alice)
    response = here.post("password", {**body, "new": NEW})
    assert response.status_code == 422
    assert [(e["pointer"], e["code"]) for e in response.json()["errors"]] == [("/old", code)]
    assert here.get("session").status_code == 200


@pytest.mark.parametrize("weak", ["short", "password12", "1234567890123", "alice@example.org"])
def test_a_weak_password_is_refused_with_the_reason(alice: Person, weak: str) -> None:
    response = alice.post("password", {"new": weak})
    assert response.status_code == 422
    errors = response.json()["errors"]
    assert errors
    assert {error["pointer"] for error in errors} == {"/new"}
    assert alice.get("password").json()["is_set"] is False


def test_guessing_the_old_password_is_slowed_down(alice: Person) -> None:
    here = with_password(alice)
    for _ in range(FAILURES_MAX["password"]):
        assert here.post("password", {"old": "wrong", "new": NEW}).status_code == 422
    refused = here.post("password", {"old": OLD, "new": NEW})
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0


def test_a_token_may_list_members_but_not_change_the_password(alice: Person) -> None:
    headers = alice.token()
    assert Client().get("/api/v1/members", headers=headers).status_code == 200
    refused = Client().post(
        "/api/v1/password", {"new": NEW}, content_type="application/json", headers=headers
    )
    assert refused.status_code == 403


def test_a_stranger_sees_no_member(alice: Person, charlie: Person) -> None:
    with charlie.workspace():
        assert not Member.objects.filter(user_id=alice.account.user_id).exists()
