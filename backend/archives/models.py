"""An archive: all of a workspace as one file, made here or read in."""

from __future__ import annotations

from django.db import models
from django.utils.timezone import now

from common.models import WorkspaceModel
from jobs.models import Job


class Archive(WorkspaceModel):
    """A job of the kind ``archive.export`` or ``archive.import``, under the job's id.

    ``counts`` says how much of what it holds or brought; it is null until the job has ended.
    ``notes`` are what an owner should know of what was read in: names that were taken already.
    """

    class Way(models.TextChoices):
        EXPORT = "export"
        IMPORT = "import"

    id = None  # type: ignore[assignment]  # the job's id is the archive's
    job = models.OneToOneField(
        Job, primary_key=True, db_column="id", on_delete=models.CASCADE, related_name="archive"
    )
    way = models.CharField(max_length=6, choices=Way.choices)
    file_name = models.CharField(max_length=200)
    made_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(default=now, editable=False)
    bytes_count = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(null=True)
    notes = models.JSONField(default=list)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-job"), name="archive_by_time"),
        )
