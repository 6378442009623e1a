"""What a workspace has at work, and how long it has computed this month."""

from __future__ import annotations

from datetime import UTC

from django.utils import timezone

from common import quotas
from jobs.models import Computed, Job

JOBS = quotas.Quota(
    name="jobs",
    title="Jobs that wait or run",
    unit="jobs",
    used=lambda: Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).count(),
    status=429,
    advice="Try again when some have ended, or cancel one.",
)


def compute_minutes() -> float:
    """Return how long the jobs took that ended this month, kept or removed since. [min]"""
    month = timezone.now().astimezone(UTC).date().replace(day=1)
    seconds = Computed.objects.filter(month=month).values_list("seconds", flat=True).first()
    return (seconds or 0.0) / 60


COMPUTE = quotas.Quota(
    name="compute_minutes",
    title="Computing this month",
    unit="minutes",
    used=compute_minutes,
    status=429,
    advice="It begins anew with the month; ask whoever runs this service for more.",
    retry_after_s=3600,
)
