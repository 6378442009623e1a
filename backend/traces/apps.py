"""The traces app."""

from django.apps import AppConfig

from jobs import kinds


class TracesConfig(AppConfig):
    """Uploaded measurements: read once by a worker, kept in columns."""

    name = "traces"

    def ready(self) -> None:
        """Make the job kinds known: small files are read at once, large ones in their turn."""
        queues = {"trace": kinds.INTERACTIVE, "trace.long": kinds.BATCH}
        kinds.register_work("traces.work.trace", queues, loads=True)
