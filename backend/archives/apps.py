"""The archives app."""

from django.apps import AppConfig

from jobs import kinds


class ArchivesConfig(AppConfig):
    """A whole workspace as one file."""

    name = "archives"

    def ready(self) -> None:
        """Make the kinds of job known."""
        kinds.register_work("archives.work.export", {"archive.export": kinds.BATCH})
        of_size = dict.fromkeys(("archive.import", "archive.import.long"), kinds.BATCH)
        kinds.register_work("archives.work.import", of_size)
