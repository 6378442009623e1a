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

        health.CHECKS["database"] = database = health.DatabaseCheck()
        health.watch_part(
            "database",
            database,
            "The database does not answer: nothing can be opened, computed or saved. What you type "
            "is kept on this page and saved when it is back.",
        )
        if settings.EVALUATE_URL:
            health.CHECKS["evaluate"] = evaluate = health.EvaluateCheck(
                settings.EVALUATE_URL, web_url=settings.WEB_URL
            )
            health.watch_part(
                "evaluate",
                evaluate,
                "Instant answers are away: sliders and proposals keep the last one. Opening, "
                "saving, runs and reports work.",
            )
        post_migrate.connect(grants.grant_after_migrate, sender=self)
