"""A team and a memory, from end to end by API.

Who joined later sees what was approved before; a newer price moves its verdict, History says why,
a program is told, and the pipeline check fails a change that moves the cost too far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client

from accounts.mail import mail_send_due
from accounts.tests.test_mail import PASSWORD, Inbox, inbox, post
from common.tenancy import workspace
from runs.settled import runs_keep_settled
from runs.tests.test_command_line import Shell, packages, with_price
from runs.tests.test_outlooks import bought_at, outlook, price
from runs.tests.test_settled import later
from runs.tests.work import work_off
from sharing import webhooks
from sharing.tests.test_webhooks import Sink, hooked, open_deliveries, sink

if TYPE_CHECKING:
    from pathlib import Path

    from studies.tests.people import Planner

__all__ = ["inbox", "packages", "sink"]
pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox", "packages")]


def viewer_by_mail(alice: Planner, inbox: Inbox) -> Client:
    """Invite Vera by mail; return her browser once she has followed the link."""
    alice.post("/invitations", {"role": "viewer", "email": "vera@example.org"})
    assert mail_send_due() == 1
    browser = Client()
    given = {"token": inbox.link("vera@example.org"), "password": PASSWORD}
    assert post(browser, "join", given).json()["workspace"]["role"] == "viewer"
    return browser


def seen(browser: Client, path: str) -> Any:
    answer = browser.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def a_month_passes(alice: Planner) -> None:
    with workspace(alice.workspace_id), connection.cursor() as cursor:
        cursor.execute("UPDATE runs_run SET created_at = created_at - interval '31 days'")
        cursor.execute("UPDATE jobs_job SET submitted_at = submitted_at - interval '31 days'")


def checked(alice: Planner, study: dict[str, Any], folder: Path, factor: float) -> int:
    """Return what the pipeline check says of the study with its prices times a factor."""
    shell, stored = Shell(alice), folder / "stored.json"
    assert shell.run("pull", study["slug"], "-o", stored) == 0
    changed = with_price(stored, folder / "changed.json", factor)
    return shell.run("check", changed, "--against", study["slug"], "--limit", "5%")


@pytest.mark.decisive
def test_a_second_person_sees_what_was_approved_and_what_moved_since(
    alice: Planner, inbox: Inbox, sink: Sink, tmp_path: Path
) -> None:
    price(alice, 0.01)
    study = bought_at(alice, 0.01)
    path = f"/studies/{study['id']}"
    said = {"name": "Budget 2027", "sentence": "We rent."}
    approved = alice.post(f"{path}/approvals", said).json()["run"]
    work_off(alice, approved)
    assert study["winner"] == "B"
    a_month_passes(alice)

    vera = viewer_by_mail(alice, inbox)
    assert [one["name"] for one in seen(vera, f"{path}/approvals")["results"]] == ["Budget 2027"]
    assert seen(vera, f"/runs/{approved['id']}/result")["summary"]["winner"] == "B"
    assert vera.post(f"/api/v1{path}/prices", content_type="application/json").status_code == 403

    hooked(alice, sink, "verdict.changed")
    price(alice, 5.0)
    (row,) = outlook(alice)["rows"]
    assert (row["winner"], row["new_winner"]) == ("B", "A")
    assert seen(vera, f"{path}/outlook") == row
    assert alice.post(f"{path}/prices").status_code == 200
    assert runs_keep_settled(later()) == 1
    after, before = seen(vera, f"/runs?study={study['id']}")["results"]
    assert before["id"] == approved["id"]
    assert work_off(alice, after)["winner"] == "A"

    why = seen(vera, f"/runs/{after['id']}/causes?against={before['id']}")
    assert [one["cause"] for one in why["causes"]] == ["prices"]
    assert why["causes"][0]["amount_usd"] == pytest.approx(row["prices_usd"])

    for delivery in open_deliveries(alice):
        assert webhooks.attempt(alice.workspace_id, delivery) is None
    assert sink.events() == ["verdict.changed"]
    assert checked(alice, study, tmp_path, 0.001) == 1
    assert checked(alice, study, tmp_path, 1.0) == 0
