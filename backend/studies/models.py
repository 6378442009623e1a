"""A study, its designs and their named versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.timezone import now

from common.models import WorkspaceModel
from studies.documents import JSONReader

if TYPE_CHECKING:
    from capmodels.spec import JSONDict


class Study(WorkspaceModel):
    """One question: some designs, a workload and assumptions.

    The documents are drafts: they may be incomplete, and the plan's schema says what
    is missing. What a card shows stands in columns: the verdict is that of the
    inputs whose hash is ``verdict_hash``.
    """

    slug = models.CharField(max_length=80)
    title = models.CharField(max_length=200)
    question = models.TextField(blank=True)
    is_example = models.BooleanField(default=False)
    example_hash = models.CharField(max_length=64, blank=True, editable=False)
    example_loaded_at = models.DateTimeField(null=True, editable=False)

    revision = models.PositiveIntegerField(default=1)
    params_version = models.PositiveSmallIntegerField(default=1)
    workload = models.JSONField(decoder=JSONReader, default=dict)
    workload_provenance = models.JSONField(decoder=JSONReader, default=dict)
    assumptions = models.JSONField(decoder=JSONReader, default=dict)
    assumptions_provenance = models.JSONField(decoder=JSONReader, default=dict)
    baseline = models.JSONField(decoder=JSONReader, null=True, default=None)
    baseline_provenance = models.JSONField(decoder=JSONReader, default=dict)
    ranges = models.JSONField(decoder=JSONReader, default=list)
    tool_runs = models.JSONField(decoder=JSONReader, default=list)
    draws_count = models.IntegerField(default=10_000)
    seed = models.BigIntegerField(default=1)
    snapshot = models.CharField(max_length=100, blank=True)
    # The pack of assumptions that it follows, and the version of it that it has.
    pack = models.CharField(max_length=80, blank=True)
    pack_version = models.PositiveIntegerField(default=0)
    # The day whose prices it is asked at; empty for those that are entered.
    as_of = models.CharField(max_length=10, blank=True)

    faults_count = models.PositiveIntegerField(default=0)
    winner = models.CharField(max_length=1, blank=True)
    cost_usd = models.FloatField(null=True)
    verdict = models.JSONField(decoder=JSONReader, null=True, default=None)
    verdict_hash = models.CharField(max_length=64, blank=True, editable=False)
    # What the last search of the catalogue said of the designs, and of which inputs.
    searched = models.JSONField(decoder=JSONReader, null=True, default=None, editable=False)

    created_at = models.DateTimeField(default=now, editable=False)
    updated_at = models.DateTimeField(default=now, editable=False)

    tags = models.JSONField(default=list)
    # Where the study stands among the steps of its edits, and which of them are kept.
    step = models.PositiveIntegerField(default=0, editable=False)
    step_first = models.PositiveIntegerField(default=0, editable=False)
    step_last = models.PositiveIntegerField(default=0, editable=False)

    # What the study was when it was opened for a change; see ``studies.history``.
    before: JSONDict | None = None

    # Whether reading brought the documents to the present shape; saving writes them back.
    is_upgraded = False

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to go back to."""
        return self.step > self.step_first

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to go forth to."""
        return self.step < self.step_last

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("workspace", "slug"), name="study_slug_once"),
        )
        indexes = (
            models.Index(fields=("workspace", "-updated_at", "-id"), name="study_by_change"),
            models.Index(fields=("workspace", "title", "id"), name="study_by_title"),
        )


class Design(WorkspaceModel):
    """One candidate of a study; its letter stays the same for life."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="designs")
    letter = models.CharField(max_length=1)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=40)
    spec = models.JSONField(decoder=JSONReader, default=dict)
    provenance = models.JSONField(decoder=JSONReader, default=dict)
    position = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=now, editable=False)
    updated_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        ordering = ("position", "letter")
        constraints = (
            models.UniqueConstraint(fields=("study", "letter"), name="design_letter_once"),
        )


class DesignVersion(WorkspaceModel):
    """A design as it stood when somebody gave that state a name."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="versions")
    name = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=40)
    spec = models.JSONField(decoder=JSONReader, default=dict)
    provenance = models.JSONField(decoder=JSONReader, default=dict)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        ordering = ("created_at", "id")
        constraints = (
            models.UniqueConstraint(fields=("design", "name"), name="design_version_name_once"),
        )


class StudyStep(WorkspaceModel):
    """A study with its designs as one edit left it; ``studies.history`` goes between them."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    state = models.JSONField(decoder=JSONReader)
    made_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("study", "number"), name="study_step_once"),)
