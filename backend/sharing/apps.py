"""The sharing app."""

from django.apps import AppConfig

from jobs import kinds
from runs import keeping, told


class SharingConfig(AppConfig):
    """What is approved, what is shared by a link, and who is told."""

    name = "sharing"

    def ready(self) -> None:
        """Keep the runs that are approved or shared, and tell webhooks of new ones."""
        from sharing import selectors, webhooks

        keeping.keep(selectors.kept_run_ids)
        told.on_recorded(webhooks.tell_of_run)
        kinds.register(
            kinds.JobKind(
                name=webhooks.KIND,
                queue=kinds.BATCH,
                perform="sharing.webhooks.deliver",
                record="sharing.webhooks.delivered",
            )
        )
