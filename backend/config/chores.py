"""What the scheduler does."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.utils import timezone

from accounts.services import sign_in_prune
from accounts.sessions import SessionStore
from common.partitions import partitions_ahead
from config import celery
from files.services import gone_remove, uploads_prune
from jobs import monitoring, reaper
from runs.settled import runs_keep_settled

PARTITIONED = ("files_piece",)
IDEMPOTENCY_LIFE = timedelta(days=1)


def reap() -> None:
    """Send lost jobs again."""
    reaper.reap(celery.waiting_count)


def runs_keep() -> None:
    """Keep a run of each study that came to rest in a new state."""
    runs_keep_settled()


def workers_forget() -> None:
    """Forget the workers that are long gone."""
    monitoring.workers_forget()


def clear_up() -> None:
    """Remove what has expired: sessions, codes, idempotency keys, files that were not read."""
    SessionStore.clear_expired()
    sign_in_prune()
    uploads_prune()
    gone_remove()
    for table in PARTITIONED:
        partitions_ahead(table, timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("SELECT common_idempotency_prune(%s)", [timezone.now() - IDEMPOTENCY_LIFE])
