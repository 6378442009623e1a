"""The sharing app."""

from django.apps import AppConfig

from catalogue import arrived
from jobs import kinds
from reports import added
from runs import keeping, told


class SharingConfig(AppConfig):
    """What is approved, what is shared by a link, and who is told."""

    name = "sharing"

    def ready(self) -> None:
        """Keep the runs that are approved or shared, tell of new ones, add to reports."""
        from sharing import actuals, prices, selectors, webhooks

        keeping.keep(selectors.kept_run_ids)
        told.on_recorded(webhooks.tell_of_run)
        arrived.on_arrived(prices.prices_arrived)
        added.add("actuals", actuals.actuals_for_report)
        kinds.register(
            kinds.JobKind(
                name=webhooks.KIND,
                queue=kinds.WEBHOOKS,
                perform="sharing.webhooks.deliver",
                record="sharing.webhooks.delivered",
            )
        )
