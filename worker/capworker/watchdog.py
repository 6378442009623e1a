"""Ends a worker that takes no messages any more; what supervises it starts it anew.

Each worker has a queue of its own, to which it sends itself a canary: one that is not taken,
while the broker answers and a process is free, shows a worker that lives and does not work.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import TYPE_CHECKING, Any

from celery.signals import (
    celeryd_after_setup,
    task_received,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from celery.worker import state
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from common import metrics
from config import celery
from jobs import monitoring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OWN = "canary."
BEATS = 6
CANARY_LIMIT_S = 30
_SUBSCRIBED_S, _SEEN_AGAIN_S = 30.0, 0.5
# EX_TEMPFAIL: try again
EXIT_CODE = 75

logger = logging.getLogger(__name__)


class Watchdog:
    """Knows when its worker last took a message, or could not be expected to."""

    def __init__(
        self,
        *,
        patience_s: float,
        is_busy: Callable[[], bool],
        waiting_count: Callable[[], int | None],
        send: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start patiently. ``waiting_count`` is None when the broker does not answer."""
        self._patience_s = patience_s
        self._is_busy = is_busy
        self._waiting_count = waiting_count
        self._send = send
        self._clock = clock
        self._excused_s = clock()

    def excuse(self, *_args: Any, **_signal: Any) -> None:
        """Begin to count anew: a message came, or none could have come."""
        self._excused_s = self._clock()

    def serves(self) -> bool:
        """Look, send a canary where none waits, and say whether the worker still serves."""
        if self._is_busy():
            self.excuse()
        else:
            waiting = self._waiting_count()
            if waiting is None:
                self.excuse()
            elif waiting == 0:
                self._send()
        return self._clock() - self._excused_s <= self._patience_s


class PoolCollector(Collector):
    """How many processes of this worker are at work."""

    def __init__(self, pool: Any) -> None:
        """Look at this pool."""
        self._pool = pool

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield busy and free processes."""
        gauge = GaugeMetricFamily(
            "ampacity_worker_processes", "Processes of this worker", labels=["state"]
        )
        busy = len(state.active_requests)
        gauge.add_metric(["busy"], busy)
        gauge.add_metric(["free"], max(0, self._pool.num_processes - busy))
        yield gauge


@celeryd_after_setup.connect
def take_own_queue(sender: str, instance: Any, **_signal: Any) -> None:
    """Take messages from the worker's own queue as well."""
    instance.app.amqp.queues.select_add(OWN + sender)


@worker_ready.connect
def start(sender: Any, **_signal: Any) -> None:
    """Watch the worker from a thread of its main process."""
    name: str = sender.hostname
    own = OWN + name
    queues = [queue for queue in sender.app.amqp.queues.consume_from if queue != own]

    def is_busy() -> bool:
        busy: bool = len(state.active_requests) >= sender.pool.num_processes
        if busy and state.should_stop is None:
            # Nobody is free to do the canary, which would say the same. One that was told to
            # end does its last job, and is of no use to the next one.
            _show(name, queues)
        return busy

    dog = Watchdog(
        patience_s=settings.WORKER_PATIENCE_S,
        is_busy=is_busy,
        waiting_count=lambda: celery.waiting_count(own),
        send=lambda: celery.send_task(
            celery.CANARY_TASK, [name, queues], own, limit_s=CANARY_LIMIT_S
        ),
    )
    metrics.serve(PoolCollector(sender.pool))
    task_received.connect(dog.excuse, weak=False)
    pause_s = settings.WORKER_PATIENCE_S / BEATS
    threading.Thread(target=_watch, args=(dog, pause_s), name="watchdog", daemon=True).start()
    threading.Thread(target=_be_present, args=(queues,), name="presence", daemon=True).start()


@worker_shutting_down.connect
def end_in_time(sender: str, **_signal: Any) -> None:
    """Wait for the last jobs for so long, not for as long as they take.

    A worker that was told to end takes nothing new. What it is at is done again by another.
    """
    timer = threading.Timer(settings.WORKER_GRACE_S, _end, (sender,))
    timer.daemon = True
    timer.start()


def _end(name: str) -> None:
    logger.warning(
        "this worker was told to end %.0f s ago and its jobs still run: it ends, and they are "
        "done again",
        settings.WORKER_GRACE_S,
    )
    _sign_off(name)
    logging.shutdown()
    os._exit(0)


@worker_shutdown.connect
def leave(sender: Any, **_signal: Any) -> None:
    """Be missed by nobody: this worker was told to end."""
    _sign_off(sender.hostname)


def _sign_off(name: str) -> None:
    close_old_connections()
    try:
        monitoring.worker_left(name)
    except DatabaseError as exc:
        logger.warning("the worker could not sign off: %s", type(exc).__name__)


def _watch(dog: Watchdog, pause_s: float) -> None:
    while dog.serves():
        if settings.ALIVE_FILE:
            settings.ALIVE_FILE.touch()
        time.sleep(pause_s)
    logger.critical(
        "this worker took no message for %.0f s while the broker answered and a process was "
        "free: it ends, to be started anew",
        settings.WORKER_PATIENCE_S,
    )
    logging.shutdown()
    # Without farewell: a process that is at work would hold up an orderly end for as long
    # as its job takes, and that job's lease brings it to another.
    os._exit(EXIT_CODE)


def _be_present(queues: list[str]) -> None:
    """Stay subscribed, so that pages know at once when this worker is gone."""
    lost = celery.app.connection_for_read().connection_errors
    while True:
        try:
            with celery.app.connection_for_read() as connection:
                channel: Any = connection.default_channel
                presence = channel.client.pubsub()
                presence.subscribe(*(celery.PRESENT + queue for queue in queues))
                while True:
                    presence.get_message(timeout=_SUBSCRIBED_S)
        except lost as exc:
            logger.warning("the broker does not see this worker: %s", exc)
        time.sleep(_SEEN_AGAIN_S)


def _show(name: str, queues: list[str]) -> None:
    close_old_connections()
    try:
        monitoring.worker_seen(name, queues)
    except DatabaseError as exc:
        logger.warning("the worker could not show itself: %s", type(exc).__name__)
