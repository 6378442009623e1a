"""Signing in by OpenID Connect, at a real provider."""

from __future__ import annotations

import base64
import copy
import hmac
import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.test import Client, override_settings
from django.utils import timezone
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, RSAKey

from accounts import openid, openid_provider, provider_people
from accounts.models import AuditEntry, Member, OpenIdSubject, Session, User
from accounts.services import workspace_create
from accounts.testing import JSON
from accounts.tests.provider import CLIENT, SECRET, Provider
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.testing import Person

pytestmark = pytest.mark.db
CAROL: dict[str, Any] = {"sub": "carol-1", "email": "Carol@example.org", "email_verified": True}


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    provider = Provider("http://127.0.0.1:8000/openid")
    provider.start()
    try:
        yield provider
    finally:
        provider.stop()


@pytest.fixture
def provider(running: Provider, database: None) -> Iterator[Provider]:
    if running.process is None:
        running.start()
    openid_provider.Known.forget()
    with override_settings(OPENID=running.settings(), SIGN_UP="open"):
        yield running
    openid_provider.Known.forget()


def begin(browser: Client) -> Any:
    return browser.post("/api/v1/session/openid", content_type=JSON)


def answer(browser: Client, given: dict[str, str]) -> Any:
    return browser.post("/api/v1/session/openid/answer", given, content_type=JSON)


def sign_in(provider: Provider, browser: Client | None = None, **who: Any) -> Any:
    browser = browser or Client()
    given = provider.visit(begin(browser).json()["url"], **who)
    return answer(browser, given)


def groups(provider: Provider, **roles: Any) -> Any:
    return override_settings(OPENID=provider.settings(roles=roles))


def roles_of(person: Person) -> dict[str, str]:
    with person.workspace():
        return dict(Member.objects.values_list("user__email", "role"))


def confirm(person: Person) -> None:
    with person.workspace():
        User.objects.filter(id=person.account.user_id).update(verified_at=timezone.now())


def test_the_first_sign_in_makes_an_account_and_the_second_finds_it(provider: Provider) -> None:
    door = Client().get("/api/v1/sign-up").json()
    assert door["openid"] == "Example"
    browser = Client()
    first = sign_in(provider, browser, **CAROL)
    assert first.status_code == 200, first.content
    assert first.json()["user"]["email"] == "carol@example.org"
    assert first.json()["workspace"]["role"] == "owner"
    assert browser.get("/api/v1/email").json()["verified_at"] is not None
    assert browser.get("/api/v1/password").json()["is_set"] is False
    # Another address at the provider is the same person here.
    second = sign_in(provider, **CAROL | {"email": "carol@example.com"})
    assert second.json()["user"] == first.json()["user"]
    assert OpenIdSubject.objects.count() == 1
    with workspace(first.json()["workspace"]["id"]):
        said = list(AuditEntry.objects.values_list("action", flat=True))
    assert said.count("session.create.openid") == 2


def test_it_is_off_unless_the_operator_says_otherwise(database: None) -> None:
    assert Client().get("/api/v1/sign-up").json()["openid"] is None
    refused = begin(Client())
    assert (refused.status_code, "password" in refused.json()["detail"]) == (409, True)


def test_the_answer_is_good_once_in_the_browser_that_asked(provider: Provider) -> None:
    browser, other = Client(), Client()
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    begin(other)
    assert answer(other, given).json()["detail"] == openid.STALE
    assert answer(Client(), given).json()["detail"] == openid.STALE
    assert answer(browser, given | {"state": "x" * 43}).json()["detail"] == openid.STALE
    # What was wrong once ends it.
    assert answer(browser, given).json()["detail"] == openid.STALE
    assert User.objects.count() == 0
    assert sign_in(provider, browser, **CAROL).status_code == 200
    assert answer(browser, given).status_code == 401


def test_what_is_held_against_the_answer_stays_here(provider: Provider) -> None:
    browser = Client()
    url = begin(browser).json()["url"]
    held = browser.session["openid"]
    assert held["verifier"] not in url
    assert SECRET not in url
    assert {"code_challenge_method=S256", "scope=openid+email"} <= set(url.split("&"))
    row = Session.objects.get()
    assert row.expire_date < timezone.now() + timedelta(minutes=11)


def test_an_answer_after_ten_minutes_is_too_late(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    later = timezone.now() + timedelta(minutes=10, seconds=1)
    with monkeypatch.context() as patched:
        patched.setattr("accounts.openid_apis.timezone.now", lambda: later)
        refused = answer(browser, given)
    assert (refused.status_code, refused.json()["detail"]) == (401, openid.STALE)


@pytest.mark.parametrize("kept", ["nonce", "verifier"])
def test_a_token_or_a_code_for_another_question_is_refused(provider: Provider, kept: str) -> None:
    browser = Client()
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    session = browser.session
    session["openid"] = session["openid"] | {kept: "x" * 43}
    session.save()
    refused = answer(browser, given)
    assert (refused.status_code, refused.json()["detail"]) == (401, openid_provider.UNTRUE)


def test_an_answer_of_another_provider_or_to_another_client_is_refused(
    provider: Provider,
) -> None:
    browser = Client()
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    assert answer(browser, given | {"iss": "https://evil.example"}).json()["detail"] == (
        openid_provider.UNTRUE
    )
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    with override_settings(OPENID=provider.settings(client_id=f"{CLIENT}-other")):
        assert answer(browser, given).json()["detail"] == openid_provider.UNTRUE


def test_who_says_no_at_the_provider_is_told_so(provider: Provider) -> None:
    refused = sign_in(provider, sub="carol-1", denied=True)
    assert (refused.status_code, refused.json()["detail"]) == (401, openid.REFUSED)


@pytest.fixture
def keys() -> tuple[RSAKey, openid_provider.Provider]:
    key = RSAKey.generate_key(2048, {"kid": "one"})
    return key, openid_provider.Provider({}, KeySet([key]))


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("wrong", "after_s"),
    [
        ({}, 0),
        ({"aud": "another"}, 0),
        ({"aud": [CLIENT, "another"]}, 0),
        ({"azp": "another"}, 0),
        ({"iss": "https://evil.example"}, 0),
        ({"nonce": "another"}, 0),
        ({"nonce": None}, 0),
        ({"exp": None}, 0),
        ({}, 361),
    ],
)
def test_every_claim_of_a_token_is_looked_at(
    keys: tuple[RSAKey, openid_provider.Provider], wrong: dict[str, Any], after_s: int
) -> None:
    key, known = keys
    now = timezone.now()
    claims = {
        "iss": "https://op.example",
        "sub": "carol-1",
        "aud": CLIENT,
        "nonce": "n",
        "iat": int(now.timestamp()),
        "exp": int(now.timestamp()) + 300,
    }
    given = {name: value for name, value in (claims | wrong).items() if value is not None}
    token = jwt.encode({"alg": "RS256", "kid": "one"}, given, key)
    with override_settings(OPENID={"issuer": "https://op.example", "client_id": CLIENT}):
        if wrong or after_s:
            with pytest.raises((JoseError, ValueError)):
                openid.claims_of(token, known, "n", now + timedelta(seconds=after_s))
        else:
            assert openid.claims_of(token, known, "n", now)["sub"] == "carol-1"


def part(value: bytes) -> bytes:
    return base64.urlsafe_b64encode(value).rstrip(b"=")


def test_no_token_is_believed_that_the_providers_key_did_not_sign(
    keys: tuple[RSAKey, openid_provider.Provider],
) -> None:
    key, known = keys
    now = int(timezone.now().timestamp())
    claims: dict[str, Any] = {"iss": "https://op.example", "sub": "x", "aud": CLIENT, "nonce": "n"}
    claims |= {"iat": now, "exp": now + 300}
    other = RSAKey.generate_key(2048, {"kid": "one"})

    def unsigned(algorithm: str) -> bytes:
        header = json.dumps({"alg": algorithm, "kid": "one"}).encode()
        return b".".join(map(part, (header, json.dumps(claims).encode())))

    # The public key, which everybody has, taken for a shared secret.
    shared = hmac.digest(key.as_pem(private=False), unsigned("HS256"), "sha256")
    forged = [
        jwt.encode({"alg": "RS256", "kid": "one"}, copy.copy(claims), other),
        b".".join((unsigned("HS256"), part(shared))).decode(),
        unsigned("none").decode() + ".",
        "",
        "a.b.c",
    ]
    with override_settings(OPENID={"issuer": "https://op.example", "client_id": CLIENT}):
        for token in forged:
            with pytest.raises((JoseError, ValueError)):
                openid.claims_of(token, known, "n", timezone.now())


def test_new_keys_of_the_provider_are_fetched(provider: Provider) -> None:
    assert sign_in(provider, **CAROL).status_code == 200
    provider.stop()
    provider.start()
    assert sign_in(provider, **CAROL).status_code == 200


def test_a_provider_that_is_away_is_told_of(provider: Provider) -> None:
    browser = Client()
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    provider.stop()
    late = answer(browser, given)
    assert (late.status_code, late.json()["detail"]) == (424, openid_provider.AWAY)
    openid_provider.Known.forget()
    assert begin(Client()).json()["detail"] == openid_provider.AWAY


def test_private_addresses_are_asked_only_where_the_operator_says_so(provider: Provider) -> None:
    with override_settings(OPENID=provider.settings(private_hosts=[])):
        assert begin(Client()).status_code == 424
    with override_settings(OPENID=provider.settings(issuer=f"{provider.issuer}/")):
        assert begin(Client()).status_code == 424


def test_secrets_are_in_no_log(provider: Provider, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    browser = Client()
    given = provider.visit(begin(browser).json()["url"], **CAROL)
    held = browser.session["openid"]
    with override_settings(OPENID=provider.settings(client_id=f"{CLIENT}-other")):
        answer(browser, given)
    sign_in(provider, **CAROL)
    logged = "\n".join(json.dumps(vars(one), default=str) for one in caplog.records)
    assert logged
    for secret in (SECRET, given["code"], held["verifier"], held["nonce"]):
        assert secret not in logged


def test_an_account_is_linked_by_an_address_that_both_sides_know(
    provider: Provider, alice: Person
) -> None:
    hers: dict[str, Any] = {"sub": "alice-1", "email": "alice@example.org"}
    refused = sign_in(provider, **hers, email_verified=False)
    assert (refused.status_code, "has not confirmed" in refused.json()["detail"]) == (401, True)
    # Who typed her address here before her must not wait in her account.
    refused = sign_in(provider, **hers, email_verified=True)
    assert (refused.status_code, "in Settings" in refused.json()["detail"]) == (401, True)
    assert not OpenIdSubject.objects.exists()
    confirm(alice)
    linked = sign_in(provider, **hers, email_verified=True)
    assert linked.json()["user"]["id"] == str(alice.account.user_id)
    # The provider's word was needed once.
    assert sign_in(provider, **hers, email_verified=False).status_code == 200
    with alice.workspace():
        said = list(AuditEntry.objects.order_by("created_at").values_list("action", flat=True))
    assert said.count("session.refuse.openid") == 2
    assert said[-3:] == ["account.link", "session.create.openid", "session.create.openid"]


def test_nobody_comes_in_without_an_address_of_their_own(provider: Provider) -> None:
    assert sign_in(provider, sub="x").json()["detail"] == provider_people.NO_ADDRESS
    unverified = sign_in(provider, sub="x", email="x@example.org", email_verified=False)
    assert unverified.status_code == 401
    assert User.objects.count() == 0


@pytest.mark.parametrize(("policy", "status"), [("invitation", 403), ("closed", 403)])
def test_a_new_account_follows_the_policy_of_signing_up(
    provider: Provider, alice: Person, policy: str, status: int
) -> None:
    with override_settings(SIGN_UP=policy):
        refused = sign_in(provider, **CAROL)
        assert (refused.status_code, "carol@example.org" in refused.json()["detail"]) == (
            status,
            True,
        )
        assert not OpenIdSubject.objects.exists()
        alice.post("invitations", {"role": "viewer", "email": "carol@example.org"})
        invited = sign_in(provider, **CAROL)
    if policy == "closed":
        assert invited.status_code == 403
    else:
        assert invited.json()["workspace"] == {
            "id": str(alice.workspace_id),
            "name": "Alice's",
            "role": "viewer",
        }
        assert alice.get("invitations").json()["results"] == []


@override_settings(SIGN_UP="invitation")
def test_groups_give_roles_and_take_them_at_each_sign_in(
    provider: Provider, alice: Person, charlie: Person
) -> None:
    mapping = {
        "planners": [(alice.workspace_id, "editor")],
        "finance": [(alice.workspace_id, "viewer"), (charlie.workspace_id, "viewer")],
        "gone": [(uuid4(), "owner")],
    }
    with override_settings(OPENID=provider.settings(roles=mapping), SIGN_UP="invitation"):
        made = sign_in(provider, **CAROL, groups=["finance", "planners", "gone", "other"])
        assert made.json()["workspace"]["name"] in {"Alice's", "Charlie's"}
        assert roles_of(alice)["carol@example.org"] == "editor"
        assert roles_of(charlie)["carol@example.org"] == "viewer"
        sign_in(provider, **CAROL, groups=["finance"])
        assert roles_of(alice)["carol@example.org"] == "viewer"
        last = sign_in(provider, **CAROL, groups=["planners"])
        assert roles_of(alice)["carol@example.org"] == "editor"
        assert "carol@example.org" not in roles_of(charlie)
        assert last.json()["workspace"]["name"] == "Alice's"
        # A role that an owner gave is the owner's to change.
        (member,) = (one for one in alice.get("members").json()["results"] if one["by_group"])
        alice.patch(f"members/{member['id']}", {"role": "viewer"})
        sign_in(provider, **CAROL, groups=[])
        assert roles_of(alice)["carol@example.org"] == "viewer"
        with alice.workspace():
            noted = AuditEntry.objects.filter(action="member.group").order_by("created_at")
            details = list(noted.values_list("detail", flat=True))
    assert details[-2:] == [{"is": "viewer"}, {"is": "editor"}]


@override_settings(SIGN_UP="invitation")
def test_who_lost_every_group_has_a_workspace_of_their_own(
    provider: Provider, alice: Person
) -> None:
    with groups(provider, planners=[(alice.workspace_id, "editor")]):
        sign_in(provider, **CAROL, groups="planners")
        left = sign_in(provider, **CAROL)
    assert left.json()["workspace"]["name"] == "My workspace"
    assert "carol@example.org" not in roles_of(alice)


def test_groups_never_leave_a_workspace_without_an_owner(provider: Provider) -> None:
    shared = workspace_create(email="dora@example.org", name="Shared")
    with groups(provider, owners=[(shared.workspace_id, "owner")]):
        sign_in(provider, **CAROL, groups=["owners"])
        with workspace(shared.workspace_id):
            Member.objects.filter(user_id=shared.user_id).delete()
        kept = sign_in(provider, **CAROL, groups=[])
    assert kept.json()["workspace"] == {
        "id": str(shared.workspace_id),
        "name": "Shared",
        "role": "owner",
    }


def test_a_full_workspace_takes_nobody_by_a_group(provider: Provider, alice: Person) -> None:
    quotas = {"members": 1, "stored_mb": None, "jobs": None, "compute_minutes": None}
    with (
        groups(provider, planners=[(alice.workspace_id, "editor")]),
        override_settings(QUOTAS=quotas),
    ):
        made = sign_in(provider, **CAROL, groups=["planners"])
    assert made.json()["workspace"]["name"] == "My workspace"
    assert "carol@example.org" not in roles_of(alice)
