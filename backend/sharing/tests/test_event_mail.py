"""Mail of events: to who chose it, of what happened, and nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accounts.mail import mail_send_due
from accounts.models import AuditEntry, Mail
from common.tenancy import workspace
from runs.tests.work import work_off
from sharing.models import Delivery, Webhook

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]
CHOICE = "/api/v1/email/events"


@pytest.fixture(autouse=True)
def _mail(settings: Any) -> None:
    settings.MAIL = {"backend": "django.core.mail.backends.locmem.EmailBackend"}


def choose(person: Planner, *events: str) -> int:
    body = {"events": list(events)}
    code: int = person.client.put(CHOICE, body, content_type="application/json").status_code
    return code


def mailed(mailoutbox: list[EmailMessage]) -> list[tuple[str, str]]:
    mail_send_due()
    return sorted((one.to[0], str(one.subject)) for one in mailoutbox)


def test_who_chose_an_event_is_mailed_it_and_can_end_it(
    alice: Planner, bob: Planner, charlie: Planner, mailoutbox: list[EmailMessage]
) -> None:
    Mail.objects.all().delete()
    assert alice.get("/email/events").json() == {"events": [], "break_even_months": 3.0}
    assert choose(alice, "approval.asked", "study.approved") == 200
    assert choose(bob, "approval.asked", "study.approved", "run.finished") == 200
    assert choose(charlie, "run.finished") == 200
    assert choose(alice, "weather.changed") == 422
    with workspace(alice.workspace_id):
        Webhook.objects.create(url="http://hook.example/", events=["approval.asked"], secret="s")
    made = alice.study(title="Rent\nor own")["id"]
    asked = bob.post(f"/studies/{made}/approvals/ask", {"sentence": "For the budget."})
    assert asked.status_code == 204
    # Bob asked, and is no owner; Charlie is elsewhere.
    assert mailed(mailoutbox) == [("alice@example.org", "Rent or own: your approval is asked for")]
    assert "bob@example.org asks for approval: For the budget." in mailoutbox[0].body
    assert mailoutbox[0].body.rstrip().endswith("/settings")
    answer = alice.post(f"/studies/{made}/approvals", {"name": "Go", "sentence": "Agreed."})
    work_off(alice, answer.json()["run"])
    assert mailed(mailoutbox)[1:] == [
        ("bob@example.org", "Rent or own: a run finished"),
        ("bob@example.org", "Rent or own: a version was approved"),
    ]
    # What waits when somebody ends it does not go any more.
    bob.post(f"/studies/{made}/approvals/ask", {"sentence": "Again."})
    assert choose(alice) == 200
    assert len(mailed(mailoutbox)) == 3
    with workspace(alice.workspace_id):
        assert AuditEntry.objects.filter(action="study.ask").count() == 2
        payloads = Delivery.objects.order_by("created_at").values_list("payload", flat=True)
        assert [one["sentence"] for one in payloads] == ["For the budget.", "Again."]


def test_what_is_incomplete_is_not_asked_for(alice: Planner) -> None:
    made = alice.post("/studies", {"title": "Empty"}).json()["id"]
    answer = alice.post(f"/studies/{made}/approvals/ask", {"sentence": "Please."})
    assert answer.status_code == 422
