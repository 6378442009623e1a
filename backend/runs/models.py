"""A run: one model or plan executed on frozen inputs."""

from __future__ import annotations

from django.db import models
from django.utils.timezone import now

from common.models import WorkspaceModel
from jobs.models import Job
from studies.documents import JSONReader
from studies.models import Study


class Run(WorkspaceModel):
    """A job of the kind ``run``, under the job's id.

    ``params`` are the frozen inputs in the shape ``params_version``. A run that was
    answered from an earlier one has no result of its own but names that in
    ``reused_from``. The headline columns are those that lists show and sort by. A run
    that computed an earlier one again says how many of its figures moved, and how far.
    """

    id = None  # type: ignore[assignment]  # the job's id is the run's
    job = models.OneToOneField(
        Job, primary_key=True, db_column="id", on_delete=models.CASCADE, related_name="run"
    )
    study = models.ForeignKey(Study, null=True, on_delete=models.SET_NULL, related_name="runs")
    reused_from = models.ForeignKey("self", null=True, on_delete=models.RESTRICT, related_name="+")
    again_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=now, editable=False)

    model_id = models.CharField(max_length=100)
    model_version = models.CharField(max_length=40)
    params = models.JSONField(decoder=JSONReader)
    params_version = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    inputs_hash = models.CharField(max_length=64)
    snapshot = models.CharField(max_length=100, blank=True)

    result = models.JSONField(decoder=JSONReader, null=True)
    winner = models.CharField(max_length=1, blank=True)
    cost_usd = models.FloatField(null=True)
    headline = models.TextField(blank=True)
    moved_count = models.PositiveIntegerField(null=True)
    moved_fraction = models.FloatField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-job"), name="run_by_time"),
            models.Index(fields=("study", "-created_at"), name="run_by_study"),
            models.Index(fields=("created_at",), name="run_by_age"),
            models.Index(
                fields=("workspace", "model_id", "-created_at", "-job"), name="run_by_model"
            ),
            models.Index(
                fields=("workspace", "-created_at", "-job"),
                condition=models.Q(moved_count__gt=0),
                name="run_that_moved",
            ),
            # Only a run with a result can answer another.
            models.Index(
                fields=("workspace", "inputs_hash"),
                condition=models.Q(result__isnull=False),
                name="run_to_reuse",
            ),
        )
