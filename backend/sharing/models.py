"""Approved versions of a study, links that show one without an account, and webhooks."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils.timezone import now

from common.models import WorkspaceModel
from common.partitions import this_month
from runs.models import Run
from studies.documents import JSONReader
from studies.models import Study


class Approval(WorkspaceModel):
    """A run of a study that an owner approved; the app role may add and read only.

    The study is named by its id without a constraint: an approval outlives it.
    """

    append_only = True

    study_id = models.UUIDField(db_index=True)
    study_title = models.CharField(max_length=200)
    run = models.ForeignKey(Run, on_delete=models.RESTRICT, related_name="approvals")
    name = models.CharField(max_length=120)
    sentence = models.CharField(max_length=500)
    approved_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("study_id", "name"), name="approval_name_once"),
        )


class ApprovalRequest(WorkspaceModel):
    """What somebody asked the owners to approve; it waits until they approve the study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    sentence = models.CharField(max_length=500)
    asked_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(default=now, editable=False)


class Share(WorkspaceModel):
    """A link to a run of a study, or to the latest one; only the hash of its secret is kept."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="shares")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="shares")
    with_inputs = models.BooleanField(default=False)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(default=now, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_opened_at = models.DateTimeField(null=True)


class Comment(WorkspaceModel):
    """What somebody says of a study, of one of its designs, or of a number.

    A number is named by the row of the comparison, or the pointer of the document, that it
    stands at; ``place_title`` is what it was called when this was written.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="comments")
    letter = models.CharField(max_length=1, blank=True)
    place = models.CharField(max_length=200, blank=True)
    place_title = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    author = models.CharField(max_length=254)
    created_at = models.DateTimeField(default=now, editable=False)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.CharField(max_length=254, blank=True)

    class Meta:
        indexes = (models.Index(fields=("study", "created_at", "id"), name="comment_by_time"),)


class StudyActuals(WorkspaceModel):
    """What was entered of a study's design since it runs; the shape is ``answer.actuals``."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="actuals")
    document = models.JSONField(decoder=JSONReader, default=dict)
    entered_by = models.CharField(max_length=254)
    updated_at = models.DateTimeField(default=now, editable=False)


class Webhook(WorkspaceModel):
    """An address of a program that is told of events; the secret, sealed, signs what is sent."""

    url = models.CharField(max_length=500)
    events = models.JSONField()
    secret = models.CharField(max_length=200)
    # A break-even that moves by more is told. [months]
    break_even_months = models.FloatField(default=3.0, db_default=3.0)
    created_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(default=now, editable=False)


class PricesTold(WorkspaceModel):
    """Of which of the catalogue's snapshots a workspace was told that it arrived."""

    id = None  # type: ignore[assignment]  # the workspace is
    workspace = models.OneToOneField(
        "accounts.Workspace", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    snapshot = models.CharField(max_length=100)


class Delivery(WorkspaceModel):
    """One event for one webhook: kept with what the program answered; in monthly partitions."""

    id = models.UUIDField(default=uuid4, editable=False)
    pk = models.CompositePrimaryKey("id", "month")
    month = models.DateField(default=this_month, editable=False)
    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    event = models.CharField(max_length=40)
    study_id = models.UUIDField(null=True)
    payload = models.JSONField()
    created_at = models.DateTimeField(default=now, editable=False)
    attempts = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.CharField(max_length=500, blank=True)
    ended_at = models.DateTimeField(null=True)
    delivered = models.BooleanField(default=False)

    class Meta:
        indexes = (
            models.Index(
                fields=("webhook", "study_id", "created_at"),
                condition=models.Q(ended_at=None),
                name="delivery_open",
            ),
            models.Index(fields=("webhook", "-created_at", "-id"), name="delivery_by_time"),
        )
