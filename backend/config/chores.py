"""What the scheduler does."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.utils import timezone

from accounts.services import sign_in_prune
from accounts.sessions import SessionStore
from config import celery
from imports.services import uploads_prune as imports_uploads_prune
from jobs import monitoring, reaper
from traces.services import uploads_prune

IDEMPOTENCY_LIFE = timedelta(days=1)


def reap() -> None:
    """Send lost jobs again."""
    reaper.reap(celery.waiting_count)


def workers_forget() -> None:
    """Forget the workers that are long gone."""
    monitoring.workers_forget()


def clear_up() -> None:
    """Remove what has expired: sessions, codes, idempotency keys, files that were not read."""
    SessionStore.clear_expired()
    sign_in_prune()
    uploads_prune()
    imports_uploads_prune()
    with connection.cursor() as cursor:
        cursor.execute("SELECT common_idempotency_prune(%s)", [timezone.now() - IDEMPOTENCY_LIFE])
