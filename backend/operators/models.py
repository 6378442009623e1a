"""Operators, and what they see. All of it is in the schema ``operators``.

``Workspace`` and ``Job`` are views on functions that name each column they show: what a
workspace holds is in none of them, and the role has no right on the tables behind.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import connection, models

if TYPE_CHECKING:
    from datetime import datetime

# As the service's own quotas are called, with their units.
QUOTAS = {
    "stored_mb": "Stored (MB)",
    "jobs": "Jobs that wait or run",
    "compute_minutes": "Computing this month (minutes)",
    "members": "Members",
}
REFUSALS_WINDOW, REFUSALS_MAX = timedelta(minutes=15), 10


class OperatorManager(BaseUserManager["Operator"]):
    """Finds operators by their address."""

    def get_by_natural_key(self, username: str | None) -> Operator:
        """Return who has the address, however it is written."""
        return self.get(email=(username or "").lower())


class Operator(AbstractBaseUser):
    """Who runs the service: an account apart from members' ones, of whatever address."""

    email = models.EmailField(unique=True, max_length=254)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    # The admin's pages say themselves who may what: all the same, as none shows contents.
    is_staff = True

    objects: ClassVar[OperatorManager] = OperatorManager()

    class Meta:
        db_table = "operator"

    def has_perm(self, _perm: str, _obj: object = None) -> bool:
        """Say yes: the pages say what there is."""
        return self.is_active

    def has_module_perms(self, _app_label: str) -> bool:
        """Say yes, as above."""
        return self.is_active


class Refusal(models.Model):
    """A refused sign-in, counted to slow down guessing."""

    email = models.CharField(max_length=254)
    at = models.DateTimeField()

    class Meta:
        db_table = "refusal"
        indexes = (models.Index(fields=("email", "at"), name="refusal_by_email"),)


def must_wait(email: str, now: datetime) -> bool:
    """Say whether too many sign-ins with an address were refused of late."""
    recent = Refusal.objects.filter(email=email.lower(), at__gt=now - REFUSALS_WINDOW)
    return recent.count() >= REFUSALS_MAX


def refused(email: str, now: datetime) -> None:
    """Count a refused sign-in."""
    Refusal.objects.filter(at__lt=now - REFUSALS_WINDOW).delete()
    Refusal.objects.create(email=email.lower()[:254], at=now)


class Workspace(models.Model):
    """A workspace as an operator sees it."""

    id = models.UUIDField(primary_key=True)
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField()
    deletes_at = models.DateTimeField(null=True)
    limits = models.JSONField()
    members = models.BigIntegerField()
    jobs = models.BigIntegerField("jobs that wait or run")
    stored_mb = models.FloatField("stored (MB)")
    compute_minutes = models.FloatField("computing this month (minutes)")

    class Meta:
        managed = False
        db_table = "workspace"

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def limits_set(self, limits: dict[str, float | None]) -> None:
        """Give the workspace limits of its own; the workspace's audit says so."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT limits_set(%s, %s::jsonb)", [self.pk, json.dumps(limits)])


class Job(models.Model):
    """A job as an operator sees it: when, where and how it went, not what it is about."""

    id = models.UUIDField(primary_key=True)
    workspace = models.CharField(max_length=100)
    kind = models.CharField(max_length=50)
    queue = models.CharField(max_length=20)
    state = models.CharField(max_length=10)
    attempt = models.PositiveSmallIntegerField()
    submitted_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    limit_s = models.PositiveIntegerField("time limit (s)")
    fault = models.CharField(max_length=50)

    class Meta:
        managed = False
        db_table = "job"

    def __str__(self) -> str:
        """Return kind and state."""
        return f"{self.kind}, {self.state}"
