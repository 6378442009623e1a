"""One-time codes after the password (TOTP), and recovery codes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pyotp
import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone

from accounts import totp, two_step
from accounts.devices import COOKIE, device_known, device_new
from accounts.mail import mail_send_due
from accounts.models import AuditEntry, Authenticator, MailedLink, RecoveryCode, SignInFailure
from accounts.services import (
    FAILURES_MAX,
    code_create,
    password_set,
    require_code,
    sign_in_with_password,
)
from accounts.testing import JSON, sign_in
from accounts.tests.test_mail import inbox  # noqa: F401 -- a fixture
from common.errors import CodeNeeded, Invalid, NotSignedIn, TooMany

if TYPE_CHECKING:
    from accounts.crossing import Account
    from accounts.testing import Person
    from accounts.tests.test_mail import Inbox

pytestmark = pytest.mark.db
EMAIL, PASSWORD = "alice@example.org", "correct horse battery staple"
NOW = datetime(2026, 11, 23, 12, 0, 5, tzinfo=UTC)


@pytest.fixture
def anna(alice: Person) -> Person:
    """Alice, signed in with a password."""
    password_set(account=alice.account, password=PASSWORD)
    email = {"email": EMAIL, "password": PASSWORD}
    assert alice.post("session", email).status_code == 200
    return alice


def account_of(person: Person) -> Any:
    from accounts.crossing import account_by_id

    return account_by_id(person.account.user_id)


def turned_on(person: Person, now: datetime = NOW) -> tuple[str, list[str]]:
    """Return the secret and the recovery codes of who is asked for codes from now on."""
    account = account_of(person)
    secret = two_step.begin(account=account, password=PASSWORD, now=now).secret
    codes = two_step.confirm(account=account, code=pyotp.TOTP(secret).at(now), now=now)
    return secret, codes


def come(otp: str = "", now: datetime = NOW, address: str = "192.0.2.1", device: str = "") -> Any:
    return sign_in_with_password(
        email=EMAIL, password=PASSWORD, address=address, otp=otp, now=now, device=device
    )


# RFC 6238, appendix B: the last six of eight digits, of a secret of twenty letters in SHA-1.
@pytest.mark.decisive
@pytest.mark.parametrize(
    ("at_s", "code"),
    [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_are_those_of_the_standard(
    anna: Person, monkeypatch: pytest.MonkeyPatch, at_s: int, code: str
) -> None:
    # the base32 of "12345678901234567890"
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    monkeypatch.setattr("accounts.totp.pyotp.random_base32", lambda: secret)
    user_id, now = anna.account.user_id, datetime.fromtimestamp(at_s, UTC)
    totp.begin(user_id)
    assert not totp.confirm(user_id, "000000", now)
    assert totp.confirm(user_id, code, now)
    assert totp.is_on(user_id)


def test_nothing_is_asked_for_until_a_code_was_right(anna: Person) -> None:
    assert anna.get("two-step").json() == {
        "is_on": False,
        "has_password": True,
        "recovery_left": 0,
        "keys": [],
    }
    wrong = anna.post("two-step", {"password": "wrong"})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/password")
    begun = anna.post("two-step", {"password": PASSWORD}).json()
    assert begun["secret"] in unquote(begun["address"])
    assert begun["address"].startswith("otpauth://totp/Ampacity:alice%40example.org?")
    assert begun["picture"].startswith("data:image/svg+xml")
    email = {"email": EMAIL, "password": PASSWORD}
    assert Client().post("/api/v1/session", email, content_type=JSON).status_code == 200
    wrong = anna.post("two-step/confirm", {"code": "000000"})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/code")
    right = anna.post("two-step/confirm", {"code": pyotp.TOTP(begun["secret"]).now()})
    assert len(set(right.json()["recovery_codes"])) == totp.RECOVERY_COUNT
    assert anna.get("two-step").json() == {
        "is_on": True,
        "has_password": True,
        "recovery_left": totp.RECOVERY_COUNT,
        "keys": [],
    }
    again = anna.post("two-step", {"password": PASSWORD})
    assert again.status_code == 409


def test_the_code_is_asked_for_after_the_password_and_never_before(anna: Person) -> None:
    secret, _ = turned_on(anna, timezone.now() - timedelta(minutes=5))
    browser = Client()

    def post(**more: str) -> Any:
        return browser.post("/api/v1/session", {"email": EMAIL, **more}, content_type=JSON)

    wrong = post(password="wrong", otp=pyotp.TOTP(secret).now())
    assert wrong.json()["type"] == "urn:ampacity:not_signed_in"
    needed = post(password=PASSWORD)
    assert (needed.status_code, needed.json()["type"]) == (401, "urn:ampacity:code_needed")
    assert browser.get("/api/v1/session").status_code == 401
    refused = post(password=PASSWORD, otp="000000")
    assert (refused.status_code, "code is not right" in refused.json()["detail"]) == (401, True)
    # The code of the wrong password was not used up.
    assert post(password=PASSWORD, otp=pyotp.TOTP(secret).now()).status_code == 200
    assert browser.get("/api/v1/session").status_code == 200
    with anna.workspace():
        said = list(AuditEntry.objects.order_by("created_at").values_list("action", flat=True))
    assert said[-3:] == ["session.refuse", "session.refuse.code", "session.create.two_step"]


def test_a_code_is_good_once_and_none_before_it(anna: Person) -> None:
    secret, _ = turned_on(anna)
    codes = pyotp.TOTP(secret)
    # That of turning it on is used.
    with pytest.raises(NotSignedIn):
        come(codes.at(NOW))
    later = NOW + timedelta(seconds=90)
    assert come(codes.at(later), later)
    for again in (later, later - timedelta(seconds=30), later + timedelta(seconds=20)):
        with pytest.raises(NotSignedIn):
            come(codes.at(again), later)


@pytest.mark.parametrize(("off_s", "is_good"), [(-61, False), (-30, True), (30, True), (61, False)])
def test_a_clock_may_be_half_a_minute_wrong(anna: Person, off_s: int, is_good: bool) -> None:
    secret, _ = turned_on(anna, NOW - timedelta(hours=1))
    code = pyotp.TOTP(secret).at(NOW + timedelta(seconds=off_s))
    if is_good:
        assert come(f" {code[:3]} {code[3:]}")
    else:
        with pytest.raises(NotSignedIn):
            come(code)


def step(account: Account, otp: str, address: str, now: datetime = NOW, device: str = "") -> bool:
    """The second half of a sign-in, when the password was right."""
    return require_code(account, otp, address=address, now=now, device=device)


def wrong_codes(account: Account, count: int, address: str, device: str = "") -> int:
    """Give wrong codes, from an address or one each; return how many were looked at."""
    looked_at = 0
    for each in range(count):
        try:
            step(account, "000000", address.format(each), device=device)
        except NotSignedIn:
            looked_at += 1
        except TooMany:
            pass
    return looked_at


def test_who_knows_the_password_keeps_its_owner_out_by_wrong_codes_no_more(anna: Person) -> None:
    secret, _ = turned_on(anna, NOW - timedelta(hours=1))
    account, codes = account_of(anna), pyotp.TOTP(secret)
    assert wrong_codes(account, 15, "192.0.2.1") == FAILURES_MAX["code_pair"]
    with pytest.raises(TooMany):
        step(account, codes.at(NOW), "192.0.2.1")
    assert come(codes.at(NOW), address="198.51.100.1")
    later = NOW + timedelta(minutes=16)
    assert step(account, codes.at(later), "192.0.2.1", later)
    # Asking for the code is no guess.
    for _ in range(15):
        with pytest.raises(CodeNeeded):
            step(account, "", "192.0.2.1", later)


def test_guesses_at_codes_from_everywhere_stay_few_and_the_owner_comes_in(anna: Person) -> None:
    secret, codes = turned_on(anna, NOW - timedelta(hours=1))
    account, right = account_of(anna), pyotp.TOTP(secret).at(NOW)
    assert wrong_codes(account, 60, "192.0.2.{}") == FAILURES_MAX["code"]
    with pytest.raises(TooMany, match="recovery code"):
        step(account, right, "198.51.100.1")
    assert step(account, codes[0], "198.51.100.1")
    assert come(right, address="198.51.100.1", device=device_new(account.user_id))
    # Settings, where one is signed in, ask for themselves.
    two_step.end(account=account, password=PASSWORD, code=codes[1], now=NOW)
    assert come(address="198.51.100.2")


def test_a_browser_one_came_in_with_guesses_as_little_as_any(anna: Person, charlie: Person) -> None:
    _, codes = turned_on(anna, NOW - timedelta(hours=1))
    account = account_of(anna)
    mark = device_new(account.user_id)
    assert wrong_codes(account, 15, "192.0.2.{}", mark) == FAILURES_MAX["code_device"]
    with pytest.raises(TooMany):
        step(account, codes[0], "192.0.2.1", device=mark)
    # None of these is hers, and all are counted together.
    others = ("", "x", f"{mark[:-2]}__", device_new(charlie.account.user_id))
    looked_at = [
        wrong_codes(account, 9, f"198.51.100.{{}} {n}", one) for n, one in enumerate(others)
    ]
    assert sum(looked_at) == FAILURES_MAX["code"]
    # What is given instead of a code is not guessed at length either.
    assert wrong_codes(account, 12, "203.0.113.9") == 0
    with pytest.raises(TooMany, match="Wait a little"):
        step(account, codes[0], "203.0.113.9")


def test_a_browser_is_marked_by_coming_in_with_a_code_and_by_nothing_less(anna: Person) -> None:
    secret, codes = turned_on(anna, timezone.now() - timedelta(minutes=5))
    browser = Client()

    def post(**more: str) -> Any:
        body = {"email": EMAIL, "password": PASSWORD, **more}
        return browser.post("/api/v1/session", body, content_type=JSON)

    assert post().status_code == 401
    assert post(otp="000000").status_code == 401
    assert COOKIE not in browser.cookies
    assert post(otp=pyotp.TOTP(secret).now()).status_code == 200
    held = browser.cookies[COOKIE]
    assert (held["httponly"], held["samesite"], held["path"]) == (True, "Lax", "/api/v1/")
    assert device_known(held.value, anna.account.user_id)
    now = timezone.now()
    for place in range(FAILURES_MAX["code"] - 1):
        with pytest.raises(NotSignedIn):
            step(account_of(anna), "000000", f"192.0.2.{place}", now)
    with pytest.raises(TooMany):
        step(account_of(anna), "000000", "192.0.2.99", now)
    assert post(otp="000000").status_code == 401
    assert post(otp=codes[0]).status_code == 200


def test_a_recovery_code_is_good_once_however_it_is_typed(anna: Person) -> None:
    _, codes = turned_on(anna)
    assert come(codes[0])
    with pytest.raises(NotSignedIn):
        come(codes[0])
    assert come(f" {codes[1].replace('-', ' ').upper()} ")
    assert totp.recovery_left(anna.account.user_id) == totp.RECOVERY_COUNT - 2
    fresh = two_step.renew(account=account_of(anna), password=PASSWORD, code=codes[2], now=NOW)
    with pytest.raises(NotSignedIn):
        come(codes[3])
    assert come(fresh[0])


def test_recovery_codes_outlive_the_key_of_the_service(anna: Person) -> None:
    secret, codes = turned_on(anna, NOW - timedelta(hours=1))
    with override_settings(SECRET_KEY="another-key-of-the-service-as-long-as-it-takes"):
        with pytest.raises(NotSignedIn):
            come(pyotp.TOTP(secret).at(NOW))
        assert come(codes[0])


def test_a_recovery_code_is_its_persons_alone(anna: Person, charlie: Person) -> None:
    _, codes = turned_on(anna)
    password_set(account=charlie.account, password=PASSWORD)
    turned_on(charlie)
    with pytest.raises(NotSignedIn):
        sign_in_with_password(
            email="charlie@example.org", password=PASSWORD, address="", otp=codes[0], now=NOW
        )


def test_the_database_shows_neither_secret_nor_recovery_codes(anna: Person) -> None:
    secret, codes = turned_on(anna)
    held = str(list(Authenticator.objects.values_list())) + str(
        list(RecoveryCode.objects.values_list())
    )
    for each in (secret, *codes, *(code.replace("-", "") for code in codes)):
        assert each not in held


def test_it_ends_by_password_and_code_together(anna: Person) -> None:
    secret, codes = turned_on(anna, timezone.now() - timedelta(minutes=5))
    right = {"password": PASSWORD, "code": pyotp.TOTP(secret).now()}
    for wrong in ({"password": "wrong"}, {"code": "000000"}):
        assert anna.post("two-step/off", right | wrong).status_code == 422
    assert anna.post("two-step/off", {"password": PASSWORD}).status_code == 422
    assert anna.get("two-step").json()["is_on"] is True
    assert anna.post("two-step/off", right).status_code == 204
    assert (Authenticator.objects.count(), RecoveryCode.objects.count()) == (0, 0)
    assert come(now=timezone.now())
    assert anna.post("two-step/off", right | {"code": codes[0]}).status_code == 409


def test_no_token_may_change_it_and_who_has_no_password_sets_one_first(alice: Person) -> None:
    token = alice.token()
    asked = Client().post("/api/v1/two-step", {"password": ""}, content_type=JSON, headers=token)
    assert asked.status_code in {401, 403}
    refused = alice.post("two-step", {"password": "x"})
    assert (refused.status_code, refused.json()["detail"]) == (409, two_step.NO_PASSWORD)


def test_a_mailed_link_lets_nobody_past_the_code(anna: Person, inbox: Inbox) -> None:  # noqa: F811 -- the fixture
    secret, codes = turned_on(anna, timezone.now() - timedelta(minutes=5))
    for ask in ("password/forgotten", "email"):
        anna.post(ask, {"email": EMAIL} if ask != "email" else None)
        mail_send_due()
        token = inbox.link(EMAIL)
        browser = Client()

        def post(path: str, token: str = token, browser: Client = browser, **more: Any) -> Any:
            body = {"token": token, **more}
            return browser.post(f"/api/v1/{path}", body, content_type=JSON)

        assert post("mailed/look").json()["needs_code"] is True
        given: dict[str, Any] = {"password": "another fine battery horse"} if ask != "email" else {}
        assert post("mailed", **given).json()["type"] == "urn:ampacity:code_needed"
        assert post("mailed", **given, otp="000000").status_code == 401
        assert MailedLink.objects.count() == 1
        code = pyotp.TOTP(secret).now() if ask == "email" else codes[0]
        assert post("mailed", **given, otp=code).status_code == 200
        anna.client.cookies = browser.cookies
    assert SignInFailure.objects.count() > 0


def test_who_runs_the_service_can_let_in_who_lost_everything(anna: Person) -> None:
    turned_on(anna)
    # Their link is theirs to hand out.
    assert sign_in(account_of(anna)).get("session").status_code == 200
    call_command("planner", EMAIL, "--without-codes")
    assert come()
    with anna.workspace():
        entry = AuditEntry.objects.get(action="account.codes.off")
    assert (entry.actor_email, entry.target) == ("operator", EMAIL)
    assert code_create(user_id=anna.account.user_id)


def test_a_code_for_turning_it_on_is_not_guessed_either(anna: Person) -> None:
    account = account_of(anna)
    secret = two_step.begin(account=account, password=PASSWORD, now=NOW).secret
    for _ in range(FAILURES_MAX["code_own"]):
        with pytest.raises(Invalid):
            two_step.confirm(account=account, code="000000", now=NOW)
    with pytest.raises(TooMany):
        two_step.confirm(account=account, code=pyotp.TOTP(secret).at(NOW), now=NOW)
