"""A trace: an uploaded measurement, as it came and as columns."""

from __future__ import annotations

from django.db import models

from jobs.models import MadeByJob, job_key


class Trace(MadeByJob):
    """A job of the kind ``trace``, under the job's id, and what the worker found in the file.

    ``kind`` and ``format`` are blank and ``sha256`` (of the columns) is, too, until it has been
    read. ``faults`` are the first lines that could not be read; ``faults_count`` is of all.
    """

    class Kind(models.TextChoices):
        BLOCK = "block"
        UTILIZATION = "utilization"
        LATENCY = "latency"
        FLEET = "fleet"
        INFERENCE = "inference"

    job = job_key("trace")
    title = models.CharField(max_length=200)
    file_name = models.CharField(max_length=200)
    bytes_count = models.BigIntegerField()

    kind = models.CharField(max_length=12, choices=Kind.choices, blank=True)
    format = models.CharField(max_length=40, blank=True)
    rows_count = models.BigIntegerField(null=True)
    stored_bytes_count = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    summary = models.JSONField(null=True)
    charts = models.JSONField(null=True)
    faults = models.JSONField(default=list)
    faults_count = models.BigIntegerField(default=0)

    class Meta:
        indexes = (models.Index(fields=("workspace", "-created_at", "-job"), name="trace_by_time"),)
