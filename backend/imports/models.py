"""An import: a file as it came, what it says, and the study that it went into."""

from __future__ import annotations

from django.db import models

from jobs.models import MadeByJob, job_key


class Import(MadeByJob):
    """A job of the kind ``import``, under the job's id, and what the worker found in the file.

    ``format`` is blank and ``preview`` null until it has been read. ``undo`` has what the study
    was before the import was accepted; it is null before that, and again once it is undone.
    """

    job = job_key("file_import")
    file_name = models.CharField(max_length=200)
    bytes_count = models.BigIntegerField()

    # Of a price list that is fetched: its provider and region, and of all regions which lists were
    # made and which have none; of a file that was read before and
    # not sent again: its SHA-256; null for a file.
    source = models.JSONField(null=True)
    # Of the file and of what reads it: the same file is not read twice. Blank until it is read.
    read_key = models.CharField(max_length=64, blank=True, default="", editable=False)
    # What became of names of people and things, as ``capmodels.imports.names`` has it.
    names = models.CharField(max_length=10, default="keep")
    # Which number of a date such as 1/8/2026 is the day, where the file leaves it open: day_first
    # or month_first. Blank: it is asked for.
    dates = models.CharField(max_length=12, blank=True, default="", db_default="")

    # Which sign stands before decimals in a number such as 1,234, where the file leaves it open:
    # point or comma. Blank: it is asked for.
    numbers = models.CharField(max_length=10, blank=True, default="", db_default="")

    # That it is a quote, where its heads do not say so: quote. Blank: it is found out.
    kind = models.CharField(max_length=20, blank=True, default="", db_default="")

    format = models.CharField(max_length=40, blank=True)
    version = models.CharField(max_length=40, blank=True)
    makes = models.CharField(max_length=20, blank=True)
    preview = models.JSONField(null=True)

    study_id = models.UUIDField(null=True)
    accepted_at = models.DateTimeField(null=True)
    undo = models.JSONField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-job"), name="import_by_time"),
            models.Index(fields=("workspace", "study_id"), name="import_by_study"),
            models.Index(fields=("workspace", "read_key"), name="import_by_file"),
        )
