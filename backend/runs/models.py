"""A run: one model or plan executed on frozen inputs."""

from __future__ import annotations

from django.db import models

from common.models import WorkspaceModel
from common.partitions import this_month
from jobs.models import MadeByJob, job_key
from studies.documents import JSONReader
from studies.models import Study


class Run(MadeByJob):
    """A job of the kind ``run``, under the job's id.

    ``params`` are the frozen inputs in the shape ``params_version``. A run that was
    answered from an earlier one has no result of its own but names that in
    ``reused_from``. The headline columns are those that lists show and sort by; ``odds`` are
    shares by design's letter. A run
    that computed an earlier one again says how many of its figures moved, and how far.
    ``result_month`` says where its ``Result`` is; that may be let go before the run.
    """

    job = job_key("run")
    study = models.ForeignKey(Study, null=True, on_delete=models.SET_NULL, related_name="runs")
    reused_from = models.ForeignKey("self", null=True, on_delete=models.RESTRICT, related_name="+")
    again_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")

    model_id = models.CharField(max_length=100)
    model_version = models.CharField(max_length=40)
    params = models.JSONField(decoder=JSONReader)
    params_version = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    inputs_hash = models.CharField(max_length=64)
    snapshot = models.CharField(max_length=100, blank=True)

    result_month = models.DateField(null=True, editable=False)
    winner = models.CharField(max_length=1, blank=True)
    cost_usd = models.FloatField(null=True)
    headline = models.TextField(blank=True)
    odds = models.JSONField(null=True)
    moved_count = models.PositiveIntegerField(null=True)
    moved_fraction = models.FloatField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-job"), name="run_by_time"),
            # Row policies ask for the workspace, of which the planner cannot tell that it is the
            # study's: without it here it walks all runs of the workspace, newest first.
            models.Index(fields=("study", "workspace", "-created_at", "-job"), name="run_of_study"),
            models.Index(fields=("created_at",), name="run_by_age"),
            models.Index(
                fields=("workspace", "model_id", "-created_at", "-job"), name="run_by_model"
            ),
            models.Index(
                fields=("workspace", "-created_at", "-job"),
                condition=models.Q(moved_count__gt=0),
                name="run_that_moved",
            ),
            # Only a run with a result can answer another. The results are in partitions, which
            # hold nothing that is unique across them: what is asked before every run is here.
            models.Index(
                fields=("workspace", "inputs_hash"),
                condition=models.Q(result_month__isnull=False),
                name="run_to_answer",
            ),
        )


class Result(WorkspaceModel):
    """What a run found, whole; in monthly partitions. The database removes it with its run."""

    id = None  # type: ignore[assignment]  # run and month are
    pk = models.CompositePrimaryKey("run_id", "month")
    run_id = models.UUIDField()
    month = models.DateField(default=this_month)
    data = models.JSONField(decoder=JSONReader)


class Outlook(MadeByJob):
    """A job that says which studies the newest prices or the plan of today would move.

    ``rows`` is null until it has ended; ``studies_count`` are those that it looks at.
    """

    job = job_key("outlook")
    snapshot = models.CharField(max_length=100, blank=True)
    studies_count = models.PositiveIntegerField(default=0)
    moved_count = models.PositiveIntegerField(null=True)
    rows = models.JSONField(decoder=JSONReader, null=True)

    class Meta:
        indexes = (models.Index(fields=("workspace", "-created_at"), name="outlook_by_time"),)


class Sweep(MadeByJob):
    """A job that runs a model once for each row of a grid, or of a sample.

    ``params`` hold the model's input and the axes. What is told of the table, ``columns`` with
    their names, units and ends, is null until it has ended; the table itself is a file.
    """

    job = job_key("sweep")
    study = models.ForeignKey(Study, null=True, on_delete=models.SET_NULL, related_name="+")
    title = models.CharField(max_length=200)
    model_id = models.CharField(max_length=100)
    model_version = models.CharField(max_length=40)
    params = models.JSONField(decoder=JSONReader)
    rows_count = models.PositiveIntegerField()
    faults_count = models.PositiveIntegerField(null=True)
    headline = models.TextField(blank=True)
    columns = models.JSONField(decoder=JSONReader, null=True)

    class Meta:
        indexes = (models.Index(fields=("workspace", "-created_at"), name="sweep_by_time"),)
