"""What /readyz and /metrics know of the queues and their workers."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.module_loading import import_string
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from common import health
from jobs import kinds
from jobs.models import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

FORGOTTEN_AFTER = timedelta(minutes=10)
_STARTED_S = time.monotonic()


class QueueCollector(Collector):
    """Counts waiting and running jobs when Prometheus asks, and when each worker was last seen."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges; none while the database does not answer."""
        jobs = GaugeMetricFamily(
            "ampacity_jobs", "Jobs that have not ended", labels=["queue", "state"]
        )
        ages = GaugeMetricFamily(
            "ampacity_worker_age_seconds",
            "Since a worker last showed that it works",
            labels=["queue", "worker"],
        )
        try:
            for queue, state, count in _counts():
                jobs.add_metric([queue, state], count)
            for (queue, name), age_s in worker_ages_s().items():
                ages.add_metric([queue, name], age_s)
        except DatabaseError:
            return
        yield jobs
        yield ages

    def describe(self) -> list[GaugeMetricFamily]:
        """Describe nothing, so that registering does not ask the database."""
        return []


def register() -> None:
    """Add broker and workers to /readyz, and the queues to /metrics."""
    health.CHECKS["broker"] = broker_fault
    health.CHECKS["workers"] = workers_fault
    if "ampacity_jobs" not in REGISTRY._names_to_collectors:
        REGISTRY.register(QueueCollector())


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


def worker_ages_s() -> dict[tuple[str, str], float]:
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


def _counts() -> list[tuple[str, str, int]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT queue, state, count FROM jobs_counts()")
        rows: list[tuple[str, str, int]] = cursor.fetchall()
    return rows
