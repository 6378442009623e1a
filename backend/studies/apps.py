"""The studies app."""

from django.apps import AppConfig

from jobs import kinds

EXAMPLES = "examples"


class StudiesConfig(AppConfig):
    """Studies, their designs, versions and files."""

    name = "studies"

    def ready(self) -> None:
        """Make the job known that loads the examples into a workspace that a person made."""
        from accounts import teams
        from studies.starting import examples_start

        kinds.register_work("studies.starting.examples", {EXAMPLES: kinds.BATCH})
        teams.on_start(examples_start)
