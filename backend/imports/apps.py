"""The imports app."""

from django.apps import AppConfig

from jobs import kinds


class ImportsConfig(AppConfig):
    """Bills and the like: read by a worker, looked at, accepted into a study, undone."""

    name = "imports"

    def ready(self) -> None:
        """Make the job kinds known: small files are read at once, large ones in their turn."""
        for name, queue in (("import", kinds.INTERACTIVE), ("import.long", kinds.BATCH)):
            kinds.register(
                kinds.JobKind(
                    name=name,
                    queue=queue,
                    load="imports.work.import_load",
                    perform="imports.work.import_perform",
                    record="imports.work.import_record",
                )
            )
