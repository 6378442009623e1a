"""The job row: the truth about a piece of background work."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.utils.timezone import now

from common.models import WorkspaceModel

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models.expressions import Combinable


class Job(WorkspaceModel):
    """Any background work.

    ``attempt`` fences: who writes must hold the present one. ``event_seq`` rises with every
    change that a browser should see; the database sets it (see the migration).
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        FAILED = "failed"
        CANCELLED = "cancelled"

    ENDED: ClassVar[tuple[str, ...]] = (State.SUCCEEDED, State.FAILED, State.CANCELLED)

    kind = models.CharField(max_length=50)
    queue = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    payload = models.JSONField(default=dict)
    attempt = models.PositiveSmallIntegerField(default=0)
    # attempts that gave the job back instead of losing it
    yields_count = models.PositiveIntegerField(db_default=0, default=0)
    # a job that was given back is not taken before
    waits_until = models.DateTimeField(null=True)
    limit_s = models.PositiveIntegerField()
    lease_expires_at = models.DateTimeField(null=True)
    resend_at = models.DateTimeField(null=True)
    sends_count = models.PositiveIntegerField(default=1)
    progress_fraction = models.FloatField(default=0.0)
    progress_message = models.CharField(max_length=200, blank=True, default="")
    cancel_requested_at = models.DateTimeField(null=True)
    error = models.JSONField(null=True)
    submitted_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    event_seq = models.BigIntegerField(default=0)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "event_seq")),
            # The reaper looks at the few that have not ended.
            models.Index(
                fields=("resend_at",), condition=models.Q(state="queued"), name="jobs_queued"
            ),
            models.Index(
                fields=("lease_expires_at",),
                condition=models.Q(state="running"),
                name="jobs_running",
            ),
            # Whose turn it is.
            models.Index(
                fields=("queue", "workspace", "submitted_at"),
                condition=models.Q(state="queued"),
                name="jobs_waiting",
            ),
            models.Index(fields=("workspace", "queue", "started_at"), name="jobs_served"),
            # Few among very many.
            models.Index(
                fields=("workspace", "state"),
                condition=~models.Q(state="succeeded"),
                name="jobs_unusual",
            ),
        )

    @property
    def has_ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in self.ENDED

    def seconds_left(self, now: datetime) -> float | None:
        """Estimate how long it will still run, from the share done so far. [s]"""
        if self.state != self.State.RUNNING or not self.started_at or self.progress_fraction <= 0:
            return None
        elapsed_s = max(0.0, (now - self.started_at).total_seconds())
        return elapsed_s * (1 - self.progress_fraction) / self.progress_fraction


def job_key(related_name: str) -> models.OneToOneField[Job | Combinable, Job]:
    """Return the column of what a job makes that is the job's id, and its own."""
    return models.OneToOneField(
        Job, primary_key=True, db_column="id", on_delete=models.CASCADE, related_name=related_name
    )


class MadeByJob(WorkspaceModel):
    """The base of what a job makes: its ``job`` is a `job_key`, and it goes with the job."""

    id = None  # type: ignore[assignment]  # the job's id is the row's
    created_at = models.DateTimeField(default=now, editable=False)

    if TYPE_CHECKING:
        job: models.OneToOneField[Job | Combinable, Job]

    class Meta:
        abstract = True


class Chunk(WorkspaceModel):
    """A piece of a long job, claimed and fenced by itself; ``call`` counts a job's calls.

    Rows go with the job's end.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+")
    call = models.PositiveSmallIntegerField()
    position = models.PositiveIntegerField()
    function = models.CharField(max_length=200)
    payload = models.JSONField()
    digest = models.CharField(max_length=64)
    attempt = models.PositiveIntegerField(default=0)
    lease_expires_at = models.DateTimeField(null=True)
    result = models.BinaryField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("job", "call", "position"), name="jobs_chunk_of_call"),
        )


class Computed(WorkspaceModel):
    """How long a workspace's jobs took that ended in a month of UTC; it outlives their rows.

    The database adds to it when a job ends (see the migration).
    """

    month = models.DateField()
    seconds = models.FloatField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("workspace", "month"), name="jobs_computed_of_month"),
        )


class Worker(models.Model):
    """When a worker of a queue last showed that it works, not only lives."""

    name = models.CharField(max_length=200)
    queue = models.CharField(max_length=50)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("name", "queue"), name="jobs_worker_of_queue"),
        )
