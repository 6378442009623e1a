"""The Celery client: the web sends a task by name and never imports the worker."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError

from jobs.kinds import LIMITS_S

if TYPE_CHECKING:
    from uuid import UUID

PERFORM_TASK = "capworker.perform"
CANARY_TASK = "capworker.canary"

KILL_AFTER_S = 5

# kombu looks for lost messages only every 100 s by default. The visibility timeout
# must exceed the longest task, else it is delivered again while it runs.
TRANSPORT_OPTIONS = {
    "visibility_timeout": 7200,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
}

logger = logging.getLogger(__name__)

app = Celery("ampacity", broker=settings.BROKER_URL, set_as_current=False)
app.conf.update(
    broker_transport_options={**TRANSPORT_OPTIONS, "socket_timeout": 2},
    task_ignore_result=True,
    task_send_sent_event=False,
)


def send(*, queue: str, job_id: UUID, workspace_id: UUID) -> bool:
    """Send one job's ids to its queue; False when the broker is out of reach.

    The row is the truth: what is not sent now is sent by the reaper later, so a
    broker that is down costs the caller nothing but the wait.
    """
    return send_task(PERFORM_TASK, [str(job_id), str(workspace_id)], queue)


def send_task(name: str, args: list[str], queue: str) -> bool:
    """Send any task by name; False when the broker is out of reach.

    The worker itself ends a job at its limit; a process that does not even hear of it is
    killed a little later.
    """
    limit_s = LIMITS_S[queue] + KILL_AFTER_S
    try:
        app.send_task(name, args=args, queue=queue, retry=False, time_limit=limit_s)
    except OperationalError as exc:
        logger.warning("broker out of reach: %s", exc)
        return False
    return True


def waiting_count(queue: str) -> int | None:
    """Return how many messages wait in a queue; None when the broker is out of reach."""
    try:
        with app.connection_for_read() as connection:
            channel = connection.default_channel
            return int(channel.client.llen(queue)) if hasattr(channel, "client") else None
    except OperationalError as exc:
        logger.warning("broker out of reach: %s", exc)
        return None
