"""The runs app."""

from django.apps import AppConfig
from django.db.models.signals import pre_delete

from jobs import kinds


class RunsConfig(AppConfig):
    """Runs, results, models and instant evaluation."""

    name = "runs"

    def ready(self) -> None:
        """Make the job kinds known, let the runs of a study go with it, keep plans of examples."""
        from runs.example_plans import example_plan_keep
        from runs.removal import study_runs_delete
        from studies.services import EXAMPLE_LOADED

        EXAMPLE_LOADED.connect(example_plan_keep)
        pre_delete.connect(study_runs_delete, sender="studies.Study")
        queues = {"run": kinds.INTERACTIVE, "run.long": kinds.BATCH}
        kinds.register_work(
            "runs.work.run", queues, loads=True, warm="runs.warming.warm_simulators"
        )
        kinds.register_work("runs.outlooks.outlook", {"outlook": kinds.BATCH})
        kinds.register_work("runs.sweeps.sweep", {"sweep": kinds.BATCH}, loads=True)
