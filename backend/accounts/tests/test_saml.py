"""Signing in by SAML: answers that a provider signed, and those that nobody should believe."""

from __future__ import annotations

import base64
import copy
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone
from lxml import etree

from accounts import openid, openid_provider, saml
from accounts.models import AuditEntry, Member, OpenIdSubject, SamlAnswer, User
from accounts.services import sign_in_prune
from accounts.testing import JSON
from accounts.tests.identity_provider import (
    NS,
    IdentityProvider,
    encrypted,
    key_pair,
    request_of,
)
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.testing import Person

pytestmark = pytest.mark.db
BASE = f"{settings.WEB_URL}/api/v1/session/saml"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def running() -> Iterator[IdentityProvider]:
    provider = IdentityProvider(f"{BASE}/metadata", f"{BASE}/acs")
    try:
        yield provider
    finally:
        provider.stop()


@pytest.fixture
def provider(running: IdentityProvider, database: None) -> Iterator[IdentityProvider]:
    saml.Known.forget()
    with override_settings(SAML=running.settings(), SIGN_UP="open"):
        yield running
    saml.Known.forget()


def begin(browser: Client) -> tuple[str, str]:
    """Return where a browser is led to, and the id of its request."""
    url = browser.post("/api/v1/session/saml", content_type=JSON).json()["url"]
    return url, browser.session["saml"]["state"]


def post(answer: str) -> dict[str, str]:
    """Post an answer as the provider's page does, and return what the page here is given."""
    body = urlencode({"SAMLResponse": answer, "RelayState": ""})
    sent = Client().post("/api/v1/session/saml/acs", body, content_type=FORM)
    assert sent.status_code == 303, sent.content
    where = urlsplit(sent["Location"])
    assert where.path == "/saml"
    return {name: values[0] for name, values in parse_qs(where.query).items()}


def take(browser: Client, given: dict[str, str]) -> Any:
    return browser.post("/api/v1/session/saml/answer", given, content_type=JSON)


def sign_in(provider: IdentityProvider, browser: Client | None = None, **said: Any) -> Any:
    browser = browser or Client()
    _, request_id = begin(browser)
    return take(browser, post(provider.answer(request_id, **said)))


def refused(answer: str) -> bool:
    given = post(answer)
    return given == {"state": "refused"} and not SamlAnswer.objects.filter(said__isnull=False)


def test_it_is_off_unless_the_operator_says_otherwise(database: None) -> None:
    assert Client().get("/api/v1/sign-up").json()["saml"] is None
    for answer in (
        Client().post("/api/v1/session/saml", content_type=JSON),
        Client().post("/api/v1/session/saml/acs", "SAMLResponse=x", content_type=FORM),
        Client().get("/api/v1/session/saml/metadata"),
        take(Client(), {"state": "x"}),
    ):
        assert answer.status_code == 409


@pytest.mark.decisive
def test_the_first_sign_in_makes_an_account_and_the_second_finds_it(
    provider: IdentityProvider,
) -> None:
    assert Client().get("/api/v1/sign-up").json()["saml"] == "Corporate"
    browser = Client()
    first = sign_in(provider, browser)
    assert first.status_code == 200, first.content
    assert first.json()["user"]["email"] == "carol@example.org"
    assert browser.get("/api/v1/session").status_code == 200
    second = sign_in(provider, attributes={"mail": ["other@example.org"]})
    assert second.json()["user"] == first.json()["user"]
    assert OpenIdSubject.objects.get().issuer == f"saml:{provider.entity_id}"
    with workspace(first.json()["workspace"]["id"]):
        said = list(AuditEntry.objects.values_list("action", flat=True))
    assert said.count("session.create.saml") == 2


def test_a_request_says_where_to_answer_and_metadata_the_same(provider: IdentityProvider) -> None:
    url, request_id = begin(Client())
    assert url.startswith(f"http://localhost:{provider.port}/sso?")
    request = etree.fromstring(request_of(url).encode())
    assert request.get("ID") == request_id
    assert request.get("AssertionConsumerServiceURL") == provider.acs
    answer = Client().get("/api/v1/session/saml/metadata")
    assert answer["Content-Type"].startswith("application/samlmetadata+xml")
    entity = etree.fromstring(answer.content)
    assert entity.get("entityID") == provider.audience
    assert entity.get("validUntil") is None
    (sp,) = entity
    assert sp.get("WantAssertionsSigned") == "true"


def test_what_nobody_signed_or_somebody_else_did_is_refused(provider: IdentityProvider) -> None:
    _, request_id = begin(Client())
    plain = provider.unsigned(request_id).encode()
    assert refused(base64.b64encode(plain).decode())
    assert refused(provider.answer(request_id, pair=key_pair("another")))
    changed = provider.signed(request_id)
    name = changed.find(".//saml:NameID", NS)
    assert name is not None
    name.text = "alice-1"
    assert refused(base64.b64encode(etree.tostring(changed)).decode())
    for nonsense in ("", "x", "PHg+", base64.b64encode(b"<!DOCTYPE a []><a/>").decode()):
        assert refused(nonsense)
    # The whole answer signed, but not the assertion.
    from onelogin.saml2.utils import OneLogin_Saml2_Utils

    whole = OneLogin_Saml2_Utils.add_sign(plain, *provider.pair)
    assert refused(base64.b64encode(whole).decode())
    sha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
    assert refused(provider.answer(request_id, sign_algorithm=sha1))


def wrapped(signed: etree._Element, how: str) -> str:
    """An answer in which another assertion stands where the signed one is looked for."""
    genuine = signed.find("saml:Assertion", NS)
    assert genuine is not None
    forged = copy.deepcopy(genuine)
    forged.set("ID", "_forged")
    signature = forged.find("ds:Signature", NS)
    name = forged.find(".//saml:NameID", NS)
    assert signature is not None
    assert name is not None
    name.text = "alice-1"
    if how == "beside":
        forged.remove(signature)
        signed.insert(2, forged)
    elif how == "around":
        forged.remove(signature)
        signed.replace(genuine, forged)
        forged.append(genuine)
    elif how == "within the signature":
        holder = etree.SubElement(signature, f"{{{NS['ds']}}}Object")
        signed.replace(genuine, forged)
        holder.append(genuine)
    else:
        # Both under one id.
        forged.set("ID", str(genuine.get("ID")))
        forged.remove(signature)
        signed.insert(2, forged)
    return base64.b64encode(etree.tostring(signed)).decode()


@pytest.mark.parametrize("how", ["beside", "around", "within the signature", "one id"])
def test_a_wrapped_signature_is_refused(provider: IdentityProvider, how: str) -> None:
    _, request_id = begin(Client())
    assert refused(wrapped(provider.signed(request_id), how))


def test_a_comment_within_a_name_shortens_it_to_nobody_elses(provider: IdentityProvider) -> None:
    both = "alice@example.org<!-- x -->.evil.example"
    made = sign_in(provider, name=both, attributes={"email": [both]})
    assert made.json()["user"]["email"] == "alice@example.org.evil.example"
    assert OpenIdSubject.objects.get().subject == "alice@example.org.evil.example"


@pytest.mark.parametrize(
    "wrong",
    [
        {"audience": "https://other.example"},
        {"without": ("Audience",)},
        {"recipient": "https://other.example/acs"},
        {"recipient": f"{BASE}/acs/more"},
        {"without": ("Recipient",)},
        {"without": ("NotOnOrAfter",)},
        {"without": ("InResponseTo",)},
        {"destination": "https://other.example/acs"},
        {"issuer": "https://other.example"},
        {"answers": "_another"},
        {"confirms": "_another"},
        {"status": "urn:oasis:names:tc:SAML:2.0:status:Responder"},
        {"format_": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"},
        {"name": ""},
    ],
)
def test_everything_that_an_answer_is_for_is_looked_at(
    provider: IdentityProvider, wrong: dict[str, Any]
) -> None:
    _, request_id = begin(Client())
    assert refused(provider.answer(request_id, **wrong))


@pytest.mark.parametrize(
    ("off_s", "life_s", "is_good"),
    [(0, 300, True), (240, 300, True), (400, 300, False), (-60, 300, True), (-301, 300, False)],
)
def test_clocks_may_differ_by_five_minutes_and_no_more(
    provider: IdentityProvider, off_s: float, life_s: float, is_good: bool
) -> None:
    at = datetime.now(UTC) + timedelta(seconds=off_s)
    _, request_id = begin(Client())
    given = post(provider.answer(request_id, at=at, life_s=life_s))
    assert ("code" in given) is is_good


def test_an_answer_is_good_once_in_the_browser_that_asked(provider: IdentityProvider) -> None:
    browser, other = Client(), Client()
    _, request_id = begin(browser)
    begin(other)
    answer = provider.answer(request_id)
    given = post(answer)
    # The same assertion again, by who has read it.
    assert post(answer) == {"state": "refused"}
    assert take(other, given).json()["detail"] == openid.STALE
    assert take(Client(), given).json()["detail"] == openid.STALE
    assert take(browser, given).status_code == 200
    assert take(browser, given).json()["detail"] == openid.STALE
    # An answer that nobody here asked for leads in nowhere.
    unasked = post(provider.answer("_unasked"))
    assert take(browser, unasked).json()["detail"] == openid.STALE
    begin(browser)
    assert take(browser, {"state": "refused"}).json()["detail"] == openid.REFUSED


def test_an_answer_is_taken_within_two_minutes(
    provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    _, request_id = begin(browser)
    given = post(provider.answer(request_id))
    later = timezone.now() + timedelta(minutes=2, seconds=1)
    with monkeypatch.context() as patched:
        patched.setattr("accounts.saml_apis.timezone.now", lambda: later)
        late = take(browser, given)
    assert (late.status_code, late.json()["detail"]) == (401, openid.STALE)
    sign_in_prune(timezone.now())
    assert SamlAnswer.objects.count() == 1
    sign_in_prune(timezone.now() + timedelta(minutes=6))
    assert SamlAnswer.objects.count() == 0


def test_an_assertion_may_be_for_the_eyes_of_this_service(provider: IdentityProvider) -> None:
    key, certificate = key_pair("ampacity")
    _, other = key_pair("other")
    with override_settings(SAML=provider.settings(key=key, certificate=certificate)):
        browser = Client()
        url, request_id = begin(browser)
        assert {"Signature", "SigAlg"} <= set(parse_qs(urlsplit(url).query))
        hidden = encrypted(provider.signed(request_id), certificate)
        assert b"carol" not in base64.b64decode(hidden)
        assert take(browser, post(hidden)).status_code == 200
        assert refused(encrypted(provider.signed(request_id), other))
        assert refused(encrypted(etree.fromstring(provider.unsigned(request_id)), certificate))
        entity = Client().get("/api/v1/session/saml/metadata").content
        assert b'use="encryption"' in entity
    saml.Known.forget()
    begin(Client())
    assert refused(encrypted(provider.signed(request_id), certificate))


def test_new_certificates_of_the_provider_are_fetched_but_not_at_each_forgery(
    provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sign_in(provider).status_code == 200
    asked: list[str] = []
    fetch = saml._both_sides

    def counted(url: str) -> Any:
        asked.append(url)
        return fetch(url)

    monkeypatch.setattr(saml, "_both_sides", counted)
    for _ in range(3):
        assert refused("PHg+")
    assert asked == []
    clock = saml.Known.clock
    monkeypatch.setattr(saml.Known, "clock", lambda: clock() + saml.ANEW_S)
    was, provider.pair = provider.pair, key_pair("idp renewed")
    try:
        assert sign_in(provider).status_code == 200
    finally:
        provider.pair = was
    assert len(asked) == 1


def test_a_provider_that_is_away_or_private_is_told_of(provider: IdentityProvider) -> None:
    with override_settings(SAML=provider.settings(private_hosts=[])):
        away = Client().post("/api/v1/session/saml", content_type=JSON)
    assert (away.status_code, away.json()["detail"]) == (424, openid_provider.AWAY)


def test_an_account_is_linked_by_an_address_that_its_owner_confirmed_here(
    provider: IdentityProvider, alice: Person
) -> None:
    hers: dict[str, Any] = {"name": "alice-1", "attributes": {"email": ["alice@example.org"]}}
    unconfirmed = sign_in(provider, **hers)
    assert (unconfirmed.status_code, "in Settings" in unconfirmed.json()["detail"]) == (401, True)
    with alice.workspace():
        User.objects.filter(id=alice.account.user_id).update(verified_at=timezone.now())
    linked = sign_in(provider, **hers)
    assert linked.json()["user"]["id"] == str(alice.account.user_id)


def test_groups_give_roles_and_an_address_may_be_the_name(
    provider: IdentityProvider, alice: Person
) -> None:
    roles = {"planners": [(alice.workspace_id, "editor")]}
    with override_settings(SAML=provider.settings(roles=roles), SIGN_UP="invitation"):
        made = sign_in(
            provider, name="dora@example.org", attributes={"groups": ["staff", "planners"]}
        )
        assert made.json()["workspace"]["role"] == "editor"
        sign_in(provider, name="dora@example.org", attributes={})
    with alice.workspace():
        assert not Member.objects.filter(user__email="dora@example.org").exists()
