"""Provisioning by SCIM: as Okta and Entra ID send it, and as scim2-tester has the standard."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from scim2_client.engines.wsgi import WSGISCIMClient
from scim2_tester import Status, check_server, filling

from accounts import provider_people
from accounts.crossing import account_by_email
from accounts.leaving import deletions_carry_out
from accounts.models import ApiToken, AuditEntry, Member, ProvisionedPerson, Session, User
from accounts.services import token_create
from accounts.testing import Person, join, sign_in
from common.errors import NotSignedIn
from common.principal import OWNER, PROVISION
from config.preparing import planner_prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.db
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"
SCIM = "application/scim+json"


class Provider:
    """An identity provider, with a token of a workspace."""

    def __init__(self, owner: Person, *scopes: str) -> None:
        self.headers = owner.token(*(scopes or (PROVISION,)))
        self.client = Client(headers=self.headers)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        sent = "" if body is None else json.dumps(body)
        return self.client.generic(method, f"/api/v1/scim/v2/{path}", sent, SCIM)

    def user(self, email: str = "dora@example.org", **told: Any) -> dict[str, Any]:
        """Make a user, and return what the answer says."""
        made = self.ask("POST", "Users", {"schemas": [USER], "userName": email, **told})
        assert made.status_code == 201, made.content
        found: dict[str, Any] = made.json()
        return found

    def group(self, name: str, *members: str) -> dict[str, Any]:
        """Make a group, and return what the answer says."""
        body = {
            "schemas": [GROUP],
            "displayName": name,
            "members": [{"value": one} for one in members],
        }
        made = self.ask("POST", "Groups", body)
        assert made.status_code == 201, made.content
        found: dict[str, Any] = made.json()
        return found

    def patch(self, path: str, *operations: dict[str, Any]) -> Any:
        """Change something."""
        return self.ask("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})


@pytest.fixture
def provider(alice: Person) -> Iterator[Provider]:
    with override_settings(SIGN_UP="invitation"):
        yield Provider(alice)


def roles(person: Person) -> dict[str, str]:
    with person.workspace():
        return dict(Member.objects.values_list("user__email", "role"))


def said(person: Person) -> list[str]:
    with person.workspace():
        return list(AuditEntry.objects.order_by("created_at").values_list("action", flat=True))


def comes_in(email: str) -> Person:
    """Return a member, signed in with a browser of their own."""
    account = account_by_email(email)
    assert account
    return sign_in(account)


@pytest.mark.decisive
def test_it_keeps_to_the_standard(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = filling.get_random_example_value

    def example(path: Any) -> Any:
        # People sign in with it, so it has to be an address.
        return f"{uuid4()}@example.org" if str(path) == "userName" else usual(path)

    monkeypatch.setattr(filling, "get_random_example_value", example)
    random.seed(40)
    environ = {"HTTP_AUTHORIZATION": Provider(alice).headers["authorization"]}
    client = WSGISCIMClient(
        get_wsgi_application(),
        base_url="http://testserver/api/v1/scim/v2",
        environ=environ,
    )
    wrong = [
        f"{result.title}: {result.reason}"
        for result in check_server(client)
        if result.status not in {Status.SUCCESS, Status.SKIPPED, Status.ACCEPTABLE}
    ]
    # Who is not told to be inactive is active: there is no third.
    unassigned = "check_remove_attribute: PATCH modify() did not remove attribute 'active'"
    assert set(wrong) <= {unassigned}


def test_a_person_is_found_by_name_taken_in_and_is_a_member(
    provider: Provider, alice: Person
) -> None:
    asked = 'Users?filter=userName eq "Dora@example.org"&startIndex=1&count=1'
    none = provider.ask("GET", asked)
    assert (none.status_code, none["Content-Type"]) == (200, SCIM)
    assert none.json()["totalResults"] == 0
    # As Entra ID sends it, with a schema that is not known here.
    made = provider.user(
        externalId="0a1b",
        active=True,
        emails=[{"primary": True, "type": "work", "value": "Dora@example.org"}],
        name={"formatted": "Dora D", "familyName": "D", "givenName": "Dora"},
        title="Planner",
        **dict[str, Any]({ENTERPRISE: {"department": "IT"}}),
    )
    assert made["active"] is True
    assert "title" not in made
    assert made["meta"]["location"].endswith(f"/api/v1/scim/v2/Users/{made['id']}")
    assert roles(alice)["dora@example.org"] == "viewer"
    found = provider.ask("GET", asked).json()
    assert [one["id"] for one in found["Resources"]] == [made["id"]]
    for filter_ in ('externalId eq "0a1b"', 'emails.value co "dora"', f'id eq "{made["id"]}"'):
        assert provider.ask("GET", f"Users?filter={filter_}").json()["totalResults"] == 1
    again = provider.ask("POST", "Users", {"schemas": [USER], "userName": "DORA@example.org"})
    assert (again.status_code, again.json()["scimType"]) == (409, "uniqueness")
    assert said(alice).count("member.provision") == 1


def off(how: str) -> list[dict[str, Any]]:
    forms: dict[str, list[dict[str, Any]]] = {
        "okta": [{"op": "replace", "value": {"active": False}}],
        "entra": [{"op": "Replace", "path": "active", "value": "False"}],
        "entra, today": [{"op": "Replace", "path": "active", "value": False}],
    }
    return forms[how]


@pytest.mark.parametrize("how", ["okta", "entra", "entra, today", "put", "delete"])
def test_who_is_deprovisioned_is_out_at_once(provider: Provider, alice: Person, how: str) -> None:
    made = provider.user()
    dora = comes_in("dora@example.org")
    with alice.workspace():
        _, secret = token_create(principal=dora.principal, title="hers")
    program = Client(headers={"authorization": f"Bearer {secret}"})
    assert dora.get("studies").status_code == program.get("/api/v1/studies").status_code == 200
    where = f"Users/{made['id']}"
    if how == "delete":
        assert provider.ask("DELETE", where).status_code == 204
        assert provider.ask("GET", where).status_code == 404
    else:
        sent = {"schemas": [USER], "userName": "dora@example.org", "active": False}
        answer = (
            provider.ask("PUT", where, sent) if how == "put" else provider.patch(where, *off(how))
        )
        assert (answer.status_code, answer.json()["active"]) == (200, False)
        assert provider.ask("GET", where).json()["active"] is False
    assert dora.get("studies").status_code == program.get("/api/v1/studies").status_code == 401
    assert not Session.objects.filter(user_id=dora.account.user_id).exists()
    assert "dora@example.org" not in roles(alice)
    assert User.objects.filter(email="dora@example.org").exists()
    # Back again: neither session nor token comes back with them.
    if how == "delete":
        provider.user()
    else:
        provider.patch(where, {"op": "replace", "path": "active", "value": True})
    assert roles(alice)["dora@example.org"] == "viewer"
    assert dora.get("studies").status_code == program.get("/api/v1/studies").status_code == 401
    assert "member.deprovision" in said(alice)


@pytest.mark.parametrize("policy", ["invitation", "open"])
def test_who_has_another_workspace_keeps_it(alice: Person, charlie: Person, policy: str) -> None:
    with override_settings(SIGN_UP=policy):
        provider = Provider(alice)
        hers = provider.user("charlie@example.org")
        new = provider.user()
        for one in (hers, new):
            provider.ask("DELETE", f"Users/{one['id']}")
        assert charlie.get("studies").status_code == 401
        assert comes_in("charlie@example.org").get("session").json()["workspace"] == {
            "id": str(charlie.workspace_id),
            "name": "Charlie's",
            "role": "owner",
        }
        # Where all may have an account, they have one; else they are out until taken in again.
        left = account_by_email("dora@example.org")
        assert (left is not None) is (policy == "open")
        assert left is None or left.workspace_name == "My workspace"


def test_the_last_owner_is_never_removed(provider: Provider, alice: Person) -> None:
    hers = provider.user("alice@example.org")
    assert roles(alice) == {"alice@example.org": "owner"}
    where = f"Users/{hers['id']}"
    for refused in (
        provider.patch(where, {"op": "replace", "value": {"active": False}}),
        provider.ask("DELETE", where),
    ):
        assert (refused.status_code, refused["Content-Type"]) == (409, SCIM)
        assert refused.json()["schemas"] == [ERROR]
        assert "needs an owner" in refused.json()["detail"]
    group = provider.group("viewer", hers["id"])
    assert roles(alice) == {"alice@example.org": "owner"}
    provider.ask("DELETE", f"Groups/{group['id']}")
    join(alice.account, "otto@example.org", OWNER)
    assert provider.ask("DELETE", where).status_code == 204
    assert roles(alice) == {"otto@example.org": "owner"}
    # The token was hers: it ends with her.
    assert provider.ask("GET", "Users").status_code == 401


def test_groups_give_the_roles_that_an_owner_chose(provider: Provider, alice: Person) -> None:
    dora, emil = (provider.user(f"{name}@example.org")["id"] for name in ("dora", "emil"))
    group = provider.group("Capacity planners", dora)
    editors = provider.group("Editor")
    assert roles(alice)["dora@example.org"] == "viewer"
    listed = alice.get("members/groups").json()["results"]
    assert [(one["display_name"], one["role"]) for one in listed] == [
        ("Capacity planners", ""),
        ("Editor", "editor"),
    ]
    where = f"Groups/{group['id']}"
    alice.patch(f"members/groups/{group['id']}", {"role": "owner"})
    assert roles(alice)["dora@example.org"] == "owner"
    provider.patch(where, {"op": "add", "path": "members", "value": [{"value": emil}]})
    assert roles(alice)["emil@example.org"] == "owner"
    # Both forms of taking somebody out.
    provider.patch(where, {"op": "remove", "path": f'members[value eq "{dora}"]'})
    provider.patch(where, {"op": "Remove", "path": "members", "value": [{"value": emil}]})
    assert {roles(alice)[f"{name}@example.org"] for name in ("dora", "emil")} == {"viewer"}
    provider.patch(
        f"Groups/{editors['id']}", {"op": "add", "value": {"members": [{"value": dora}]}}
    )
    assert roles(alice)["dora@example.org"] == "editor"
    shown = provider.ask("GET", f"Users/{dora}").json()
    assert [one["display"] for one in shown["groups"]] == ["Editor"]
    assert shown["roles"] == [{"value": "editor"}]
    brief = provider.ask("GET", 'Groups?filter=displayName eq "editor"&excludedAttributes=members')
    assert ["members" in one for one in brief.json()["Resources"]] == [False]
    # Who comes back has the role of their groups again.
    for active in (False, True):
        provider.patch(f"Users/{dora}", {"op": "replace", "path": "active", "value": active})
    assert roles(alice)["dora@example.org"] == "editor"
    provider.ask("DELETE", f"Groups/{editors['id']}")
    assert roles(alice)["dora@example.org"] == "viewer"
    unknown = provider.patch(where, {"op": "add", "path": "members", "value": [{"value": "x"}]})
    assert (unknown.status_code, unknown.json()["scimType"]) == (400, "invalidValue")


def test_who_is_there_already_makes_a_change_of_a_group_no_dearer(
    provider: Provider, alice: Person
) -> None:
    def statements() -> int:
        one = provider.user(f"{uuid4()}@example.org")["id"]
        with CaptureQueriesContext(connection) as asked:
            add = {"op": "add", "path": "members", "value": [{"value": one}]}
            assert provider.patch(f"Groups/{group['id']}", add).status_code == 200
        return len(asked)

    group = provider.group("Editor")
    statements()
    few = statements()
    for _ in range(10):
        provider.user(f"{uuid4()}@example.org")
    assert statements() == few


def test_a_group_that_is_named_after_owners_makes_none(provider: Provider, alice: Person) -> None:
    provider.group("Owner", provider.user()["id"])
    assert roles(alice)["dora@example.org"] == "viewer"


def test_what_is_by_hand_stays_where_no_group_says_otherwise(
    provider: Provider, alice: Person
) -> None:
    made = provider.user()
    with alice.workspace():
        member = Member.objects.get(user__email="dora@example.org")
    alice.patch(f"members/{member.id}", {"role": "editor"})
    provider.patch(f"Users/{made['id']}", {"op": "add", "path": "displayName", "value": "D"})
    provider.group("Staff", made["id"])
    assert roles(alice)["dora@example.org"] == "editor"


def test_only_a_token_for_it_may_and_such_a_token_may_nothing_else(
    alice: Person, bob: Person, charlie: Person
) -> None:
    provider = Provider(alice)
    made = provider.user()
    for path in ("studies", "members", "tokens", "audit", "usage"):
        assert provider.client.get(f"/api/v1/{path}").status_code == 403
    for who in (Provider(alice, "read", "write", "run", "manage"), Provider(bob)):
        refused = who.ask("GET", "Users")
        assert (refused.status_code, refused.json()["schemas"]) == (403, [ERROR])
    nobody = Client().get("/api/v1/scim/v2/Users")
    assert (nobody.status_code, nobody.json()["status"]) == (401, "401")
    # Another workspace's people are not there.
    other = Provider(charlie)
    assert other.ask("GET", "Users").json()["totalResults"] == 0
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        body = {"schemas": [USER], "userName": "x@example.org"} if method == "PUT" else None
        assert other.ask(method, f"Users/{made['id']}", body).status_code == 404
    foreign = {"schemas": [GROUP], "displayName": "x", "members": [{"value": made["id"]}]}
    assert other.ask("POST", "Groups", foreign).status_code == 400
    with charlie.workspace(), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM accounts_provisionedperson")
        assert cursor.fetchone()[0] == 0


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "kind"),
    [
        ("POST", "Users", {"schemas": [USER], "userName": "no address"}, 400, "invalidValue"),
        ("POST", "Users", {"schemas": [USER]}, 400, "invalidValue"),
        (
            "POST",
            "Users",
            {"schemas": [USER], "userName": f"{'x' * 255}@a.de"},
            400,
            "invalidValue",
        ),
        ("POST", "Users", [], 400, "invalidSyntax"),
        ("GET", 'Users?filter=userName xx "a"', None, 400, "invalidFilter"),
        ("GET", 'Users?filter=nothing eq "a"', None, 400, "invalidFilter"),
        ("GET", "Users/2890f495-c052-48f0-89db-6acb27e1e262", None, 404, None),
        ("GET", "Users/none", None, 404, None),
        ("POST", "Bulk", {}, 501, None),
        ("POST", "Users/.search", [], 400, "invalidSyntax"),
        ("GET", "Schemas/none", None, 404, None),
        ("DELETE", "Users", None, 405, None),
    ],
)
def test_what_cannot_be_is_refused_in_the_form_of_scim(
    provider: Provider, method: str, path: str, body: Any, status: int, kind: str | None
) -> None:
    refused = provider.ask(method, path, body)
    found = refused.json()
    assert (refused.status_code, refused["Content-Type"]) == (status, SCIM), found
    assert (found["schemas"], found["status"], found.get("scimType")) == (
        [ERROR],
        str(status),
        kind,
    )
    unread = provider.client.generic("POST", "/api/v1/scim/v2/Users", "{", SCIM)
    assert (unread.status_code, unread.json()["schemas"]) == (400, [ERROR])


def test_new_accounts_follow_the_policy_of_signing_up(alice: Person, charlie: Person) -> None:
    with override_settings(SIGN_UP="closed"):
        provider = Provider(alice)
        body = {"schemas": [USER], "userName": "dora@example.org"}
        assert provider.ask("POST", "Users", body).status_code == 403
        provider.user("charlie@example.org")
    assert "charlie@example.org" in roles(alice)
    quotas = {"members": 2, "stored_mb": None, "jobs": None, "compute_minutes": None}
    with override_settings(QUOTAS=quotas):
        full = provider.ask("POST", "Users", body)
    assert (full.status_code, full.json()["schemas"]) == (403, [ERROR])
    assert not User.objects.filter(email="dora@example.org").exists()


def test_who_was_taken_in_signs_in_by_the_provider_and_not_once_they_are_out(
    provider: Provider, alice: Person
) -> None:
    made = provider.user()
    hers = provider_people.Said("saml:idp", "d-1", "dora@example.org", True, ())
    account = provider_people.sign_in(hers, {}, by="saml")
    assert (account.workspace_id, account.role) == (alice.workspace_id, "viewer")
    assert User.objects.get(id=account.user_id).verified_at is not None
    provider.patch(f"Users/{made['id']}", {"op": "replace", "value": {"active": False}})
    with pytest.raises(NotSignedIn):
        provider_people.sign_in(hers, {}, by="saml")
    # Who was never in by the provider either.
    provider.user("emil@example.org", active=False)
    assert "emil@example.org" not in roles(alice)
    his = provider_people.Said("saml:idp", "e-1", "emil@example.org", True, ())
    places = {"planners": [(alice.workspace_id, "editor")]}
    alice.post("invitations", {"role": "viewer", "email": "emil@example.org"})
    for groups in ((), ("planners",)):
        with pytest.raises(NotSignedIn, match="cannot be used any more"):
            provider_people.sign_in(replace(his, groups=groups), places, by="saml")
    # Who runs the service can let anybody in.
    assert planner_prepare("emil@example.org").workspace_name == "My workspace"


def test_what_a_provider_renames_leaves_the_address_that_is_signed_in_with(
    provider: Provider, alice: Person
) -> None:
    made = provider.user()
    where = f"Users/{made['id']}"
    changed = provider.patch(
        where,
        {"op": "Replace", "path": "userName", "value": "dora.new@example.org"},
        {"op": "Add", "path": 'emails[type eq "work"].value', "value": "dora.new@example.org"},
    )
    assert changed.json()["userName"] == "dora.new@example.org"
    assert changed.json()["emails"] == [{"value": "dora.new@example.org", "type": "work"}]
    assert "dora@example.org" in roles(alice)
    taken = provider.user("emil@example.org")
    refused = provider.patch(
        f"Users/{taken['id']}",
        {"op": "replace", "path": "userName", "value": "dora.new@example.org"},
    )
    assert (refused.status_code, refused.json()["scimType"]) == (409, "uniqueness")


def test_who_is_deleted_leaves_nothing_to_provision(provider: Provider, alice: Person) -> None:
    provider.user()
    User.objects.filter(email="dora@example.org").update(deletes_at=timezone.now())
    assert deletions_carry_out() == 1
    with alice.workspace():
        assert not ProvisionedPerson.objects.exists()
    assert provider.ask("GET", "Users").json()["totalResults"] == 0


def test_tokens_for_it_are_made_without_reading(alice: Person) -> None:
    made = alice.post("tokens", {"title": "Okta", "scopes": [PROVISION]})
    assert (made.status_code, made.json()["scopes"]) == (201, [PROVISION])
    with alice.workspace():
        assert ApiToken.objects.get(title="Okta").scopes == [PROVISION]
