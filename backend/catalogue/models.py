"""Entries of the catalogue, built in or a workspace's own, and its snapshots."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar
from uuid import uuid4

from django.db import models
from django.utils.timezone import now

from catalogue.keys import KEYS, SORTED, keys_of
from common.tenancy import current_workspace_id

M = TypeVar("M", bound=models.Model)
_FIGURES = ("price_usd", "price_on", "cores_count", "ram_gib", "capacity_tb", "year")


class VisibleManager(models.Manager[M]):
    """Sees what is built in, and the entered workspace's own."""

    def get_queryset(self) -> models.QuerySet[M]:
        """Filter as row-level security does: one wall in front of the other."""
        mine = models.Q(workspace_id=current_workspace_id())
        return super().get_queryset().filter(mine | models.Q(workspace=None))


class BuiltInManager(models.Manager["Entry"]):
    """Sees the built-in entries, in any workspace and outside of all."""

    def get_queryset(self) -> models.QuerySet[Entry]:
        """Leave out what workspaces added."""
        return super().get_queryset().filter(workspace=None)


class Entry(models.Model):
    """One thing with figures; a row without a workspace is built in and read by all.

    ``values`` holds, by field, what ``catalogue.fixture_entries.ValueDict`` names. The
    position keeps the order of the files, in which sizes grow.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    workspace = models.ForeignKey(
        "accounts.Workspace", on_delete=models.CASCADE, related_name="+", null=True, editable=False
    )
    slug = models.CharField(max_length=80)
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    values = models.JSONField(default=dict)
    position = models.PositiveIntegerField(default=0)
    # Its keys: what ``catalogue.keys`` takes from title and values, for search, filter, order.
    search_text = models.TextField(default="", editable=False)
    provider = models.CharField(max_length=60, default="", editable=False)
    region = models.CharField(max_length=60, default="", editable=False)
    price_usd = models.FloatField(null=True, editable=False)
    price_on = models.DateField(null=True, editable=False)
    cores_count = models.FloatField(null=True, editable=False)
    ram_gib = models.FloatField(null=True, editable=False)
    capacity_tb = models.FloatField(null=True, editable=False)
    year = models.FloatField(null=True, editable=False)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=now, editable=False)
    updated_at = models.DateTimeField(default=now, editable=False)

    objects: ClassVar[VisibleManager[Self]] = VisibleManager()
    built_in: ClassVar[BuiltInManager] = BuiltInManager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("workspace", "slug"), name="entry_slug_once"),
            models.UniqueConstraint(
                fields=("slug",),
                condition=models.Q(workspace=None),
                name="entry_built_in_slug_once",
            ),
        )
        indexes = (
            models.Index(fields=("position", "id"), name="entry_by_position"),
            *(
                models.Index(fields=("kind", name, "id"), name=f"entry_by_{name}")
                for name in SORTED
            ),
            models.Index(fields=("kind", "provider", "region"), name="entry_by_provider"),
            models.Index(fields=("kind", "region"), name="entry_by_region"),
            # Row by row without the wide values: what no other index answers.
            models.Index(
                fields=("kind", "position", "id"),
                include=("workspace", "search_text", "title", "provider", "region", *_FIGURES),
                name="entry_keys",
            ),
        )

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the entry with its keys."""
        self.take_keys()
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = [*kwargs["update_fields"], *KEYS]
        super().save(*args, **kwargs)

    def take_keys(self) -> None:
        """Set the keys to what title and values say now."""
        for name, value in keys_of(self.kind, self.slug, self.title, self.values).items():
            setattr(self, name, value)

    @property
    def is_own(self) -> bool:
        """Say whether a workspace added it."""
        return self.workspace_id is not None


class EntryVersion(models.Model):
    """What an entry was until it was changed or went; ``Entry`` holds what it is now."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    workspace = models.ForeignKey(
        "accounts.Workspace", on_delete=models.CASCADE, related_name="+", null=True, editable=False
    )
    slug = models.CharField(max_length=80)
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    values = models.JSONField(default=dict)
    revision = models.PositiveIntegerField()
    since = models.DateTimeField()
    until = models.DateTimeField()

    objects: ClassVar[VisibleManager[Self]] = VisibleManager()

    class Meta:
        ordering = ("until", "revision")
        indexes = (models.Index(fields=("slug", "until"), name="entry_version_by_slug"),)


class Snapshot(models.Model):
    """The built-in catalogue as of a date; a study names the one that it was made with."""

    id = models.CharField(max_length=30, primary_key=True)
    as_of = models.DateField()
    digest = models.CharField(max_length=64, unique=True)
    entries_count = models.PositiveIntegerField()
    kinds: models.JSONField[Any, Any] = models.JSONField(default=dict)
    loaded_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ("-loaded_at", "-id")
