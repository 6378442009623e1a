"""Webhooks: signed, in order, tried again, kept with their answers, never to private addresses."""

from __future__ import annotations

import ipaddress
import json
import random
import socket
import threading
import time
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone
from jsonschema import validate  # type: ignore[import-untyped]  # without stubs

from common import outgoing
from common.sealed import unseal
from common.tenancy import workspace
from jobs.models import Job
from runs.tests.work import work_off
from sharing import webhooks
from sharing.event_bodies import add_events
from sharing.models import Delivery, Webhook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


class Sink:
    """A program that is told: keeps what came, and answers what the test says."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sink.got.append((dict(self.headers), body))
                self.send_response(sink.status)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()
                self.wfile.write(b"seen")

            def log_message(self, *_args: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://hook.example:{self.server.server_port}/in"

    def events(self) -> list[str]:
        return [json.loads(body)["type"] for _, body in self.got]


def assert_described(body: dict[str, Any]) -> None:
    """Hold a body that was sent to what the API's schema has of its event."""
    request = add_events({})["webhooks"][body["type"]]["post"]["requestBody"]
    content = request["content"]["application/json"]
    validate(body, content["schema"])
    validate(content["example"], content["schema"])


def looked_up(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Have names that end in .example lead to addresses; look up others as ever."""
    asked = socket.getaddrinfo

    def found(host: str, port: int, *rest: Any, **named: Any) -> Any:
        if not host.endswith(".example"):
            return asked(host, port, *rest, **named)
        return [info for one in addresses for info in asked(one, port, *rest, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", found)


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    made = Sink()
    monkeypatch.setattr(settings, "WEBHOOK_PRIVATE_HOSTS", ["hook.example"])
    looked_up(monkeypatch, "127.0.0.1")
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def hooked(planner: Planner, sink: Sink, *events: str) -> dict[str, Any]:
    body = {"url": sink.url} | ({"events": list(events)} if events else {})
    made = planner.post("/webhooks", body)
    assert made.status_code == 201, made.content
    answer: dict[str, Any] = made.json()
    return answer


def ran(planner: Planner, study: dict[str, Any]) -> None:
    work_off(planner, planner.post("/runs", {"study": study["id"]}).json())


def open_deliveries(planner: Planner) -> list[UUID]:
    with workspace(planner.workspace_id):
        rows = Delivery.objects.filter(ended_at=None).order_by("created_at")
        return list(rows.values_list("id", flat=True))


@pytest.mark.decisive
def test_a_program_is_told_signed_and_the_answer_is_kept(alice: Planner, sink: Sink) -> None:
    hook = hooked(alice, sink)
    study = alice.study(draws_count=0)
    ran(alice, study)
    (delivery,) = open_deliveries(alice)
    with workspace(alice.workspace_id):
        assert Job.objects.filter(kind=webhooks.KIND, payload={"delivery": str(delivery)}).exists()
    assert webhooks.attempt(alice.workspace_id, delivery) is None
    ((headers, body),) = sink.got
    told = json.loads(body)
    assert_described(told)
    assert (told["type"], told["data"]["study"]) == ("run.finished", study["id"])
    assert told["data"]["winner"] == study["winner"]
    assert headers["webhook-id"] == str(delivery)
    at_s = int(headers["webhook-timestamp"])
    proof = webhooks.signature(hook["secret"], str(delivery), at_s, body)
    assert headers["webhook-signature"] == proof
    (row,) = alice.get(f"/webhooks/{hook['id']}/deliveries").json()["results"]
    assert (row["status"], row["answer"], row["delivered"]) == (200, "seen", True)
    assert webhooks.attempt(alice.workspace_id, delivery) is None
    assert len(sink.got) == 1
    assert "secret" not in alice.get("/webhooks").json()["results"][0]


def test_the_signature_is_that_of_the_standard() -> None:
    """The example of the specification (Standard Webhooks 1.0, verifying)."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    proof = webhooks.signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body)
    assert proof == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_an_hour_without_answer_loses_nothing_and_keeps_the_order(
    alice: Planner, sink: Sink
) -> None:
    hooked(alice, sink)
    study = alice.study(draws_count=0)
    ran(alice, study)
    alice.post(f"/studies/{study['id']}/approvals", {"name": "One", "sentence": "Yes."})
    first, second = open_deliveries(alice)
    sink.status = 503
    now = timezone.now()
    waits, looks = [], []
    while now < timezone.now() + timedelta(hours=1):
        look = webhooks.attempt(alice.workspace_id, second, now)
        assert look is not None
        looks.append(look.total_seconds())
        wait = webhooks.attempt(alice.workspace_id, first, now)
        assert wait is not None
        waits.append(wait.total_seconds())
        now += wait
    assert waits[:4] == [10, 20, 40, 80]
    assert looks[:5] == [5, 10, 20, 40, 60]
    assert set(sink.events()) == {"run.finished"}
    sink.status = 204
    assert webhooks.attempt(alice.workspace_id, first, now) is None
    assert webhooks.attempt(alice.workspace_id, second, now) is None
    assert sink.events()[-2:] == ["run.finished", "study.approved"]
    ids = {headers["webhook-id"] for headers, _ in sink.got}
    assert ids == {str(first), str(second)}


def test_the_database_shows_no_secret_and_another_key_is_told_of(
    alice: Planner, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = hooked(alice, sink)
    ran(alice, alice.study(draws_count=0))
    (delivery,) = open_deliveries(alice)
    assert hook["secret"].startswith("whsec_")
    with workspace(alice.workspace_id):
        held = str(list(Webhook.objects.values()))
    assert hook["secret"].removeprefix("whsec_") not in held
    monkeypatch.setattr(settings, "SECRET_KEY", "another one")
    assert webhooks.attempt(alice.workspace_id, delivery) is not None
    assert sink.got == []
    with workspace(alice.workspace_id):
        assert "SECRET_KEY has changed" in Delivery.objects.get(id=delivery).answer


def test_secrets_of_the_release_before_are_sealed(alice: Planner, sink: Sink) -> None:
    hook = hooked(alice, sink)
    migration = import_module("migrations.sharing.0011_sealed_secrets")

    def held() -> str:
        with workspace(alice.workspace_id):
            return Webhook.objects.get(id=hook["id"]).secret

    with connections["owner"].schema_editor() as editor:
        migration.show(None, editor)
    assert held() == hook["secret"]
    with connections["owner"].schema_editor() as editor:
        migration.hide(None, editor)
        migration.hide(None, editor)
    assert unseal(held(), webhooks.SEALED_FOR) == hook["secret"]


def test_a_name_that_leads_elsewhere_after_it_was_checked_is_not_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: a public address for who checks, a private one for who connects."""
    answers, connected = ["8.8.8.8", "127.0.0.1"], []

    def found(_host: str, port: int, *_rest: Any, **_named: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), port))]

    def connect(address: tuple[str, int], **_named: Any) -> Any:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(outgoing.Unsendable):
        outgoing.post("https://hook.example/in", b"{}", {})
    assert connected == [("8.8.8.8", 443)]
    assert answers == ["127.0.0.1"]


def test_another_winner_is_told_to_who_asked_for_it_alone(alice: Planner, sink: Sink) -> None:
    hooked(alice, sink, "verdict.changed")
    study = alice.study(draws_count=0)
    ran(alice, study)
    assert open_deliveries(alice) == []
    winner = next(one for one in study["designs"] if one["letter"] == study["winner"])
    alice.delete(f"/designs/{winner['id']}")
    ran(alice, study)
    (delivery,) = open_deliveries(alice)
    webhooks.attempt(alice.workspace_id, delivery)
    body = json.loads(sink.got[0][1])
    assert_described(body)
    told = body["data"]
    assert told["winner_before"] == study["winner"] != told["winner"]


def test_amounts_are_in_the_currency_of_the_run_not_of_the_study_now(
    alice: Planner, sink: Sink
) -> None:
    """Francs at 0.9, then euros at 0.8 before the event is made: both amounts at 0.9 francs."""

    def shown_in(code: str, per_usd: float) -> None:
        body = {
            "assumptions": {"currency": {"code": code, "per_usd": per_usd, "as_of": "2026-07-01"}}
        }
        assert alice.patch(f"/studies/{study['id']}", body).status_code == 200

    hooked(alice, sink, "verdict.changed")
    study = alice.study(draws_count=0)
    ran(alice, study)
    winner = next(one for one in study["designs"] if one["letter"] == study["winner"])
    alice.delete(f"/designs/{winner['id']}")
    shown_in("CHF", 0.9)
    made = alice.post("/runs", {"study": study["id"]}).json()
    shown_in("EUR", 0.8)
    work_off(alice, made)
    (delivery,) = open_deliveries(alice)
    webhooks.attempt(alice.workspace_id, delivery)
    body = json.loads(sink.got[0][1])
    assert_described(body)
    told = body["data"]
    assert told["currency"] == "CHF"
    assert told["cost"] == pytest.approx(0.9 * told["cost_usd"])
    assert told["cost_before"] == pytest.approx(0.9 * told["cost_before_usd"])
    assert "CHF" in told["headline"]
    assert "$" not in told["headline"]


def test_a_redirect_is_an_answer_and_not_followed(alice: Planner, sink: Sink) -> None:
    hooked(alice, sink)
    ran(alice, alice.study(draws_count=0))
    sink.status = 302
    (delivery,) = open_deliveries(alice)
    assert webhooks.attempt(alice.workspace_id, delivery) == webhooks.FIRST_WAIT
    assert len(sink.got) == 1


def test_after_two_days_nobody_is_told_any_more(alice: Planner, sink: Sink) -> None:
    hook = hooked(alice, sink)
    ran(alice, alice.study(draws_count=0))
    sink.status = 500
    (delivery,) = open_deliveries(alice)
    late = timezone.now() + webhooks.LIFE
    assert webhooks.attempt(alice.workspace_id, delivery, late) is None
    (row,) = alice.get(f"/webhooks/{hook['id']}/deliveries").json()["results"]
    assert (row["delivered"], row["status"]) == (False, 500)
    sink.status = 200
    again = f"/webhooks/{hook['id']}/deliveries/{delivery}/again"
    assert alice.post(again).status_code == 202
    assert alice.post(again).status_code == 409
    assert webhooks.attempt(alice.workspace_id, delivery) is None
    assert [headers["webhook-id"] for headers, _ in sink.got] == [str(delivery)] * 2
    assert alice.post(again.replace(str(delivery), str(uuid4()))).status_code == 404


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "224.0.0.1", "[::1]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]"),
        *("localhost", "2130706433", "[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2002:a00:1::]"),
        *("[fec0::1]", "[::127.0.0.1]", "[2001::1]", "0x7f.1", "127.1", "redis"),
    ],
)
def test_private_addresses_are_never_sent_to(host: str) -> None:
    with pytest.raises(outgoing.Unsendable):
        outgoing.post(f"http://{host}/x", b"{}", {})


PRIVATE = ("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.7.9", "100.64.3.4", "0.0.0.0")


@pytest.mark.parametrize("private", PRIVATE)
def test_addresses_that_stand_for_private_ones_are_private(private: str) -> None:
    inside = int(ipaddress.IPv4Address(private))
    for start, shift in (
        ("64:ff9b::", 0),
        ("64:ff9b:1::", 0),
        ("::ffff:0:0", 0),
        ("::", 0),
        ("2002::", 80),
        ("2001::", 0),
        ("fec0::", 0),
    ):
        wrapped = ipaddress.IPv6Address(int(ipaddress.IPv6Address(start)) | inside << shift)
        assert not outgoing.is_public(str(wrapped)), wrapped


def test_no_block_of_addresses_outside_of_the_global_ones_is_public() -> None:
    draw = random.Random(3)
    for _ in range(2_000):
        address = ipaddress.IPv6Address(draw.getrandbits(128))
        public = outgoing.is_public(str(address))
        assert not public or address in ipaddress.IPv6Network("2000::/3"), address
    assert all(map(outgoing.is_public, ("2606:4700::1111", "64:ff9b::808:808", "8.8.8.8")))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "localhost", "postgres", "a.internal"],
)
def test_a_private_address_is_refused_when_it_is_entered(
    alice: Planner, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    refused = alice.post("/webhooks", {"url": f"https://{host}/hook"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/url")
    monkeypatch.setattr(settings, "WEBHOOK_PRIVATE_HOSTS", [host.strip("[]")])
    looked_up(monkeypatch)
    assert alice.post("/webhooks", {"url": f"https://{host}/hook"}).status_code == 201


def test_a_name_among_whose_addresses_one_is_private_is_refused(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up(monkeypatch, "8.8.8.8", "64:ff9b::7f00:1")
    assert alice.post("/webhooks", {"url": "https://hook.example/in"}).status_code == 422


def test_other_ports_than_those_of_the_web_are_the_operators_to_allow(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up(monkeypatch, "8.8.8.8")
    url = "https://hook.example:8443/in"
    assert alice.post("/webhooks", {"url": url}).status_code == 422
    monkeypatch.setattr(settings, "WEBHOOK_PRIVATE_HOSTS", ["hook.example:8443"])
    assert alice.post("/webhooks", {"url": url}).status_code == 201


@pytest.mark.parametrize("slow", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_an_answer_that_drips_ends_with_the_time_limit(
    monkeypatch: pytest.MonkeyPatch, slow: bytes
) -> None:
    """Each byte comes in time; all of them together do not."""
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    here, there = socket.socketpair()
    wire = outgoing.Wire(here, outgoing.Deadline(outgoing.TIMEOUT_S))
    answer = wire.makefile("rb")
    there.sendall(slow)
    for _ in range(4):
        assert answer.read1(1 << 10)
        clock[0] += outgoing.TIMEOUT_S / 4
        there.sendall(b"x")
    with pytest.raises(TimeoutError):
        answer.read1(1 << 10)
    wire.end()
    there.close()


@pytest.mark.parametrize(
    "url", ["ftp://example.org/x", "https://", "x", "https://a:b@example.org/", "http://x:99999/"]
)
def test_what_is_no_address_of_the_web_is_refused(alice: Planner, url: str) -> None:
    refused = alice.post("/webhooks", {"url": url})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/url"


def test_webhooks_are_a_workspaces_own_and_the_owners(
    alice: Planner, bob: Planner, charlie: Planner, sink: Sink
) -> None:
    hook = hooked(alice, sink)
    ran(alice, alice.study(draws_count=0))
    assert bob.get("/webhooks").status_code == 403
    assert charlie.get("/webhooks").json()["results"] == []
    with workspace(charlie.workspace_id):
        assert Webhook._base_manager.count() == Delivery._base_manager.count() == 0
    with connections["owner"].cursor() as cursor:
        for table in ("sharing_webhook", "sharing_delivery"):
            cursor.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
        try:
            with workspace(charlie.workspace_id):
                assert Webhook._base_manager.count() == Delivery._base_manager.count() == 1
        finally:
            for table in ("sharing_webhook", "sharing_delivery"):
                cursor.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    assert alice.delete(f"/webhooks/{hook['id']}").status_code == 204
    assert open_deliveries(alice) == []
