"""The Celery client: the web sends a task by name and never imports the worker."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError

from jobs.kinds import LIMITS_S, QUEUES

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

PERFORM_TASK = "capworker.perform"
HELP_TASK = "capworker.share"
CANARY_TASK = "capworker.worker_canary"

# A worker stays subscribed to one of these for each of its queues: the broker knows at once when it
# is gone, however it went.
PRESENT = "ampacity.present."

KILL_AFTER_S = 5
# Who submits a job does not wait for a broker that is away: kombu would try for 6 s.
# One more try mends a connection that a restart of the broker has cut.
ONCE_MORE = {"max_retries": 1, "interval_start": 0, "interval_step": 0.05, "interval_max": 0.05}
IMPATIENT = {**ONCE_MORE, "socket_timeout": 2}

# kombu looks for lost messages only every 100 s by default. The visibility timeout
# must exceed the longest task, else it is delivered again while it runs.
TRANSPORT_OPTIONS = {
    "visibility_timeout": 7200,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
}

_T = TypeVar("_T")

logger = logging.getLogger(__name__)


def client(broker_url: str) -> Celery:
    """Return a Celery app that only sends, and gives up soon."""
    made = Celery("ampacity", broker=broker_url, set_as_current=False)
    made.conf.update(
        broker_transport_options={**TRANSPORT_OPTIONS, **IMPATIENT},
        task_ignore_result=True,
        task_send_sent_event=False,
    )
    return made


app = client(settings.BROKER_URL)

_LOST: tuple[type[BaseException], ...] = (
    OperationalError,
    *app.connection_for_read().connection_errors,
)


def send(*, queue: str, job_id: UUID, workspace_id: UUID) -> bool:
    """Send one job's ids to its queue; False when the broker is out of reach.

    The row is the truth: what is not sent now is sent by the reaper later, so a
    broker that is down costs the caller nothing but the wait.
    """
    return send_task(PERFORM_TASK, [str(job_id), str(workspace_id)], queue)


def send_task(name: str, args: list[Any], queue: str, *, limit_s: int | None = None) -> bool:
    """Send any task by name; False when the broker is out of reach.

    The worker itself ends a job at its limit; a process that does not even hear of it is
    killed a little later.
    """
    limit_s = limit_s or LIMITS_S[queue] + KILL_AFTER_S
    try:
        app.send_task(
            name, args=args, queue=queue, time_limit=limit_s, retry=True, retry_policy=ONCE_MORE
        )
    except OperationalError as exc:
        logger.warning("broker out of reach: %s", exc)
        return False
    return True


def waiting_count(queue: str) -> int | None:
    """Return how many messages wait in a queue; None when the broker is out of reach."""
    return _asked(
        app, lambda channel: int(channel.client.llen(queue)) if hasattr(channel, "client") else None
    )


def listening_counts(sender: Celery = app) -> dict[str, int] | None:
    """Return how many workers take each queue; None when the broker is out of reach."""
    counts = _asked(
        sender,
        lambda channel: channel.client.pubsub_numsub(*(PRESENT + queue for queue in QUEUES)),
    )
    return counts and {name.decode().removeprefix(PRESENT): count for name, count in counts}


def _asked(sender: Celery, ask: Callable[[Any], _T]) -> _T | None:
    """Return what the broker answers; None when it is out of reach."""
    try:
        with sender.connection_for_read() as connection:
            return ask(connection.default_channel)
    except _LOST as exc:
        logger.warning("broker out of reach: %s", exc)
        return None
