"""Tells programs of events: signed, in order for each study, again until they answer."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
from django.conf import settings
from django.utils import timezone

from accounts.events import (
    BREAK_EVEN_MOVED,
    EVENTS,
    RUN_FINISHED,
    VERDICT_CHANGED,
    has_mailed,
    mail_event,
)
from accounts.services import audit_record
from capmodels.numbers import Currency
from capmodels.plans.break_evens import break_even_moved
from common import outgoing
from common.errors import Conflict, Invalid, NotFound, existing
from common.sealed import Unreadable, seal, unseal
from common.tenancy import workspace
from jobs.kinds import Later
from jobs.services import job_submit
from runs.models import Run
from runs.selectors import result_json
from sharing.models import Delivery, Webhook

if TYPE_CHECKING:
    from common.principal import Principal
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report
    from studies.models import Study

KIND = "webhook"
SEALED_FOR = "webhook"
SECRET_START = "whsec_"
WEBHOOKS_MAX = 20
# Twice as long after each refusal, from 10 s to an hour, for two days.
FIRST_WAIT, LONGEST_WAIT, LIFE = timedelta(seconds=10), timedelta(hours=1), timedelta(days=2)
# What is told later of the same study looks after it as long as the earlier waits, within these.
TURN, LONGEST_TURN = timedelta(seconds=5), timedelta(minutes=1)


def webhook_create(
    *,
    principal: Principal,
    url: str,
    events: list[str] | None = None,
    break_even_months: float = 3.0,
) -> Webhook:
    """Tell a program from now on; the returned row has the secret itself, which is shown once.

    Raises
    ------
    Invalid
        When the address is not one of the public internet and not allowed by the operator, or
        there are too many.
    """
    try:
        outgoing.require_sendable(url, settings.WEBHOOK_PRIVATE_HOSTS)
    except outgoing.Unsendable as exc:
        raise Invalid.at("/url", str(exc)) from exc
    if Webhook.objects.count() >= WEBHOOKS_MAX:
        raise Invalid.at("/url", f"A workspace has {WEBHOOKS_MAX} webhooks at most.", "too_many")
    chosen = [event for event in EVENTS if events is None or event in events]
    secret = secret_new()
    webhook = Webhook.objects.create(
        url=url,
        events=chosen,
        secret=seal(secret, SEALED_FOR),
        created_by=principal.email,
        break_even_months=break_even_months,
    )
    audit_record(principal, "webhook.create", target=url)
    webhook.secret = secret
    return webhook


def webhook_get(webhook_id: UUID) -> Webhook:
    """Return one webhook; raise NotFound when the workspace has no such one."""
    return existing(Webhook.objects.filter(id=webhook_id).first())


def webhook_delete(*, principal: Principal, webhook_id: UUID) -> None:
    """Tell the program nothing more; what was to be sent is not."""
    webhook = webhook_get(webhook_id)
    audit_record(principal, "webhook.delete", target=webhook.url)
    webhook.delete()


def send_again(*, principal: Principal, webhook_id: UUID, delivery_id: UUID) -> Delivery:
    """Have an event sent once more, under the id that it had.

    Raises
    ------
    NotFound
        When the webhook was told of no such event.
    Conflict
        When it is being tried still.
    """
    webhook = webhook_get(webhook_id)
    found = Delivery.objects.filter(id=delivery_id, webhook=webhook)
    if not found.exists():
        raise NotFound
    if not found.exclude(ended_at=None).update(ended_at=None, delivered=False):
        raise Conflict("This event is being tried still.")
    job_submit(kind=KIND, payload={"delivery": str(delivery_id)})
    audit_record(principal, "webhook.again", target=webhook.url)
    return found.get()


def tell(
    event: str,
    study: Study | None,
    about: dict[str, Any],
    text: str,
    moved_months: float | None = None,
) -> None:
    """Have the entered workspace's webhooks, and who chose mail, told of an event.

    Once this is committed. ``text`` is what the mail says; ``by`` of ``about`` is not mailed.
    ``moved_months`` tells those only to whom less matters.
    """
    mailed = {
        "study": str(study.id) if study else "",
        "title": study.title if study else "Ampacity",
        "text": text,
    }
    mail_event(event, about=mailed, by=about.get("by", ""), moved_months=moved_months)
    for webhook in Webhook.objects.all():
        matters = moved_months is None or moved_months > webhook.break_even_months
        if event in webhook.events and matters:
            study_id = study.id if study else None
            delivery = Delivery.objects.create(
                webhook=webhook, event=event, study_id=study_id, payload=about
            )
            job_submit(kind=KIND, payload={"delivery": str(delivery.id)})


def tell_of_run(run_id: UUID, study_id: UUID) -> None:
    """Tell that a comparison is there, and whether it says another design than the one before."""
    if not (Webhook.objects.exists() or has_mailed()):
        return
    runs = Run.objects.filter(study_id=study_id).defer("params")
    run = runs.select_related("study").get(job_id=run_id)
    study, headline = run.study, run.headline.replace("**", "")
    if study is None:
        return
    earlier = runs.filter(created_at__lt=run.created_at, cost_usd__isnull=False)
    before = earlier.order_by("-created_at").first()
    # Of the run: the study may be shown in another by now.
    currency = runs.values_list("params__assumptions__currency", flat=True).get(job_id=run_id)
    about = {
        "study": str(study_id),
        "run": str(run_id),
        "winner": run.winner or None,
        "cost_usd": run.cost_usd,
        **_in_currency(currency, "cost", run.cost_usd),
        "headline": headline,
    }
    tell(RUN_FINISHED, study, about, headline)
    if before is not None and before.winner != run.winner:
        was = {"winner_before": before.winner or None, "cost_before_usd": before.cost_usd}
        was |= _in_currency(currency, "cost_before", before.cost_usd)
        told = f"{headline}\n\nBefore, {before.winner or 'no design'} was cheapest."
        tell(VERDICT_CHANGED, study, {**about, **was}, told)
    if before is not None and is_wanted(BREAK_EVEN_MOVED):
        _tell_of_break_even(study, before, run, about)


def _in_currency(currency: dict[str, Any] | None, name: str, usd: float | None) -> dict[str, Any]:
    """An amount in the currency of a run, at its rate, and which that is."""
    stated = Currency.stated(currency)
    return {name: stated.amount(usd), "currency": stated.code}


def is_wanted(event: str) -> bool:
    """Say whether a program or a person of the entered workspace is told of an event."""
    return has_mailed(event) or Webhook.objects.filter(events__contains=[event]).exists()


def _tell_of_break_even(study: Study, before: Run, run: Run, about: dict[str, Any]) -> None:
    try:
        results = [orjson.loads(result_json(one)) for one in (before, run)]
    except Conflict:
        return  # the earlier one is let go
    moved = break_even_moved(*results)
    if moved is None:
        return
    told = {
        "challenger": moved.challenger,
        "incumbent": moved.incumbent,
        "before_months": moved.before_months,
        "after_months": moved.after_months,
    }
    tell(BREAK_EVEN_MOVED, study, {**about, **told}, moved.sentence, moved.moved_months)


def secret_new() -> str:
    """Return what signs a webhook's events, as Standard Webhooks writes it: base64 of 24 bytes."""
    return SECRET_START + base64.b64encode(secrets.token_bytes(24)).decode()


def signature(secret: str, event_id: str, at_s: int, body: bytes) -> str:
    """Return the header that proves who sent a body, and when (Standard Webhooks 1.0, v1)."""
    key = base64.b64decode(secret.removeprefix(SECRET_START))
    proof = hmac.new(key, f"{event_id}.{at_s}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(proof.digest()).decode()}"


def deliver(job: ClaimedJob, _report: Report) -> None:
    """Send one delivery, and keep what came back; raise Later to try again."""
    wait = attempt(job.workspace_id, UUID(job.payload["delivery"]))
    if wait is not None:
        raise Later("The program has not taken it yet", wait)


def delivered(_job: ClaimedJob, _result: None) -> None:
    """Nothing is left to record: the delivery keeps its own answers."""


def attempt(workspace_id: UUID, delivery_id: UUID, now: datetime | None = None) -> timedelta | None:
    """Try a delivery once; return how long to wait before the next try, None when it has ended."""
    now = now or timezone.now()
    with workspace(workspace_id):
        found = Delivery.objects.select_related("webhook").filter(id=delivery_id, ended_at=None)
        delivery = found.first()
        if delivery is None:
            return None
        earlier = _earlier(delivery)
        if earlier is not None:
            return max(TURN, min(LONGEST_TURN, _wait(earlier.attempts)))
    status, answer = _send(delivery, now)
    taken = status is not None and 200 <= status < 300
    over = now - delivery.created_at >= LIFE
    with workspace(workspace_id):
        Delivery.objects.filter(id=delivery_id).update(
            attempts=delivery.attempts + 1,
            status=status,
            answer=answer[:500].replace("\0", ""),
            delivered=taken,
            ended_at=now if taken or over else None,
        )
    if taken or over:
        return None
    return _wait(delivery.attempts + 1)


def _wait(attempts: int) -> timedelta:
    """Return how long after so many attempts the next one is made."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempts - 1, 10)) if attempts else timedelta()


def _earlier(delivery: Delivery) -> Delivery | None:
    """Return the event of the study that is to be sent there first, if another."""
    open_still = Delivery.objects.filter(
        webhook=delivery.webhook_id, study_id=delivery.study_id, ended_at=None
    )
    return open_still.filter(created_at__lt=delivery.created_at).order_by("created_at").first()


def _send(delivery: Delivery, now: datetime) -> tuple[int | None, str]:
    # The id stays the same from try to try: who has it already may pass it over.
    event_id, at_s = str(delivery.id), int(now.timestamp())
    created = delivery.created_at.isoformat()
    body = orjson.dumps({"type": delivery.event, "timestamp": created, "data": delivery.payload})
    try:
        secret = unseal(delivery.webhook.secret, SEALED_FOR)
    except Unreadable:
        return None, "The service's SECRET_KEY has changed since. Make the webhook anew."
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Ampacity",
        "webhook-id": event_id,
        "webhook-timestamp": str(at_s),
        "webhook-signature": signature(secret, event_id, at_s, body),
    }
    try:
        allowed = settings.WEBHOOK_PRIVATE_HOSTS
        return outgoing.post(delivery.webhook.url, body, headers, allowed=allowed)
    except outgoing.Unsendable as exc:
        return None, str(exc)
