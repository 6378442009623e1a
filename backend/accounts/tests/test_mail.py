"""Mail through a real SMTP server: invitations, sign-up, reset, addresses confirmed."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Any

import pytest
from aiosmtpd.controller import Controller
from django.test import Client, override_settings
from django.utils import timezone

from accounts.mail import mail_send_due
from accounts.models import Mail, MailedLink, User
from accounts.services import FAILURES_MAX, password_set
from accounts.testing import JSON

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from accounts.testing import Person

pytestmark = pytest.mark.db
PASSWORD = "correct horse battery staple"


class Inbox:
    """What a server took, and what it answers."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.answer = "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 -- aiosmtpd's name
        if self.answer.startswith("250"):
            self.messages.append(message_from_bytes(envelope.content, policy=policy.default))
        return self.answer

    def link(self, to: str) -> str:
        """Return the secret of the link in the latest message to an address."""
        message = [one for one in self.messages if one["To"] == to][-1]
        found = re.search(r"#([\w-]{20,})", message.get_content())
        assert found, message.get_content()
        return found[1]


class Server(Controller):
    """A server at whatever port is free."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]  # untyped in its package


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    found = Inbox()
    server = Server(found, hostname="127.0.0.1", port=0)
    server.start()
    port = server.port
    backend = "django.core.mail.backends.smtp.EmailBackend"
    try:
        with override_settings(
            MAIL={"backend": backend, "host": "127.0.0.1", "port": port, "timeout": 5}
        ):
            yield found
    finally:
        server.stop()


def post(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type=JSON)


@pytest.mark.decisive
def test_an_invitation_by_mail_makes_a_viewer_whose_address_is_known(
    alice: Person, inbox: Inbox
) -> None:
    made = alice.post("invitations", {"role": "viewer", "email": "Vera@example.org"})
    assert made.json()["mailed"] is True
    assert mail_send_due() == 1
    assert mail_send_due() == 0
    (message,) = inbox.messages
    assert (message["To"], message["Subject"]) == ("vera@example.org", "Join Alice's in Ampacity")
    secret, browser = inbox.link("vera@example.org"), Client()
    assert secret not in made.json()["link"]
    joined = post(browser, "join", {"token": secret, "password": PASSWORD})
    assert joined.json()["workspace"]["role"] == "viewer"
    assert browser.get("/api/v1/email").json()["verified_at"] is not None
    # The link that was shown is the same invitation, which is used.
    shown = made.json()["link"].partition("#")[2]
    assert post(Client(), "join/look", {"token": shown}).status_code == 404


def test_an_invitation_withdrawn_in_time_is_not_mailed(alice: Person, inbox: Inbox) -> None:
    made = alice.post("invitations", {"role": "viewer", "email": "vera@example.org"}).json()
    alice.delete(f"invitations/{made['id']}")
    assert mail_send_due() == 0
    assert inbox.messages == []


def test_a_link_that_was_handed_over_shows_no_address(alice: Person, inbox: Inbox) -> None:
    made = alice.post("invitations", {"role": "viewer", "email": "vera@example.org"}).json()
    browser, secret = Client(), made["link"].partition("#")[2]
    post(browser, "join", {"token": secret, "password": PASSWORD})
    assert browser.get("/api/v1/email").json()["verified_at"] is None


def test_a_message_is_tried_again_until_the_server_takes_it(alice: Person, inbox: Inbox) -> None:
    alice.post("invitations", {"role": "viewer", "email": "vera@example.org"})
    inbox.answer = "451 Try again later"
    now = timezone.now()
    assert mail_send_due(now) == 0
    inbox.answer = "250 OK"
    assert mail_send_due(now + timedelta(seconds=9)) == 0
    assert mail_send_due(now + timedelta(seconds=11)) == 1
    assert len(inbox.messages) == 1


def test_what_a_server_refuses_for_good_is_given_up(alice: Person, inbox: Inbox) -> None:
    alice.post("invitations", {"role": "viewer", "email": "vera@example.org"})
    inbox.answer = "550 No such user"
    mail_send_due()
    assert Mail.objects.get().ended_at is not None


@override_settings(SIGN_UP="open")
def test_anybody_signs_up_by_a_link_to_their_address(inbox: Inbox, database: None) -> None:
    browser = Client()
    assert browser.get("/api/v1/sign-up").json() == {
        "sign_up": "open",
        "mail": True,
        "openid": None,
        "saml": None,
    }
    assert post(browser, "sign-up", {"email": "New@example.org"}).status_code == 202
    mail_send_due()
    secret = inbox.link("new@example.org")
    look = post(browser, "mailed/look", {"token": secret}).json()
    assert (look["purpose"], look["email"]) == ("sign_up", "new@example.org")
    weak = post(browser, "mailed", {"token": secret, "password": "123"})
    assert (weak.status_code, weak.json()["errors"][0]["pointer"]) == (422, "/password")
    made = post(browser, "mailed", {"token": secret, "password": PASSWORD})
    assert made.json()["workspace"]["role"] == "owner"
    assert browser.get("/api/v1/email").json()["verified_at"] is not None
    assert post(Client(), "mailed", {"token": secret, "password": PASSWORD}).status_code == 404
    # There is an account now: the answer is the same, the message says so and has no link.
    assert post(Client(), "sign-up", {"email": "new@example.org"}).status_code == 202
    mail_send_due()
    assert inbox.messages[-1]["Subject"] == "You have an account in Ampacity"
    assert MailedLink.objects.count() == 0


@pytest.mark.parametrize("who", ["invitation", "closed"])
def test_where_not_everybody_may_sign_up_nobody_can(inbox: Inbox, who: str, database: None) -> None:
    with override_settings(SIGN_UP=who):
        assert post(Client(), "sign-up", {"email": "new@example.org"}).status_code == 403
    assert Mail.objects.count() == 0


@pytest.mark.decisive
def test_a_forgotten_password_is_replaced_and_ends_every_session(
    alice: Person, inbox: Inbox
) -> None:
    password_set(account=alice.account, password="the one before, long")
    browser = Client()
    assert post(browser, "password/forgotten", {"email": "alice@example.org"}).status_code == 202
    mail_send_due()
    secret = inbox.link("alice@example.org")
    assert post(browser, "mailed", {"token": secret}).json()["errors"][0]["code"] == "missing"
    assert post(browser, "mailed", {"token": secret, "password": PASSWORD}).status_code == 200
    assert browser.get("/api/v1/session").json()["user"]["email"] == "alice@example.org"
    assert alice.get("session").status_code == 401
    signed = post(Client(), "session", {"email": "alice@example.org", "password": PASSWORD})
    assert signed.status_code == 200


def test_a_link_that_is_too_old_does_nothing(alice: Person, inbox: Inbox) -> None:
    post(Client(), "password/forgotten", {"email": "alice@example.org"})
    mail_send_due()
    MailedLink.objects.update(expires_at=timezone.now())
    secret = inbox.link("alice@example.org")
    assert post(Client(), "mailed", {"token": secret, "password": PASSWORD}).status_code == 404
    assert post(Client(), "mailed/look", {"token": secret}).status_code == 404


def test_an_unknown_address_is_answered_the_same_and_gets_nothing(
    alice: Person, inbox: Inbox
) -> None:
    known = post(Client(), "password/forgotten", {"email": "alice@example.org"})
    unknown = post(Client(), "password/forgotten", {"email": "nobody@example.org"})
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    mail_send_due()
    assert [one["To"] for one in inbox.messages] == ["alice@example.org"]


def test_nobody_is_flooded(inbox: Inbox, database: None) -> None:
    asked = [
        post(Client(), "password/forgotten", {"email": "x@example.org"}).status_code
        for _ in range(FAILURES_MAX["mail"] + 1)
    ]
    assert asked == [202] * FAILURES_MAX["mail"] + [429]


def test_ones_own_address_is_confirmed(alice: Person, inbox: Inbox) -> None:
    assert alice.get("email").json() == {
        "email": "alice@example.org",
        "verified_at": None,
        "mail": True,
        "sees_mail": False,
    }
    assert alice.post("email").status_code == 202
    mail_send_due()
    assert post(Client(), "mailed", {"token": inbox.link("alice@example.org")}).status_code == 200
    with alice.workspace():
        assert User.objects.get(email="alice@example.org").verified_at is not None


def test_without_mail_links_are_handed_over_and_nothing_is_promised(alice: Person) -> None:
    with override_settings(MAIL=None):
        made = alice.post("invitations", {"role": "viewer", "email": "vera@example.org"}).json()
        asked = post(Client(), "password/forgotten", {"email": "alice@example.org"})
    assert made["mailed"] is False
    assert asked.status_code == 409


def test_who_runs_the_service_sees_mail_that_went_into_a_folder(
    alice: Person, charlie: Person, tmp_path: Path
) -> None:
    backend = "django.core.mail.backends.filebased.EmailBackend"
    folder = {"backend": backend, "file_path": str(tmp_path)}
    with override_settings(MAIL=folder, OPERATORS=["alice@example.org"]):
        post(Client(), "password/forgotten", {"email": "charlie@example.org"})
        mail_send_due()
        (shown,) = alice.get("mail").json()["results"]
        assert (shown["to"], shown["subject"]) == (
            "charlie@example.org",
            "A new password for Ampacity",
        )
        assert "/welcome#" in shown["body"]
        assert shown["body"].endswith("do nothing.")
        assert charlie.get("mail").status_code == 404
    assert alice.get("mail").status_code == 404
