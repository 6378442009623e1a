"""What every table of workspace data has in common."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar
from uuid import uuid4

from django.db import models

from common.tenancy import current_workspace_id

M = TypeVar("M", bound=models.Model)


class WorkspaceManager(models.Manager[M]):
    """Sees the entered workspace only; raises NoWorkspace outside of one."""

    def get_queryset(self) -> models.QuerySet[M]:
        """Filter by the workspace: the wall in front of row-level security."""
        return super().get_queryset().filter(workspace_id=current_workspace_id())


class WorkspaceModel(models.Model):
    """A row of one workspace. Its table needs ``common.rls.workspace_rls`` in its migration."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    workspace = models.ForeignKey(
        "accounts.Workspace", on_delete=models.CASCADE, related_name="+", editable=False
    )

    objects: ClassVar[WorkspaceManager[Self]] = WorkspaceManager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the row in the entered workspace."""
        if self.workspace_id is None:
            self.workspace_id = current_workspace_id()
        super().save(*args, **kwargs)


class IdempotencyKey(WorkspaceModel):
    """The answer that a creating POST gave, kept for a day for whoever repeats it."""

    key = models.CharField(max_length=200)
    path = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    etag = models.CharField(max_length=200, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("workspace", "key", "path"), name="idempotency_key_once"
            ),
        )
        indexes = (models.Index(fields=("created_at",)),)
