"""A report: a study as it stood, drawn once and kept."""

from __future__ import annotations

from django.db import models

from jobs.models import MadeByJob, job_key
from runs.models import Run
from studies.models import Study


class Report(MadeByJob):
    """A job of the kind ``report``, under the job's id.

    Frozen when it is asked for: the study's words, its document and where its values come
    from, and the hash of the inputs. The worker adds the comparison that it drew, and the
    stored run that this is the result of, where there is one. ``with_runs``: earlier runs of
    the study are in it, which a link to one result does not show. ``with_appendix``: so are
    inputs with their sources, years, workings and checks.
    """

    class Format(models.TextChoices):
        PDF = "pdf"
        XLSX = "xlsx"
        CSV = "csv"

    class Paper(models.TextChoices):
        A4 = "a4"
        LETTER = "letter"

    job = job_key("report")
    study = models.ForeignKey(Study, null=True, on_delete=models.SET_NULL, related_name="reports")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="reports")

    with_runs = models.BooleanField(db_default=False)
    with_appendix = models.BooleanField(db_default=True)
    format = models.CharField(max_length=4, choices=Format.choices)
    paper = models.CharField(max_length=6, choices=Paper.choices)
    file_name = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    question = models.TextField(blank=True)
    document = models.JSONField()
    provenance = models.JSONField(default=dict)
    snapshot = models.CharField(max_length=100, blank=True)

    model_id = models.CharField(max_length=100)
    model_version = models.CharField(max_length=40)
    params_version = models.PositiveSmallIntegerField()
    inputs_hash = models.CharField(max_length=64)
    comparison = models.JSONField(null=True)
    bytes_count = models.PositiveIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-job"), name="report_by_time"),
            models.Index(fields=("study", "-created_at"), name="report_by_study"),
        )
