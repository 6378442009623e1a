"""The files app."""

from django.apps import AppConfig

from common.quotas import Quota, register


class FilesConfig(AppConfig):
    """Large things: taken in, kept in the database or in an object storage, let go."""

    name = "files"

    def ready(self) -> None:
        """Register the quota."""
        from files.selectors import megabytes_stored

        stored = Quota(
            name="stored_mb",
            title="Stored files, series and reports",
            unit="MB",
            used=megabytes_stored,
            status=507,
            advice="Remove traces, imports, runs or reports that are not needed.",
        )
        register(stored)
