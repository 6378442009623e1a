"""What the scheduler does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.leaving import deletions_carry_out
from accounts.mail import mail_prune, mail_send_due
from accounts.services import sign_in_prune
from accounts.sessions import SessionStore
from common.partitions import partitions_ahead, partitions_retire
from common.tenancy import workspace
from config import celery
from files.services import gone_remove, uploads_prune
from files.sweeping import Sweep
from jobs import monitoring, reaper
from reports.services import report_delete
from runs.removal import run_delete
from runs.settled import is_settling, runs_keep_settled
from sharing import prices

if TYPE_CHECKING:
    from datetime import datetime

# Tables in months, and what of ``settings.RETENTION`` lets theirs go.
PARTITIONED = {
    "runs_result": ("results", "runs"),
    "files_piece": ("series", "runs"),
    "accounts_auditentry": ("audit",),
    "sharing_delivery": ("events",),
}

_EXPIRED_AT_ONCE = 500
IDEMPOTENCY_LIFE = timedelta(days=1)


def reap() -> None:
    """Send lost jobs again."""
    reaper.reap(celery.waiting_count)


def runs_keep() -> bool:
    """Keep a run of each study that came to rest in a new state; say whether one is about to."""
    if not is_settling():
        return False
    runs_keep_settled()
    return True


def mail_send() -> None:
    """Send the mail that is due."""
    mail_send_due()


def workers_forget() -> None:
    """Forget the workers that are long gone."""
    monitoring.workers_forget()


def prices_tell() -> int:
    """Tell who wants it that the catalogue has a new snapshot."""
    return prices.prices_tell()


def retain(now: datetime | None = None) -> int:
    """Remove what is older than is kept here; return how many runs and reports that were.

    Approved, shared, a study's latest: what is never removed is told by ``runs_is_needed`` and
    ``runs_expired`` in ``migrations/sharing``.
    """
    now = now or timezone.now()
    ends = {name: now - timedelta(days=days) for name, days in settings.RETENTION.items() if days}
    removed = _expired_remove(ends["runs"]) if "runs" in ends else 0
    with connection.cursor() as cursor:
        for name in ("series", "events"):
            if name in ends:
                cursor.execute(f"SELECT {name}_expire(%s, %s)", [ends[name], _EXPIRED_AT_ONCE])
    for table, names in PARTITIONED.items():
        if before := [ends[name] for name in names if name in ends]:
            partitions_retire(table, max(before))
    return removed


def _expired_remove(before: datetime) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM runs_expired(%s, %s)", [before, _EXPIRED_AT_ONCE])
        expired = cursor.fetchall()
    for workspace_id, job_id, what in expired:
        with workspace(workspace_id):
            (run_delete if what == "run" else report_delete)(job_id)
    return len(expired)


_sweep = Sweep()


def objects_sweep() -> None:
    """Remove from the object storage what no row knows."""
    if settings.OBJECTS:
        _sweep.turn()


def clear_up() -> None:
    """Remove what has expired: sessions, codes, idempotency keys, files that were not read."""
    SessionStore.clear_expired()
    sign_in_prune()
    mail_prune()
    deletions_carry_out()
    uploads_prune()
    gone_remove()
    for table in PARTITIONED:
        partitions_ahead(table, timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("SELECT common_idempotency_prune(%s)", [timezone.now() - IDEMPOTENCY_LIFE])
