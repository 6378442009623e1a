"""Workspaces, roles, invitations, leaving, removal, handing over, sessions."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from accounts import teams
from accounts.models import AuditEntry, Invitation
from accounts.secrets import hash_of
from accounts.testing import JSON
from common.errors import NotFound
from jobs.models import Job

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db
PASSWORD = "correct horse battery staple"


def invite(owner: Person, **asked: str) -> str:
    """Return the secret of a new invitation."""
    made = owner.post("invitations", {"role": "viewer", **asked})
    assert made.status_code == 201, made.content
    link: str = made.json()["link"]
    return link.partition("#")[2]


def post(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type=JSON)


def member_id(owner: Person, email: str) -> str:
    rows = owner.get("members").json()["results"]
    return next(str(row["id"]) for row in rows if row["email"] == email)


def test_a_stranger_joins_by_a_link_with_an_account_of_their_own(alice: Person) -> None:
    secret, browser = invite(alice), Client()
    look = post(browser, "join/look", {"token": secret}).json()
    assert (look["workspace_name"], look["role"]) == ("Alice's", "viewer")
    assert look["invited_by"] == "alice@example.org"
    body = {"token": secret, "email": "New@example.org", "password": PASSWORD}
    joined = post(browser, "join", body)
    assert joined.status_code == 200
    assert joined.json()["workspace"] == {
        "id": str(alice.workspace_id),
        "name": "Alice's",
        "role": "viewer",
    }
    assert browser.get("/api/v1/session").json()["user"]["email"] == "new@example.org"
    roles = {row["email"]: row["role"] for row in alice.get("members").json()["results"]}
    assert roles["new@example.org"] == "viewer"


@pytest.mark.decisive
def test_a_link_is_good_once(alice: Person, charlie: Person) -> None:
    secret = invite(alice)
    assert charlie.post("join", {"token": secret}).status_code == 200
    assert charlie.post("join/look", {"token": secret}).status_code == 404
    again = post(
        Client(), "join", {"token": secret, "email": "x@example.org", "password": PASSWORD}
    )
    assert again.status_code == 404


def test_a_person_is_in_two_workspaces_and_goes_from_one_to_the_other(
    alice: Person, charlie: Person
) -> None:
    joined = charlie.post("join", {"token": invite(alice, role="editor")})
    assert joined.json()["workspace"]["id"] == str(alice.workspace_id)
    assert {row["email"] for row in charlie.get("members").json()["results"]} == {
        "alice@example.org",
        "charlie@example.org",
    }
    back = charlie.post("session/workspace", {"workspace": str(charlie.workspace_id)})
    assert back.json()["workspace"]["role"] == "owner"
    assert [row["email"] for row in charlie.get("members").json()["results"]] == [
        "charlie@example.org"
    ]
    assert len(charlie.get("workspaces").json()["results"]) == 2


def test_a_foreign_workspace_is_not_entered(alice: Person, charlie: Person) -> None:
    missing = charlie.post("session/workspace", {"workspace": str(Job().id)})
    foreign = charlie.post("session/workspace", {"workspace": str(alice.workspace_id)})
    assert foreign.status_code == missing.status_code == 404
    assert charlie.get("session").json()["workspace"]["id"] == str(charlie.workspace_id)


def test_an_invitation_for_an_address_is_for_it_alone(alice: Person, charlie: Person) -> None:
    secret = invite(alice, email="Vera@example.org")
    assert charlie.post("join", {"token": secret}).status_code == 403
    body = {"token": secret, "email": "other@example.org", "password": PASSWORD}
    assert post(Client(), "join", body).json()["errors"][0]["pointer"] == "/email"
    own = {"token": secret, "password": PASSWORD}
    assert post(Client(), "join", own).json()["user"]["email"] == "vera@example.org"


def test_an_account_that_exists_is_not_taken_over(alice: Person, charlie: Person) -> None:
    body = {"token": invite(alice), "email": "charlie@example.org", "password": PASSWORD}
    refused = post(Client(), "join", body)
    assert refused.status_code == 409
    assert charlie.post("join", {"token": body["token"]}).status_code == 200


def test_a_withdrawn_or_old_invitation_opens_nothing(alice: Person, charlie: Person) -> None:
    secret = invite(alice)
    row = alice.get("invitations").json()["results"][0]
    assert "link" not in row
    later = timezone.now() + teams.INVITATION_LIFE + timedelta(seconds=1)
    with pytest.raises(NotFound):
        teams.join(account=charlie.account, secret=secret, now=later)
    assert alice.delete(f"invitations/{row['id']}").status_code == 204
    assert charlie.post("join", {"token": secret}).status_code == 404
    assert alice.get("invitations").json()["results"] == []
    with alice.workspace():
        assert Invitation.objects.get().token_hash == hash_of(secret)


@override_settings(SIGN_UP="closed")
def test_where_sign_up_is_closed_only_who_has_an_account_joins(
    alice: Person, charlie: Person
) -> None:
    body = {"token": invite(alice), "email": "new@example.org", "password": PASSWORD}
    assert post(Client(), "join", body).status_code == 403
    assert charlie.post("join", {"token": body["token"]}).status_code == 200


def test_weak_passwords_are_refused_at_their_field(alice: Person) -> None:
    body = {"token": invite(alice), "email": "new@example.org", "password": "short"}
    refused = post(Client(), "join", body)
    assert refused.status_code == 422
    assert {error["pointer"] for error in refused.json()["errors"]} == {"/password"}


def test_a_workspace_is_handed_over_and_left(alice: Person, bob: Person) -> None:
    leave = f"workspaces/{alice.workspace_id}/leave"
    assert alice.post(leave).status_code == 409
    mine = member_id(alice, "alice@example.org")
    assert alice.patch(f"members/{mine}", {"role": "viewer"}).status_code == 409
    his = member_id(alice, "bob@example.org")
    assert alice.patch(f"members/{his}", {"role": "owner"}).json()["role"] == "owner"
    assert alice.post(leave).status_code == 204
    # Nobody is without a workspace.
    home = alice.get("session").json()["workspace"]
    assert home["id"] != str(alice.workspace_id)
    assert home["role"] == "owner"
    assert [row["email"] for row in bob.get("members").json()["results"]] == ["bob@example.org"]


def test_who_is_removed_sees_nothing_more_and_their_tokens_end(alice: Person, bob: Person) -> None:
    headers = bob.token()
    assert alice.delete(f"members/{member_id(alice, 'bob@example.org')}").status_code == 204
    assert Client().get("/api/v1/members", headers=headers).status_code == 401
    assert bob.get("session").json()["workspace"]["id"] != str(alice.workspace_id)
    with alice.workspace():
        assert AuditEntry.objects.filter(action="member.remove", target="bob@example.org").exists()


def test_a_tokens_power_is_no_more_than_its_makers(alice: Person, bob: Person) -> None:
    headers = bob.token()
    his = member_id(alice, "bob@example.org")
    alice.patch(f"members/{his}", {"role": "viewer"})
    assert Client().get("/api/v1/members", headers=headers).status_code == 200
    refused = Client().post("/api/v1/studies", {"title": "x"}, content_type=JSON, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["detail"].startswith("This takes an editor or an owner")


def test_a_new_workspace_gets_the_examples_by_a_job(alice: Person, outbox: list[Any]) -> None:
    made = alice.post("workspaces", {"name": "Second"})
    assert made.status_code == 201
    assert made.json()["role"] == "owner"
    alice.post("session/workspace", {"workspace": made.json()["id"]})
    assert alice.get("session").json()["workspace"]["name"] == "Second"
    assert list(_kinds(made.json()["id"])) == ["examples"]
    renamed = alice.patch(f"workspaces/{made.json()['id']}", {"name": "Third"})
    assert renamed.json()["name"] == "Third"
    assert alice.patch(f"workspaces/{alice.workspace_id}", {"name": "x"}).status_code == 404


def _kinds(workspace_id: str) -> list[str]:
    from uuid import UUID

    from common.tenancy import workspace

    with workspace(UUID(workspace_id)):
        return list(Job.objects.values_list("kind", flat=True))


def test_sessions_are_listed_and_ended(alice: Person, charlie: Person) -> None:
    there = Client(headers={"User-Agent": "There"})
    from accounts.services import code_create

    post(there, "session", {"code": code_create(user_id=alice.account.user_id)})
    listed = alice.get("sessions").json()["results"]
    assert [(row["agent"], row["is_this"]) for row in listed] == [("There", False), ("", True)]
    ended = f"sessions/{listed[0]['id']}"
    assert charlie.delete(ended).status_code == 404
    assert alice.delete(ended).status_code == 204
    assert there.get("/api/v1/session").status_code == 401
    assert alice.get("session").status_code == 200
