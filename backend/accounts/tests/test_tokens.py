"""API tokens: shown once, hashed, with scopes, expiry and revocation."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from accounts.crossing import token_use
from accounts.models import ApiToken, AuditEntry, Member
from accounts.secrets import hash_of
from accounts.services import token_create
from accounts.testing import JSON

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db


def test_a_token_is_shown_once_and_kept_as_a_hash(alice: Person) -> None:
    created = alice.post("tokens", {"title": "CI"})
    assert created.status_code == 201
    token = created.json()["token"]
    assert token.startswith("amp_")
    listed = alice.get("tokens").json()["results"]
    assert [row["title"] for row in listed] == ["CI"]
    assert "token" not in listed[0]
    with alice.workspace():
        assert ApiToken.objects.get().token_hash == hash_of(token)
        assert token not in str(ApiToken.objects.values().get())


def test_a_token_opens_its_workspace_and_notes_its_use(alice: Person) -> None:
    headers = alice.token()
    assert Client().get("/api/v1/tokens", headers=headers).status_code == 200
    with alice.workspace():
        assert ApiToken.objects.get().last_used_at is not None


def test_a_colleague_sees_the_workspaces_tokens_and_a_stranger_none(
    alice: Person, bob: Person, charlie: Person
) -> None:
    alice.post("tokens", {"title": "CI"})
    assert len(bob.get("tokens").json()["results"]) == 1
    assert charlie.get("tokens").json()["results"] == []


@pytest.mark.decisive
def test_a_token_without_the_scope_is_refused(alice: Person) -> None:
    headers = alice.token("read")
    assert Client().get("/api/v1/tokens", headers=headers).status_code == 200
    refused = Client().post(
        "/api/v1/tokens", {"title": "x"}, content_type="application/json", headers=headers
    )
    assert refused.status_code == 403
    assert refused.json()["detail"] == "This token lacks the scope 'write'."


def test_a_token_manages_only_where_that_is_named_and_its_maker_is_an_owner(
    alice: Person, bob: Person
) -> None:
    client, path = Client(), "/api/v1/invitations"
    usual, named, editors = (
        alice.token(),
        alice.token("read", "manage"),
        bob.token("read", "manage"),
    )
    body = {"role": "editor"}
    refused = client.post(path, body, content_type=JSON, headers=usual)
    assert refused.json()["detail"] == "This token lacks the scope 'manage'."
    assert client.post(path, body, content_type=JSON, headers=editors).status_code == 403
    assert client.post(path, body, content_type=JSON, headers=named).status_code == 201
    made = bob.post("tokens", {"title": "x", "scopes": ["read", "manage"]})
    assert made.status_code == 422, "a token that could never be used"
    owner = client.post(path, {"role": "owner"}, content_type=JSON, headers=named)
    assert owner.json()["detail"] == "A token invites no owner. Sign in, and do it there."
    member = f"/api/v1/members/{uuid4()}"
    assert client.delete(member, headers=named).status_code == 403


def test_a_token_is_answered_whose_it_is_and_where_the_event_stream_is(alice: Person) -> None:
    answer = Client().get("/api/v1/session", headers=alice.token("read"))
    assert answer.json() == alice.get("session").json()
    assert answer.json()["events_url"].endswith("/events")
    assert Client().get("/api/v1/session").status_code == 401


def test_a_token_makes_none_and_revokes_none_but_itself(alice: Person) -> None:
    headers, other = alice.token(), alice.token()
    client = Client()
    made = client.post("/api/v1/tokens", {"title": "x"}, content_type=JSON, headers=headers)
    assert made.status_code == 403
    with alice.workspace():
        ids = {row.token_hash: row.id for row in ApiToken.objects.all()}
    own, foreign = (ids[hash_of(one["authorization"][7:])] for one in (headers, other))
    assert client.delete(f"/api/v1/tokens/{foreign}", headers=headers).status_code == 403
    assert client.delete(f"/api/v1/tokens/{own}", headers=headers).status_code == 204
    assert client.get("/api/v1/tokens", headers=headers).status_code == 401
    assert client.get("/api/v1/tokens", headers=other).status_code == 200


def test_a_token_lives_a_year_at_most(alice: Person) -> None:
    now = timezone.now()
    for given in ({}, {"expires_at": None}):
        made = alice.post("tokens", {"title": "x", **given}).json()
        life = datetime.fromisoformat(made["expires_at"]) - now
        assert timedelta(days=365) < life < timedelta(days=367)
    late = (now + timedelta(days=400)).isoformat()
    refused = alice.post("tokens", {"title": "x", "expires_at": late})
    assert refused.json()["errors"][0]["pointer"] == "/expires_at"


@pytest.mark.parametrize("scope", ["write", "run"])
def test_a_token_that_may_not_read_changes_nothing_and_is_not_made(
    alice: Person, scope: str
) -> None:
    refused = alice.post("tokens", {"title": "x", "scopes": [scope]})
    assert refused.json()["errors"][0]["pointer"] == "/scopes"
    answer = Client().delete(f"/api/v1/tokens/{uuid4()}", headers=alice.token(scope))
    assert answer.status_code == 403


def test_an_expired_token_is_worthless(alice: Person) -> None:
    now = timezone.now()
    with alice.workspace():
        _, secret = token_create(
            principal=alice.principal, title="t", expires_at=now + timedelta(hours=1)
        )
    assert token_use(hash_of(secret), now) is not None
    assert token_use(hash_of(secret), now + timedelta(hours=1)) is None


def test_a_revoked_token_is_worthless(alice: Person) -> None:
    headers = alice.token()
    token_id = alice.get("tokens").json()["results"][0]["id"]
    assert alice.delete(f"tokens/{token_id}").status_code == 204
    assert alice.delete(f"tokens/{token_id}").status_code == 204
    assert Client().get("/api/v1/tokens", headers=headers).status_code == 401
    assert alice.get("tokens").json()["results"] == []
    with alice.workspace():
        assert AuditEntry.objects.filter(action="token.revoke").count() == 1


def test_a_token_ends_with_its_makers_membership(alice: Person, bob: Person) -> None:
    headers = bob.token()
    assert Client().get("/api/v1/tokens", headers=headers).status_code == 200
    with alice.workspace():
        Member.objects.filter(user_id=bob.account.user_id).delete()
    assert Client().get("/api/v1/tokens", headers=headers).status_code == 401
    assert bob.get("session").status_code == 401


def test_a_foreign_id_is_answered_as_a_missing_one(alice: Person, charlie: Person) -> None:
    alice.post("tokens", {"title": "CI"})
    token_id = alice.get("tokens").json()["results"][0]["id"]
    foreign, missing = charlie.delete(f"tokens/{token_id}"), charlie.delete(f"tokens/{uuid4()}")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content
    with alice.workspace():
        assert ApiToken.objects.get().revoked_at is None


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer amp_nonsense", "Bearer ünknown", "bearer \x00"]
)
def test_a_wrong_token_is_a_401(alice: Person, header: str) -> None:
    response = alice.client.get("/api/v1/tokens", headers={"authorization": header})
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/title"),
        ({"title": ""}, "/title"),
        ({"title": "x" * 101}, "/title"),
        ({"title": "x", "scopes": []}, "/scopes"),
        ({"title": "x", "scopes": ["admin"]}, "/scopes/0"),
        ({"title": "x", "scope": ["read"]}, "/scope"),
        ({"title": "x", "expires_at": "soon"}, "/expires_at"),
        ({"title": "x", "expires_at": "2020-01-01T00:00:00Z"}, "/expires_at"),
    ],
)
def test_a_wrong_value_is_named(alice: Person, body: object, pointer: str) -> None:
    response = alice.post("tokens", body)
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer]


def test_what_was_done_is_written_down_for_good(alice: Person) -> None:
    alice.post("tokens", {"title": "CI"})
    row = alice.get("audit").json()["results"][0]
    assert (row["actor_email"], row["action"], row["target"]) == (
        "alice@example.org",
        "token.create",
        "CI",
    )
    with pytest.raises(DatabaseError, match="permission denied"), alice.workspace():
        AuditEntry.objects.update(action="nothing")
    with pytest.raises(DatabaseError, match="permission denied"), alice.workspace():
        AuditEntry.objects.all().delete()


def test_a_function_that_crosses_is_closed_to_the_public(alice: Person) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT proname FROM pg_proc
               WHERE prosecdef AND pronamespace = 'public'::regnamespace
                 AND (proconfig IS NULL OR has_function_privilege('public', oid, 'EXECUTE'))"""
        )
        assert cursor.fetchall() == []
