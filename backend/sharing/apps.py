"""The sharing app."""

from django.apps import AppConfig

from runs import keeping


class SharingConfig(AppConfig):
    """What is approved, and what is shared by a link."""

    name = "sharing"

    def ready(self) -> None:
        """Keep the runs that are approved or shared for as long as they are."""
        from sharing import selectors

        keeping.keep(selectors.kept_run_ids)
