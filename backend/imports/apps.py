"""The imports app."""

from django.apps import AppConfig

from jobs import kinds


class ImportsConfig(AppConfig):
    """Bills and the like: read by a worker, looked at, accepted into a study, undone."""

    name = "imports"

    def ready(self) -> None:
        """Make the job kinds known: small files are read at once, large ones in their turn."""
        queues = {"import": kinds.INTERACTIVE, "import.long": kinds.BATCH}
        kinds.register_work("imports.work.import", queues, loads=True)
