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
    from collections.abc import Sequence
    from datetime import datetime

    from accounts.models import Mail
    from common.principal import Principal

RUN_FINISHED, VERDICT_CHANGED = "run.finished", "verdict.changed"
APPROVED, APPROVAL_ASKED = "study.approved", "approval.asked"
# As the subject of a mail says it, of a study.
SAID = {
    RUN_FINISHED: "a run finished",
    VERDICT_CHANGED: "the verdict changed",
    APPROVAL_ASKED: "your approval is asked for",
    APPROVED: "a version was approved",
}
EVENTS = tuple(SAID)


def mailed_events(principal: Principal) -> list[str]:
    """Return the events of the entered workspace that a person is mailed."""
    found: list[str] = Member.objects.values_list("mailed_events", flat=True).get(
        user_id=principal.user_id
    )
    return found


def mailed_events_choose(*, principal: Principal, events: Sequence[str]) -> list[str]:
    """Mail a person these events of the entered workspace from now on, and no others."""
    chosen = [event for event in EVENTS if event in events]
    Member.objects.filter(user_id=principal.user_id).update(mailed_events=chosen)
    audit_record(principal, "member.mailed", target=", ".join(chosen))
    return chosen


def has_mailed() -> bool:
    """Say whether anybody of the entered workspace is mailed anything."""
    return is_on() and Member.objects.exclude(mailed_events=[]).exists()


def mail_event(event: str, *, study_id: UUID, title: str, text: str, by: str = "") -> None:
    """Mail who chose it, but not who did it; only owners can approve, so only they are asked."""
    if not is_on():
        return
    members = Member.objects.filter(mailed_events__contains=[event]).exclude(user__email=by)
    if event == APPROVAL_ASKED:
        members = members.filter(role=OWNER)
    about = {
        "workspace": str(current_workspace_id()),
        "event": event,
        "study": str(study_id),
        "title": title,
        "text": text,
    }
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
        f"{about['text']}\n\n{settings.WEB_URL}/studies/{about['study']}/history\n\n"
        f"You chose to be mailed this of {name}. Choose otherwise in Settings:\n"
        f"{settings.WEB_URL}/settings\n"
    )
