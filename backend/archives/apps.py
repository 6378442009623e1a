"""The archives app."""

from django.apps import AppConfig

from jobs import kinds


class ArchivesConfig(AppConfig):
    """A whole workspace as one file."""

    name = "archives"

    def ready(self) -> None:
        """Make the kinds of job known."""
        kinds.register(
            kinds.JobKind(
                name="archive.export",
                queue=kinds.BATCH,
                perform="archives.work.export_perform",
                record="archives.work.export_record",
            )
        )
        for name in ("archive.import", "archive.import.long"):
            kinds.register(
                kinds.JobKind(
                    name=name,
                    queue=kinds.BATCH,
                    perform="archives.work.import_perform",
                    record="archives.work.import_record",
                )
            )
