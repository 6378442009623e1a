"""What is too large for a column: files as they came, columns of traces, series, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone

from common.models import WorkspaceModel
from common.partitions import KEPT
from jobs.models import Job

if TYPE_CHECKING:
    from datetime import date


class File(WorkspaceModel):
    """Something large of a job: in which storage it is, under which name, and its size.

    A file without a job is on its way here. When a row goes, by whatever way, the database
    notes it in ``Gone``, and the scheduler removes what the storage has.
    """

    class Kind(models.TextChoices):
        UPLOAD = "upload"
        TRACE = "trace"
        SERIES = "series"
        REPORT = "report"
        ARCHIVE = "archive"
        SWEEP = "sweep"

    # The database has the constraint, with a cascade of its own; see the migration.
    job = models.ForeignKey(
        Job, null=True, on_delete=models.CASCADE, related_name="files", db_constraint=False
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    storage = models.CharField(max_length=10)
    name = models.CharField(max_length=120)
    bytes_count = models.BigIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("job", "kind"), name="file_once"),)
        indexes = (
            models.Index(fields=("workspace",), include=("bytes_count",), name="file_sizes"),
            models.Index(
                fields=("created_at",), condition=models.Q(job__isnull=True), name="file_under_way"
            ),
        )


class Upload(WorkspaceModel):
    """A file that is sent in parts, until a job takes it; ``file`` has its announced size.

    ``token`` is what the storage calls it by, ``sent_at`` when something was last heard of it.
    """

    id = None  # type: ignore[assignment]  # the file's id is the upload's
    # The database has the constraint, with a cascade of its own; see the migration.
    file = models.OneToOneField(
        File, primary_key=True, on_delete=models.CASCADE, related_name="upload", db_constraint=False
    )
    name = models.CharField(max_length=200)
    part_bytes = models.PositiveIntegerField()
    token = models.TextField(blank=True)
    sent_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    @property
    def parts_count(self) -> int:
        """How many parts the file has."""
        return int(-(-self.file.bytes_count // self.part_bytes))

    def part_size(self, number: int) -> int:
        """Return how large a part is, counted from 1; the last one is what is left. [byte]"""
        return int(min(self.part_bytes, self.file.bytes_count - (number - 1) * self.part_bytes))


class Piece(WorkspaceModel):
    """A piece of a file that the database keeps; in monthly partitions."""

    id = None  # type: ignore[assignment]  # file, position and month are
    pk = models.CompositePrimaryKey("file_id", "position", "month")
    file_id = models.UUIDField()
    position = models.PositiveIntegerField()
    month = models.DateField(default=KEPT)
    data = models.BinaryField()

    class Meta:
        ordering = ("position",)


class Gone(WorkspaceModel):
    """A file whose row is gone; so will be what the storage has of it."""

    workspace = models.ForeignKey(
        "accounts.Workspace", on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    storage = models.CharField(max_length=10)
    name = models.CharField(max_length=120)


# Results of runs and reports are let go by month; what a planner has sent stays until removed.
BY_MONTH = (File.Kind.SERIES, File.Kind.REPORT)


def month_for(kind: str, today: date) -> date:
    """Return the partition for pieces of a file of this kind."""
    return today.replace(day=1) if kind in BY_MONTH else KEPT
