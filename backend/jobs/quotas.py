"""What a workspace has at work, and how long it has computed this month."""

from __future__ import annotations

from django.db.models import DurationField, ExpressionWrapper, F, Sum
from django.utils import timezone

from common import quotas
from jobs.models import Job

JOBS = quotas.Quota(
    name="jobs",
    title="Jobs that wait or run",
    unit="jobs",
    used=lambda: Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).count(),
    status=429,
    advice="Try again when some have ended, or cancel one.",
)


def compute_minutes() -> float:
    """Return how long the jobs took that ended this month. [min]"""
    month = timezone.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    took = ExpressionWrapper(F("ended_at") - F("started_at"), output_field=DurationField())
    total = Job.objects.filter(ended_at__gte=month).aggregate(total=Sum(took))["total"]
    return total.total_seconds() / 60 if total else 0.0


COMPUTE = quotas.Quota(
    name="compute_minutes",
    title="Computing this month",
    unit="minutes",
    used=compute_minutes,
    status=429,
    advice="It begins anew with the month; ask whoever runs this service for more.",
    retry_after_s=3600,
)
