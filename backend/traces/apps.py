"""The traces app."""

from django.apps import AppConfig

from jobs import kinds


class TracesConfig(AppConfig):
    """Uploaded measurements: read once by a worker, kept in columns."""

    name = "traces"

    def ready(self) -> None:
        """Make the job kinds known: small files are read at once, large ones in their turn."""
        for name, queue in (("trace", kinds.INTERACTIVE), ("trace.long", kinds.BATCH)):
            kinds.register(
                kinds.JobKind(
                    name=name,
                    queue=queue,
                    load="traces.work.trace_load",
                    perform="traces.work.trace_perform",
                    record="traces.work.trace_record",
                )
            )
