"""Security keys (WebAuthn) instead of one-time codes, by an authenticator of the test's own."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client, override_settings
from django.utils import timezone
from fido2 import cbor
from fido2.utils import websafe_encode

from accounts import security_keys, services, two_step
from accounts.models import AuditEntry, KeyChallenge, SecurityKey, SignInFailure
from accounts.testing import JSON
from accounts.tests.test_two_step import EMAIL, NOW, PASSWORD, account_of, anna, turned_on
from common.errors import CodeNeeded, Conflict, Invalid, NotFound, NotSignedIn, TooMany
from common.tenancy import workspace

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db
__all__ = ("anna",)
ORIGIN = "https://plan.example.org"


@pytest.fixture(autouse=True)
def named() -> Any:
    with override_settings(WEB_URL=ORIGIN):
        yield


@dataclass
class Key:
    """What a browser and a key do together (WebAuthn, sections 6.1 and 6.5; ES256)."""

    name: str = "plan.example.org"
    origin: str = ORIGIN
    count: int = 0
    identity: bytes = b"a key of the tests"
    secret: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def _client(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _data(self, flags: int, more: bytes = b"") -> bytes:
        name = hashlib.sha256(self.name.encode()).digest()
        return name + struct.pack(">BI", flags, self.count) + more

    def _answer(self, **response: bytes) -> str:
        identity = websafe_encode(self.identity)
        said = {name: websafe_encode(value) for name, value in response.items()}
        head = {"id": identity, "rawId": identity, "type": "public-key"}
        return json.dumps({**head, "response": said, "clientExtensionResults": {}})

    def make(self, options: dict[str, Any]) -> str:
        at = self.secret.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: at.x.to_bytes(32, "big"), -3: at.y.to_bytes(32, "big")}
        held = bytes(16) + struct.pack(">H", len(self.identity)) + self.identity
        data = self._data(0x45, held + cbor.encode(public))
        made = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"])
        return self._answer(clientDataJSON=client, attestationObject=made)

    def use(self, options: dict[str, Any]) -> str:
        self.count += 1
        data, client = self._data(0x05), self._client("webauthn.get", options["challenge"])
        signed = data + hashlib.sha256(client).digest()
        signature = self.secret.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)


def added(person: Person, key: Key, recovery: list[str], title: str = "Blue") -> SecurityKey:
    account = account_of(person)
    options = two_step.key_begin(account=account, password=PASSWORD, code=recovery.pop(), now=NOW)
    return two_step.key_confirm(account=account, title=title, answer=key.make(options), now=NOW)


@pytest.fixture
def keyed(anna: Person) -> tuple[Person, Key, list[str]]:
    """Anna with codes and one key, the key, and her recovery codes."""
    _secret, recovery = turned_on(anna)
    key = Key()
    added(anna, key, recovery)
    return anna, key, recovery


def asked(person: Person, now: Any = NOW) -> dict[str, Any]:
    return two_step.key_request(account=account_of(person), now=now)


def let_in(person: Person, answer: str, now: Any = NOW) -> bool:
    account = account_of(person)
    SignInFailure.objects.all().delete()
    try:
        return services.require_code(account, answer, address="192.0.2.1", now=now)
    except NotSignedIn:
        return False


@pytest.mark.decisive
def test_a_key_lets_in_instead_of_a_code(keyed: tuple[Person, Key, list[str]]) -> None:
    person, key, _ = keyed
    sent = {"email": EMAIL, "password": PASSWORD}
    browser = Client()
    refused = browser.post("/api/v1/session", sent, JSON)
    assert refused.status_code == 401
    assert refused.json()["type"] == "urn:ampacity:code_needed"
    options = refused.json()["key_request"]
    assert options["rpId"] == "plan.example.org"
    assert [one["id"] for one in options["allowCredentials"]] == [websafe_encode(key.identity)]
    answer = key.use(options)
    assert browser.post("/api/v1/session", {**sent, "otp": answer}, JSON).status_code == 200
    state = person.get("two-step").json()
    assert [(one["title"], one["last_used_at"] is None) for one in state["keys"]] == [
        ("Blue", False)
    ]
    with workspace(account_of(person).workspace_id):
        assert AuditEntry.objects.filter(action="account.key.add", target="Blue").exists()


def test_who_has_the_wrong_password_learns_of_no_key(keyed: tuple[Person, Key, list[str]]) -> None:
    sent = {"email": EMAIL, "password": "not the password at all"}
    refused = Client().post("/api/v1/session", sent, JSON)
    assert refused.json()["type"] == "urn:ampacity:not_signed_in"
    assert "key_request" not in refused.json()


@pytest.mark.decisive
def test_an_answer_is_good_once(keyed: tuple[Person, Key, list[str]]) -> None:
    person, key, _ = keyed
    answer = key.use(asked(person))
    assert let_in(person, answer)
    assert not let_in(person, answer)
    assert not KeyChallenge.objects.filter(user_id=person.account.user_id, purpose="use").exists()


@pytest.mark.decisive
def test_what_is_not_the_answer_to_what_was_asked_lets_nobody_in(
    keyed: tuple[Person, Key, list[str]],
) -> None:
    person, key, recovery = keyed
    elsewhere = Key(identity=key.identity, secret=key.secret, origin="https://plan.example.com")
    of_another = Key(identity=key.identity, secret=key.secret, name="example.org")
    forged = Key(identity=key.identity)
    unknown = Key(identity=b"another", secret=key.secret)
    for one in (elsewhere, of_another, forged, unknown):
        assert not let_in(person, one.use(asked(person)))
    options = two_step.key_begin(
        account=account_of(person), password=PASSWORD, code=recovery.pop(), now=NOW
    )
    assert not let_in(person, key.use(options))  # asked to make a key, not to use one
    assert not let_in(person, key.use({"challenge": websafe_encode(bytes(32))}))
    for text in ("{", "{}", '{"id": 1}', '{"response": {"clientDataJSON": "AAAA"}}', "[]"):
        assert not let_in(person, text)
    late = asked(person, NOW)
    assert not let_in(person, key.use(late), NOW + security_keys.LIFE)


@pytest.mark.decisive
def test_the_key_of_another_person_lets_nobody_in(
    keyed: tuple[Person, Key, list[str]], bob: Person
) -> None:
    person, key, _ = keyed
    services.password_set(account=bob.account, password=PASSWORD)
    bob.post("session", {"email": bob.account.email, "password": PASSWORD})
    _secret, recovery = turned_on(bob)
    other = Key(identity=b"the other person's")
    added(bob, other, recovery)
    assert not let_in(person, other.use(asked(person)))
    assert not let_in(person, key.use(asked(bob)))
    assert not let_in(bob, key.use(asked(bob)))


@pytest.mark.decisive
def test_a_copy_of_a_key_is_not_taken(keyed: tuple[Person, Key, list[str]]) -> None:
    person, key, _ = keyed
    assert let_in(person, key.use(asked(person)))
    key.count -= 1
    assert not let_in(person, key.use(asked(person)))
    assert let_in(person, key.use(asked(person)))


def test_a_key_without_a_counter_lets_in_again(anna: Person) -> None:
    class Plain(Key):
        def use(self, options: dict[str, Any]) -> str:
            self.count = -1
            return super().use(options)

    _secret, recovery = turned_on(anna)
    key = Plain()
    added(anna, key, recovery)
    for _ in range(2):
        assert let_in(anna, key.use(asked(anna)))


def test_a_key_is_added_with_password_and_code_and_once(
    keyed: tuple[Person, Key, list[str]],
) -> None:
    person, key, recovery = keyed
    account = account_of(person)
    for given in ({"password": "no", "code": recovery[0]}, {"password": PASSWORD, "code": "1"}):
        with pytest.raises(Invalid):
            two_step.key_begin(account=account, now=NOW, **given)
    with pytest.raises(Invalid, match="registered already"):
        added(person, key, recovery)
    with pytest.raises(Invalid, match="did not answer"):
        two_step.key_confirm(account=account, title="x", answer="{}", now=NOW)
    options = two_step.key_begin(account=account, password=PASSWORD, code=recovery.pop(), now=NOW)
    answer = Key(identity=b"second", origin="https://evil.example").make(options)
    with pytest.raises(Invalid, match="did not answer"):
        two_step.key_confirm(account=account, title="x", answer=answer, now=NOW)
    assert SecurityKey.objects.count() == 1


def test_a_key_opens_what_a_code_opens_and_goes_with_the_codes(
    keyed: tuple[Person, Key, list[str]],
) -> None:
    person, key, recovery = keyed
    account, row = account_of(person), SecurityKey.objects.get()
    second = Key(identity=b"second")
    added(person, second, recovery, "Red")
    with pytest.raises(NotFound):
        two_step.key_end(
            account=account, key=account.user_id, password=PASSWORD, code=recovery.pop(), now=NOW
        )
    code = key.use(asked(person))
    two_step.key_end(account=account, key=row.id, password=PASSWORD, code=code, now=NOW)
    assert not let_in(person, key.use(asked(person)))
    two_step.end(account=account, password=PASSWORD, code=second.use(asked(person)), now=NOW)
    assert not SecurityKey.objects.exists()
    with pytest.raises(Conflict):
        asked(person)


def test_there_are_only_so_many_keys_and_none_without_codes_or_a_name(
    anna: Person,
) -> None:
    account = account_of(anna)
    with pytest.raises(Conflict, match="Turn them on"):
        two_step.key_begin(account=account, password=PASSWORD, code="1", now=NOW)
    _secret, recovery = turned_on(anna)
    with override_settings(WEB_URL="https://192.0.2.7"), pytest.raises(Conflict, match="name"):
        two_step.key_begin(account=account, password=PASSWORD, code=recovery.pop(), now=NOW)
    with override_settings(WEB_URL="http://127.0.0.1:8000"):
        here = two_step.key_begin(account=account, password=PASSWORD, code=recovery.pop(), now=NOW)
        key = Key(name="localhost", origin="http://localhost:8000")
        assert two_step.key_confirm(account=account, title="x", answer=key.make(here), now=NOW)
    for at in range(security_keys.KEYS_MAX - 1):
        SecurityKey.objects.create(
            user_id=account.user_id, credential_hash=str(at), credential=b"", created_at=NOW
        )
    with pytest.raises(Conflict, match="10 keys"):
        two_step.key_begin(account=account, password=PASSWORD, code=recovery.pop(), now=NOW)


def test_a_key_is_let_in_beside_a_flood_of_guesses(keyed: tuple[Person, Key, list[str]]) -> None:
    person, key, _ = keyed
    account, now = account_of(person), NOW + timedelta(minutes=1)
    for at in range(services.FAILURES_MAX["code"]):
        assert not guessed(account, f"192.0.2.{at}", now)
    with pytest.raises(TooMany):
        services.require_code(account, "123456", address="198.51.100.1", now=now)
    answer = key.use(asked(person, now))
    assert services.require_code(account, answer, address="198.51.100.1", now=now)


def guessed(account: Any, address: str, now: Any) -> bool:
    try:
        return services.require_code(account, "123456", address=address, now=now)
    except NotSignedIn:
        return False


def test_challenges_that_nobody_answered_are_forgotten(
    keyed: tuple[Person, Key, list[str]],
) -> None:
    person, _, _ = keyed
    for at in range(3):
        with pytest.raises(CodeNeeded):
            services.require_code(
                account_of(person), "", address="", now=timezone.now() + at * security_keys.LIFE
            )
    assert KeyChallenge.objects.filter(purpose="use").count() == 1
