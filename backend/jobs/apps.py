"""The jobs app."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Claim, lease, fencing, progress, cancel, events, reaper: for any kind of job."""

    name = "jobs"

    def ready(self) -> None:
        """Register the health checks of broker and workers."""
        from jobs import monitoring

        monitoring.register()
