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
        queues = {"run": kinds.INTERACTIVE, "run.long": kinds.BATCH}
        kinds.register_work(
            "runs.work.run", queues, loads=True, warm="runs.warming.warm_simulators"
        )
        kinds.register_work("runs.outlooks.outlook", {"outlook": kinds.BATCH})
