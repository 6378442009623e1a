"""What /readyz and /metrics know of the queues and their workers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.module_loading import import_string
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from common import health
from jobs import kinds
from jobs.models import Canary

if TYPE_CHECKING:
    from collections.abc import Iterator

CANARY_PATIENCE = timedelta(minutes=10)


class QueueCollector(Collector):
    """Counts waiting and running jobs when Prometheus asks, and the age of each canary."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges; none while the database does not answer."""
        jobs = GaugeMetricFamily(
            "ampacity_jobs", "Jobs that have not ended", labels=["queue", "state"]
        )
        ages = GaugeMetricFamily(
            "ampacity_canary_age_seconds", "Since a worker last did a canary", labels=["queue"]
        )
        try:
            for queue, state, count in _counts():
                jobs.add_metric([queue, state], count)
            for queue, age_s in canary_ages_s().items():
                ages.add_metric([queue], age_s)
        except DatabaseError:
            return
        yield jobs
        yield ages

    def describe(self) -> list[GaugeMetricFamily]:
        """Describe nothing, so that registering does not ask the database."""
        return []


def register() -> None:
    """Add the broker to /readyz and the queues to /metrics."""
    health.CHECKS["broker"] = broker_fault
    if "ampacity_jobs" not in REGISTRY._names_to_collectors:
        REGISTRY.register(QueueCollector())


def broker_fault() -> str | None:
    """Return what is wrong with the broker, or None."""
    waiting_count = import_string(settings.JOB_WAITING_COUNT)
    if waiting_count(kinds.INTERACTIVE) is None:
        return "The broker does not answer; jobs are stored and sent later."
    return None


def canaries_due() -> list[str]:
    """Return the queues that a canary task should be sent to, and note it as sent.

    A canary that has not come back is not followed by another for ten minutes, so that
    they do not pile up in a full queue.
    """
    now = timezone.now()
    Canary.objects.bulk_create(
        [Canary(queue=queue) for queue in kinds.QUEUES], ignore_conflicts=True
    )
    due = [
        canary.queue
        for canary in Canary.objects.all()
        if canary.sent_at is None
        or (canary.seen_at and canary.seen_at >= canary.sent_at)
        or canary.sent_at < now - CANARY_PATIENCE
    ]
    Canary.objects.filter(queue__in=due).update(sent_at=now)
    return due


def canary_seen(queue: str) -> None:
    """Note that a worker of the queue does its work."""
    Canary.objects.filter(queue=queue).update(seen_at=timezone.now())


def canary_ages_s() -> dict[str, float]:
    """Return the seconds since each queue's workers last did a canary."""
    now = timezone.now()
    return {
        canary.queue: (now - canary.seen_at).total_seconds()
        for canary in Canary.objects.exclude(seen_at=None)
        if canary.seen_at
    }


def _counts() -> list[tuple[str, str, int]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT queue, state, count FROM jobs_counts()")
        rows: list[tuple[str, str, int]] = cursor.fetchall()
    return rows
