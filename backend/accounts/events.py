"""What happens in a workspace that programs and people may be told of, and the mail of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings

from accounts.mail import EVENT, is_on, mail_add, one_line
from accounts.models import Member, Workspace
from accounts.services import audit_record
from common.principal import OWNER
from common.tenancy import current_workspace_id, workspace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from accounts.models import Mail
    from common.principal import Principal

RUN_FINISHED, VERDICT_CHANGED = "run.finished", "verdict.changed"
APPROVED, APPROVAL_ASKED = "study.approved", "approval.asked"
BREAK_EVEN_MOVED, PRICES_ARRIVED = "breakeven.moved", "prices.arrived"
# As the subject of a mail says it, of a study.
SAID = {
    RUN_FINISHED: "a run finished",
    VERDICT_CHANGED: "the verdict changed",
    BREAK_EVEN_MOVED: "the break-even moved",
    PRICES_ARRIVED: "prices arrived",
    APPROVAL_ASKED: "your approval is asked for",
    APPROVED: "a version was approved",
}
EVENTS = tuple(SAID)


def mailed_events(principal: Principal) -> dict[str, Any]:
    """Return the events of the entered workspace that a person is mailed, and from when on."""
    found = Member.objects.values_list("mailed_events", "break_even_months")
    events, months = found.get(user_id=principal.user_id)
    return {"events": events, "break_even_months": months}


def mailed_events_choose(
    *, principal: Principal, events: Sequence[str], break_even_months: float | None = None
) -> dict[str, Any]:
    """Mail a person these events of the entered workspace from now on, and no others."""
    chosen = [event for event in EVENTS if event in events]
    row: dict[str, Any] = {"mailed_events": chosen}
    if break_even_months is not None:
        row["break_even_months"] = break_even_months
    Member.objects.filter(user_id=principal.user_id).update(**row)
    audit_record(principal, "member.mailed", target=", ".join(chosen))
    return mailed_events(principal)


def has_mailed(event: str | None = None) -> bool:
    """Say whether anybody of the entered workspace is mailed anything, or an event."""
    members = Member.objects.exclude(mailed_events=[])
    if event is not None:
        members = members.filter(mailed_events__contains=[event])
    return is_on() and members.exists()


def mail_event(
    event: str, *, about: Mapping[str, Any], by: str = "", moved_months: float | None = None
) -> None:
    """Mail who chose it, but not who did it; only owners can approve, so only they are asked.

    ``about`` has ``study`` (none for what is of no study), ``title`` and ``text``.
    ``moved_months`` mails those only to whom less matters.
    """
    if not is_on():
        return
    members = Member.objects.filter(mailed_events__contains=[event]).exclude(user__email=by)
    if event == APPROVAL_ASKED:
        members = members.filter(role=OWNER)
    if moved_months is not None:
        members = members.filter(break_even_months__lt=moved_months)
    about = {"workspace": str(current_workspace_id()), "event": event, **about}
    for to in members.values_list("user__email", flat=True):
        mail_add(EVENT, to, about)


def event_said(mail: Mail, _now: datetime) -> tuple[str, str] | None:
    """Make the mail of an event; none for who has left, or has chosen otherwise since."""
    about: dict[str, Any] = mail.about
    with workspace(UUID(about["workspace"])):
        chosen = Member.objects.filter(mailed_events__contains=[about["event"]])
        if not chosen.filter(user__email=mail.to).exists():
            return None
        name = one_line(Workspace.objects.get(id=about["workspace"]).name)
    return one_line(f"{about['title']}: {SAID[about['event']]}"), (
        f"{about['text']}\n\n{settings.WEB_URL}{_place(about)}\n\n"
        f"You chose to be mailed this of {name}. Choose otherwise in Settings:\n"
        f"{settings.WEB_URL}/settings\n"
    )


def _place(about: dict[str, Any]) -> str:
    return f"/studies/{about['study']}/history" if about["study"] else "/outlook"
