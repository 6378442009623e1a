"""Sends again what a dead worker or a broker lost. Crosses workspaces by one function.

Its SQL is in ``migrations/jobs``. The scheduler calls it every five seconds; several
schedulers at once do no harm.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone

from jobs import kinds, services

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

logger = logging.getLogger(__name__)

# Returns how many messages wait in a queue, or None when the broker is out of reach.
WaitingCount = Callable[[str], int | None]


@dataclass(frozen=True, slots=True)
class Reaped:
    """A job that the reaper touched: ``again`` when it was sent again, else it has ended."""

    workspace_id: UUID
    job_id: UUID
    queue: str
    again: bool


def reap(waiting_count: WaitingCount, *, now: datetime | None = None) -> list[Reaped]:
    """Send lost jobs again; end those that were cancelled, took too long or failed thrice.

    A running job is lost when its lease ran out. A waiting job is lost when its queue is
    empty at the broker; while messages wait there, its own may be among them, so it is
    sent again only after ten minutes.
    """
    busy = [queue for queue in kinds.QUEUES if waiting_count(queue) != 0]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT workspace_id, id, queue, again FROM jobs_reap(%s, %s, %s)",
            [now or timezone.now(), services.ATTEMPTS_MAX, busy],
        )
        reaped = [Reaped(*row) for row in cursor.fetchall()]
    for job in reaped:
        if job.again:
            services.job_send(job.queue, job.job_id, job.workspace_id)
    if reaped:
        logger.warning("reaped", extra={"jobs": [str(job.job_id) for job in reaped]})
    return reaped
