"""The sharing app."""

from django.apps import AppConfig

from jobs import kinds
from reports import added
from runs import keeping, told


class SharingConfig(AppConfig):
    """What is approved, what is shared by a link, and who is told."""

    name = "sharing"

    def ready(self) -> None:
        """Keep the runs that are approved or shared, tell of new ones, add to reports."""
        from sharing import actuals, selectors, webhooks

        keeping.keep(selectors.kept_run_ids)
        told.on_recorded(webhooks.tell_of_run)
        added.add("actuals", actuals.actuals_for_report)
        kinds.register(
            kinds.JobKind(
                name=webhooks.KIND,
                queue=kinds.BATCH,
                perform="sharing.webhooks.deliver",
                record="sharing.webhooks.delivered",
            )
        )
