"""What is set up once, when Django is ready."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate


class CommonConfig(AppConfig):
    """Errors, tenancy, pagination, health: what every app stands on."""

    name = "common"

    def ready(self) -> None:
        """Register the health checks, the grants after a migration, and what fields refuse in."""
        from common import field_sentences, grants, health

        field_sentences.word_fields()

        health.CHECKS["database"] = health.DatabaseCheck()
        if settings.EVALUATE_URL:
            health.CHECKS["evaluate"] = health.EvaluateCheck(settings.EVALUATE_URL)
        post_migrate.connect(grants.grant_after_migrate, sender=self)
