"""What a stream needs before it starts: whose it is, and what it missed. Runs in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import close_old_connections, connection
from django.db.models import Q
from django.utils import timezone

from accounts.authentication import session_account
from accounts.crossing import token_use
from accounts.secrets import hash_of
from accounts.sessions import SessionStore
from common.permissions import require
from common.tenancy import workspace
from jobs.events.hub import JUST, LATEST, JobEvent
from jobs.models import Job

if TYPE_CHECKING:
    from uuid import UUID

# Numbers are given before the commit: a lower one may appear a little after a higher one.
OVERLAP = 100
MISSED_MAX = 1000


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose stream it is."""

    workspace_id: UUID
    user_id: UUID


def caller_of(cookie: str, authorization: str) -> Caller | None:
    """Return who a session cookie or a bearer token belongs to.

    Raises
    ------
    Forbidden
        When the token may not read.
    """
    close_old_connections()
    kind, _, token = authorization.partition(" ")
    if kind.lower() == "bearer":
        principal = token_use(hash_of(token.strip()), timezone.now())
        if principal is None:
            return None
        require(principal, "read")
        return Caller(principal.workspace_id, principal.user_id)
    try:
        key = SimpleCookie(cookie).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return None
    account = session_account(SessionStore(key.value)) if key else None
    return Caller(account.workspace_id, account.user_id) if account else None


def seq_now() -> int:
    """Return the number of the latest event of all."""
    with connection.cursor() as cursor:
        cursor.execute(LATEST)
        return int(cursor.fetchone()[0])


def missed_since(workspace_id: UUID, seq: int) -> list[JobEvent]:
    """Return the present state of each job that changed since, the oldest change first.

    A lower number that may only have come after it is of a job that runs, or has just ended.
    """
    just = Q(ended_at=None) | Q(ended_at__gte=timezone.now() - JUST)
    since = Q(event_seq__gt=seq) | Q(event_seq__gt=seq - OVERLAP) & just
    with workspace(workspace_id):
        jobs = list(Job.objects.filter(since).order_by("-event_seq")[:MISSED_MAX])
    return [
        JobEvent(
            workspace=str(workspace_id),
            seq=job.event_seq,
            id=str(job.id),
            kind=job.kind,
            state=job.state,
            progress_fraction=job.progress_fraction,
            message=job.progress_message,
        )
        for job in reversed(jobs)
    ]
