"""The runs app."""

from django.apps import AppConfig
from django.db.models.signals import pre_delete

from jobs import kinds


class RunsConfig(AppConfig):
    """Runs, results, models and instant evaluation."""

    name = "runs"

    def ready(self) -> None:
        """Make the job kinds known, and let the runs of a study go with it."""
        from runs.removal import study_runs_delete

        pre_delete.connect(study_runs_delete, sender="studies.Study")
        for name, queue in (("run", kinds.INTERACTIVE), ("run.long", kinds.BATCH)):
            kinds.register(
                kinds.JobKind(
                    name=name,
                    queue=queue,
                    load="runs.work.run_load",
                    perform="runs.work.run_perform",
                    record="runs.work.run_record",
                    warm="runs.warming.warm_simulators" if queue == kinds.INTERACTIVE else None,
                )
            )
        kinds.register(
            kinds.JobKind(
                name="outlook",
                queue=kinds.BATCH,
                perform="runs.outlooks.outlook_perform",
                record="runs.outlooks.outlook_record",
            )
        )
