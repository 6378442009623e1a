"""What /readyz, pages and Prometheus are told of the queues and their workers."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.module_loading import import_string
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from common import health
from jobs import kinds
from jobs.models import Job, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FORGOTTEN_AFTER = timedelta(minutes=10)
_BROKER_AWAY = health.Away(
    part="broker",
    message="The queue of jobs does not answer: runs, imports and reports are stored, and start "
    "when it is back. Opening, saving and instant answers work.",
)
_WAIT = {
    kinds.INTERACTIVE: "Runs of tools, traces and imports",
    kinds.BATCH: "Long simulations, sweeps and archives",
    kinds.REPORTS: "Reports",
    kinds.WEBHOOKS: "Webhooks",
}
_STARTED_S = time.monotonic()


class LoadCollector(Collector):
    """What waits, runs and works, looked up when Prometheus asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges; those of the database only while it answers."""
        yield _gauge("ampacity_broker_messages", "Messages that wait", ["queue"], _messages())
        try:
            close_old_connections()
            load = _load()
            ages = worker_ages_s()
            connections = _connections()
        except DatabaseError:
            return
        jobs: dict[tuple[str, ...], float] = {
            (row.queue, row.kind, row.state): float(row.jobs) for row in load
        }
        oldest_s = dict.fromkeys(kinds.QUEUES, 0.0)
        for row in load:
            if row.state == Job.State.QUEUED:
                oldest_s[row.queue] = max(oldest_s.get(row.queue, 0.0), row.oldest_s)
        yield _gauge("ampacity_jobs", "Jobs not ended", ["queue", "kind", "state"], jobs)
        yield _gauge(
            "ampacity_queue_age_seconds",
            "Since the oldest waiting job was submitted",
            ["queue"],
            {(queue,): age_s for queue, age_s in oldest_s.items()},
        )
        yield _gauge(
            "ampacity_worker_age_seconds",
            "Since a worker last showed that it works",
            ["queue", "worker"],
            ages,
        )
        yield _gauge(
            "ampacity_database_connections", "The app role's connections", ["state"], connections
        )

    def describe(self) -> list[GaugeMetricFamily]:
        """Describe nothing, so that registering does not ask the database."""
        return []


def _gauge(
    name: str, what: str, labels: list[str], values: Mapping[tuple[str, ...], float]
) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, what, labels=labels)
    for key, value in values.items():
        gauge.add_metric(key, value)
    return gauge


def _messages() -> dict[tuple[str, ...], float]:
    waiting_count = import_string(settings.JOB_WAITING_COUNT)
    counts = {(queue,): waiting_count(queue) for queue in kinds.QUEUES}
    return {key: count for key, count in counts.items() if count is not None}


def register() -> None:
    """Add broker and workers to /readyz and to what pages name."""
    health.CHECKS["broker"] = broker_fault
    health.CHECKS["workers"] = workers_fault
    health.PARTS.append(health.Part(jobs_away, _BROKER_AWAY))


def jobs_away() -> list[health.Away]:
    """Return the broker when it is away, else each queue that no worker listens to."""
    listening_counts = import_string(settings.JOB_LISTENING_COUNTS)()
    if listening_counts is None:
        return [_BROKER_AWAY]
    return [
        health.Away(
            part=f"worker-{queue}",
            message=f"{what} wait: the workers that do them are away, and are started again. All "
            "else works.",
        )
        for queue, what in _WAIT.items()
        if not listening_counts[queue]
    ]


def broker_fault() -> str | None:
    """Return what is wrong with the broker, or None."""
    waiting_count = import_string(settings.JOB_WAITING_COUNT)
    if waiting_count(kinds.INTERACTIVE) is None:
        return "The broker does not answer; jobs are stored and sent later."
    return None


def workers_fault() -> str | None:
    """Return which queues have lost their workers, or None.

    Ages count from the start of this process at the earliest: what was started with it may
    need a while. A queue that never had a worker is not missed here, but by the alert.
    """
    patience_s = settings.WORKER_PATIENCE_S
    if time.monotonic() - _STARTED_S <= patience_s:
        return None
    try:
        ages_s = queue_ages_s()
    except DatabaseError:
        # The database's own check says so.
        return None
    lost = [queue for queue, age_s in sorted(ages_s.items()) if age_s > patience_s]
    if not lost:
        return None
    return f"No worker has shown for {patience_s} s that it works on: {', '.join(lost)}."


def worker_seen(name: str, queues: list[str]) -> None:
    """Note that a worker of these queues does its work."""
    now = timezone.now()
    Worker.objects.bulk_create(
        [Worker(name=name, queue=queue, seen_at=now) for queue in queues],
        update_conflicts=True,
        unique_fields=["name", "queue"],
        update_fields=["seen_at"],
    )


def worker_left(name: str) -> None:
    """Forget a worker that ends as it was told."""
    Worker.objects.filter(name=name).delete()


def workers_forget() -> None:
    """Forget those not seen for ten minutes, but not the last one of a queue."""
    latest = Worker.objects.filter(queue=OuterRef("queue")).order_by("-seen_at").values("id")
    Worker.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN_AFTER).exclude(
        id=Subquery(latest[:1])
    ).delete()


def worker_ages_s() -> dict[tuple[str, ...], float]:
    """Return the seconds since each worker of each queue last showed that it works."""
    now = timezone.now()
    return {
        (row.queue, row.name): (now - row.seen_at).total_seconds() for row in Worker.objects.all()
    }


def queue_ages_s() -> dict[str, float]:
    """Return the seconds since any worker of each queue last showed that it works."""
    ages: dict[str, float] = {}
    for (queue, _name), age_s in worker_ages_s().items():
        ages[queue] = min(age_s, ages.get(queue, age_s))
    return ages


class _Row(NamedTuple):
    queue: str
    kind: str
    state: str
    jobs: int
    oldest_s: float


def _load() -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT queue, kind, state, count, oldest_s FROM jobs_load(now())")
        return [_Row(*row) for row in cursor.fetchall()]


def _connections() -> dict[tuple[str, ...], float]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT state, count(*) FROM pg_stat_activity "
            "WHERE usename = current_user AND state IS NOT NULL GROUP BY 1"
        )
        return {(state,): count for state, count in cursor.fetchall()}
