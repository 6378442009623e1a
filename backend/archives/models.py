"""An archive: all of a workspace as one file, made here or read in."""

from __future__ import annotations

from django.db import models

from jobs.models import MadeByJob, job_key


class Archive(MadeByJob):
    """A job of the kind ``archive.export`` or ``archive.import``, under the job's id.

    ``counts`` says how much of what it holds or brought; it is null until the job has ended.
    ``notes`` are what an owner should know of what was read in: names that were taken already.
    """

    class Way(models.TextChoices):
        EXPORT = "export"
        IMPORT = "import"

    job = job_key("archive")
    way = models.CharField(max_length=6, choices=Way.choices)
    file_name = models.CharField(max_length=200)
    made_by = models.CharField(max_length=254)
    bytes_count = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(null=True)
    notes = models.JSONField(default=list)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-job"), name="archive_by_time"),
        )
