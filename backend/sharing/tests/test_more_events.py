"""Events of a choice: a break-even that moved by more than somebody cares, prices that arrived."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accounts.mail import mail_send_due
from accounts.models import Mail
from capmodels.plans.break_evens import break_even_moved
from catalogue.models import Snapshot
from common.tenancy import workspace
from runs.tests.test_outlooks import bought_at, price
from runs.tests.work import work_off
from sharing import prices, webhooks
from sharing.models import PricesTold
from sharing.tests.test_webhooks import Sink, assert_described, open_deliveries, sink

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

    from studies.tests.people import Planner

__all__ = ["sink"]
pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]
MOVED, ARRIVED = "breakeven.moved", "prices.arrived"


@pytest.fixture(autouse=True)
def _mail(settings: Any) -> None:
    settings.MAIL = {"backend": "django.core.mail.backends.locmem.EmailBackend"}


def hooked(planner: Planner, sink: Sink, event: str, months: float = 3.0) -> None:
    body = {"url": sink.url, "events": [event], "break_even_months": months}
    made = planner.post("/webhooks", body)
    assert made.status_code == 201, made.content
    assert made.json()["break_even_months"] == months


def told(planner: Planner, sink: Sink) -> list[dict[str, Any]]:
    for delivery in open_deliveries(planner):
        assert webhooks.attempt(planner.workspace_id, delivery) is None
    bodies = [json.loads(body) for _, body in sink.got]
    for body in bodies:
        assert_described(body)
    return bodies


def choose(planner: Planner, event: str, months: float) -> None:
    body = {"events": [event], "break_even_months": months}
    path = "/api/v1/email/events"
    answer = planner.client.put(path, body, content_type="application/json")
    assert answer.json() == body


def subjects(mailoutbox: list[EmailMessage]) -> list[tuple[str, str]]:
    mail_send_due()
    return [(one.to[0], str(one.subject)) for one in mailoutbox]


def runs_of_two_prices(planner: Planner, first: float, then: float) -> list[dict[str, Any]]:
    """Run a study at one price and at another; return both results."""
    results = []
    study = bought_at(planner, first)
    for usd_per_h in (first, then):
        design = study["designs"][1]
        spec = {**design["spec"]}
        spec["instances"] = [{**spec["instances"][0], "usd_per_h": usd_per_h}]
        planner.patch(f"/designs/{design['id']}", {"spec": spec})
        made = planner.post("/runs", {"study": study["id"]}).json()
        work_off(planner, made)
        results.append(
            planner.get(f"/runs/{made['id']}/result?include=break_evens").json()["result"]
        )
    return results


def exact_months(result: dict[str, Any], pair: tuple[str, str]) -> float | None:
    discounted = result["ranked_by"] == "present_value"
    (row,) = [
        one
        for one in result["break_evens"]
        if (one["challenger"], one["incumbent"]) == pair and one["discounted"] == discounted
    ]
    found: float | None = row["exact_months"]
    return found


@pytest.mark.decisive
def test_a_break_even_is_told_to_whom_its_move_matters(
    alice: Planner, bob: Planner, sink: Sink, mailoutbox: list[EmailMessage]
) -> None:
    Mail.objects.all().delete()
    hooked(alice, sink, MOVED, 0.5)
    hooked(alice, sink, MOVED, 500.0)
    choose(alice, MOVED, 0.5)
    choose(bob, MOVED, 500.0)
    before, after = runs_of_two_prices(alice, 1.0, 1.2)
    (event,) = told(alice, sink)
    about = event["data"]
    pair = about["challenger"], about["incumbent"]
    assert (event["type"], about["before_months"], about["after_months"]) == (
        *(MOVED, exact_months(before, pair)),
        exact_months(after, pair),
    )
    assert abs(about["after_months"] - about["before_months"]) > 0.5
    assert subjects(mailoutbox) == [("alice@example.org", "Own or rent?: the break-even moved")]
    assert f"{about['after_months']:.1f} months" in mailoutbox[0].body


def test_a_break_even_that_comes_or_goes_matters_to_all(alice: Planner, sink: Sink) -> None:
    hooked(alice, sink, MOVED, 1000.0)
    runs_of_two_prices(alice, 1.0, 0.01)
    (event,) = told(alice, sink)
    assert event["data"]["after_months"] is None
    assert event["data"]["before_months"] is not None


def test_the_same_break_even_is_no_event(alice: Planner) -> None:
    before, after = runs_of_two_prices(alice, 1.0, 1.2)
    assert break_even_moved(before, before) is None
    moved = break_even_moved(before, after)
    assert moved
    assert moved.moved_months > 0


def new_snapshot(name: str) -> None:
    Snapshot.objects.using("owner").create(
        id=name, as_of="2026-12-01", digest=name, entries_count=1, kinds={}
    )


@pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"])
def test_a_new_snapshot_is_told_once_to_who_wants_it(
    alice: Planner, charlie: Planner, sink: Sink, mailoutbox: list[EmailMessage]
) -> None:
    Mail.objects.all().delete()
    new_snapshot("2026-12-01-aaaaaaaa")
    hooked(alice, sink, ARRIVED)
    choose(alice, ARRIVED, 3.0)
    price(alice, 0.4)
    bought_at(alice, 1.0)
    # What is there when somebody begins to be told is nothing new.
    assert prices.prices_tell() == 0
    assert told(alice, sink) == []
    new_snapshot("2026-12-02-bbbbbbbb")
    assert [prices.prices_tell(), prices.prices_tell()] == [1, 0]
    (event,) = told(alice, sink)
    assert (event["type"], event["data"]["snapshot"]) == (ARRIVED, "2026-12-02-bbbbbbbb")
    assert event["data"]["studies_count"] == 1
    assert subjects(mailoutbox) == [("alice@example.org", "Ampacity: prices arrived")]
    assert "/outlook" in mailoutbox[0].body
    with workspace(charlie.workspace_id):
        assert not PricesTold.objects.exists()


def test_ones_own_prices_are_told_as_they_come(alice: Planner, sink: Sink) -> None:
    hooked(alice, sink, ARRIVED)
    table = "title,usd_per_h\nOurs,0.4\nTheirs,0.5"
    assert alice.post("/catalogue/csv", {"kind": "instance", "csv": table}).status_code == 200
    (event,) = told(alice, sink)
    assert (event["data"]["source"], event["data"]["entries_count"]) == ("Table", 2)
