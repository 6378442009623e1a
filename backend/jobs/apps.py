"""The jobs app."""

from __future__ import annotations

from django.apps import AppConfig

from common.quotas import register


class JobsConfig(AppConfig):
    """Claim, lease, fencing, progress, cancel, events, reaper: for any kind of job."""

    name = "jobs"

    def ready(self) -> None:
        """Register the health checks of broker and workers, and the quotas."""
        from jobs import monitoring, quotas

        monitoring.register()
        for quota in (quotas.JOBS, quotas.COMPUTE):
            register(quota)
